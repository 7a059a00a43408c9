//! `check --configmap`

use std::io::Write;
use std::process::Stdio;

use crate::shell::Shell;

const STREAM: &str = r#"# all that is deployed
apiVersion: v1
kind: Service
metadata: {name: x}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: prompts
data:
  episode_extract.yaml: |
    enabled: true
    llm:
      temprature: 1
  boundary_detection.yaml: "enabled: yes\n"
  Foo.yaml: "enabled: true"
  x.yml: hi
  n.yaml: 3
  README.md: hi
---
apiVersion: v1
kind: List
items:
  - kind: ConfigMap
    metadata: {name: more}
    data:
      episode_extract.yaml: |
        enabled: true
        template: |
          Sum up as JSON:
            {{ memcel.text }}
---
kind: Secret
stringData: {a: [b}
---
kind: ConfigMap
data: {a.yaml: "x: [1"
"#;

#[test]
fn findings_name_their_place_in_the_manifest_and_in_the_slot() {
    let shell = Shell::new();
    shell.write("stream.yaml", STREAM);
    insta::assert_snapshot!(shell.run("check --configmap stream.yaml"), @r#"
    $ prompt-slots check --configmap stream.yaml
    error: slot `episode_extract`, app layer, episode_extract.yaml:3:3 in ConfigMap `prompts`: stream.yaml:14:7: `llm.temprature`: unknown key (did you mean `temperature`?)
       |
    14 |       temprature: 1
       |       ^^^^^^^^^^
    error: slot `boundary_detection`, app layer, boundary_detection.yaml:1:10 in ConfigMap `prompts`: stream.yaml:15:28: `enabled`: must be true or false, got text (write true or false, without quotes)
       |
    15 |   boundary_detection.yaml: "enabled: yes\n"
       |                            ^
    error: app layer, Foo.yaml in ConfigMap `prompts`: stream.yaml:16:3: `F` can't stand in a slot name: use a-z, 0-9, `_` and `-` (rename it)
       |
    16 |   Foo.yaml: "enabled: true"
       |   ^^^^^^^^
    error: stream.yaml:17:3: `data.x.yml`: an override of `x` is called `x.yaml`, so this key is not read (rename it to `x.yaml`, or leave it out)
       |
    17 |   x.yml: hi
       |   ^^^^^
    error: stream.yaml:18:3: `data.n.yaml`: must be text, got a number (write `n.yaml: |`, and the slot indented below)
       |
    18 |   n.yaml: 3
       |   ^^^^^^
    error: slot `episode_extract`, app layer, episode_extract.yaml:3:3 in ConfigMap `more`: stream.yaml:30:11: `template`: the template does not use the required variable `memcell` (put `{{ memcell }}` where its value belongs, or set `required: false`)
       |
    30 |           Sum up as JSON:
       |           ^^^
    error: slot `episode_extract`, app layer, episode_extract.yaml:4:8 in ConfigMap `more`: stream.yaml:31:16: `template`: `memcel` is not declared under `variables` (did you mean `memcell`?)
       |
    31 |             {{ memcel.text }}
       |                ^^^^^^^^^^^
    error: stream.yaml:37:7: not valid YAML: unclosed bracket '{' (check quotes and indentation here and on the line before)
       |
    37 | data: {a.yaml: "x: [1"
       |       ^
    3 slots, 0 test cases, 8 errors, 0 warnings
    [exit 1]
    "#);
}

#[test]
fn a_sound_manifest_may_come_through_a_pipe() {
    let shell = Shell::new();
    let mut child = shell
        .command(["check", "--configmap", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary can be run");
    let manifest = "kind: ConfigMap\r\ndata:\r\n  episode_extract.yaml: |\r\n    enabled: true\r\n    llm: {model: 4.1}\r\n";
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    stdin
        .write_all(manifest.as_bytes())
        .expect("the manifest can be written");
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    insta::assert_snapshot!(shell.transcript("check --configmap -", &output), @"
    $ prompt-slots check --configmap -
    error: slot `episode_extract`, app layer, episode_extract.yaml:2:14 in ConfigMap `without a name`: <stdin>:5:18: `llm.model`: must be text, got a number with a decimal point (put it in quotes)
      |
    5 |     llm: {model: 4.1}
      |                  ^^^
    1 slot, 0 test cases, 1 error, 0 warnings
    [exit 1]
    ");
}

#[test]
fn a_template_of_a_manifest_is_told_as_one() {
    let shell = Shell::new();
    shell.write(
        "name.yaml",
        "kind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-prompts\ndata: {}\n",
    );
    shell.write(
        "files.yaml",
        "kind: ConfigMap\ndata:\n  {{- (.Files.Glob \"x/*\").AsConfig | nindent 2 }}\n",
    );
    shell.write(
        "if.yaml",
        "{{- if .Values.prompts }}\nkind: ConfigMap\ndata: {}\n{{- end }}\n",
    );
    for file in ["name", "files", "if"] {
        let seen = shell.run(&format!("check --configmap {file}.yaml"));
        assert!(
            seen.contains("this is a template of a manifest, as Helm's are"),
            "{seen}"
        );
    }
    insta::assert_snapshot!(shell.run("check --configmap name.yaml"), @"
    $ prompt-slots check --configmap name.yaml
    error: name.yaml:3:9: this is a template of a manifest, as Helm's are, not a manifest (render it first: `helm template CHART`, and check what that prints)
      |
    3 |   name: {{ .Release.Name }}-prompts
      |         ^
    0 slots, 0 test cases, 1 error, 0 warnings
    [exit 1]
    ");
}

#[test]
fn a_stream_without_slots_says_so() {
    let shell = Shell::new();
    shell.write(
        "stream.yaml",
        "kind: Service\n---\nkind: ConfigMap\ndata: {log.level: debug}\n",
    );
    insta::assert_snapshot!(shell.run("check --configmap stream.yaml"), @"
    $ prompt-slots check --configmap stream.yaml
    0 slots, 0 test cases, 0 errors, 0 warnings
    ! note: there is nothing to check: no file there, and no key of a ConfigMap, is called NAME.yaml
    ");
    insta::assert_snapshot!(shell.run("check --configmap nowhere.yaml"), @"
    $ prompt-slots check --configmap nowhere.yaml
    ! error: nowhere.yaml: can't be read: No such file or directory (os error 2) (name another file with `--configmap`)
    [exit 2]
    ");
}

#[test]
fn keys_that_are_no_slots_are_judged_as_files_of_a_directory_are() {
    let shell = Shell::new();
    let manifest = "\
kind: ConfigMap
metadata: {name: prompts}
data:
  .lock: ''
  .episode_extract.rejected-68a9c01a.yaml: 'enabled: yes'
  boundary_detection.yaml: 'enabled: true'
  boundary_detection.yml: 'enabled: false'
  boundary_detection.yaml.orig: 'enabled: false'
  greeting.yaml.bak: 'enabled: false'
  episode_extract.yml: 'enabled: true'
  Farewell.YML.txt: 'enabled: true'
binaryData:
  letter.yaml: ZW5hYmxlZDogdHJ1ZQ==
  logo.png: aGk=
";
    shell.write("map.yaml", manifest);
    insta::assert_snapshot!(shell.run("check --configmap map.yaml"), @"
    $ prompt-slots check --configmap map.yaml
    warning: map.yaml:4:3: `data..lock`: the key is no slot: hidden files are never read (leave it out of the ConfigMap)
      |
    4 |   .lock: ''
      |   ^^^^^
    warning: map.yaml:5:3: `data..episode_extract.rejected-68a9c01a.yaml`: the key is no slot: hidden files are never read (leave it out of the ConfigMap)
      |
    5 |   .episode_extract.rejected-68a9c01a.yaml: 'enabled: yes'
      |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    warning: map.yaml:7:3: `data.boundary_detection.yml`: the key is no slot, `boundary_detection.yaml` is (leave it out of the ConfigMap)
      |
    7 |   boundary_detection.yml: 'enabled: false'
      |   ^^^^^^^^^^^^^^^^^^^^^^
    warning: map.yaml:8:3: `data.boundary_detection.yaml.orig`: the key is no slot, `boundary_detection.yaml` is (leave it out of the ConfigMap)
      |
    8 |   boundary_detection.yaml.orig: 'enabled: false'
      |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    warning: map.yaml:9:3: `data.greeting.yaml.bak`: the key is no slot: the files of slots end in `.yaml` (rename it to `greeting.yaml`, or leave it out)
      |
    9 |   greeting.yaml.bak: 'enabled: false'
      |   ^^^^^^^^^^^^^^^^^
    error: map.yaml:10:3: `data.episode_extract.yml`: an override of `episode_extract` is called `episode_extract.yaml`, so this key is not read (rename it to `episode_extract.yaml`, or leave it out)
       |
    10 |   episode_extract.yml: 'enabled: true'
       |   ^^^^^^^^^^^^^^^^^^^
    error: map.yaml:11:3: `data.Farewell.YML.txt`: an override of `farewell` is called `farewell.yaml`, so this key is not read (rename it to `farewell.yaml`, or leave it out)
       |
    11 |   Farewell.YML.txt: 'enabled: true'
       |   ^^^^^^^^^^^^^^^^
    error: map.yaml:13:3: `binaryData.letter.yaml`: is in `binaryData`, where what is not UTF-8 text goes (save it as UTF-8 text, and have it in `data`)
       |
    13 |   letter.yaml: ZW5hYmxlZDogdHJ1ZQ==
       |   ^^^^^^^^^^^
    1 slot, 3 test cases, 3 errors, 5 warnings
    [exit 1]
    ");
}

#[test]
fn json_says_where_in_the_config_map_a_finding_is() {
    let shell = Shell::new();
    shell.write("map.yaml", "kind: ConfigMap\nmetadata: {name: prompts}\ndata:\n  episode_extract.yaml: |\n    enabled: true\n    lm: {}\n");
    insta::assert_snapshot!(shell.run("check --configmap map.yaml --format json"), @r#"
    $ prompt-slots check --configmap map.yaml --format json
    {
      "slots": 1,
      "test_cases": 0,
      "errors": 1,
      "warnings": 0,
      "findings": [
        {
          "severity": "error",
          "slot": "episode_extract",
          "layer": "app",
          "file": "map.yaml",
          "line": 6,
          "column": 5,
          "key": "lm",
          "message": "unknown key",
          "hint": "did you mean `llm`?",
          "config_map": {
            "name": "prompts",
            "file": "episode_extract.yaml",
            "line": 2,
            "column": 1
          }
        }
      ]
    }
    [exit 1]
    "#);
}
