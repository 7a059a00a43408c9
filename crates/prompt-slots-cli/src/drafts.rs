//! The copies that editors work on, and what was left of them.

use std::fs;
use std::path::{Path, PathBuf};

use prompt_slots::{Data, Fingerprint, Layer};

use crate::context::Context;
use crate::input;

/// What stands between the slot's name and the number of the process.
const EDIT: &str = ".edit-";

/// What follows the slot's name in the file of a text that was refused.
const REJECTED: &str = ".rejected";

/// Returns what the name of a copy starts with; such a name is never loaded.
pub(crate) fn start(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!(".{name}{EDIT}{}", std::process::id()))
}

/// Returns the file of an edited override that was refused; its name is never loaded.
///
/// The name tells which override the text started from, so that it is never put over another one unseen.
pub(crate) fn rejected(dir: &Path, name: &str, over: Option<&[u8]>) -> PathBuf {
    let from = over.map(|bytes| {
        // An override that was refused may be no UTF-8, and differs from any other even so.
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        format!("-{}", Fingerprint::of(&Data::from(text.as_str())).short())
    });
    dir.join(format!(
        ".{name}{REJECTED}{}.yaml",
        from.unwrap_or_default()
    ))
}

/// Says which copies and refused texts wait to be taken over: of one slot, but for the one at `known`, or of all slots.
pub(crate) fn report(
    dir: &Path,
    name: Option<&str>,
    known: Option<&Path>,
    context: &mut Context<'_>,
) {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut left: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| known != Some(path))
        .collect();
    left.sort();
    for path in left {
        let Some((slot, kind)) = read_name(&path) else {
            continue;
        };
        if name.is_some_and(|name| name != slot) {
            continue;
        }
        let what = match kind {
            // Which of them are open nobody knows: the process may be on another machine.
            Kind::Copy => "was not put in force, or an editor still has it open: take over what you need from it, and remove it".to_owned(),
            Kind::Rejected if is_next(&path, dir, slot, context) => format!(
                "was not put in force: go on with `{}`, or remove it",
                context.typed(&format!("edit {slot}"))
            ),
            Kind::Rejected => "was not put in force, and was written for another override than today's: take over what you need from it, and remove it".to_owned(),
        };
        context.output.note(&format!("{} {what}.", path.display()));
    }
}

/// Tells whether the next `edit` starts from a refused text.
fn is_next(path: &Path, dir: &Path, slot: &str, context: &Context<'_>) -> bool {
    let limit = context.loader.bundle().limits().file_bytes;
    context
        .loader
        .layer_source(slot, Layer::App)
        .is_ok_and(|over| path == rejected(dir, slot, over.as_deref()))
        && input::read_file(path, limit).is_ok()
}

enum Kind {
    /// What an editor works on.
    Copy,
    /// What it wrote, and was refused.
    Rejected,
}

/// Returns the slot that a file is for, and what it is of that.
fn read_name(path: &Path) -> Option<(&str, Kind)> {
    let file = path.file_name()?.to_str()?;
    let stem = file.strip_prefix('.')?.strip_suffix(".yaml")?;
    if let Some((slot, id)) = stem.rsplit_once(EDIT) {
        // Two of one process have another number behind it.
        let is_id = |c: char| c.is_ascii_digit() || c == '_';
        return (!id.is_empty() && id.chars().all(is_id)).then_some((slot, Kind::Copy));
    }
    let (slot, from) = stem.rsplit_once(REJECTED)?;
    let is_from = |from: &str| !from.is_empty() && from.chars().all(|c| c.is_ascii_hexdigit());
    let is_rejected = from.is_empty() || from.strip_prefix('-').is_some_and(is_from);
    is_rejected.then_some((slot, Kind::Rejected))
}
