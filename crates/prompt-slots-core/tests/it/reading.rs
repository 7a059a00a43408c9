//! The slot files of `tests/slots`, one for each rule of reading: what is accepted, what is refused, and every message.
//!
//! A file whose name starts with `bundle-` breaks a rule of the bundled layer alone; all others are read as overrides.

use std::fmt::Write as _;
use std::fs;

use prompt_slots_core::{Finding, Layer, Limits, SlotFile, read_slot};

/// A slot file of the tests.
pub struct Example {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Returns the files of `tests/slots/valid` or `tests/slots/invalid`, sorted by name.
#[track_caller]
pub fn examples(kind: &str) -> Vec<Example> {
    let dir = format!("{}/../../tests/slots/{kind}", env!("CARGO_MANIFEST_DIR"));
    let mut examples: Vec<_> = fs::read_dir(&dir)
        .unwrap_or_else(|error| panic!("{dir}: {error}"))
        .map(|entry| {
            let path = entry.unwrap().path();
            Example {
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                bytes: fs::read(&path).unwrap(),
            }
        })
        .collect();
    examples.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(examples.len() > 20, "{dir} holds too few files");
    examples
}

impl Example {
    fn layer(&self) -> Layer {
        if self.name.starts_with("bundle-") {
            Layer::Bundled
        } else {
            Layer::App
        }
    }

    fn read(&self) -> Result<SlotFile, Vec<Finding>> {
        read_slot(&self.bytes, self.layer(), &Limits::DEFAULT)
    }
}

/// Returns what was read: the values, the places, the warnings.
fn shown(file: &SlotFile) -> String {
    let mut text = format!("{}\n", file.spec.to_data().to_json());
    for (path, place) in file.places.iter() {
        let (key, value) = (place.key, place.value);
        let _ = writeln!(
            text,
            "    {path}: key {}:{}, value {}:{}, {:?}",
            key.line, key.column, value.line, value.column, place.lay
        );
    }
    for warning in &file.warnings {
        let _ = writeln!(text, "{}: {warning:#}", warning.severity);
    }
    text
}

#[test]
fn every_valid_file_gives_its_values_and_their_places() {
    let mut catalogue = String::new();
    for example in examples("valid") {
        let name = &example.name;
        let file = example
            .read()
            .unwrap_or_else(|findings| panic!("{name}: {findings:#?}"));
        let _ = write!(catalogue, "# {name}\n{}\n", shown(&file));
    }
    insta::assert_snapshot!("valid", catalogue);
}

#[test]
fn every_invalid_file_is_refused_with_all_that_is_wrong_with_it() {
    let mut catalogue = String::new();
    for example in examples("invalid") {
        let name = &example.name;
        let Err(findings) = example.read() else {
            panic!("{name} is accepted");
        };
        let _ = writeln!(catalogue, "# {name}");
        for finding in findings {
            let _ = writeln!(catalogue, "{}: {finding:#}", finding.severity);
        }
        catalogue.push('\n');
    }
    insta::assert_snapshot!("invalid", catalogue);
}

#[test]
fn a_default_reads_as_an_override_does_but_for_what_only_overrides_may_say() {
    let mut refused = 0;
    for example in examples("valid") {
        let name = &example.name;
        let app = example.read().unwrap();
        match read_slot(&example.bytes, Layer::Bundled, &Limits::DEFAULT) {
            Ok(bundled) => assert_eq!(bundled.spec, app.spec, "{name}"),
            Err(findings) => {
                refused += 1;
                for finding in findings {
                    assert!(
                        [
                            "this key has its place in overrides only",
                            "a bundled slot has nothing below it that null could take back",
                        ]
                        .contains(&finding.message.as_str()),
                        "{name}: {finding}"
                    );
                }
            }
        }
    }
    assert_eq!(refused, 2, "override-keys and null-takes-back");
}

#[test]
fn every_finding_has_a_hint_and_stands_in_its_file() {
    for example in examples("invalid").into_iter().chain(examples("valid")) {
        let findings = example
            .read()
            .map_or_else(|findings| findings, |file| file.warnings);
        let source = String::from_utf8_lossy(&example.bytes);
        let lines: Vec<_> = source.lines().collect();
        for finding in findings {
            let case = format!("{}: {finding}", example.name);
            assert!(finding.hint.is_some(), "{case}");
            assert!(!finding.message.ends_with('.'), "{case}");
            assert!(!finding.message.starts_with(char::is_uppercase), "{case}");
            let Some(pos) = finding.pos else { continue };
            let line = lines.get(pos.line as usize - 1).unwrap_or(&"");
            let chars = line.chars().count();
            assert!(pos.line as usize <= lines.len(), "{case}");
            assert!(
                (1..=chars + 1).contains(&(pos.column as usize)),
                "{case}: the line has {chars} characters"
            );
        }
    }
}

#[test]
fn line_ends_and_a_byte_order_mark_change_nothing() {
    for example in examples("valid") {
        let source = String::from_utf8(example.bytes).unwrap();
        let plain = source.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let read = |text: &str| read_slot(text.as_bytes(), Layer::App, &Limits::DEFAULT).unwrap();
        let lf = read(&plain);
        let twins = [
            plain.replace('\n', "\r\n"),
            format!("\u{feff}{plain}"),
            format!("\u{feff}{}", plain.replace('\n', "\r\n")),
        ];
        for twin in twins {
            let twin = read(&twin);
            assert_eq!(twin.spec, lf.spec, "{}", example.name);
            assert_eq!(
                twin.spec.fingerprint(),
                lf.spec.fingerprint(),
                "{}",
                example.name
            );
            assert_eq!(shown(&twin), shown(&lf), "{}", example.name);
        }
    }
}

#[test]
fn an_error_prints_no_line_of_a_file_that_is_no_slot() {
    let secrets = [
        "root:x:0:0:root:/root:/bin/bash\nlp:secret:7:7::/var/spool/lpd:\n",
        "llm:secret:19000:0:99999:7:::\n",
        "-----BEGIN PRIVATE KEY-----\nsecret\n",
        "password: \"secret\nother: 1\n",
        "{\"token\": \"secret\", \"token\": 1}",
        "secret\n",
        "token: !secret secret\n",
        "token=secret:\n",
        "token=secret:\ntoken=secret:\n",
    ];
    for text in secrets {
        let findings = read_slot(text.as_bytes(), Layer::App, &Limits::DEFAULT).unwrap_err();
        for finding in findings {
            assert_eq!(finding.snippet, None, "{text}");
            assert!(!finding.to_string().contains("secret"), "{finding}");
        }
    }
}
