//! Overrides whose default moved since they were written.

use std::fs;

use prompt_slots::{
    BUNDLE, Data, Layer, Limits, OverrideFile, OverrideState, PromptLoader, SlotText,
};

use crate::support::bundle_with;

const NAME: &str = "episode_extract";

/// The default of an older release: today's, with one setting and one line that differ.
fn old_default() -> String {
    let today = BUNDLE.original(NAME).expect("the slot is bundled");
    let old = today.replace("temperature: 0.3", "temperature: 0.2");
    old.replace("at most eight sentences", "at most ten sentences")
}

#[track_caller]
fn fingerprint(default: &str) -> String {
    let read = SlotText::read(default.as_bytes(), Layer::Bundled, &Limits::DEFAULT);
    read.expect("it is valid").fingerprint().to_string()
}

/// Returns what becomes of an override that was written for the old default; `base` is the copy that was kept of it.
#[track_caller]
fn state(over: &str, base: Option<&str>) -> OverrideFile {
    let dir = tempfile::tempdir().expect("a directory can be made");
    let over = over.replace("[old]", &fingerprint(&old_default()));
    fs::write(dir.path().join(format!("{NAME}.yaml")), over).expect("it can be written");
    let loader = PromptLoader::builder().app_dir(dir.path()).build();
    if let Some(base) = base {
        let path = loader
            .base_path(NAME)
            .expect("the name is good")
            .expect("the layer is on");
        fs::create_dir(path.parent().expect("it has a directory")).expect("it can be made");
        fs::write(path, base).expect("it can be written");
    }
    let mut files = loader.overrides().expect("the directory can be listed");
    assert_eq!(files.len(), 1);
    files.remove(0)
}

#[test]
fn keys_that_hide_a_change_of_the_default_are_named() {
    let old = old_default();
    for (over, moved) in [
        (
            "llm: {temperature: 0.9, max_tokens: 5}",
            vec!["llm.temperature"],
        ),
        ("llm: {temperature: 0.2}", vec!["llm.temperature"]),
        ("llm: {temperature: null}", vec!["llm.temperature"]),
        ("template: 'JSON of {{ memcell.text }}'", vec!["template"]),
        // What the default says today hides nothing; nor does what was not changed, or changes the text of today.
        ("llm: {temperature: 0.3, max_tokens: 5}", vec![]),
        ("llm: {max_tokens: 5}", vec![]),
        (
            "template_edits: [{find: in a neutral tone, replace: warmly}]",
            vec![],
        ),
        ("template_append: Be brief.", vec![]),
    ] {
        let file = state(
            &format!("based_on: [old]\nenabled: true\n{over}\n"),
            Some(&old),
        );
        assert_eq!(file.moved, moved, "{over}");
        let expected = if moved.is_empty() {
            OverrideState::InForce
        } else {
            OverrideState::DefaultMoved
        };
        assert_eq!(file.state, expected, "{over}");
        assert_eq!(
            file.findings.len(),
            usize::from(!moved.is_empty()),
            "{over}"
        );
        assert!(
            file.findings.iter().all(|finding| !finding.is_error()),
            "{over}"
        );
    }
}

#[test]
fn without_the_old_default_it_is_only_known_that_it_moved() {
    let today = BUNDLE.original(NAME).expect("the slot is bundled");
    for base in [None, Some(today), Some("enabled: maybe")] {
        let file = state("based_on: [old]\nenabled: true\nllm: {seed: 1}\n", base);
        assert_eq!(
            (file.state, file.moved.len()),
            (OverrideState::DefaultMoved, 0)
        );
        assert!(
            file.findings[0].message.contains("not known"),
            "{:?}",
            file.findings
        );
    }
    // What hides nothing can't hide a change.
    let edits =
        "based_on: [old]\ntemplate_edits: [{find: in a neutral tone, replace: warmly}]\nx-a: 1\n";
    assert_ne!(state(edits, None).state, OverrideState::DefaultMoved);
}

