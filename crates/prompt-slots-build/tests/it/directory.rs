//! What a directory of slots may hold, and what is said of all else.

use std::fs;

use prompt_slots_build::{Embed, Error};

use crate::workspace::Workspace;

const GOOD: (&str, &str) = ("good.yaml", "template: Hello\n");

#[test]
fn findings_of_all_files_are_told_at_once_in_a_line_each() {
    let workspace = Workspace::new(&[
        GOOD,
        ("b.yaml", "enabled: yes\nllm: {model: 4}\n"),
        ("a.yaml", "template: |\n  Hi {{ name }}\n  {% if x %}\n"),
        ("c.yaml", "template: |\n  one\ntwo\n"),
        ("d.yaml", "template: >\n  folded\nllm:\n"),
        ("e.yml", "template: Hello\n"),
        ("F.yaml", "template: Hello\n"),
        (
            "g.yaml",
            "template: 'Hi {{ name }}'\nvariables: {name: x}\nvalidation: {test_cases: [{}]}\n",
        ),
    ]);
    insta::assert_snapshot!(workspace.refusal());
}

#[test]
fn warnings_alone_don_t_stop_a_build() {
    let workspace = Workspace::new(&[("a.yaml", "template: >\n  folded\n")]);
    let warnings = workspace.generate().unwrap();
    let told: Vec<_> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["prompts/a.yaml:1:1: `template`: `>` joins the lines of the text (use `|` to keep them)"]
    );
    assert!(workspace.out().join("prompt_slots.rs").exists());
}

#[test]
fn a_file_that_was_meant_to_be_a_slot_is_refused() {
    for name in [
        "a.yml",
        "a.YAML",
        "a.Yaml",
        "a.yaml.txt",
        "a.yml.txt",
        "a.yaml.j2",
    ] {
        let said = Workspace::new(&[GOOD, (name, "template: Hello\n")]).refusal();
        assert_eq!(
            said,
            format!(
                "prompts/{name}: slot files end in `.yaml` (rename it to `a.yaml`, or move it away)"
            )
        );
    }
}

#[test]
fn what_editors_and_merges_leave_behind_is_ignored() {
    let plain = Workspace::new(&[GOOD]).code();
    for name in [
        "good.yaml~",
        ".good.yaml.swp",
        "good.yaml.swp",
        ".good.yaml",
        "#good.yaml#",
        ".#good.yaml",
        "good.yaml.bak",
        "good.yaml.orig",
        "good.yaml.rej",
        ".DS_Store",
        "README.md",
        "notes.txt",
        "4913",
    ] {
        let workspace = Workspace::new(&[GOOD, (name, "{{{ not a slot")]);
        assert_eq!(workspace.code(), plain, "{name}");
        let originals: Vec<_> = fs::read_dir(workspace.out().join("prompt_slots.originals"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(originals, ["good.yaml"], "{name}");
    }
}

#[test]
fn bad_names_are_told_by_the_file() {
    let workspace = Workspace::new(&[
        ("Upper.yaml", ""),
        ("a b.yaml", ""),
        ("a (copy).yaml", ""),
        ("con.yaml", ""),
        ("self.yaml", ""),
        ("-a.yaml", ""),
        ("é.yaml", ""),
        ("a.b.yaml", ""),
    ]);
    insta::assert_snapshot!(workspace.refusal());
}

#[test]
fn two_names_that_are_one_in_rust_are_refused() {
    let workspace = Workspace::new(&[("a-b.yaml", "template: x\n"), ("a_b.yaml", "template: x\n")]);
    insta::assert_snapshot!(workspace.refusal(), @"prompts/a_b.yaml: `a_b` and `a-b` are both `A_B` in Rust (rename one of them)");
}

#[test]
fn two_variables_that_are_one_in_rust_are_refused() {
    let workspace = Workspace::new(&[(
        "a.yaml",
        "template: '{{ new }} {{ new_ }}'\nvariables:\n  new: one\n  new_: two\n",
    )]);
    insta::assert_snapshot!(workspace.refusal(), @"prompts/a.yaml:4:3: `variables.new_`: `new_` and `new` are both `new_` in Rust (rename one of them)");
}

#[test]
fn a_sub_directory_is_refused_unless_it_is_hidden() {
    let workspace = Workspace::new(&[GOOD]);
    fs::create_dir(workspace.prompts().join(".git")).unwrap();
    workspace.code();
    let workspace = Workspace::new(&[GOOD]);
    fs::create_dir(workspace.prompts().join("more")).unwrap();
    insta::assert_snapshot!(workspace.refusal(), @"prompts/more: a directory among the slots (slots have no sub-directories; move its files up)");
}

#[test]
fn a_directory_without_slots_is_refused() {
    for files in [&[][..], &[("README.md", "no slot")]] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(Workspace::new(files).refusal(), @"prompts: the directory holds no slot (add a file such as `greeting.yaml`)");
        }
    }
}

