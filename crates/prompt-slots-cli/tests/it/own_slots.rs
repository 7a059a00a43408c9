//! A program with a slot of its own, which its build enables by default.

use std::fs;
use std::path::Path;

use prompt_slots::__private::{BundledSlot, bundle, include_dir, limits, phf};
use prompt_slots::{Bundle, Limits, PromptLoader};

/// The default, which does not say `enabled`.
const ANSWER: &str = "template: Hello\nllm: {seed: 1}\n";

/// Compiles the slot in as a build script with `enabled_by_default` would. It lives as long as the tests.
fn program() -> &'static Bundle {
    const FILE: &str = "prompts/answer.yaml";
    let read =
        prompt_slots_core::judge_bundled("answer", FILE, ANSWER.as_bytes(), &Limits::DEFAULT);
    let mut file = read.expect("the default is valid");
    file.spec.enabled.get_or_insert(true);
    let fingerprint = file.spec.fingerprint();
    let slot = BundledSlot::new(
        "answer",
        0,
        FILE,
        Some("Hello\n"),
        file.spec,
        file.places,
        fingerprint,
    );
    let slot: &'static BundledSlot = Box::leak(Box::new(slot));
    // With a single entry every name hashes to it, so that no generator is needed.
    let map = phf::Map {
        key: 0,
        disps: &[(0, 0)],
        entries: vec![("answer", slot)].leak(),
    };
    let original = include_dir::File::new("answer.yaml", ANSWER.as_bytes());
    let originals = include_dir::Dir::new("", vec![include_dir::DirEntry::File(original)].leak());
    Box::leak(Box::new(bundle(
        "courier",
        vec![slot].leak(),
        Box::leak(Box::new(map)),
        Box::leak(Box::new(originals)),
        None,
        None,
        true,
        limits(1 << 20, 32, 100_000, 4 << 20, 1_000_000),
    )))
}

/// Runs a command of the program on a directory of overrides. What it prints is not seen here.
fn run(program: &'static Bundle, line: &str, dir: &Path) {
    let words = ["courier prompts", "--dir"].map(Into::into).into_iter();
    let words = words.chain([dir.as_os_str().to_owned()]);
    let code = prompt_slots_cli::run(program, words.chain(line.split(' ').map(Into::into)));
    assert_eq!(
        format!("{code:?}"),
        format!("{:?}", std::process::ExitCode::SUCCESS),
        "{line}"
    );
}

#[test]
fn an_override_of_a_default_that_the_build_enables_is_told_so() {
    let dir = tempfile::tempdir().expect("a directory can be made");
    let program = program();
    run(program, "override answer", dir.path());
    let file = dir.path().join("answer.yaml");
    let text = fs::read_to_string(&file).expect("the override is written");
    let today = program.fingerprint("answer").expect("it is bundled");
    assert!(text.contains(&format!("based_on: \"{today}\"")), "{text}");
    assert!(text.contains("\n#enabled: true\n"), "{text}");

    // Its base is the same default, so nothing moved.
    let loader = PromptLoader::builder()
        .bundle(program)
        .app_dir(dir.path())
        .build();
    let base = loader.base_data("answer").expect("the base is valid");
    let bundled = loader.layer_data("answer", prompt_slots::Layer::Bundled);
    assert_eq!(base, bundled.expect("it is valid"));
    let over = text
        .replace("#llm:", "llm:")
        .replace("#  seed: 1", "  seed: 2");
    fs::write(&file, over).expect("it can be written");
    run(program, "rebase answer --write", dir.path());
    let after = fs::read_to_string(&file).expect("the override is there");
    assert!(after.contains("\n  seed: 2"), "{after}");
    run(program, "check --deny-warnings", dir.path());
}
