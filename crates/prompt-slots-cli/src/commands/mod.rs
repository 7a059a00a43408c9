//! The commands, one file each.

mod check;
mod completions;
mod diff;
mod edit;
mod explain;
mod list;
mod load;
mod man;
mod override_;
mod rebase;
mod render;
mod reset;
mod schema;
mod show;
mod status;

pub(crate) use check::is_slot;
use prompt_slots::Slot;

use crate::context::Context;
use crate::error::{CliError, Exit};

/// What to do.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Load(load::Args),
    Show(show::Args),
    Explain(explain::Args),
    Diff(diff::Args),
    Render(render::Args),
    Check(check::Args),
    Status(status::Args),
    Override(override_::Args),
    Edit(edit::Args),
    Rebase(rebase::Args),
    Reset(reset::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    pub(crate) fn run(self, context: &mut Context<'_>) -> Result<Exit, CliError> {
        match self {
            Self::List(args) => list::run(&args, context),
            Self::Load(args) => load::run(&args, context),
            Self::Show(args) => show::run(&args, context),
            Self::Explain(args) => explain::run(&args, context),
            Self::Diff(args) => diff::run(&args, context),
            Self::Render(args) => render::run(&args, context),
            Self::Check(args) => check::run(&args, context),
            Self::Status(args) => status::run(&args, context),
            Self::Override(args) => override_::run(&args, context),
            Self::Edit(args) => edit::run(&args, context),
            Self::Rebase(args) => rebase::run(&args, context),
            Self::Reset(args) => reset::run(&args, context),
            Self::Schema(args) => schema::run(&args, context),
            Self::Completions(args) => completions::run(&args, context),
            Self::Man(args) => man::run(&args, context),
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
