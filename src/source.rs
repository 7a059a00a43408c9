//! One layer of a slot with the file that it comes from.

use prompt_slots_core::{Finding, Layer, Place, Places, SlotSpec, Text};

use crate::layer::Origin;

/// One layer of a slot, and where its keys stand.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub layer: Layer,
    pub spec: SlotSpec,
    pub file: Option<Text>,
    pub places: Places,
}

impl Source {
    /// Adds this layer, its file and the place of a key to a finding.
    pub(crate) fn mark_key(&self, finding: Finding, path: &str) -> Finding {
        let finding = self.mark(finding);
        match self.place(path) {
            Some(place) => finding.at(place.key),
            None => finding,
        }
    }

    pub(crate) fn mark(&self, finding: Finding) -> Finding {
        let finding = finding.layer(self.layer);
        match &self.file {
            Some(file) => finding.file(file),
            None => finding,
        }
    }

    /// Returns the place of a key, or of the nearest key around it that has one.
    pub(crate) fn place(&self, path: &str) -> Option<&Place> {
        self.places.nearest(path)
    }

    /// Returns where this layer sets a key.
    pub(crate) fn origin(&self, path: &str) -> Origin {
        let pos = self.place(path).map(|place| place.key);
        Origin {
            layer: self.layer,
            file: self.file.as_ref().map(ToString::to_string),
            pos,
        }
    }

    /// Returns the first key by which it changes the text of the layers below.
    pub(crate) fn first_change(&self) -> &'static str {
        if !self.spec.template_edits.is_empty() {
            "template_edits"
        } else if self.spec.template_prepend.is_some() {
            "template_prepend"
        } else {
            "template_append"
        }
    }

    /// Returns the text of one of its keys that hold template text.
    pub(crate) fn text(&self, path: &str) -> Option<&Text> {
        match path {
            "template" => self.spec.template.as_ref(),
            "template_prepend" => self.spec.template_prepend.as_ref(),
            "template_append" => self.spec.template_append.as_ref(),
            _ => {
                let index = path
                    .strip_prefix("template_edits[")?
                    .split_once(']')?
                    .0
                    .parse::<usize>()
                    .ok()?;
                self.spec
                    .template_edits
                    .get(index)
                    .map(|edit| &edit.replace)
            }
        }
    }
}
