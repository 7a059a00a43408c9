//! The loader: asks the layers, and remembers what they said.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use prompt_slots_core::{Finding, Limits, Text};

use crate::app::{App, Entry, Seen, Target};
use crate::builder::LoaderBuilder;
use crate::bundle::{Bundle, BundledSlot};
use crate::cell::{Cell, Outdated, State};
use crate::error::{Error, ErrorKind};
use crate::root::Root;
use crate::runtime::Override;
use crate::slot::{Slot, Template};

/// Loads prompt slots.
///
/// A loader is cheap to make and cheap to clone (clones share what was read), and has no global state: two loaders with
/// two roots know nothing of each other. The first reference to a slot reads its override, if there is one; later ones
/// read nothing, until [`refresh`](Self::refresh), or as [`Reload`](crate::Reload) says.
#[derive(Clone)]
pub struct PromptLoader(Arc<Inner>);

pub(crate) struct Inner {
    bundle: &'static Bundle,
    app: App,
    /// One cell for each bundled slot, by its index.
    cells: Box<[Cell<Entry>]>,
    /// The merged slot where there is no override; made when it is first resolved.
    defaults: Box<[OnceLock<Slot>]>,
    others: RwLock<Others>,
}

/// The slots that only the app directory has. Names without a file are not remembered: anybody can think them up.
#[derive(Default)]
struct Others {
    cells: HashMap<String, Arc<Cell<Entry>>>,
    /// Why the app directory could not be listed or looked into, where calls went on without it.
    unlisted: Vec<Finding>,
    /// Counts refreshes: a cell that was first filled before one must not be remembered after it.
    refreshes: u64,
}

impl Inner {
    pub(crate) fn new(bundle: &'static Bundle, app: App) -> Self {
        let slots = bundle.slots();
        Self {
            bundle,
            app,
            cells: slots.iter().map(|_| Cell::default()).collect(),
            defaults: slots.iter().map(|_| OnceLock::new()).collect(),
            others: RwLock::default(),
        }
    }
}

impl Default for PromptLoader {
    fn default() -> Self {
        Self::new()
    }
}

impl PromptLoader {
    /// Makes a loader of this crate's own slots; overrides are in `$EVEROS_ROOT/prompt_slots`, else in
    /// `~/.everos/prompt_slots`. Touches no file.
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Sets up a loader: of other slots, with another root, or without overrides.
    pub fn builder() -> LoaderBuilder {
        LoaderBuilder::new(&crate::BUNDLE)
    }

    pub(crate) fn new_shared(inner: Arc<Inner>) -> Self {
        Self(inner)
    }

    /// Returns the template of a slot, byte for byte. `None` means: use the algorithm's own prompt.
    ///
    /// It is `None` where no layer has the slot, where it is disabled, and where its template is absent or blank.
    ///
    /// # Errors
    ///
    /// Fails if the name can't be a slot's, or if this slot's override is unreadable or invalid (see
    /// [`OnInvalid`](crate::OnInvalid)). Other slots' files never matter.
    pub fn load(&self, name: &str) -> Result<Option<Template>, Error> {
        match self.0.bundle.find(name) {
            Some(slot) => self.load_bundled(slot),
            None => match self.look_up_other(name)? {
                Some(entry) => entry
                    .outcome
                    .as_ref()
                    .map(|_| entry.template.clone())
                    .map_err(Error::clone),
                None => Ok(None),
            },
        }
    }

    /// Returns a slot, merged from all layers and judged.
    ///
    /// # Errors
    ///
    /// As [`Self::load`]; and if no layer has the slot, or the slot is not valid with `over`.
    pub fn resolve(&self, name: &str, over: &Override) -> Result<Slot, Error> {
        if let Some(slot) = self.0.bundle.find(name) {
            self.resolve_bundled(slot, over)
        } else {
            let entry = self
                .look_up_other(name)?
                .ok_or_else(|| self.unknown(name))?;
            // Nothing below stands in for a slot that has no default, while its override is broken or being written.
            let missing = || match entry.findings.as_slice() {
                [] => self.unknown(name),
                findings => {
                    let kind = entry.failed.unwrap_or(ErrorKind::InvalidSlot);
                    Error::new(kind, findings.to_vec())
                }
            };
            overlay(
                entry.outcome.clone()?.ok_or_else(missing)?,
                over,
                self.0.bundle.limits(),
            )
        }
    }

    /// Forgets what was read; each slot's file is read again on its next reference.
    pub fn refresh(&self) {
        self.0.cells.iter().for_each(Cell::forget);
        let mut others = self.others_mut();
        others.refreshes += 1;
        others.unlisted.clear();
        others.cells.values().for_each(|cell| cell.forget());
    }

    /// Forgets what was read for one slot.
    pub fn refresh_slot(&self, name: &str) {
        if let Some(slot) = self.0.bundle.find(name) {
            return self.cell(slot).forget();
        }
        let mut others = self.others_mut();
        others.refreshes += 1;
        if let Some(cell) = others.cells.get(name) {
            cell.forget();
        }
    }

