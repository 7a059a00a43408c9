//! Compiling and rendering: the engine, its errors in our words, and the limit on what it writes.

use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use minijinja::{Environment, ErrorKind, UndefinedBehavior, Value};

use super::compare::Comparisons;
use super::env::environment;
use super::splice::Spliced;
use super::{Judged, Span, Text, size};
use crate::engine::{Strictness, TemplateError};
use crate::limits::Limits;

/// The name of every template; without an extension, so that nothing is escaped.
const NAME: &str = "template";
/// The deepest recursion of macros and loops that a small stack bears in a debug build.
pub(super) const MAX_RECURSION: usize = 200;

/// A compiled template.
#[derive(Debug, Clone)]
pub(super) struct Program(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    text: Text,
    spliced: Spliced,
    subscripts: Vec<Span>,
    lenient: Environment<'static>,
    strict: OnceLock<Environment<'static>>,
    comparisons: Comparisons,
    fuel: u64,
    output_bytes: usize,
}

impl Program {
    pub fn new(text: Text, judged: &Judged, limits: &Limits) -> Result<Self, TemplateError> {
        let spliced = Spliced::new(&text.plain, &judged.filtered);
        let mut env = environment(limits);
        env.set_recursion_limit(MAX_RECURSION);
        env.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        env.add_template_owned(NAME, spliced.text.clone())
            .map_err(|err| described(&err, &spliced))?;
        Ok(Self(Arc::new(Inner {
            text,
            spliced,
            subscripts: judged.subscripts.clone(),
            lenient: env,
            strict: OnceLock::new(),
            comparisons: judged.comparisons,
            fuel: limits.fuel,
            output_bytes: limits.output_bytes,
        })))
    }

    /// Renders the template, and returns the fuel that it took.
    pub fn render_counted(
        &self,
        values: &Value,
        strictness: Strictness,
    ) -> Result<(String, u64), TemplateError> {
        let inner = &*self.0;
        let env = match strictness {
            Strictness::SemiStrict => &inner.lenient,
            Strictness::Strict => inner.strict.get_or_init(|| {
                let mut env = inner.lenient.clone();
                env.set_undefined_behavior(UndefinedBehavior::Strict);
                env
            }),
        };
        let mut limited;
        let fuel = inner.comparisons.fuel(inner.fuel, values);
        let env = if fuel < inner.fuel {
            limited = env.clone();
            limited.set_fuel(Some(fuel));
            &limited
        } else {
            env
        };
        let mut output = Output {
            // A prompt is about as long as its template.
            bytes: Vec::with_capacity(inner.text.plain.len().min(inner.output_bytes)),
            limit: inner.output_bytes,
            full: false,
        };
        let rendered = env.get_template(NAME).and_then(|template| {
            template
                .render_captured_to(values.clone(), &mut output)
                .map(|captured| captured.state().fuel_levels())
        });
        if output.full {
            return Err(TemplateError {
                range: None,
                message: format!(
                    "the rendered prompt is longer than {}",
                    size(inner.output_bytes)
                ),
                hint: Some("shorten what its loops print, or pass less".to_owned()),
            });
        }
        let levels = rendered.map_err(|err| {
            let mut err = described(&err, &inner.spliced);
            inner.name_subscript(&mut err);
            if let Some(hint) = no_attribute(err.message.as_str(), values) {
                err.hint = Some(hint);
            }
            err.range = err.range.map(|range| inner.text.range(range));
            err
        })?;
        let prompt = String::from_utf8(output.bytes).map_err(|_| TemplateError {
            range: None,
            message: "the rendered prompt is no valid text".to_owned(),
            hint: None,
        })?;
        Ok((prompt, levels.map_or(0, |(used, _)| used)))
    }
}

impl Inner {
    /// Names a subscript that gives nothing by what the template says: the engine sees only our filter before it.
    fn name_subscript(&self, err: &mut TemplateError) {
        let (Some(range), Some(expr)) = (&err.range, undefined_part(&err.message)) else {
            return;
        };
        let Some(rest) = after_subscript(expr) else {
            return;
        };
        let text = &self.text.plain;
        let before = text.get(..range.end).unwrap_or_default();
        let tag = before.rfind("{{").max(before.rfind("{%"));
        let mut found = self.subscripts.iter().filter(|span| {
            let after = text.get(span.end..).unwrap_or_default();
            Some(span.start) > tag && span.start < range.end && after.starts_with(rest)
        });
        let (Some(span), None) = (found.next(), found.next()) else {
            "what a subscript takes is undefined".clone_into(&mut err.message);
            return;
        };
        let range = span.start..span.end + rest.len();
        err.message = format!("`{}` is undefined", text.get(range.clone()).unwrap_or(expr));
        err.range = Some(range);
    }
}

