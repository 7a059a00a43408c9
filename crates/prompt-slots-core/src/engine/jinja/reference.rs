//! What the docs list: all that a template may name, and the limits that its author can meet.

use super::env::{FILTERS, FUNCTIONS, TESTS};
use super::filters::{methods, printf};
use super::{functions, parse, render, scan, stmt};

/// Returns the names that a template may use without making them, kind by kind, each sorted.
pub fn builtins() -> [(&'static str, Vec<&'static str>); 5] {
    let [of_maps, of_texts] = methods::names();
    let mut kinds = [
        ("filters", FILTERS.to_vec()),
        ("tests", TESTS.to_vec()),
        ("functions", FUNCTIONS.to_vec()),
        ("methods of maps", of_maps),
        ("methods of texts", of_texts),
    ];
    for (_, names) in &mut kinds {
        names.sort_unstable();
    }
    kinds
}

/// Returns the limits of a template that no bundle can change, as the docs name them.
pub fn template_limits() -> [(&'static str, usize); 9] {
    [
        ("bytes of one tag", scan::MAX_TAG_BYTES),
        ("tags", scan::MAX_TAGS),
        ("blocks inside each other", stmt::MAX_BLOCKS),
        ("arms of an `if`", stmt::MAX_ARMS),
        (
            "operators, filters and attributes in a row",
            parse::MAX_DEPTH,
        ),
        ("brackets inside each other", parse::MAX_NESTING),
        ("numbers of a `range`", functions::RANGE),
        ("width in a `format`", printf::WIDTH),
        (
            "calls of macros and loops inside each other",
            render::MAX_RECURSION,
        ),
    ]
}
