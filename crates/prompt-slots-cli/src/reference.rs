//! `docs/cli.md`, written from the table of commands; the test fails where the page says something else.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use clap::{Arg, Command};

const HEAD: &str = "\
# The command line

This page is made from the table of commands, which is also what `--help` prints. A test holds it to that;
`UPDATE_DOCS=1 cargo test -p prompt-slots-cli reference` writes it anew.

A program with slots of its own offers the same commands under its own name: see `prompt_slots_cli::run`.

## Streams and exit codes

Results go to standard output alone, as do the findings of `check`; all else goes to standard error. `load`, `render` and
`show --source` print bytes as they are. Everywhere else, control characters out of files are escaped. Colour, on a
terminal and without `NO_COLOR`, says nothing that words or signs don't say.

| code | meaning |
|---|---|
| 0 | all is well; also for `diff` with differences, and for a reader of the output that went away |
| 1 | refused: there are findings, or a slot's file can't be used |
| 2 | wrong usage, an unknown slot (but for `load`), or a named path that can't be read |
| 3 | `load` has no template, or knows no such slot: use the built-in prompt |

The fields of JSON that are listed here stay what they are; later releases may add others.

";

/// Writes the page.
fn page() -> String {
    let mut command = crate::args::command(&prompt_slots::BUNDLE, &["prompt-slots".into()]);
    command.build();
    let mut page = HEAD.to_owned();
    page.push_str("## Commands\n\n| command | |\n|---|---|\n");
    let commands = || command.get_subcommands().filter(|it| !it.is_hide_set());
    for it in commands() {
        let (name, about) = (it.get_name(), it.get_about().map(ToString::to_string));
        let _ = writeln!(
            page,
            "| [`{name}`](#{name}) | {} |",
            cell(&about.unwrap_or_default())
        );
    }
    page.push_str("\n## Global options\n\n");
    options(&command, Arg::is_global_set, &mut page);
    for it in commands() {
        section(it, &mut page);
    }
    page.trim_end().replace("\n\n\n", "\n\n") + "\n"
}

fn section(command: &Command, page: &mut String) {
    let _ = writeln!(page, "\n## {}\n", command.get_name());
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let _ = writeln!(page, "```console\n$ {usage}\n```\n");
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    for paragraph in about.split("\n\n") {
        let _ = writeln!(page, "{}.\n", paragraph.trim_end_matches('.'));
    }
    let own = |arg: &Arg| !arg.is_global_set() && arg.get_id() != "help";
    if command.get_arguments().any(own) {
        options(command, own, page);
    }
    if let Some(after) = command.get_after_help() {
        let _ = writeln!(page, "\n```text\n{}\n```", after.to_string().trim_end());
    }
}

/// Writes a table of arguments.
fn options(command: &Command, wanted: impl Fn(&Arg) -> bool, page: &mut String) {
    page.push_str("| | |\n|---|---|\n");
    for arg in command
        .get_arguments()
        .filter(|arg| wanted(arg) && !arg.is_hide_set())
    {
        let shown = arg.to_string();
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(
            page,
            "| `{}` | {}{} |",
            cell(&shown),
            cell(&help),
            choices(arg)
        );
    }
}

/// Says what an argument may be.
fn choices(arg: &Arg) -> String {
    let values = arg.get_possible_values();
    if values.is_empty() || !arg.get_action().takes_values() {
        return String::new();
    }
    let default = arg.get_default_values().first();
    let words: Vec<String> = values
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| {
            let is_default = default.is_some_and(|it| it == value.get_name());
            let help = value
                .get_help()
                .map(|help| format!(" ({})", lower(&help.to_string())));
            let default = if is_default { ", the default" } else { "" };
            format!(
                "`{}`{}{default}",
                value.get_name(),
                help.unwrap_or_default()
            )
        })
        .collect();
    format!(": {}", words.join("; "))
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// Returns a text as it may stand in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[test]
fn the_page_of_the_command_line_says_what_help_says() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&file, page()).expect("the page can be written");
    }
    let written = fs::read_to_string(&file).expect("docs/cli.md is there");
    assert!(
        written.replace("\r\n", "\n") == page(),
        "docs/cli.md is stale: run UPDATE_DOCS=1 cargo test -p prompt-slots-cli reference"
    );
}
