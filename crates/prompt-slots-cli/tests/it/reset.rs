//! `reset`

use std::fs;

use crate::shell::Shell;

const DIR: &str = ".everos/prompt_slots";
const OVERRIDE: &str = "\
# ours
enabled: true # since May

# it was too dry
template_edits:
  - {find: in a neutral tone, replace: warmly}
llm:
  model: gpt-4.1
  # warmer
  temperature: 0.9
";

#[test]
fn an_override_becomes_a_backup() {
    let shell = Shell::new();
    shell.set("episode_extract", OVERRIDE);
    insta::assert_snapshot!(shell.run_dated("reset episode_extract"), @"
    $ prompt-slots reset episode_extract
    ! note: The override of `episode_extract` is now [home]/.everos/prompt_slots/.backup/episode_extract.[time].yaml.
    ! note: slot `episode_extract` is disabled (bundled, config/prompt_slots/episode_extract.yaml:9): the program uses its built-in prompt.
    ");
    assert!(!shell.path(&format!("{DIR}/episode_extract.yaml")).exists());
    assert_eq!(shell.backups(), [OVERRIDE]);
    insta::assert_snapshot!(shell.run("reset episode_extract"), @"
    $ prompt-slots reset episode_extract
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: there is no override (write one with `prompt-slots override episode_extract`)
    [exit 2]
    ");
}

#[test]
#[cfg(unix)]
fn what_is_still_being_saved_goes_into_the_backup() {
    use std::io::Write;

    for line in [
        "reset episode_extract",
        "reset episode_extract --key llm.model",
        "reset --all",
    ] {
        let shell = Shell::new();
        shell.set("episode_extract", OVERRIDE);
        let path = shell.path(&format!("{DIR}/episode_extract.yaml"));
        let mut saving = fs::OpenOptions::new().append(true).open(path);
        let saving = saving.as_mut().expect("it is there");
        shell.stdout(line);
        saving.write_all(b"# saved").expect("it can be written");
        assert_eq!(shell.backups(), [format!("{OVERRIDE}# saved")], "{line}");
    }
}

#[test]
fn a_backup_never_takes_the_place_of_another() {
    let shell = Shell::new();
    // More than one of them is in the same second.
    let overs = ["# 1\n", "# 2\n", "# 3\n"];
    for over in overs {
        shell.set("episode_extract", over);
        shell.stdout("reset episode_extract");
    }
    let mut backups = shell.backups();
    backups.sort();
    assert_eq!(backups, overs);
}

#[test]
fn one_key_goes_and_the_lines_of_the_others_stay() {
    let shell = Shell::new();
    shell.set("episode_extract", OVERRIDE);
    insta::assert_snapshot!(shell.run_dated("reset episode_extract --key llm.temperature"), @"
    $ prompt-slots reset episode_extract --key llm.temperature
    ! note: The override of `episode_extract` no longer sets `llm.temperature`; as it was, it is [home]/.everos/prompt_slots/.backup/episode_extract.[time].yaml.
    ! note: `llm.temperature` comes from the default now.
    ");
    insta::assert_snapshot!(shell.run_dated("reset episode_extract --key template_edits"), @"
    $ prompt-slots reset episode_extract --key template_edits
    ! note: The override of `episode_extract` no longer sets `template_edits`; as it was, it is [home]/.everos/prompt_slots/.backup/episode_extract.[time].yaml.
    ");
    insta::assert_snapshot!(shell.read(&format!("{DIR}/episode_extract.yaml")), @"
    # ours
    enabled: true # since May

    # it was too dry
    llm:
      model: gpt-4.1
      # warmer
    ");
    insta::assert_snapshot!(shell.run_dated("reset episode_extract --key llm"), @"
    $ prompt-slots reset episode_extract --key llm
    ! note: The override of `episode_extract` no longer sets `llm.model`; as it was, it is [home]/.everos/prompt_slots/.backup/episode_extract.[time].yaml.
    ! note: `llm.model` comes from the default now.
    ");
    insta::assert_snapshot!(shell.read(&format!("{DIR}/episode_extract.yaml")), @"
    # ours
    enabled: true # since May

    # it was too dry
    ");
    assert_eq!(shell.backups().len(), 3);
}

#[test]
fn a_key_that_is_not_set_is_told_with_the_one_that_was_meant() {
    let shell = Shell::new();
    shell.set("episode_extract", OVERRIDE);
    insta::assert_snapshot!(shell.run("reset episode_extract --key llm.temprature"), @"
    $ prompt-slots reset episode_extract --key llm.temprature
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: the override does not set `llm.temprature` (did you mean `llm.temperature`?)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("reset episode_extract --key output_schema"), @"
    $ prompt-slots reset episode_extract --key output_schema
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: the override does not set `output_schema` (it sets `enabled`, `template_edits`, `llm.model`, `llm.temperature`)
    [exit 2]
    ");
    assert_eq!(shell.read(&format!("{DIR}/episode_extract.yaml")), OVERRIDE);
}

#[test]
fn a_key_that_others_need_stays() {
    let shell = Shell::new();
    let over = "\
enabled: true
template: |
  Sum up as JSON, {{ tone }}: {{ memcell.text }}
template_format: jinja2
variables:
  tone: {description: how to speak, default: calm}
";
    shell.set("episode_extract", over);
    insta::assert_snapshot!(shell.run("reset episode_extract --key variables.tone"), @"
    $ prompt-slots reset episode_extract --key variables.tone
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml:3:22: `template`: `tone` is not declared under `variables` (nothing was changed: without `variables.tone` the override is not valid; use `prompt-slots edit episode_extract`)
    !   |
    ! 3 |   Sum up as JSON, {{ tone }}: {{ memcell.text }}
    !   |                      ^^^^
    [exit 1]
    ");
    assert_eq!(shell.read(&format!("{DIR}/episode_extract.yaml")), over);
    // The format goes with its template; an added variable may stay.
    insta::assert_snapshot!(shell.run_dated("reset episode_extract --key template"), @"
    $ prompt-slots reset episode_extract --key template
    ! note: The override of `episode_extract` no longer sets `template`, `template_format`; as it was, it is [home]/.everos/prompt_slots/.backup/episode_extract.[time].yaml.
    ! note: `template` comes from the default now.
    ");
}

#[test]
fn all_overrides_go_and_nothing_else_does() {
    let shell = Shell::new();
    shell.set("episode_extract", "enabled: true\n");
    shell.set("boundary_detection", "enabled: yes\n");
    shell.set("greeting", "enabled: true\ntemplate: Hello\n");
    shell.write(&format!("{DIR}/README.md"), "ours");
    shell.write(
        &format!("{DIR}/episode_extract.yaml.bak"),
        "enabled: false\n",
    );
    insta::assert_snapshot!(shell.run_dated("reset --all"), @"
    $ prompt-slots reset --all
    ! note: The override of `boundary_detection` is now [home]/.everos/prompt_slots/.backup/boundary_detection.[time].yaml.
    ! note: slot `boundary_detection` is disabled (bundled, config/prompt_slots/boundary_detection.yaml:9): the program uses its built-in prompt.
    ! note: The override of `episode_extract` is now [home]/.everos/prompt_slots/.backup/episode_extract.[time].yaml.
    ! note: slot `episode_extract` is disabled (bundled, config/prompt_slots/episode_extract.yaml:9): the program uses its built-in prompt.
    ! note: The override of `greeting` is now [home]/.everos/prompt_slots/.backup/greeting.[time].yaml.
    ! note: There is no slot `greeting` any more: it had no default.
    ");
    assert_eq!(shell.backups().len(), 3);
    let left: Vec<_> = shell
        .files(DIR)
        .into_iter()
        .filter(|file| !file.starts_with('.'))
        .collect();
    assert_eq!(left, ["README.md", "episode_extract.yaml.bak"]);
    insta::assert_snapshot!(shell.run("reset --all"), @"
    $ prompt-slots reset --all
    ! note: There is no override.
    ");
}

#[test]
fn a_look_alike_that_has_the_slot_refused_now_is_told() {
    for (line, look_alike) in [
        ("reset episode_extract", "episode_extract.yml"),
        ("reset episode_extract", "Episode_extract.yaml"),
        ("reset --all", "episode_extract.yml"),
    ] {
        let shell = Shell::new();
        shell.set("episode_extract", "enabled: true\n");
        shell.write(&format!("{DIR}/{look_alike}"), "enabled: true\n");
        let seen = shell.run_dated(line);
        let seen = seen.replace(look_alike, "[look-alike]");
        let (_, seen) = seen.split_once('\n').expect("there are several lines");
        insta::allow_duplicates! {
            insta::assert_snapshot!(seen, @"
            ! note: The override of `episode_extract` is now [home]/.everos/prompt_slots/.backup/episode_extract.[time].yaml.
            ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/[look-alike]: an override of `episode_extract` is called `episode_extract.yaml`, so this file is not read (rename it to `episode_extract.yaml`, or move it away)
            [exit 1]
            ");
        }
        assert_eq!(shell.backups(), ["enabled: true\n"]);
    }
}

#[test]
fn what_to_reset_must_be_said() {
    let shell = Shell::new();
    for line in [
        "reset",
        "reset --key enabled",
        "reset episode_extract --all",
        "reset --all --key enabled",
    ] {
        assert_eq!(shell.output(line).status.code(), Some(2), "{line}");
    }
    insta::assert_snapshot!(shell.run("reset"), @"
    $ prompt-slots reset
    ! error: the following required arguments were not provided:
    !   <NAME|--all>
    !
    ! Usage: prompt-slots reset <NAME|--all>
    !
    ! For more information, try '--help'.
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("reset episod_extract"), @"
    $ prompt-slots reset episod_extract
    ! error: slot `episod_extract`: no layer has a slot of this name (did you mean `episode_extract`?)
    [exit 2]
    ");
}

#[test]
#[cfg(unix)]
fn a_link_is_left_alone_with_what_it_leads_to() {
    let shell = Shell::new();
    shell.write("shared/episode_extract.yaml", OVERRIDE);
    fs::create_dir_all(shell.path(DIR)).expect("a directory can be made");
    let link = shell.path(&format!("{DIR}/episode_extract.yaml"));
    std::os::unix::fs::symlink("../../shared/episode_extract.yaml", &link)
        .expect("a link can be made");
    insta::assert_snapshot!(shell.run("reset episode_extract"), @"
    $ prompt-slots reset episode_extract
    ! error: slot `episode_extract`, app layer: [home]/.everos/prompt_slots/episode_extract.yaml: is a link to ../../shared/episode_extract.yaml (change the file that it leads to, or put a copy of it in the link's place)
    [exit 1]
    ");
    for line in [
        "reset episode_extract --key enabled",
        "edit episode_extract",
        "reset --all",
    ] {
        assert_eq!(shell.output(line).status.code(), Some(1), "{line}");
    }
    assert_eq!(shell.read("shared/episode_extract.yaml"), OVERRIDE);
    assert!(link.is_symlink());
}
