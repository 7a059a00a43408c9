//! `completions`: what a shell completes.

use clap::Command;
use clap_complete::Shell;

use crate::context::Context;
use crate::error::{CliError, Exit};

/// Print a script by which a shell completes commands and options
///
/// For bash, save it under the program's name in ~/.local/share/bash-completion/completions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let mut program = program(context.command.clone());
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, name, &mut script);
    context.output.bytes(&script)?;
    Ok(Exit::Ok)
}

/// Returns what a shell completes, which is a whole program: `myapp prompts` is `myapp` with the subcommand `prompts`.
fn program(commands: Command) -> Command {
    let name = commands.get_name().to_owned();
    let mut words = name.rsplit(' ').map(str::to_owned);
    let last = words.next().unwrap_or_default();
    words.fold(commands.name(last), |inner, word| {
        Command::new(word)
            .disable_help_subcommand(true)
            .subcommand(inner)
    })
}
