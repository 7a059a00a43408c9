//! Laws of the merge, for layers that nobody thought of.

use std::collections::BTreeMap;

use prompt_slots::{Data, Layer, Override, Slot};
use proptest::prelude::*;

use crate::support::{fold, layered};

/// Leaf keys that layers may set in any combination, with values that are easily taken for nothing.
const LEAVES: [(&str, &[&str]); 10] = [
    ("enabled", &["true", "false"]),
    ("description", &["''", "one", "two"]),
    ("template", &["''", "plain", "\"other\\n\""]),
    ("llm.model", &["large", "small", "'null'"]),
    ("llm.temperature", &["0", "0.0", "2"]),
    ("llm.max_tokens", &["1", "50"]),
    ("llm.stop", &["[]", "[a]", "[a, b]"]),
    ("llm.seed", &["0", "-1"]),
    ("llm.extra.a", &["false", "[]", "{}", "''"]),
    ("llm.extra.b", &["0", "{c: 1}"]),
];

/// What one layer sets, by key.
type Said = BTreeMap<&'static str, &'static str>;

fn layer() -> impl Strategy<Value = Said> {
    let leaves: Vec<_> = LEAVES
        .into_iter()
        .map(|(key, values)| {
            let value = proptest::option::of(proptest::sample::select(values));
            value.prop_map(move |value| value.map(|value| (key, value)))
        })
        .collect();
    leaves.prop_map(|leaves| leaves.into_iter().flatten().collect())
}

/// Writes a layer as a slot file.
fn yaml(said: &Said) -> String {
    let section = |prefix: &str| {
        let inside = said.iter().filter_map(|(key, value)| {
            let name = key.strip_prefix(prefix)?;
            (!name.contains('.')).then(|| format!("{name}: {value}"))
        });
        inside.collect::<Vec<_>>()
    };
    let mut lines = section("");
    let mut llm = section("llm.");
    let extra = section("llm.extra.");
    if !extra.is_empty() {
        llm.push(format!("extra: {{{}}}", extra.join(", ")));
    }
    if !llm.is_empty() {
        lines.push(format!("llm: {{{}}}", llm.join(", ")));
    }
    lines.join("\n")
}

fn values(slot: &Slot) -> BTreeMap<String, Option<Data>> {
    let keys = slot.explain().keys.into_iter();
    keys.map(|explained| (explained.key, explained.value))
        .collect()
}

fn merged(bundled: &Said, app: &Said, runtime: &Said) -> Slot {
    fold(&yaml(bundled), &yaml(app), &yaml(runtime))
        .expect("these layers are valid in any combination")
}

