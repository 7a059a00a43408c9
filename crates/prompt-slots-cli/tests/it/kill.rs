//! Commands that are killed at any moment: the operator's file is the old one or the new one, and whole.

#![cfg(unix)]

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;

use prompt_slots::{BUNDLE, Layer, SlotText};

use crate::shell::{Shell, bundled};

const DIR: &str = ".everos/prompt_slots";
const FILE: &str = ".everos/prompt_slots/episode_extract.yaml";

/// How often each command is killed; `KILL_ROUNDS` asks for more.
fn rounds() -> u64 {
    let asked = std::env::var("KILL_ROUNDS").ok();
    asked.and_then(|rounds| rounds.parse().ok()).unwrap_or(10)
}

/// Runs a command, and kills it after a moment of at most a few milliseconds.
fn run_and_kill(session: &Shell, line: &str, editor: &str) {
    let mut command = session.command(line.split(' '));
    let null = std::process::Stdio::null;
    command.env("EDITOR", editor).stdout(null()).stderr(null());
    let mut child = command.spawn().expect("the binary can be run");
    let micros = RandomState::new().build_hasher().finish() % 12_000;
    thread::sleep(Duration::from_micros(micros));
    // It may have ended by itself.
    let _ = child.kill();
    child.wait().expect("it ends");
}

/// What must hold whatever was killed: only the override is loaded, and all else that is left is hidden.
#[track_caller]
fn assert_tidy(session: &Shell) {
    if !session.path(DIR).exists() {
        return;
    }
    for file in session.files(DIR) {
        assert!(
            file == "episode_extract.yaml" || file.starts_with('.'),
            "{file}"
        );
    }
    assert_eq!(session.output("status").status.code(), Some(0));
}

#[test]
fn a_new_override_is_there_whole_or_not_at_all() {
    let whole = Shell::new();
    whole.stdout("override episode_extract");
    let whole = whole.read(FILE);
    for _ in 0..rounds() {
        let session = Shell::new();
        run_and_kill(&session, "override episode_extract", "true");
        assert_tidy(&session);
        if session.path(FILE).exists() {
            assert_eq!(session.read(FILE), whole);
            assert_eq!(
                session.read(&format!("{DIR}/.base/episode_extract.yaml")),
                bundled("episode_extract")
            );
        }
    }
}

#[test]
fn an_edit_leaves_the_old_file_or_the_new_one() {
    let session = Shell::new();
    session.set("episode_extract", "enabled: true\n");
    let editor = session.path("editor");
    fs::write(&editor, "#!/bin/sh\necho '# more' >> \"$1\"\n").expect("it can be written");
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755))
        .expect("it can be made executable");
    for _ in 0..rounds() {
        let before = session.read(FILE);
        run_and_kill(
            &session,
            "edit episode_extract",
            editor.to_str().expect("it is text"),
        );
        let after = session.read(FILE);
        assert!(
            after == before || after == format!("{before}# more\n"),
            "{before:?} became {after:?}"
        );
        if after != before {
            assert!(session.backups().contains(&before));
        }
        assert_tidy(&session);
    }
}

#[test]
fn a_reset_never_takes_a_file_without_its_backup() {
    let session = Shell::new();
    for round in 0..rounds() {
        let over = format!("enabled: true\nllm: {{seed: {round}}}\n");
        session.set("episode_extract", &over);
        run_and_kill(&session, "reset episode_extract", "true");
        if session.path(FILE).exists() {
            assert_eq!(session.read(FILE), over);
        } else {
            assert!(session.backups().contains(&over));
        }
        assert_tidy(&session);
    }
}

#[test]
fn a_rebase_leaves_the_old_file_or_the_new_one() {
    let old = bundled("episode_extract").replace("temperature: 0.3", "temperature: 0.2");
    let read = SlotText::read(old.as_bytes(), Layer::Bundled, BUNDLE.limits());
    let based_on = read.expect("it is valid").fingerprint();
    let over =
        format!("based_on: \"{based_on}\"\nenabled: true\nllm:\n  temperature: 0.2\n  seed: 1\n");
    let start = || {
        let session = Shell::new();
        session.set("episode_extract", &over);
        session.write(&format!("{DIR}/.base/episode_extract.yaml"), &old);
        session
    };
    let whole = start();
    whole.stdout("rebase episode_extract --write");
    let rebased = whole.read(FILE);
    assert_ne!(rebased, over);
    for _ in 0..rounds() {
        let session = start();
        run_and_kill(&session, "rebase episode_extract --write", "true");
        let after = session.read(FILE);
        assert!(after == over || after == rebased, "{after}");
        if after == rebased {
            assert_eq!(session.backups(), [over.clone()]);
        }
        assert_tidy(&session);
        // It can be done again, or go on from where it was killed.
        session.stdout("rebase episode_extract --write");
        assert_eq!(session.read(FILE), rebased);
        assert_eq!(
            session.read(&format!("{DIR}/.base/episode_extract.yaml")),
            bundled("episode_extract")
        );
    }
}
