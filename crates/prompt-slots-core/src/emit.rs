//! Data as YAML for people: long texts as they read, everything else on one line.

use std::fmt::{self, Write};

use crate::data::Data;
use crate::finding::is_printable;
use crate::shared::Text;

/// How much deeper the inside of a list or map stands.
const STEP: usize = 2;

/// The longest key that YAML reads without a `?` before it, in bytes.
const LONGEST_KEY: usize = 1000;

/// Words that some YAML reader takes for something else than text.
const SPECIAL: [&str; 10] = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan",
];

impl Data {
    /// Returns the value as YAML, which reads back to the same value.
    ///
    /// Text of several lines is a literal block, so that a template looks like itself. Text with characters that a terminal
    /// would obey or hide is quoted, and they are escaped: the result is safe to print.
    pub fn to_yaml(&self) -> String {
        let mut out = String::new();
        match self {
            Self::Map(entries) if !entries.is_empty() => write_map(entries, 0, &mut out),
            Self::List(items) if !items.is_empty() => write_list(items, 0, &mut out),
            // A literal block has no place without a key or a dash before it.
            Self::Text(text) => out.push_str(&line_of(text)),
            scalar => write_value(scalar, 0, &mut out),
        }
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out
    }
}

/// Writes `key: value` lines; the first key stands where the output ends now.
fn write_map(entries: &[(Text, Data)], indent: usize, out: &mut String) {
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            start_line(indent, out);
        }
        let key = line_of(key);
        if key.len() > LONGEST_KEY {
            out.push_str("? ");
            out.push_str(&key);
            start_line(indent, out);
        } else {
            out.push_str(&key);
        }
        out.push(':');
        match value {
            Data::Map(inner) if !inner.is_empty() => {
                start_line(indent + STEP, out);
                write_map(inner, indent + STEP, out);
            }
            Data::List(items) if !items.is_empty() => {
                start_line(indent + STEP, out);
                write_list(items, indent + STEP, out);
            }
            value => {
                out.push(' ');
                write_value(value, indent, out);
            }
        }
    }
}

/// Writes `- item` lines; what is inside an item starts on the line of its dash.
fn write_list(items: &[Data], indent: usize, out: &mut String) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            start_line(indent, out);
        }
        out.push_str("- ");
        match item {
            Data::Map(inner) if !inner.is_empty() => write_map(inner, indent + STEP, out),
            Data::List(inner) if !inner.is_empty() => write_list(inner, indent + STEP, out),
            item => write_value(item, indent, out),
        }
    }
}

