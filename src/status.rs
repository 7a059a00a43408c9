//! What becomes of the files in the app directory, said for people: in force, without effect, wrong.

use std::fmt;
use std::path::Path;

use prompt_slots_core::{Finding, Layer, SlotSpec, Text, nearest, slot_name_problem};

use crate::app::Entry;
use crate::bundle::BundledSlot;
use crate::error::Error;
use crate::loader::PromptLoader;
use crate::slot::Slot;

/// A file of the app directory, and what becomes of it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OverrideFile {
    /// The name of the file.
    pub file: String,
    /// The slot that it is for; of a look-alike, the slot that was most likely meant.
    pub slot: Option<String>,
    /// What becomes of it.
    pub state: OverrideState,
    /// What is wrong or odd about it; with an error among them, its slot can't be used as it is.
    pub findings: Vec<Finding>,
    /// How many test cases its slot was rendered with, those of the default among them.
    pub cases: usize,
    /// The keys that it sets and whose default moved since it was written; none where that is not known.
    pub moved: Vec<String>,
}

/// What becomes of a file in the app directory. `{}` prints a word or two, such as `in force`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OverrideState {
    /// It changes a default.
    InForce,
    /// It changes a default, in keys that say something else there since it was written (or may do so).
    DefaultMoved,
    /// It is a slot that only the app directory has.
    NewSlot,
    /// It is valid, and nobody sees it: the slot is disabled.
    NoEffect,
    /// It is valid, and says what the default says, or nothing.
    SameAsDefault,
    /// It can't be read, is not valid, or does not fit the default.
    Invalid,
    /// It is not read: the environment switches it off.
    SwitchedOff,
    /// It was most likely meant to be an override, and has another name than one.
    LookAlike,
    /// It is no business of the loader.
    Ignored,
}

impl OverrideState {
    /// Returns the short, stable name of the state.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InForce => "in force",
            Self::DefaultMoved => "default moved",
            Self::NewSlot => "new slot",
            Self::NoEffect => "no effect",
            Self::SameAsDefault => "same as default",
            Self::Invalid => "invalid",
            Self::SwitchedOff => "switched off",
            Self::LookAlike => "look-alike",
            Self::Ignored => "ignored",
        }
    }
}

impl fmt::Display for OverrideState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl PromptLoader {
    /// Returns the files in the app directory, sorted by name, and what becomes of each; hidden ones are left out.
    ///
    /// Files that were read before are not read again, as with [`resolve`](Self::resolve): it tells what is in force. No
    /// file and no directory is no error; [`root`](Self::root) tells where files were looked for.
    ///
    /// # Errors
    ///
    /// Fails if the app directory can't be listed.
    pub fn overrides(&self) -> Result<Vec<OverrideFile>, Error> {
        let files = self.app_files()?;
        let seen = files.iter().filter(|file| !file.starts_with('.'));
        Ok(seen
            .filter_map(|file| self.file_state(file, &files))
            .collect())
    }

    /// Tells what becomes of a file; `None` if it went away in the meantime.
    fn file_state(&self, file: &str, files: &[String]) -> Option<OverrideFile> {
        match slot_of(file) {
            Some(name) if self.app().controls.ignores(name) => Some(OverrideFile {
                file: file.to_owned(),
                slot: Some(name.to_owned()),
                state: OverrideState::SwitchedOff,
                findings: Vec::new(),
                cases: 0,
                moved: Vec::new(),
            }),
            Some(name) => self.override_state(file, name),
            None => Some(self.stray_state(file, files)),
        }
    }

    fn override_state(&self, file: &str, name: &str) -> Option<OverrideFile> {
        let entry = self.entry(name).ok()??;
        let shown = self.app().shown(name);
        let over = self.state_of(file, &shown, name, &entry);
        Some(match self.app().original(name) {
            Ok(Some(bytes)) => self.with_remarks(over, &shown, &bytes),
            _ => over,
        })
    }

