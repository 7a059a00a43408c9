//! The fingerprint: digits that anyone can compute, and what does and does not change them.

use prompt_slots_core::{Fingerprint, Layer, Limits, SlotSpec, read_slot};
use sha2::{Digest, Sha256};

#[track_caller]
fn spec(text: &str) -> SlotSpec {
    read_slot(text.as_bytes(), Layer::App, &Limits::DEFAULT)
        .unwrap_or_else(|findings| panic!("{text}: {findings:?}"))
        .spec
}

#[track_caller]
fn fingerprint(text: &str) -> Fingerprint {
    spec(text).fingerprint()
}

const SLOT: &str = r#"
template: |
  Grüße, "{{ who }}"	\ /
description: "bell \a, del \x7f, line \u2028"
variables: {who: {default: Ann, description: a name}, how: in words}
llm: {temperature: 1, top_p: 0.1, max_tokens: 2000, seed: -7, stop: [], extra: {b: [true, null, 18446744073709551615], a: {}}}
output_schema: {type: object, required: [b, a]}
validation: {test_cases: [{input: {who: x}, expected: {n: 1.5}, prompt: {contains: ["Gr"]}}]}
based_on: 3f9a12c4
x-note: mine
"#;

/// What stands under the digest of `SLOT`, written by hand.
const CANONICAL: &str = concat!(
    r#"{"description":"bell \u0007, del "#,
    "\u{7f}",
    r#", line "#,
    "\u{2028}",
    r#"","enabled":false,"llm":{"extra":{"a":{},"b":[true,null,18446744073709551615]},"max_tokens":2000,"seed":-7,"stop":[],"temperature":1.0,"top_p":0.1},"output_schema":{"required":["b","a"],"type":"object"},"template":"Grüße, \"{{ who }}\"\t\\ /\n","template_format":"jinja2","validation":{"test_cases":[{"expected":{"n":1.5},"input":{"who":"x"},"prompt":{"contains":["Gr"]}}]},"variables":{"how":"in words","who":{"default":"Ann","description":"a name"}}}"#,
);

#[test]
fn the_digits_are_those_of_sha256_over_canonical_json() {
    // As Python's hashlib gives them for the text above.
    let digits = "bf06d5f45e66cccee75eb4f118ddfc7939c3a0d743530655197cc2902e7000c1";
    let digest = Fingerprint::from_bytes(Sha256::digest(CANONICAL.as_bytes()).into());
    assert_eq!(digest.to_string(), digits);
    assert_eq!(fingerprint(SLOT).to_string(), digits);
    assert_eq!(fingerprint(SLOT).short(), &digits[..8]);
}

#[test]
fn the_order_of_keys_does_not_count() {
    let a = "enabled: true\nllm: {model: a, seed: 1, extra: {x: 1, y: {p: 1, q: 2}}}\nvariables: {a: x, b: y}\n";
    let b = "variables: {b: y, a: x}\nllm: {extra: {y: {q: 2, p: 1}, x: 1}, seed: 1, model: a}\nenabled: true\n";
    assert_eq!(fingerprint(a), fingerprint(b));
}

#[test]
fn how_a_value_is_written_does_not_count() {
    let twins = [
        ("template: |\n  a\n  b\n", "template: \"a\\nb\\n\"\n"),
        ("llm: {temperature: 1}", "llm: {temperature: 1.0}"),
        ("llm: {temperature: 0.30}", "llm: {temperature: 3e-1}"),
        ("llm: {max_tokens: 0x10}", "llm:\n  max_tokens: 16\n"),
        ("variables: {a: x}", "variables: {a: {description: x}}"),
        ("x-a: &a t\ndescription: *a\n", "description: t"),
        ("# a comment\n", ""),
    ];
    for (a, b) in twins {
        assert_eq!(fingerprint(a), fingerprint(b), "{a:?} and {b:?}");
    }
}

#[test]
fn notes_of_the_writer_do_not_count() {
    assert_eq!(
        fingerprint("template: a\n"),
        fingerprint("template: a\nbased_on: 3f9a12c4\nx-why: {a: 1}\n")
    );
}

#[test]
fn writing_a_default_out_changes_nothing() {
    assert_eq!(
        fingerprint("template: a\n"),
        fingerprint("template: a\nenabled: false\ntemplate_format: jinja2\n")
    );
}

#[test]
fn every_other_difference_counts() {
    let slots = [
        "",
        "enabled: true",
        "description: \"\"",
        "description: a",
        "template: a",
        "template: 'a '",
        "template: \"a\\n\"",
        "template: a\ntemplate_format: f-string",
        "template_append: a",
        "template_prepend: a",
        "template_edits: [{find: a, replace: b}]",
        "template_edits: [{find: b, replace: a}]",
        "variables: {a: x}",
        "variables: {a: {required: false}}",
        "variables: {a: {default: x}}",
        "variables: {a: {default: 1}}",
        "variables: {a: {default: '1'}}",
        "output_schema: {}",
        "output_schema: {required: [a, b]}",
        "output_schema: {required: [b, a]}",
        "llm: {model: a}",
        "llm: {temperature: 0}",
        "llm: {top_p: 0}",
        "llm: {max_tokens: 1}",
        "llm: {seed: 1}",
        "llm: {seed: 0}",
        "llm: {stop: []}",
        "llm: {stop: [a]}",
        "llm: {extra: {a: 1}}",
        "llm: {extra: {a: 1.0}}",
        "validation: {test_cases: [{}]}",
        "validation: {test_cases: [{name: a}]}",
        "validation: {test_cases: [{expected: null}]}",
        "validation: {test_cases: [{prompt: {contains: [a]}}]}",
        "validation: {test_cases: [{prompt: {excludes: [a]}}]}",
    ];
    for (index, a) in slots.iter().enumerate() {
        for b in &slots[index + 1..] {
            assert_ne!(fingerprint(a), fingerprint(b), "{a:?} and {b:?}");
        }
    }
}
