//! `list`

use crate::shell::Shell;

#[test]
fn the_defaults_alone() {
    insta::assert_snapshot!(Shell::new().run("list"), @"
    $ prompt-slots list
    NAME                ENABLED  LAYERS   FORMAT  MODEL        OVERRIDE
    boundary_detection  false    bundled  jinja2  gpt-4o-mini  -
    episode_extract     false    bundled  jinja2  gpt-4o-mini  -
    ");
}

#[test]
fn every_state_of_an_override_has_its_word() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\nllm: {model: gpt-4.1}\n");
    shell.set("boundary_detection", "llm: {model: gpt-4.1}\n");
    shell.set(
        "greeting",
        "enabled: true\ntemplate: Hello\ntemplate_format: f-string\n",
    );
    insta::assert_snapshot!(shell.run("list"), @"
    $ prompt-slots list
    NAME                ENABLED  LAYERS       FORMAT    MODEL    OVERRIDE
    boundary_detection  false    bundled+app  jinja2    gpt-4.1  no effect
    episode_extract     true     bundled+app  jinja2    gpt-4.1  in force
    greeting            true     app          f-string  -        new slot
    ");
}

#[test]
fn one_broken_slot_never_hides_the_others() {
    let shell = Shell::new();
    shell.set("boundary_detection", "templte: x\n");
    insta::assert_snapshot!(shell.run("list"), @"
    $ prompt-slots list
    NAME                ENABLED  LAYERS   FORMAT  MODEL        OVERRIDE
    boundary_detection  -        -        -       -            invalid
    episode_extract     false    bundled  jinja2  gpt-4o-mini  -
    ! error: slot `boundary_detection`, app layer: [home]/.everos/prompt_slots/boundary_detection.yaml:1:1: `templte`: unknown key (did you mean `template`?)
    !   |
    ! 1 | templte: x
    !   | ^^^^^^^
    [exit 1]
    ");
}

#[test]
fn a_look_alike_in_the_place_of_an_override_makes_its_slot_invalid() {
    let shell = Shell::new();
    shell.write(
        ".everos/prompt_slots/episode_extract.yml",
        "enabled: true\n",
    );
    insta::assert_snapshot!(shell.run("list"), @"
    $ prompt-slots list
    NAME                ENABLED  LAYERS   FORMAT  MODEL        OVERRIDE
    boundary_detection  false    bundled  jinja2  gpt-4o-mini  -
    episode_extract     -        -        -       -            look-alike
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yml: an override of `episode_extract` is called `episode_extract.yaml`, so this file is not read (rename it to `episode_extract.yaml`, or move it away)
    [exit 1]
    ");
}

#[test]
fn json_has_the_same_rows() {
    let shell = Shell::new();
    shell.set("boundary_detection", "templte: x\n");
    shell.set("episode_extract", "enabled: true\n");
    insta::assert_snapshot!(shell.run("list --json"), @r#"
    $ prompt-slots list --json
    [
      {
        "name": "boundary_detection",
        "enabled": null,
        "layers": [],
        "format": null,
        "model": null,
        "override": "invalid"
      },
      {
        "name": "episode_extract",
        "enabled": true,
        "layers": [
          "bundled",
          "app"
        ],
        "format": "jinja2",
        "model": "gpt-4o-mini",
        "override": "in force"
      }
    ]
    ! error: slot `boundary_detection`, app layer: [home]/.everos/prompt_slots/boundary_detection.yaml:1:1: `templte`: unknown key (did you mean `template`?)
    !   |
    ! 1 | templte: x
    !   | ^^^^^^^
    [exit 1]
    "#);
}

#[test]
fn an_app_directory_that_is_a_file_takes_no_slot_away() {
    let shell = Shell::new();
    shell.write(".everos/prompt_slots", "");
    insta::assert_snapshot!(shell.run("list"), @"
    $ prompt-slots list
    NAME                ENABLED  LAYERS  FORMAT  MODEL  OVERRIDE
    boundary_detection  -        -       -       -      invalid
    episode_extract     -        -       -       -      invalid
    ! error: [home]/.everos/prompt_slots: can't be read: Not a directory (os error 20) (a part of the path is a file)
    ! error: slot `boundary_detection`, app layer: [home]/.everos/prompt_slots/boundary_detection.yaml: can't be read: Not a directory (os error 20) (a part of the path is a file)
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: can't be read: Not a directory (os error 20) (a part of the path is a file)
    [exit 1]
    ");
}

#[test]
fn a_root_that_can_not_be_told_is_no_fault_of_the_slots() {
    let shell = Shell::new();
    let output = shell.command(["list"]).env("EVEROS_ROOT", "rel").output();
    let output = output.expect("the binary can be run");
    insta::assert_snapshot!(shell.transcript("list", &output), @"
    $ prompt-slots list
    ! error: the environment variable EVEROS_ROOT holds a relative path (set it to an absolute path, or unset it)
    [exit 2]
    ");
}

#[test]
fn control_characters_of_a_file_stay_out_of_the_table() {
    let shell = Shell::new();
    shell.set(
        "greeting",
        "enabled: true\ntemplate: x\nllm: {model: \"a\\e[31mb\\u202Ec\"}\n",
    );
    insta::assert_snapshot!(shell.run("list"), @r"
    $ prompt-slots list
    NAME                ENABLED  LAYERS   FORMAT  MODEL                  OVERRIDE
    boundary_detection  false    bundled  jinja2  gpt-4o-mini            -
    episode_extract     false    bundled  jinja2  gpt-4o-mini            -
    greeting            true     app      jinja2  a\u{1b}[31mb\u{202e}c  new slot
    ");
}
