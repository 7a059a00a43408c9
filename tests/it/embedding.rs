//! The steps of `docs/embedding.md`, word for word.

use std::fs;
use std::path::Path;

use crate::downstream::{REPOSITORY, cargo, lock};

const PAGE: &str = include_str!("../../docs/embedding.md");

/// Returns the first block of a language behind a heading.
#[track_caller]
fn block(behind: &str, language: &str) -> &'static str {
    let rest = PAGE.split_once(behind).map(|(_, rest)| rest);
    let open = format!("```{language}\n");
    let block = rest.and_then(|rest| rest.split_once(open.as_str())?.1.split_once("```"));
    let Some((block, _)) = block else {
        panic!("no {language} block behind {behind:?}")
    };
    block
}

#[test]
fn following_the_page_gives_a_program_with_a_prompt_that_operators_can_override() {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let checkout = Path::new(REPOSITORY)
        .display()
        .to_string()
        .replace('\\', "/");
    // What `cargo new` and the two `cargo add` of the page leave behind, with this checkout as the registry.
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"courier\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nprompt-slots = {{ path = \"{checkout}\" }}\n\n\
             [build-dependencies]\nprompt-slots-build = {{ path = \"{checkout}/crates/prompt-slots-build\", default-features = false }}\n"
        ),
    );
    lock(dir.path());
    write("prompts/answer.yaml", block("## 2. A slot", "yaml"));
    write("build.rs", block("`build.rs`:", "rust"));
    write("src/main.rs", block("`src/main.rs`:", "rust"));

    let run = cargo(dir.path(), &["run", "--quiet"]);
    let stdout = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    assert!(stdout.contains("Speak in a calm tone."), "{stdout}");
    assert!(
        stdout.contains("-> Some(\"gpt-4o-mini\"), as answer@"),
        "{stdout}"
    );

    let command = block("## 4. An override", "console");
    let yaml = command
        .split_once("printf '")
        .and_then(|(_, rest)| rest.split_once('\''))
        .unwrap()
        .0;
    write("root/prompt_slots/answer.yaml", &yaml.replace("\\n", "\n"));
    let run = cargo(dir.path(), &["run", "--quiet"]);
    let stdout = String::from_utf8_lossy(&run.stdout);
    assert!(
        stdout.contains("Reply in at most two sentences."),
        "{stdout}"
    );
    assert!(stdout.contains("-> Some(\"gpt-4.1\")"), "{stdout}");

    // The mistake that the page tells the reader to make.
    write(
        "prompts/answer.yaml",
        &block("## 2. A slot", "yaml").replace("{{ question }}", "{{ qestion }}"),
    );
    let run = cargo(dir.path(), &["run", "--quiet"]);
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(!run.status.success());
    assert!(
        stderr.contains("prompts/answer.yaml:6:16: `template`: `qestion` is not declared under `variables` (did you mean `question`?)"),
        "{stderr}"
    );
}
