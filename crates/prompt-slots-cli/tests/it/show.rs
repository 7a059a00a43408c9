//! `show`

use serde_json::Value;

use crate::shell::{Shell, bundled};

/// Text that is easy to get wrong in YAML.
const ODD: [&str; 22] = [
    "",
    " ",
    "\n",
    "  leading\nspaces",
    "trailing  \nspaces ",
    "\ttab\n\ttabs\t\n",
    "lone\rCR",
    "a\u{85}b",
    "a\u{2028}b",
    "one\n",
    "two\n\n",
    "none",
    "yes",
    "no",
    "4.10",
    "null",
    "~",
    "# hash",
    "a # hash",
    "a: b",
    "\u{1b}[31mred",
    "{{ x }}",
];

#[test]
fn the_effective_slot_starts_with_its_id_and_fingerprint() {
    let shell = Shell::new();
    shell.set(
        "greeting",
        "enabled: true\ntemplate: |\n  Hello,\n    world\nllm: {model: m, stop: [a, \"4.10\"]}\n",
    );
    insta::assert_snapshot!(shell.run("show greeting"), @r#"
    $ prompt-slots show greeting
    # greeting@126cdb23, fingerprint 126cdb2368853cbc9b5f1c8b9a726bff575c1620f648878b02a9afe89209ad2e
    enabled: true
    template: |
      Hello,
        world
    llm:
      model: m
      stop:
        - a
        - "4.10"
    "#);
}

#[test]
fn the_effective_slot_is_the_merge_of_its_layers() {
    let shell = Shell::new();
    shell.set(
        "episode_extract",
        "enabled: true\nllm: {temperature: 0.9}\n",
    );
    let shown: Value =
        serde_json::from_str(&shell.stdout("show episode_extract --json")).expect("it is JSON");
    assert_eq!(shown["enabled"], true);
    assert_eq!(
        shown["llm"],
        serde_json::json!({"model": "gpt-4o-mini", "temperature": 0.9, "max_tokens": 2000})
    );
    assert_eq!(shown["template_format"], "jinja2");
}

#[test]
fn yaml_reads_back_to_the_same_slot() {
    let shell = Shell::new();
    for text in ODD {
        let name = if text.is_empty() { "empty" } else { text };
        let yaml = serde_json::json!({
            "enabled": true,
            "template": text,
            "description": text,
            "llm": {"stop": [name], "extra": {name: {"a": [text]}}},
        });
        // JSON escapes what a slot file may not hold as it is, but for these two.
        let yaml = yaml
            .to_string()
            .replace('\u{85}', "\\u0085")
            .replace('\u{2028}', "\\u2028");
        shell.set("one", yaml);
        shell.set("two", shell.stdout("show one"));
        assert_eq!(
            shell.stdout("show two --json"),
            shell.stdout("show one --json"),
            "{text:?}"
        );
    }
}

#[test]
fn the_bundled_slots_read_back_to_the_same_slots() {
    let shell = Shell::new();
    for slot in ["episode_extract", "boundary_detection"] {
        let shown = shell.stdout(&format!("show {slot}"));
        let json = shell.stdout(&format!("show {slot} --json"));
        shell.set("copy", shown);
        assert_eq!(shell.stdout("show copy --json"), json);
    }
}

#[test]
fn a_layer_alone_says_only_what_it_says() {
    let shell = Shell::new();
    shell.set("episode_extract", "# mine\nenabled: true\ntemplate_append: |\n  Be brief.\nbased_on: 0123abcd\nllm: {model: null}\n");
    insta::assert_snapshot!(shell.run("show episode_extract --layer app"), @r#"
    $ prompt-slots show episode_extract --layer app
    enabled: true
    template_append: |
      Be brief.
    llm:
      model: null
    based_on: "0123abcd"
    "#);
    insta::assert_snapshot!(shell.run("show episode_extract --layer app --json"), @r#"
    $ prompt-slots show episode_extract --layer app --json
    {
      "enabled": true,
      "template_append": "Be brief.\n",
      "llm": {
        "model": null
      },
      "based_on": "0123abcd"
    }
    "#);
    let bundled = shell.stdout("show boundary_detection --layer bundled");
    assert!(bundled.starts_with("enabled: false\n"), "{bundled}");
}

#[test]
fn source_is_the_file_byte_for_byte() {
    let shell = Shell::new();
    assert_eq!(
        shell.stdout("show episode_extract --layer bundled --source"),
        bundled("episode_extract")
    );
    // Also a file that is no slot at all: this is how to look at it.
    let bytes = b"# mine\r\n\xff\x00\x1b[31m: [";
    shell.set("episode_extract", bytes);
    assert_eq!(
        shell
            .output("show episode_extract --layer app --source")
            .stdout,
        bytes
    );
}

#[test]
fn the_effective_slot_has_no_source() {
    insta::assert_snapshot!(Shell::new().run("show episode_extract --source"), @"
    $ prompt-slots show episode_extract --source
    ! error: the effective slot is merged from layers, so it has no source (add `--layer bundled` or `--layer app`)
    [exit 2]
    ");
}

#[test]
fn a_layer_without_the_slot_says_so() {
    let shell = Shell::new();
    shell.set("greeting", "template: Hello\n");
    insta::assert_snapshot!(shell.run("show episode_extract --layer app"), @"
    $ prompt-slots show episode_extract --layer app
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: there is no override (write one with `prompt-slots override episode_extract`)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("show greeting --layer bundled"), @"
    $ prompt-slots show greeting --layer bundled
    ! error: slot `greeting`, bundled layer: there is no default (only the app directory has this slot: use `--layer app`)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("show episod_extract --layer app"), @"
    $ prompt-slots show episod_extract --layer app
    ! error: slot `episod_extract`: no layer has a slot of this name (did you mean `episode_extract`?)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("show ../x --layer bundled"), @"
    $ prompt-slots show ../x --layer bundled
    ! error: `../x` is no slot name: `.` can't stand in a slot name: use a-z, 0-9, `_` and `-` (known are `boundary_detection`, `episode_extract`)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("show nothing"), @"
    $ prompt-slots show nothing
    ! error: slot `nothing`: no layer has a slot of this name (known are `boundary_detection`, `episode_extract`, `greeting`)
    [exit 2]
    ");
}

#[test]
fn the_default_of_a_broken_override_can_be_shown() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: yes\n");
    shell.stdout("show episode_extract --layer bundled");
    insta::assert_snapshot!(shell.run("show episode_extract"), @"
    $ prompt-slots show episode_extract
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:1:10: `enabled`: must be true or false, got text (write true or false, without quotes)
    !   |
    ! 1 | enabled: yes
    !   |          ^^^
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("show episode_extract --layer app"), @"
    $ prompt-slots show episode_extract --layer app
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:1:10: `enabled`: must be true or false, got text (write true or false, without quotes)
    !   |
    ! 1 | enabled: yes
    !   |          ^^^
    [exit 1]
    ");
}

#[test]
fn an_override_that_does_not_fit_the_default_can_be_shown_alone() {
    let shell = Shell::new();
    shell.set("episode_extract", "template: no conversation here\n");
    assert_eq!(shell.output("show episode_extract").status.code(), Some(1));
    insta::assert_snapshot!(shell.run("show episode_extract --layer app"), @"
    $ prompt-slots show episode_extract --layer app
    template: no conversation here
    ");
}

#[test]
fn control_characters_are_escaped_in_yaml_and_json() {
    let shell = Shell::new();
    shell.set(
        "greeting",
        "enabled: true\ntemplate: \"a\\e[31m\\u202E\\x85\\x7F\\nb\"\nx-\u{200b}: 1\n",
    );
    insta::assert_snapshot!(shell.run("show greeting"), @r#"
    $ prompt-slots show greeting
    # greeting@7f3d5b14, fingerprint 7f3d5b14fa937f5febc819e90f729c36e46e306aecac08eff31f0f5b1be785c9
    enabled: true
    template: "a\x1B[31m\u202E\x85\x7F\nb"
    "x-\u200B": 1
    "#);
    insta::assert_snapshot!(shell.run("show greeting --json"), @r#"
    $ prompt-slots show greeting --json
    {
      "enabled": true,
      "template": "a\u001b[31m\u202e\u0085\u007f\nb",
      "x-\u200b": 1
    }
    "#);
}