    /// Tells what becomes of a file that was read; `shown` is what findings call it.
    pub(crate) fn state_of(
        &self,
        file: &str,
        shown: &str,
        name: &str,
        entry: &Entry,
    ) -> OverrideFile {
        let below = self.bundle().find(name);
        let mut findings = entry.findings.clone();
        let state = match &entry.outcome {
            Ok(Some(slot)) if entry.failed.is_none() => effect(slot, below).0,
            _ => OverrideState::Invalid,
        };
        let state = match (state, &entry.moved) {
            (OverrideState::InForce, Some(_)) => OverrideState::DefaultMoved,
            (state, _) => state,
        };
        let near = nearest(name, self.bundle().names()).filter(|_| below.is_none());
        findings.extend(near.map(|near| {
            let finding = Finding::warning(format!("there is no default called `{name}`"));
            let finding = finding.hint(format!(
                "did you mean `{near}`? then rename the file to `{near}.yaml`"
            ));
            finding.slot(name).layer(Layer::App).file(shown)
        }));
        let slot = entry.outcome.as_ref().ok().and_then(Option::as_ref);
        let slot = slot.filter(|_| entry.failed.is_none());
        OverrideFile {
            file: file.to_owned(),
            slot: Some(name.to_owned()),
            state,
            findings,
            cases: slot.map_or(0, |slot| slot.test_cases().len()),
            moved: entry.moved.clone().unwrap_or_default(),
        }
    }

    /// Tells what becomes of a file that has no slot's name.
    fn stray_state(&self, file: &str, files: &[String]) -> OverrideFile {
        let mut stray = OverrideFile {
            file: file.to_owned(),
            slot: None,
            state: OverrideState::Ignored,
            findings: Vec::new(),
            cases: 0,
            moved: Vec::new(),
        };
        let lower = file.to_lowercase();
        // What is called as a slot is, and is no YAML by its name, was most likely meant to be its override too.
        let is_named = |stem: &str| self.bundle().find(stem).is_some();
        let other = match lower.split_once('.') {
            Some((stem, "json" | "toml" | "txt" | "j2" | "jinja" | "jinja2" | "prompt")) => stem,
            _ => &lower,
        };
        let yaml = lower
            .split_once(".yaml")
            .or_else(|| lower.split_once(".yml"));
        let stem = yaml.map(|(stem, _)| stem);
        let Some(stem) = stem.or_else(|| is_named(other).then_some(other)) else {
            return stray;
        };
        let overrides = files.iter().filter_map(|file| slot_of(file));
        let mut names: Vec<&str> = overrides.collect();
        for name in self.bundle().names() {
            names.push(name);
        }
        let stem = stem.trim_start_matches('#').trim();
        let meant = names
            .iter()
            .copied()
            .filter(|name| stem.contains(name))
            .max_by_key(|name| name.len())
            .or_else(|| nearest(stem, names.iter().copied()))
            .or_else(|| Some(stem).filter(|stem| slot_name_problem(stem).is_none()));
        stray.state = OverrideState::LookAlike;
        stray.slot = meant.map(str::to_owned);
        let finding = if let Some(name) = meant {
            self.look_alike(file, name, files)
        } else {
            let problem = slot_name_problem(stem).unwrap_or_default();
            let finding = Finding::warning(format!("the file is not read: {problem}"));
            self.mark(finding.hint("rename it, or move it away"), "", file)
        };
        stray.findings.push(finding);
        stray
    }

    /// Says why a file is not read. It is an error where calls for the slot fail because of it.
    fn look_alike(&self, file: &str, name: &str, files: &[String]) -> Finding {
        let right = format!("{name}.yaml");
        if files.contains(&right) {
            let finding = Finding::warning(format!("the file is not read, `{right}` is"));
            return self.mark(finding.hint("move it away"), name, file);
        }
        let in_the_way = || {
            let entry = self.entry(name).ok()??;
            let error = entry.outcome.as_ref().err()?;
            let about = error.findings().first()?;
            let path = about.file.as_deref().map(Path::new)?;
            (path.file_name()?.to_string_lossy() == file).then(|| about.clone())
        };
        in_the_way().unwrap_or_else(|| {
            let finding = Finding::warning(format!(
                "an override of `{name}` is called `{right}`, so this file is not read"
            ));
            self.mark(
                finding.hint(format!("rename it to `{right}`, or move it away")),
                name,
                file,
            )
        })
    }

    fn mark(&self, finding: Finding, name: &str, file: &str) -> Finding {
        let path = self.root().app_dir.as_ref().map(|dir| dir.join(file));
        let shown = path.map_or_else(
            || file.to_owned(),
            |path| path.to_string_lossy().into_owned(),
        );
        let finding = finding.layer(Layer::App).file(&shown);
        if name.is_empty() {
            finding
        } else {
            finding.slot(name)
        }
    }
}

/// Returns the slot that a file is the override of, by the file's name alone.
pub(crate) fn slot_of(file: &str) -> Option<&str> {
    file.strip_suffix(".yaml")
        .filter(|stem| slot_name_problem(stem).is_none())
}