#[test]
fn an_override_of_today_s_default_or_of_none_is_in_force() {
    let today = BUNDLE
        .fingerprint(NAME)
        .expect("the slot is bundled")
        .to_string();
    for based_on in [
        format!("based_on: \"{today}\""),
        format!("based_on: \"{}\"", &today[..8]),
        String::new(),
    ] {
        let file = state(
            &format!("{based_on}\nenabled: true\nllm: {{seed: 1}}\n"),
            None,
        );
        assert_eq!(
            (file.state, file.findings.len()),
            (OverrideState::InForce, 0),
            "{based_on}"
        );
    }
}

#[test]
fn a_text_is_judged_as_an_override_without_being_in_force() {
    let loader = PromptLoader::builder().without_app_layer().build();
    let (slot, remarks) = loader
        .try_override(NAME, "draft.yaml", b"enabled: true\nllm: {seed: 1}\n")
        .expect("it is good");
    assert!(slot.is_enabled() && remarks.is_empty());
    let (_, remarks) = loader
        .try_override(NAME, "draft.yaml", b"llm: {seed: 1}\n")
        .expect("it is good");
    assert_eq!(remarks.len(), 1);
    let error = loader
        .try_override(NAME, "draft.yaml", b"llm: {sed: 1}\n")
        .expect_err("it is not good");
    assert!(
        error.to_string().contains("draft.yaml:1:7: `llm.sed`"),
        "{error}"
    );
    assert!(loader.load(NAME).expect("the default is good").is_none());
    assert!(loader.try_override("../x", "draft.yaml", b"").is_err());
}

#[test]
fn the_text_of_a_file_says_its_leaves_and_their_places() {
    let text = "description: null\nllm:\n  extra: {a: 1}\nvariables:\n  b: x\n  c: {default: 2, required: false}\n";
    let text = SlotText::read(text.as_bytes(), Layer::App, &Limits::DEFAULT).expect("it is valid");
    let keys: Vec<String> = text.leaves().into_iter().map(|(key, _)| key).collect();
    assert_eq!(
        keys,
        [
            "description",
            "llm.extra.a",
            "variables.b.description",
            "variables.c.default",
            "variables.c.required"
        ]
    );
    assert_eq!(
        text.pos("variables.b").map(|pos| (pos.line, pos.column)),
        Some((5, 3))
    );
    assert_eq!(text.pos("llm.model"), None);
}

#[test]
fn what_the_build_enables_by_default_is_enabled_in_an_older_default_too() {
    let [old, today] = [1, 2].map(|seed| format!("template: Hello\nllm: {{seed: {seed}}}\n"));
    let bundle = bundle_with(&today, true);
    let read = |text: &str| SlotText::read_default(text.as_bytes(), bundle).expect("it is valid");
    assert_eq!(
        Some(read(&today).fingerprint()),
        bundle.fingerprint("greeting")
    );

    let dir = tempfile::tempdir().expect("a directory can be made");
    let based_on = read(&old).fingerprint();
    let over = format!("based_on: \"{based_on}\"\nenabled: true\nllm: {{seed: 9}}\n");
    fs::write(dir.path().join("greeting.yaml"), over).expect("it can be written");
    fs::create_dir(dir.path().join(".base")).expect("it can be made");
    fs::write(dir.path().join(".base/greeting.yaml"), &old).expect("it can be written");
    let loader = PromptLoader::builder()
        .bundle(bundle)
        .app_dir(dir.path())
        .build();
    let files = loader.overrides().expect("the directory can be listed");
    assert_eq!(files[0].state, OverrideState::DefaultMoved);
    assert_eq!(files[0].moved, ["llm.seed"]);
    let base = loader.base_data("greeting").expect("it is valid");
    let enabled = base.as_ref().and_then(|base| base.get("enabled"));
    assert_eq!(enabled, Some(&Data::Bool(true)));
}
