//! Layer 2: the operator's files, read on first reference, remembered, and looked at again when they are due.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use prompt_slots_core::{Finding, Layer, Limits, Text, read_slot};

use crate::bundle::BundledSlot;
use crate::error::{Error, ErrorKind};
use crate::file::{self, Content, Stamp};
use crate::merge::Source;
use crate::root::{Root, RootRule};
use crate::slot::{Slot, Template};

/// When a file that was read is looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reload {
    /// After `refresh` or `refresh_slot`.
    #[default]
    Manual,
    /// By whoever calls first after this interval; there is no thread and no watcher.
    Every(Duration),
}

/// What an invalid or unreadable override means for its slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OnInvalid {
    /// Each call for the slot is an error.
    #[default]
    Fail,
    /// The layers below are used; `findings` shows why, and `log` warns once.
    UseBelow,
}

/// A live file counts as written when it was left alone for this long: editors write in pieces.
const SETTLE: Duration = Duration::from_millis(100);
/// A live file that became empty counts as emptied after this long: some editors truncate first and write later.
const SETTLE_EMPTY: Duration = Duration::from_secs(5);

/// What the app layer knows of one slot.
pub(crate) struct Entry {
    /// What callers get; `Ok(None)` is a slot that only an unusable override has.
    pub outcome: Result<Option<Slot>, Error>,
    /// What `load` returns.
    pub template: Option<Template>,
    /// What is wrong: warnings, or the errors that are covered by a fallback or by the last good version.
    pub findings: Vec<Finding>,
    /// Whether what was read can't be used, so that each call looks for a repair.
    pub failed: bool,
    stamp: Option<Stamp>,
    /// The stamp of a version that was seen and is not settled yet.
    unsettled: Option<Stamp>,
}

/// What a look found.
pub(crate) enum Seen {
    /// No override.
    Absent,
    /// An override, good or bad.
    Entry(Arc<Entry>),
    /// Something that is still being written: what was known before stays.
    Unsettled(Option<Stamp>),
}

/// Where overrides are.
pub(crate) enum Place {
    Named(Root),
    Rule(RootRule),
    Memory(Root, HashMap<String, String>),
}

impl Place {
    pub(crate) fn root(&self) -> &Root {
        match self {
            Self::Named(root) | Self::Memory(root, _) => root,
            Self::Rule(rule) => rule.root(),
        }
    }
}

/// The app layer of one loader.
pub(crate) struct App {
    pub place: Place,
    pub reload: Reload,
    pub on_invalid: OnInvalid,
    pub limits: Limits,
    pub start: Instant,
}

/// The slot that a look is for.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub name: &'a str,
    pub below: Option<&'static BundledSlot>,
}

impl App {
    /// Returns the nanoseconds since the start, if looks are due by time at all.
    #[inline]
    pub(crate) fn now(&self) -> Option<u64> {
        match self.reload {
            Reload::Manual => None,
            Reload::Every(_) => Some(nanos(self.start.elapsed())),
        }
    }

    /// Returns when the look after one at `now` is due.
    pub(crate) fn next_look(&self, now: u64) -> u64 {
        match self.reload {
            Reload::Manual => u64::MAX,
            Reload::Every(interval) => now.saturating_add(nanos(interval)),
        }
    }

    /// Returns when to look again at a file that is still being written.
    pub(crate) fn soon(&self, now: u64) -> u64 {
        self.next_look(now).min(now.saturating_add(nanos(SETTLE)))
    }

    /// Tells whether the file is the one that `entry` was made from.
    pub(crate) fn is_current(&self, name: &str, entry: &Entry) -> bool {
        match (&self.place, entry.stamp) {
            (Place::Memory(..), _) => true,
            (_, Some(stamp)) => self.path(name).and_then(|path| file::stamp(&path)) == Some(stamp),
            (_, None) => false,
        }
    }

