//! `render`

use std::io::Write;
use std::process::Stdio;

use crate::shell::Shell;

/// A slot with two required variables and an optional one.
fn with_greeting() -> Shell {
    let shell = Shell::new();
    shell.set(
        "greeting",
        "enabled: true
template: |-
  {{ greeting }}, {{ user.name }}! {{ tone }}
variables: {greeting: a word, user: who, tone: {default: calm}}
validation: {test_cases: [{name: plain, input: {greeting: Hi, user: {name: Ann}}}, {input: {greeting: Yo, user: {name: Bob}, tone: loud}}]}
",
    );
    shell
}

#[test]
fn a_test_case_is_rendered_by_name_or_number() {
    let shell = with_greeting();
    insta::assert_snapshot!(shell.run("render greeting --case plain"), @"
    $ prompt-slots render greeting --case plain
    Hi, Ann! calm∎
    ");
    insta::assert_snapshot!(shell.run("render greeting --case 2"), @"
    $ prompt-slots render greeting --case 2
    Yo, Bob! loud∎
    ");
    insta::assert_snapshot!(shell.run("render greeting --case plan"), @"
    $ prompt-slots render greeting --case plan
    ! error: slot `greeting`: there is no test case `plan` (did you mean `plain`?)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("render greeting --case 3"), @"
    $ prompt-slots render greeting --case 3
    ! error: slot `greeting`: there is no test case `3` (give a number from 1 to 2, or a name: `plain`)
    [exit 2]
    ");
}

#[test]
fn single_values_win_over_the_file_and_the_file_over_the_case() {
    let shell = with_greeting();
    shell.write("in.json", r#"{"greeting": "Hello", "tone": "warm"}"#);
    insta::assert_snapshot!(shell.run("render greeting --case 1 --input in.json"), @"
    $ prompt-slots render greeting --case 1 --input in.json
    Hello, Ann! warm∎
    ");
    insta::assert_snapshot!(shell.run("render greeting --case 1 --input in.json --set tone= --set user.name=Cy"), @"
    $ prompt-slots render greeting --case 1 --input in.json --set tone= --set user.name=Cy
    Hello, Cy! ∎
    ");
    insta::assert_snapshot!(shell.run(r#"render greeting --set greeting=5 --set-json 'user={"name": [1, null]}' --set user.name=Di"#), @r#"
    $ prompt-slots render greeting --set greeting=5 --set-json 'user={"name": [1, null]}' --set user.name=Di
    5, [1, None]! calm∎
    "#);
}

#[test]
fn input_comes_from_standard_input_too() {
    let shell = with_greeting();
    let mut child = shell
        .command(["render", "greeting", "--input", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary can be run");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin
        .write_all(
            "\u{feff}{\"greeting\": \"{{ tone }}\", \"user\": {\"name\": \"Ed\"}}".as_bytes(),
        )
        .expect("it is read");
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "{{ tone }}, Ed! calm"
    );
}

#[test]
fn all_missing_values_are_named_at_once() {
    insta::assert_snapshot!(with_greeting().run("render greeting"), @"
    $ prompt-slots render greeting
    ! error: slot `greeting`: no value for `greeting`, `user` (give values with `--case`, `--input`, `--set` or `--set-json`)
    [exit 1]
    ");
}

#[test]
fn a_value_that_is_not_declared_is_refused() {
    insta::assert_snapshot!(with_greeting().run("render greeting --case 1 --set ton=x"), @"
    $ prompt-slots render greeting --case 1 --set ton=x
    ! error: slot `greeting`: the value `ton` is not declared under `variables` (did you mean `tone`?)
    [exit 1]
    ");
}

#[test]
fn input_that_can_not_be_used_is_refused_without_quoting_it() {
    let shell = with_greeting();
    shell.write("bad.json", r#"{"greeting": secret}"#);
    shell.write("list.json", r#"["secret"]"#);
    shell.write("latin1.json", b"{\"greeting\": \"\xe9\"}");
    insta::assert_snapshot!(shell.run("render greeting --input bad.json"), @r#"
    $ prompt-slots render greeting --input bad.json
    ! error: bad.json: is not valid JSON: expected value at line 1 column 14 (write an object from names to values, such as {"name": "text"})
    [exit 2]
    "#);
    insta::assert_snapshot!(shell.run("render greeting --input list.json"), @r#"
    $ prompt-slots render greeting --input list.json
    ! error: list.json: is no JSON object (write an object from names to values, such as {"name": "text"})
    [exit 2]
    "#);
    insta::assert_snapshot!(shell.run("render greeting --input latin1.json"), @"
    $ prompt-slots render greeting --input latin1.json
    ! error: latin1.json: is not UTF-8 text (name another file with `--input`)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("render greeting --input none.json"), @"
    $ prompt-slots render greeting --input none.json
    ! error: none.json: can't be read: No such file or directory (os error 2) (name another file with `--input`)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("render greeting --input ."), @"
    $ prompt-slots render greeting --input .
    ! error: .: can't be read: Is a directory (os error 21) (name another file with `--input`)
    [exit 2]
    ");
    shell.write("deep.json", "[".repeat(100_000));
    assert_eq!(
        shell
            .output("render greeting --input deep.json")
            .status
            .code(),
        Some(2)
    );
    shell.write("large.json", " ".repeat(5 << 20));
    insta::assert_snapshot!(shell.run("render greeting --input large.json"), @"
    $ prompt-slots render greeting --input large.json
    ! error: large.json: is too large: the limit is 4194304 bytes (name another file with `--input`)
    [exit 2]
    ");
}

#[test]
fn assignments_must_have_a_name_and_a_value() {
    let shell = with_greeting();
    insta::assert_snapshot!(shell.run("render greeting --set tone"), @"
    $ prompt-slots render greeting --set tone
    ! error: `--set` is given no value (write NAME=VALUE)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("render greeting --set =x"), @"
    $ prompt-slots render greeting --set =x
    ! error: `--set `: the name, or a part of it, is empty (write NAME=VALUE or NAME.PART=VALUE)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("render greeting --set user..name=x"), @"
    $ prompt-slots render greeting --set user..name=x
    ! error: `--set user..name`: the name, or a part of it, is empty (write NAME=VALUE or NAME.PART=VALUE)
    [exit 2]
    ");
    insta::assert_snapshot!(shell.run("render greeting --set-json tone=warm"), @"
    $ prompt-slots render greeting --set-json tone=warm
    ! error: `--set-json tone`: not valid JSON: expected value at line 1 column 1 (put text in double quotes, or use `--set`)
    [exit 2]
    ");
    let deep = "a.".repeat(60_000);
    let output = shell.output(&format!("render greeting --set {deep}a=x"));
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @"
    error: `--set`: the name has more than 32 parts (give the whole value with `--input`)
    ");
    insta::assert_snapshot!(shell.run("render greeting --set user=x --set user.name=y"), @"
    $ prompt-slots render greeting --set user=x --set user.name=y
    ! error: `user.name` can't be set: `user` is no map (give the whole value with `--set-json`)
    [exit 2]
    ");
}

#[test]
fn a_disabled_slot_is_previewed_with_a_note() {
    let shell = Shell::new();
    let output = shell.output("render boundary_detection --case 3");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Morning!"));
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @"
    note: slot `boundary_detection` is disabled (bundled, config/prompt_slots/boundary_detection.yaml:9): this is a preview
    ");
}

#[test]
fn a_template_of_ones_own_is_rendered_in_the_place_of_the_slots() {
    let shell = with_greeting();
    shell.write("own.txt", "{{ user.name }} {{ greeting }}");
    shell.write("bad.txt", "{{ user.name }} {{ greting }}");
    insta::assert_snapshot!(shell.run("render greeting --case 1 --template own.txt"), @"
    $ prompt-slots render greeting --case 1 --template own.txt
    Ann Hi∎
    ");
    insta::assert_snapshot!(shell.run("render greeting --case 1 --template bad.txt"), @"
    $ prompt-slots render greeting --case 1 --template bad.txt
    ! error: slot `greeting`, runtime layer: bad.txt:1:20: `template`: `greting` is not declared under `variables` (did you mean `greeting`?)
    !   |
    ! 1 | {{ user.name }} {{ greting }}
    !   |                    ^^^^^^^
    ! error: slot `greeting`, runtime layer: bad.txt:1:1: `template`: the template does not use the required variable `greeting` (put `{{ greeting }}` where its value belongs, or set `required: false`)
    !   |
    ! 1 | {{ user.name }} {{ greting }}
    !   | ^
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("render greeting --case 1 --template none.txt"), @"
    $ prompt-slots render greeting --case 1 --template none.txt
    ! error: none.txt: can't be read: No such file or directory (os error 2) (name another file with `--template`)
    [exit 2]
    ");
}

#[test]
fn settings_out_of_range_are_refused() {
    let shell = with_greeting();
    insta::assert_snapshot!(shell.run("render greeting --case 1 --temperature -1"), @"
    $ prompt-slots render greeting --case 1 --temperature -1
    ! error: slot `greeting`, runtime layer: `llm.temperature`: must be from 0 to 2 (pass a number in this range)
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("render greeting --case 1 --temperature NaN"), @"
    $ prompt-slots render greeting --case 1 --temperature NaN
    ! error: slot `greeting`, runtime layer: `llm.temperature`: must be from 0 to 2 (pass a number in this range)
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("render greeting --case 1 --max-tokens 0"), @"
    $ prompt-slots render greeting --case 1 --max-tokens 0
    ! error: slot `greeting`, runtime layer: `llm.max_tokens`: must be at least 1 (pass a whole number)
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("render greeting --case 1 --max-tokens many"), @"
    $ prompt-slots render greeting --case 1 --max-tokens many
    ! error: invalid value 'many' for '--max-tokens <N>': invalid digit found in string
    !
    ! For more information, try '--help'.
    [exit 2]
    ");
}

#[test]
fn json_says_which_slot_was_rendered_with_which_settings() {
    insta::assert_snapshot!(with_greeting().run("render greeting --case 1 --model m --json"), @r#"
    $ prompt-slots render greeting --case 1 --model m --json
    {
      "id": "greeting@3e12cabe",
      "fingerprint": "3e12cabe3a2f85b42f4c3befefc4629573ee2555260aab204536e9691b1651dd",
      "enabled": true,
      "llm": {
        "model": "m"
      },
      "prompt": "Hi, Ann! calm"
    }
    "#);
}

#[test]
fn a_slot_without_text_is_refused() {
    let shell = Shell::new();
    shell.set("bare", "enabled: true\n");
    insta::assert_snapshot!(shell.run("render bare"), @"
    $ prompt-slots render bare
    ! error: slot `bare`: there is no text to render: the template is blank, or no layer sets one (set `template`)
    [exit 1]
    ");
    insta::assert_snapshot!(shell.run("render nothing"), @"
    $ prompt-slots render nothing
    ! error: slot `nothing`: no layer has a slot of this name (known are `bare`, `boundary_detection`, `episode_extract`)
    [exit 2]
    ");
}

#[test]
fn what_is_wrong_with_the_given_template_is_told_with_its_file_and_place() {
    let shell = with_greeting();
    shell.write("new.txt", "Hi\n  {{ user.nam }} {{ greting }}");
    insta::assert_snapshot!(shell.run("render greeting --case 1 --template new.txt"), @"
    $ prompt-slots render greeting --case 1 --template new.txt
    ! error: slot `greeting`, runtime layer: new.txt:2:21: `template`: `greting` is not declared under `variables` (did you mean `greeting`?)
    !   |
    ! 2 |   {{ user.nam }} {{ greting }}
    !   |                     ^^^^^^^
    ! error: slot `greeting`, runtime layer: new.txt:1:1: `template`: the template does not use the required variable `greeting` (put `{{ greeting }}` where its value belongs, or set `required: false`)
    !   |
    ! 1 | Hi
    !   | ^^
    [exit 1]
    ");
}

#[test]
fn what_is_wrong_with_standard_input_is_told_of_it() {
    let shell = Shell::new();
    insta::assert_snapshot!(shell.run("render episode_extract --input -"), @r#"
    $ prompt-slots render episode_extract --input -
    ! error: standard input: is not valid JSON: EOF while parsing a value at line 1 column 0 (write an object from names to values, such as {"name": "text"})
    [exit 2]
    "#);
}
