//! The three-way merge, key by key: what an override says, brought from one default to the next.

use prompt_slots::{Data, SlotText};

use crate::lines::{self, Hunk};
use crate::surgery::put;

/// Keys that change or add to whatever the default says, so that no default can contradict them.
const KEPT: [&str; 4] = [
    "template_edits",
    "template_prepend",
    "template_append",
    "based_on",
];

/// What an override comes to on a new default.
pub(crate) struct Rebased {
    /// What it says now; in a conflict, what it said.
    pub data: Data,
    pub conflicts: Vec<Conflict>,
    /// The keys that it no longer sets: they said what the old default said, and follow the new one.
    pub followed: Vec<String>,
    /// Whether lines of the template came together from both.
    pub merged_template: bool,
}

/// A key that default and override changed in different ways.
pub(crate) struct Conflict {
    pub key: String,
    pub base: Option<Data>,
    pub default: Option<Data>,
    pub over: Option<Data>,
    /// For a template, the lines alone that both changed.
    pub hunks: Vec<Hunk>,
}

/// Merges what an override says, which was written for `base`, with today's default.
pub(crate) fn rebase(base: &SlotText, default: &SlotText, over: &SlotText) -> Rebased {
    let mut merge = Merge {
        base: base.leaves(),
        default: default.leaves(),
        over: over.leaves(),
        rebased: Rebased {
            data: over.to_data(),
            conflicts: Vec::new(),
            followed: Vec::new(),
            merged_template: false,
        },
    };
    merge.template();
    merge.test_cases();
    for (key, value) in merge.over.clone() {
        let is_done = matches!(
            key.as_str(),
            "template" | "template_format" | "validation.test_cases"
        );
        if !is_done && !KEPT.contains(&key.as_str()) && !key.starts_with("x-") {
            merge.leaf(&key, &value);
        }
    }
    let based_on = Data::from(default.fingerprint().to_string().as_str());
    merge.set("based_on", Some(&based_on));
    merge.rebased
}

type Leaves = Vec<(String, Data)>;

struct Merge {
    base: Leaves,
    default: Leaves,
    over: Leaves,
    rebased: Rebased,
}

impl Merge {
    fn leaf(&mut self, key: &str, over: &Data) {
        let (base, default) = (get(&self.base, key), get(&self.default, key));
        if base == default || default.as_ref() == Some(over) {
            return;
        }
        if base.as_ref() == Some(over) {
            self.follow(key);
        } else {
            self.conflict(key, Vec::new());
        }
    }

    /// Merges the template and its format, which belong together.
    fn template(&mut self) {
        let key = "template";
        let Some(over) = get(&self.over, key) else {
            return;
        };
        let (base, default) = (get(&self.base, key), get(&self.default, key));
        let own_format = get(&self.over, "template_format");
        let (old_format, new_format) = (format(&self.base), format(&self.default));
        let format_moved = old_format != new_format;
        if base == default && !format_moved {
            return;
        }
        if base.as_ref() == Some(&over) && own_format.as_ref().is_none_or(|own| *own == old_format)
        {
            self.follow(key);
            self.set("template_format", None);
            return;
        }
        if own_format.is_none() && format_moved {
            // Its text is in the language of the old default, and would be read in that of the new one.
            self.set("template_format", Some(&old_format));
            self.conflict("template_format", Vec::new());
        }
        if base == default || default.as_ref() == Some(&over) {
            return;
        }
        let is_one_language = !format_moved && own_format.is_none_or(|own| own == old_format);
        let texts = [&base, &default].map(|text| text.as_ref().and_then(Data::as_str));
        let ([Some(base), Some(default)], Some(over), true) =
            (texts, over.as_str(), is_one_language)
        else {
            self.conflict(key, Vec::new());
            return;
        };
        let merged = lines::merge(base, over, default);
        self.set(key, Some(&Data::from(merged.text.as_str())));
        self.rebased.merged_template = merged.text != over;
        if !merged.conflicts.is_empty() {
            self.conflict(key, merged.conflicts);
        }
    }

    /// Drops copies of the old default's cases: its cases of today run anyway, and those of old may not fit any more.
    fn test_cases(&mut self) {
        let key = "validation.test_cases";
        let (base, default) = (get(&self.base, key), get(&self.default, key));
        let (Some(Data::List(own)), Some(Data::List(old))) = (get(&self.over, key), &base) else {
            return;
        };
        let kept: Vec<Data> = own
            .iter()
            .filter(|case| !old.contains(case))
            .cloned()
            .collect();
        if base == default || kept.len() == own.len() {
            return;
        }
        self.rebased.followed.push(key.to_owned());
        let kept = (!kept.is_empty()).then(|| Data::List(kept.into()));
        self.set(key, kept.as_ref());
    }

    fn follow(&mut self, key: &str) {
        self.set(key, None);
        self.rebased.followed.push(key.to_owned());
    }

