//! A real downstream crate: built, run, and broken on purpose.

use std::fs;
use std::path::Path;

use crate::downstream::{REPOSITORY, cargo, lock};

/// Copies the crate to a directory of its own, where it depends on this checkout by absolute paths.
///
/// Each copy has a name of its own: in the target folder that they share, cargo tells crates apart by their names.
fn copy_of_the_consumer(name: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy(&Path::new(REPOSITORY).join("tests/consumer"), dir.path());
    edit(
        &dir.path().join("Cargo.toml"),
        "name = \"consumer\"",
        &format!("name = \"{name}\""),
    );
    edit(
        &dir.path().join("Cargo.toml"),
        "path = \"../..",
        &format!("path = \"{}", REPOSITORY.replace('\\', "/")),
    );
    lock(dir.path());
    dir
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            if !path.ends_with("target") {
                fs::create_dir(&to).unwrap();
                copy(&path, &to);
            }
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

#[track_caller]
fn edit(file: &Path, find: &str, replace: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(
        text.contains(find),
        "{} does not hold {find:?}",
        file.display()
    );
    fs::write(file, text.replace(find, replace)).unwrap();
}

#[test]
fn a_downstream_crate_renders_its_own_slots_with_its_operators_overrides() {
    let dir = copy_of_the_consumer("consumer");
    let run = cargo(dir.path(), &["run", "--quiet"]);
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{stderr}");
    insta::assert_snapshot!(String::from_utf8_lossy(&run.stdout));

    let overrides = dir.path().join("root/prompt_slots");
    fs::create_dir_all(&overrides).unwrap();
    fs::write(
        overrides.join("greeting.yaml"),
        "llm: {model: large}\ntemplate_edits: [{find: Greet, replace: Salute}]\n",
    )
    .unwrap();
    // Its own root rule holds; a file of ours for the other bundle, which has none, changes nothing.
    fs::write(overrides.join("2nd-try.yaml"), "template: changed\n").unwrap();
    let run = cargo(dir.path(), &["run", "--quiet"]);
    let stdout = String::from_utf8_lossy(&run.stdout);
    assert!(
        stdout.contains("Salute Ana in one sentence, in a calm tone."),
        "{stdout}"
    );
    assert!(stdout.contains("[greeting Some(\"large\")]"), "{stdout}");
    assert!(!stdout.contains("changed"), "{stdout}");
}

/// Builds the crate with one thing wrong, and returns what the compiler says.
#[track_caller]
fn fails_with(name: &str, find: &str, replace: &str) -> String {
    let dir = copy_of_the_consumer(name);
    edit(&dir.path().join("src/main.rs"), find, replace);
    let check = cargo(dir.path(), &["check", "--quiet"]);
    let stderr = String::from_utf8_lossy(&check.stderr).into_owned();
    assert!(!check.status.success(), "it compiles with `{replace}`");
    stderr
}

#[test]
fn a_misspelt_slot_does_not_compile() {
    let said = fails_with(
        "misspelt-slot",
        "slots::GREETING.resolve",
        "slots::GREETNG.resolve",
    );
    assert!(said.contains("cannot find value `GREETNG`"), "{said}");
    assert!(said.contains("`GREETING`"), "{said}");
}

#[test]
fn a_forgotten_variable_does_not_compile() {
    let said = fails_with(
        "forgotten-variable",
        "classify::Vars::new(\"my {card} was refused\")",
        "classify::Vars::new()",
    );
    assert!(
        said.contains("this function takes 1 argument but 0 arguments were supplied"),
        "{said}"
    );
    assert!(said.contains("argument #1"), "{said}");
}

#[test]
fn a_misspelt_variable_does_not_compile() {
    let said = fails_with("misspelt-variable", ".tone(\"calm\")", ".toen(\"calm\")");
    assert!(
        said.contains("no method named `toen` found for struct `greeting::Vars`"),
        "{said}"
    );
    assert!(
        said.contains("there is a method `tone` with a similar name"),
        "{said}"
    );
}

#[test]
fn code_that_another_version_generated_does_not_compile_and_says_why() {
    let dir = copy_of_the_consumer("version-skew");
    let build = dir.path().join("build.rs");
    // What an older `prompt-slots-build` would have left behind.
    let mut script = fs::read_to_string(&build).unwrap();
    let end = script.rfind('}').unwrap();
    script.insert_str(
        end,
        "    let file = std::path::Path::new(&std::env::var(\"OUT_DIR\").unwrap()).join(\"prompt_slots.rs\");
    let code = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, code.replace(\"assert_version(\\\"0\", \"assert_version(\\\"99\")).unwrap();\n",
    );
    fs::write(&build, script).unwrap();
    let check = cargo(dir.path(), &["check", "--quiet"]);
    let said = String::from_utf8_lossy(&check.stderr);
    assert!(!check.status.success());
    assert!(
        said.contains("prompt-slots and prompt-slots-build have different versions"),
        "{said}"
    );
}
