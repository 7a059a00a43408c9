//! `schema`: the JSON Schema of a slot file.

use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::json;
use crate::slot_schema::slot_schema;

/// Print the JSON Schema of a slot file, for editors
///
/// Save it as `slot.schema.json` beside your slots, and start each file with the line
/// `# yaml-language-server: $schema=slot.schema.json`
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    context.output.text(&json::pretty(&slot_schema()))?;
    Ok(Exit::Ok)
}
