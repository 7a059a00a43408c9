//! Help, usage and the name of the program.

use crate::shell::Shell;

#[test]
fn help_names_the_commands_and_the_rule_for_the_root() {
    insta::assert_snapshot!(Shell::new().run("--help"), @"
    $ prompt-slots --help
    Show the prompts of prompt-slots, and what overrides them

    Usage: prompt-slots [OPTIONS] <COMMAND>

    Commands:
      list         List the slots, a row each
      load         Print the template that a program gets, exactly its bytes
      show         Print a slot as a slot file
      explain      Say where every value comes from, and what it overrides
      diff         Show what an override changes
      render       Print the prompt that a model would get, exactly its bytes
      check        Check slots, and list everything that is wrong or odd
      status       Say where overrides are read from, and what becomes of each file there
      override     Write an override to change, and print its path
      edit         Change an override in your editor, and put it in force if it is good
      rebase       Bring an override to today's default, and print what changes in it
      reset        Take an override away, or one key of it, and keep a backup
      schema       Print the JSON Schema of a slot file, for editors
      completions  Print a script by which a shell completes commands and options
      man          Print the manual page, or that of one command, in roff

    Options:
      -h, --help
              Print help (see a summary with '-h')

      -V, --version
              Print version

    Global options:
          --root <DIR>
              Read overrides from DIR/prompt_slots (default: $EVEROS_ROOT, else ~/.everos)

          --dir <DIR>
              Read overrides from DIR itself

          --color <WHEN>
              Colour findings and differences

              Possible values:
              - auto:   On a terminal, unless `NO_COLOR` is set
              - always: Also into a file or a pipe
              - never:  Nowhere

    Exit codes:
      0  all is well
      1  refused: there are findings, or a slot's file can't be used
      2  wrong usage, an unknown slot (but for `load`), or a named path that can't be read
      3  `load` has no template, or knows no such slot: use the built-in prompt
    ");
}

#[test]
fn help_of_render_groups_its_options() {
    insta::assert_snapshot!(Shell::new().run("render -h"), @"
    $ prompt-slots render -h
    Print the prompt that a model would get, exactly its bytes

    Usage: prompt-slots render [OPTIONS] <NAME>

    Arguments:
      <NAME>  The slot

    Options:
          --json  Print a JSON object; see below
      -h, --help  Print help (see more with '--help')

    Values:
          --case <CASE>           Take the input of a test case, by its name or its number from 1
          --input <FILE>          Take values from a JSON object in FILE, or from standard input with
                                  `-`
          --set <NAME=TEXT>       Set one value to a text; a dotted name such as `user.name` sets a part
                                  of a map
          --set-json <NAME=JSON>  Set one value to any JSON, as `--set` does; applied after `--set`

    For this call:
          --model <MODEL>    Override the model's name
          --temperature <T>  Override the temperature, 0 to 2
          --max-tokens <N>   Override the longest reply, in tokens
          --template <FILE>  Override the template with the text of FILE, which enables the slot

    Global options:
          --root <DIR>    Read overrides from DIR/prompt_slots (default: $EVEROS_ROOT, else ~/.everos)
          --dir <DIR>     Read overrides from DIR itself
          --color <WHEN>  Colour findings and differences [possible values: auto, always, never]

    JSON: an object with
      id, fingerprint        which prompt it is, with what this call sets
      enabled                whether a program would use it
      llm                    the settings of the model, with the keys of a slot file
      prompt                 the rendered text
    ");
}

#[test]
fn without_a_command_help_goes_to_standard_error() {
    let output = Shell::new().output("");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("Usage: prompt-slots"));
}

#[test]
fn version_is_the_name_and_the_version() {
    let version = Shell::new().stdout("--version");
    assert_eq!(
        version,
        format!("prompt-slots {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn a_misspelt_command_is_answered_with_the_nearest_one() {
    insta::assert_snapshot!(Shell::new().run("lst"), @"
    $ prompt-slots lst
    ! error: unrecognized subcommand 'lst'
    !
    !   tip: a similar subcommand exists: 'list'
    !
    ! Usage: prompt-slots [OPTIONS] <COMMAND>
    !
    ! For more information, try '--help'.
    [exit 2]
    ");
}

#[test]
fn root_and_dir_exclude_each_other_wherever_they_stand() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.run("--root . list --dir ."), @"
    $ prompt-slots --root . list --dir .
    ! error: `--root` and `--dir` both say where overrides are (give one of them)
    [exit 2]
    ");
}

#[test]
fn a_named_directory_must_be_there() {
    let shell = Shell::new();
    shell.write("file", "");
    insta::assert_snapshot!(shell.run("list --root nowhere"), @"
    $ prompt-slots list --root nowhere
    ! error: nowhere: there is no such directory (create it, or name another one with `--root`)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("load episode_extract --dir file"), @"
    $ prompt-slots load episode_extract --dir file
    ! error: file: the directory can't be read: Not a directory (os error 20) (name another one with `--dir`)
    [exit 2]
    ");
}

#[test]
#[cfg(unix)]
fn a_directory_that_may_not_be_read_is_not_to_be_made() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let shell = Shell::new();
    shell.write("private/README.md", "");
    for (path, mode) in [("", 0o755), ("private", 0o000)] {
        set_permissions(shell.path(path), Permissions::from_mode(mode)).expect("they can be set");
    }
    if let Some(seen) = shell.run_as_nobody("list --dir private", "true") {
        insta::assert_snapshot!(seen, @"
        $ prompt-slots list --dir private
        ! error: private: the directory can't be read: Permission denied (os error 13) (run the command as a user who may read it, or name another one with `--dir`)
        [exit 2]
        ");
    }
    set_permissions(shell.path("private"), Permissions::from_mode(0o755)).expect("they can be set");
}

#[test]
#[cfg(unix)]
fn a_program_that_is_called_by_another_name_says_so() {
    let shell = Shell::new();
    let link = shell.path("my-tool.v2");
    std::os::unix::fs::symlink(crate::shell::BINARY, &link).expect("a link can be made");
    let stderr = |line: &str| {
        let mut command = std::process::Command::new(&link);
        command.args(line.split(' ')).env("HOME", shell.path(""));
        let output = command.output().expect("the link can be run");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let usage = stderr("show");
    assert!(usage.contains("Usage: my-tool.v2 show"), "{usage}");
    let hint = stderr("show episode_extract --layer app");
    assert!(
        hint.contains("(write one with `my-tool.v2 override episode_extract`)"),
        "{hint}"
    );
}
