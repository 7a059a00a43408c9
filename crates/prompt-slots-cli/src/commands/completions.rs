//! `completions`: what a shell completes.

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
    let mut command = context.command.clone();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    context.output.bytes(&script)?;
    Ok(Exit::Ok)
}
