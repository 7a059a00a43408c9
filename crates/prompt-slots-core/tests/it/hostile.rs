//! No bytes make the reader panic, and both YAML parsers read the same.

use prompt_slots_core::{Data, Layer, Limits, judge_bundled, read_slot};
use proptest::prelude::*;

use crate::reading::examples;

/// Reads bytes in every way, and prints all that is found.
fn exercise(bytes: &[u8]) {
    for layer in Layer::ALL {
        let findings = match read_slot(bytes, layer, &Limits::DEFAULT) {
            Ok(file) => {
                let _ = file.spec.fingerprint();
                file.warnings
            }
            Err(findings) => findings,
        };
        for finding in findings {
            assert!(!format!("{finding:#}").is_empty());
        }
    }
    if let Err(findings) = judge_bundled("slot", "slot.yaml", bytes, &Limits::DEFAULT) {
        for finding in findings {
            assert!(format!("{finding:#}").starts_with("slot.yaml"));
        }
    }
}

/// A value that a slot file can hold.
fn data() -> impl Strategy<Value = Data> {
    let text = prop_oneof![
        2 => "\\PC{0,8}",
        2 => "[ \t\r\n:#'\"|>&*!%@`{}\\[\\],?~<=-]{0,6}",
        1 => "[\u{0}-\u{ff}]{0,4}",
        1 => "[\u{85}\u{2028}\u{2029}\u{feff}a\n]{0,4}",
        1 => "(true|yes|null|~|1|0x1|1e3|\\.5|-|---|<<|\\.nan|1_000|2024-01-01|=)",
    ];
    let leaf = prop_oneof![
        Just(Data::Null),
        any::<bool>().prop_map(Data::Bool),
        any::<i64>().prop_map(Data::Int),
        (i64::MAX as u64 + 1..).prop_map(Data::UInt),
        prop::num::f64::NORMAL.prop_map(Data::Float),
        (-1000..1000_i32).prop_map(|n| Data::Float(f64::from(n) / 8.0)),
        text.prop_map(|text| Data::from(text.as_str())),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(|items| Data::List(items.into())),
            prop::collection::btree_map("\\PC{0,6}|[ -~]{1,4}|<<|a\nb|\u{2028}", inner, 0..5)
                .prop_map(Data::map),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_as_yaml_reads_back_the_same(data in data()) {
        let yaml = Data::map([("x-any", data.clone())]).to_yaml();
        let read = read_slot(yaml.as_bytes(), Layer::App, &Limits::DEFAULT)
            .map_err(|findings| TestCaseError::fail(format!("{yaml:?}: {findings:?}")))?;
        prop_assert_eq!(&read.spec.extensions[0].1, &data, "{}", yaml);
    }

    #[test]
    fn byte_soup_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&bytes);
    }

    #[test]
    fn yaml_soup_never_panics(
        text in "(enabled|template|llm|variables|validation|test_cases|input|x-a|true|null|a|é|: |:|\n|\n  |\n    |- |\\{|\\}|\\[|\\]|, |'|\"|\\||>|&a |\\*a|#|%|---|\\.\\.\\.|\\? |!t |<<|\t|\\\\|\\{\\{ a \\}\\}|1|\u{85}){0,40}"
    ) {
        exercise(text.as_bytes());
    }

    #[test]
    fn mutated_files_never_panic(
        index in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, any::<u8>()), 1..6),
    ) {
        let mut files = examples("valid");
        files.extend(examples("invalid"));
        let mut bytes = index.get(&files).bytes.clone();
        for (place, edit, byte) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = place.index(bytes.len());
            match edit {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
        }
        exercise(&bytes);
    }
}
