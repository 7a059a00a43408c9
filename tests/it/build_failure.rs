//! A malformed slot fails the build, with its line and column; a change of a slot is noticed.
//!
//! A copy of the package is built by cargo itself. Copy and build are kept between runs, so that only the first is slow.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the build of the package needs.
const PARTS: [&str; 8] = [
    "Cargo.toml",
    "Cargo.lock",
    "README.md",
    "build.rs",
    "config",
    "crates",
    "examples",
    "src",
];

/// A program of the copy: prints the names of all slots, then what `load` gives of the slot `added`.
const PROGRAM: &str = r#"
fn main() {
    let loader = prompt_slots::PromptLoader::builder().without_app_layer().build();
    println!("{}", prompt_slots::BUNDLE.names().collect::<Vec<_>>().join(" "));
    if let Some(text) = loader.load("added").unwrap() {
        print!("{text}");
    }
}
"#;

/// A copy of the package, for one test at a time.
struct Package {
    dir: PathBuf,
    _lock: File,
}

impl Package {
    fn new() -> Self {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build_failure");
        fs::create_dir_all(&home).unwrap();
        let lock = File::create(home.join("lock")).unwrap();
        lock.lock().unwrap();
        let dir = home.join("package");
        fs::create_dir_all(dir.join("src/bin")).unwrap();
        for part in PARTS {
            let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(part);
            if from.exists() {
                copy(&from, &dir.join(part));
            }
        }
        put(&dir.join("src/bin/shown.rs"), PROGRAM.as_bytes());
        Self { dir, _lock: lock }
    }

    fn slot(&self, file: &str) -> PathBuf {
        self.dir.join("config/prompt_slots").join(file)
    }

    fn cargo(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO"))
            .args(arguments)
            .args(["--offline", "--color", "never", "-p", "prompt-slots"])
            .current_dir(&self.dir)
            .env("CARGO_TARGET_DIR", self.dir.with_file_name("target"))
            .env_remove("RUSTFLAGS")
            .output()
            .unwrap()
    }

    /// Builds what must not build, and returns what cargo says.
    #[track_caller]
    fn refusal(&self) -> String {
        let build = self.cargo(&["build"]);
        let said = String::from_utf8_lossy(&build.stderr).into_owned();
        assert!(!build.status.success(), "it builds:\n{said}");
        said
    }

    /// Runs the program of the copy, and returns what it prints.
    #[track_caller]
    fn shown(&self) -> String {
        let run = self.cargo(&["run", "--quiet", "--bin", "shown"]);
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "it does not build:\n{said}");
        String::from_utf8(run.stdout).unwrap()
    }

    /// Builds, and tells whether the build script ran.
    #[track_caller]
    fn rebuilds(&self) -> bool {
        let build = self.cargo(&["build", "--verbose"]);
        let said = String::from_utf8_lossy(&build.stderr);
        assert!(build.status.success(), "it does not build:\n{said}");
        let fresh = said.contains("Fresh prompt-slots v");
        assert_ne!(fresh, said.contains("/build-script-build`"), "{said}");
        !fresh
    }
}

/// Copies a file or a directory; what is there already keeps its time, what is too much goes.
fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        put(to, &fs::read(from).unwrap());
        return;
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(to).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && !from.join(path.file_name().unwrap()).exists() {
            fs::remove_file(path).unwrap();
        }
    }
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if name != "target" {
            copy(&path, &to.join(name));
        }
    }
}

fn put(to: &Path, bytes: &[u8]) {
    if fs::read(to).ok().as_deref() != Some(bytes) {
        fs::write(to, bytes).unwrap();
    }
}

/// Asserts that cargo says this of the package, in a line of its own.
#[track_caller]
fn assert_says(said: &str, message: &str) {
    let line = format!(
        "error: prompt-slots@{}: config/prompt_slots/{message}",
        env!("CARGO_PKG_VERSION")
    );
    assert!(
        said.lines().any(|said| said == line),
        "no line\n{line}\nin\n{said}"
    );
}

