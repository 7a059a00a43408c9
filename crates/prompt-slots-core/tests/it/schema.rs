//! JSON Schema: what is wrong with a schema, what is wrong with an instance, and schemas that mean harm.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use prompt_slots_core::{Judge, SchemaError, check_schema};
use serde_json::{Map, Value, json};

/// Returns the errors, one a line, each with its hint in brackets.
fn lines(errors: &[SchemaError]) -> String {
    let mut text = String::new();
    for error in errors {
        let hint = error
            .hint
            .as_ref()
            .map_or(String::new(), |hint| format!(" [{hint}]"));
        writeln!(text, "{:?}: {}{hint}", error.path, error.message).unwrap();
    }
    text
}

fn wrong(schema: &Value) -> String {
    lines(&check_schema(schema))
}

#[track_caller]
fn judge(schema: &Value) -> Judge {
    Judge::new(schema).unwrap_or_else(|errors| panic!("{}", lines(&errors)))
}

/// Returns definitions `0` to `count`, each made by `link` from a reference to the next.
fn chained(count: usize, link: impl Fn(Value) -> Value) -> Value {
    let reference = |n: usize| json!({"$ref": format!("#/$defs/{n}")});
    let mut defs: Map<_, _> = (0..count)
        .map(|n| (n.to_string(), link(reference(n + 1))))
        .collect();
    defs.insert(count.to_string(), json!({"type": "string"}));
    json!({"$ref": "#/$defs/0", "$defs": defs})
}

#[test]
fn good_schemas_of_every_draft_have_no_errors() {
    let good = [
        json!({}),
        json!(true),
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "pattern": r"^\d{4}-\d\d$"}}}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{}]}),
        json!({"$schema": "https://json-schema.org/draft/2019-09/schema", "$recursiveRef": "#/$defs/a", "$defs": {"a": {}}}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"a": {}}, "items": [{"$ref": "#/definitions/a"}]}),
        json!({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}),
        json!({"$id": "https://example.com/reply", "properties": {"a": {"$ref": "https://example.com/reply#/$defs/a"}}, "$defs": {"a": {}}}),
        json!({"properties": {"$ref": {"type": "string"}, "$id": {"type": "string"}, "pattern": {"type": "string"}}}),
        json!({"$ref": "#/$defs/a%20b~1c", "$defs": {"a b/c": {"$anchor": "here"}}, "not": {"$ref": "#here"}}),
        json!({"enum": [{"$ref": "https://example.com", "pattern": "("}]}),
        json!({"properties": {"child": {"$ref": "#"}, "children": {"items": {"$ref": "#"}}}}),
        json!({"items": {"id": "an unknown keyword since draft 6"}}),
        json!({"$ref": "#/x-parts/a", "x-parts": {"a": {"type": "string"}}}),
    ];
    for schema in good {
        assert_eq!(wrong(&schema), "", "{schema}");
    }
}

