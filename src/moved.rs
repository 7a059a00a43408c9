//! Whether a default moved under an override: which of the keys that it sets say something else in today's default.

use std::path::{Path, PathBuf};

use prompt_slots_core::{Data, Finding, Layer, SlotSpec};

use crate::bundle::{Bundle, BundledSlot};
use crate::file;
use crate::slot::Slot;

/// The directory inside the app directory that keeps, for each override, the default that it was written against.
const BASES: &str = ".base";

/// Keys that shadow nothing: they change or add to whatever the default says, or mean nothing to the slot.
const SHADOWLESS: [&str; 5] = [
    "template_edits",
    "template_prepend",
    "template_append",
    "validation.test_cases",
    "based_on",
];

/// Returns the file that keeps the default which an override in `app_dir` was written against.
pub(crate) fn base_path(app_dir: &Path, name: &str) -> PathBuf {
    app_dir.join(BASES).join(format!("{name}.yaml"))
}

/// Returns each value that layers merge apart; of a variable that is each of its attributes.
pub(crate) fn leaves(spec: &SlotSpec) -> Vec<(String, Data)> {
    let mut leaves = spec.leaves();
    leaves.retain(|(key, _)| !key.starts_with("variables."));
    for variable in &spec.variables {
        let attributes = [
            ("description", variable.description.clone().map(Data::Text)),
            ("default", variable.default.clone()),
            ("required", variable.required.map(Data::Bool)),
        ];
        for (attribute, value) in attributes {
            let key = format!("variables.{}.{attribute}", variable.name);
            leaves.extend(value.map(|value| (key, value)));
        }
    }
    leaves
}

/// Returns the keys by which an override hides a default that moved since; `None` where none did.
///
/// The list is empty where some may have, but the default of that time was not kept.
pub(crate) fn moved(
    slot: &Slot,
    below: &BundledSlot,
    app_dir: Option<&Path>,
    bundle: &Bundle,
) -> Option<Vec<String>> {
    let over = &slot.merged().source(Layer::App)?.spec;
    let based_on = over.based_on.as_deref()?;
    if below.fingerprint.to_string().starts_with(based_on) {
        return None;
    }
    let hiding: Vec<_> = leaves(over)
        .into_iter()
        .filter(|(key, _)| !SHADOWLESS.contains(&key.as_str()) && !key.starts_with("x-"))
        .collect();
    if hiding.is_empty() {
        return None;
    }
    let Some(base) =
        app_dir.and_then(|dir| read_base(&base_path(dir, slot.name()), based_on, bundle))
    else {
        return Some(Vec::new());
    };
    let (before, today) = (leaves(&base), leaves(&below.spec));
    let mut keys: Vec<String> = hiding
        .into_iter()
        .filter(|(key, value)| {
            let now = find(&today, key);
            find(&before, key) != now && now != Some(value)
        })
        .map(|(key, _)| key)
        .collect();
    // A `template` without a format of its own is read in the default's.
    if over.template.is_some() && over.template_format.is_none() {
        let format = |spec: &SlotSpec| spec.template_format.unwrap_or_default();
        if format(&base) != format(&below.spec) {
            keys.push("template_format".to_owned());
        }
    }
    (!keys.is_empty()).then_some(keys)
}

/// Returns the default of `based_on`, if that is what was kept.
fn read_base(path: &Path, based_on: &str, bundle: &Bundle) -> Option<SlotSpec> {
    let content = file::read(path, bundle.limits()).ok()??;
    let base = bundle.read_default(&content.bytes).ok()?;
    let is_it = base.spec.fingerprint().to_string().starts_with(based_on);
    is_it.then_some(base.spec)
}

fn find<'a>(leaves: &'a [(String, Data)], key: &str) -> Option<&'a Data> {
    leaves
        .iter()
        .find_map(|(known, value)| (known == key).then_some(value))
}

/// Says which keys hide a default that moved.
pub(crate) fn finding(keys: &[String], name: &str) -> Finding {
    if keys.is_empty() {
        return Finding::warning(
            "the default moved since the override was written; which keys is not known, as no copy of the old default was kept",
        )
        .hint(format!(
            "see `rebase {name} --base FILE`, with the old release's `show {name} --layer bundled --source`"
        ));
    }
    let quoted: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    Finding::warning(format!(
        "the default moved since the override was written, in keys that it sets: {}",
        quoted.join(", ")
    ))
    .hint(format!("see what moved with `rebase {name}`"))
}