    /// Returns the path of a slot's override; the name is one that was checked.
    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        self.place
            .root()
            .app_dir
            .as_ref()
            .map(|dir| dir.join(format!("{name}.yaml")))
    }

    /// Looks for the override of a slot. `last` is what was known before; `is_live` says that calls go on with it, so that a
    /// file that is being written can wait.
    pub(crate) fn look(
        &self,
        target: Target<'_>,
        last: Option<&Arc<Entry>>,
        is_live: bool,
    ) -> Seen {
        if let Place::Memory(_, files) = &self.place {
            let Some(text) = files.get(target.name) else {
                return Seen::Absent;
            };
            let read = self.judge(target, text.as_bytes());
            return Seen::Entry(self.entry(target, read, None, last));
        }
        match self.read(target.name) {
            Ok(None) => Seen::Absent,
            Ok(Some(content)) if is_live && !is_settled(&content, last) => {
                Seen::Unsettled(Some(content.stamp))
            }
            Ok(Some(content)) => {
                let read = self.judge(target, &content.bytes);
                Seen::Entry(self.entry(target, read, Some(content.stamp), last))
            }
            Err(error) => Seen::Entry(self.entry(target, Err(error), None, last)),
        }
    }

    /// Returns the override of a slot as it was written; the name is one that was checked.
    pub(crate) fn original(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match &self.place {
            Place::Memory(_, files) => Ok(files.get(name).map(|text| text.as_bytes().to_vec())),
            _ => Ok(self.read(name)?.map(|content| content.bytes)),
        }
    }

    /// Reads the file of a slot. That nothing is there, but something that was meant to be, is an error.
    fn read(&self, name: &str) -> Result<Option<Content>, Error> {
        let Some(path) = self.path(name) else {
            return match self.place.root().problem() {
                None => Ok(None),
                Some(finding) => Err(self.error(ErrorKind::InvalidRoot, name, finding)),
            };
        };
        match file::read(&path, &self.limits) {
            Ok(Some(content)) => Ok(Some(content)),
            Ok(None) => match look_alike(&path, name) {
                None => Ok(None),
                Some(finding) => Err(self.error(ErrorKind::LookAlike, name, finding)),
            },
            Err(finding) => {
                let finding = finding.file(&path.to_string_lossy());
                Err(self.error(ErrorKind::Unreadable, name, finding))
            }
        }
    }

    fn error(&self, kind: ErrorKind, name: &str, finding: Finding) -> Error {
        Error::one(kind, finding.slot(name).layer(Layer::App))
    }

    /// Reads one override, and judges it alone; returns it with its warnings.
    pub(crate) fn parse(&self, name: &str, bytes: &[u8]) -> Result<(Source, Vec<Finding>), Error> {
        let shown = self.path(name).map_or_else(
            || format!("{name}.yaml"),
            |path| path.to_string_lossy().into_owned(),
        );
        let mark = |finding: Finding| finding.slot(name).layer(Layer::App).file(&shown);
        let read = read_slot(bytes, Layer::App, &self.limits).map_err(|findings| {
            Error::new(
                ErrorKind::InvalidSlot,
                findings.into_iter().map(mark).collect(),
            )
        })?;
        let warnings = read.warnings.into_iter().map(mark).collect();
        let source = Source {
            layer: Layer::App,
            spec: read.spec,
            file: Some(shown.as_str().into()),
            places: read.places,
        };
        Ok((source, warnings))
    }

    /// Reads, merges and judges one override.
    fn judge(&self, target: Target<'_>, bytes: &[u8]) -> Result<Slot, Error> {
        let (source, warnings) = self.parse(target.name, bytes)?;
        let Some(below) = target.below else {
            return Slot::judged(target.name.into(), &self.limits, vec![source], warnings);
        };
        let default =
            Slot::undisputed(Text::Static(below.name), &self.limits, vec![below.source()])?;
        default.with_layer(source, warnings)
    }

    /// Decides what callers get, and says what is wrong, once.
    fn entry(
        &self,
        target: Target<'_>,
        read: Result<Slot, Error>,
        stamp: Option<Stamp>,
        last: Option<&Arc<Entry>>,
    ) -> Arc<Entry> {
        let entry = match read {
            Ok(slot) => {
                let mut findings = slot.warnings().to_vec();
                findings.extend(crate::status::effect(&slot, target.below).1);
                let template = slot.template();
                Entry {
                    outcome: Ok(Some(slot)),
                    template,
                    findings,
                    failed: false,
                    stamp,
                    unsettled: None,
                }
            }
            Err(error) => {
                let findings = error.findings().to_vec();
                let outcome = self.fall_back(target, error, last);
                let template = outcome
                    .as_ref()
                    .ok()
                    .and_then(|slot| slot.as_ref()?.template());
                Entry {
                    outcome,
                    template,
                    findings,
                    failed: true,
                    stamp,
                    unsettled: None,
                }
            }
        };
        crate::status::log_entry(target.name, &entry, last.map(|last| &**last));
        Arc::new(entry)
    }

    /// Returns what is used instead of an override that can't be: its last good version, or the layers below.
    fn fall_back(
        &self,
        target: Target<'_>,
        error: Error,
        last: Option<&Arc<Entry>>,
    ) -> Result<Option<Slot>, Error> {
        if let Some(Ok(Some(good))) = last.map(|last| &last.outcome) {
            if good.merged().source(Layer::App).is_some() {
                return Ok(Some(good.clone()));
            }
        }
        match (self.on_invalid, target.below) {
            (OnInvalid::Fail, _) => Err(error),
            (OnInvalid::UseBelow, None) => Ok(None),
            (OnInvalid::UseBelow, Some(below)) => {
                Slot::undisputed(Text::Static(below.name), &self.limits, vec![below.source()])
                    .map(Some)
            }
        }
    }
}

