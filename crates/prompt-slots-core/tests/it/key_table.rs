//! The key table says what the reader does, key by key.

use prompt_slots_core::keys::{self, Key, Place, Shape};
use prompt_slots_core::{Finding, Layer, Limits, SlotFile, read_slot};

/// A level of a slot file: its keys, and the text around a line of it.
struct Level {
    keys: &'static [Key],
    before: &'static str,
    after: &'static str,
}

fn levels() -> [Level; 7] {
    let level = |keys, before, after| Level {
        keys,
        before,
        after,
    };
    [
        level(keys::SLOT, "{", "}"),
        level(keys::LLM, "llm: {", "}"),
        level(keys::VARIABLE, "variables: {v: {", "}}"),
        level(keys::VALIDATION, "validation: {", "}"),
        level(keys::CASE, "validation: {test_cases: [{", "}]}"),
        level(keys::PROMPT, "validation: {test_cases: [{prompt: {", "}}]}"),
        level(keys::EDIT, "template_edits: [{", "}]"),
    ]
}

impl Level {
    /// Writes a file with one key of this level, and the one that must stand beside it.
    fn file(&self, name: &str, value: &str) -> String {
        let beside = match name {
            "template_format" => ", template: x",
            "find" => ", replace: x",
            "replace" => ", find: x",
            _ => "",
        };
        format!("{}{name}: {value}{beside}{}", self.before, self.after)
    }
}

fn read(text: &str, layer: Layer) -> Result<SlotFile, Vec<Finding>> {
    read_slot(text.as_bytes(), layer, &Limits::DEFAULT)
}

/// Writes a value of a shape.
fn fitting(shape: Shape) -> String {
    let all = |keys: &[Key]| {
        let entries: Vec<_> = keys
            .iter()
            .map(|key| format!("{}: {}", key.name, fitting(key.shape)))
            .collect();
        format!("{{{}}}", entries.join(", "))
    };
    match shape {
        Shape::Bool => "false".to_owned(),
        // Text that is a fingerprint too, for `based_on`.
        Shape::Text => "3f9a12c4".to_owned(),
        Shape::Word(words) => words[0].to_owned(),
        Shape::Number(low, _) => low.to_string(),
        Shape::Integer(least) => least.to_string(),
        Shape::Texts => "[a, b]".to_owned(),
        Shape::Map(keys) => all(keys),
        Shape::Maps(keys) => format!("[{}]", all(keys)),
        Shape::Variables(keys) => format!("{{v: {}, w: what it holds}}", all(keys)),
        Shape::Free => "{a: 1}".to_owned(),
        Shape::Any => "[1, {a: b}]".to_owned(),
        other => panic!("a shape without a sample: {other:?}"),
    }
}

/// Writes values that are no value of a shape.
fn misfits(shape: Shape) -> Vec<String> {
    let words: &[&str] = match shape {
        Shape::Bool => &["maybe", "1", "[true]"],
        Shape::Text => &["1", "true", "[a]", "{a: b}"],
        Shape::Word(_) => &["neither", "1", "[jinja2]"],
        Shape::Number(..) => &["x", "[1]", "true"],
        Shape::Integer(_) => &["x", "1.5", "true"],
        Shape::Texts => &["x", "[1]", "{a: b}"],
        Shape::Map(_) | Shape::Variables(_) | Shape::Free => &["x", "[a]", "1"],
        Shape::Maps(_) => &["x", "[a]", "{a: b}"],
        Shape::Any => &[],
        other => panic!("a shape without misfits: {other:?}"),
    };
    let beyond: Vec<i64> = match shape {
        Shape::Number(low, high) => vec![i64::from(low) - 1, i64::from(high) + 1],
        Shape::Integer(least) => least.checked_sub(1).into_iter().collect(),
        _ => Vec::new(),
    };
    words
        .iter()
        .map(ToString::to_string)
        .chain(beyond.iter().map(ToString::to_string))
        .collect()
}

#[test]
fn every_key_takes_a_value_of_its_shape_and_keeps_it() {
    for level in levels() {
        for key in level.keys {
            let text = level.file(key.name, &fitting(key.shape));
            let file = read(&text, Layer::App).unwrap_or_else(|found| panic!("{text}: {found:?}"));
            assert_eq!(file.warnings, [], "{text}");
            let without = format!("{}{}", level.before, level.after);
            let without = read(&without, Layer::App).unwrap_or_default();
            assert_ne!(file.spec, without.spec, "{text} says nothing");
        }
    }
}

#[test]
fn every_key_refuses_a_value_of_another_shape_by_its_name() {
    for level in levels() {
        for key in level.keys {
            for misfit in misfits(key.shape) {
                let text = level.file(key.name, &misfit);
                let found = read(&text, Layer::App).expect_err(&text);
                let names_it = |finding: &Finding| {
                    let path = finding.key.as_deref().unwrap_or_default();
                    path.split(['.', '[']).any(|part| part == key.name)
                };
                assert!(found.iter().all(names_it), "{text}: {found:?}");
            }
        }
    }
}

#[test]
fn null_takes_back_what_the_table_says_and_nothing_else() {
    for level in levels() {
        for key in level.keys {
            let text = level.file(key.name, "null");
            match (key.shape, key.nullable) {
                (_, true) => {
                    let file = read(&text, Layer::App).expect(&text);
                    assert_eq!(file.warnings, [], "{text}");
                    assert!(file.spec.to_data().to_json().to_string().contains("null"));
                    read(&text, Layer::Bundled).expect_err(&text);
                }
                // A value like any other, for a reply.
                (Shape::Any, false) if key.name == "expected" => {}
                (Shape::Map(_) | Shape::Maps(_) | Shape::Variables(_) | Shape::Free, false)
                    if key.name != "input" =>
                {
                    let file = read(&text, Layer::App).expect(&text);
                    assert_eq!(
                        file.warnings[0].message, "an empty section changes nothing",
                        "{text}"
                    );
                }
                (_, false) => {
                    read(&text, Layer::App).expect_err(&text);
                }
            }
        }
    }
}

#[test]
fn a_default_may_hold_the_keys_that_are_not_for_overrides_only() {
    for key in keys::SLOT {
        let text = format!("{}: {}", key.name, fitting(key.shape));
        let read = read(&text, Layer::Bundled);
        match key.place {
            Place::Overrides => {
                let found = read.expect_err(&text);
                assert_eq!(
                    found[0].message, "this key has its place in overrides only",
                    "{text}"
                );
            }
            _ => assert!(read.is_ok(), "{text}: {read:?}"),
        }
    }
}

#[test]
fn a_misspelt_key_is_refused_with_the_right_one_at_every_level() {
    for level in levels() {
        for key in level.keys {
            let text = level.file(&format!("{}x", key.name), "1");
            let found = read(&text, Layer::App).expect_err(&text);
            let hint = format!("did you mean `{}`?", key.name);
            assert!(
                found.iter().any(|finding| finding.message == "unknown key"
                    && finding.hint.as_deref() == Some(&hint)),
                "{text}: {found:?}"
            );
        }
    }
}

#[test]
fn free_levels_take_any_key() {
    let text = "output_schema: {templte: 1}\nllm: {extra: {modl: 1}}\nvalidation: {test_cases: [{input: {inptu: 1}, expected: {expcted: 1}}]}\nvariables: {v: {default: {deflt: 1}}}\nx-a: {enabld: 1}\n";
    assert_eq!(read(text, Layer::App).unwrap().warnings, []);
}
