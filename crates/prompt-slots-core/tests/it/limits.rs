//! The limits of reading: a slot file, however hostile, is read or refused in no time.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use prompt_slots_core::{Finding, Layer, Limits, SlotFile, parse_mapping, read_slot};

/// Reads a file, and fails where a limit plainly does not work.
#[track_caller]
fn read(text: &str) -> Result<SlotFile, Vec<Finding>> {
    let start = Instant::now();
    let read = read_slot(text.as_bytes(), Layer::App, &Limits::DEFAULT);
    // Generous, for a debug build on a busy machine; without a limit it is minutes.
    assert!(start.elapsed() < Duration::from_secs(30));
    read
}

/// Returns what is said of a refused file.
#[track_caller]
fn refusal(text: &str) -> String {
    let findings = read(text).unwrap_err();
    let lines: Vec<_> = findings.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// Writes `count` lines, each made from its number.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "{}", line(number));
        text
    })
}

#[test]
fn a_file_may_be_as_large_as_the_limit_and_no_byte_larger() {
    let largest = "#".repeat(Limits::DEFAULT.file_bytes);
    assert!(read(&largest).is_ok());
    insta::assert_snapshot!(refusal(&(largest + "#")), @"the file has 1048577 bytes, the limit is 1048576 (move what is not part of the prompt out of it)");
}

#[test]
fn a_byte_order_mark_and_line_ends_count_as_bytes() {
    let limits = Limits::new(10, 32, 100, 100, 100);
    let read = |bytes: &[u8]| read_slot(bytes, Layer::App, &limits);
    assert!(read(b"# 3456\r\n\r\n").is_ok());
    assert!(read(b"# 3456\r\n\r\n#").is_err());
    assert!(read(b"\xef\xbb\xbf# 3456").is_ok());
    assert!(read(b"\xef\xbb\xbf# 34567").is_ok());
    assert!(read(b"\xef\xbb\xbf# 345678").is_err());
}

#[test]
fn nesting_is_limited_in_every_style() {
    let limits = Limits::new(1 << 20, 3, 100, 100, 100);
    let read = |text: &str| read_slot(text.as_bytes(), Layer::App, &limits);
    for (fits, too_deep) in [
        ("x-a: [[1]]", "x-a: [[[1]]]"),
        ("x-a: {b: {c: 1}}", "x-a: {b: {c: {}}}"),
        ("x-a:\n - - 1", "x-a:\n - - - 1"),
        // An alias is as deep as its anchor.
        (
            "x-a: &a [1]\nx-b: [*a]",
            "x-a: &a [1]\nx-b: &b [*a]\nx-c: [*b]",
        ),
        ("x-a: &a 1\nx-b: [[*a]]", "x-a: &a [[1]]\nx-b: [*a]"),
        ("x-a:\n  b:\n    c: 1", "x-a:\n  b:\n    c:\n      d: 1"),
    ] {
        assert!(read(fits).is_ok(), "{fits}");
        let findings = read(too_deep).unwrap_err();
        assert_eq!(
            findings[0].message, "lists and maps are nested deeper than 3 levels",
            "{too_deep}"
        );
    }
}

#[test]
fn what_nests_without_end_is_refused() {
    let kib = 64 << 10;
    for opening in [
        "[", "{", "{a: ", "[{a: ", "- ", "? ", "- - ", "&a [", "!t [",
    ] {
        let text = format!("x-a: {}", opening.repeat(kib / opening.len()));
        refusal(&text);
        refusal(&opening.repeat(kib / opening.len()));
    }
    insta::assert_snapshot!(refusal(&format!("x-a: {}", "[".repeat(kib))), @"line 1, column 261: lists and maps are nested too deep (flatten them)");
}

#[test]
fn values_are_counted_with_aliases_in_full() {
    let limits = Limits::new(1 << 20, 32, 12, 100, 100);
    let read = |text: &str| read_slot(text.as_bytes(), Layer::App, &limits);
    // The map, two keys, a list of four, and it once more.
    assert!(read("x-a: &a [1, 2, 3]\nx-b: *a\n").is_ok());
    let findings = read("x-a: &a [1, 2, 3]\nx-b: *a\nx-c: 1\n").unwrap_err();
    assert_eq!(
        findings[0].to_string(),
        "line 3, column 6: the file holds too many values, its aliases counted in full (use fewer aliases, or a smaller file)"
    );
}

#[test]
fn aliases_can_not_blow_a_file_up() {
    let mut nested = "x-a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..=9 {
        let alias = format!("*a{}", level - 1);
        let _ = writeln!(
            nested,
            "x-a{level}: &a{level} [{}]",
            [alias.as_str(); 9].join(", ")
        );
    }
    let wide = format!(
        "x-a: &a '{}'\nx-b: [{}]\n",
        "y".repeat(500_000),
        vec!["*a"; 5000].join(", ")
    );
    let in_itself = "x-a: &a [&b [*a, *a], *b]\n".to_owned();
    for bomb in [nested, wide] {
        let said = refusal(&bomb);
        assert!(said.contains("its aliases counted in full"), "{said}");
    }
    assert!(refusal(&in_itself).contains("an alias inside its own anchor"));
}

