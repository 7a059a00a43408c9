//! The files of a directory of slots, read and judged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use prompt_slots_core::{Finding, Limits, SlotFile, judge_bundled, slot_name_problem, too_large};

use crate::ident;

/// A slot that passed.
pub(crate) struct Checked {
    pub name: String,
    /// The file, relative to the crate, with `/` on every system.
    pub file: String,
    pub slot: SlotFile,
    /// The bytes of the file as they are.
    pub original: Vec<u8>,
}

/// Reads every slot of `dir`, sorted by name. `shown` is what findings call the directory.
///
/// Reports all findings of all files; the slots are complete only if none of them is an error.
pub(crate) fn collect(dir: &Path, shown: &str, limits: &Limits) -> (Vec<Checked>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut slots = Vec::new();
    let files = match list(dir) {
        Ok(files) => files,
        Err(error) => {
            let hint = "the path is relative to the directory of the crate's Cargo.toml";
            let finding =
                Finding::error(format!("the directory of slots can't be read: {error}")).hint(hint);
            return (slots, vec![finding.file(shown)]);
        }
    };
    for (file_name, path) in files {
        let file = format!("{shown}/{file_name}");
        match slot_name(&file_name, &path) {
            Ok(Some(name)) => match read(&name, &file, &path, limits) {
                Ok(slot) => {
                    findings.extend(slot.slot.warnings.iter().cloned());
                    slots.push(slot);
                }
                Err(found) => findings.extend(found),
            },
            Ok(None) => {}
            Err(finding) => findings.push(finding.file(&file)),
        }
    }
    if slots.is_empty() && findings.is_empty() {
        let finding = Finding::error("the directory holds no slot")
            .hint("add a file such as `greeting.yaml`");
        findings.push(finding.file(shown));
    }
    findings.extend(clashes(&slots));
    (slots, findings)
}

/// Lists a directory, sorted by name without the ending, so that what is generated does not depend on the file system.
fn list(dir: &Path) -> std::io::Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        files.push((
            entry.file_name().to_string_lossy().into_owned(),
            entry.path(),
        ));
    }
    files.sort_by(|(a, _), (b, _)| stem(a).cmp(stem(b)));
    Ok(files)
}

/// Returns the name of a slot's file without its ending: with it, `a-b.yaml` would come before `a.yaml`.
fn stem(file_name: &str) -> &str {
    file_name.strip_suffix(".yaml").unwrap_or(file_name)
}

/// Returns the slot that a file holds; none for files that are plainly no slots, such as a README.
fn slot_name(file_name: &str, path: &Path) -> Result<Option<String>, Finding> {
    if file_name.starts_with('.') {
        return Ok(None);
    }
    if path.is_dir() {
        return Err(Finding::error("a directory among the slots")
            .hint("slots have no sub-directories; move its files up"));
    }
    // Reading a pipe would wait for ever. A link that leads nowhere is told when it is read.
    if path.exists() && !path.is_file() {
        return Err(Finding::error("not a regular file").hint("move it away"));
    }
    let Some(name) = file_name.strip_suffix(".yaml") else {
        let lower = file_name.to_lowercase();
        let stem = lower.split('.').next().unwrap_or_default();
        let looks_like_a_slot = lower.contains(".yaml") || lower.contains(".yml");
        return if looks_like_a_slot && !is_leftover(&lower) {
            Err(Finding::error("slot files end in `.yaml`")
                .hint(format!("rename it to `{stem}.yaml`, or move it away")))
        } else {
            Ok(None)
        };
    };
    match slot_name_problem(name) {
        Some(problem) => Err(Finding::error(problem).hint("rename the file").slot(name)),
        None => Ok(Some(name.to_owned())),
    }
}

/// Tells whether an editor or a merge left the file behind: it may come and go during any build.
fn is_leftover(file_name: &str) -> bool {
    const ENDS: [&str; 6] = ["~", "#", ".bak", ".orig", ".rej", ".swp"];
    ENDS.iter().any(|end| file_name.ends_with(end))
}

fn read(name: &str, file: &str, path: &Path, limits: &Limits) -> Result<Checked, Vec<Finding>> {
    let unreadable = |error: std::io::Error| {
        vec![
            Finding::error(format!("the file can't be read: {error}"))
                .hint("see its permissions")
                .slot(name)
                .file(file),
        ]
    };
    let metadata = fs::metadata(path).map_err(|error| {
        if path.is_symlink() && error.kind() == std::io::ErrorKind::NotFound {
            let finding =
                Finding::error("is a link that leads nowhere").hint("repair it, or remove it");
            return vec![finding.slot(name).file(file)];
        }
        unreadable(error)
    })?;
    // A FIFO would be waited for, and a device has no end.
    let problem = if metadata.is_file() {
        let bytes = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
        (bytes > limits.file_bytes).then(|| too_large(bytes, limits))
    } else {
        Some(Finding::error("is no regular file").hint("put a regular file in its place"))
    };
    if let Some(problem) = problem {
        return Err(vec![problem.slot(name).file(file)]);
    }
    let original = fs::read(path).map_err(unreadable)?;
    let slot = judge_bundled(name, file, &original, limits)?;
    Ok(Checked {
        name: name.to_owned(),
        file: file.to_owned(),
        slot,
        original,
    })
}

/// Finds names that are one name in Rust.
fn clashes(slots: &[Checked]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut constants = BTreeMap::new();
    for slot in slots {
        let mark = |finding: Finding| finding.slot(&slot.name).file(&slot.file);
        let ident = ident::constant(&slot.name);
        findings.extend(clash(&mut constants, ident, &slot.name).map(mark));
        let mut methods = BTreeMap::new();
        for variable in &slot.slot.spec.variables {
            let ident = ident::method(&variable.name);
            let Some(finding) = clash(&mut methods, ident, &variable.name) else {
                continue;
            };
            let key = format!("variables.{}", variable.name);
            let finding = match slot.slot.places.get(&key) {
                Some(place) => finding.at(place.key),
                None => finding,
            };
            findings.push(mark(finding.key(key)));
        }
    }
    findings
}

/// Finds that another name has this identifier already.
fn clash<'n>(
    seen: &mut BTreeMap<String, &'n str>,
    ident: String,
    name: &'n str,
) -> Option<Finding> {
    if let Some(first) = seen.get(&ident) {
        let message = format!("`{name}` and `{first}` are both `{ident}` in Rust");
        return Some(Finding::error(message).hint("rename one of them"));
    }
    seen.insert(ident, name);
    None
}
