//! The example of `docs/embedding.md`, which is that of `run` and so is compiled with its documentation.

use std::fs;
use std::path::Path;

/// Returns the code in the documentation of `run`, as a reader sees it.
fn documented() -> String {
    let source = include_str!("../../src/lib.rs");
    let lines = source
        .lines()
        .filter_map(|line| line.strip_prefix("///"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    let shown = lines.filter(|line| !line.starts_with("# "));
    shown.fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn the_page_on_embedding_shows_what_the_documentation_of_run_shows() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/embedding.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let section = page.split_once("## Your own command line").map(|it| it.1);
    let block = section.and_then(|it| it.split_once("```rust\n")?.1.split_once("```"));
    let (block, _) = block.expect("the page has the section, with code");
    assert!(documented().contains(block), "{block}");
}
