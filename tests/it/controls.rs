//! Emergency controls in the environment. Each test is a process of its own: an environment can't be changed from within.

use prompt_slots::{Layer, OnInvalid, Override, OverrideState, PromptLoader, Severity};

use crate::root::Child;
use crate::support::{AppDir, greeter};

const IGNORE: &str = "EVEROS_PROMPT_SLOTS_IGNORE";
const ON_INVALID: &str = "EVEROS_PROMPT_SLOTS_ON_INVALID";

/// Makes a root with two overrides of defaults, one of them broken, and a slot of its own.
fn root() -> AppDir {
    let dir = AppDir::new();
    std::fs::create_dir(dir.file("prompt_slots")).unwrap();
    dir.write("prompt_slots/episode_extract.yaml", "enabled: true\n");
    dir.write("prompt_slots/boundary_detection.yaml", "templte: x\n");
    dir.write("prompt_slots/own.yaml", "enabled: true\ntemplate: mine\n");
    dir
}

#[track_caller]
fn with(variables: &[(&str, &str)]) -> String {
    let root = root();
    let mut child = Child::of("controls::tells_what_its_controls_do");
    child.env("EVEROS_ROOT", root.path());
    for (name, value) in variables {
        child.env(name, value);
    }
    let told = child.output();
    let lines = told.lines().filter_map(|line| line.strip_prefix("told: "));
    root.without_path(&lines.collect::<Vec<_>>().join("\n"))
}

#[test]
#[ignore = "runs as the child of other tests"]
fn tells_what_its_controls_do() {
    let loader = PromptLoader::new();
    println!();
    for control in loader.controls() {
        assert_eq!(
            (control.severity, control.layer),
            (Severity::Warning, Some(Layer::App))
        );
        println!("told: {control}");
    }
    for name in ["boundary_detection", "episode_extract", "own"] {
        let shown = match loader.load(name) {
            Ok(Some(_)) => "a prompt",
            Ok(None) => "none",
            Err(_) => "an error",
        };
        let layers = loader.resolve(name, &Override::new()).map(|slot| {
            let has_app = slot.layers().any(|layer| layer == Layer::App);
            let explained = slot.explain().keys.into_iter();
            assert_eq!(
                has_app,
                explained
                    .into_iter()
                    .any(|key| key.origin.layer == Layer::App)
            );
            has_app
        });
        let layers = match layers {
            Ok(true) => "with its override",
            Ok(false) => "the default alone",
            Err(_) => "not to be resolved",
        };
        println!("told: {name}: {shown}, {layers}");
    }
    let names = loader.names().unwrap();
    assert!(loader.findings().starts_with(loader.controls()));
    let off = loader.overrides().unwrap().into_iter();
    let off = off.filter(|file| file.state == OverrideState::SwitchedOff);
    let off: Vec<_> = off.map(|file| file.file).collect();
    println!("told: {}; switched off: {}", names.join(" "), off.join(" "));
}