    /// Returns where overrides are read from, and why there.
    pub fn root(&self) -> &Root {
        self.0.app.place.root()
    }

    /// Returns the slots that are compiled in.
    pub fn bundle(&self) -> &'static Bundle {
        self.0.bundle
    }

    #[inline]
    pub(crate) fn load_handle(
        &self,
        bundle: &'static Bundle,
        slot: &'static BundledSlot,
    ) -> Result<Option<Template>, Error> {
        if !std::ptr::eq(self.0.bundle, bundle) {
            return Err(foreign(self.0.bundle, bundle, slot));
        }
        self.load_bundled(slot)
    }

    pub(crate) fn resolve_handle(
        &self,
        bundle: &'static Bundle,
        slot: &'static BundledSlot,
        over: &Override,
    ) -> Result<Slot, Error> {
        if !std::ptr::eq(self.0.bundle, bundle) {
            return Err(foreign(self.0.bundle, bundle, slot));
        }
        self.resolve_bundled(slot, over)
    }

    /// The hot path: where nothing is due, an atomic load, and one more with a reference count for an override.
    #[inline]
    fn load_bundled(&self, slot: &'static BundledSlot) -> Result<Option<Template>, Error> {
        let cell = self.cell(slot);
        if self.0.app.now().is_none_or(|now| !cell.is_due(now)) {
            // Compared one by one: a `match` of the state takes twice the instructions.
            if cell.is(State::Absent) {
                return Ok(default_template(slot));
            }
            if cell.is(State::Present)
                && let Some(entry) = cell.value().as_ref().filter(|entry| entry.failed.is_none())
            {
                return Ok(entry.template.clone());
            }
        }
        match self.look_up(
            cell,
            Target {
                name: slot.name,
                below: Some(slot),
            },
        ) {
            None => Ok(default_template(slot)),
            Some(entry) => entry
                .outcome
                .as_ref()
                .map(|_| entry.template.clone())
                .map_err(Error::clone),
        }
    }

    fn resolve_bundled(&self, slot: &'static BundledSlot, over: &Override) -> Result<Slot, Error> {
        let known = match self.look_up(
            self.cell(slot),
            Target {
                name: slot.name,
                below: Some(slot),
            },
        ) {
            Some(entry) => entry.outcome.clone()?,
            None => None,
        };
        overlay(
            known.map_or_else(|| self.default_slot(slot), Ok)?,
            over,
            self.0.bundle.limits(),
        )
    }

    /// Returns the slot that is the default alone.
    pub(crate) fn default_slot(&self, slot: &'static BundledSlot) -> Result<Slot, Error> {
        let make = || {
            Slot::undisputed(
                Text::Static(slot.name),
                self.0.bundle.limits(),
                vec![slot.source()],
                Vec::new(),
            )
        };
        match self.0.defaults.get(slot.index) {
            Some(known) => match known.get() {
                Some(slot) => Ok(slot.clone()),
                None => make().map(|slot| known.get_or_init(|| slot).clone()),
            },
            None => make(),
        }
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "a loader has a cell for every slot of its bundle"
    )]
    #[inline]
    fn cell(&self, slot: &BundledSlot) -> &Cell<Entry> {
        &self.0.cells[slot.index]
    }

    /// Returns what is known of the overrides that were read so far.
    pub(crate) fn known_entries(&self) -> Vec<Arc<Entry>> {
        let others: Vec<_> = self.others().cells.values().cloned().collect();
        let cells = self.0.cells.iter().chain(others.iter().map(|cell| &**cell));
        cells
            .filter(|cell| cell.state() == State::Present)
            .filter_map(|cell| cell.value().clone())
            .collect()
    }

    /// Remembers why the app directory could not be listed or looked into, or that it can be; tells whether that is news.
    pub(crate) fn note_unlisted(&self, findings: &[Finding]) -> bool {
        // The names that it is told of differ; the reason is what counts.
        let reason = |findings: &[Finding]| findings.first().map(|first| first.message.clone());
        let is_known = |others: &Others| reason(&others.unlisted) == reason(findings);
        if is_known(&self.others()) {
            return false;
        }
        let mut others = self.others_mut();
        // Of threads that see it at once, one tells it.
        let is_news = !is_known(&others);
        others.unlisted = findings.to_vec();
        is_news
    }

    /// Returns why the app directory could not be listed or looked into, where calls went on without it.
    pub(crate) fn unlisted(&self) -> Vec<Finding> {
        self.others().unlisted.clone()
    }

    /// Returns the layer of files.
    pub(crate) fn app(&self) -> &App {
        &self.0.app
    }

    /// Returns what is known of the override of a slot, after looking if need be.
    pub(crate) fn entry(&self, name: &str) -> Result<Option<Arc<Entry>>, Error> {
        match self.0.bundle.find(name) {
            Some(slot) => {
                let target = Target {
                    name: slot.name,
                    below: Some(slot),
                };
                Ok(self.look_up(self.cell(slot), target))
            }
            None => self.look_up_other(name),
        }
    }

    /// Returns what is known of an override, after looking if nothing is known, something is wrong, or a look is due.
    fn look_up(&self, cell: &Cell<Entry>, target: Target<'_>) -> Option<Arc<Entry>> {
        let app = &self.0.app;
        let state = cell.state();
        let now = app.now().unwrap_or(0);
        let last = cell.value().clone();
        let is_mine = app.now().is_some() && cell.claim(now, app.next_look(now));
        match (state, &last) {
            (State::Absent, _) if !is_mine => return None,
            (State::Present, Some(entry)) if entry.failed.is_none() && !is_mine => return last,
            (State::Present, Some(entry))
                if app.is_current(target.name, entry) && entry.unchanged_since() =>
            {
                return last;
            }
            _ => {}
        }
        // The version comes first: what is published after it makes this look void, with all that it builds on.
        let version = cell.version();
        let (state, last) = (cell.state(), cell.value().clone());
        let is_live = app.is_live(state, target, last.as_deref());
        let entry = match app.look(target, last.as_ref(), is_live) {
            Seen::Absent => {
                if let Some(below) = target.below {
                    let id = below.fingerprint.short();
                    log::debug!("slot `{0}`: {0}@{id} is in force, the default", below.name);
                }
                None
            }
            Seen::Entry(entry) => Some(entry),
            Seen::Unsettled(seen) => Some(Arc::new(app.waiting(target, last.as_deref(), seen))),
        };
        if entry.as_ref().is_some_and(|entry| !entry.is_settled()) {
            cell.set_due(app.soon(now));
        }
        match cell.publish(version, entry.clone()) {
            // Of all who saw the same at once, the first to publish it says what is wrong with it.
            Ok(replaced) => {
                // What is wrong with the whole directory is told once, not for each name that anybody thinks up.
                let is_of_all = |entry: &&Arc<Entry>| {
                    target.below.is_none() && !app.has_file(target.name, entry)
                };
                let is_news = match entry.as_ref().filter(is_of_all) {
                    Some(entry) => self.note_unlisted(&entry.findings),
                    None => true,
                };
                if let Some(entry) = entry.as_ref().filter(|_| is_news) {
                    crate::status::log_entry(target.name, entry, replaced.as_deref());
                }
                entry
            }
            // All callers get the same: what was published meanwhile, unless it is forgotten already.
            Err(Outdated) => match cell.state() {
                State::Unknown | State::Forgotten => entry,
                State::Absent => None,
                State::Present => cell.value().clone(),
            },
        }
    }

    /// Looks up a slot that is not bundled.
    fn look_up_other(&self, name: &str) -> Result<Option<Arc<Entry>>, Error> {
        self.check_name(name)?;
        let (known, refreshes) = {
            let others = self.others();
            (others.cells.get(name).cloned(), others.refreshes)
        };
        let cell = known.clone().unwrap_or_default();
        let entry = self.look_up(&cell, Target { name, below: None });
        match (&entry, known) {
            (Some(found), None) if self.0.app.has_file(name, found) => {
                let mut others = self.others_mut();
                if others.refreshes == refreshes {
                    others.cells.entry(name.to_owned()).or_insert(cell);
                }
            }
            (None, Some(_)) => {
                self.others_mut().cells.remove(name);
            }
            _ => {}
        }
        if entry.is_none() {
            self.note_unlisted(&[]);
        }
        Ok(entry)
    }

    fn others(&self) -> RwLockReadGuard<'_, Others> {
        self.0.others.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn others_mut(&self) -> RwLockWriteGuard<'_, Others> {
        self.0
            .others
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[inline]
fn default_template(slot: &'static BundledSlot) -> Option<Template> {
    slot.live.map(|text| Template(Text::Static(text)))
}

/// Lays what the caller passes over a slot.
fn overlay(slot: Slot, over: &Override, limits: &Limits) -> Result<Slot, Error> {
    if over.is_empty() {
        return Ok(slot);
    }
    let (source, warnings) = over.source(limits).map_err(|findings| {
        Error::new(
            ErrorKind::InvalidSlot,
            findings
                .into_iter()
                .map(|finding| finding.slot(slot.name()))
                .collect(),
        )
    })?;
    slot.with_layer(source, warnings)
}

#[cold]
fn foreign(own: &Bundle, other: &Bundle, slot: &BundledSlot) -> Error {
    let message = format!(
        "the handle belongs to the slots of `{}` ({}), the loader to those of `{}` ({})",
        other.name(),
        other.dir(),
        own.name(),
        own.dir()
    );
    let finding = Finding::error(message).slot(slot.name);
    Error::one(
        ErrorKind::ForeignHandle,
        finding.hint("use the `loader()` beside the handle's module"),
    )
}

impl fmt::Debug for PromptLoader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PromptLoader")
            .field("bundle", &self.0.bundle.name())
            .field("root", self.root())
            .finish_non_exhaustive()
    }
}
