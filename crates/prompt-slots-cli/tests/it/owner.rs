//! Whose files are, and who may read them, where the program runs as another user than the operator.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

use crate::shell::{Shell, bundled};

const DIR: &str = ".everos/prompt_slots";
const FILE: &str = ".everos/prompt_slots/episode_extract.yaml";
/// The user who owns nothing but what a test gives to them.
const NOBODY: u32 = 65534;

/// Returns an override with a permission that is not the usual one.
fn with_mode(mode: u32) -> Shell {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\nllm: {seed: 1}\n");
    fs::set_permissions(shell.path(FILE), Permissions::from_mode(mode)).expect("they can be set");
    shell
}

/// Has an editor add `line`, and keep a copy of what it got, with its permissions and owner.
#[track_caller]
fn edit(shell: &Shell, line: &str) -> String {
    let editor = format!("sh -c 'cp -p \"$1\" seen; echo \"{line}\" >> \"$1\"' sh");
    let output = shell
        .command(["edit", "episode_extract"])
        .env("EDITOR", editor)
        .output()
        .expect("the binary can be run");
    shell.transcript("edit episode_extract", &output)
}

#[track_caller]
fn mode(shell: &Shell, file: &str) -> u32 {
    let metadata = fs::metadata(shell.path(file)).expect("it is there");
    metadata.permissions().mode() & 0o777
}

/// Returns the owner of each file below the app directory.
#[track_caller]
fn owners(shell: &Shell) -> Vec<(String, u32)> {
    let mut owners = Vec::new();
    for dir in [
        DIR,
        ".everos/prompt_slots/.base",
        ".everos/prompt_slots/.backup",
    ] {
        for file in shell.files(dir) {
            let file = format!("{dir}/{file}");
            let metadata = fs::metadata(shell.path(&file)).expect("it is there");
            owners.push((file, metadata.uid()));
        }
    }
    owners
}

/// Gives the app directory, and what is in it now, to a user who owns nothing else; tells whether that can be done here.
#[track_caller]
fn give_to_nobody(shell: &Shell) -> bool {
    for path in ["", ".everos", DIR] {
        fs::set_permissions(shell.path(path), Permissions::from_mode(0o755))
            .expect("they can be set");
    }
    let files = shell.files(DIR).into_iter();
    Shell::is_superuser()
        && files.chain([String::new()]).all(|file| {
            let path = shell.path(&format!("{DIR}/{file}"));
            chown(path, Some(NOBODY), Some(NOBODY)).is_ok()
        })
}

#[test]
fn copies_are_as_private_as_the_override() {
    let shell = with_mode(0o600);
    let seen = edit(&shell, "llm: {seed: 2}");
    assert!(seen.contains("[exit 1]"), "{seen}");
    assert_eq!(mode(&shell, "seen"), 0o600);
    let rejected = shell.rejected(DIR);
    assert_eq!(mode(&shell, &format!("{DIR}/{rejected}")), 0o600);
    for line in ["reset episode_extract --key llm", "reset episode_extract"] {
        shell.stdout(line);
    }
    let backups = format!("{DIR}/.backup");
    for backup in shell.files(&backups) {
        assert_eq!(mode(&shell, &format!("{backups}/{backup}")), 0o600);
    }
    assert_eq!(shell.backups().len(), 2);
    // What was refused is as private even when it is all there is.
    let path = |file: &str| shell.path(&format!("{DIR}/{file}"));
    fs::rename(path(&rejected), path(".episode_extract.rejected.yaml")).expect("it is there");
    edit(&shell, "# more");
    assert_eq!(mode(&shell, "seen"), 0o600);
}

#[test]
fn an_override_that_nobody_may_write_to_can_be_edited_and_stays_so() {
    let shell = with_mode(0o440);
    edit(&shell, "# more");
    assert_eq!(mode(&shell, "seen"), 0o640);
    assert!(shell.read(FILE).ends_with("# more\n"));
    assert_eq!(mode(&shell, FILE), 0o440);
}

#[test]
fn what_the_superuser_writes_belongs_to_whom_it_belonged() {
    let shell = with_mode(0o600);
    if !give_to_nobody(&shell) {
        return;
    }
    let seen = edit(&shell, "# more");
    assert!(!seen.contains("warning"), "{seen}");
    assert_eq!(mode(&shell, "seen"), 0o600);
    let seen = fs::metadata(shell.path("seen")).expect("the editor made it");
    assert_eq!(seen.uid(), NOBODY);
    assert!(shell.read(FILE).ends_with("# more\n"));
    assert_eq!(mode(&shell, FILE), 0o600);
    for line in [
        "reset episode_extract --key llm",
        "reset episode_extract",
        "override episode_extract",
    ] {
        shell.stdout(line);
    }
    for (file, owner) in owners(&shell) {
        assert_eq!(owner, NOBODY, "{file}");
    }
}

#[test]
fn what_the_superuser_left_locks_nobody_out() {
    let shell = with_mode(0o644);
    if !give_to_nobody(&shell) {
        return;
    }
    let lock = format!("{DIR}/.lock");
    shell.write(&lock, "");
    fs::set_permissions(shell.path(&lock), Permissions::from_mode(0o644)).expect("they can be set");
    let Some(seen) = shell.run_as_nobody("override boundary_detection", "true") else {
        // Nobody else can be had here.
        return;
    };
    assert!(!seen.contains("[exit"), "{seen}");
    assert_eq!(
        shell.read(&format!("{DIR}/.base/boundary_detection.yaml")),
        bundled("boundary_detection")
    );
}

#[test]
fn an_owner_that_can_not_be_kept_is_told() {
    let shell = with_mode(0o644);
    if !give_to_nobody(&shell) {
        return;
    }
    chown(shell.path(FILE), Some(0), Some(0)).expect("the superuser can");
    let editor = "sed -i 's/seed: 1/seed: 2/'";
    let Some(seen) = shell.run_as_nobody("edit episode_extract", editor) else {
        // Nobody else can be had here.
        return;
    };
    insta::assert_snapshot!(seen, @"
    $ prompt-slots edit episode_extract
    ! warning: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: belonged to user 0 and group 0, and only the superuser can give it back (if the program can't read it any more, run `chown 0:0 [home]/.everos/prompt_slots/episode_extract.yaml` as the superuser)
    ! note: episode_extract@bf137042 is in force.
    ");
    assert_eq!(shell.backups(), ["enabled: true\nllm: {seed: 1}\n"]);
}
