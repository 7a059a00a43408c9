//! The process and its surroundings: pipes, environment, bytes.

use std::process::Stdio;

use crate::shell::Shell;

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let shell = Shell::new();
    for line in [
        "show episode_extract",
        "list",
        "status --json",
        "--help",
        "render episode_extract --case 1",
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let output = shell
            .command(line.split(' '))
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .expect("the binary can be run");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{line}: {stderr}");
        assert!(!stderr.contains("error"), "{line}: {stderr}");
    }
}

#[test]
fn a_reader_of_errors_that_goes_away_changes_nothing() {
    let shell = Shell::new();
    for (line, code) in [
        ("load episode_extract", 3),
        ("show nothing", 2),
        ("nonsense", 2),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let status = shell
            .command(line.split(' '))
            .stderr(writer)
            .status()
            .expect("the binary can be run");
        assert_eq!(status.code(), Some(code), "{line}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let shell = Shell::new();
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("the device is there");
    let output = shell
        .command(["show", "episode_extract"])
        .stdout(full)
        .output()
        .expect("the binary can be run");
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stderr), @"
    error: can't write the result: No space left on device (os error 28) (send standard output somewhere else)
    ");
}

#[test]
fn without_any_environment_the_defaults_work() {
    let shell = Shell::new();
    std::fs::create_dir(shell.path("empty")).expect("a directory can be made");
    for home in [None, Some(""), Some("relative"), Some("/nonexistent")] {
        for line in [
            "show episode_extract",
            "list",
            "status",
            "render episode_extract --case 1",
        ] {
            let mut command = shell.command(line.split(' '));
            command.env_remove("HOME").current_dir(shell.path("empty"));
            command.envs(home.map(|home| ("HOME", home)));
            let output = command.output().expect("the binary can be run");
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(
                output.status.code(),
                Some(0),
                "{line} with HOME={home:?}: {stderr}"
            );
        }
    }
}

#[test]
fn a_relative_home_is_never_read_from_the_current_directory() {
    let shell = Shell::new();
    shell.write(
        "here/.everos/prompt_slots/greeting.yaml",
        "enabled: true\ntemplate: Hello\n",
    );
    let output = shell
        .command(["load", "greeting"])
        .env("HOME", "here")
        .output()
        .expect("the binary can be run");
    insta::assert_snapshot!(shell.transcript("load greeting", &output), @"
    $ prompt-slots load greeting
    ! note: slot `greeting`: no layer has a slot of this name (known are `boundary_detection`, `episode_extract`)
    [exit 3]
    ");
}

#[test]
#[cfg(unix)]
fn arguments_that_are_not_utf_8_are_refused_or_taken_as_paths() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let shell = Shell::new();
    let odd = OsStr::from_bytes(b"\xff\xfe");
    for args in [
        vec![OsStr::new("load"), odd],
        vec![odd],
        vec![
            OsStr::new("render"),
            OsStr::new("episode_extract"),
            OsStr::new("--set"),
            odd,
        ],
        vec![OsStr::new("list"), OsStr::new("--root"), odd],
    ] {
        let output = shell
            .command(&args)
            .output()
            .expect("the binary can be run");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.starts_with("error: "), "{args:?}: {stderr}");
    }
    std::fs::create_dir(shell.path("").join(odd)).expect("a directory can be made");
    let output = shell
        .command([OsStr::new("status"), OsStr::new("--root"), odd])
        .output()
        .expect("it can be run");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn only_the_word_for_the_severity_is_coloured_and_only_when_asked() {
    let shell = Shell::new();
    shell.set("episode_extract", "llm: {temperature: 0}\n");
    let stderr = |line: &str| String::from_utf8_lossy(&shell.output(line).stderr).into_owned();
    assert!(
        stderr("load episode_extract --color always")
            .starts_with("\u{1b}[1;33mwarning\u{1b}[0m: slot")
    );
    assert!(stderr("load ../x --color always").starts_with("\u{1b}[1;31merror\u{1b}[0m: `../x`"));
    for line in [
        "load episode_extract",
        "load episode_extract --color never",
        "--color auto load episode_extract",
    ] {
        assert!(!stderr(line).contains('\u{1b}'), "{line}");
    }
}