/// Writes what fits behind a key or a dash; `indent` is that of the key or the dash.
fn write_value(value: &Data, indent: usize, out: &mut String) {
    match value {
        Data::Null => out.push_str("null"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Int(value) => out.push_str(&value.to_string()),
        Data::UInt(value) => out.push_str(&value.to_string()),
        // Unlike `{}`, `{:?}` keeps the point of 1.0, by which it reads back as a number with a point.
        Data::Float(value) => push(out, format_args!("{value:?}")),
        Data::Text(text) if is_block(text) => write_block(text, indent + STEP, out),
        Data::Text(text) => out.push_str(&line_of(text)),
        Data::List(_) => out.push_str("[]"),
        Data::Map(_) => out.push_str("{}"),
    }
}

fn push(out: &mut String, written: fmt::Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = out.write_fmt(written);
}

fn start_line(indent: usize, out: &mut String) {
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out.extend(std::iter::repeat_n(' ', indent));
}

/// Tells whether a text is best written as a literal block, and can be.
fn is_block(text: &str) -> bool {
    let body = text.trim_end_matches('\n');
    let last = body.rsplit('\n').next().unwrap_or_default();
    // Readers don't agree on a last line of blanks.
    text.contains('\n')
        && !last.trim().is_empty()
        && text
            .chars()
            .all(|c| c == '\n' || c == '\t' || is_plain_char(c))
}

fn write_block(text: &str, indent: usize, out: &mut String) {
    out.push('|');
    // Readers measure the first line that is not empty; if that starts with white space, they must be told.
    let first = text.lines().find(|line| !line.is_empty());
    if first.is_some_and(|line| line.starts_with([' ', '\t'])) {
        out.push_str(&STEP.to_string());
    }
    match text.len() - text.trim_end_matches('\n').len() {
        0 => out.push('-'),
        1 => {}
        _ => out.push('+'),
    }
    for line in text.lines() {
        out.push('\n');
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
    }
    out.push('\n');
}

/// Returns a text or a key on one line: as it is, if every reader takes it for text, else in quotes.
fn line_of(text: &str) -> String {
    let starts_well = text
        .chars()
        .next()
        .is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '/' | '('));
    let is_plain = starts_well
        && text.chars().all(is_plain_char)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with([':', ' '])
        && !SPECIAL.contains(&text.to_ascii_lowercase().as_str());
    if is_plain {
        text.to_owned()
    } else {
        quoted(text)
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_plain_char(c) => out.push(c),
            c if u32::from(c) < 0x100 => push(&mut out, format_args!("\\x{:02X}", u32::from(c))),
            c if u32::from(c) < 0x1_0000 => push(&mut out, format_args!("\\u{:04X}", u32::from(c))),
            c => push(&mut out, format_args!("\\U{:08X}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

/// Tells whether a character may stand in YAML, and on a terminal, as it is.
fn is_plain_char(c: char) -> bool {
    is_printable(c) && !matches!(c, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Layer, Limits, read_slot};

    /// Text that is easy to get wrong in YAML.
    const ODD: &[&str] = &[
        "",
        " ",
        "\n",
        "\n\n",
        "a",
        "a\n",
        "a\n\n\n",
        "a\nb",
        "a\nb\n",
        "a\nb\n\n",
        " a\nb",
        "\n a\nb\n",
        "\n\na\nb",
        "  a\n b\nc\n",
        "a\n  \nb\n",
        "a\nb\n  ",
        "a \nb  \n",
        "a\n\n\nb",
        "   \na\n",
        "\ta\nb\n",
        "\n\ta\nb\n",
        "a\n\t\nb",
        "\t\na\n",
        " \ta\n\tb\n",
        "a\n\tb\n",
        "a\tb\nc\t\n",
        "a\rb",
        "a\r\nb\r\n",
        "\u{85}",
        "a\u{85}b\nc",
        "a\u{2028}b",
        "a\nb\u{2029}",
        "\u{feff}a",
        "\0",
        "\x1b[31m\nred",
        "\u{7f}",
        "\u{202e}abc",
        "yes",
        "No",
        "TRUE",
        "4.10",
        "0x1f",
        "1_000",
        "1e5",
        ".inf",
        ".NaN",
        "null",
        "Null",
        "~",
        "#",
        "# a",
        "a #b",
        "a#b",
        "a: b",
        "a:",
        ":a",
        "- a",
        "-",
        "? a",
        "? ",
        "&a",
        "*a",
        "!a",
        "!!str a",
        "|",
        ">",
        "%a",
        "@a",
        "`a`",
        "'a'",
        "\"a\"",
        "\\",
        "{a}",
        "{{ x }}",
        "[a]",
        "a, b",
        "<<",
        "=",
        "---",
        "...",
        "--- a\n... b\n",
        "2001-01-01",
        "12:30",
        "a ",
        " a",
        "日本語",
        "👨\u{200d}👩",
        "\u{fffe}",
        "\u{ffff}",
        "\u{10ffff}",
        "\u{e000}",
        "# a\n# b\n",
        "- a\n- b\n",
        "a: b\nc: d\n",
        "ends with\n\n spaces \n\n",
    ];

    /// Reads data back the way a slot file's free keys are read.
    #[track_caller]
    fn read_back(data: &Data) -> Data {
        let yaml = Data::map([("x-it", data.clone())]).to_yaml();
        let file = read_slot(yaml.as_bytes(), Layer::App, &Limits::DEFAULT)
            .unwrap_or_else(|findings| panic!("{findings:#?}\n{yaml}"));
        let (_, value) = file.spec.extensions.first().expect("the key was written");
        value.clone()
    }

    #[test]
    fn text_reads_back_to_itself_however_odd() {
        for &text in ODD {
            for data in [
                Data::from(text),
                Data::List([Data::from(text), Data::from(text)].into_iter().collect()),
                Data::map([(text, Data::from(text))]),
                Data::List(
                    [Data::map([(text, Data::from(text)), ("b", Data::Null)])]
                        .into_iter()
                        .collect(),
                ),
            ] {
                assert_eq!(read_back(&data), data, "{text:?}");
            }
        }
    }

    #[test]
    fn a_template_looks_like_itself() {
        let data = Data::map([
            (
                "template",
                Data::from("Hello {{ name }}:\n\n  - one # really\n\tbye\n"),
            ),
            ("indented", Data::from("  a\nb\n")),
        ]);
        insta::assert_snapshot!(data.to_yaml().replace('\t', "→"), @"
        template: |
          Hello {{ name }}:

            - one # really
          →bye
        indented: |2
            a
          b
        ");
    }

    #[test]
    fn nothing_in_it_moves_a_cursor() {
        let hostile: String = ('\0'..='\u{a0}').chain('\u{2000}'..='\u{2100}').collect();
        let yaml = Data::map([(hostile.as_str(), Data::from(hostile.as_str()))]).to_yaml();
        assert_eq!(yaml.chars().find(|c| *c != '\n' && !is_printable(*c)), None);
    }

    #[test]
    fn a_key_of_any_length_reads_back() {
        let data = Data::map([("a b ".repeat(400).as_str(), Data::from("x"))]);
        assert_eq!(read_back(&data), data);
    }

    fn any_data() -> impl Strategy<Value = Data> {
        let leaf = prop_oneof![
            Just(Data::Null),
            any::<bool>().prop_map(Data::Bool),
            any::<i64>().prop_map(Data::Int),
            (1 << 63..=u64::MAX).prop_map(Data::UInt),
            prop::num::f64::NORMAL.prop_map(Data::Float),
            "[ \\ta#:\\-\n\"'{}|]{0,12}".prop_map(|text| Data::from(text.as_str())),
            any::<String>().prop_map(|text| Data::from(text.as_str())),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4)
                    .prop_map(|items| Data::List(items.into())),
                prop::collection::btree_map("[a-c #:]{0,4}", inner, 0..4).prop_map(|entries| {
                    Data::map(
                        entries
                            .iter()
                            .map(|(key, value)| (key.as_str(), value.clone())),
                    )
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_data_reads_back_to_itself(data in any_data()) {
            prop_assert_eq!(read_back(&data), data);
        }
    }
}
