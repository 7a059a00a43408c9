//! `man`: the manual page.

use clap_mangen::Man;
use prompt_slots::{Finding, nearest};

use crate::context::Context;
use crate::error::{CliError, Exit};

/// Print the manual page, or that of one command, in roff
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command; without one, the page of the whole program
    command: Option<String>,
}

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let mut all = context.command.clone();
    all.build();
    let command = match &args.command {
        None => all,
        Some(name) => all
            .find_subcommand(name)
            .ok_or_else(|| unknown(name, &all))?
            .clone(),
    };
    // A page is called as a shell calls the command, with dashes.
    let title = command.get_bin_name().unwrap_or_default().replace(' ', "-");
    let command = command.display_name(&title);
    let mut page = Vec::new();
    let man = Man::new(command).title(title);
    man.render(&mut page).map_err(CliError::Output)?;
    context.output.bytes(&page)?;
    Ok(Exit::Ok)
}

fn unknown(name: &str, all: &clap::Command) -> CliError {
    let names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
    let hint = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("commands are {}", names.join(", ")),
    };
    CliError::usage(Finding::error(format!("there is no command `{name}`")).hint(hint))
}
