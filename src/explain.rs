//! Where every value of a slot comes from, and what it overrides.

use prompt_slots_core::{Data, SlotSpec};

use crate::layer::Origin;
use crate::slot::Slot;

/// Every key of a slot with its value, its origin, and the values that it overrides.
///
/// It reads the one merged slot that [`Slot::template`] and the rest read, so their answers can't differ.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Explanation {
    /// One entry a key, in the order of a slot file's keys.
    pub keys: Vec<Explained>,
}

/// One key of a slot.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Explained {
    /// The key path, such as `llm.model`.
    pub key: String,
    /// The value in force; `None` where a layer took it back with `null`.
    pub value: Option<Data>,
    /// Where the value comes from.
    pub origin: Origin,
    /// What the layers below say of the key, the nearest first.
    pub overridden: Vec<(Origin, Data)>,
}

impl Slot {
    /// Tells where every value comes from.
    pub fn explain(&self) -> Explanation {
        let merged = self.merged();
        let leaves = merged.spec.leaves();
        let said: Vec<_> = merged
            .sources
            .iter()
            .map(|source| (source, source.spec.leaves()))
            .collect();
        let mut keys: Vec<Explained> = merged
            .paths()
            .filter(|(path, _)| !is_attribute(path))
            .filter_map(|(path, layers)| {
                let winner = layers.highest()?;
                let mut origins = said
                    .iter()
                    .rev()
                    .filter(|(source, _)| layers.contains(source.layer));
                let origin = origins.next().map(|(source, _)| source.origin(path))?;
                let overridden = origins.filter_map(|(source, leaves)| {
                    Some((source.origin(path), find(leaves, path)?))
                });
                let own = |layer| said.iter().find(|(source, _)| source.layer == layer);
                // A change to the text is not part of the merged slot; its layer says what it changes.
                let value = find(&leaves, path)
                    .or_else(|| find(&own(winner)?.1, path))
                    .filter(|data| *data != Data::Null);
                Some(Explained {
                    key: path.to_owned(),
                    value,
                    origin,
                    overridden: overridden.collect(),
                })
            })
            .collect();
        keys.sort_by_key(|explained| order(&explained.key, &merged.spec));
        Explanation { keys }
    }
}

fn find(leaves: &[(String, Data)], path: &str) -> Option<Data> {
    leaves
        .iter()
        .find(|(key, _)| key == path)
        .map(|(_, data)| data.clone())
}

/// Tells whether a path names an attribute of a variable, which its variable shows already.
fn is_attribute(path: &str) -> bool {
    path.strip_prefix("variables.")
        .is_some_and(|rest| rest.contains('.'))
}

/// Returns the rank of a key path: that of its first part in the key table, then that of the leaf in the slot.
fn order(path: &str, spec: &SlotSpec) -> (usize, usize, String) {
    let keys = prompt_slots_core::keys::SLOT;
    let first = path.split('.').next().unwrap_or(path);
    let top = keys
        .iter()
        .position(|key| key.name == first)
        .unwrap_or(keys.len());
    let leaf = spec
        .leaves()
        .iter()
        .position(|(key, _)| key == path)
        .unwrap_or(usize::MAX);
    (top, leaf, path.to_owned())
}