/// What the table of the merge says of these keys, written a second time and as plainly as possible.
fn expected(layers: [&Said; 3]) -> BTreeMap<&'static str, (Layer, &'static str)> {
    let mut expected = BTreeMap::new();
    for (layer, said) in Layer::ALL.into_iter().zip(layers) {
        expected.extend(said.iter().map(|(key, value)| (*key, (layer, *value))));
        if layer == Layer::Runtime && said.contains_key("template") && !said.contains_key("enabled")
        {
            expected.insert("enabled", (layer, "true"));
        }
    }
    expected
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_highest_layer_that_sets_a_key_wins_and_is_its_origin(b in layer(), a in layer(), r in layer()) {
        let slot = merged(&b, &a, &r);
        let expected = expected([&b, &a, &r]);
        let found = values(&slot);
        prop_assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (key, (layer, value)) in expected {
            let alone = Said::from([(key, value)]);
            let said = values(&merged(&alone, &Said::new(), &Said::new()));
            prop_assert_eq!(&found[key], &said[key], "{}", key);
            prop_assert_eq!(slot.origin(key).map(|origin| origin.layer), Some(layer), "{}", key);
        }
    }

    #[test]
    fn an_empty_layer_is_neutral_wherever_it_stands(one in layer(), other in layer()) {
        let nothing = Said::new();
        let enabled_by_template = Said::from([("enabled", "true")]);
        // As the top layer a template switches the slot on; say so below as well, so that only the place differs.
        let mut top = other.clone();
        if other.contains_key("template") && !other.contains_key("enabled") {
            top.extend(enabled_by_template);
        }
        let low = merged(&one, &top, &nothing);
        let high = merged(&one, &nothing, &top);
        let upper = merged(&nothing, &one, &top);
        for slot in [&high, &upper] {
            prop_assert_eq!(slot.to_data(), low.to_data());
            prop_assert_eq!(slot.fingerprint(), low.fingerprint());
            prop_assert_eq!(slot.template(), low.template());
        }
    }

    #[test]
    fn a_layer_over_itself_changes_nothing(b in layer(), a in layer()) {
        let once = merged(&b, &a, &Said::new());
        let mut again = a.clone();
        again.entry("enabled").or_insert(if once.is_enabled() { "true" } else { "false" });
        let twice = merged(&b, &a, &again);
        prop_assert_eq!(twice.fingerprint(), once.fingerprint());
    }

    #[test]
    fn each_layer_counts_once(cases in proptest::array::uniform3(0..4_usize), words in proptest::array::uniform2("[a-z]{1,5}")) {
        let names = |layer: usize| (0..cases[layer]).map(move |index| format!("{layer}-{index}"));
        let said = |layer: usize| {
            let cases: Vec<_> = names(layer).map(|name| format!("{{name: {name}, input: {{}}}}")).collect();
            format!("validation: {{test_cases: [{}]}}", cases.join(", "))
        };
        let append = |layer: usize| format!("template_append: '<{}>'\n{}", words[layer - 1], said(layer));
        let bundled = format!("template: '.'\n{}", said(0));
        let slot = fold(&bundled, &append(1), &append(2)).expect("these layers are valid");
        let text = slot.text().map(|text| text.replace('\n', ""));
        let wanted = format!(".<{}><{}>", words[0], words[1]);
        prop_assert_eq!(text.as_deref(), Some(wanted.as_str()));
        let found: Vec<_> = slot.test_cases().filter_map(|case| case.name().map(str::to_owned)).collect();
        prop_assert_eq!(found, (0..3).flat_map(names).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_asked_one_by_one_agrees_with_what_is_explained(b in layer(), a in layer(), r in layer()) {
        let slot = merged(&b, &a, &r);
        let values = values(&slot);
        let value = |key: &str| values.get(key).cloned().flatten();
        prop_assert_eq!(slot.llm().model().map(Data::from), value("llm.model"));
        prop_assert_eq!(slot.llm().temperature().map(Data::from), value("llm.temperature"));
        prop_assert_eq!(slot.llm().max_tokens().map(Data::from), value("llm.max_tokens"));
        prop_assert_eq!(slot.llm().seed().map(Data::from), value("llm.seed"));
        prop_assert_eq!(slot.llm().stop().map(|stop| Data::List(stop.map(Data::from).collect())), value("llm.stop"));
        prop_assert_eq!(slot.llm().extra("a").cloned(), value("llm.extra.a"));
        prop_assert_eq!(slot.description().map(Data::from), value("description"));
        prop_assert_eq!(slot.text().as_deref().map(Data::from), value("template"));
        prop_assert_eq!(Data::Bool(slot.is_enabled()), value("enabled").unwrap_or(Data::Bool(false)));
        for explained in slot.explain().keys {
            let origin = slot.origin(&explained.key);
            prop_assert_eq!(origin.as_ref(), Some(&explained.origin), "{}", &explained.key);
            let layers: Vec<_> = explained.overridden.iter().map(|(origin, _)| origin.layer).collect();
            prop_assert!(layers.is_sorted_by(|high, low| high > low), "{:?}", &layers);
            prop_assert!(layers.iter().all(|layer| *layer < explained.origin.layer));
        }
    }

    #[test]
    fn a_slot_that_is_written_out_reads_back_as_the_same_slot(b in layer(), a in layer(), r in layer()) {
        let slot = merged(&b, &a, &r);
        let nothing = Said::new();
        let again = fold(&slot.to_data().to_yaml(), "", "").unwrap();
        prop_assert_eq!(again.to_data(), slot.to_data());
        prop_assert_eq!(again.fingerprint(), slot.fingerprint());
        prop_assert_eq!(again.template(), slot.template());
        // As an override over nothing it says the same, too.
        let over = fold(&yaml(&nothing), &slot.to_data().to_yaml(), "").unwrap();
        prop_assert_eq!(over.fingerprint(), slot.fingerprint());
    }

    #[test]
    fn any_text_that_is_written_out_reads_back_as_it_was(text in "[ -z|}~\\t\\n\u{e9}\u{feff}\u{2028}\u{85}]{0,40}") {
        let said = Data::map([("template", Data::from(text.as_str())), ("description", Data::from(text.as_str()))]);
        let slot = fold(&said.to_yaml(), "", "").unwrap();
        prop_assert_eq!(slot.text().map(|text| text.to_string()), Some(text));
        let again = fold(&slot.to_data().to_yaml(), "", "").unwrap();
        prop_assert_eq!(again.fingerprint(), slot.fingerprint());
    }

    #[test]
    fn load_and_resolve_agree(b in layer(), a in layer()) {
        let loader = layered(&yaml(&b), &yaml(&a));
        let slot = loader.resolve("greeting", &Override::new()).unwrap();
        prop_assert_eq!(loader.load("greeting").unwrap(), slot.template());
        let is_live = slot.is_enabled() && slot.text().is_some_and(|text| !text.trim().is_empty());
        prop_assert_eq!(slot.template().is_some(), is_live);
    }

    #[test]
    fn edits_and_additions_of_a_layer_are_those_of_plain_text(
        text in "[a-c \n]{0,20}x[a-c \n]{0,20}", head in "[a-c \n]{1,8}", tail in "[a-c \n]{1,8}", new in "[d-f\n]{0,8}",
    ) {
        let app = format!("template_edits: [{{find: x, replace: {new:?}}}]\ntemplate_prepend: {head:?}\ntemplate_append: {tail:?}\n");
        let slot = fold(&format!("template: {text:?}"), &app, "").unwrap();
        let join = |first: String, second: &str| {
            let apart = first.is_empty() || second.is_empty() || first.ends_with('\n') || second.starts_with('\n');
            first + if apart { "" } else { "\n" } + second
        };
        let expected = join(join(head, &text.replace('x', &new)), &tail);
        prop_assert_eq!(slot.text().map(|text| text.to_string()), Some(expected));
    }
}
