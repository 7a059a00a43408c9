//! What is wrong with a program's slots, all at once: for its start, and for whoever watches it run.

use prompt_slots_core::Finding;

use crate::app::OnInvalid;
use crate::error::{Error, ErrorKind};
use crate::loader::PromptLoader;
use crate::runtime::Override;

impl PromptLoader {
    /// Loads every slot, so that a service fails when it starts, not when a slot is first asked for.
    ///
    /// Where the app directory can't be listed, and [`OnInvalid::UseBelow`](crate::OnInvalid::UseBelow) holds, these are
    /// the bundled ones; [`findings`](Self::findings) says why.
    ///
    /// # Errors
    ///
    /// Returns all that is wrong with all slots at once.
    pub fn check_all(&self) -> Result<(), Error> {
        let mut findings = self.misnamed();
        let mut kind = if findings.is_empty() {
            ErrorKind::InvalidSlot
        } else {
            ErrorKind::InvalidName
        };
        let names = match self.names() {
            Err(error) if self.app().on_invalid == OnInvalid::UseBelow => {
                self.note_unlisted(error.findings());
                self.bundle().names().map(str::to_owned).collect()
            }
            names => {
                let names = names?;
                self.note_unlisted(&[]);
                names
            }
        };
        for name in names {
            if let Err(error) = self.resolve(&name, &Override::new()) {
                kind = error.kind();
                findings.extend(error.findings().iter().cloned());
            }
        }
        if findings.is_empty() {
            Ok(())
        } else {
            Err(Error::new(kind, findings))
        }
    }

    /// Returns what is wrong or odd with the overrides that were read so far: warnings, and errors that a fallback or the
    /// last good version covers. What [`controls`](Self::controls) tells comes first.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = self.controls().to_vec();
        findings.extend(self.misnamed());
        for entry in self.known_entries() {
            findings.extend_from_slice(&entry.findings);
        }
        // What stands in the way of a slot that only operators have, a bundled slot may have told already.
        let is_told = |new: &Finding| {
            new.slot.is_some() && findings.iter().any(|told| told.message == new.message)
        };
        let untold = self.unlisted().into_iter();
        let untold: Vec<_> = untold.filter(|new| !is_told(new)).collect();
        findings.extend(untold);
        findings
    }

    /// Returns which emergency controls are set in the environment, and what is wrong with one.
    ///
    /// With `EVEROS_ROOT` as the variable of the bundle's root, `EVEROS_PROMPT_SLOTS_IGNORE` names the slots whose app layer
    /// is off, with commas between, or is `all`; `EVEROS_PROMPT_SLOTS_ON_INVALID` is `fail` or `below` and wins over the
    /// program's choice of [`OnInvalid`](crate::OnInvalid). They are read when the loader is made, logged at warn, and part
    /// of [`findings`](Self::findings). A bundle without such a variable has none, and a loader that reads no files heeds
    /// none.
    pub fn controls(&self) -> &[Finding] {
        &self.app().controls.findings
    }

    /// Returns what an invalid override means here: the program's choice, unless a control says otherwise.
    pub fn on_invalid(&self) -> OnInvalid {
        self.app().on_invalid
    }
}
