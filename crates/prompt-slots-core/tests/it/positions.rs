//! A place in a text leads back to the same character of the file.

use prompt_slots_core::{Layer, Limits, Place, Pos, read_slot};
use proptest::prelude::*;

/// Returns the character of a file at a position.
fn char_at(source: &str, pos: Pos) -> Option<char> {
    let line = source.lines().nth(pos.line as usize - 1)?;
    line.chars().nth(pos.column as usize - 1)
}

/// Holds every character of the text at `path` against the file.
fn compare(source: &str, path: &str) -> Result<(), TestCaseError> {
    let file = read_slot(source.as_bytes(), Layer::App, &Limits::DEFAULT)
        .map_err(|findings| TestCaseError::fail(format!("{source:?}: {findings:?}")))?;
    let place: &Place = file.places.get(path).expect(path);
    let text = match path {
        "template" => &**file.spec.template.as_ref().unwrap(),
        "template_edits[1].find" => &*file.spec.template_edits[1].find,
        _ => file.spec.test_cases[0].name.as_ref().unwrap(),
    };
    for (offset, c) in text.char_indices().filter(|(_, c)| *c != '\n') {
        let pos = place.locate(text, offset);
        prop_assert_eq!(
            char_at(source, pos),
            Some(c),
            "{:?}, byte {} of {:?} at {:?}",
            source,
            offset,
            text,
            pos
        );
    }
    Ok(())
}

/// Lines of a block: empty ones, indented ones, wide characters, what looks like YAML.
fn block_lines() -> impl Strategy<Value = Vec<String>> {
    let line = prop_oneof![
        1 => Just(String::new()),
        1 => " {0,4}",
        4 => "[ \t]{0,3}[!-~][ -~\t]{0,20}",
        2 => " {0,2}[a-zé日本🙂\u{300}{}#:|>'\"%-]{1,12}",
    ];
    prop::collection::vec(line, 1..12)
}

proptest! {
    #[test]
    fn every_character_of_a_block_is_found_in_the_file(
        lines in block_lines(),
        indent in 1..9_usize,
        chomp in "[+-]?",
        comment in "( # why)?",
        before in "(# first\n|\n){0,3}(enabled: true\n)?",
        nested in any::<bool>(),
        newline in prop_oneof![Just("\n"), Just("\r\n")],
    ) {
        let (open, path, key_indent) = if nested {
            ("template_edits:\n  - {find: a, replace: b}\n  - replace: c\n    find", "template_edits[1].find", 4)
        } else {
            ("template", "template", 0)
        };
        let mut source = format!("{before}{open}: |{indent}{chomp}{comment}\n");
        // One line is not empty, so that there is something to find.
        for line in lines.iter().chain(&["end".to_owned()]) {
            // A line without text needs no indentation.
            let spaces = if line.is_empty() { 0 } else { key_indent + indent };
            source.extend([&" ".repeat(spaces), line.as_str(), "\n"]);
        }
        compare(&source.replace('\n', newline), path)?;
    }

    #[test]
    fn every_character_of_a_block_without_an_indentation_mark_is_found_too(
        empty in 0..3_usize,
        first in "[!-~é🙂][ -~]{0,12}",
        lines in block_lines(),
        indent in 1..9_usize,
    ) {
        let mut source = format!("template: |\n{}", "\n".repeat(empty));
        for line in [first].iter().chain(&lines) {
            source.extend([&" ".repeat(indent), line.as_str(), "\n"]);
        }
        compare(&source, "template")?;
    }

    #[test]
    fn every_character_of_a_plain_text_in_one_line_is_found(
        gap in "[ \t]{1,3}",
        text in "[a-zA-Zé日🙂]([ {}a-z0-9é日🙂_-]{0,20}[a-z}])?",
        dash in any::<bool>(),
    ) {
        if dash {
            let source = format!("validation:\n  test_cases:\n    - name:{gap}x{text} # why\n");
            compare(&source, "validation.test_cases[0].name")?;
        } else {
            compare(&format!("enabled: true\ntemplate:{gap}x{text}\n"), "template")?;
        }
    }
}

#[test]
fn a_text_that_is_not_written_as_it_reads_is_told_by_its_start() {
    for source in [
        "template: 'it''s {{ x }}'\n",
        "template: \"a\\tb\"\n",
        "template: one\n  line\n",
        "x-a: &a text\ntemplate: *a\n",
        "template: >\n  a\n  b\n",
    ] {
        let file = read_slot(source.as_bytes(), Layer::App, &Limits::DEFAULT).unwrap();
        let place = file.places.get("template").unwrap();
        let text = file.spec.template.as_ref().unwrap();
        for offset in 0..text.len() {
            assert_eq!(place.locate(text, offset), place.value, "{source}");
        }
    }
}
