//! The copies that editors work on, and what was left of them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::output::Output;

/// What stands between the slot's name and the number of the process.
const EDIT: &str = ".edit-";

/// Returns what the name of a copy starts with; such a name is never loaded.
pub(crate) fn start(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!(".{name}{EDIT}{}", std::process::id()))
}

/// Says which copies were left behind, by a command that was killed or that somebody was faster than: of one slot, or of all.
pub(crate) fn report(dir: &Path, name: Option<&str>, output: &mut Output) {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut left: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| slot_of(path).is_some_and(|slot| name.is_none_or(|name| name == slot)))
        .collect();
    left.sort();
    for path in left {
        // Which of them are open nobody knows: the process may be on another machine.
        output.note(&format!(
            "{} was not put in force, or an editor still has it open: take over what you need from it, and remove it.",
            path.display()
        ));
    }
}

/// Returns the slot that a file is a copy for.
fn slot_of(path: &Path) -> Option<&str> {
    let file = path.file_name()?.to_str()?;
    let (slot, id) = file
        .strip_prefix('.')?
        .strip_suffix(".yaml")?
        .rsplit_once(EDIT)?;
    // Two of one process have another number behind it.
    let is_id = |c: char| c.is_ascii_digit() || c == '_';
    (!id.is_empty() && id.chars().all(is_id)).then_some(slot)
}
