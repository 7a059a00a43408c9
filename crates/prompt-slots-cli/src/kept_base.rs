//! The default that an override was written for, as it is kept beside the overrides.

use std::path::Path;

use prompt_slots::{Finding, SlotText};

use crate::context::Context;
use crate::error::CliError;
use crate::input;
use crate::store::about;

/// Reads what is kept; `None` where that is no default.
pub(crate) fn read(path: &Path, context: &Context<'_>) -> Option<SlotText> {
    let bundle = context.loader.bundle();
    let bytes = input::read_file(path, bundle.limits().file_bytes).ok()?;
    SlotText::read_default(&bytes, bundle).ok()
}

/// Tells whether a default is the one that an override was written for, as far as the override says so.
pub(crate) fn is_of(base: &SlotText, over: &SlotText) -> bool {
    let fingerprint = base.fingerprint().to_string();
    over.based_on()
        .is_none_or(|based_on| fingerprint.starts_with(based_on))
}

/// Says what is wrong with what is kept for an override at `path`, and how to do without it.
pub(crate) fn refused(message: &str, name: &str, path: &Path, context: &Context<'_>) -> CliError {
    // A default is the same wherever overrides are.
    let program = context.command.get_name();
    let rebase = context.typed(&format!("rebase {name} --base FILE"));
    let finding = Finding::error(message).hint(format!(
        "have the old release print it with `{program} show {name} --layer bundled --source`, and give that file to `{rebase}`"
    ));
    CliError::refused(about(finding, name, path))
}

/// Says that what is kept belongs to another override than the one at `path`.
pub(crate) fn another(name: &str, path: &Path, context: &Context<'_>) -> CliError {
    let message = "the default that was kept is not the one that `based_on` names";
    refused(message, name, path, context)
}