#[test]
fn every_kind_of_malformed_slot_fails_the_build_with_its_line() {
    let malformed = [
        (
            "template: \"Hello\nenabled: true\n",
            "x.yaml:1:11: not valid YAML: unclosed quote (close the quote; a quote inside the text is doubled ('') or escaped (\\\"))",
        ),
        (
            "enabled: false\ntemplate: {{ name }}\n",
            "x.yaml:2:11: `template`: this looks like an unquoted template; to YAML it starts a map (quote it, or use `template: |` and put the text on the next line, indented)",
        ),
        (
            "template: |\n  One line.\nAnother line.\n",
            "x.yaml:3:1: this line ended `template` (line 1) (indent it like the lines of `template`, if it belongs to that text)",
        ),
        (
            "llm:\n\tmodel: m\n",
            "x.yaml:2:1: a tab is used as indentation (YAML wants spaces there)",
        ),
        (
            "enabled: yes\n",
            "x.yaml:1:10: `enabled`: must be true or false, got text (write true or false, without quotes)",
        ),
        (
            "templte: Hello\n",
            "x.yaml:1:1: `templte`: unknown key (did you mean `template`?)",
        ),
        (
            "llm: {temperature: 3}\n",
            "x.yaml:1:20: `llm.temperature`: must be from 0 to 2 (write a number in this range)",
        ),
        (
            "enabled: true\n\nenabled: false\n",
            "x.yaml:3:1: the key `enabled` stands twice, first on line 1 (keep one of them)",
        ),
        (
            "template: |\n  Dear {{ nmae }},\nvariables:\n  name: whom to greet\n",
            "x.yaml:2:11: `template`: `nmae` is not declared under `variables` (did you mean `name`?)",
        ),
        (
            "template: |\n  Answer {q} as\n  {\"ok\": true}\ntemplate_format: f-string\nvariables: {q: the question}\n",
            "x.yaml:3:3: `template`: JSON brace `{\"ok\": true}` (double it: `{{` and `}}`, or set `template_format: jinja2`)",
        ),
        (
            "template: Dear {{ name }}\nvariables: {name: x}\nvalidation:\n  test_cases:\n    - name: Ann\n      input: {name: Ann}\n      prompt: {contains: [Bob]}\n",
            "x.yaml:7:16: `validation.test_cases[0]`: test case `Ann` (bundled): the prompt does not contain \"Bob\" (the template must keep it, or print its value)",
        ),
    ];
    let package = Package::new();
    for (text, message) in malformed {
        fs::write(package.slot("x.yaml"), text).unwrap();
        assert_says(&package.refusal(), message);
    }
}

#[test]
fn all_bad_files_are_reported_by_one_build() {
    let package = Package::new();
    fs::write(package.slot("one.yaml"), "enabled: 1\nllm: {top_p: 2}\n").unwrap();
    fs::write(package.slot("two.yml"), "template: Hello\n").unwrap();
    let said = package.refusal();
    for message in [
        "one.yaml:1:10: `enabled`: must be true or false, got a number (write true or false, without quotes)",
        "one.yaml:2:14: `llm.top_p`: must be from 0 to 1 (write a number in this range)",
        "two.yml: slot files end in `.yaml` (rename it to `two.yaml`, or move it away)",
    ] {
        assert_says(&said, message);
    }
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn every_change_of_the_slots_is_built_in_and_no_other_change_runs_the_build_script() {
    let package = Package::new();
    let before = package.shown();
    assert!(!before.contains("added"), "{before}");

    let odd = "\"#\\ {} {{ ' \r\n \u{2028}\u{85}\u{202e} é日🙂 \\u{41}\n";
    let escaped = odd.chars().fold(String::new(), |mut escaped, c| {
        let _ = write!(escaped, "\\U{:08x}", u32::from(c));
        escaped
    });
    let file = package.slot("added.yaml");
    fs::write(
        &file,
        format!("enabled: true\ntemplate: \"{{% raw %}}{escaped}{{% endraw %}}\"\n"),
    )
    .unwrap();
    let shown = package.shown();
    let (names, text) = shown.split_once('\n').unwrap();
    assert!(names.starts_with("added "), "a new file: {names}");
    assert_eq!(text, format!("{{% raw %}}{odd}{{% endraw %}}"), "its text");
    assert!(!package.rebuilds(), "nothing has changed");

    fs::write(package.dir.join("README.md"), "Changed.\n").unwrap();
    assert!(!package.rebuilds(), "the README is no slot");

    fs::write(&file, "enabled: true\ntemplate: Edited.").unwrap();
    assert!(package.shown().ends_with("\nEdited."), "an edited file");

    let renamed = package.slot("renamed.yaml");
    fs::rename(&file, &renamed).unwrap();
    let shown = package.shown();
    assert!(
        !shown.contains("added") && shown.contains(" renamed\n"),
        "a renamed file: {shown}"
    );

    fs::remove_file(renamed).unwrap();
    assert_eq!(package.shown(), before, "a deleted file");
}