/// Tells what a valid override does and, where it changes nothing that anybody sees, why.
pub(crate) fn effect(
    slot: &Slot,
    below: Option<&'static BundledSlot>,
) -> (OverrideState, Option<Finding>) {
    let merged = slot.merged();
    let Some(over) = merged.source(Layer::App) else {
        return (OverrideState::SameAsDefault, None);
    };
    let mark = |finding: Finding, is_meant: &dyn Fn(&str) -> bool| {
        let finding = finding.slot(slot.name()).layer(Layer::App);
        let finding = match &over.file {
            Some(file) => finding.file(file),
            None => finding,
        };
        let meant = over.places.iter().filter(|(path, _)| is_meant(path));
        match meant.map(|(_, place)| place.key).min() {
            Some(first) => finding.at(first),
            None => finding,
        }
    };
    let sets_llm = over.spec.llm != SlotSpec::EMPTY.llm;
    let is_enabled_below = below.is_some_and(|below| below.spec.enabled == Some(true));
    if !slot.is_enabled() && !is_enabled_below && (over.spec.touches_text() || sets_llm) {
        let who = merged
            .setters("enabled")
            .highest()
            .map_or("no layer enables it", Layer::name);
        let finding = Finding::warning(format!(
            "the override has no effect: the slot is disabled ({who})"
        ));
        let step = if over.spec.enabled.is_some() {
            "change it to"
        } else {
            "add"
        };
        let hint = format!("{step} `enabled: true`; this replaces the algorithm's built-in prompt");
        let is_meant = |path: &str| path.starts_with("template") || path.starts_with("llm");
        return (
            OverrideState::NoEffect,
            Some(mark(finding.hint(hint), &is_meant)),
        );
    }
    let what = match &merged.spec.template {
        None => Some("no layer sets a template"),
        Some(text) if text.trim().is_empty() => Some("its template is blank"),
        Some(_) => None,
    };
    let blank = what.filter(|_| slot.is_enabled()).map(|what| {
        let finding = Finding::warning(format!(
            "the slot is enabled and {what}, so the algorithm's built-in prompt is used"
        ));
        let hint = "write the `template`, indented below its key; or say `enabled: false`";
        mark(finding.hint(hint), &|path| {
            matches!(path, "enabled" | "template")
        })
    });
    let Some(below) = below else {
        return (OverrideState::NewSlot, blank);
    };
    if bare(&below.spec) != bare(&merged.spec) {
        return (OverrideState::InForce, blank);
    }
    let says_something = over
        .spec
        .leaves()
        .iter()
        .any(|(key, _)| key != "based_on" && !key.starts_with("x-"));
    let finding = says_something.then(|| {
        let finding = Finding::warning("the override has no effect: it says what the default says");
        mark(finding.hint("change it, or remove the file"), &|_| true)
    });
    (OverrideState::SameAsDefault, finding)
}

/// Returns what is odd about a valid override: in itself, without effect, or written for another default.
pub(crate) fn remarks(
    slot: &Slot,
    below: Option<&'static BundledSlot>,
    moved: Option<&[String]>,
) -> Vec<Finding> {
    let mut findings = slot.warnings().to_vec();
    findings.extend(effect(slot, below).1);
    let over = slot.merged().source(Layer::App);
    if let (Some(keys), Some(over)) = (moved, over) {
        let finding = crate::moved::finding(keys, slot.name()).slot(slot.name());
        findings.push(over.mark_key(finding, "based_on"));
    }
    findings
}

/// Returns a spec without the keys that mean nothing to the slot.
fn bare(spec: &SlotSpec) -> SlotSpec {
    SlotSpec {
        based_on: None,
        extensions: Vec::<(Text, prompt_slots_core::Data)>::new().into(),
        ..spec.clone()
    }
}

/// Logs what is in force, at debug, and what is wrong, at warn and once; never the text of a prompt.
pub(crate) fn log_entry(name: &str, entry: &Entry, last: Option<&Entry>) {
    if let Ok(Some(slot)) = &entry.outcome
        && log::log_enabled!(log::Level::Debug)
    {
        let said = match slot.merged().source(Layer::App) {
            Some(over) => {
                let keys = over.spec.leaves().into_iter().map(|(key, _)| key);
                let file = over.file.as_deref().unwrap_or_default();
                format!("{file} sets {}", keys.collect::<Vec<_>>().join(", "))
            }
            None => "without its override".to_owned(),
        };
        log::debug!("slot `{name}`: {} is in force, {said}", slot.id());
    }
    if last.is_some_and(|last| last.findings == entry.findings) {
        return;
    }
    for finding in &entry.findings {
        let mut shown = finding.clone();
        if finding.quotes {
            "not valid; `check` says why, in words of the text".clone_into(&mut shown.message);
            shown.hint = None;
        }
        log::warn!("slot `{name}`: {}: {shown}", finding.severity);
    }
}
