//! Rust identifiers for the names of slots and variables.

/// Keywords of every edition that can be written as `r#name`.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Returns the module of a slot: `episode-extract` is `episode_extract`, `2nd` is `_2nd`, `type` is `r#type`.
pub(crate) fn module(slot: &str) -> String {
    escape(&plain(slot))
}

/// Returns the constant of a slot: `episode-extract` is `EPISODE_EXTRACT`.
pub(crate) fn constant(slot: &str) -> String {
    plain(slot).to_uppercase()
}

/// Returns the method or the argument of a variable. Names that no escape makes usable, or that are taken, get an
/// underscore behind.
///
/// An argument is a pattern, so it can't be called like a variant or a tuple struct in scope: those of the prelude, and the
/// `Vars` that it is for. Names of types and functions can be shadowed, as generated code uses paths from the root alone.
pub(crate) fn method(variable: &str) -> String {
    match variable {
        "self" | "Self" | "super" | "crate" | "_" | "new" | "Some" | "None" | "Ok" | "Err"
        | "Vars" => format!("{variable}_"),
        _ => escape(variable),
    }
}

fn plain(slot: &str) -> String {
    let name = slot.replace('-', "_");
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{name}")
    } else {
        name
    }
}

fn escape(name: &str) -> String {
    if KEYWORDS.contains(&name) {
        format!("r#{name}")
    } else {
        name.to_owned()
    }
}
