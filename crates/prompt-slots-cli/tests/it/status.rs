//! `status`

use serde_json::Value;

use crate::shell::Shell;

#[test]
fn without_overrides_it_says_where_to_put_one() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.run("status"), @"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.
    It does not exist: every slot is its default. To change one, write the keys that differ into [home]/.everos/prompt_slots/NAME.yaml.
    ");
    std::fs::create_dir_all(shell.path("data/prompt_slots")).expect("a directory can be made");
    insta::assert_snapshot!(shell.run("status --root data"), @"
    $ prompt-slots status --root data
    Overrides are read from [home]/data/prompt_slots, as --root says.
    It is empty: every slot is its default. To change one, write the keys that differ into [home]/data/prompt_slots/NAME.yaml.
    ");
}

#[test]
fn every_file_is_matched_to_a_slot_and_has_a_state() {
    let shell = Shell::new();
    shell.set(
        "episode_extract",
        "enabled: true\nllm: {temperature: 0.9}\nvariables: {memcell: {description: x}}\n",
    );
    shell.set(
        "boundary_detection",
        "enabled: true\ntemplte: x\nllm: {temperature: 3}\n",
    );
    shell.set("greeting", "enabled: true\ntemplate: Hello\n");
    shell.set("episod_extract", "enabled: true\ntemplate: Hello\n");
    shell.set("off", "template: Hello\n");
    insta::assert_snapshot!(shell.run("status"), @"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.

    boundary_detection.yaml  invalid
        2:1: `templte`: unknown key (did you mean `template`?)
        3:20: `llm.temperature`: must be from 0 to 2 (write a number in this range)
    episod_extract.yaml      new slot
        there is no default called `episod_extract` (did you mean `episode_extract`? then rename the file to `episode_extract.yaml`)
    episode_extract.yaml     in force
        changes `enabled`, `variables.memcell`, `llm.temperature`
    greeting.yaml            new slot
        only the app directory has this slot
    off.yaml                 no effect
        1:1: the override has no effect: the slot is disabled (no layer enables it) (add `enabled: true`; this replaces the algorithm's built-in prompt)
    [exit 1]
    ");
}

#[test]
fn an_override_that_changes_nothing_is_told() {
    let shell = Shell::new();
    shell.set("episode_extract", "llm: {temperature: 0.9}\n");
    shell.set("boundary_detection", "enabled: false\n");
    insta::assert_snapshot!(shell.run("status"), @"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.

    boundary_detection.yaml  same as default
        1:1: the override has no effect: it says what the default says (change it, or remove the file)
    episode_extract.yaml     no effect
        1:1: the override has no effect: the slot is disabled (bundled) (add `enabled: true`; this replaces the algorithm's built-in prompt)
    ");
    shell.set("boundary_detection", "# nothing yet\n");
    insta::assert_snapshot!(shell.run("status"), @"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.

    boundary_detection.yaml  same as default
        says nothing
    episode_extract.yaml     no effect
        1:1: the override has no effect: the slot is disabled (bundled) (add `enabled: true`; this replaces the algorithm's built-in prompt)
    ");
}

#[test]
fn stray_files_are_told_and_hidden_ones_are_not() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    for stray in [
        "episode_extract.yaml~",
        ".episode_extract.yaml.swp",
        "#episode_extract.yaml#",
        "episode_extract (copy).yaml",
        ".DS_Store",
        "episode_extract.yaml.bak",
        "README.md",
        "Episode_Extract.yaml",
        "boundary_detection.yaml.txt",
        "Foo Bar.yaml",
        "café.yaml",
        "new.yml",
        ".base/x.yaml",
        "notes/x.yaml",
    ] {
        shell.write(&format!(".everos/prompt_slots/{stray}"), "enabled: true\n");
    }
    insta::assert_snapshot!(shell.run("status"), @r"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.

    #episode_extract.yaml#       look-alike
        the file is not read, `episode_extract.yaml` is (move it away)
    Episode_Extract.yaml         look-alike
        the file is not read, `episode_extract.yaml` is (move it away)
    Foo Bar.yaml                 look-alike
        the file is not read: ` ` can't stand in a slot name: use a-z, 0-9, `_` and `-` (rename it, or move it away)
    README.md                    ignored
        not a slot file
    boundary_detection.yaml.txt  look-alike
        an override of `boundary_detection` is called `boundary_detection.yaml`, so this file is not read (rename it to `boundary_detection.yaml`, or move it away)
    café.yaml                    look-alike
        the file is not read: `\u{e9}` can't stand in a slot name: use a-z, 0-9, `_` and `-` (rename it, or move it away)
    episode_extract (copy).yaml  look-alike
        the file is not read, `episode_extract.yaml` is (move it away)
    episode_extract.yaml         in force
        changes `enabled`
    episode_extract.yaml.bak     look-alike
        the file is not read, `episode_extract.yaml` is (move it away)
    episode_extract.yaml~        look-alike
        the file is not read, `episode_extract.yaml` is (move it away)
    new.yml                      look-alike
        an override of `new` is called `new.yaml`, so this file is not read (rename it to `new.yaml`, or move it away)
    notes                        ignored
        not a slot file
    [exit 1]
    ");
}

#[test]
fn the_reason_for_the_directory_is_told() {
    let shell = Shell::new();
    shell.write("root/prompt_slots/episode_extract.yaml", "enabled: true\n");
    let status = |vars: &[(&str, &str)], line: &str| {
        let mut command = shell.command(line.split(' '));
        let output = command
            .envs(vars.iter().copied())
            .output()
            .expect("the binary can be run");
        shell.transcript(line, &output)
    };
    let root = shell.path("root").display().to_string();
    insta::assert_snapshot!(shell.run("status --root root"), @"
    $ prompt-slots status --root root
    Overrides are read from [home]/root/prompt_slots, as --root says.

    episode_extract.yaml  in force
        changes `enabled`
    ");
    insta::assert_snapshot!(shell.run("status --dir root/prompt_slots"), @"
    $ prompt-slots status --dir root/prompt_slots
    Overrides are read from [home]/root/prompt_slots, as --dir says.

    episode_extract.yaml  in force
        changes `enabled`
    ");
    insta::assert_snapshot!(status(&[("EVEROS_ROOT", &root)], "status"), @"
    $ prompt-slots status
    Overrides are read from [home]/root/prompt_slots, as the environment variable EVEROS_ROOT says.

    episode_extract.yaml  in force
        changes `enabled`
    ");
    insta::assert_snapshot!(status(&[("EVEROS_ROOT", "root")], "status"), @"
    $ prompt-slots status
    The app layer is off: the environment variable EVEROS_ROOT holds a relative path. To read overrides, set EVEROS_ROOT to an absolute path, or use --root or --dir.
    ! error: the environment variable EVEROS_ROOT holds a relative path (set it to an absolute path, or unset it)
    [exit 2]
    ");
    insta::assert_snapshot!(status(&[("HOME", "relative")], "status"), @"
    $ prompt-slots status
    The app layer is off: there is no home directory, or only a relative one. To read overrides, set EVEROS_ROOT to an absolute path, or use --root or --dir.
    ");
    insta::assert_snapshot!(status(&[("EVEROS_ROOT", &root)], "status --root ."), @"
    $ prompt-slots status --root .
    Overrides are read from [home]/prompt_slots, as --root says.
    It does not exist: every slot is its default. To change one, write the keys that differ into [home]/prompt_slots/NAME.yaml.
    ");
    insta::assert_snapshot!(status(&[("HOME", "relative"), ("EVEROS_ROOT", "")], "status --json"), @r#"
    $ prompt-slots status --json
    {
      "app_dir": null,
      "reason": "The app layer is off: there is no home directory, or only a relative one. To read overrides, set EVEROS_ROOT to an absolute path, or use --root or --dir.",
      "controls": [],
      "files": []
    }
    "#);
}

#[test]
fn an_explicit_directory_is_not_searched_in_addition() {
    let shell = Shell::new();
    shell.set("greeting", "enabled: true\ntemplate: Hello\n");
    insta::assert_snapshot!(shell.run("status --root ."), @"
    $ prompt-slots status --root .
    Overrides are read from [home]/prompt_slots, as --root says.
    It does not exist: every slot is its default. To change one, write the keys that differ into [home]/prompt_slots/NAME.yaml.
    ");
    insta::assert_snapshot!(shell.run("load greeting --root ."), @"
    $ prompt-slots load greeting --root .
    ! note: slot `greeting`: no layer has a slot of this name (known are `boundary_detection`, `episode_extract`)
    [exit 3]
    ");
}

#[test]
fn an_app_directory_that_is_a_file_is_refused() {
    let shell = Shell::new();
    shell.write(".everos/prompt_slots", "");
    insta::assert_snapshot!(shell.run("status"), @"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.
    ! error: [home]/.everos/prompt_slots: can't be read: Not a directory (os error 20) (a part of the path is a file)
    [exit 1]
    ");
}

#[test]
fn json_has_the_keys_in_force_and_every_finding() {
    let shell = Shell::new();
    shell.set(
        "episode_extract",
        "enabled: true\nllm: {temperature: 0.9}\n",
    );
    shell.set("boundary_detection", "enabled: yes\n");
    insta::assert_snapshot!(shell.run("status --json"), @r#"
    $ prompt-slots status --json
    {
      "app_dir": "[home]/.everos/prompt_slots",
      "reason": "Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.",
      "controls": [],
      "files": [
        {
          "file": "boundary_detection.yaml",
          "slot": "boundary_detection",
          "state": "invalid",
          "keys": [],
          "moved": [],
          "findings": [
            {
              "severity": "error",
              "slot": "boundary_detection",
              "layer": "app",
              "file": "[home]/.everos/prompt_slots/boundary_detection.yaml",
              "line": 1,
              "column": 10,
              "key": "enabled",
              "message": "must be true or false, got text",
              "hint": "write true or false, without quotes"
            }
          ]
        },
        {
          "file": "episode_extract.yaml",
          "slot": "episode_extract",
          "state": "in force",
          "keys": [
            "enabled",
            "llm.temperature"
          ],
          "moved": [],
          "findings": []
        }
      ]
    }
    [exit 1]
    "#);
}

#[test]
#[cfg(unix)]
fn names_of_files_can_not_dress_up_the_output() {
    let shell = Shell::new();
    shell.set("greeting", "enabled: true\ntemplate: Hello\n");
    shell.write(".everos/prompt_slots/a\u{1b}[31m\nb.yaml", "");
    insta::assert_snapshot!(shell.run("status"), @r"
    $ prompt-slots status
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.

    a\u{1b}[31m\nb.yaml  look-alike
        the file is not read: `\u{1b}` can't stand in a slot name: use a-z, 0-9, `_` and `-` (rename it, or move it away)
    greeting.yaml        new slot
        only the app directory has this slot
    ");
    let json: Value = serde_json::from_str(&shell.stdout("status --json")).expect("it is JSON");
    assert_eq!(json["files"][0]["file"], "a\u{1b}[31m\nb.yaml");
}

#[test]
fn an_emergency_control_is_told_first_and_by_every_command() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    shell.set("boundary_detection", "enabled: maybe\n");
    let run = |args: &[&str]| {
        let mut command = shell.command(args);
        command.env("EVEROS_PROMPT_SLOTS_IGNORE", "boundary_detection");
        command.output().expect("the binary can be run")
    };
    let output = run(&["status"]);
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8(output.stdout).unwrap();
    let told = told.replace(&*shell.path("").to_string_lossy(), "[home]/");
    insta::assert_snapshot!(told, @"
    Overrides are read from [home]/.everos/prompt_slots, below the home directory, as EVEROS_ROOT is not set.
    EVEROS_PROMPT_SLOTS_IGNORE switches the override of `boundary_detection` off (unset it and restart the program to have it back)

    boundary_detection.yaml  switched off
        the environment switches it off
    episode_extract.yaml     in force
        changes `enabled`
    ");
    let status: Value = serde_json::from_slice(&run(&["status", "--json"]).stdout).unwrap();
    assert_eq!(status["controls"][0]["severity"], "warning");
    assert_eq!(status["files"][0]["state"], "switched off");
    let output = run(&["check", "--deny-warnings"]);
    assert_eq!(output.status.code(), Some(1));
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(
        found.contains("EVEROS_PROMPT_SLOTS_IGNORE") && !found.contains("maybe"),
        "{found}"
    );
    // Files that are named are judged all the same.
    let output = run(&["check", ".everos/prompt_slots"]);
    assert_eq!(output.status.code(), Some(1));
    let output = run(&["load", "episode_extract"]);
    let warned = String::from_utf8(output.stderr).unwrap();
    assert!(warned.contains("EVEROS_PROMPT_SLOTS_IGNORE"), "{warned}");
}

#[test]
fn a_whole_text_without_a_mark_of_its_default_is_told() {
    let shell = Shell::new();
    let text = "enabled: true\ntemplate: |\n  Extract {{ memcell }} as JSON.\n";
    shell.set("episode_extract", text);
    assert!(
        shell
            .run("status")
            .contains("no `based_on` tells when its default moves")
    );
    let default = shell.stdout("show episode_extract --layer bundled --source");
    shell.write("default.yaml", default);
    shell.run("rebase episode_extract --base default.yaml --write");
    let marked = shell.run("status");
    assert!(!marked.contains("based_on"), "{marked}");
}

#[test]
fn without_a_home_the_commands_that_look_at_overrides_say_that_there_are_none() {
    let shell = Shell::new();
    for command in ["check", "list"] {
        let output = shell
            .command([command])
            .env("HOME", "relative")
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("The app layer is off: there is no home directory"),
            "{command}: {said}"
        );
        assert_eq!(output.status.code(), Some(0), "{command}");
    }
}
