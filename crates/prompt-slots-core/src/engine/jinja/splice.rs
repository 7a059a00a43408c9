//! What the engine does otherwise than Python with some operands: these are filtered before it sees them.
//!
//! Beside `~` the engine writes values in its own way, and a huge list without a limit; a slice of what is not there is an
//! empty list to it. So filters are put into the template that the engine compiles; places in it lead back to the
//! template as it was written.

use std::ops::Range;

use super::Span;

/// What is put before and behind an operand.
pub(super) type Wrap = [&'static str; 2];

/// Around an operand of `~`.
pub(super) const TEXT: Wrap = ["(", ")|string"];
/// Around the value that a slice is taken of.
pub(super) const SLICED: Wrap = ["((", ")|sliced)"];

/// A template with filters on some operands.
#[derive(Debug)]
pub(super) struct Spliced {
    pub text: String,
    /// What was put in: where it starts in `text`, and its length.
    added: Vec<Range<usize>>,
}

impl Spliced {
    /// Wraps operands, which are known by their places.
    pub fn new(template: &str, operands: &[(Span, Wrap)]) -> Self {
        // Of two operands that end in one place, the inner one is closed first: it starts later.
        let around = |(span, [open, close]): &(Span, Wrap)| {
            [
                (span.start, 0, *open),
                (span.end, template.len() - span.start, *close),
            ]
        };
        let mut pieces: Vec<_> = operands.iter().flat_map(around).collect();
        pieces.sort_by_key(|(place, rank, _)| (*place, *rank));
        let (mut text, mut added, mut done) = (String::new(), Vec::new(), 0);
        for (place, _, piece) in pieces {
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