#[test]
fn without_a_control_nothing_is_told_and_the_program_decides() {
    insta::assert_snapshot!(with(&[]), @"
    boundary_detection: an error, not to be resolved
    episode_extract: a prompt, with its override
    own: a prompt, with its override
    boundary_detection episode_extract own; switched off:
    ");
    insta::assert_snapshot!(with(&[(IGNORE, " "), (ON_INVALID, "")]), @"
    boundary_detection: an error, not to be resolved
    episode_extract: a prompt, with its override
    own: a prompt, with its override
    boundary_detection episode_extract own; switched off:
    ");
}

#[test]
fn a_slot_whose_override_is_switched_off_is_its_default() {
    insta::assert_snapshot!(with(&[(IGNORE, "boundary_detection, episode_extract,")]), @"
    EVEROS_PROMPT_SLOTS_IGNORE switches the override of `boundary_detection`, `episode_extract` off (unset it and restart the program to have it back)
    boundary_detection: none, the default alone
    episode_extract: none, the default alone
    own: a prompt, with its override
    boundary_detection episode_extract own; switched off: boundary_detection.yaml episode_extract.yaml
    ");
}

#[test]
fn all_overrides_can_be_switched_off_at_once() {
    insta::assert_snapshot!(with(&[(IGNORE, "all")]), @"
    EVEROS_PROMPT_SLOTS_IGNORE switches all overrides off (unset it and restart the program to have them back)
    boundary_detection: none, the default alone
    episode_extract: none, the default alone
    own: none, not to be resolved
    boundary_detection episode_extract; switched off: boundary_detection.yaml episode_extract.yaml own.yaml
    ");
}

#[test]
fn a_slot_that_only_the_directory_has_can_be_switched_off_as_well() {
    insta::assert_snapshot!(with(&[(IGNORE, "own")]), @"
    EVEROS_PROMPT_SLOTS_IGNORE names `own`, which has no default (if the app directory has it, it is switched off all the same)
    EVEROS_PROMPT_SLOTS_IGNORE switches the override of `own` off (unset it and restart the program to have it back)
    boundary_detection: an error, not to be resolved
    episode_extract: a prompt, with its override
    own: none, not to be resolved
    boundary_detection episode_extract; switched off: own.yaml
    ");
}

#[test]
fn a_name_that_is_no_slot_is_told_and_the_others_count() {
    insta::assert_snapshot!(with(&[(IGNORE, "episod_extract,boundary_detection,../x")]), @"
    EVEROS_PROMPT_SLOTS_IGNORE names `../x`, which is no slot: `.` can't stand in a slot name: use a-z, 0-9, `_` and `-` (write names of slots with commas between, or `all`)
    EVEROS_PROMPT_SLOTS_IGNORE names `episod_extract`, which has no default (did you mean `episode_extract`?)
    EVEROS_PROMPT_SLOTS_IGNORE switches the override of `boundary_detection`, `episod_extract` off (unset it and restart the program to have it back)
    boundary_detection: none, the default alone
    episode_extract: a prompt, with its override
    own: a prompt, with its override
    boundary_detection episode_extract own; switched off: boundary_detection.yaml
    ");
}

#[test]
fn an_invalid_override_can_be_made_an_error_or_its_default() {
    insta::assert_snapshot!(with(&[(ON_INVALID, "below")]), @"
    EVEROS_PROMPT_SLOTS_ON_INVALID is set: the layers below stand in for an invalid override (unset it and restart the program to leave the choice to the program)
    boundary_detection: none, the default alone
    episode_extract: a prompt, with its override
    own: a prompt, with its override
    boundary_detection episode_extract own; switched off:
    ");
    insta::assert_snapshot!(with(&[(ON_INVALID, "fail")]), @"
    EVEROS_PROMPT_SLOTS_ON_INVALID is set: an invalid override is an error (unset it and restart the program to leave the choice to the program)
    boundary_detection: an error, not to be resolved
    episode_extract: a prompt, with its override
    own: a prompt, with its override
    boundary_detection episode_extract own; switched off:
    ");
}

#[test]
fn a_choice_that_means_nothing_is_told_and_the_program_decides() {
    insta::assert_snapshot!(with(&[(ON_INVALID, "Below\u{1b}[31m")]), @r#"
    EVEROS_PROMPT_SLOTS_ON_INVALID is `Below\u{1b}[31m`, which means nothing (write `fail` or `below`; the program's own choice holds)
    boundary_detection: an error, not to be resolved
    episode_extract: a prompt, with its override
    own: a prompt, with its override
    boundary_detection episode_extract own; switched off:
    "#);
}

#[cfg(unix)]
#[test]
fn a_value_that_is_no_text_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let mut child = Child::of("controls::tells_what_its_controls_do");
    let root = root();
    child.env("EVEROS_ROOT", root.path());
    child.env(IGNORE, std::ffi::OsStr::from_bytes(b"\xff\xfe"));
    let told = child.output();
    assert!(told.contains("which is no slot"), "{told}");
}

#[test]
#[ignore = "runs as the child of other tests"]
fn tells_of_loaders_that_have_no_controls() {
    let broken = [("episode_extract", "templte: x\n")];
    let in_memory = PromptLoader::builder().app_memory(broken).build();
    assert!(in_memory.load("episode_extract").is_err());
    let off = PromptLoader::builder().without_app_layer().build();
    // A bundle without a variable for its root has no names for controls.
    let dir = AppDir::new();
    dir.write("greeting.yaml", "template_append: more\n");
    let nameless = greeter().app_dir(dir.path()).build();
    assert!(
        nameless
            .load("greeting")
            .unwrap()
            .unwrap()
            .ends_with("more")
    );
    for loader in [in_memory, off, nameless] {
        assert_eq!(loader.controls(), []);
    }
    // A directory that the program names is one of files, too; and the environment wins over the program.
    dir.write("episode_extract.yaml", "templte: x\n");
    dir.write("boundary_detection.yaml", "templte: x\n");
    let named = PromptLoader::builder().app_dir(dir.path());
    let named = named.on_invalid(OnInvalid::UseBelow).build();
    assert_eq!(named.controls().len(), 2);
    assert!(named.load("episode_extract").is_ok());
    assert!(named.load("boundary_detection").is_err());
    let tool = PromptLoader::builder()
        .app_dir(dir.path())
        .without_controls();
    assert!(tool.build().load("episode_extract").is_err());
    println!("\nwell");
}

#[test]
fn loaders_that_read_no_files_heed_no_control_and_all_others_do() {
    let mut child = Child::of("controls::tells_of_loaders_that_have_no_controls");
    child.env(IGNORE, "episode_extract").env(ON_INVALID, "fail");
    let told = child.output();
    assert!(told.contains("\nwell"), "{told}");
}
