//! `edit`: an override in an editor, judged before it is in force.

use std::fs;
use std::path::{Path, PathBuf};

use prompt_slots::{Layer, Override};

use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::skeleton::skeleton;
use crate::store::{self, Store, about};
use crate::{drafts, editor, input};

use super::override_::{self, Default};

/// Change an override in your editor, and put it in force if it is good
///
/// The editor ($VISUAL, else $EDITOR, else vi) gets a copy; without an override, a new one. A copy with errors is kept beside
/// for the next `edit`, and what was in force stays in force. If the override is another one by then, `edit` starts from that,
/// and says where the copy is
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The slot
    name: String,
}

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let store = Store::new(context)?;
    let edit = Edit::start(&args.name, &store, context)?;
    let edited = edit.have_edited(context)?;
    if edited == edit.text {
        // Not even what was kept aside and would be good: whoever left it there did not mean it to be in force.
        edit.discard();
        context.output.note(&edit.nothing_changed(context));
        return Ok(Exit::Ok);
    }
    let shown = edit.rejected.to_string_lossy();
    if let Err(error) = context.loader.try_override(&args.name, &shown, &edited) {
        let kept = edit.keep()?;
        context.output.report(error.findings());
        let next = edit.how_to_go_on(&kept, context);
        context.output.note(&next);
        return Ok(Exit::Refused);
    }
    edit.put_in_force(&edited, context)?;
    context.loader.refresh_slot(&args.name);
    let slot = context.resolve(&args.name, &Override::new())?;
    let state = if slot.is_enabled() {
        format!("{} is in force.", slot.id())
    } else {
        format!("The override is written; {}.", super::disabled(&slot))
    };
    context.output.note(&state);
    Ok(Exit::Ok)
}

/// One run of the editor.
struct Edit<'a> {
    name: &'a str,
    store: &'a Store,
    /// What the editor works on.
    draft: PathBuf,
    /// Where it goes if it is not good: where a run finds it that starts from the same override.
    rejected: PathBuf,
    /// What the editor starts with.
    text: Vec<u8>,
    /// Whether that is what an earlier run did not put in force.
    was_rejected: bool,
    /// The override at the start, if there was one.
    in_force: Option<Vec<u8>>,
    default: Option<Default>,
    limit: usize,
}

impl<'a> Edit<'a> {
    /// Writes the copy that the editor gets.
    fn start(name: &'a str, store: &'a Store, context: &mut Context<'_>) -> Result<Self, CliError> {
        let in_force = context.loader.layer_source(name, Layer::App)?;
        let in_force = in_force.map(std::borrow::Cow::into_owned);
        store.check_own(name)?;
        let limits = context.loader.bundle().limits();
        let default = match context.loader.bundle().original(name) {
            None if in_force.is_some() => None,
            _ => Some(override_::default(name, context)?),
        };
        let rejected = drafts::rejected(store.dir(), name, in_force.as_deref());
        let left = input::read_file(&rejected, limits.file_bytes).ok();
        let was_rejected = left.is_some();
        let text = left.or_else(|| in_force.clone()).unwrap_or_else(|| {
            let default = default
                .as_ref()
                .map(|default| skeleton(name, &default.text, limits));
            default.unwrap_or_default().into_bytes()
        });
        if was_rejected {
            context
                .output
                .note("The editor starts from what was not put in force last time.");
        }
        let known = was_rejected.then_some(rejected.as_path());
        drafts::report(store.dir(), Some(name), known, context);
        let draft = store.lock()?.create_draft(name, &rejected, &text)?;
        let limit = limits.file_bytes;
        Ok(Self {
            name,
            store,
            draft,
            rejected,
            text,
            was_rejected,
            in_force,
            default,
            limit,
        })
    }