/// Keeps what is written, up to a limit.
struct Output {
    bytes: Vec<u8>,
    limit: usize,
    full: bool,
}

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.limit - self.bytes.len() {
            self.full = true;
            return Err(io::Error::other("full"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Says in our words what the engine found wrong; never with a value in it.
fn described(err: &minijinja::Error, spliced: &Spliced) -> TemplateError {
    let detail = err.detail().unwrap_or_default();
    let undefined = undefined_part(detail);
    let range = err.range().map(|range| match undefined {
        Some(expr) => narrowed(&spliced.text, range, expr),
        None => range,
    });
    let range = range.map(|range| spliced.range(range));
    let message = match undefined {
        Some(expr) => format!("`{expr}` is undefined"),
        None => match err.kind() {
            ErrorKind::OutOfFuel => "the template does too much work".to_owned(),
            ErrorKind::UndefinedError => "a value is undefined".to_owned(),
            ErrorKind::SyntaxError => format!("syntax error: {detail}"),
            _ if speaks_of_no_value(detail) => detail.to_owned(),
            kind => kind.to_string(),
        },
    };
    let hint = match undefined {
        Some(_) => Some("check its spelling; print one that may be missing with `|default('')`"),
        None => next_step(&message),
    };
    TemplateError {
        range,
        message,
        hint: hint.map(str::to_owned),
    }
}

/// Says what to do about what a limit, or the engine, refused.
fn next_step(message: &str) -> Option<&'static str> {
    let steps = [
        (
            "the template does too much work",
            "shorten its loops, or pass less: prepare large values before",
        ),
        (
            "recursion limit",
            "end the macro or the loop that calls itself",
        ),
        (
            "a text grows beyond ",
            "shorten what a loop or a filter puts together",
        ),
        ("lists and maps nest", "pass a flatter value"),
        (
            "cannot compare ",
            "make both the same: `|int` and `|float` make numbers, `|string` makes a text",
        ),
        (
            "`in` looks only for text",
            "make it a text with `|string`, or look into a list",
        ),
        ("a key ", "look up a short text or a number"),
        (
            "invalid operation",
            "see whether the numbers fit; work with smaller ones",
        ),
    ];
    let ends = [
        (
            "lacks the attribute",
            "check its spelling; leave such items out with `|selectattr('..', 'defined')`",
        ),
        (
            "has fewer values than placeholders",
            "give a value for each, and write `%%` for a percent sign",
        ),
        (
            "needs a number, not a text",
            "make it one with `|float` or `|int`",
        ),
        (
            "needs an integer for `precision`",
            "write it without a point or an exponent",
        ),
    ];
    let starts = steps.iter().find(|(start, _)| message.starts_with(start));
    let found = starts.or_else(|| ends.iter().find(|(end, _)| message.ends_with(end)));
    found.map(|(_, step)| *step)
}

/// Says that what has no such attribute is a text, where it is one that the caller gave.
fn no_attribute(message: &str, values: &Value) -> Option<String> {
    let (name, attribute) = undefined_part(message)?.split_once('.')?;
    let value = values.get_attr(name).ok()?;
    value.as_str()?;
    Some(format!(
        "the value of `{name}` is a text, and has no `{attribute}`"
    ))
}

/// Finds the expression that the engine calls undefined.
fn undefined_part(detail: &str) -> Option<&str> {
    let (before, _) = detail.split_once("` is undefined")?;
    before.rsplit_once('`').map(|(_, expr)| expr)
}

/// Returns what follows the last subscript that the engine can't name in an expression.
fn after_subscript(expr: &str) -> Option<&str> {
    if let Some((_, rest)) = expr.rsplit_once("[...]") {
        return Some(rest);
    }
    let (_, index) = expr.rsplit_once("(...)[")?;
    index.split_once(']').map(|(_, rest)| rest)
}

/// Narrows the range of a failed step to the undefined expression in it, or before it in the same tag.
fn narrowed(source: &str, range: Range<usize>, expr: &str) -> Range<usize> {
    let before = source.get(..range.end).unwrap_or_default();
    let tag = before.rfind("{{").max(before.rfind("{%"));
    match before.rfind(expr) {
        Some(start) if Some(start) > tag => start..start + expr.len(),
        _ => range,
    }
}

/// Tells whether the text of an error never quotes a value: ours, and those of the engine that we know.
fn speaks_of_no_value(detail: &str) -> bool {
    const SAFE: [&str; 13] = [
        // Ours start with the name of the filter, test or function.
        "`",
        "a text grows beyond ",
        "a key ",
        "cannot compare ",
        "lists and maps nest too deeply",
        "the result of `",
        "tried to use ",
        "recursion limit exceeded",
        "strings can only be multiplied",
        "repeated ",
        "value is not iterable",
        "cannot perform a containment check",
        "cannot recurse ",
    ];
    SAFE.iter().any(|start| detail.starts_with(start))
}
