//! What the loader tells of the files in the app directory, and of one layer alone.

use std::fs;

use crate::support::{AppDir, greeter};
use prompt_slots::{Data, ErrorKind, Layer, OnInvalid, OverrideState, PromptLoader};

fn loader(files: &[(&str, &str)]) -> PromptLoader {
    PromptLoader::builder()
        .app_memory(files.iter().copied())
        .build()
}

#[track_caller]
fn state(loader: &PromptLoader, file: &str) -> OverrideState {
    let overrides = loader.overrides().expect("the directory can be listed");
    let found = overrides.iter().find(|known| known.file == file);
    found.expect("the file is listed").state
}

#[test]
fn each_override_has_a_state() {
    let loader = loader(&[
        ("episode_extract", "enabled: true"),
        ("boundary_detection", "llm: {temperature: 1}"),
        ("greeting", "enabled: true\ntemplate: Hello"),
        ("broken", "templte: x"),
    ]);
    assert_eq!(
        state(&loader, "episode_extract.yaml"),
        OverrideState::InForce
    );
    assert_eq!(
        state(&loader, "boundary_detection.yaml"),
        OverrideState::NoEffect
    );
    assert_eq!(state(&loader, "greeting.yaml"), OverrideState::NewSlot);
    assert_eq!(state(&loader, "broken.yaml"), OverrideState::Invalid);
}

#[test]
fn an_override_that_repeats_the_default_or_says_nothing_is_the_same_as_the_default() {
    for yaml in [
        "enabled: false",
        "",
        "# later",
        "x-note: mine",
        "based_on: 0123abcd",
    ] {
        let loader = loader(&[("episode_extract", yaml)]);
        assert_eq!(
            state(&loader, "episode_extract.yaml"),
            OverrideState::SameAsDefault,
            "{yaml:?}"
        );
    }
}

#[test]
fn an_invalid_override_is_told_even_where_the_default_stands_in_for_it() {
    let loader = PromptLoader::builder()
        .app_memory([("episode_extract", "enabled: yes")])
        .on_invalid(OnInvalid::UseBelow)
        .build();
    let overrides = loader.overrides().expect("the directory can be listed");
    assert_eq!(overrides[0].state, OverrideState::Invalid);
    assert!(overrides[0].findings[0].is_error());
}

