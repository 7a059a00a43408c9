//! Directories that can't be written to, and disks that are full.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use prompt_slots::{BUNDLE, Layer, SlotText};

use crate::shell::{BINARY, Shell, bundled};

const DIR: &str = ".everos/prompt_slots";
const FILE: &str = ".everos/prompt_slots/episode_extract.yaml";
const BASE: &str = ".everos/prompt_slots/.base/episode_extract.yaml";
const WRITING: [&str; 6] = [
    "override boundary_detection",
    "edit episode_extract",
    "rebase episode_extract --write",
    "reset episode_extract",
    "reset episode_extract --key enabled",
    "reset --all",
];

/// Returns an override of an older default, so that there is something to rebase.
fn with_override() -> Shell {
    let shell = Shell::new();
    let old = bundled("episode_extract").replace("temperature: 0.3", "temperature: 0.2");
    let read = SlotText::read(old.as_bytes(), Layer::Bundled, BUNDLE.limits());
    let based_on = read.expect("it is valid").fingerprint();
    shell.set(
        "episode_extract",
        format!("based_on: \"{based_on}\"\nenabled: true\nllm: {{temperature: 0.2, seed: 1}}\n"),
    );
    shell.write(BASE, old);
    shell.write(&format!("{DIR}/.lock"), "");
    shell
}

/// Runs a command line where no file may have more than some blocks, of 512 or of 1024 bytes.
#[track_caller]
fn run_with_room(shell: &Shell, blocks: u32, line: &str) -> String {
    // The signal that says so is ignored.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {BINARY} {line}");
    let mut command = shell.script(&script);
    let output = command.env("EDITOR", "true").output();
    Shell::dated(&shell.transcript(line, &output.expect("a shell can be run")))
}

#[test]
fn a_directory_that_can_not_be_written_to_is_told_with_what_to_do() {
    let shell = with_override();
    fs::remove_file(shell.path(&format!("{DIR}/.lock"))).expect("it is there");
    for (path, mode) in [("", 0o755), (".everos", 0o755), (DIR, 0o555)] {
        fs::set_permissions(shell.path(path), fs::Permissions::from_mode(mode))
            .expect("they can be set");
    }
    let before = shell.read(FILE);
    for line in WRITING {
        let Some(seen) = shell.run_as_nobody(line, "true") else {
            // Nobody else can be had here.
            return;
        };
        if seen.contains("can't be read") {
            return;
        }
        assert!(
            seen.contains("Permission denied") && seen.contains("[exit 1]"),
            "{seen}"
        );
        assert!(
            seen.contains("name another directory with `--root` or `--dir`"),
            "{seen}"
        );
    }
    assert_eq!(shell.read(FILE), before);
    fs::set_permissions(shell.path(DIR), fs::Permissions::from_mode(0o755))
        .expect("they can be set");
}

#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let shell = with_override();
    let state = || (shell.files(DIR), shell.read(FILE), shell.read(BASE));
    let before = state();
    for line in WRITING {
        if matches!(line, "reset episode_extract" | "reset --all") {
            // It takes no room: the file itself becomes the backup.
            continue;
        }
        let seen = run_with_room(&shell, 0, line);
        assert!(seen.contains("[exit 1]"), "{seen}");
        assert!(seen.contains("can't be written: File too large"), "{seen}");
        assert!(seen.contains("no file was changed"), "{seen}");
        assert_eq!(state(), before, "{line}");
    }
}

#[test]
fn a_rebase_without_room_for_the_default_is_told_and_can_be_finished() {
    let shell = with_override();
    let (over, base) = (shell.read(FILE), shell.read(BASE));
    let line = "rebase episode_extract --write";
    let seen = run_with_room(&shell, 1, line);
    let (_, told) = seen.split_once("today's default now.\n").expect(&seen);
    insta::assert_snapshot!(told, @"
    ! note: The override of `episode_extract` is written; as it was, it is [home]/.everos/prompt_slots/.backup/episode_extract.[time].yaml.
    ! warning: slot `episode_extract`: [home]/.everos/prompt_slots/.base/episode_extract.yaml: can't be written: File too large (os error 27) (the next `rebase` needs this copy of the default: repair this, and run `prompt-slots rebase episode_extract --write` again)
    ");
    let rebased = shell.read(FILE);
    assert_ne!(rebased, over);
    assert_eq!(shell.backups(), [over]);
    assert_eq!(shell.read(BASE), base);
    shell.stdout(line);
    assert_eq!(shell.read(FILE), rebased);
    assert_eq!(shell.read(BASE), bundled("episode_extract"));
}

#[test]
fn a_path_through_a_file_is_told() {
    let shell = Shell::new();
    shell.write(".everos/prompt_slots", "");
    insta::assert_snapshot!(shell.run("override episode_extract"), @"
    $ prompt-slots override episode_extract
    ! error: [home]/.everos/prompt_slots: can't be made: File exists (os error 17) (a part of the path is a file: move it away, or name another directory with `--root` or `--dir`)
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("edit episode_extract"), @"
    $ prompt-slots edit episode_extract
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: can't be read: Not a directory (os error 20) (a part of the path is a file)
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("reset --all"), @"
    $ prompt-slots reset --all
    ! error: [home]/.everos/prompt_slots: can't be read: Not a directory (os error 20) (a part of the path is a file)
    [exit 1]
    ");
}