#[test]
fn the_form_of_a_schema_is_checked() {
    insta::assert_snapshot!(wrong(&json!({"type": "strin"})), @r#""/type": "strin" is not valid under any of the schemas listed in the 'anyOf' keyword ["strin" is not one of "array", "boolean", "integer", "null", "number", "object", "string", or "strin" is not of type "array"]"#);
    insta::assert_snapshot!(wrong(&json!({"required": "a", "properties": {"a/b": {"minLength": -1, "type": 5}}})), @r#"
    "/properties/a~1b/minLength": -1 is less than the minimum of 0
    "/properties/a~1b/type": 5 is not valid under any of the schemas listed in the 'anyOf' keyword [5 is not one of "array", "boolean", "integer", "null", "number", "object", "string", or 5 is not of type "array"]
    "/required": "a" is not of type "array"
    "#);
    insta::assert_snapshot!(wrong(&json!([1])), @r#""": [1] is not of types "boolean", "object""#);
    insta::assert_snapshot!(wrong(&json!({"properties": ["x".repeat(500)]})), @r#""/properties": the value is not of type "object""#);
}

#[test]
fn an_unknown_draft_is_refused() {
    insta::assert_snapshot!(wrong(&json!({"$schema": "https://example.com/mine"})), @r#""/$schema": unknown `$schema` "https://example.com/mine" [leave it out, or write "https://json-schema.org/draft/2020-12/schema"]"#);
    insta::assert_snapshot!(wrong(&json!({"$schema": 7})), @r#""/$schema": unknown `$schema` 7 [leave it out, or write "https://json-schema.org/draft/2020-12/schema"]"#);
    insta::assert_snapshot!(wrong(&json!({"items": {"$schema": "https://example.com/mine"}})), @r#""/items/$schema": `$schema` inside of a schema [only the root may have one]"#);
}

#[test]
fn a_reference_must_lead_to_a_part_of_the_schema() {
    insta::assert_snapshot!(wrong(&json!({"properties": {
        "a": {"$ref": "#/$defs/nope"},
        "b": {"items": {"$ref": "#nope"}},
        "c": {"$ref": "https://example.com/schema.json"},
        "d": {"$ref": "file:///etc/passwd"},
        "e": {"anyOf": [{"$dynamicRef": "other.json#x"}]},
        "f": {"$ref": "#/%zz"},
        "g": {"$ref": "https://json-schema.org/draft/2020-12/schema"},
        "h": {"$id": "https://example.com/inner"},
    }})), @r#"
    "/properties/a/$ref": `$ref` leads nowhere: `#/$defs/nope` [refer to a part of this schema, such as `#/$defs/name`; nothing is fetched]
    "/properties/b/items/$ref": `$ref` leads nowhere: `#nope` [refer to a part of this schema, such as `#/$defs/name`; nothing is fetched]
    "/properties/c/$ref": `$ref` leads out of the schema: `https://example.com/schema.json` [refer to a part of this schema, such as `#/$defs/name`; nothing is fetched]
    "/properties/d/$ref": `$ref` leads out of the schema: `file:///etc/passwd` [refer to a part of this schema, such as `#/$defs/name`; nothing is fetched]
    "/properties/e/anyOf/0/$dynamicRef": `$dynamicRef` leads out of the schema: `other.json#x` [refer to a part of this schema, such as `#/$defs/name`; nothing is fetched]
    "/properties/f/$ref": `$ref` leads nowhere: `#/%zz` [refer to a part of this schema, such as `#/$defs/name`; nothing is fetched]
    "/properties/g/$ref": `$ref` leads out of the schema: `https://json-schema.org/draft/2020-12/schema` [refer to a part of this schema, such as `#/$defs/name`; nothing is fetched]
    "/properties/h/$id": `$id` inside of a schema [only the root may have one]
    "#);
    insta::assert_snapshot!(wrong(&json!({"$ref": "#/x-parts/a", "x-parts": {"a": {"not": {"$ref": "#/x"}}}})), @r#""/x-parts/a/not/$ref": `$ref` leads nowhere: `#/x` [refer to a part of this schema, such as `#/$defs/name`; nothing is fetched]"#);
}

#[test]
fn patterns_that_do_not_run_in_linear_time_are_refused() {
    insta::assert_snapshot!(wrong(&json!({
        "properties": {"a": {"pattern": "(?=a)b"}, "b": {"pattern": "("}, "c": {"pattern": r"(a)\1"}},
        "patternProperties": {"^(?!x)/": {}},
        "items": {"pattern": "(a{1000}){1000}"},
    })), @r#"
    "/patternProperties/^(?!x)~1": the pattern `^(?!x)/` can't be used [write a regular expression without look-around, back-reference or huge repetition]
    "/items/pattern": the pattern `(a{1000}){1000}` can't be used [write a regular expression without look-around, back-reference or huge repetition]
    "/properties/a/pattern": the pattern `(?=a)b` can't be used [write a regular expression without look-around, back-reference or huge repetition]
    "/properties/b/pattern": the pattern `(` can't be used [write a regular expression without look-around, back-reference or huge repetition]
    "/properties/c/pattern": the pattern `(a)\1` can't be used [write a regular expression without look-around, back-reference or huge repetition]
    "#);
}

#[test]
fn an_exploding_pattern_does_not_hang() {
    let judge = judge(&json!({"pattern": "(a+)+$"}));
    let start = Instant::now();
    assert_eq!(judge.check(&json!("a".repeat(1 << 20) + "b")).len(), 1);
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn an_instance_is_checked_with_all_its_errors() {
    let judge = judge(&json!({
        "type": "object",
        "required": ["title"],
        "additionalProperties": false,
        "properties": {
            "title": {"type": "string"},
            "people": {"type": "array", "items": {"type": "string", "maxLength": 3}},
            "age": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "mood": {"enum": ["calm", "tense", "glad", "sad"]},
            "never": false,
        },
    }));
    assert_eq!(
        judge.check(&json!({"title": "x", "people": ["Ann"], "age": null})),
        []
    );
    insta::assert_snapshot!(lines(&judge.check(&json!({"people": ["Ann", "Robert", 3], "age": "ten", "mood": "bad", "never": 1, "x": 1}))), @r#"
    "/people/1": "Robert" is longer than 3 characters
    "/people/2": 3 is not of type "string"
    "/age": "ten" is not valid under any of the schemas listed in the 'anyOf' keyword ["ten" is not of type "integer", or "ten" is not of type "null"]
    "/mood": "bad" is not one of "calm", "tense", "glad", "sad"
    "/never": false schema does not allow 1
    "": additional properties are not allowed ('x' was unexpected)
    "": "title" is a required property
    "#);
    insta::assert_snapshot!(lines(&judge.check(&json!("x".repeat(500)))), @r#""": the value is not of type "object""#);
}

#[test]
fn errors_of_one_instance_are_limited() {
    let judge = judge(&json!({"items": {"type": "string"}}));
    assert_eq!(judge.check(&json!(vec![1; 50])).len(), 20);
}

#[test]
fn a_schema_that_applies_itself_to_the_same_value_is_refused() {
    insta::assert_snapshot!(wrong(&json!({"$ref": "#"})), @r#""": this schema refers back to itself without end"#);
    insta::assert_snapshot!(wrong(&json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {
        "a": {"allOf": [{"$ref": "#/$defs/b"}]},
        "b": {"not": {"$ref": "#/$defs/a"}},
    }})), @r#""/$defs/a": this schema refers back to itself without end"#);
}

#[test]
fn a_schema_that_explodes_is_refused() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(wrong(&chained(30, |next| json!({keyword: [next, next]}))), @r#""": checking against this schema takes too much work"#);
        }
    }
    insta::assert_snapshot!(wrong(&chained(30, |next| json!({"allOf": [next], "unevaluatedProperties": false}))), @r#""": checking against this schema takes too much work"#);
}

#[test]
fn a_long_chain_of_references_does_not_overflow_the_stack() {
    insta::assert_snapshot!(wrong(&chained(20_000, |next| next)), @r#""": checking against this schema takes too much work"#);
    insta::assert_snapshot!(wrong(&chained(2_000, |next| json!({"not": {"not": next}}))), @r#""": checking against this schema takes too much work"#);
    assert_eq!(
        judge(&chained(250, |next| json!({"allOf": [next]})))
            .check(&json!(1))
            .len(),
        1
    );
    assert_eq!(
        judge(&chained(2_000, |next| json!({"properties": {"a": next}}))).check(&json!({"a": 1})),
        []
    );
}

#[test]
fn a_deep_value_in_a_schema_that_branches_is_refused() {
    let branch = json!({"properties": {"a": {"$ref": "#"}}});
    let judge = judge(&json!({"oneOf": [branch, branch, {"type": "string"}]}));
    let deep = |depth: usize| (0..depth).fold(json!(1), |value, _| json!({"a": value}));
    assert_eq!(judge.check(&deep(3)).len(), 1);
    insta::assert_snapshot!(lines(&judge.check(&deep(30))), @r#""": checking this value takes too much work"#);
}

#[test]
fn too_many_patterns_are_refused() {
    let patterns: Map<_, _> = (0..300)
        .map(|n| {
            (
                n.to_string(),
                json!({"pattern": format!("^(ab|c){{{n}}}$")}),
            )
        })
        .collect();
    insta::assert_snapshot!(wrong(&json!({"properties": patterns})), @r#""": 300 patterns, where at most 256 are allowed"#);
}

#[test]
fn large_good_input_is_not_refused() {
    let judge = judge(&json!({"type": "array", "uniqueItems": true, "items": {
        "type": "object", "properties": {"id": {"type": "integer", "multipleOf": 1e-300, "maximum": 1e300}},
    }}));
    let items: Vec<_> = (0..20_000).map(|id| json!({"id": id})).collect();
    assert_eq!(judge.check(&json!(items)), []);
}
