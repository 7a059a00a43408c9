//! `edit`, with editors that are small scripts.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::shell::Shell;

const DIR: &str = ".everos/prompt_slots";

/// Runs `edit` with a script as the editor; `$1` is the file.
#[track_caller]
fn edit(shell: &Shell, script: &str) -> String {
    let path = shell.path("editor");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("the script can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
        .expect("it can be made executable");
    edit_with(
        shell,
        &[("EDITOR", path.to_str().expect("the path is text"))],
    )
}

#[track_caller]
fn edit_with(shell: &Shell, vars: &[(&str, &str)]) -> String {
    let line = "edit episode_extract";
    let output = shell
        .command(line.split(' '))
        .envs(vars.iter().copied())
        .output()
        .expect("the binary can be run");
    Shell::dated(&shell.transcript(line, &output))
}

#[test]
fn a_good_change_is_put_in_force_and_a_new_override_keeps_its_base() {
    let shell = Shell::new();
    insta::assert_snapshot!(edit(&shell, "sed -i 's/^#enabled: false/enabled: true/' \"$1\""), @"
    $ prompt-slots edit episode_extract
    ! note: episode_extract@2b95c0b6 is in force.
    ");
    let text = shell.read(&format!("{DIR}/episode_extract.yaml"));
    assert!(text.contains("\nenabled: true\n") && text.contains("\nbased_on: "));
    assert!(
        shell
            .path(&format!("{DIR}/.base/episode_extract.yaml"))
            .exists()
    );
    insta::assert_snapshot!(edit(&shell, "echo 'llm: {temperature: 0}' >> \"$1\""), @"
    $ prompt-slots edit episode_extract
    ! note: episode_extract@59ad4d9e is in force.
    ");
    assert!(
        shell
            .read(&format!("{DIR}/episode_extract.yaml"))
            .ends_with("temperature: 0}\n")
    );
    assert_eq!(shell.backups(), [text]);
    assert_eq!(shell.hidden(DIR), [".backup", ".base", ".lock"]);
}

#[test]
fn nothing_changed_means_nothing_written() {
    let shell = Shell::new();
    insta::assert_snapshot!(edit(&shell, "true"), @"
    $ prompt-slots edit episode_extract
    ! note: Nothing was changed.
    ");
    assert_eq!(shell.files(DIR), [".lock"]);
    shell.set("episode_extract", "enabled: true\n");
    insta::assert_snapshot!(edit(&shell, "touch \"$1\""), @"
    $ prompt-slots edit episode_extract
    ! note: Nothing was changed.
    ");
    assert_eq!(shell.files(DIR), [".lock", "episode_extract.yaml"]);
}

#[test]
fn a_bad_change_is_kept_aside_and_the_next_edit_starts_from_it() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    insta::assert_snapshot!(edit(&shell, "printf 'llm:\\n  modle: gpt-4.1\\n' >> \"$1\""), @"
    $ prompt-slots edit episode_extract
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/.episode_extract.rejected-68a9c01a.yaml:3:3: `llm.modle`: unknown key (did you mean `model`?)
    !   |
    ! 3 |   modle: gpt-4.1
    !   |   ^^^^^
    ! note: The override in force stays as it was. What you wrote is in [home]/.everos/prompt_slots/.episode_extract.rejected-68a9c01a.yaml: go on with `prompt-slots edit episode_extract`.
    [exit 1]
    ");
    assert_eq!(
        shell.read(&format!("{DIR}/episode_extract.yaml")),
        "enabled: true\n"
    );
    insta::assert_snapshot!(shell.run("status"), @"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.

    episode_extract.yaml  in force
        changes `enabled`
    ! note: [home]/.everos/prompt_slots/.episode_extract.rejected-68a9c01a.yaml was not put in force: go on with `prompt-slots edit episode_extract`, or remove it.
    ");
    insta::assert_snapshot!(edit(&shell, "true"), @"
    $ prompt-slots edit episode_extract
    ! note: The editor starts from what was not put in force last time.
    ! note: Nothing was changed or put in force: go on with `prompt-slots edit episode_extract`, or remove [home]/.everos/prompt_slots/.episode_extract.rejected-68a9c01a.yaml to start anew.
    ");
    insta::assert_snapshot!(edit(&shell, "sed -i 's/modle/model/' \"$1\""), @"
    $ prompt-slots edit episode_extract
    ! note: The editor starts from what was not put in force last time.
    ! note: episode_extract@e40bab2a is in force.
    ");
    assert_eq!(
        shell.read(&format!("{DIR}/episode_extract.yaml")),
        "enabled: true\nllm:\n  model: gpt-4.1\n"
    );
    assert_eq!(shell.hidden(DIR), [".backup", ".lock"]);
}

#[test]
fn a_refused_text_is_not_put_over_an_override_that_is_another_one_since() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    edit(&shell, "echo 'llm: {modle: m}' >> \"$1\"");
    let rejected = shell.rejected(DIR);
    shell.set("episode_extract", "enabled: true\nllm: {seed: 1}\n");
    insta::assert_snapshot!(shell.run("check"), @"
    $ prompt-slots check
    2 slots, 6 test cases, 0 errors, 0 warnings
    ! note: [home]/.everos/prompt_slots/.episode_extract.rejected-68a9c01a.yaml was not put in force, and was written for another override than today's: take over what you need from it, and remove it.
    ");
    insta::assert_snapshot!(edit(&shell, "echo '# more' >> \"$1\""), @"
    $ prompt-slots edit episode_extract
    ! note: [home]/.everos/prompt_slots/.episode_extract.rejected-68a9c01a.yaml was not put in force, and was written for another override than today's: take over what you need from it, and remove it.
    ! note: episode_extract@7610696e is in force.
    ");
    assert_eq!(
        shell.read(&format!("{DIR}/episode_extract.yaml")),
        "enabled: true\nllm: {seed: 1}\n# more\n"
    );
    // A second one stands beside the first, and both wait until they are removed.
    edit(&shell, "echo 'llm: {modle: n}' > \"$1\"");
    insta::assert_snapshot!(shell.run("status"), @"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.

    episode_extract.yaml  in force
        changes `enabled`, `llm.seed`
    ! note: [home]/.everos/prompt_slots/.episode_extract.rejected-68a9c01a.yaml was not put in force, and was written for another override than today's: take over what you need from it, and remove it.
    ! note: [home]/.everos/prompt_slots/.episode_extract.rejected-b1316faa.yaml was not put in force: go on with `prompt-slots edit episode_extract`, or remove it.
    ");
    shell.stdout("reset episode_extract");
    insta::assert_snapshot!(edit(&shell, "true"), @"
    $ prompt-slots edit episode_extract
    ! note: [home]/.everos/prompt_slots/.episode_extract.rejected-68a9c01a.yaml was not put in force, and was written for another override than today's: take over what you need from it, and remove it.
    ! note: [home]/.everos/prompt_slots/.episode_extract.rejected-b1316faa.yaml was not put in force, and was written for another override than today's: take over what you need from it, and remove it.
    ! note: Nothing was changed.
    ");
    assert_eq!(
        shell.read(&format!("{DIR}/{rejected}")),
        "enabled: true\nllm: {modle: m}\n"
    );
    // Back at the override that it was written for, it is what to go on with.
    shell.set("episode_extract", "enabled: true\n");
    insta::assert_snapshot!(edit(&shell, "sed -i s/modle/model/ \"$1\""), @"
    $ prompt-slots edit episode_extract
    ! note: The editor starts from what was not put in force last time.
    ! note: [home]/.everos/prompt_slots/.episode_extract.rejected-b1316faa.yaml was not put in force, and was written for another override than today's: take over what you need from it, and remove it.
    ! note: episode_extract@28335f3f is in force.
    ");
    assert_eq!(
        shell.read(&format!("{DIR}/episode_extract.yaml")),
        "enabled: true\nllm: {model: m}\n"
    );
}

#[test]
fn what_an_editor_was_left_with_on_purpose_is_put_in_force_by_a_change_alone() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    let seen = edit(&shell, "echo 'llm: {seed: 1}' >> \"$1\"; exit 1");
    assert!(seen.contains("[exit 1]"), "{seen}");
    let rejected = shell.rejected(DIR);
    for editor in ["true", "touch \"$1\"", "exit 1"] {
        edit(&shell, editor);
        assert_eq!(
            shell.read(&format!("{DIR}/episode_extract.yaml")),
            "enabled: true\n"
        );
        assert_eq!(
            shell.read(&format!("{DIR}/{rejected}")),
            "enabled: true\nllm: {seed: 1}\n"
        );
    }
    edit(&shell, "echo '# meant' >> \"$1\"");
    assert_eq!(
        shell.read(&format!("{DIR}/episode_extract.yaml")),
        "enabled: true\nllm: {seed: 1}\n# meant\n"
    );
    assert_eq!(shell.hidden(DIR), [".backup", ".lock"]);
}

#[test]
fn what_does_not_fit_the_default_is_bad_too() {
    let shell = Shell::new();
    insta::assert_snapshot!(edit(&shell, "echo 'template: no conversation' > \"$1\""), @r#"
    $ prompt-slots edit episode_extract
    ! warning: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/.episode_extract.rejected.yaml:1:11: `template`: there is an output schema, but the template does not say "JSON" (models in JSON mode refuse such a prompt; say that the reply is JSON)
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/.episode_extract.rejected.yaml:1:11: `template`: the template does not use the required variable `memcell` (put `{{ memcell }}` where its value belongs, or set `required: false`)
    ! note: There still is no override. What you wrote is in [home]/.everos/prompt_slots/.episode_extract.rejected.yaml: go on with `prompt-slots edit episode_extract`.
    [exit 1]
    "#);
    assert!(!shell.path(&format!("{DIR}/episode_extract.yaml")).exists());
}

#[test]
fn an_override_that_changed_meanwhile_is_not_overwritten() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    let path = shell.path(&format!("{DIR}/episode_extract.yaml"));
    let script = format!(
        "echo 'enabled: false' > {}; echo 'llm: {{seed: 1}}' >> \"$1\"",
        path.display()
    );
    insta::assert_snapshot!(edit(&shell, &script), @"
    $ prompt-slots edit episode_extract
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: the override was changed by someone else in the meantime (nothing was overwritten: your version is in [home]/.everos/prompt_slots/.episode_extract.edit-[pid].yaml, bring the two together with `prompt-slots edit episode_extract`)
    [exit 1]
    ");
    assert_eq!(
        shell.read(&format!("{DIR}/episode_extract.yaml")),
        "enabled: false\n"
    );
    let aside: Vec<_> = shell
        .hidden(DIR)
        .into_iter()
        .filter(|file| file.contains(".edit-"))
        .collect();
    assert_eq!(aside.len(), 1);
    assert_eq!(
        shell.read(&format!("{DIR}/{}", aside[0])),
        "enabled: true\nllm: {seed: 1}\n"
    );
}

#[test]
fn what_a_killed_edit_left_is_named_until_it_is_removed() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    shell.set("greeting", "enabled: true\ntemplate: Hello\n");
    // Its process is in the name of its copy.
    let seen = edit(
        &shell,
        "echo '# mine' >> \"$1\"; id=${1##*.edit-}; kill -9 ${id%.yaml}",
    );
    assert!(seen.contains("[killed]"), "{seen}");
    let hidden = shell.hidden(DIR).into_iter();
    let left: Vec<_> = hidden.filter(|file| file.contains(".edit-")).collect();
    assert_eq!(left.len(), 1);
    insta::assert_snapshot!(shell.run_dated("status"), @"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.

    episode_extract.yaml  in force
        changes `enabled`
    greeting.yaml         new slot
        only the app directory has this slot
    ! note: [home]/.everos/prompt_slots/.episode_extract.edit-[pid].yaml was not put in force, or an editor still has it open: take over what you need from it, and remove it.
    ");
    insta::assert_snapshot!(edit(&shell, "true"), @"
    $ prompt-slots edit episode_extract
    ! note: [home]/.everos/prompt_slots/.episode_extract.edit-[pid].yaml was not put in force, or an editor still has it open: take over what you need from it, and remove it.
    ! note: Nothing was changed.
    ");
    let other = shell
        .command(["edit", "greeting"])
        .env("EDITOR", "true")
        .output();
    let other = shell.transcript("edit greeting", &other.expect("the binary can be run"));
    insta::assert_snapshot!(other, @"
    $ prompt-slots edit greeting
    ! note: Nothing was changed.
    ");
    let left = format!("{DIR}/{}", left[0]);
    assert_eq!(shell.read(&left), "enabled: true\n# mine\n");
    fs::remove_file(shell.path(&left)).expect("it is there");
    assert!(!shell.run("status").contains(".edit-"));
}

#[test]
fn an_override_that_appeared_meanwhile_is_not_overwritten() {
    let shell = Shell::new();
    let path = shell.path(&format!("{DIR}/episode_extract.yaml"));
    let script = format!(
        "echo 'enabled: false' > {}; echo 'enabled: true' >> \"$1\"",
        path.display()
    );
    assert!(edit(&shell, &script).contains("[exit 1]"));
    assert_eq!(
        shell.read(&format!("{DIR}/episode_extract.yaml")),
        "enabled: false\n"
    );
}

#[test]
fn editors_may_have_arguments_fail_or_be_missing() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    let seen = edit_with(
        &shell,
        &[("VISUAL", "sed -i -e 's/true/false/'"), ("EDITOR", "false")],
    );
    insta::assert_snapshot!(seen, @"
    $ prompt-slots edit episode_extract
    ! warning: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:1:1: the override has no effect: it says what the default says (change it, or remove the file)
    ! note: The override is written; slot `episode_extract` is disabled (app, [home]/.everos/prompt_slots/episode_extract.yaml:1).
    ");
    insta::assert_snapshot!(edit(&shell, "exit 3"), @"
    $ prompt-slots edit episode_extract
    ! error: slot `episode_extract`: the editor `[home]/editor` ended with exit code 3 (set VISUAL or EDITOR to the command of your editor)
    [exit 1]
    ");
    insta::assert_snapshot!(edit(&shell, "echo '# mine' >> \"$1\"; exit 3"), @"
    $ prompt-slots edit episode_extract
    ! error: slot `episode_extract`: the editor `[home]/editor` ended with exit code 3 (what it wrote is in [home]/.everos/prompt_slots/.episode_extract.rejected-8a3d0f3e.yaml)
    [exit 1]
    ");
    fs::remove_file(shell.path(&format!("{DIR}/{}", shell.rejected(DIR)))).expect("it is there");
    insta::assert_snapshot!(edit_with(&shell, &[("EDITOR", "/no/such/editor")]), @"
    $ prompt-slots edit episode_extract
    ! editor: 1: /no/such/editor: not found
    ! error: slot `episode_extract`: the editor `/no/such/editor` ended with exit code 127 (set VISUAL or EDITOR to the command of your editor)
    [exit 1]
    ");
    insta::assert_snapshot!(edit(&shell, "rm \"$1\""), @"
    $ prompt-slots edit episode_extract
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/.episode_extract.edit-[pid].yaml: is gone, or is no regular file (nothing was put in force: begin again with `prompt-slots edit episode_extract`)
    [exit 1]
    ");
    assert_eq!(
        shell.read(&format!("{DIR}/episode_extract.yaml")),
        "enabled: false\n"
    );
}

#[test]
fn a_slot_of_the_app_directory_can_be_edited_and_an_unknown_one_can_not() {
    let shell = Shell::new();
    shell.set("greeting", "enabled: true\ntemplate: Hello\n");
    let output = shell
        .command(["edit", "greeting"])
        .env("EDITOR", "sed -i s/Hello/Good-day/")
        .output()
        .expect("the binary can be run");
    insta::assert_snapshot!(shell.transcript("edit greeting", &output), @"
    $ prompt-slots edit greeting
    ! note: greeting@97c2b88a is in force.
    ");
    assert_eq!(shell.stdout("load greeting"), "Good-day");
    insta::assert_snapshot!(shell.run("edit greetin"), @"
    $ prompt-slots edit greetin
    ! error: slot `greetin`: no layer has a slot of this name (did you mean `greeting`?)
    [exit 2]
    ");
}

#[test]
fn a_file_keeps_its_permissions() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    let path = shell.path(&format!("{DIR}/episode_extract.yaml"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("they can be set");
    edit(&shell, "echo '# x' >> \"$1\"");
    let mode = fs::metadata(&path)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}