impl Entry {
    /// Tells whether no newer version was seen than the one that it was made from.
    pub(crate) fn unchanged_since(&self) -> bool {
        self.unsettled.is_none()
    }

    /// Returns this entry with the stamp of a version that is still being written.
    pub(crate) fn waiting_for(&self, stamp: Option<Stamp>) -> Self {
        Self {
            outcome: self.outcome.clone(),
            template: self.template.clone(),
            findings: self.findings.clone(),
            failed: self.failed,
            stamp: self.stamp,
            unsettled: stamp,
        }
    }
}

/// Tells whether a live file was left alone long enough to be taken for whole.
fn is_settled(content: &Content, last: Option<&Arc<Entry>>) -> bool {
    if !content.is_steady {
        return false;
    }
    let wanted = if content.bytes.is_empty() {
        SETTLE_EMPTY
    } else {
        SETTLE
    };
    let age = content
        .stamp
        .modified
        .and_then(|modified| SystemTime::now().duration_since(modified).ok());
    match age {
        Some(age) => age >= wanted,
        // A time in the future, or none: two looks must see the same file.
        None => last.is_some_and(|last| last.unsettled == Some(content.stamp)),
    }
}

/// Looks for a file that was most likely meant to be `path`, which is not there.
fn look_alike(path: &Path, name: &str) -> Option<Finding> {
    let dir = path.parent()?;
    // Absence is certain already; a directory that can't be listed hides nothing but a hint.
    let names = fs::read_dir(dir)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let mut found: Vec<String> = names.filter(|file| is_look_alike(file, name)).collect();
    found.sort();
    let found = found.into_iter().next()?;
    let file = dir.join(&found);
    let finding = if found == format!("{name}.yaml") {
        Finding::error("is a link that leads nowhere").hint("repair the link, or remove it")
    } else {
        Finding::error(format!(
            "an override of `{name}` is called `{name}.yaml`, so this file is not read"
        ))
        .hint(format!("rename it to `{name}.yaml`, or move it away"))
    };
    Some(finding.file(&file.to_string_lossy()))
}

/// Tells whether a file name is the slot's, but for its ending or the case of its letters.
pub(crate) fn is_look_alike(file: &str, name: &str) -> bool {
    let lower = file.to_lowercase();
    lower
        .strip_prefix(name)
        .is_some_and(|rest| matches!(rest, ".yaml" | ".yml" | ".yaml.txt" | ".yml.txt"))
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
