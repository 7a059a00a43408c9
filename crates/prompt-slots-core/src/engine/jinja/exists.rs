//! Whether the filters, tests, functions and methods that a template names exist, also where it never gets to.

use super::ast::{Args, Expr, Node, Word};
use super::env::{FILTERS, FUNCTIONS, TESTS};
use super::filters::methods;
use super::names::Walk;
use super::{Span, error, hinted, splice};
use crate::engine::TemplateError;

/// Filters whose first argument names another filter, and those where it names a test.
const TAKE_FILTER: &[&str] = &["map"];
const TAKE_TEST: &[&str] = &["select", "reject"];
const TAKE_TEST_SECOND: &[&str] = &["selectattr", "rejectattr"];

impl<'s> Walk<'s> {
    /// Judges what is called: a macro, a function of the engine, or a method of `loop`.
    pub(super) fn callee(&mut self, callee: &Node<'s>, args: &Args<'s>) {
        match &callee.expr {
            Expr::Name(name) if matches!(*name, "loop" | "caller" | "self" | "super") => {
                self.name(name, callee.span);
            }
            Expr::Name(name) if self.is_bound(name) || FUNCTIONS.contains(name) => {}
            Expr::Name(name) => {
                let bound = self.bound.iter().filter(|(_, count)| **count > 0);
                let names = FUNCTIONS.iter().copied();
                let near = self.near(name, names.chain(bound.map(|(name, _)| *name)));
                let hint = match (near, FILTERS.contains(name)) {
                    (_, true) => Some(format!("it is a filter: write `value|{name}`")),
                    (Some(near), _) => Some(format!("did you mean `{near}`?")),
                    (None, _) => None,
                };
                self.report(TemplateError {
                    range: Some(callee.span.into()),
                    message: format!("there is no function `{name}`"),
                    hint,
                });
            }
            Expr::Attr(base, method) => {
                self.node(base);
                let of_loop =
                    matches!(base.expr, Expr::Name(name) if name == "loop" || self.is_bound(name));
                match *method {
                    "cycle" | "changed" if of_loop => {
                        // Without arguments the engine divides by zero.
                        if args.positional.is_empty() || !args.named.is_empty() {
                            let message = format!("`{method}` needs plain arguments");
                            let hint = format!("write them out, as in `loop.{method}(a, b)`");
                            self.report(hinted(callee.span, message, hint));
                        }
                        if *method == "changed" {
                            let large = args.values().filter(|arg| !splice::is_small(arg));
                            self.weighed(large.map(|arg| arg.span));
                        }
                    }
                    _ if methods::exists(method) => {}
                    _ => self.report(self.no_method(callee.span, method)),
                }
            }
            _ => {
                self.node(callee);
                self.report(error(callee.span, "this value can't be called"));
            }
        }
    }

    fn no_method(&self, span: Span, method: &str) -> TemplateError {
        let message = format!("there is no method `.{method}()` here");
        let instead = match method {
            "format" => "'%s'|format(value)",
            "count" => "value|length",
            "append" | "extend" | "insert" => "{% set ns.list = ns.list + [value] %}",
            "update" => "{% set ns.key = value %}",
            "islower" => "value is lower",
            "isupper" => "value is upper",
            _ => {
                return match self.near(method, FILTERS.iter().copied()) {
                    Some(near) => hinted(span, message, format!("use the filter: `value|{near}`")),
                    None => hinted(span, message, "use a filter: `value|name`"),
                };
            }
        };
        hinted(span, message, format!("write `{instead}`"))
    }

    pub(super) fn exists(&mut self, what: &str, name: Word<'_>) {
        let known = if what == "filter" { FILTERS } else { TESTS };
        if known.contains(&name.text) {
            return;
        }
        let message = format!("there is no {what} `{}`", name.text);
        self.report(match self.near(name.text, known.iter().copied()) {
            Some(near) => hinted(name.span, message, format!("did you mean `{near}`?")),
            None => error(name.span, message),
        });
    }

    /// Judges the filter or test that is named by a text argument: `map('upper')`.
    pub(super) fn names_in_text(&mut self, filter: Word<'_>, args: &Args<'s>) {
        let (what, place) = match filter.text {
            name if TAKE_FILTER.contains(&name) => ("filter", 0),
            name if TAKE_TEST.contains(&name) => ("test", 0),
            name if TAKE_TEST_SECOND.contains(&name) => ("test", 1),
            _ => return,
        };
        let Some(argument) = args.positional.get(place) else {
            return;
        };
        let span = argument.span;
        if let Expr::Text(Some(text)) = argument.expr {
            self.exists(what, Word { text, span });
            // What they call in turn would be a name that nobody judged.
            if what == "filter"
                && [TAKE_FILTER, TAKE_TEST, TAKE_TEST_SECOND]
                    .concat()
                    .contains(&text)
            {
                self.report(hinted(
                    span,
                    format!("`{}` can't apply `{text}`", filter.text),
                    "use a loop",
                ));
            }
        } else {
            let message = format!("`{}` needs the name of a {what} as plain text", filter.text);
            self.report(error(span, message));
        }
    }
}
