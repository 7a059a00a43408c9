//! Placeholders that were written for the other template format.

use prompt_slots_core::{Format, placeholders_of_other_format};
use proptest::prelude::*;

/// Returns what is found of `a`, `b` and `doc`, checking that each range holds its name.
#[track_caller]
fn found(source: &str, format: Format) -> Vec<String> {
    let names = placeholders_of_other_format(source, format);
    for free in &names {
        assert_eq!(&source[free.range.clone()], free.name);
    }
    let names = names.into_iter().map(|free| free.name);
    names
        .filter(|name| ["a", "b", "doc"].contains(&name.as_str()))
        .collect()
}

#[test]
fn single_braces_are_seen_in_a_jinja2_template() {
    let seen = |source| found(source, Format::Jinja2);
    assert_eq!(seen("{b} and { a } and {b}"), ["b", "a"]);
    assert_eq!(seen(r#"{"x": {a}}"#), ["a"]);
    for nothing in [
        "{{ a }}",
        "{{a}}",
        "{% if a %}",
        "{# a #}",
        "{unknown}",
        "{a",
        "a}",
        "{a b}",
        "{a: 1}",
        "{é}",
    ] {
        assert_eq!(seen(nothing), [""; 0], "{nothing}");
    }
}

#[test]
fn double_braces_are_seen_in_an_fstring_template() {
    let seen = |source| found(source, Format::FString);
    assert_eq!(seen("{{ b }} {{a}} {{ b }}"), ["b", "a"]);
    assert_eq!(seen("{{ doc.title }}"), ["doc"]);
    assert_eq!(seen("{{- a|trim -}}"), ["a"]);
    assert_eq!(seen("{{ a"), ["a"]);
    for nothing in [
        "{a}",
        "{{{a}}}",
        "{{unknown}}",
        "{{ doctor }}",
        "{{a: 1}}",
        r#"{{"a": 1}}"#,
        "{{1a}}",
        "{{é}}",
        "{{",
    ] {
        assert_eq!(seen(nothing), [""; 0], "{nothing}");
    }
}

proptest! {
    #[test]
    fn no_source_panics(source in "([{} a-]|é|\\PC)*") {
        found(&source, Format::Jinja2);
        found(&source, Format::FString);
    }
}
