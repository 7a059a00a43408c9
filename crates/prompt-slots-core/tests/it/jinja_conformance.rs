//! The jinja2 format gives what Python's Jinja2 gives, row by row.

use minijinja::Value;
use minijinja::value::Serde;
use prompt_slots_core::{Compiled, Format, Limits, Strictness};
use serde_json::Value as Json;

/// The rows that `tests/data/make_jinja2.py` wrote.
const ROWS: &str = include_str!("../data/jinja2.json");

/// The rows that Jinja2 prints and we refuse: what could grow a list without end, or hide its arguments from the guard.
const STRICTER: [&str; 2] = ["concatenation 7", "arguments 12"];

/// Renders a template, or says why it is refused.
fn render(template: &str, values: &Value) -> Result<String, String> {
    let compiled = Compiled::new(Format::Jinja2, template, &Limits::DEFAULT)
        .map_err(|errors| format!("{errors:?}"))?;
    compiled
        .render(values, Strictness::SemiStrict)
        .map_err(|error| error.message)
}

#[test]
fn every_row_prints_what_jinja2_prints_and_refuses_what_it_refuses() {
    let rows: Vec<Json> = serde_json::from_str(ROWS).unwrap();
    assert!(rows.len() > 300, "only {} rows", rows.len());
    let mut mismatches = Vec::new();
    for row in &rows {
        let (name, template) = (
            row["name"].as_str().unwrap(),
            row["template"].as_str().unwrap(),
        );
        let actual = render(template, &Serde(&row["input"]).into());
        let expected = row["output"].as_str().filter(|_| !STRICTER.contains(&name));
        if actual.as_deref().ok() != expected {
            mismatches.push(format!(
                "{name}: {template}\n  jinja2: {expected:?}\n  ours:   {actual:?}"
            ));
        }
    }
    assert!(
        mismatches.is_empty(),
        "{} of {} rows\n{}",
        mismatches.len(),
        rows.len(),
        mismatches.join("\n")
    );
}
