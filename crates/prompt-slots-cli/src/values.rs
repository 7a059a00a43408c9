//! The values of one rendering, from the command line.

use std::path::PathBuf;

use prompt_slots::{Finding, Limits, Slot, nearest};
use serde_json::{Map, Value};

use crate::error::CliError;
use crate::input;

/// The most parts of a dotted name: a value that is nested without a bound would cost a stack without a bound.
const DEEPEST: usize = 32;

/// Where values come from; the later of these wins.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Values")]
pub(crate) struct ValueArgs {
    /// Take the input of a test case, by its name or its number from 1
    #[arg(long, value_name = "CASE")]
    case: Option<String>,

    /// Take values from a JSON object in FILE, or from standard input with `-`
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,

    /// Set one value to a text; a dotted name such as `user.name` sets a part of a map
    #[arg(long, value_name = "NAME=TEXT")]
    set: Vec<String>,

    /// Set one value to any JSON, as `--set` does; applied after `--set`
    #[arg(long, value_name = "NAME=JSON")]
    set_json: Vec<String>,
}

impl ValueArgs {
    /// Collects the values.
    pub(crate) fn gather(
        &self,
        slot: &Slot,
        limits: &Limits,
    ) -> Result<Map<String, Value>, CliError> {
        let mut values = match &self.case {
            Some(case) => case_input(case, slot)?,
            None => Map::new(),
        };
        if let Some(path) = &self.input {
            // What goes into a prompt has no reason to be longer than a prompt may be.
            let text = input::read_text(path, "--input", limits.output_bytes)?;
            let object = parse(&text)
                .map_err(|finding| CliError::usage(finding.file(&input::shown(path))))?;
            values.extend(object);
        }
        for argument in &self.set {
            let (name, text) = assignment("--set", argument)?;
            set(&mut values, name, Value::from(text))?;
        }
        for argument in &self.set_json {
            let (name, json) = assignment("--set-json", argument)?;
            let value = serde_json::from_str(json).map_err(|error| {
                let finding =
                    Finding::error(format!("`--set-json {name}`: not valid JSON: {error}"));
                CliError::usage(finding.hint("put text in double quotes, or use `--set`"))
            })?;
            set(&mut values, name, value)?;
        }
        Ok(values)
    }
}

fn case_input(wanted: &str, slot: &Slot) -> Result<Map<String, Value>, CliError> {
    let cases: Vec<_> = slot.test_cases().collect();
    let by_name = cases.iter().find(|case| case.name() == Some(wanted));
    let by_number = || {
        let number: usize = wanted.parse().ok()?;
        cases.get(number.checked_sub(1)?)
    };
    if let Some(case) = by_name.or_else(by_number) {
        return Ok(match case.input().to_json() {
            Value::Object(input) => input,
            _ => Map::new(),
        });
    }
    let names: Vec<&str> = cases
        .iter()
        .filter_map(prompt_slots::TestCase::name)
        .collect();
    let hint = match (nearest(wanted, names.iter().copied()), cases.len()) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, 0) => "the slot has no test cases; use `--input` or `--set`".to_owned(),
        (None, count) => {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "give a number from 1 to {count}, or a name: {}",
                names.join(", ")
            )
        }
    };
    let finding = Finding::error(format!("there is no test case `{wanted}`"));
    Err(CliError::usage(finding.slot(slot.name()).hint(hint)))
}

/// Reads a JSON object. An error must not quote it: values may be secrets.
fn parse(text: &str) -> Result<Map<String, Value>, Box<Finding>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let hint = r#"write an object from names to values, such as {"name": "text"}"#;
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Box::new(Finding::error("is no JSON object").hint(hint))),
        Err(error) => Err(Box::new(
            Finding::error(format!("is not valid JSON: {error}")).hint(hint),
        )),
    }
}

/// Sets one value; a dotted name reaches into maps, and makes those that are missing.
fn set(values: &mut Map<String, Value>, path: &str, value: Value) -> Result<(), CliError> {
    let (mut map, mut rest) = (values, path);
    while let Some((name, below)) = rest.split_once('.') {
        let next = map.entry(name).or_insert_with(|| Value::Object(Map::new()));
        let Value::Object(next) = next else {
            let finding = Finding::error(format!("`{path}` can't be set: `{name}` is no map"));
            return Err(CliError::usage(
                finding.hint("give the whole value with `--set-json`"),
            ));
        };
        (map, rest) = (next, below);
    }
    map.insert(rest.to_owned(), value);
    Ok(())
}

/// Splits `name=value`. An error must not quote the value.
fn assignment<'a>(flag: &str, argument: &'a str) -> Result<(&'a str, &'a str), CliError> {
    let (name, value) = argument.split_once('=').ok_or_else(|| {
        let finding = Finding::error(format!("`{flag}` is given no value"));
        CliError::usage(finding.hint("write NAME=VALUE"))
    })?;
    if name.split('.').any(str::is_empty) {
        let finding = Finding::error(format!(
            "`{flag} {name}`: the name, or a part of it, is empty"
        ));
        return Err(CliError::usage(
            finding.hint("write NAME=VALUE or NAME.PART=VALUE"),
        ));
    }
    if name.split('.').count() > DEEPEST {
        let finding = Finding::error(format!("`{flag}`: the name has more than {DEEPEST} parts"));
        return Err(CliError::usage(
            finding.hint("give the whole value with `--input`"),
        ));
    }
    Ok((name, value))
}
