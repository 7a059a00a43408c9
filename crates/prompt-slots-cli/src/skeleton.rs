//! The text of a new override: every key with its help and the default's value, commented out.

use std::fmt::Write;

use prompt_slots::keys::{self, Key, Shape};
use prompt_slots::{Data, Limits, SlotText};

/// The most phrases of a template that are tried as an example.
const TRIED: usize = 200;

/// Where a phrase ends.
const ENDS: [char; 10] = [',', '.', ';', ':', '!', '?', '(', ')', '"', '`'];

/// Writes an override that says nothing yet. A line of a key starts with `#`, one of prose with `# `.
pub(crate) fn skeleton(name: &str, default: &SlotText, limits: &Limits) -> String {
    let mut text = format!(
        "# The override of `{name}`.
#
# Set here only what should differ: every other key keeps coming from the default, also after an upgrade. Below are all
# keys, commented out, with the default's values. To set one, take the `#` off its lines and change the value.

# The default that this file was written for; by it `status` and `rebase` tell what moved since.
based_on: \"{}\"
",
        default.fingerprint()
    );
    let said = default.to_data();
    for key in keys::SLOT.iter().filter(|key| key.name != "based_on") {
        let section = section(key, &said);
        // A default near the limit does not fit twice; it can be read with `show`.
        if text.len() + section.len() <= limits.file_bytes {
            text.push_str(&section);
        }
    }
    text
}

/// Writes one key with its help.
fn section(key: &Key, default: &Data) -> String {
    let mut out = format!("\n# {}\n", key.help);
    let value = default.get(key.name);
    match (key.shape, key.name) {
        (Shape::Map(inner), "llm") => {
            out.push_str("#llm:\n");
            for key in inner {
                out.push_str(&setting(key, value.and_then(|llm| llm.get(key.name))));
            }
        }
        (_, "template_edits") => match default.get("template").and_then(Data::as_str) {
            Some(template) => out.push_str(&edit(template)),
            None => out.push_str("# (the default has no text to change)\n"),
        },
        _ => {
            if value.is_none() {
                out.push_str("# (not set by the default; an example)\n");
            }
            let value = value.cloned().unwrap_or_else(|| example(key));
            out.push_str(&commented(&Data::map([(key.name, value)]).to_yaml()));
        }
    }
    out
}

/// Writes a key of `llm` with its help behind it.
fn setting(key: &Key, value: Option<&Data>) -> String {
    let unset = if value.is_none() {
        "not set by the default; "
    } else {
        ""
    };
    let value = value.cloned().unwrap_or_else(|| example(key));
    let yaml = Data::map([(key.name, value)]).to_yaml();
    let mut lines = yaml.lines();
    let first = lines.next().unwrap_or_default();
    let mut out = format!("#  {first} # {unset}{}\n", key.help);
    for line in lines {
        // Writing to a string can't fail.
        let _ = writeln!(out, "#  {line}");
    }
    out
}

/// Writes an edit that works as soon as it is not commented out.
fn edit(template: &str) -> String {
    let find = phrase(template).unwrap_or("some words of the default's text");
    let edit = Data::map([
        ("find", Data::from(find)),
        ("replace", Data::from("your words")),
    ]);
    let edits = Data::List([edit].into_iter().collect());
    commented(&Data::map([("template_edits", edits)]).to_yaml())
}

/// Finds words that stand exactly once in a template, and are prose.
///
/// A phrase between two commas comes first: it can be exchanged and leaves a sentence.
fn phrase(template: &str) -> Option<&str> {
    let prose = || {
        template
            .lines()
            .filter(|line| !line.contains(['{', '}', '%']))
    };
    let between_commas = prose().flat_map(|line| {
        let parts: Vec<&str> = line.split(',').collect();
        let inner = parts.get(1..parts.len() - 1).unwrap_or_default().to_vec();
        inner.into_iter().filter(|part| !part.contains(ENDS))
    });
    let any = prose().flat_map(|line| line.split(ENDS));
    let candidates = shortest(between_commas)
        .into_iter()
        .chain(shortest(any))
        .chain(prose().map(str::trim).take(TRIED));
    candidates
        .into_iter()
        .find(|phrase| !phrase.is_empty() && template.matches(phrase).count() == 1)
}

