//! Tests of the judgement of templates.

mod accepted;
mod compare;
mod hostile;
mod names;
mod soup;

use std::sync::mpsc;
use std::time::Duration;

use minijinja::Value;

use super::Template;
use crate::engine::{Strictness, TemplateError};
use crate::limits::Limits;

fn compile(source: &str) -> Result<Template, Vec<TemplateError>> {
    Template::new(source, &Limits::DEFAULT)
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
