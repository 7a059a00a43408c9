//! Names of slots: what is wrong with a bad one, in words.

use std::fmt::Write as _;

use prompt_slots_core::slot_name_problem;

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