#[test]
fn a_missing_directory_is_named() {
    let workspace = Workspace::new(&[]);
    let said = workspace
        .generate_with(&Embed::new("no/such/dir/"))
        .unwrap_err();
    assert_eq!(said.to_string(), "1 error in `no/such/dir/`");
    let Error::Findings { findings, .. } = said else {
        panic!("{said:?}");
    };
    assert!(
        findings[0]
            .to_string()
            .starts_with("no/such/dir: the directory of slots can't be read: "),
        "{findings:?}"
    );
    assert_eq!(
        findings[0].hint.as_deref(),
        Some("the path is relative to the directory of the crate's Cargo.toml")
    );
}

#[test]
fn a_file_over_the_limit_is_refused() {
    let large = format!("#{}\n", "x".repeat(1 << 20));
    let workspace = Workspace::new(&[("large.yaml", &large)]);
    insta::assert_snapshot!(workspace.refusal(), @"prompts/large.yaml: the file has 1048578 bytes, the limit is 1048576 (move what is not part of the prompt out of it)");
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_files_and_told_where_they_lead_nowhere() {
    use std::os::unix::fs::symlink;

    let workspace = Workspace::new(&[]);
    let elsewhere = workspace.root().join("elsewhere");
    fs::write(&elsewhere, "template: Hello\n").unwrap();
    symlink(&elsewhere, workspace.prompts().join("good.yaml")).unwrap();
    assert_eq!(workspace.code(), Workspace::new(&[GOOD]).code());

    let workspace = Workspace::new(&[GOOD]);
    symlink("nowhere", workspace.prompts().join("lost.yaml")).unwrap();
    insta::assert_snapshot!(workspace.refusal(), @"prompts/lost.yaml: is a link that leads nowhere (repair it, or remove it)");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_and_not_waited_for() {
    use std::os::unix::net::UnixListener;

    let workspace = Workspace::new(&[GOOD]);
    let _socket = UnixListener::bind(workspace.prompts().join("socket.yaml")).unwrap();
    insta::assert_snapshot!(workspace.refusal(), @"prompts/socket.yaml: not a regular file (move it away)");
}

#[test]
fn outside_of_a_build_script_it_says_so() {
    // Tests run with `CARGO_MANIFEST_DIR`, but without `OUT_DIR`.
    assert_eq!(
        Embed::new("prompts").generate().unwrap_err().to_string(),
        "the environment variable OUT_DIR is not set; call this from a build script"
    );
}

#[test]
fn slots_are_sorted_by_name_not_by_file() {
    let workspace = Workspace::new(&[
        ("a-b.yaml", "template: Hello\n"),
        ("a.yaml", "template: Hello\n"),
        ("a0.yaml", "template: Hello\n"),
    ]);
    workspace.generate().unwrap();
    let code = fs::read_to_string(workspace.out().join("prompt_slots.rs")).unwrap();
    let places = ["a", "a-b", "a0"].map(|name| code.find(&format!("{name}.yaml")).unwrap());
    assert!(places.is_sorted(), "{places:?}");
}
