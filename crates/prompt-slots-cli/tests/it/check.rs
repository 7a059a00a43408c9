//! `check`

use crate::shell::{Shell, bundled};

#[test]
fn a_program_without_overrides_is_sound() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.run("check"), @"
    $ prompt-slots check
    2 slots, 6 test cases, 0 errors, 0 warnings
    ");
    insta::assert_snapshot!(shell.run("check --format json --deny-warnings"), @r#"
    $ prompt-slots check --format json --deny-warnings
    {
      "slots": 2,
      "test_cases": 6,
      "errors": 0,
      "warnings": 0,
      "findings": []
    }
    "#);
}

#[test]
fn every_finding_is_told_and_no_broken_file_hides_another() {
    let shell = Shell::new();
    shell.set("bad", "enabled: yes\nllm: {temperature: 3}\n");
    shell.set(
        "boundary_detection",
        "llm: {temperature: 0.9}\nvalidation:\n",
    );
    shell.set(
        "episode_extract",
        "enabled: true\ntemplate_edits: [{find: in a formal tone, replace: warmly}]\n",
    );
    shell.set("unclosed", "template: \"x\n");
    insta::assert_snapshot!(shell.run("check"), @r#"
    $ prompt-slots check
    error: slot `bad`, app layer: [home]/.everos/prompt_slots/bad.yaml:1:10: `enabled`: must be true or false, got text (write true or false, without quotes)
      |
    1 | enabled: yes
      |          ^^^
    error: slot `bad`, app layer: [home]/.everos/prompt_slots/bad.yaml:2:20: `llm.temperature`: must be from 0 to 2 (write a number in this range)
      |
    2 | llm: {temperature: 3}
      |                    ^
    warning: slot `boundary_detection`, app layer: [home]/.everos/prompt_slots/boundary_detection.yaml:1:1: the override has no effect: the slot is disabled (bundled) (add `enabled: true`; this replaces the algorithm's built-in prompt)
      |
    1 | llm: {temperature: 0.9}
      | ^^^
    warning: slot `boundary_detection`, app layer: [home]/.everos/prompt_slots/boundary_detection.yaml:2:1: `validation`: an empty section changes nothing (delete it, or write its keys below)
      |
    2 | validation:
      | ^^^^^^^^^^
    error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:2:19: `template_edits[0].find`: the text of `find` is not in the template (the nearest is line 16: `- Write in the language of the conversation, in a neutral tone, in the third per…`)
      |
    2 | template_edits: [{find: in a formal tone, replace: warmly}]
      |                   ^^^^
    error: slot `unclosed`, app layer: [home]/.everos/prompt_slots/unclosed.yaml:1:11: not valid YAML: unclosed quote (close the quote; a quote inside the text is doubled ('') or escaped (\"))
      |
    1 | template: "x
      |           ^
    4 slots, 6 test cases, 4 errors, 2 warnings
    [exit 1]
    "#);
}

#[test]
fn what_is_odd_is_a_warning() {
    let shell = Shell::new();
    shell.set(
        "episod_extract",
        "enabled: true\ntemplate: Summarise ticket #5 and # keep the rest\n",
    );
    shell.set("greet", "enabled: true\ntemplate: >\n  Hello\n  {{ name }}\nvariables: {name: x}\noutput_schema: {type: object}\n");
    shell.set("episode_extract", "enabled: false\n");
    shell.set("boundary_detection", "enabled: true\nllm:\n");
    for stray in [
        "greet.yaml~",
        "x (copy).yaml",
        "episode_extract.yml",
        ".hidden.yaml",
        "README.md",
    ] {
        shell.write(&format!(".everos/prompt_slots/{stray}"), "enabled: true\n");
    }
    insta::assert_snapshot!(shell.run("check"), @r#"
    $ prompt-slots check
    warning: slot `boundary_detection`, app layer: [home]/.everos/prompt_slots/boundary_detection.yaml:2:1: `llm`: an empty section changes nothing (delete it, or write its keys below)
      |
    2 | llm:
      | ^^^
    warning: slot `episod_extract`, app layer: [home]/.everos/prompt_slots/episod_extract.yaml: there is no default called `episod_extract` (did you mean `episode_extract`? then rename the file to `episode_extract.yaml`)
    warning: slot `episod_extract`, app layer: [home]/.everos/prompt_slots/episod_extract.yaml:2:11: `template`: the text ends before ` #`: the rest of the line is a comment (quote the text, if the rest belongs to it)
      |
    2 | template: Summarise ticket #5 and # keep the rest
      |           ^^^^^^^^^
    warning: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:1:1: the override has no effect: it says what the default says (change it, or remove the file)
      |
    1 | enabled: false
      | ^^^^^^^
    warning: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yml: the file is not read, `episode_extract.yaml` is (move it away)
    warning: slot `greet`, app layer: [home]/.everos/prompt_slots/greet.yaml:2:1: `template`: `>` joins the lines of the text (use `|` to keep them)
      |
    2 | template: >
      | ^^^^^^^^
    warning: slot `greet`, app layer: [home]/.everos/prompt_slots/greet.yaml:2:1: `validation.test_cases`: the slot has no test cases, so its text is never tried (add one under `validation.test_cases`, with an `input`)
      |
    2 | template: >
      | ^^^^^^^^
    warning: slot `greet`, app layer: [home]/.everos/prompt_slots/greet.yaml:3:3: `template`: there is an output schema, but the template does not say "JSON" (models in JSON mode refuse such a prompt; say that the reply is JSON)
      |
    3 |   Hello
      |   ^^^^^
    warning: slot `greet`, app layer: [home]/.everos/prompt_slots/greet.yaml~: the file is not read, `greet.yaml` is (move it away)
    warning: app layer: [home]/.everos/prompt_slots/x (copy).yaml: the file is not read: ` ` can't stand in a slot name: use a-z, 0-9, `_` and `-` (rename it, or move it away)
    4 slots, 6 test cases, 0 errors, 10 warnings
    "#);
    assert_eq!(shell.output("check --deny-warnings").status.code(), Some(1));
}

#[test]
fn a_look_alike_that_nothing_stands_beside_is_an_error() {
    let shell = Shell::new();
    shell.write(
        ".everos/prompt_slots/episode_extract.yml",
        "enabled: true\n",
    );
    insta::assert_snapshot!(shell.run("check"), @"
    $ prompt-slots check
    error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yml: an override of `episode_extract` is called `episode_extract.yaml`, so this file is not read (rename it to `episode_extract.yaml`, or move it away)
    2 slots, 6 test cases, 1 error, 0 warnings
    [exit 1]
    ");
}

#[test]
fn named_files_and_directories_are_checked_alone() {
    let shell = Shell::new();
    shell.set("boundary_detection", "enabled: yes\n");
    shell.write(
        "mine/episode_extract.yaml",
        "enabled: true\nllm: {model: 4.10}\n",
    );
    shell.write("mine/other.yaml", "enabled: true\ntemplate: hello\n");
    shell.write("episode_extract.yaml", "enabled: true\n");
    insta::assert_snapshot!(shell.run("check mine"), @"
    $ prompt-slots check mine
    error: slot `episode_extract`, app layer: mine/episode_extract.yaml:2:14: `llm.model`: must be text, got a number with a decimal point (put it in quotes)
      |
    2 | llm: {model: 4.10}
      |              ^^^^
    2 slots, 0 test cases, 1 error, 0 warnings
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("check episode_extract.yaml mine/other.yaml"), @"
    $ prompt-slots check episode_extract.yaml mine/other.yaml
    2 slots, 3 test cases, 0 errors, 0 warnings
    ");
    shell.write("empty/README.md", "");
    insta::assert_snapshot!(shell.run("check empty"), @"
    $ prompt-slots check empty
    0 slots, 0 test cases, 0 errors, 0 warnings
    ! note: there is nothing to check: no file there, and no key of a ConfigMap, is called NAME.yaml
    ");
    shell.write("note.txt", "");
    shell.write("Episode Extract.yaml", "enabled: true\n");
    insta::assert_snapshot!(shell.run("check note.txt 'Episode Extract.yaml'"), @"
    $ prompt-slots check note.txt 'Episode Extract.yaml'
    error: note.txt: the files of slots end in `.yaml` (rename it to `note.yaml`)
    error: app layer: Episode Extract.yaml: `E` can't stand in a slot name: use a-z, 0-9, `_` and `-` (rename it)
    0 slots, 0 test cases, 2 errors, 0 warnings
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("check nowhere"), @"
    $ prompt-slots check nowhere
    ! error: nowhere: there is no such file or directory (name one that is there)
    [exit 2]
    ");
}

#[test]
fn a_folder_of_defaults_is_judged_as_its_build_would() {
    let shell = Shell::new();
    shell.write("prompts/episode_extract.yaml", bundled("episode_extract"));
    insta::assert_snapshot!(shell.run("check --bundle prompts"), @"
    $ prompt-slots check --bundle prompts
    1 slot, 3 test cases, 0 errors, 0 warnings
    ");
    shell.write(
        "prompts/answer.yaml",
        "template: 'Q: {{ qestion }}'\nvariables: {question: what is asked}\n",
    );
    shell.write("prompts/append.yaml", "template_append: x\n");
    shell.write(
        "prompts/plain.yaml",
        "template: 'Q: {{ q }}'\nvariables: {q: what is asked}\n",
    );
    shell.write("prompts/greet.yml", "template: hi\n");
    shell.write("prompts/Big.yaml", "template: hi\n");
    insta::assert_snapshot!(shell.run("check --bundle prompts/"), @"
    $ prompt-slots check --bundle prompts/
    error: slot `Big`: prompts/Big.yaml: `B` can't stand in a slot name: use a-z, 0-9, `_` and `-` (rename the file)
    error: slot `answer`, bundled layer: prompts/answer.yaml:1:11: `template`: `qestion` is not declared under `variables` (did you mean `question`?)
      |
    1 | template: 'Q: {{ qestion }}'
      |           ^
    error: slot `answer`, bundled layer: prompts/answer.yaml:1:11: `template`: the template does not use the required variable `question` (put `{{ question }}` where its value belongs, or set `required: false`)
      |
    1 | template: 'Q: {{ qestion }}'
      |           ^
    error: slot `append`, bundled layer: prompts/append.yaml:1:1: `template_append`: this key has its place in overrides only (a bundled slot is the default that they change)
      |
    1 | template_append: x
      | ^^^^^^^^^^^^^^^
    error: prompts/greet.yml: slot files end in `.yaml` (rename it to `greet.yaml`, or move it away)
    warning: slot `plain`, bundled layer: prompts/plain.yaml:1:1: `validation.test_cases`: the slot has no test cases, so its text is never tried (add one under `validation.test_cases`, with an `input`)
      |
    1 | template: 'Q: {{ q }}'
      | ^^^^^^^^
    5 slots, 3 test cases, 5 errors, 1 warning
    [exit 1]
    ");
    shell.write("none/README.md", "");
    insta::assert_snapshot!(shell.run("check --bundle none"), @"
    $ prompt-slots check --bundle none
    error: none: the directory holds no slot (add a file such as `greeting.yaml`)
    0 slots, 0 test cases, 1 error, 0 warnings
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("check --bundle nowhere"), @"
    $ prompt-slots check --bundle nowhere
    ! error: nowhere: there is no such file or directory (name one that is there)
    [exit 2]
    ");
}

#[test]
fn annotations_are_escaped() {
    let shell = Shell::new();
    shell.write(
        "a,b:c/episode_extract.yaml",
        "enabled: true\n\"a%0A\\n::error::b\": x\n",
    );
    insta::assert_snapshot!(shell.run("check a,b:c --format github"), @r"
    $ prompt-slots check a,b:c --format github
    ::error file=a%2Cb%3Ac/episode_extract.yaml,line=2,col=1::slot `episode_extract`, app layer: `a%250A\n::error::b`: unknown key (known keys are `enabled`, `description`, `template`, `template_format`, `template_edits`, `template_prepend`, `template_append`, `variables`, `output_schema`, `llm`, `validation`, `based_on`; start a key of your own with `x-`)
    1 slot, 0 test cases, 1 error, 0 warnings
    [exit 1]
    ");
}

#[test]
fn a_file_that_can_not_be_told_from_any_other_is_not_quoted() {
    let shell = Shell::new();
    shell.write(
        "dir/episode_extract.yaml",
        "root:x:0:0:root:/root:/bin/bash\n",
    );
    insta::assert_snapshot!(shell.run("check dir"), @"
    $ prompt-slots check dir
    error: slot `episode_extract`, app layer: dir/episode_extract.yaml:1:1: the file must be a mapping, got text (write `key: value` lines, with a space behind the colon)
    1 slot, 0 test cases, 1 error, 0 warnings
    [exit 1]
    ");
}

#[test]
fn json_has_every_field_of_a_finding() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\nllm: {modl: x}\n");
    insta::assert_snapshot!(shell.run("check --format json"), @r#"
    $ prompt-slots check --format json
    {
      "slots": 2,
      "test_cases": 6,
      "errors": 1,
      "warnings": 0,
      "findings": [
        {
          "severity": "error",
          "slot": "episode_extract",
          "layer": "app",
          "file": "[home]/.everos/prompt_slots/episode_extract.yaml",
          "line": 2,
          "column": 7,
          "key": "llm.modl",
          "message": "unknown key",
          "hint": "did you mean `model`?",
          "config_map": null
        }
      ]
    }
    [exit 1]
    "#);
}

#[test]
fn control_characters_of_a_file_never_reach_the_terminal() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n\"\\e[31mred\": x\n");
    for format in ["human", "json", "github"] {
        let output = shell.output(&format!("check --color always --format {format}"));
        let seen = String::from_utf8_lossy(&output.stdout)
            .replace("\x1b[1;31m", "")
            .replace("\x1b[0m", "");
        assert!(!seen.contains('\x1b'), "{seen:?}");
    }
}

#[test]
fn a_default_that_moved_under_an_override_is_a_warning() {
    let shell = Shell::new();
    let over = "based_on: 00000000\nenabled: true\nllm: {temperature: 0.9}\n";
    shell.set("episode_extract", over);
    insta::assert_snapshot!(shell.run("check"), @"
    $ prompt-slots check
    warning: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:1:1: the default moved since the override was written; which keys is not known, as no copy of the old default was kept (see `rebase episode_extract --base FILE`, with the old release's `show episode_extract --layer bundled --source`)
      |
    1 | based_on: 00000000
      | ^^^^^^^^
    2 slots, 6 test cases, 0 errors, 1 warning
    ");
    shell.write("mine/episode_extract.yaml", over);
    assert_eq!(
        shell
            .output("check --deny-warnings mine/episode_extract.yaml")
            .status
            .code(),
        Some(1)
    );
}

#[test]
fn errors_do_not_count_where_the_environment_says_below_and_defaults_stand_in_for_all_of_them() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: maybe\n");
    let below = |line: &str| {
        let mut command = shell.command(line.split(' '));
        let output = command
            .env("EVEROS_PROMPT_SLOTS_ON_INVALID", "below")
            .output();
        shell.transcript(line, &output.expect("the binary can be run"))
    };
    insta::assert_snapshot!(below("check"), @"
    $ prompt-slots check
    warning: app layer: EVEROS_PROMPT_SLOTS_ON_INVALID is set: the layers below stand in for an invalid override (unset it and restart the program to leave the choice to the program)
    error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:1:10: `enabled`: must be true or false, got text (write true or false, without quotes)
      |
    1 | enabled: maybe
      |          ^^^^^
    2 slots, 6 test cases, 1 error, 1 warning
    ! note: The errors don't count: the environment says that the layers below stand in for them, and they do.
    ");
    for (line, code) in [
        ("check --format json", None),
        ("check --deny-warnings", Some(1)),
        // Files that are named are judged, whether a program here would read them or not.
        ("check .everos/prompt_slots", Some(1)),
    ] {
        let seen = below(line);
        let told = code.map(|code| format!("[exit {code}]\n"));
        assert_eq!(seen.contains("[exit"), told.is_some(), "{seen}");
        assert!(seen.ends_with(&told.unwrap_or_default()), "{seen}");
    }
    assert!(shell.run("check").ends_with("[exit 1]\n"));

    // A slot that only the app directory has is nothing without its file.
    shell.set("greeting", "enabled: maybe\n");
    let seen = below("check");
    assert!(seen.ends_with("2 errors, 1 warning\n[exit 1]\n"), "{seen}");
}
