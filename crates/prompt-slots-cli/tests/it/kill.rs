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

/// How often each command is killed; with `PROMPT_SLOTS_LONG` set, more often.
fn rounds() -> u64 {
    let is_long = std::env::var_os("PROMPT_SLOTS_LONG").is_some_and(|value| !value.is_empty());
    if is_long { 200 } else { 10 }
}

/// Runs a command, and kills it after a moment of at most a few milliseconds.
fn run_and_kill(shell: &Shell, line: &str, editor: &str) {
    let mut command = shell.command(line.split(' '));
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
fn assert_tidy(shell: &Shell) {
    if !shell.path(DIR).exists() {
        return;
    }
    for file in shell.files(DIR) {
        assert!(
            file == "episode_extract.yaml" || file.starts_with('.'),
            "{file}"
        );
    }
    assert_eq!(shell.output("status").status.code(), Some(0));
}

#[test]
fn a_new_override_is_there_whole_or_not_at_all() {
    let whole = Shell::new();
    whole.stdout("override episode_extract");
    let whole = whole.read(FILE);
    for _ in 0..rounds() {
        let shell = Shell::new();
        run_and_kill(&shell, "override episode_extract", "true");
        assert_tidy(&shell);
        if shell.path(FILE).exists() {
            assert_eq!(shell.read(FILE), whole);
            assert_eq!(
                shell.read(&format!("{DIR}/.base/episode_extract.yaml")),
                bundled("episode_extract")
            );
        }
    }
}

#[test]
fn an_edit_leaves_the_old_file_or_the_new_one() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    let editor = shell.path("editor");
    fs::write(&editor, "#!/bin/sh\necho '# more' >> \"$1\"\n").expect("it can be written");
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755))
        .expect("it can be made executable");
    for _ in 0..rounds() {
        let before = shell.read(FILE);
        run_and_kill(
            &shell,
            "edit episode_extract",
            editor.to_str().expect("it is text"),
        );
        let after = shell.read(FILE);
        assert!(
            after == before || after == format!("{before}# more\n"),
            "{before:?} became {after:?}"
        );
        if after != before {
            assert!(shell.backups().contains(&before));
        }
        assert_tidy(&shell);
    }
}

#[test]
fn a_reset_never_takes_a_file_without_its_backup() {
    let shell = Shell::new();
    for round in 0..rounds() {
        let over = format!("enabled: true\nllm: {{seed: {round}}}\n");
        shell.set("episode_extract", &over);
        run_and_kill(&shell, "reset episode_extract", "true");
        if shell.path(FILE).exists() {
            assert_eq!(shell.read(FILE), over);
        } else {
            assert!(shell.backups().contains(&over));
        }
        assert_tidy(&shell);
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
        let shell = Shell::new();
        shell.set("episode_extract", &over);
        shell.write(&format!("{DIR}/.base/episode_extract.yaml"), &old);
        shell
    };
    let whole = start();
    whole.stdout("rebase episode_extract --write");
    let rebased = whole.read(FILE);
    assert_ne!(rebased, over);
    for _ in 0..rounds() {
        let shell = start();
        run_and_kill(&shell, "rebase episode_extract --write", "true");
        let after = shell.read(FILE);
        assert!(after == over || after == rebased, "{after}");
        if after == rebased {
            assert_eq!(shell.backups(), std::slice::from_ref(&over));
        }
        assert_tidy(&shell);
        // It can be done again, or go on from where it was killed.
        shell.stdout("rebase episode_extract --write");
        assert_eq!(shell.read(FILE), rebased);
        assert_eq!(
            shell.read(&format!("{DIR}/.base/episode_extract.yaml")),
            bundled("episode_extract")
        );
    }
}
