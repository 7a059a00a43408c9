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

    /// Returns a file in the home.
    #[track_caller]
    pub fn read(&self, file: &str) -> String {
        let path = self.path(file);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Returns the names of the files in a directory of the home, sorted.
    #[track_caller]
    pub fn files(&self, dir: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(dir)).expect("the directory is there");
        let names = entries.map(|entry| entry.expect("it can be listed").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Returns the names of the hidden files in a directory of the home, sorted.
    #[track_caller]
    pub fn hidden(&self, dir: &str) -> Vec<String> {
        let mut files = self.files(dir);
        files.retain(|file| file.starts_with('.'));
        files
    }

    /// Returns the name of the one refused text in a directory of the home.
    #[cfg(unix)]
    #[track_caller]
    pub fn rejected(&self, dir: &str) -> String {
        let mut hidden = self.hidden(dir).into_iter();
        let is_one = |file: &String| file.contains(".rejected");
        hidden.find(is_one).expect("there is a refused text")
    }

    /// Returns the texts of the backups, oldest first.
    #[track_caller]
    pub fn backups(&self) -> Vec<String> {
        let dir = ".everos/prompt_slots/.backup";
        let files = self.files(dir).into_iter();
        files
            .map(|file| self.read(&format!("{dir}/{file}")))
            .collect()
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

    /// Runs a command line as a user who owns nothing, as the superuser may write anywhere; `None` where there is no other user.
    #[cfg(unix)]
    pub fn run_as_nobody(&self, line: &str, editor: &str) -> Option<String> {
        let mut command = self.command(split(line));
        if Self::is_superuser() {
            let mut other = Command::new("setpriv");
            other
                .args(["--reuid", "65534", "--regid", "65534", "--clear-groups"])
                .arg(BINARY)
                .args(command.get_args())
                .env_clear()
                .env("HOME", self.home.path())
                .current_dir(self.home.path())
                .stdin(Stdio::null());
            command = other;
        }
        let output = command.env("EDITOR", editor).output().ok()?;
        let seen = Self::dated(&self.transcript(line, &output));
        (!seen.contains("setpriv: ")).then_some(seen)
    }

    /// Tells whether the tests are run by the superuser.
    #[cfg(unix)]
    pub fn is_superuser() -> bool {
        use std::os::unix::fs::MetadataExt;
        fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
    }

    /// Returns the command for a script of the shell.
    #[cfg(unix)]
    pub fn script(&self, script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", script])
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

    /// Like [`run`](Self::run), with times and process ids taken out.
    #[track_caller]
    pub fn run_dated(&self, line: &str) -> String {
        Self::dated(&self.run(line))
    }

    /// Takes times and process ids in file names out of a transcript.
    pub fn dated(transcript: &str) -> String {
        let mut out = String::new();
        let mut rest = transcript;
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, digits) = rest.split_at(at);
            let length = digits
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(digits.len());
            out.push_str(before);
            let stamp = digits
                .get(..16)
                .filter(|it| length == 8 && it.ends_with('Z'));
            if let Some(stamp) = stamp {
                out.push_str("[time]");
                rest = &digits[stamp.len()..];
                // Of two in one second, the second has a number behind it.
                if let Some(number) = rest.strip_prefix('_') {
                    rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
                }
            } else if before.ends_with(".edit-") {
                out.push_str("[pid]");
                rest = &digits[length..];
            } else {
                out.push_str(&digits[..length]);
                rest = &digits[length..];
            }
        }
        out + rest
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
