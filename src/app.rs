//! Layer 2: the operator's files, read on first reference, remembered, and looked at again when they are due.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use prompt_slots_core::{Finding, Layer, Text, read_slot};

use crate::bundle::{Bundle, BundledSlot};
use crate::cell::State;
use crate::controls::Controls;
use crate::error::{Error, ErrorKind};
use crate::file::{self, Content, Stamp};
use crate::find::find;
use crate::moved;
use crate::root::{Root, RootRule};
use crate::settle::{self, Reload, SETTLE, Unsettled};
use crate::slot::{Slot, Template};
use crate::source::Source;

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

/// What the app layer knows of one slot.
pub(crate) struct Entry {
    /// What callers get; `Ok(None)` is a slot that only an unusable override has.
    pub outcome: Result<Option<Slot>, Error>,
    /// What `load` returns.
    pub template: Option<Template>,
    /// What is wrong: warnings, or the errors that are covered by a fallback or by the last good version.
    pub findings: Vec<Finding>,
    /// Why what was read can't be used, so that each call looks for a repair.
    pub failed: Option<ErrorKind>,
    /// The keys by which the override hides a default that moved; see `moved`.
    pub moved: Option<Vec<String>>,
    stamp: Option<Stamp>,
    /// A version that was seen and is not settled yet.
    unsettled: Option<Unsettled>,
}

/// What a look found.
pub(crate) enum Seen {
    /// No override.
    Absent,
    /// An override, good or bad.
    Entry(Arc<Entry>),
    /// Something that is still being written: what was known before stays.
    Unsettled(Unsettled),
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
    pub controls: Controls,
    pub bundle: &'static Bundle,
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

    /// Tells whether calls have something to go on with while a file is being written.
    ///
    /// A refresh changes nothing about that. Of a slot without a default nothing is remembered until it has a file; in a
    /// program that runs already it had none.
    pub(crate) fn is_live(&self, state: State, target: Target<'_>, last: Option<&Entry>) -> bool {
        match self.reload {
            // Who calls for a refresh wants what is there now. A look for a repair can wait until it is whole.
            Reload::Manual => {
                state == State::Present && last.is_some_and(|last| last.failed.is_some())
            }
            Reload::Every(_) => {
                let is_new = || target.below.is_none() && self.start.elapsed() >= SETTLE;
                state != State::Unknown || last.is_some() || is_new()
            }
        }
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
        if self.controls.ignores(target.name) {
            return Seen::Absent;
        }
        if let Place::Memory(_, files) = &self.place {
            let Some(text) = files.get(target.name) else {
                return Seen::Absent;
            };
            let read = self.judge(target, &self.shown(target.name), text.as_bytes());
            return Seen::Entry(self.entry(target, read, None, last));
        }
        let now = Instant::now();
        match self.read(target.name) {
            Ok(None) => Seen::Absent,
            Ok(Some(content)) => {
                let unsettled = settle::check(&content, last.and_then(|last| last.unsettled), now);
                if let (Err(unsettled), true) = (unsettled, is_live) {
                    return Seen::Unsettled(unsettled);
                }
                // A file can change twice within one tick of its clock: the stamp of a fresh one proves nothing.
                let stamp = unsettled.is_ok().then_some(content.stamp);
                let read = self.judge(target, &self.shown(target.name), &content.bytes);
                Seen::Entry(self.entry(target, read, stamp, last))
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
                Some(finding) => Err(failed(ErrorKind::InvalidRoot, name, finding)),
            };
        };
        find(&path, name, self.bundle.limits())
            .map_err(|(kind, finding)| failed(kind, name, finding))
    }

    /// Returns what callers get while a new version of the file, or its first, is still being written.
    pub(crate) fn waiting(
        &self,
        target: Target<'_>,
        last: Option<&Entry>,
        seen: Unsettled,
    ) -> Entry {
        let unsettled = Some(seen);
        match last {
            Some(last) => Entry {
                outcome: last.outcome.clone(),
                template: last.template.clone(),
                findings: last.findings.clone(),
                failed: last.failed,
                moved: last.moved.clone(),
                stamp: last.stamp,
                unsettled,
            },
            None => Entry {
                unsettled,
                ..Entry::new(self.below(target), Vec::new(), None, None)
            },
        }
    }

    /// Tells whether there is a file, good or bad, that an entry of a slot without a default was made from. What is wrong
    /// with a whole directory is wrong for every name, and anybody can think up names.
    pub(crate) fn has_file(&self, name: &str, entry: &Entry) -> bool {
        let is_listed = || match &self.place {
            Place::Memory(..) => true,
            _ => self
                .path(name)
                .is_some_and(|path| fs::symlink_metadata(path).is_ok()),
        };
        matches!(entry.failed, None | Some(ErrorKind::LookAlike)) || is_listed()
    }

