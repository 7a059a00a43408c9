//! The examples of `docs/slot-format.md`, each held against what the page says of it.

use prompt_slots::{Override, PromptLoader};

const PAGE: &str = include_str!("../../docs/slot-format.md");

/// A fenced block: the words behind the fence, and its text.
fn blocks() -> Vec<(&'static str, String)> {
    let mut blocks = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("```") {
            let text: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((words, text.join("\n") + "\n"));
        }
    }
    blocks
}

#[test]
fn every_example_of_the_slot_format_does_what_the_page_says() {
    let blocks = blocks();
    let mut seen = [0; 3];
    for (index, (words, text)) in blocks.iter().enumerate() {
        let name = if *words == "yaml slot" {
            "example"
        } else {
            "episode_extract"
        };
        let loader = PromptLoader::builder()
            .app_memory([(name, text.as_str())])
            .build();
        let resolved = loader.resolve(name, &Override::new());
        match *words {
            "yaml slot" => {
                seen[0] += 1;
                assert!(resolved.unwrap().template().is_some(), "{text}");
            }
            "yaml override" => {
                seen[1] += 1;
                let slot = resolved.unwrap();
                assert!(
                    slot.template().is_some() && loader.findings().is_empty(),
                    "{text}"
                );
            }
            "yaml refused" => {
                seen[2] += 1;
                let said: Vec<_> = resolved
                    .unwrap_err()
                    .findings()
                    .iter()
                    .map(prompt_slots::Finding::text)
                    .collect();
                let (kind, promised) = &blocks[index + 1];
                assert_eq!(
                    *kind, "text",
                    "a refused example is followed by its message"
                );
                assert_eq!(said.join("\n"), promised.trim_end(), "{text}");
            }
            "text" => {}
            other => panic!("the page has a block `{other}` that nobody checks"),
        }
    }
    assert!(
        seen.iter().all(|count| *count >= 2),
        "examples were not found: {seen:?}"
    );
}

#[test]
fn the_page_lists_all_that_a_template_may_use_and_every_limit_of_it() {
    for (kind, names) in prompt_slots_core::reference::builtins() {
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let row = format!("| {kind} | {} |", names.join(" "));
        assert!(PAGE.contains(&row), "the page lacks the row\n{row}");
    }
    for (what, limit) in prompt_slots_core::reference::template_limits() {
        let shown = match (limit / 1000, limit % 1000) {
            (0, rest) => rest.to_string(),
            (thousands, rest) => format!("{thousands} {rest:03}"),
        };
        let row = format!("| {what} | {shown} |");
        assert!(PAGE.contains(&row), "the page lacks the row\n{row}");
    }
}

#[test]
fn the_map_of_the_crates_names_every_file() {
    let page = include_str!("../../docs/architecture.md");
    let crates = [
        "",
        "crates/prompt-slots-core/",
        "crates/prompt-slots-build/",
        "crates/prompt-slots-cli/",
    ];
    for krate in crates {
        let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(krate)
            .join("src");
        for entry in std::fs::read_dir(dir).unwrap() {
            let file = entry.unwrap().file_name().to_string_lossy().into_owned();
            let is_entry = matches!(
                file.as_str(),
                "lib.rs" | "main.rs" | "cell" | "read" | "engine"
            );
            assert!(
                is_entry || page.contains(&format!("`{file}")),
                "{krate}src/{file} is not on the map"
            );
        }
    }
}
