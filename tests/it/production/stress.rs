//! Everything at once: loads, refreshes, edits good and bad, deletions, on one directory and several loaders.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use prompt_slots::{ErrorKind, OnInvalid, Override, PromptLoader, Reload};

use super::{Dice, OFTEN, short_or_long, while_running};
use crate::support::{AppDir, eventually, greeter};

fn good(version: u64) -> String {
    format!("template: 'v{version} {{{{ name }}}} {{{{ tone }}}}'\nllm: {{model: v{version}}}\n")
}

fn put(dir: &AppDir, name: &str, content: &str) {
    dir.write(".new", content);
    let _ = fs::remove_dir(dir.file(name));
    fs::rename(dir.file(".new"), dir.file(name)).unwrap();
}

/// Makes one change to the directory, a good one or a bad one.
fn edit(dir: &AppDir, version: u64, dice: &mut Dice) {
    match dice.roll(8) {
        0 => dir.remove_if_there("greeting.yaml"),
        1 => put(dir, "greeting.yaml", "template: '{{ nobody }}'\n"),
        2 => put(dir, "greeting.yaml", "templte: [\n"),
        3 => {
            dir.remove_if_there("greeting.yaml");
            let _ = fs::create_dir(dir.file("greeting.yaml"));
        }
        4 => put(dir, "own.yaml", "enabled: true\ntemplate: mine\n"),
        5 => dir.remove_if_there("own.yaml"),
        _ => put(dir, "greeting.yaml", &good(version)),
    }
}

/// Asks a loader, and holds what it says against what may be.
fn ask(loader: &PromptLoader, may_fail: bool) {
    match loader.resolve("greeting", &Override::new()) {
        Ok(slot) => {
            // Text and settings are of one version, always.
            let text = slot.template().unwrap();
            let first = text.split(' ').next().unwrap().to_owned();
            let model = slot.llm().model().unwrap();
            assert!(
                first == model || (first == "Say" && model == "small"),
                "{first} {model}"
            );
        }
        Err(error) => assert_broken(&error, may_fail),
    }
    match loader.load("own") {
        Ok(text) => assert!(text.is_none_or(|text| text == "mine")),
        Err(error) => assert_broken(&error, may_fail),
    }
    match loader.load("nobody") {
        Ok(text) => assert_eq!(text, None),
        Err(error) => panic!("an error about a slot that nobody has: {error}"),
    }
}

#[track_caller]
fn assert_broken(error: &prompt_slots::Error, may_fail: bool) {
    let is_expected = matches!(error.kind(), ErrorKind::InvalidSlot | ErrorKind::Unreadable);
    assert!(may_fail && is_expected, "{error:?}");
}

#[test]
fn whatever_happens_at_once_every_answer_is_one_that_may_be_and_all_loaders_end_with_the_same() {
    let dir = AppDir::new();
    let build = |on_invalid, reload| {
        let builder = greeter().app_dir(dir.path()).reload(reload);
        builder.on_invalid(on_invalid).build()
    };
    let strict = build(OnInvalid::Fail, OFTEN);
    let lenient = build(OnInvalid::UseBelow, OFTEN);
    let manual = build(OnInvalid::UseBelow, Reload::Manual);
    let asked = AtomicUsize::new(0);
    let ask = |loader, may_fail| {
        ask(loader, may_fail);
        asked.fetch_add(1, Ordering::Relaxed);
    };
    let ask_all = || {
        ask(&strict, true);
        ask(&lenient, false);
        ask(&manual, false);
    };
    let turn = AtomicUsize::new(0);
    let refresh = || {
        let loader = [&strict, &lenient, &manual][turn.fetch_add(1, Ordering::Relaxed) % 3];
        loader.refresh_slot("greeting");
        loader.refresh();
        loader.findings();
        assert!(loader.names().unwrap().contains(&"greeting".to_owned()));
        loader.overrides().unwrap();
        let _ = loader.check_all();
    };
    let mut edits = 0;
    let end = Instant::now() + short_or_long(Duration::from_secs(2), Duration::from_mins(1));
    while_running(&[&ask_all, &ask_all, &ask_all, &refresh], || {
        let mut dice = Dice(11);
        while Instant::now() < end {
            edits += 1;
            edit(&dir, edits, &mut dice);
            // Now and then long enough for an edit to settle.
            let pause = if dice.roll(10) == 0 {
                150
            } else {
                dice.roll(5)
            };
            std::thread::sleep(Duration::from_millis(pause));
        }
        put(&dir, "greeting.yaml", &good(0));
        put(&dir, "own.yaml", "enabled: true\ntemplate: mine\n");
        manual.refresh();
    });
    for loader in [&strict, &lenient, &manual] {
        eventually("the last edit is served everywhere", || {
            let text = loader.load("greeting").ok()??;
            (text == "v0 {{ name }} {{ tone }}" && loader.load("own").ok()?? == "mine")
                .then_some(())
        });
        loader.check_all().unwrap();
        assert_eq!(loader.findings(), []);
    }
    println!("stress: {edits} edits, {} answers", asked.into_inner());
}
