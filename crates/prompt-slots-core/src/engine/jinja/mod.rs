//! The jinja2 format.
//!
//! A template is judged before the engine sees it: [`scan`] cuts it into tokens, [`parse`] and [`stmt`] make a tree of
//! bounded size, [`names`] finds what it takes from its caller and what it calls, [`guard`] and [`measure`] refuse
//! what could grow without end. Only then does the engine compile it.

mod ast;
mod call;
mod checks;
mod compare;
mod env;
mod escape;
mod exists;
mod filters;
mod functions;
mod growth;
mod guard;
mod invoke;
mod lazy;
mod measure;
mod names;
mod namespace;
mod operand;
mod order;
mod parse;
mod python;
mod reference;
mod relation;
mod render;
mod scan;
mod splice;
mod stmt;
mod subscript;
#[cfg(test)]
mod tests;

pub use self::reference::{builtins, template_limits};

use std::ops::Range;

use memchr::memchr;
use minijinja::Value;

use super::{FreeName, Strictness, TemplateError};
use crate::limits::Limits;

/// A template that was judged and compiled.
#[derive(Debug, Clone)]
pub(super) struct Template {
    free: Vec<FreeName>,
    program: render::Program,
}

impl Template {
    pub(super) fn new(source: &str, limits: &Limits) -> Result<Self, Vec<TemplateError>> {
        if source.len() > limits.file_bytes {
            let message = format!("the template is longer than {}", size(limits.file_bytes));
            return Err(vec![TemplateError {
                range: None,
                message,
                hint: None,
            }]);
        }
        let text = Text::new(source);
        let judged = judge(&text.plain).map_err(|errors| text.in_source(errors))?;
        let program = render::Program::new(text.clone(), &judged, limits)
            .map_err(|err| text.in_source(vec![err]))?;
        let free = judged.free.into_iter().map(|(name, span)| FreeName {
            name,
            range: text.range(span.into()),
        });
        Ok(Self {
            free: free.collect(),
            program,
        })
    }

    pub(super) fn free_names(&self) -> &[FreeName] {
        &self.free
    }

    pub(super) fn render(
        &self,
        values: &Value,
        strictness: Strictness,
    ) -> Result<String, TemplateError> {
        let rendered = self.render_counted(values, strictness);
        rendered.map(|(prompt, _)| prompt)
    }

    pub(super) fn render_counted(
        &self,
        values: &Value,
        strictness: Strictness,
    ) -> Result<(String, u64), TemplateError> {
        self.program.render_counted(values, strictness)
    }
}

/// What is to be known of a good template before it is compiled.
struct Judged {
    free: Vec<(String, Span)>,
    /// The operands to filter, and with what.
    filtered: Vec<(Span, splice::Wrap)>,
    /// The subscripts whose key is not written out: the engine can't name one that finds nothing.
    subscripts: Vec<Span>,
    comparisons: compare::Comparisons,
}

/// Judges a template without compiling it.
fn judge(source: &str) -> Result<Judged, Vec<TemplateError>> {
    let tags = scan::scan(source).map_err(|err| vec![err])?;
    let body = stmt::parse(&tags).map_err(|err| vec![err])?;
    drop(tags);
    let names = names::find(&body);
    let mut errors = names.errors;
    let verdict = guard::check(&body);
    errors.extend(verdict.errors);
    if let Some((span, _)) = names.filtered.get(splice::MOST) {
        let message = format!(
            "a template has at most {} comparisons, subscripts and the like",
            splice::MOST
        );
        errors.push(hinted(*span, message, "prepare values before"));
    }
    if errors.is_empty() {
        let free = names.free.into_iter();
        let sums = verdict.sums.into_iter().map(|span| (span, splice::ADDED));
        return Ok(Judged {
            free: free.map(|name| (name.text.to_owned(), name.span)).collect(),
            filtered: names.filtered.into_iter().chain(sums).collect(),
            subscripts: names.subscripts,
            comparisons: verdict.comparisons,
        });
    }
    errors.sort_by_key(|err| {
        err.range
            .as_ref()
            .map_or((0, 0), |range| (range.start, range.end))
    });
    errors.dedup();
    Err(errors)
}

/// A stretch of the template, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: usize,
    end: usize,
}

impl From<Span> for Range<usize> {
    fn from(span: Span) -> Self {
        span.start..span.end
    }
}

/// A template with LF line ends, which knows where the CRs stood.
#[derive(Debug, Clone)]
struct Text {
    plain: String,
    /// The places in `plain` of the line ends that lost a CR.
    cuts: Vec<usize>,
}

impl Text {
    fn new(source: &str) -> Self {
        if memchr(b'\r', source.as_bytes()).is_none() {
            return Self {
                plain: source.to_owned(),
                cuts: Vec::new(),
            };
        }
        let mut plain = String::with_capacity(source.len());
        let mut cuts = Vec::new();
        let mut lines = source.split("\r\n").peekable();
        while let Some(line) = lines.next() {
            // A lone CR ends a line too, as in Jinja2.
            plain.push_str(&line.replace('\r', "\n"));
            if lines.peek().is_some() {
                cuts.push(plain.len());
                plain.push('\n');
            }
        }
        Self { plain, cuts }
    }

    /// Moves a range of `plain` to where it stands in the source.
    fn range(&self, range: Range<usize>) -> Range<usize> {
        let moved = |at: usize| at + self.cuts.partition_point(|cut| *cut < at);
        moved(range.start)..moved(range.end)
    }

    fn in_source(&self, mut errors: Vec<TemplateError>) -> Vec<TemplateError> {
        for err in &mut errors {
            err.range = err.range.take().map(|range| self.range(range));
        }
        errors
    }
}

fn error(span: Span, message: impl Into<String>) -> TemplateError {
    TemplateError {
        range: Some(span.into()),
        message: message.into(),
        hint: None,
    }
}

fn hinted(span: Span, message: impl Into<String>, hint: impl Into<String>) -> TemplateError {
    TemplateError {
        hint: Some(hint.into()),
        ..error(span, message)
    }
}

/// Returns the name that a misspelt one most likely stands for.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > 64 {
        return None;
    }
    let far = 1 + name.len() / 4;
    let alike = known.filter(|near| near.len().abs_diff(name.len()) <= far);
    let scored = alike
        .take(500)
        .map(|near| (strsim::damerau_levenshtein(name, near), near));
    let close = scored.filter(|(distance, _)| *distance <= far);
    close.min().map(|(_, near)| near)
}

/// Writes a number of bytes for people.
fn size(bytes: usize) -> String {
    match bytes {
        b if b >= 1 << 20 && b % (1 << 20) == 0 => format!("{} MiB", b >> 20),
        b if b >= 1 << 10 && b % (1 << 10) == 0 => format!("{} KiB", b >> 10),
        b => format!("{b} bytes"),
    }
}
