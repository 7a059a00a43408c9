//! The whereabouts of a slot that is one file: a default, judged alone.

use crate::contract::Whereabouts;
use crate::finding::{Finding, Snippet};
use crate::layer::Layer;
use crate::place::{Lay, Place, Places};
use crate::spec::SlotSpec;

/// A slot that one file holds whole.
#[derive(Debug)]
pub struct OneFile<'a> {
    /// Whose file it is.
    pub layer: Layer,
    /// The file, as messages name it.
    pub file: &'a str,
    /// What it says.
    pub spec: &'a SlotSpec,
    /// Where its keys stand.
    pub places: &'a Places,
}

impl Whereabouts for OneFile<'_> {
    fn text(&self, finding: Finding, offset: usize) -> Finding {
        let finding = finding.layer(self.layer).file(self.file);
        match (&self.spec.template, self.places.get("template")) {
            (Some(text), Some(place)) => mark_in_text(finding, place, text, offset),
            _ => finding,
        }
    }

    fn key(&self, finding: Finding, path: &str) -> Finding {
        let finding = finding.layer(self.layer).file(self.file);
        match self.places.nearest(path) {
            Some(place) => finding.at(place.key),
            None => finding,
        }
    }

    fn layer(&self, path: &str) -> Option<Layer> {
        self.places.get(path).map(|_| self.layer)
    }

    fn case(&self, index: usize) -> (Layer, usize) {
        (self.layer, index)
    }

    fn text_layer(&self) -> Layer {
        self.layer
    }
}

/// Adds the position of a byte of a value's text, and the line that it stands in.
pub fn mark_in_text(finding: Finding, place: &Place, text: &str, offset: usize) -> Finding {
    let finding = finding.at(place.locate(text, offset));
    let Lay::Block(indent) = place.lay else {
        return finding;
    };
    let before = text.get(..offset).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text
        .get(start..)
        .unwrap_or_default()
        .lines()
        .next()
        .unwrap_or_default();
    let rest = text.get(offset..).unwrap_or_default();
    let width = rest
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '{' | '%'))
        .count();
    let line = format!("{}{line}", " ".repeat(indent as usize));
    Finding {
        snippet: Snippet::new(&line, width),
        ..finding
    }
}
