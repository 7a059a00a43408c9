//! What is logged: each problem once, and never a prompt.

use std::cell::RefCell;
use std::sync::Once;

use log::{Level, LevelFilter, Log, Metadata, Record};
use prompt_slots::{OnInvalid, PromptLoader};

use crate::support::{AppDir, greeter};

thread_local! {
    /// Records are made by whoever calls, so each test sees its own.
    static RECORDS: RefCell<Vec<(Level, String)>> = const { RefCell::new(Vec::new()) };
}

struct Recorder;

impl Log for Recorder {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if record.target().starts_with("prompt_slots") {
            RECORDS.with_borrow_mut(|records| {
                records.push((record.level(), record.args().to_string()));
            });
        }
    }

    fn flush(&self) {}
}

/// Returns what `work` logs at this level.
fn logged(level: Level, work: impl FnOnce()) -> Vec<String> {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        log::set_logger(&Recorder).expect("no other logger");
        log::set_max_level(LevelFilter::Debug);
    });
    RECORDS.take();
    work();
    let records = RECORDS.take().into_iter();
    records
        .filter(|record| record.0 == level)
        .map(|record| record.1)
        .collect()
}

fn ask(loader: &PromptLoader) {
    for _ in 0..3 {
        // What it answers is no matter here.
        let _ = loader.load("greeting");
    }
}

#[test]
fn a_broken_override_is_warned_of_once_for_each_distinct_problem() {
    let dir = AppDir::new();
    for on_invalid in [OnInvalid::Fail, OnInvalid::UseBelow] {
        let loader = greeter().app_dir(dir.path()).on_invalid(on_invalid).build();
        dir.write("greeting.yaml", "templte: x\n");
        let first = logged(Level::Warn, || ask(&loader));
        assert_eq!(first.len(), 1, "{first:?}");
        assert!(
            first[0].contains("slot `greeting`: error: ") && first[0].contains("greeting.yaml:1:1"),
            "{first:?}"
        );
        let again = logged(Level::Warn, || {
            loader.refresh();
            ask(&loader);
        });
        assert_eq!(again, [""; 0]);
        dir.write_settled("greeting.yaml", "enabled: maybe\n");
        assert_eq!(logged(Level::Warn, || ask(&loader)).len(), 1);
    }
}

/// Slots that only operators have are not remembered without a file, or anybody could fill the memory with names.
#[test]
fn what_is_wrong_with_the_whole_directory_is_warned_of_once_and_is_a_finding_until_it_is_repaired()
{
    let dir = AppDir::new();
    dir.write("slots", "a file where the directory should be");
    for on_invalid in [OnInvalid::Fail, OnInvalid::UseBelow] {
        let loader = greeter()
            .app_dir(dir.file("slots"))
            .on_invalid(on_invalid)
            .build();
        let ask = || ["own", "own", "other"].map(|name| loader.load(name).is_ok());
        let warned = logged(Level::Warn, || {
            assert_eq!(ask(), [on_invalid == OnInvalid::UseBelow; 3]);
        });
        assert_eq!(warned.len(), 1, "{warned:?}");
        assert_eq!(loader.findings().len(), 1);
        let path = dir.file("slots");
        std::fs::rename(&path, dir.file("away")).unwrap();
        assert_eq!(ask(), [true; 3]);
        assert_eq!(loader.findings(), []);
        std::fs::rename(dir.file("away"), &path).unwrap();
    }
}

#[test]
fn a_look_alike_of_a_slot_that_only_operators_have_is_warned_of_once() {
    let dir = AppDir::new();
    dir.write("own.yml", "enabled: true\ntemplate: x\n");
    for on_invalid in [OnInvalid::Fail, OnInvalid::UseBelow] {
        let loader = greeter().app_dir(dir.path()).on_invalid(on_invalid).build();
        let warned = logged(Level::Warn, || {
            for _ in 0..3 {
                let _ = loader.load("own");
            }
        });
        assert_eq!(warned.len(), 1, "{warned:?}");
        assert_eq!(loader.findings().len(), 1);
    }
}

#[test]
fn an_override_without_effect_is_warned_of_with_the_next_step() {
    let loader = PromptLoader::builder()
        .app_memory([("episode_extract", "llm: {model: m}\n")])
        .build();
    let warnings = logged(Level::Warn, || {
        for _ in 0..2 {
            assert_eq!(loader.load("episode_extract").unwrap(), None);
        }
    });
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("no effect") && warnings[0].contains("add `enabled: true`"),
        "{warnings:?}"
    );
}

#[test]
fn no_line_of_a_prompt_is_logged() {
    let dir = AppDir::new();
    let loader = greeter()
        .app_dir(dir.path())
        .on_invalid(OnInvalid::UseBelow)
        .build();
    for yaml in [
        "template: |\n  the secret recipe for {{ name }}, {{ tone }}\n",
        "template: |\n  the secret recipe for {{ nmae }}\n",
        "template_edits: [{find: Speak in the secret tone, replace: the secret recipe}]\n",
        "template: |\n  {% if the secret recipe %}\n",
        "template: the secret recipe\n  Speak: in\n",
    ] {
        dir.write("greeting.yaml", yaml);
        loader.refresh();
        for level in [Level::Warn, Level::Debug] {
            loader.refresh();
            let records = logged(level, || ask(&loader)).join("\n");
            assert!(
                !records.contains("secret recipe") && !records.contains("Speak in a"),
                "{yaml}: {records}"
            );
        }
    }
}

#[test]
fn an_override_that_comes_into_force_is_told_at_debug_with_its_id() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", "template_append: more\n");
    let loader = greeter().app_dir(dir.path()).build();
    let records = logged(Level::Debug, || ask(&loader));
    assert_eq!(records.len(), 1, "{records:?}");
    assert!(records[0].contains("greeting@"), "{records:?}");
}

#[test]
fn a_default_in_force_is_told_at_debug_alone() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    assert_eq!(logged(Level::Warn, || ask(&loader)), [""; 0]);
    loader.refresh();
    let records = logged(Level::Debug, || ask(&loader));
    assert_eq!(records.len(), 1, "{records:?}");
    assert!(records[0].contains("greeting@"), "{records:?}");
    assert!(
        records[0].ends_with("is in force, the default"),
        "{records:?}"
    );
}

#[test]
fn words_of_a_text_that_a_finding_quotes_are_not_logged() {
    let dir = AppDir::new();
    dir.write(
        "note.yaml",
        "template_format: f-string\ntemplate: 'reply {\"title\": \"the secret recipe\"}'\n",
    );
    let loader = greeter().app_dir(dir.path()).build();
    let records = logged(Level::Warn, || {
        let error = loader.load("note").unwrap_err().to_string();
        assert!(error.contains("the secret"), "{error}");
    });
    assert_eq!(records.len(), 1, "{records:?}");
    assert!(records[0].contains("note.yaml:2:"), "{records:?}");
    assert!(!records[0].contains("secret"), "{records:?}");
}
