//! Tests of the judgement of templates, against an engine that holds its own built-in filters.

mod accepted;
mod hostile;
mod names;
mod soup;

use std::sync::mpsc;
use std::time::Duration;

use minijinja::{Environment, ErrorKind, Value, escape_formatter};

use super::Template;
use super::names::Known;
use crate::engine::{Strictness, TemplateError};
use crate::limits::Limits;

const KNOWN: Known<'static> = Known {
    filters: &[
        "upper",
        "lower",
        "title",
        "capitalize",
        "replace",
        "length",
        "count",
        "dictsort",
        "items",
        "reverse",
        "trim",
        "join",
        "default",
        "d",
        "round",
        "abs",
        "int",
        "float",
        "first",
        "last",
        "min",
        "max",
        "sort",
        "list",
        "string",
        "batch",
        "slice",
        "sum",
        "indent",
        "select",
        "reject",
        "selectattr",
        "rejectattr",
        "map",
        "groupby",
        "unique",
        "format",
        "tojson",
        "e",
        "escape",
        "safe",
    ],
    tests: &[
        "defined",
        "undefined",
        "none",
        "string",
        "number",
        "mapping",
        "sequence",
        "iterable",
        "odd",
        "even",
        "divisibleby",
        "in",
        "eq",
        "equalto",
        "ne",
        "startingwith",
        "endingwith",
        "true",
        "false",
        "boolean",
        "integer",
        "upper",
        "lower",
    ],
    functions: &["range", "dict", "namespace"],
};

fn compile(source: &str) -> Result<Template, Vec<TemplateError>> {
    let mut env = Environment::new();
    env.remove_global("debug");
    // The engine's own formatter walks a list to its end after the output is full.
    env.set_formatter(|out, state, value| match value.len() {
        Some(len) if value.as_str().is_none() && len > 1_000_000 => Err(minijinja::Error::new(
            ErrorKind::InvalidOperation,
            "too long",
        )),
        _ => escape_formatter(out, state, value),
    });
    Template::with(source, &Limits::DEFAULT, KNOWN, env)
}

/// Compiles and renders, as a slot would: every finding of the first, else the one of the second.
fn run(source: &str, values: &str) -> Result<String, Vec<TemplateError>> {
    let values: serde_json::Value = serde_json::from_str(values).expect("values");
    let template = compile(source)?;
    let values = Value::from(minijinja::value::Serde(values));
    template
        .render(&values, Strictness::SemiStrict)
        .map_err(|err| vec![err])
}

/// Runs in a thread with a small stack, and gives up after a time that no honest machine needs.
#[track_caller]
fn guarded<T: Send + 'static>(name: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || sender.send(work()))
        .expect("thread");
    match receiver.recv_timeout(Duration::from_secs(20)) {
        Ok(result) => result,
        Err(err) => panic!("{name}: {err}"),
    }
}

fn first_message(errors: &[TemplateError]) -> &str {
    errors.first().map_or("", |err| &err.message)
}
