//! `schema`, `completions`, `man`

#[cfg(unix)]
use std::os::unix::process::CommandExt;

use serde_json::Value;

use crate::shell::Shell;

/// The commands that a person sees.
const COMMANDS: [&str; 10] = [
    "list", "load", "show", "explain", "render", "check", "status", "diff", "schema", "man",
];

#[test]
fn the_schema_is_json_that_names_its_draft() {
    let schema: Value = serde_json::from_str(&Shell::new().stdout("schema")).expect("it is JSON");
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    assert_eq!(schema["additionalProperties"], false);
    let temperature = &schema["properties"]["llm"]["properties"]["temperature"];
    insta::assert_snapshot!(temperature, @r#"{"type":["number","null"],"minimum":0,"maximum":2,"description":"0 to 2"}"#);
}

#[test]
fn every_shell_is_told_every_command() {
    let shell = Shell::new();
    for name in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = shell.stdout(&format!("completions {name}"));
        for command in COMMANDS {
            assert!(script.contains(command), "{name}: {command}");
        }
    }
    insta::assert_snapshot!(shell.run("completions tcsh"), @"
    $ prompt-slots completions tcsh
    ! error: invalid value 'tcsh' for '<SHELL>'
    !   [possible values: bash, elvish, fish, powershell, zsh]
    !
    !   tip: a similar value exists: 'zsh'
    !
    ! For more information, try '--help'.
    [exit 2]
    ");
}

#[test]
#[cfg(unix)]
fn commands_behind_one_of_a_program_are_completed_as_its_subcommands() {
    let home = Shell::new();
    let stdout = |name: &str, line: &str| {
        let mut command = home.command(line.split(' '));
        let output = command.arg0(name).output().expect("the binary can be run");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name} {line}: {stderr}");
        String::from_utf8(output.stdout).expect("the output is UTF-8")
    };
    for name in ["myapp prompts", "my-app the-tools  prompts", " ", ""] {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let script = stdout(name, &format!("completions {shell}"));
            for command in COMMANDS {
                assert!(script.contains(command), "{name}, {shell}: {command}");
            }
        }
    }
    let bash = stdout("myapp prompts", "completions bash");
    assert!(bash.contains("-o default myapp\n"), "{bash}");
    assert!(bash.contains("myapp,prompts)\n"), "{bash}");
    assert!(stdout("myapp prompts", "completions zsh").starts_with("#compdef myapp\n"));

    let page = stdout("myapp prompts", "man list");
    assert!(page.contains(".TH myapp-prompts-list 1"), "{page}");
    assert!(
        page.contains("\nmyapp\\-prompts\\-list \\- List the slots"),
        "{page}"
    );
    assert!(page.contains("\n\\fBmyapp prompts list\\fR"), "{page}");
    let page = stdout("myapp prompts", "man");
    assert!(page.contains("\nmyapp\\-prompts \\- Show"), "{page}");
    assert!(page.contains("myapp\\-prompts\\-list(1)"), "{page}");
}

#[test]
fn the_manual_has_a_page_for_the_program_and_for_each_command() {
    let shell = Shell::new();
    let page = shell.stdout("man");
    assert!(page.contains(".TH prompt-slots 1"), "{page}");
    for command in COMMANDS {
        assert!(page.contains(&command.replace('-', "\\-")), "{command}");
        let page = shell.stdout(&format!("man {command}"));
        assert!(
            page.contains(&format!(".TH prompt-slots-{command} 1")),
            "{page}"
        );
    }
    insta::assert_snapshot!(shell.run("man explan"), @"
    $ prompt-slots man explan
    ! error: there is no command `explan` (did you mean `explain`?)
    [exit 2]
    ");
}
