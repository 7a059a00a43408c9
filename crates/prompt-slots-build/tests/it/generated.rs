//! The generated code: the same for the same slots, and true to their bytes.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use prompt_slots_build::{Embed, Limits};

use crate::workspace::Workspace;

const SLOTS: [(&str, &str); 3] = [
    (
        "b-two.yaml",
        "description: has every kind of key\nenabled: true\ntemplate: |\n  Hi {{ name }}, {{ tone }} {{ type }} JSON\nvariables:\n  name: who\n  tone: {description: how, default: [calm, 1.5, {a: null}]}\n  type: {required: false, default: ''}\noutput_schema: {type: object}\nllm: {model: m, temperature: 1, top_p: 0.5, max_tokens: 9, stop: [a], seed: -1, extra: {k: 18446744073709551615}}\nvalidation: {test_cases: [{name: c, input: {name: Ann}, expected: {}, prompt: {contains: [Ann], excludes: [Bob]}}]}\nx-own: true\n",
    ),
    ("a.yaml", "# A comment.\ntemplate: Hello\n"),
    (
        "2nd.yaml",
        "template: Hi {who}\ntemplate_format: f-string\nvariables: {who: x}\n",
    ),
];

#[test]
fn the_module_holds_slots_places_handles_and_variables() {
    let code = Workspace::new(&SLOTS).code();
    insta::assert_snapshot!(code.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn the_same_slots_give_the_same_code_in_every_directory_and_every_run() {
    let first = Workspace::new(&SLOTS);
    let code = first.code();
    assert_eq!(first.code(), code, "the second run differs");
    let mut reversed = SLOTS;
    reversed.reverse();
    assert_eq!(
        Workspace::new(&reversed).code(),
        code,
        "the order of creation shows"
    );
    let root = first.root().to_str().unwrap();
    assert!(!code.contains(root), "a path of this machine shows");
}

#[test]
fn the_originals_are_the_files_byte_for_byte_and_no_others() {
    let files = [
        ("crlf.yaml", "# a\r\ntemplate: b\r\n"),
        ("bom.yaml", "\u{feff}template: b\n"),
        ("quotes.yaml", "template: '\"#\\ {'  # \"##\n"),
    ];
    let workspace = Workspace::new(&files);
    workspace.generate().unwrap();
    let originals = workspace.out().join("prompt_slots.originals");
    for (name, text) in files {
        assert_eq!(fs::read(originals.join(name)).unwrap(), text.as_bytes());
    }
    // A slot that is gone leaves nothing behind.
    fs::remove_file(workspace.prompts().join("bom.yaml")).unwrap();
    workspace.generate().unwrap();
    assert!(!originals.join("bom.yaml").exists());
    assert_eq!(fs::read_dir(originals).unwrap().count(), 2);
}

#[test]
fn line_ends_and_a_byte_order_mark_change_no_data() {
    let yaml = "template: |\n  one\n  two\n";
    let code = Workspace::new(&[("a.yaml", yaml)]).code();
    for twin in [yaml.replace('\n', "\r\n"), format!("\u{feff}{yaml}")] {
        assert_eq!(
            Workspace::new(&[("a.yaml", &twin)]).code(),
            code,
            "{twin:?}"
        );
    }
}

#[test]
fn texts_reach_the_compiler_unchanged() {
    let odd = "\"#\\ {} {{ ' \r\n\t \u{0}\u{7f}\u{85}\u{2028}\u{202e}\u{feff} é日🙂 \\u{41} \\\n/* // */ r#\"\"#";
    let escaped = odd.chars().fold(String::new(), |mut escaped, c| {
        let _ = write!(escaped, "\\U{:08x}", u32::from(c));
        escaped
    });
    let yaml = format!("description: \"{escaped}\"\nenabled: true\n");
    let workspace = Workspace::new(&[("odd.yaml", &yaml)]);
    let code = workspace.code();
    let (_, from) = code.split_once("V(S(").expect("the description");
    let (literal, _) = from.split_once(")), N,").expect("its end");
    let dir = workspace.root();
    fs::write(dir.join("odd.bin"), odd).unwrap();
    fs::write(
        dir.join("main.rs"),
        format!("fn main() {{ assert_eq!({literal}.as_bytes(), include_bytes!(\"odd.bin\")); }}"),
    )
    .unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let status = Command::new(program)
            .args(arguments)
            .current_dir(dir)
            .status();
        assert!(status.unwrap().success(), "{program} failed on {literal}");
    };
    run("rustc", &["--edition=2024", "main.rs", "-o", "main"]);
    run(dir.join("main").to_str().unwrap(), &[]);
}

#[test]
fn the_choices_of_the_builder_are_in_the_code() {
    let workspace = Workspace::new(&[
        ("says.yaml", "enabled: false\ntemplate: Off\n"),
        ("silent.yaml", "template: On\n"),
    ]);
    let embed = Embed::new("prompts/")
        .root_env("MYAPP_ROOT")
        .home_dir(".myapp")
        .enabled_by_default()
        .limits(Limits::new(1000, 9, 99, 999, 9999))
        .out_file("other.rs");
    workspace.generate_with(&embed).unwrap();
    let code = fs::read_to_string(workspace.out().join("other.rs")).unwrap();
    for part in [
        "Some(\"MYAPP_ROOT\")",
        "Some(\".myapp\"), true,",
        "limits(1000, 9, 99, 999, 9999)",
        "\"my-app\"",
        "/other.originals/says.yaml",
        "\"prompts/says.yaml\"",
        "O(\"On\")",
    ] {
        assert!(code.contains(part), "{part} is missing in {code}");
    }
    assert!(!code.contains("O(\"Off\")"), "a slot that says so is off");
}

#[test]
fn the_limits_of_the_builder_hold_while_building() {
    let workspace = Workspace::new(&[("a.yaml", "template: Hello\n")]);
    let embed = Embed::new("prompts").limits(Limits::new(5, 9, 99, 999, 9999));
    assert!(workspace.generate_with(&embed).is_err());
}
