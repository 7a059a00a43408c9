//! The file of a slot: found by its exact name, and what was most likely meant to be it is told.

use std::fs;
use std::path::Path;

use prompt_slots_core::{Finding, Limits};

use crate::error::ErrorKind;
use crate::file::{self, Content};

/// Reads the file of a slot. `Ok(None)` is a file that is not there, nor one that was most likely meant to be it.
pub(crate) fn find(
    path: &Path,
    name: &str,
    limits: &Limits,
) -> Result<Option<Content>, (ErrorKind, Finding)> {
    let shown = path.to_string_lossy();
    // A file that is replaced just now can seem missing while its directory lists it; so look again.
    for _ in 0..3 {
        match file::read(path, limits) {
            Ok(Some(content)) => return Ok(Some(content)),
            Ok(None) => {}
            Err(finding) => return Err((ErrorKind::Unreadable, finding.file(&shown))),
        }
        let names = look_alikes(path, name);
        if names.contains(&format!("{name}.yaml")) {
            continue;
        }
        let Some(found) = names.iter().min() else {
            return Ok(None);
        };
        let finding = Finding::error(format!(
            "an override of `{name}` is called `{name}.yaml`, so this file is not read"
        ))
        .hint(format!("rename it to `{name}.yaml`, or move it away"))
        .file(&path.with_file_name(found).to_string_lossy());
        return Err((ErrorKind::LookAlike, finding));
    }
    if !path.is_symlink() {
        return Ok(None);
    }
    let finding = Finding::error("is a link that leads nowhere").hint("repair it, or remove it");
    Err((ErrorKind::Unreadable, finding.file(&shown)))
}

/// Returns the names in the directory of a slot's file that are like its own.
fn look_alikes(path: &Path, name: &str) -> Vec<String> {
    // Where nothing can be listed, nothing but a hint is lost: that the file is missing is certain already.
    let entries = path.parent().and_then(|dir| fs::read_dir(dir).ok());
    entries
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|file| is_look_alike(file, name))
        .collect()
}

/// Tells whether a file name is the slot's, but for its ending or the case of its letters.
fn is_look_alike(file: &str, name: &str) -> bool {
    let lower = file.to_lowercase();
    lower
        .strip_prefix(name)
        .is_some_and(|rest| matches!(rest, ".yaml" | ".yml" | ".yaml.txt" | ".yml.txt"))
}
