//! The text of a slot file, read alone: what it says, and where its keys stand.

use prompt_slots_core::{Data, Finding, Fingerprint, Layer, Limits, Pos, SlotFile, read_slot};

use crate::bundle::Bundle;
use crate::error::{Error, ErrorKind};
use crate::moved;

/// The text of a slot file, read as one layer alone.
///
/// It is for tools that compare files or rewrite them: nothing is merged with other layers, and nothing is in force.
///
/// ```
/// use prompt_slots::{Layer, Limits, SlotText};
///
/// let text = SlotText::read(b"llm:\n  model: gpt-4.1\n", Layer::App, &Limits::DEFAULT)?;
/// assert_eq!(text.pos("llm.model").map(|pos| pos.line), Some(2));
/// # Ok::<(), prompt_slots::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SlotText(SlotFile);

impl SlotText {
    /// Reads a file's bytes, by the rules for the files of `layer`.
    ///
    /// # Errors
    ///
    /// Returns every finding if at least one is an error; they name neither slot nor file.
    pub fn read(yaml: &[u8], layer: Layer, limits: &Limits) -> Result<Self, Error> {
        Self::judged(read_slot(yaml, layer, limits), layer)
    }

    /// Reads a file's bytes as a default of `bundle`, of this release or another: with the choices of its build script.
    ///
    /// # Errors
    ///
    /// Fails as [`read`](Self::read) does.
    pub fn read_default(yaml: &[u8], bundle: &Bundle) -> Result<Self, Error> {
        Self::judged(bundle.read_default(yaml), Layer::Bundled)
    }

    fn judged(read: Result<SlotFile, Vec<Finding>>, layer: Layer) -> Result<Self, Error> {
        read.map(Self).map_err(|findings| {
            let findings = findings.into_iter().map(|finding| finding.layer(layer));
            Error::new(ErrorKind::InvalidSlot, findings.collect())
        })
    }

    /// Returns what the file says, with the keys of a slot file in the order of its documentation.
    pub fn to_data(&self) -> Data {
        self.0.spec.to_data()
    }

    /// Returns each value that layers merge apart, by key path: `llm.model`, `variables.tone.default`, ...
    pub fn leaves(&self) -> Vec<(String, Data)> {
        moved::leaves(&self.0.spec)
    }

    /// Returns the value of one of [`leaves`](Self::leaves).
    pub fn leaf(&self, key: &str) -> Option<Data> {
        self.leaves()
            .into_iter()
            .find_map(|(known, value)| (known == key).then_some(value))
    }

    /// Returns where a key stands, such as `llm.model` or `template_edits[0].find`.
    pub fn pos(&self, key: &str) -> Option<Pos> {
        self.0.places.get(key).map(|place| place.key)
    }

    /// Returns the fingerprint that a default has which is this file.
    pub fn fingerprint(&self) -> Fingerprint {
        self.0.spec.fingerprint()
    }

    /// Returns the fingerprint of the default that an override was written against, or its first digits.
    pub fn based_on(&self) -> Option<&str> {
        self.0.spec.based_on.as_deref()
    }

    /// Returns what is odd about the file, without stopping it.
    pub fn warnings(&self) -> &[Finding] {
        &self.0.warnings
    }
}