    fn conflict(&mut self, key: &str, hunks: Vec<Hunk>) {
        self.rebased.conflicts.push(Conflict {
            key: key.to_owned(),
            base: get(&self.base, key),
            default: get(&self.default, key),
            over: get(&self.over, key),
            hunks,
        });
    }

    fn set(&mut self, key: &str, value: Option<&Data>) {
        self.rebased.data =
            put(&self.rebased.data, key, value).unwrap_or_else(|| Data::Map(Vec::new().into()));
    }
}

fn get(leaves: &Leaves, key: &str) -> Option<Data> {
    leaves
        .iter()
        .find_map(|(known, value)| (known == key).then(|| value.clone()))
}

fn format(leaves: &Leaves) -> Data {
    get(leaves, "template_format").unwrap_or_else(|| Data::from("jinja2"))
}

#[cfg(test)]
mod tests {
    use prompt_slots::{Layer, Limits};
    use proptest::prelude::*;

    use super::*;
    use crate::surgery::rewrite;

    #[track_caller]
    fn read(yaml: &str, layer: Layer) -> SlotText {
        SlotText::read(yaml.as_bytes(), layer, &Limits::DEFAULT).expect("the text is valid")
    }

    /// Returns the override's data without `based_on`, and the keys of the conflicts.
    #[track_caller]
    fn merged(base: &str, default: &str, over: &str) -> (String, Vec<String>) {
        let [base, default] = [base, default].map(|yaml| read(yaml, Layer::Bundled));
        let rebased = rebase(&base, &default, &read(over, Layer::App));
        let data = put(&rebased.data, "based_on", None);
        let keys = rebased.conflicts.into_iter().map(|it| it.key).collect();
        (
            data.map(|data| data.to_json().to_string())
                .unwrap_or_default(),
            keys,
        )
    }

