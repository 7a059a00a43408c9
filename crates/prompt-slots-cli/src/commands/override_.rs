//! `override`: a file to write changes of a default into.

use prompt_slots::{Data, Error, Finding, Layer, SlotText};

use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::skeleton::skeleton;
use crate::store::{Store, about};
use crate::surgery;

/// Write an override to change, and print its path
///
/// It holds every key, commented out, with the default's value, and `based_on`, by which `status` and `rebase` tell what
/// moved in the default since. A file that is there is never overwritten
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The slot
    name: String,

    /// Write a copy of the whole default, comments included; it hides later changes of the default until a `rebase`
    #[arg(long)]
    full: bool,
}

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let name = args.name.as_str();
    let default = default(name, context)?;
    let store = Store::new(context)?;
    let path = store.path(name);
    let text = if args.full {
        full(name, &default, context)?
    } else {
        skeleton(name, &default.text, context.loader.bundle().limits())
    };
    let base = context.loader.base_path(name)?;
    let locked = store.lock()?;
    // The base belongs to the override that is there, if one is: look before touching either.
    if path.symlink_metadata().is_err() {
        // A look-alike has the slot refused; beside a new override it would be a file that nobody reads, and be forgotten.
        context.loader.layer_source(name, Layer::App)?;
        if let Some(base) = base {
            locked.keep_base(&base, default.original)?;
        }
        if locked.create(&path, text.as_bytes())? {
            drop(locked);
            context.output.line(&path.to_string_lossy())?;
            say_next(name, &default, args.full, context);
            return Ok(Exit::Ok);
        }
    }
    let finding = Finding::error("there is an override already");
    let edit = context.typed(&format!("edit {name}"));
    let finding = finding.hint(format!("change it with `{edit}`"));
    Err(CliError::refused(about(finding, name, &path)))
}

/// A default: its file as it was written, and what it says.
pub(super) struct Default {
    pub original: &'static str,
    pub text: SlotText,
}

/// Returns the default of a slot.
///
/// # Errors
///
/// Fails if there is none, with the name that was most likely meant.
pub(super) fn default(name: &str, context: &Context<'_>) -> Result<Default, CliError> {
    let bundle = context.loader.bundle();
    let Some(original) = bundle.original(name) else {
        context.check_exists(name)?;
        let finding = Finding::error("there is no default: only the app directory has this slot");
        let edit = context.typed(&format!("edit {name}"));
        let finding = finding.hint(format!("change it with `{edit}`"));
        return Err(CliError::usage(finding.slot(name)));
    };
    let text = SlotText::read_default(original.as_bytes(), bundle)?;
    Ok(Default { original, text })
}

/// Returns the default's file as an override.
fn full(name: &str, default: &Default, context: &Context<'_>) -> Result<String, Error> {
    let based_on = Data::from(default.text.fingerprint().to_string().as_str());
    let data = surgery::put(&default.text.to_data(), "based_on", Some(&based_on));
    let text = surgery::rewrite(
        without_head(default.original),
        &data.unwrap_or_else(|| default.text.to_data()),
        context.loader.bundle().limits(),
    )?;
    Ok(format!(
        "# A copy of the whole default of `{name}`: it hides later changes of the default until a `rebase`.\n\n{text}"
    ))
}

/// Returns a default without the comment at its top, which speaks of the file that it is no more. One that a key follows at
/// once is about the key.
fn without_head(text: &str) -> &str {
    let mut rest = text;
    while let Some((line, below)) = rest.split_once('\n') {
        if line.trim().is_empty() {
            return below;
        }
        if !line.starts_with('#') {
            break;
        }
        rest = below;
    }
    text
}

/// Says what to do with a new override.
pub(super) fn say_next(name: &str, default: &Default, full: bool, context: &mut Context<'_>) {
    let is_disabled = default.text.leaf("enabled") != Some(Data::Bool(true));
    let next = if full {
        "It says what the default says"
    } else {
        "It says nothing yet"
    };
    let [edit, status] = [&format!("edit {name}"), "status"].map(|command| context.typed(command));
    context.output.note(&format!(
        "{next}: change it with `{edit}`, or in any editor; then `{status}` says what became of it."
    ));
    if is_disabled {
        context.output.note(
            "The default is disabled: set `enabled: true` as well. This replaces the algorithm's built-in prompt.",
        );
    }
}
