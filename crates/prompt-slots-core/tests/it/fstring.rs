//! The f-string format: what Python's `str.format` does with the same template, and the text of every error.

use std::fmt::Write as _;

use minijinja::Value;
use minijinja::value::Serde;
use prompt_slots_core::{Compiled, Format, Limits, Strictness, TemplateError};
use proptest::prelude::*;
use serde_json::json;

fn compile(source: &str) -> Result<Compiled, Vec<TemplateError>> {
    Compiled::new(Format::FString, source, &Limits::DEFAULT)
}

fn to_values(values: impl serde::Serialize) -> Value {
    Value::from(Serde(values))
}

#[track_caller]
fn render(source: &str, values: impl serde::Serialize) -> Result<String, TemplateError> {
    let template = compile(source).expect("the template is well-formed");
    template.render(&to_values(values), Strictness::Strict)
}

/// Returns the findings of a bad template, one a line: the text they point at, then the message.
#[track_caller]
fn findings(source: &str) -> String {
    let mut lines = String::new();
    for error in compile(source).expect_err("the template is bad") {
        let place = error.range.map_or("", |range| &source[range]);
        writeln!(lines, "{place:?}: {}", error.message).unwrap();
    }
    lines
}

#[test]
fn agrees_with_str_format_of_python() {
    let rows: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../data/fstring.json")).unwrap();
    assert!(rows.len() >= 60, "only {} rows", rows.len());
    for row in rows {
        let source = row["template"].as_str().unwrap();
        let rendered = compile(source).ok().and_then(|template| {
            template
                .render(&to_values(&row["values"]), Strictness::Strict)
                .ok()
        });
        assert_eq!(
            rendered.as_deref(),
            row["output"].as_str(),
            "template {source:?}"
        );
    }
}