#[test]
fn a_look_alike_is_an_error_where_it_stands_in_the_way_and_a_warning_elsewhere() {
    let dir = tempfile::tempdir().expect("a directory can be made");
    for file in [
        "episode_extract.yml",
        "boundary_detection.yaml",
        "boundary_detection.yaml.bak",
        ".hidden.yaml",
        "notes.md",
    ] {
        fs::write(dir.path().join(file), "enabled: true\n").expect("the file can be written");
    }
    let loader = PromptLoader::builder().app_dir(dir.path()).build();
    let overrides = loader.overrides().expect("the directory can be listed");
    let told: Vec<_> = overrides
        .iter()
        .map(|file| {
            let is_error = file.findings.iter().any(prompt_slots::Finding::is_error);
            (
                file.file.as_str(),
                file.slot.as_deref(),
                file.state,
                is_error,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (
                "boundary_detection.yaml",
                Some("boundary_detection"),
                OverrideState::InForce,
                false
            ),
            (
                "boundary_detection.yaml.bak",
                Some("boundary_detection"),
                OverrideState::LookAlike,
                false
            ),
            (
                "episode_extract.yml",
                Some("episode_extract"),
                OverrideState::LookAlike,
                true
            ),
            ("notes.md", None, OverrideState::Ignored, false),
        ]
    );
}

#[test]
fn one_layer_alone_is_what_it_says_and_not_what_it_comes_to() {
    // It does not fit the default: a required variable is lost.
    let loader = loader(&[("episode_extract", "template: nothing # really\n")]);
    let app = loader
        .layer_data("episode_extract", Layer::App)
        .expect("it is valid in itself");
    assert_eq!(app, Some(Data::map([("template", Data::from("nothing"))])));
    let source = loader
        .layer_source("episode_extract", Layer::App)
        .expect("it can be read");
    assert_eq!(
        source.as_deref(),
        Some(&b"template: nothing # really\n"[..])
    );

    let bundled = loader
        .layer_data("episode_extract", Layer::Bundled)
        .expect("the name is fine");
    assert_eq!(
        bundled.and_then(|data| data.get("enabled").cloned()),
        Some(Data::Bool(false))
    );
    assert_eq!(
        loader
            .layer_data("episode_extract", Layer::Runtime)
            .expect("the name is fine"),
        None
    );
    assert_eq!(
        loader
            .layer_source("nobody", Layer::Bundled)
            .expect("the name is fine"),
        None
    );
    let error = loader
        .layer_source("../x", Layer::App)
        .expect_err("it is no name");
    assert_eq!(error.kind(), ErrorKind::InvalidName);
}

#[test]
fn a_bundle_tells_the_directory_that_it_was_made_from() {
    let bundle = PromptLoader::new().bundle();
    assert_eq!(
        (bundle.name(), bundle.dir()),
        ("prompt-slots", "config/prompt_slots")
    );
}

#[test]
fn a_directory_that_cant_be_listed_stops_no_program_that_goes_on_with_its_defaults() {
    let dir = tempfile::tempdir().unwrap();
    let no_dir = dir.path().join("file");
    fs::write(&no_dir, "no directory").unwrap();
    let loader = |on_invalid| {
        let builder = PromptLoader::builder().app_dir(&no_dir);
        builder.on_invalid(on_invalid).build()
    };
    assert!(loader(OnInvalid::Fail).check_all().is_err());

    let loader = loader(OnInvalid::UseBelow);
    loader.check_all().unwrap();
    let shown = no_dir.to_string_lossy();
    let of_dir = |finding: &prompt_slots::Finding| finding.file.as_deref() == Some(&shown);
    assert!(loader.findings().iter().any(of_dir));
    loader.refresh();
    assert!(!loader.findings().iter().any(of_dir));
}

#[test]
fn an_override_in_memory_that_no_slot_can_have_is_told() {
    let loader = loader(&[("episode_extract.yaml", "enabled: true"), ("One", "")]);
    let said = loader.check_all().unwrap_err();
    assert_eq!(said.kind(), ErrorKind::InvalidName);
    assert_eq!(said.findings(), loader.findings());
    let said: Vec<_> = said.findings().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    `One` is no slot name: `O` can't stand in a slot name: use a-z, 0-9, `_` and `-` (known are `boundary_detection`, `episode_extract`)
    `episode_extract.yaml` is no slot name: `.` can't stand in a slot name: use a-z, 0-9, `_` and `-` (known are `boundary_detection`, `episode_extract`)
    ");
}

#[test]
fn an_override_that_switches_a_default_off_is_in_force() {
    let off = "enabled: false\nllm: {model: x}";
    let loader = greeter().app_memory([("greeting", off)]).build();
    assert_eq!(state(&loader, "greeting.yaml"), OverrideState::InForce);
    assert_eq!(loader.findings().len(), 0);
}

#[test]
fn a_blank_text_that_is_enabled_is_told() {
    for (name, yaml) in [
        ("greeting", "template: |\n"),
        ("greeting", "template: '  '"),
        ("own", "enabled: true\nllm: {model: x}"),
    ] {
        let loader = greeter().app_memory([(name, yaml)]).build();
        assert_eq!(loader.load(name).unwrap(), None, "{yaml}");
        let findings = loader.findings();
        assert_eq!(findings.len(), 1, "{yaml}: {findings:?}");
        assert!(
            findings[0].message.contains("built-in prompt is used"),
            "{}",
            findings[0]
        );
        assert!(!findings[0].is_error());
    }
    let off = greeter().app_memory([("greeting", "enabled: false\ntemplate: ''")]);
    assert_eq!(off.build().findings().len(), 0);
}

#[test]
fn a_file_that_has_a_slots_name_and_another_ending_is_told() {
    let dir = AppDir::new();
    for file in [
        "greeting",
        "greeting.json",
        "greeting.j2",
        "greeting.md",
        "other.json",
    ] {
        dir.write(file, "x");
    }
    let loader = greeter().app_dir(dir.path()).build();
    let overrides = loader.overrides().unwrap();
    let told = overrides
        .iter()
        .map(|it| (it.file.as_str(), it.findings.len()));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            ("greeting", 1),
            ("greeting.j2", 1),
            ("greeting.json", 1),
            ("greeting.md", 0),
            ("other.json", 0)
        ]
    );
    let said = overrides[0].findings[0].to_string();
    assert!(said.ends_with("greeting: an override of `greeting` is called `greeting.yaml`, so this file is not read (rename it to `greeting.yaml`, or move it away)"), "{said}");
    assert_eq!(overrides[0].state, OverrideState::LookAlike);
}
