//! Directories that can't be written to, and disks that are full.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::shell::{BINARY, Shell};

const DIR: &str = ".everos/prompt_slots";
const FILE: &str = ".everos/prompt_slots/episode_extract.yaml";
const WRITING: [&str; 6] = [
    "override boundary_detection",
    "edit episode_extract",
    "rebase episode_extract --write",
    "reset episode_extract",
    "reset episode_extract --key enabled",
    "reset --all",
];

fn with_override() -> Shell {
    let shell = Shell::new();
    shell.stdout("override episode_extract");
    let text = shell.read(FILE) + "enabled: true\n";
    shell.set("episode_extract", text);
    shell
}

#[test]
fn a_directory_that_can_not_be_written_to_is_told_with_what_to_do() {
    let shell = with_override();
    for (path, mode) in [("", 0o755), (".everos", 0o755), (DIR, 0o555)] {
        fs::set_permissions(shell.path(path), fs::Permissions::from_mode(mode))
            .expect("they can be set");
    }
    fs::remove_file(shell.path(&format!("{DIR}/.lock"))).expect("it is there");
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
        assert!(seen.contains("name another root with `--root`"), "{seen}");
    }
    assert_eq!(shell.read(FILE), before);
    fs::set_permissions(shell.path(DIR), fs::Permissions::from_mode(0o755))
        .expect("they can be set");
}

#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let shell = with_override();
    let before = (shell.files(DIR), shell.read(FILE));
    for line in WRITING {
        if matches!(line, "reset episode_extract" | "reset --all") {
            // It takes no room: the file itself becomes the backup.
            continue;
        }
        // No file may have more than the bytes of no block at all, and the signal that says so is ignored.
        let script = format!("trap '' XFSZ; ulimit -f 0; exec {BINARY} {line}");
        let output = shell
            .script(&script)
            .env("EDITOR", "true")
            .output()
            .expect("a shell can be run");
        let seen = Shell::dated(&shell.transcript(line, &output));
        if line.starts_with("rebase") {
            // It is up to date: nothing has to be written.
            continue;
        }
        assert_eq!(output.status.code(), Some(1), "{seen}");
        assert!(seen.contains("can't be written: File too large"), "{seen}");
        assert!(seen.contains("no file was changed"), "{seen}");
        assert_eq!((shell.files(DIR), shell.read(FILE)), before, "{line}");
    }
}

#[test]
fn a_path_through_a_file_is_told() {
    let shell = Shell::new();
    shell.write(".everos/prompt_slots", "");
    insta::assert_snapshot!(shell.run("override episode_extract"), @"
    $ prompt-slots override episode_extract
    ! error: [home]/.everos/prompt_slots: can't be made: File exists (os error 17) (a part of the path is a file: move it away, or name another root with `--root`)
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