    #[test]
    fn every_way_in_which_a_value_can_move() {
        let keep = |over: &str| (over.to_owned(), Vec::new());
        for (base, default, over, expected) in [
            // Only the override has a value of its own.
            (
                "llm: {seed: 1}",
                "llm: {seed: 1}",
                "llm: {seed: 2}",
                keep(r#"{"llm":{"seed":2}}"#),
            ),
            // Only the default moved.
            (
                "llm: {seed: 1}",
                "llm: {seed: 3}",
                "llm: {seed: 1}",
                keep(""),
            ),
            // Nothing moved: what the override pins stays pinned.
            (
                "llm: {seed: 1}",
                "llm: {seed: 1}",
                "llm: {seed: 1}",
                keep(r#"{"llm":{"seed":1}}"#),
            ),
            // Both moved to the same value.
            (
                "llm: {seed: 1}",
                "llm: {seed: 2}",
                "llm: {seed: 2}",
                keep(r#"{"llm":{"seed":2}}"#),
            ),
            // The default took its value away, or set one for the first time.
            (
                "llm: {seed: 1}",
                "{}",
                "llm: {seed: 1, top_p: 1}",
                keep(r#"{"llm":{"top_p":1.0}}"#),
            ),
            (
                "{}",
                "llm: {seed: 3}",
                "llm: {seed: 3}",
                keep(r#"{"llm":{"seed":3}}"#),
            ),
            // `null` is a value of its own.
            (
                "llm: {seed: 1}",
                "llm: {seed: 1}",
                "llm: {seed: null}",
                keep(r#"{"llm":{"seed":null}}"#),
            ),
            // Attributes of a variable are merged apart.
            (
                "variables: {a: {description: x, default: 1}}",
                "variables: {a: {description: x, default: 2}}",
                "variables: {a: mine}",
                keep(r#"{"variables":{"a":"mine"}}"#),
            ),
        ] {
            assert_eq!(
                merged(base, default, over),
                expected,
                "{base} | {default} | {over}"
            );
        }
        let conflict = |key: &str, over: &str| (over.to_owned(), vec![key.to_owned()]);
        for (base, default, over, expected) in [
            (
                "llm: {seed: 1}",
                "llm: {seed: 3}",
                "llm: {seed: 2}",
                conflict("llm.seed", r#"{"llm":{"seed":2}}"#),
            ),
            (
                "llm: {seed: 1}",
                "{}",
                "llm: {seed: 2}",
                conflict("llm.seed", r#"{"llm":{"seed":2}}"#),
            ),
            (
                "{}",
                "llm: {seed: 3}",
                "llm: {seed: 2}",
                conflict("llm.seed", r#"{"llm":{"seed":2}}"#),
            ),
            (
                "llm: {seed: 1}",
                "llm: {seed: 3}",
                "llm: {seed: null}",
                conflict("llm.seed", r#"{"llm":{"seed":null}}"#),
            ),
        ] {
            assert_eq!(
                merged(base, default, over),
                expected,
                "{base} | {default} | {over}"
            );
        }
    }

    #[test]
    fn a_template_is_merged_by_line() {
        let base = "template: \"a\\nb\\nc\\nd\\ne\\n\"";
        let default = "template: \"a\\nb\\nc\\nd\\nE\\n\"";
        let over = |text: &str| format!("template: {}", Data::from(text).to_yaml());
        let json = |text: &str| format!("{{\"template\":{}}}", Data::from(text).to_json());
        assert_eq!(
            merged(base, default, &over("A\nb\nc\nd\ne\n")),
            (json("A\nb\nc\nd\nE\n"), vec![])
        );
        assert_eq!(
            merged(base, default, &over("a\nb\nc\nd\ne\n")),
            (String::new(), vec![])
        );
        let (text, keys) = merged(base, default, &over("A\nb\nc\nd\nx\n"));
        assert_eq!(
            (text, keys),
            (json("A\nb\nc\nd\nx\n"), vec!["template".to_owned()])
        );
    }

    #[test]
    fn a_template_keeps_the_language_that_it_was_written_in() {
        let base = "{template: 'say it, {{ x }}', variables: {x: y}}";
        let default = "{template: 'say it, {x}', variables: {x: y}, template_format: f-string}";
        let (data, keys) = merged(base, default, "template: 'go, {{ x }}'");
        assert_eq!(
            data,
            r#"{"template":"go, {{ x }}","template_format":"jinja2"}"#
        );
        assert_eq!(keys, ["template_format", "template"]);
    }

    #[test]
    fn copies_of_the_old_default_s_cases_go_and_own_ones_stay() {
        let case = |name: &str| format!("{{name: {name}, input: {{}}}}");
        let cases = |names: &[&str]| {
            let cases: Vec<String> = names.iter().map(|name| case(name)).collect();
            format!("validation: {{test_cases: [{}]}}", cases.join(", "))
        };
        let (data, keys) = merged(
            &cases(&["a", "b"]),
            &cases(&["a"]),
            &cases(&["a", "b", "mine"]),
        );
        assert_eq!(
            data,
            r#"{"validation":{"test_cases":[{"name":"mine","input":{}}]}}"#
        );
        assert!(keys.is_empty());
    }

    /// What a default may say, a line for each section.
    const SAID: [&[&str]; 7] = [
        &["enabled: true\n", "enabled: false # off\n"],
        &["# why\ndescription: one\n", "description: ''\n"],
        &[
            "template_format: jinja2\ntemplate: hi\n",
            "template: |\n  one\n\n  two\n",
        ],
        &[
            "llm:\n  model: small # cheap\n  temperature: 0\n",
            "llm: {stop: [], seed: 1, extra: {a: false, b: {c: 1}}}\n",
        ],
        &[
            "variables: {a: {default: 1, required: false}, b: text}\n",
            "variables:\n  # who\n  a: {description: text}\n",
        ],
        &["output_schema: {type: object}\n"],
        &["validation:\n  test_cases:\n    - input: {a: x}\n    - {name: n, input: {}}\n"],
    ];

    /// What an override alone may say in their place.
    const SAID_ABOVE: [&[&str]; 7] = [
        &["x-own: [1, 2] # kept\n"],
        &["description: null\n"],
        &[
            "template_edits:\n  - find: one\n    replace: three\n",
            "template_prepend: first\ntemplate_append: last\n",
            "template: '{a}'\ntemplate_format: f-string\n",
        ],
        &["llm: {seed: null, extra: {a: null}}\n", "llm: {seed: 2}\n"],
        &["variables: {b: {default: [null]}}\n"],
        &["output_schema: null\n"],
        &["validation: {test_cases: [{input: {}}]}\n"],
    ];

    /// Writes a file that says some of this, in any order.
    fn file(above: bool) -> impl Strategy<Value = String> {
        let sections: Vec<_> = SAID
            .into_iter()
            .zip(SAID_ABOVE)
            .map(|(below, own)| {
                let own = if above { own } else { &[] };
                prop::option::of(prop::sample::select([below, own].concat()))
            })
            .collect();
        let shuffled = sections.prop_flat_map(|sections| Just(sections).prop_shuffle());
        shuffled.prop_map(|sections| sections.into_iter().flatten().collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn where_the_default_did_not_move_an_override_stays_byte_for_byte(base in file(false), said in file(true)) {
            let base = read(&base, Layer::Bundled);
            let text = format!("based_on: \"{}\"\n{said}", base.fingerprint());
            let over = read(&text, Layer::App);
            let rebased = rebase(&base, &base, &over);
            prop_assert!(rebased.conflicts.is_empty());
            prop_assert!(rebased.followed.is_empty(), "{:?}", rebased.followed);
            prop_assert!(!rebased.merged_template);
            prop_assert_eq!(&rebased.data, &over.to_data());
            let after = rewrite(&text, &rebased.data, &Limits::DEFAULT).expect("both are valid");
            prop_assert_eq!(after, text);
        }
    }
}
