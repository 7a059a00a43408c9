//! Names: of slots, of values, and what is shown of any.

use std::fmt::Write as _;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Enumerator, Object};
use prompt_slots_core::{Layer, Limits, bind, printable, read_slot, slot_name_problem};

#[test]
fn every_bad_name_is_told_why() {
    let long = "a".repeat(65);
    let mut told = String::new();
    for name in [
        "",
        ".",
        "../secret",
        "..\\secret",
        "/etc/passwd",
        "a/b",
        "C:x",
        "..%2Fx",
        "a\0b",
        "Upper",
        "café",
        "cafe\u{301}",
        "a b",
        "a.yaml",
        "-a",
        "_a",
        &long,
        "con",
        "nul",
        "com1",
        "lpt9",
        "crate",
        "self",
        "super",
    ] {
        let problem = slot_name_problem(name).unwrap_or_else(|| panic!("{name:?} is accepted"));
        let _ = writeln!(told, "{name:?}: {problem}");
    }
    insta::assert_snapshot!(told);
}

/// Lists two names, and has a value for any.
#[derive(Debug)]
struct Anything;

impl Object for Anything {
    fn get_value(self: &Arc<Self>, _: &Value) -> Option<Value> {
        Some(Value::from("d"))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Str(&["name", "typo"])
    }
}

#[test]
fn the_names_of_values_are_those_that_are_listed_and_text_alone() {
    let spec = read_slot(b"variables: {name: who}", Layer::App, &Limits::DEFAULT);
    let variables = spec.unwrap().spec.variables;
    let refusal = |given: &Value| bind(&variables, given).unwrap_err().message;
    assert_eq!(
        refusal(&Value::from_object(Anything)),
        "the value `typo` is not declared under `variables`"
    );
    let bytes = Value::from_pairs([(Value::from_bytes(b"name".to_vec()), "Ada")]);
    assert_eq!(refusal(&bytes), "a name among the values is not text");
}

#[test]
fn what_hides_or_reorders_text_is_shown_escaped_and_what_is_part_of_words_is_not() {
    for hidden in [
        '\u{ad}',
        '\u{61c}',
        '\u{200b}',
        '\u{202e}',
        '\u{2066}',
        '\u{3164}',
        '\u{e0041}',
    ] {
        let shown = printable(&format!("a{hidden}b"));
        assert_eq!(shown, format!("a{}b", hidden.escape_default()));
    }
    for word in ["naïve", "می‌خواهم", "👩‍💻", "❤️", "日本語"] {
        assert_eq!(printable(word), word);
    }
}
