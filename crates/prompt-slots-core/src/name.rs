//! Names: of slots, of variables, and the nearest one to a misspelling.

/// The longest slot name, in characters.
const LONGEST: usize = 64;

/// Names that Windows keeps for devices, whatever their ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Rust keywords that no escape makes usable as the name of a module.
const UNUSABLE: [&str; 3] = ["crate", "self", "super"];

/// Says why `name` can't name a slot, if it can't.
///
/// The rule is `[a-z0-9][a-z0-9_-]{0,63}`, no Windows device name, and no Rust keyword that can't be escaped. It keeps a
/// name inside the app directory on every system, and two names from being one file where case does not count.
pub fn slot_name_problem(name: &str) -> Option<String> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    if name.is_empty() {
        return Some("a slot name can't be empty".to_owned());
    }
    if let Some(bad) = name.chars().find(|c| !allowed(*c)) {
        let shown = bad.escape_default();
        return Some(format!(
            "`{shown}` can't stand in a slot name: use a-z, 0-9, `_` and `-`"
        ));
    }
    if name.starts_with(['_', '-']) {
        return Some("a slot name starts with a letter or a digit".to_owned());
    }
    if name.len() > LONGEST {
        return Some(format!(
            "a slot name has at most {LONGEST} characters, this one has {}",
            name.len()
        ));
    }
    if is_device(name) {
        return Some("Windows keeps this name for a device".to_owned());
    }
    UNUSABLE
        .contains(&name)
        .then(|| "this name is a Rust keyword that generated code can't use".to_owned())
}

fn is_device(name: &str) -> bool {
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix)
            .is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']))
    };
    DEVICES.contains(&name) || numbered("com") || numbered("lpt")
}

/// Tells whether `name` can name a variable: `[A-Za-z_][A-Za-z0-9_]*`.
pub fn is_variable_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the candidate that `name` was most likely meant to be, if one is near.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Beyond this length it is no misspelling, and the distance costs the product of the lengths.
    if name.len() > 2 * LONGEST {
        return None;
    }
    let lower = name.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).clamp(1, 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_name_can_never_leave_its_directory() {
        let long = "a".repeat(65);
        for bad in [
            "",
            ".",
            "..",
            "../secret",
            "..\\secret",
            "/etc/passwd",
            "a/../b",
            "C:x",
            "..%2Fx",
            "a\0b",
            &long,
            "-a",
            "_a",
            "A",
            "café",
            "con",
            "nul",
            "com1",
            "lpt9",
            "self",
            "super",
            "crate",
            "a b",
            "a.b",
        ] {
            assert!(
                slot_name_problem(bad).is_some(),
                "{bad:?} was taken for a slot name"
            );
        }
        for good in [
            "a",
            "0",
            "episode_extract",
            "a-b",
            "com10",
            "console",
            "type",
            &"a".repeat(64),
        ] {
            assert_eq!(slot_name_problem(good), None, "{good:?}");
        }
    }

    #[test]
    fn a_misspelling_finds_its_neighbour_and_a_stranger_finds_none() {
        let keys = ["enabled", "template", "template_format", "llm"];
        assert_eq!(nearest("templte", keys), Some("template"));
        assert_eq!(nearest("Template", keys), Some("template"));
        assert_eq!(nearest("lmm", keys), Some("llm"));
        assert_eq!(nearest("conversation", keys), None);
    }
}
