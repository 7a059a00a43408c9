//! Finds placeholders that were written for the other template format.
//!
//! A text keeps its braces when its `template_format` changes, or when an override inherits another one than its
//! writer had in mind; `{name}` then reaches the model as it stands.

use std::collections::HashSet;

use memchr::memchr;

use super::fstring::is_name;
use super::{Format, FreeName};

/// Returns the names that stand in a placeholder of the other format than `format`, each once, in order.
///
/// In a jinja2 template that is `{name}`, in an f-string one `{{ name }}`, with any attribute or filter behind the
/// name. Such braces may well be meant: it is a mistake only where no placeholder of its own format has the name.
pub fn placeholders_of_other_format(source: &str, format: Format) -> Vec<FreeName> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut rest = source;
    while let Some(braces) = memchr(b'{', rest.as_bytes()).and_then(|at| rest.get(at..)) {
        rest = braces.trim_start_matches('{');
        let inside = match (format, braces.len() - rest.len()) {
            (Format::Jinja2, 1) => rest.trim_start(),
            // A dash is how jinja2 takes away the space before a placeholder.
            (Format::FString, 2) => rest.strip_prefix('-').unwrap_or(rest).trim_start(),
            _ => continue,
        };
        let Some((name, behind)) = split_name(inside) else {
            continue;
        };
        let is_placeholder = match format {
            Format::Jinja2 => behind.starts_with('}'),
            // A colon makes it a key in an example of JSON.
            Format::FString => !behind.starts_with(':'),
        };
        if is_placeholder && seen.insert(name) {
            let start = source.len() - inside.len();
            let range = start..start + name.len();
            found.push(FreeName {
                name: name.to_owned(),
                range,
            });
        }
    }
    found
}

/// Splits off the name that a text starts with, and the spaces behind it.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let (name, behind) = text.split_at_checked(end.unwrap_or(text.len()))?;
    is_name(name).then(|| (name, behind.trim_start()))
}
