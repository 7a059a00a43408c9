//! Where every value of a slot comes from, what it overrides, and what it is put together from.

use std::collections::HashMap;

use prompt_slots_core::{Data, Layer};

use crate::layer::Origin;
use crate::merge::Merged;
use crate::slot::Slot;
use crate::source::Source;

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
    /// Where the value comes from; of one that layers put together, the highest of them that sets the key.
    pub origin: Origin,
    /// What the layers below say of the key that is not in force, the nearest first.
    pub overridden: Vec<(Origin, Data)>,
    /// What the value is put together from, in order; empty where it is one layer's as it is.
    pub parts: Vec<Part>,
    /// The layers of this slot that say nothing of the key, the highest first.
    pub silent: Vec<Layer>,
}

/// A part of a value that layers put together: a text and the changes to it, test cases, the attributes of a variable.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Part {
    /// The key path of the part, such as `template_edits[0]` or `variables.tone.default`.
    pub key: String,
    /// What the layer says there.
    pub value: Data,
    /// Where it comes from.
    pub origin: Origin,
}

impl Slot {
    /// Tells where every value comes from.
    pub fn explain(&self) -> Explanation {
        let merged = self.merged();
        let view = View {
            merged,
            leaves: merged.spec.leaves(),
            said: merged
                .sources
                .iter()
                .map(|source| (source, source.spec.leaves()))
                .collect(),
        };
        let mut keys: Vec<Explained> = merged
            .paths()
            .filter(|(path, _)| !is_attribute(path))
            .filter_map(|(path, _)| view.explain(path))
            .collect();
        let leaves = view.leaves.iter().enumerate();
        let ranks: HashMap<&str, usize> = leaves.map(|(rank, (key, _))| (&**key, rank)).collect();
        keys.sort_by_cached_key(|explained| {
            let key = &explained.key;
            let leaf = ranks.get(&**key).copied().unwrap_or(usize::MAX);
            (section(key), leaf, key.clone())
        });
        Explanation { keys }
    }
}

/// A merged slot, with what it and each of its layers say.
struct View<'a> {
    merged: &'a Merged,
    leaves: Vec<(String, Data)>,
    said: Vec<(&'a Source, Vec<(String, Data)>)>,
}

