//! `schema`, `completions`, `man`

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
