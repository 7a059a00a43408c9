//! Results as JSON, for other programs.

use std::fmt::Write;

use prompt_slots::{Finding, printable};
use serde_json::{Value, json};

/// Writes a value over several lines, with a line break at the end.
///
/// What JSON allows as it is and a terminal would obey or hide is escaped too; a reader gets the same value.
pub(crate) fn pretty(value: &Value) -> String {
    // `{:#}` of a value can't fail, and has no control characters but line breaks between tokens.
    let text = format!("{value:#}\n");
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || printable(c.encode_utf8(&mut [0; 4])) == c.to_string() {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            // Writing to a string can't fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

/// Returns a finding with all that is known of it.
pub(crate) fn finding(finding: &Finding) -> Value {
    json!({
        "severity": finding.severity.to_string(),
        "slot": finding.slot,
        "layer": finding.layer.map(prompt_slots::Layer::name),
        "file": finding.file,
        "line": finding.pos.map(|pos| pos.line),
        "column": finding.pos.map(|pos| pos.column),
        "key": finding.key,
        "message": finding.message,
        "hint": finding.hint,
    })
}
