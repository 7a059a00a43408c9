//! `load`

use crate::shell::Shell;

#[test]
fn it_prints_exactly_the_bytes_of_the_template() {
    let shell = Shell::new();
    for text in [
        "one line",
        "two\nlines",
        " \tblanks around \n\n",
        "no {{ braces }} read",
        "\u{1b}[31m, \u{202e} and é",
    ] {
        let yaml = serde_json::json!({"enabled": true, "template": text}).to_string();
        shell.set("greeting", yaml);
        assert_eq!(shell.stdout("load greeting"), text);
    }
}

#[test]
fn without_a_template_it_says_why_and_exits_with_3() {
    let shell = Shell::new();
    shell.set("off", "template: x\n");
    shell.set("blank", "enabled: true\ntemplate: \" \"\n");
    shell.set("bare", "enabled: true\n");
    insta::assert_snapshot!(shell.run("load episode_extract"), @"
    $ prompt-slots load episode_extract
    ! note: slot `episode_extract` is disabled (bundled, config/prompt_slots/episode_extract.yaml:9): the program uses its built-in prompt
    [exit 3]
    ");
    insta::assert_snapshot!(shell.run("load off"), @"
    $ prompt-slots load off
    ! warning: slot `off`, app layer: [home]/.everos/prompt_slots/off.yaml:1:1: the override has no effect: the slot is disabled (no layer enables it) (add `enabled: true`; this replaces the algorithm's built-in prompt)
    ! note: slot `off` is disabled (no layer enables it): the program uses its built-in prompt
    [exit 3]
    ");
    insta::assert_snapshot!(shell.run("load blank"), @"
    $ prompt-slots load blank
    ! warning: slot `blank`, app layer: [home]/.everos/prompt_slots/blank.yaml:1:1: the slot is enabled and its template is blank, so the algorithm's built-in prompt is used (write the `template`, indented below its key; or say `enabled: false`)
    ! note: the template of slot `blank` is blank (app, [home]/.everos/prompt_slots/blank.yaml:2)
    [exit 3]
    ");
    insta::assert_snapshot!(shell.run("load bare"), @"
    $ prompt-slots load bare
    ! warning: slot `bare`, app layer: [home]/.everos/prompt_slots/bare.yaml:1:1: the slot is enabled and no layer sets a template, so the algorithm's built-in prompt is used (write the `template`, indented below its key; or say `enabled: false`)
    ! note: slot `bare` has no template: no layer sets one
    [exit 3]
    ");
    insta::assert_snapshot!(shell.run("load episode_extrct"), @"
    $ prompt-slots load episode_extrct
    ! note: slot `episode_extrct`: no layer has a slot of this name (did you mean `episode_extract`?)
    [exit 3]
    ");
}

#[test]
fn a_name_that_can_be_no_slots_is_refused_before_any_path_is_built() {
    let shell = Shell::new();
    shell.write(".everos/secret.yaml", "enabled: true\ntemplate: secret\n");
    insta::assert_snapshot!(shell.run("load ../secret"), @"
    $ prompt-slots load ../secret
    ! error: `../secret` is no slot name: `.` can't stand in a slot name: use a-z, 0-9, `_` and `-` (known are `boundary_detection`, `episode_extract`)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("load ''"), @"
    $ prompt-slots load ''
    ! error: `` is no slot name: a slot name can't be empty (known are `boundary_detection`, `episode_extract`)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("load /etc/passwd"), @"
    $ prompt-slots load /etc/passwd
    ! error: `/etc/passwd` is no slot name: `/` can't stand in a slot name: use a-z, 0-9, `_` and `-` (known are `boundary_detection`, `episode_extract`)
    [exit 2]
    ");
}

#[test]
fn a_broken_override_is_refused_with_its_place() {
    let shell = Shell::new();
    shell.set(
        "episode_extract",
        "enabled: true\ntemplate: |\n  Recall {{ memcel.text }}\n",
    );
    insta::assert_snapshot!(shell.run("load episode_extract"), @r#"
    $ prompt-slots load episode_extract
    ! warning: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:3:3: `template`: there is an output schema, but the template does not say "JSON" (models in JSON mode refuse such a prompt; say that the reply is JSON)
    !   |
    ! 3 |   Recall {{ memcel.text }}
    !   |   ^^^^^^
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:3:13: `template`: `memcel` is not declared under `variables` (did you mean `memcell`?)
    !   |
    ! 3 |   Recall {{ memcel.text }}
    !   |             ^^^^^^
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:3:3: `template`: the template does not use the required variable `memcell` (put `{{ memcell }}` where its value belongs, or set `required: false`)
    !   |
    ! 3 |   Recall {{ memcel.text }}
    !   |   ^^^^^^
    [exit 1]
    "#);
}

#[test]
fn a_broken_override_of_another_slot_does_not_matter() {
    let shell = Shell::new();
    shell.set("episode_extract", ": : :\n");
    shell.set("greeting", "enabled: true\ntemplate: Hello\n");
    insta::assert_snapshot!(shell.run("load greeting"), @"
    $ prompt-slots load greeting
    Hello∎
    ");
}

#[test]
fn a_directory_in_the_place_of_an_override_is_refused() {
    let shell = Shell::new();
    shell.write(".everos/prompt_slots/episode_extract.yaml/file", "");
    insta::assert_snapshot!(shell.run("load episode_extract"), @"
    $ prompt-slots load episode_extract
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: is a directory (put a regular file in its place, or a link to one)
    [exit 1]
    ");
}

#[test]
#[cfg(unix)]
fn a_link_to_a_file_that_is_no_slot_is_refused_without_quoting_it() {
    let shell = Shell::new();
    shell.write("secret", "root:x:0:0\n");
    shell.set("other", "");
    let link = shell.path(".everos/prompt_slots/episode_extract.yaml");
    std::os::unix::fs::symlink(shell.path("secret"), link).expect("a link can be made");
    insta::assert_snapshot!(shell.run("load episode_extract"), @"
    $ prompt-slots load episode_extract
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:1:1: the file must be a mapping, got text (write `key: value` lines, with a space behind the colon)
    [exit 1]
    ");
}

#[test]
fn an_override_without_effect_is_told() {
    let shell = Shell::new();
    shell.set("episode_extract", "llm: {temperature: 0}\n");
    insta::assert_snapshot!(shell.run("load episode_extract"), @"
    $ prompt-slots load episode_extract
    ! warning: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:1:1: the override has no effect: the slot is disabled (bundled) (add `enabled: true`; this replaces the algorithm's built-in prompt)
    ! note: slot `episode_extract` is disabled (bundled, config/prompt_slots/episode_extract.yaml:9): the program uses its built-in prompt
    [exit 3]
    ");
}