#[test]
fn an_honest_file_has_room_for_aliases() {
    let text = format!(
        "x-a: &a [{}]\nx-b: [{}]\n",
        ["text"; 100].join(", "),
        ["*a"; 100].join(", ")
    );
    assert!(read(&text).is_ok());
}

#[test]
fn a_file_of_nothing_but_slips_is_told_in_a_hundred_findings() {
    let count = 40_000;
    let entries = |name: &str| {
        (0..count).fold(String::new(), |text, number| {
            text + &format!("{name}{number}: 1, ")
        })
    };
    let files = [
        lines(count, |number| format!("k{number}: 1")),
        format!("{{{}}}", entries("k")),
        format!("llm: {{{}}}", entries("k")),
        format!("variables: {{{}}}", entries("k-")),
        format!("x-a: {{{}}}", entries("")),
        format!("x-a: {{{}}}", "a: 1, ".repeat(count)),
        format!(
            "validation:\n  test_cases:\n{}",
            lines(20_000, |_| "  - name: a".to_owned())
        ),
    ];
    for file in files {
        let findings = read(&file).unwrap_err();
        assert_eq!(findings.len(), 101, "{file:.20}");
        assert!(
            findings[100]
                .message
                .ends_with(" more findings from here on"),
            "{file:.20}"
        );
        let quoted: usize = findings
            .iter()
            .filter_map(|finding| Some(finding.snippet.as_ref()?.line.len()))
            .sum();
        assert!(quoted < 100 << 10, "{file:.20}");
    }
}

#[test]
fn large_honest_files_are_read() {
    let files = [
        format!(
            "variables:\n{}",
            lines(1000, |number| format!("  v{number}: x"))
        ),
        format!(
            "template: |\n{}",
            lines(50_000, |number| format!("  line {number} [[[[ {{{{"))
        ),
        format!("x-a: [{}]", "[],".repeat(90_000)),
        format!("description: {}", "word ".repeat(200_000)),
        format!("x-a: \"{}\"", "\\\n  ".repeat(200_000)),
        lines(250_000, |_| "#".to_owned()),
    ];
    for file in files {
        read(&file).unwrap_or_else(|findings| panic!("{file:.20}: {findings:?}"));
    }
}

#[test]
fn what_is_merged_key_by_key_is_few() {
    let read = |text: &str| read_slot(text.as_bytes(), Layer::App, &Limits::DEFAULT);
    let keys = |count: usize, start: &str| lines(count, |number| format!("{start}{number}: 1"));
    let edits = |count: usize| {
        let edit = |_| "  - {find: a, replace: b}".to_owned();
        format!("template_edits:\n{}", lines(count, edit))
    };
    let variables = |count: usize| {
        let variable = |number| format!("  v{number}: x");
        format!("variables:\n{}", lines(count, variable))
    };
    let extra = |count: usize| format!("llm:\n extra:\n{}", keys(count, "  k"));
    assert!(read(&keys(1000, "x-")).is_ok());
    assert!(read(&variables(1000)).is_ok());
    assert!(read(&extra(1000)).is_ok());
    assert!(read(&edits(200)).is_ok());
    insta::assert_snapshot!(refusal(&keys(1001, "x-")), @"line 1001, column 1: there are more than 1000 keys (keep those that a prompt needs; data can stand inside of one)");
    insta::assert_snapshot!(refusal(&variables(1001)), @"line 1002, column 3: `variables`: there are more than 1000 keys (keep those that a prompt needs; data can stand inside of one)");
    insta::assert_snapshot!(refusal(&extra(1001)), @"line 1003, column 3: `llm.extra`: there are more than 1000 keys (keep those that a prompt needs; data can stand inside of one)");
    insta::assert_snapshot!(refusal(&edits(201)), @"line 202, column 5: `template_edits`: there are more than 200 edits (write the whole text as `template`)");
}

#[test]
fn plain_configuration_has_the_same_limits() {
    let start = Instant::now();
    for text in [
        "[".repeat(64 << 10),
        format!("a: &a [{}]\nb: [{}]", "x,".repeat(1000), "*a,".repeat(1000)),
        "a: !tag b".to_owned(),
        "a: 1\na: 2".to_owned(),
        "#".repeat(Limits::DEFAULT.file_bytes + 1),
        "- a".to_owned(),
        "a: 1\n---\nb: 2".to_owned(),
    ] {
        let read = parse_mapping(text.as_bytes(), &Limits::DEFAULT);
        assert!(read.is_err(), "{text:.20}");
    }
    assert!(start.elapsed() < Duration::from_secs(30));
    for empty in ["", "# nothing", "---\n"] {
        assert!(
            parse_mapping(empty.as_bytes(), &Limits::DEFAULT)
                .unwrap()
                .is_empty()
        );
    }
}