    /// Runs the editor, and returns what it made of the copy.
    fn have_edited(&self, context: &Context<'_>) -> Result<Vec<u8>, CliError> {
        let outcome = editor::open(&self.draft);
        let edited = input::read_file(&self.draft, self.limit).map_err(|problem| {
            let again = context.typed(&format!("edit {}", self.name));
            let finding = if problem.hint.is_none() {
                problem.hint(format!(
                    "nothing was put in force: begin again with `{again}`"
                ))
            } else {
                problem
            };
            CliError::refused(about(finding, self.name, &self.draft))
        });
        match (outcome, edited) {
            (Ok(()), edited) => edited,
            (Err(finding), Ok(edited)) if edited == self.text => {
                self.discard();
                Err(CliError::refused(finding.slot(self.name)))
            }
            (Err(finding), _) => {
                let kept = self.keep()?;
                let hint = format!("what it wrote is in {}", kept.display());
                Err(CliError::refused(finding.slot(self.name).hint(hint)))
            }
        }
    }

    /// Keeps the copy where the next run finds it, and returns its path. What another run left there stays.
    fn keep(&self) -> Result<PathBuf, CliError> {
        let locked = self.store.lock()?;
        if self.rejected.symlink_metadata().is_ok() && !self.started_from_rejected() {
            return Ok(self.draft.clone());
        }
        locked.rename(&self.draft, &self.rejected)?;
        Ok(self.rejected.clone())
    }

    /// Tells whether what was kept aside is still what this run started from.
    fn started_from_rejected(&self) -> bool {
        let left = input::read_file(&self.rejected, self.limit);
        self.was_rejected && left.is_ok_and(|left| left == self.text)
    }

    /// Takes the copy away.
    fn discard(&self) {
        // What stays is hidden, and in nobody's way.
        let _ = fs::remove_file(&self.draft);
    }

    /// Puts the text in force, unless somebody else changed the override in the meantime.
    fn put_in_force(&self, edited: &[u8], context: &mut Context<'_>) -> Result<(), CliError> {
        let path = self.store.path(self.name);
        let locked = self.store.lock()?;
        self.store.check_own(self.name)?;
        let now = context.loader.layer_source(self.name, Layer::App)?;
        if now.as_deref() != self.in_force.as_deref() {
            return Err(self.overtaken(context));
        }
        if let Some(old) = &self.in_force {
            let Some(replaced) = locked.replace(self.name, old, edited)? else {
                return Err(self.overtaken(context));
            };
            context.output.report(replaced.warning.as_slice());
        } else {
            let base = context.loader.base_path(self.name)?;
            if let (Some(default), Some(base)) = (&self.default, base) {
                locked.keep_base(&base, default.original)?;
            }
            if !locked.create(&path, edited)? {
                return Err(self.overtaken(context));
            }
        }
        self.discard();
        if self.started_from_rejected() {
            // It is in force now.
            let _ = fs::remove_file(&self.rejected);
        }
        Ok(())
    }

    /// Says that somebody else was faster. The copy stays aside, as the next run must start from what is in force.
    fn overtaken(&self, context: &Context<'_>) -> CliError {
        let hint = format!(
            "your version is in {}, bring the two together with `{}`",
            self.draft.display(),
            context.typed(&format!("edit {}", self.name))
        );
        store::overtaken(self.name, &self.store.path(self.name), &hint)
    }

    fn nothing_changed(&self, context: &Context<'_>) -> String {
        if !self.was_rejected {
            return "Nothing was changed.".to_owned();
        }
        format!(
            "Nothing was changed or put in force: go on with `{}`, or remove {} to start anew.",
            context.typed(&format!("edit {}", self.name)),
            self.rejected.display()
        )
    }

    fn how_to_go_on(&self, kept: &Path, context: &Context<'_>) -> String {
        let stays = match self.in_force {
            Some(_) => "The override in force stays as it was.",
            None => "There still is no override.",
        };
        format!(
            "{stays} What you wrote is in {}: go on with `{}`.",
            kept.display(),
            context.typed(&format!("edit {}", self.name))
        )
    }
}
