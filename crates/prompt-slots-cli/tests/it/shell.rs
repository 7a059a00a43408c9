//! A shell in an empty home.

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The binary under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_prompt-slots");

/// A user with an empty home, who types commands there; nothing of the environment reaches them.
pub struct Shell {
    home: TempDir,
}

impl Shell {
    #[track_caller]
    pub fn new() -> Self {
        let home = tempfile::tempdir().expect("a temporary directory can be made");
        Self { home }
    }

    /// Returns the path of a file in the home.
    pub fn path(&self, file: &str) -> PathBuf {
        self.home.path().join(file)
    }

    /// Writes a file in the home.
    #[track_caller]
    pub fn write(&self, file: &str, content: impl AsRef<[u8]>) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("the path is in the home"))
            .expect("the directory can be made");
        fs::write(path, content).expect("the file can be written");
    }

    /// Writes the override of a slot.
    #[track_caller]
    pub fn set(&self, slot: &str, yaml: impl AsRef<[u8]>) {
        self.write(&format!(".everos/prompt_slots/{slot}.yaml"), yaml);
    }

    /// Returns the command for arguments of any kind.
    pub fn command(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = Command::new(BINARY);
        command
            .args(args)
            .env_clear()
            .env("HOME", self.home.path())
            .current_dir(self.home.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs a command line; white space inside single quotes belongs to the argument.
    #[track_caller]
    pub fn output(&self, line: &str) -> Output {
        self.command(split(line))
            .output()
            .expect("the binary can be run")
    }

    /// Returns what standard output got; the command must succeed.
    #[track_caller]
    pub fn stdout(&self, line: &str) -> String {
        let output = self.output(line);
        assert!(
            output.status.success(),
            "{}",
            self.transcript(line, &output)
        );
        String::from_utf8(output.stdout).expect("the output is UTF-8")
    }

    /// Runs a command line, and returns what a person sees, with `! ` before what went to standard error.
    #[track_caller]
    pub fn run(&self, line: &str) -> String {
        let output = self.output(line);
        self.transcript(line, &output)
    }

    /// Returns what a person sees of a command.
    pub fn transcript(&self, line: &str, output: &Output) -> String {
        let mut seen = format!("$ prompt-slots {line}\n");
        let stdout = String::from_utf8_lossy(&output.stdout);
        seen.push_str(&stdout);
        if !stdout.is_empty() && !stdout.ends_with('\n') {
            seen.push_str("∎\n");
        }
        for line in String::from_utf8_lossy(&output.stderr).lines() {
            // Writing to a string can't fail.
            let _ = writeln!(seen, "{}", format!("! {line}").trim_end());
        }
        match output.status.code() {
            Some(0) => {}
            Some(code) => _ = writeln!(seen, "[exit {code}]"),
            None => seen.push_str("[killed]\n"),
        }
        seen.replace(&self.home.path().display().to_string(), "[home]")
    }
}

fn split(line: &str) -> Vec<String> {
    let mut args = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            args.push(part.to_owned());
            continue;
        }
        args.extend(part.split_whitespace().map(str::to_owned));
    }
    args
}

/// The bundled file of a slot, in the sources.
#[track_caller]
pub fn bundled(slot: &str) -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/prompt_slots");
    fs::read_to_string(dir.join(format!("{slot}.yaml"))).expect("the bundled slot is there")
}