impl View<'_> {
    fn explain(&self, path: &str) -> Option<Explained> {
        let layers = self.merged.setters(path);
        let sources = || self.said.iter().rev();
        let mut setters = sources().filter(|(source, _)| layers.contains(source.layer));
        let (winner, own) = setters.next()?;
        let overridden = setters
            .filter(|(source, _)| self.has_lost(source, path))
            .filter_map(|(source, leaves)| Some((source.origin(path), find(leaves, path)?)));
        let parts = self.parts(path);
        let says =
            |layer| layers.contains(layer) || parts.iter().any(|part| part.origin.layer == layer);
        let silent = sources().filter(|(source, _)| !says(source.layer));
        // A change to the text is not part of the merged slot; its layer says what it changes.
        let value = find(&self.leaves, path)
            .or_else(|| find(own, path))
            .filter(|data| *data != Data::Null);
        Some(Explained {
            key: path.to_owned(),
            value,
            origin: winner.origin(path),
            overridden: overridden.collect(),
            silent: silent.map(|(source, _)| source.layer).collect(),
            parts,
        })
    }

    /// Tells whether what a lower layer says of a key is, in whole or in part, not in force.
    fn has_lost(&self, source: &Source, path: &str) -> bool {
        if adds_up(path) {
            return false;
        }
        if !path.starts_with("variables.") {
            return true;
        }
        let said = attributes(source, path);
        said.into_iter()
            .any(|(attribute, _)| self.merged.setters(&attribute).highest() != Some(source.layer))
    }

    fn parts(&self, path: &str) -> Vec<Part> {
        let parts: Vec<Part> = match path {
            "template" => self.changes_of_text(),
            "validation.test_cases" => self.cases(),
            _ if path.starts_with("variables.") => self.attributes(path),
            _ => Vec::new(),
        };
        let layers = parts.iter().map(|part| part.origin.layer);
        let first = parts.first().map(|part| part.origin.layer);
        let is_of_one_layer = path != "template" && layers.into_iter().all(|it| Some(it) == first);
        if parts.len() < 2 || is_of_one_layer {
            return Vec::new();
        }
        parts
    }

    /// Returns the text in force as its layer has it, and the changes that this and higher layers make to it.
    fn changes_of_text(&self) -> Vec<Part> {
        let Some(base) = self.merged.setters("template").highest() else {
            return Vec::new();
        };
        let sources = self.said.iter().filter(|(source, _)| source.layer >= base);
        sources
            .flat_map(|(source, leaves)| {
                let whole = |key: &str| find(leaves, key).map(|value| part(source, key, value));
                let edits = match find(leaves, "template_edits") {
                    Some(Data::List(edits)) => edits.to_vec(),
                    _ => Vec::new(),
                };
                let edits = edits
                    .into_iter()
                    .enumerate()
                    .map(|(index, edit)| part(source, &format!("template_edits[{index}]"), edit));
                let mut parts: Vec<Part> = whole("template").into_iter().chain(edits).collect();
                parts.extend(whole("template_prepend"));
                parts.extend(whole("template_append"));
                parts
            })
            .collect()
    }

    fn cases(&self) -> Vec<Part> {
        let lists = self.said.iter().filter_map(|(source, leaves)| {
            match find(leaves, "validation.test_cases")? {
                Data::List(cases) => Some((*source, cases)),
                _ => None,
            }
        });
        lists
            .flat_map(|(source, cases)| {
                let cases = cases.iter().enumerate().map(|(index, case)| {
                    let key = format!("validation.test_cases[{index}]");
                    part(source, &key, case.clone())
                });
                cases.collect::<Vec<_>>()
            })
            .collect()
    }

    /// Returns the attributes of a variable that are in force.
    fn attributes(&self, path: &str) -> Vec<Part> {
        self.said
            .iter()
            .flat_map(|(source, _)| {
                let said = attributes(source, path).into_iter();
                said.filter(|(key, _)| self.merged.setters(key).highest() == Some(source.layer))
                    .map(|(key, value)| part(source, &key, value))
            })
            .collect()
    }
}

/// Returns what one layer says of a variable, by attribute.
fn attributes(source: &Source, path: &str) -> Vec<(String, Data)> {
    let name = path.strip_prefix("variables.").unwrap_or(path);
    let Some(variable) = source.spec.variables.iter().find(|it| it.name == *name) else {
        return Vec::new();
    };
    let said = [
        ("description", variable.description.clone().map(Data::Text)),
        ("default", variable.default.clone()),
        ("required", variable.required.map(Data::Bool)),
    ];
    said.into_iter()
        .filter_map(|(name, value)| Some((format!("{path}.{name}"), value?)))
        .collect()
}

fn part(source: &Source, key: &str, value: Data) -> Part {
    Part {
        key: key.to_owned(),
        value,
        origin: source.origin(key),
    }
}

fn find(leaves: &[(String, Data)], path: &str) -> Option<Data> {
    leaves
        .iter()
        .find(|(key, _)| key == path)
        .map(|(_, data)| data.clone())
}

/// Tells whether layers add to what the layers below say of a key, so that nothing of it is ever lost.
fn adds_up(path: &str) -> bool {
    matches!(
        path,
        "validation.test_cases" | "template_edits" | "template_prepend" | "template_append"
    )
}

/// Tells whether a path names an attribute of a variable, which its variable shows already.
fn is_attribute(path: &str) -> bool {
    path.strip_prefix("variables.")
        .is_some_and(|rest| rest.contains('.'))
}

/// Returns the rank of a key path's first part in the key table.
fn section(path: &str) -> usize {
    let keys = prompt_slots_core::keys::SLOT;
    let first = path.split('.').next().unwrap_or(path);
    let known = keys.iter().position(|key| key.name == first);
    known.unwrap_or(keys.len())
}
