//! `load`: what a program gets.

use prompt_slots::{Override, Slot};

use crate::context::Context;
use crate::error::{CliError, Exit};

/// Print the template that a program gets, exactly its bytes
///
/// Without one, because the slot is disabled, blank or unknown, print nothing, say why on standard error, and exit with 3:
/// the program then uses its built-in prompt
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The slot
    name: String,
}

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let template = context.loader.load(&args.name)?;
    let slot = match context.resolve(&args.name, &Override::new()) {
        Ok(slot) => slot,
        // To a program that loads it, an unknown slot is one without a template.
        Err(CliError::Findings(Exit::Usage, findings)) if template.is_none() => {
            for finding in findings {
                let whose = finding.whose().unwrap_or_default();
                context.output.note(&format!("{whose}: {}", finding.text()));
            }
            return Ok(Exit::None);
        }
        Err(error) => return Err(error),
    };
    if let Some(template) = template {
        context.output.text(&template)?;
        return Ok(Exit::Ok);
    }
    context.output.note(&reason(&slot));
    Ok(Exit::None)
}

/// Says why a slot has no template for a program.
fn reason(slot: &Slot) -> String {
    let name = slot.name();
    if !slot.is_enabled() {
        return format!(
            "{}: the program uses its built-in prompt",
            super::disabled(slot)
        );
    }
    match slot.origin("template").filter(|_| slot.text().is_some()) {
        Some(origin) => format!("the template of slot `{name}` is blank ({origin})"),
        None => format!("slot `{name}` has no template: no layer sets one"),
    }
}
