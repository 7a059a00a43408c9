//! The arguments that all commands share.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, FromArgMatches, ValueEnum};
use prompt_slots::Bundle;

use crate::commands::Command;

const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  refused: there are findings, or a slot's file can't be used
  2  wrong usage, an unknown slot (but for `load`), or a named path that can't be read
  3  `load` has no template, or knows no such slot: use the built-in prompt";

/// The whole command line.
#[derive(Debug, clap::Parser)]
#[command(arg_required_else_help = true, after_help = EXIT_CODES, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub globals: Globals,
    #[command(subcommand)]
    pub command: Command,
}

/// The options of every command.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    // Its help names the bundle's own rule; see `parse`.
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// Read overrides from DIR itself
    #[arg(long, global = true, value_name = "DIR")]
    pub dir: Option<PathBuf>,

    /// Colour findings and differences
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value = "auto",
        hide_default_value = true
    )]
    pub color: Color,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Also into a file or a pipe
    Always,
    /// Nowhere
    Never,
}

/// Reads the arguments. The error is also how help and version are asked for.
pub(crate) fn parse(command: &mut clap::Command, args: Vec<OsString>) -> Result<Cli, clap::Error> {
    let matches = command.try_get_matches_from_mut(args)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(command))
}

/// Returns the table of commands and options, from which help, docs, completions and the manual are made.
pub(crate) fn command(bundle: &Bundle, args: &[OsString]) -> clap::Command {
    let program = program_name(args, bundle);
    let own = env!("CARGO_PKG_VERSION");
    let version = if bundle.name() == "prompt-slots" {
        own.to_owned()
    } else {
        format!("(prompt-slots {own})")
    };
    let about = format!(
        "Show the prompts of {}, and what overrides them",
        bundle.name()
    );
    let root = format!(
        "Read overrides from DIR/prompt_slots (default: {})",
        root_rule(bundle)
    );
    Cli::command()
        .name(&program)
        .bin_name(&program)
        .version(version)
        .about(about)
        .mut_arg("root", |arg| arg.help(root))
}

/// Returns the name that the user called the program by; of commands inside of a program, all its words.
fn program_name(args: &[OsString], bundle: &Bundle) -> String {
    let called = args
        .first()
        .and_then(|path| Path::new(path).file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let called = called
        .strip_suffix(std::env::consts::EXE_SUFFIX)
        .unwrap_or(&called);
    let words: Vec<&str> = called.split_whitespace().collect();
    if words.is_empty() {
        return bundle.name().to_owned();
    }
    words.join(" ")
}

/// Says where overrides are if the user does not.
fn root_rule(bundle: &Bundle) -> String {
    let env = bundle.root_env().map(|name| format!("${name}"));
    let home = bundle.home_dir().map(|dir| format!("~/{dir}"));
    let rule: Vec<String> = env.into_iter().chain(home).collect();
    if rule.is_empty() {
        "none".to_owned()
    } else {
        rule.join(", else ")
    }
}