#[test]
fn each_kind_of_bad_brace_is_refused_by_its_name() {
    let bad = [
        "{}",
        "{0}",
        "{a.b}",
        "{q.__class__}",
        "{a[0]}",
        "{a!r}",
        "{a:>5}",
        "{q:{w}}",
        "{ a }",
        "a { b",
        "a } b",
        r#"{"ok": true}"#,
        "set {1; 2; 3}",
        "{naïve}",
        "{%if a%}",
    ];
    let all: String = bad.into_iter().map(findings).collect();
    insta::assert_snapshot!(all, @r#"
    "{}": positional placeholder `{}`, where only `{name}` can stand
    "{0}": positional placeholder `{0}`, where only `{name}` can stand
    "{a.b}": attribute access `{a.b}`, where only `{name}` can stand
    "{q.__class__}": attribute access `{q.__class__}`, where only `{name}` can stand
    "{a[0]}": index access `{a[0]}`, where only `{name}` can stand
    "{a!r}": conversion `{a!r}`, where only `{name}` can stand
    "{a:>5}": format specification `{a:>5}`, where only `{name}` can stand
    "{": format specification `{q:{`, where only `{name}` can stand
    "{ a }": spaces around the name in `{ a }`, where only `{name}` can stand
    "{": unmatched brace `{ b`
    "}": unmatched brace `}`
    "{\"ok\": true}": JSON brace `{"ok": true}`
    "{1; 2; 3}": not a name in braces: `{1; 2; 3}`
    "{naïve}": not a name in braces: `{naïve}`
    "{%if a%}": not a name in braces: `{%if a%}`
    "#);
}

#[test]
fn the_hint_says_how_to_write_a_brace() {
    let errors = compile("{}").unwrap_err();
    insta::assert_snapshot!(errors[0].hint.as_deref().unwrap(), @"double it: `{{` and `}}`, or set `template_format: jinja2`");
}

#[test]
fn a_json_example_gives_one_finding_an_object() {
    let source = r#"Answer {q} as JSON:
{
  "summary": "...",
  "people": [
    {"name": "...", "role": {"title": "..."}},
    {"name": "{q}"}
  ]
}
Thanks } {"#;
    insta::assert_snapshot!(findings(source), @r#"
    "{": JSON brace `{ "summary": "...", "people": …`
    "{": JSON brace `{"name": "...", "role": {`
    "{\"title\": \"...\"}": JSON brace `{"title": "..."}`
    "{": JSON brace `{"name": "{`
    "}": unmatched brace `}`
    "{": unmatched brace `{`
    "#);
}

#[test]
fn the_end_of_nested_json_is_not_reported_again() {
    insta::assert_snapshot!(findings(r#"{"a":{"b":{"c":1}}} and }"#), @r#"
    "{": JSON brace `{"a":{`
    "{": JSON brace `{"b":{`
    "{\"c\":1}": JSON brace `{"c":1}`
    "}": unmatched brace `}`
    "#);
}

#[test]
fn doubled_braces_inside_of_bad_ones_are_no_news() {
    insta::assert_snapshot!(findings(r#"{"a": {{"b": {q}}} }"#), @r#""{": JSON brace `{"a": {`"#);
}

#[test]
fn a_quotation_is_short_and_on_one_line() {
    let source = "{\n  \"a\":\t\"a very long text that nobody wants to read\"\u{1b}}";
    let errors = compile(source).unwrap_err();
    insta::assert_snapshot!(errors[0].message, @r#"JSON brace `{ "a": "a very long text that …`"#);
}

#[test]
fn after_twenty_findings_only_their_number_is_told() {
    let errors = compile(&"{} ".repeat(25)).unwrap_err();
    assert_eq!(errors.len(), 21);
    insta::assert_snapshot!(errors[20].message, @"5 more braces that must be doubled");
}

#[test]
fn names_are_listed_once_with_their_first_place() {
    let template = compile("{{x}} {b} {a} {b}").unwrap();
    let names: Vec<_> = template
        .free_names()
        .iter()
        .map(|free| (free.name.as_str(), free.range.clone()))
        .collect();
    assert_eq!(names, [("b", 7..8), ("a", 11..12)]);
}

#[test]
fn all_missing_names_are_listed_at_once() {
    let error = render("{a} {b} {c}", json!({"b": 1})).unwrap_err();
    insta::assert_snapshot!(error.message, @"no value for `a`, `c`");
    assert_eq!(error.range, Some(1..2));
}

#[test]
fn an_undefined_value_is_a_missing_one() {
    let values = Value::from_pairs([("a", Value::UNDEFINED)]);
    let error = compile("{a}")
        .unwrap()
        .render(&values, Strictness::SemiStrict)
        .unwrap_err();
    insta::assert_snapshot!(error.message, @"no value for `a`");
    let error = compile("{a}")
        .unwrap()
        .render(&Value::UNDEFINED, Strictness::SemiStrict)
        .unwrap_err();
    insta::assert_snapshot!(error.message, @"no value for `a`");
}

#[test]
fn values_that_are_not_text_are_written_as_json() {
    let values = json!({"a": [1, {"k": "é\"", "n": null}, true, 0.5], "b": null, "c": false, "d": 1.0, "e": {}, "f": []});
    let text = render("{a} {b} {c} {d} {e} {f}", values).unwrap();
    insta::assert_snapshot!(text, @r#"[1, {"k": "é\"", "n": null}, true, 0.5] null false 1.0 {} []"#);
}

#[test]
fn big_integers_keep_all_digits() {
    let values = to_values(std::collections::BTreeMap::from([("a", i128::MAX)]));
    let text = compile("{a}")
        .unwrap()
        .render(&values, Strictness::Strict)
        .unwrap();
    assert_eq!(text, i128::MAX.to_string());
}

#[test]
fn a_value_that_has_no_json_is_an_error_without_the_value() {
    let keys = Value::from_pairs([(Value::from(vec!["secret"]), Value::from(1))]);
    let values = Value::from_pairs([("a", keys)]);
    let error = compile("{a}")
        .unwrap()
        .render(&values, Strictness::Strict)
        .unwrap_err();
    insta::assert_snapshot!(error.message, @"the value of `a` can't be written as JSON");
}

#[test]
fn a_template_over_the_limit_is_refused() {
    let mut limits = Limits::DEFAULT;
    limits.file_bytes = 4;
    assert!(Compiled::new(Format::FString, "1234", &limits).is_ok());
    let errors = Compiled::new(Format::FString, "12345", &limits).unwrap_err();
    insta::assert_snapshot!(errors[0].message, @"the template is larger than 4 bytes");
}

#[test]
fn output_over_the_limit_is_refused() {
    let mut limits = Limits::DEFAULT;
    limits.output_bytes = 10;
    let template = Compiled::new(Format::FString, "{a}{a}", &limits).unwrap();
    let render = |value: serde_json::Value| {
        template.render(&to_values(json!({"a": value})), Strictness::Strict)
    };
    assert_eq!(render(json!("12345")).unwrap(), "1234512345");
    for value in [json!("123456"), json!([1, 2]), json!(123_456)] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(render(value).unwrap_err().message, @"the rendered text is longer than 10 bytes");
        }
    }
}

proptest! {
    #[test]
    fn doubled_braces_render_back_to_the_text(text in r"([{}]|\PC|\n)*") {
        let escaped = text.replace('{', "{{").replace('}', "}}");
        prop_assert_eq!(render(&escaped, json!({})).unwrap(), text);
    }

    #[test]
    fn values_are_inserted_verbatim(value in r"([{}]|\PC|\n)*", before in r"[^{}]*") {
        let rendered = render(&format!("{before}{{x}}|{{x}}"), json!({"x": value})).unwrap();
        prop_assert_eq!(rendered, format!("{before}{value}|{value}"));
    }

    #[test]
    fn no_source_panics_and_every_finding_points_at_a_brace(source in "([{}]|[a.!: \"\\[é]|\\PC)*") {
        if let Err(errors) = compile(&source) {
            for range in errors.into_iter().filter_map(|error| error.range) {
                let at_a_brace = source[range].starts_with(['{', '}']);
                prop_assert!(at_a_brace);
            }
        }
    }
}
