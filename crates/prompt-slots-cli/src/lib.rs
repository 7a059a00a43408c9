//! The command line of prompt-slots, for the slots of any program.
//!
//! The binary `prompt-slots` runs it with the slots that `prompt-slots` ships. A program with slots of its own offers the
//! same commands, under its own name and with its own directory of overrides, in a few lines:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     prompt_slots_cli::run(&prompt_slots::BUNDLE, std::env::args_os()) // your own `BUNDLE` here
//! }
//! ```
//!
//! For a program that has other commands too, see [`run`].
//!
//! Results go to standard output alone, all else to standard error. Exit codes:
//!
//! | code | meaning |
//! |---|---|
//! | 0 | all is well |
//! | 1 | refused: there are findings, or a slot's file can't be used |
//! | 2 | the command line is wrong: usage, an unknown slot (but for `load`), a named path that can't be read |
//! | 3 | `load` has no template for the caller, or knows no such slot |

mod annotate;
mod args;
mod commands;
mod context;
mod drafts;
mod editor;
mod error;
mod input;
mod json;
mod kept_base;
mod lines;
mod output;
mod owner;
mod progress;
#[cfg(test)]
mod reference;
mod report;
mod skeleton;
mod slot_schema;
mod stamp;
mod store;
mod surgery;
mod table;
mod temp;
mod three_way;
mod values;

use std::ffi::OsString;
use std::process::ExitCode;

use prompt_slots::Bundle;

use crate::args::Cli;
use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::output::Output;

/// Runs one command for the slots of `bundle`, and returns the exit code of the process.
///
/// `args` are those of the process, the first being the name under which it was called; help and hints use it. Where the
/// commands are behind one of the program's own, that name has several words, with spaces between:
///
/// ```no_run
/// # mod prompts { pub use prompt_slots::BUNDLE; }
/// use std::ffi::OsString;
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     let mut args = std::env::args_os().skip(1);
///     if args.next().is_some_and(|command| command == "prompts") {
///         let args = [OsString::from("courier prompts")].into_iter().chain(args);
///         return prompt_slots_cli::run(&prompts::BUNDLE, args);
///     }
///     // ... the program's own commands
///     ExitCode::SUCCESS
/// }
/// ```
///
/// Then `man` calls its page `courier-prompts`. The script of `completions` is for `courier`, of which it knows the command
/// `prompts` alone: it is no help where `courier` has a script of its own.
///
/// It prints to the standard streams and never exits the process.
pub fn run(
    bundle: &'static Bundle,
    args: impl IntoIterator<Item = impl Into<OsString>>,
) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
    let mut output = Output::new();
    let mut command = args::command(bundle, &args);
    let outcome = match args::parse(&mut command, args) {
        Ok(cli) => run_command(bundle, cli, command, &mut output),
        Err(error) => answer(&error, &mut output),
    };
    let outcome = outcome.and_then(|exit| output.flush().map(|()| exit));
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => error.report(&mut output).into(),
    }
}

fn run_command(
    bundle: &'static Bundle,
    cli: Cli,
    command: clap::Command,
    output: &mut Output,
) -> Result<Exit, CliError> {
    output.set_color(cli.globals.color);
    let mut context = Context::new(bundle, &cli.globals, command, output)?;
    cli.command.run(&mut context)
}

/// Prints what the parser of arguments has to say: help and version are results, all else is an error.
fn answer(error: &clap::Error, output: &mut Output) -> Result<Exit, CliError> {
    let text = error.render().to_string();
    if error.use_stderr() {
        output.error_text(&text);
        return Ok(Exit::Usage);
    }
    output.text(&text)?;
    Ok(Exit::Ok)
}
