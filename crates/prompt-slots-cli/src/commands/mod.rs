//! The commands, one file each.

mod list;
mod load;
mod render;
mod show;
mod status;

use prompt_slots::Slot;

use crate::context::Context;
use crate::error::{CliError, Exit};

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Load(load::Args),
    Show(show::Args),
    Render(render::Args),
    Status(status::Args),
}

impl Command {
    pub(crate) fn run(self, context: &mut Context<'_>) -> Result<Exit, CliError> {
        match self {
            Self::List(args) => list::run(&args, context),
            Self::Load(args) => load::run(&args, context),
            Self::Show(args) => show::run(&args, context),
            Self::Render(args) => render::run(&args, context),
            Self::Status(args) => status::run(&args, context),
        }
    }
}

/// Says that a slot is disabled, and where.
fn disabled(slot: &Slot) -> String {
    let name = slot.name();
    match slot.origin("enabled") {
        Some(origin) => format!("slot `{name}` is disabled ({origin})"),
        None => format!("slot `{name}` is disabled (no layer enables it)"),
    }
}