/// Returns the shortest phrases of at least three words.
fn shortest<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut phrases: Vec<&str> = parts
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|part| part.split_whitespace().count() >= 3)
        .collect();
    phrases.sort_by_key(|phrase| phrase.len());
    phrases.truncate(TRIED);
    phrases
}

/// Returns a value of the right kind.
fn example(key: &Key) -> Data {
    match (key.shape, key.name) {
        (Shape::Bool, _) => Data::Bool(false),
        (Shape::Word(words), _) => Data::from(words.first().copied().unwrap_or_default()),
        (Shape::Number(_, most), _) => Data::Int(most.into()),
        (Shape::Integer(least), _) => Data::Int(least.max(1)),
        (Shape::Texts, _) => Data::List([Data::from("END")].into_iter().collect()),
        (Shape::Variables(_), _) => Data::map([("name", Data::from("what it holds"))]),
        (Shape::Map(inner), _) => Data::map(inner.iter().map(|key| (key.name, example(key)))),
        (Shape::Free, "output_schema") => Data::map([("type", Data::from("object"))]),
        (Shape::Free, _) => Data::map([("name", Data::from("value"))]),
        (Shape::Maps(_), _) => Data::List(Vec::new().into()),
        _ => Data::from("your words\n"),
    }
}

fn commented(yaml: &str) -> String {
    yaml.lines().fold(String::new(), |mut out, line| {
        // Writing to a string can't fail.
        let _ = writeln!(out, "#{line}");
        out
    })
}

#[cfg(test)]
mod tests {
    use prompt_slots::{BUNDLE, Layer, PromptLoader};

    use super::*;

    #[track_caller]
    fn default(name: &str) -> SlotText {
        let text = BUNDLE.original(name).expect("the slot is bundled");
        SlotText::read(text.as_bytes(), Layer::Bundled, BUNDLE.limits()).expect("it is valid")
    }

    /// Takes the `#` off the lines of keys.
    fn uncommented(section: &str) -> String {
        let lines = section.lines().map(|line| match line.strip_prefix('#') {
            Some(key) if !key.starts_with(' ') || key.starts_with("  ") => key,
            _ => line,
        });
        lines.fold(String::new(), |text, line| text + line + "\n")
    }

    #[test]
    fn every_key_says_what_the_default_says_once_its_mark_is_taken_off() {
        for name in BUNDLE.names() {
            let default = default(name);
            let skeleton = skeleton(name, &default, BUNDLE.limits());
            let mut keys = Vec::new();
            for section in skeleton.split("\n\n").skip(2) {
                let yaml = uncommented(section);
                // A format has its place beside a template.
                let alone = yaml.contains("template_format:");
                let layer = if alone { Layer::Bundled } else { Layer::App };
                let read = SlotText::read(yaml.as_bytes(), layer, BUNDLE.limits())
                    .unwrap_or_else(|error| panic!("{error:#}\n{yaml}"));
                for (key, value) in read.leaves() {
                    if let Some(said) = default.leaf(&key) {
                        assert_eq!(value, said, "{key}");
                    }
                    keys.push(key);
                }
            }
            for (key, _) in default.leaves() {
                assert!(keys.contains(&key), "{name}: {key} is missing");
            }
            for key in keys::SLOT.iter().filter(|key| key.name != "based_on") {
                assert!(
                    skeleton.contains(&format!("\n#{}:", key.name)),
                    "{}",
                    key.name
                );
            }
        }
    }

    #[test]
    fn the_example_of_an_edit_works() {
        for name in BUNDLE.names() {
            let skeleton = skeleton(name, &default(name), BUNDLE.limits());
            let edits = skeleton
                .split("\n\n")
                .find(|section| section.contains("\n#template_edits:"))
                .expect("the section is there");
            let yaml = format!("enabled: true\n{}", uncommented(edits));
            let loader = PromptLoader::builder().app_memory([(name, yaml)]).build();
            let text = loader.load(name).expect("it fits").expect("it is enabled");
            assert!(text.contains("your words"), "{text}");
        }
    }

    #[test]
    fn a_phrase_is_prose_and_stands_once() {
        for (template, expected) in [
            ("Write it, in a calm tone, now.", Some("in a calm tone")),
            ("one two three\none two three\n", None),
            ("{{ a b c d }}\n{% if x y z %}", None),
            ("二つの文。\n{{ x }}\n", Some("二つの文。")),
            ("", None),
        ] {
            assert_eq!(phrase(template), expected, "{template:?}");
        }
    }
}
