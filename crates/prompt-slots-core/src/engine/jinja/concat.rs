//! The operator `~`, which must write values as Python does.
//!
//! The engine writes them in its own way there, and a huge list without a limit. So its operands are given to the filter
//! `string` before the engine compiles the template; places in what it compiles lead back to the template.

use std::ops::Range;

use super::Span;

/// A template in which the operands of `~` are texts.
#[derive(Debug)]
pub(super) struct Spliced {
    pub text: String,
    /// What was put in: where it starts in `text`, and its length.
    added: Vec<Range<usize>>,
}

impl Spliced {
    /// Puts the operands that are known by their places into brackets, and filters behind these.
    pub fn new(template: &str, operands: &[Span]) -> Self {
        let around = |span: &Span| [(span.start, "("), (span.end, ")|string")];
        let mut pieces: Vec<_> = operands.iter().flat_map(around).collect();
        pieces.sort_by_key(|(place, _)| *place);
        let (mut text, mut added, mut done) = (String::new(), Vec::new(), 0);
        for (place, piece) in pieces {
            text.push_str(template.get(done..place).unwrap_or_default());
            done = place;
            added.push(text.len()..text.len() + piece.len());
            text.push_str(piece);
        }
        text.push_str(template.get(done..).unwrap_or_default());
        Self { text, added }
    }

    /// Moves a range of `text` to where it stands in the template.
    pub fn range(&self, range: Range<usize>) -> Range<usize> {
        let moved = |at: usize| {
            let before = self.added.iter().take_while(|added| added.start < at);
            at - before
                .map(|added| added.end.min(at) - added.start)
                .sum::<usize>()
        };
        moved(range.start)..moved(range.end)
    }
}