    /// Reads one override, and judges it alone; returns it with its warnings.
    pub(crate) fn parse(
        &self,
        name: &str,
        shown: &str,
        bytes: &[u8],
    ) -> Result<(Source, Vec<Finding>), Error> {
        let mark = |finding: Finding| finding.slot(name).layer(Layer::App).file(shown);
        let read = read_slot(bytes, Layer::App, self.bundle.limits()).map_err(|findings| {
            let findings = findings.into_iter().map(mark).collect();
            file::unquoted_if_foreign(shown, Error::new(ErrorKind::InvalidSlot, findings))
        })?;
        let warnings = read.warnings.into_iter().map(mark).collect();
        let source = Source {
            layer: Layer::App,
            spec: read.spec,
            file: Some(shown.into()),
            places: read.places,
        };
        Ok((source, warnings))
    }

    /// Returns what findings call the override of a slot.
    pub(crate) fn shown(&self, name: &str) -> String {
        self.path(name).map_or_else(
            || format!("{name}.yaml"),
            |path| path.to_string_lossy().into_owned(),
        )
    }

    /// Reads, merges and judges one override; `shown` is what findings call its file.
    pub(crate) fn judge(
        &self,
        target: Target<'_>,
        shown: &str,
        bytes: &[u8],
    ) -> Result<Slot, Error> {
        let (source, warnings) = self.parse(target.name, shown, bytes)?;
        let Some(below) = target.below else {
            return Slot::judged(
                target.name.into(),
                self.bundle.limits(),
                vec![source],
                warnings,
            )
            .map_err(|error| file::unquoted_if_foreign(shown, error));
        };
        // A default was judged when it was compiled in.
        let make = if source.spec.touches_contract() {
            Slot::judged
        } else {
            Slot::undisputed
        };
        let sources = vec![below.source(), source];
        make(
            Text::Static(below.name),
            self.bundle.limits(),
            sources,
            warnings,
        )
        .map_err(|error| file::unquoted_if_foreign(shown, error))
    }

    /// Returns the keys by which an override hides a default that moved; see `moved`.
    pub(crate) fn moved(&self, target: Target<'_>, slot: &Slot) -> Option<Vec<String>> {
        let app_dir = self.place.root().app_dir.as_deref();
        moved::moved(slot, target.below?, app_dir, self.bundle)
    }

    /// Decides what callers get.
    pub(crate) fn entry(
        &self,
        target: Target<'_>,
        read: Result<Slot, Error>,
        stamp: Option<Stamp>,
        last: Option<&Arc<Entry>>,
    ) -> Arc<Entry> {
        Arc::new(match read {
            Ok(slot) => {
                let moved = self.moved(target, &slot);
                let findings = crate::status::remarks(&slot, target.below, moved.as_deref());
                Entry {
                    moved,
                    ..Entry::new(Ok(Some(slot)), findings, None, stamp)
                }
            }
            Err(error) => {
                let (kind, findings) = (Some(error.kind()), error.findings().to_vec());
                Entry::new(self.fall_back(target, error, last), findings, kind, stamp)
            }
        })
    }

    /// Returns what is used instead of an override that can't be: its last good version, or the layers below.
    fn fall_back(
        &self,
        target: Target<'_>,
        error: Error,
        last: Option<&Arc<Entry>>,
    ) -> Result<Option<Slot>, Error> {
        if let Some(Ok(Some(good))) = last.map(|last| &last.outcome)
            && good.merged().source(Layer::App).is_some()
        {
            return Ok(Some(good.clone()));
        }
        match self.on_invalid {
            OnInvalid::Fail => Err(error),
            OnInvalid::UseBelow => self.below(target),
        }
    }

    /// Returns the slot without its override, if anything is left of it then.
    fn below(&self, target: Target<'_>) -> Result<Option<Slot>, Error> {
        let default = |below: &'static BundledSlot| {
            let sources = vec![below.source()];
            Slot::undisputed(
                Text::Static(below.name),
                self.bundle.limits(),
                sources,
                Vec::new(),
            )
        };
        target.below.map(default).transpose()
    }
}

impl Entry {
    fn new(
        outcome: Result<Option<Slot>, Error>,
        findings: Vec<Finding>,
        failed: Option<ErrorKind>,
        stamp: Option<Stamp>,
    ) -> Self {
        let slot = outcome.as_ref().ok().and_then(Option::as_ref);
        Self {
            template: slot.and_then(Slot::template),
            outcome,
            findings,
            failed,
            stamp,
            moved: None,
            unsettled: None,
        }
    }

    /// Tells whether no newer version was seen than the one that it was made from.
    pub(crate) fn unchanged_since(&self) -> bool {
        self.unsettled.is_none()
    }

    /// Tells whether the file will most likely stay as it was seen.
    pub(crate) fn is_settled(&self) -> bool {
        self.unsettled.is_none() && self.stamp.is_some()
    }
}

fn failed(kind: ErrorKind, name: &str, finding: Finding) -> Error {
    Error::one(kind, finding.slot(name).layer(Layer::App))
}

/// Returns nanoseconds; five centuries at most.
#[inline]
fn nanos(duration: Duration) -> u64 {
    let seconds = duration.as_secs().saturating_mul(1_000_000_000);
    seconds.saturating_add(u64::from(duration.subsec_nanos()))
}
