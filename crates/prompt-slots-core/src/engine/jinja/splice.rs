//! What the engine does otherwise than Python with some operands: these are filtered before it sees them.
//!
//! Beside `~` the engine writes values in its own way, and a huge list without a limit; a slice of what is not there is an
//! empty list to it, and a subscript costs one unit whatever it takes. So filters are put into the template that the engine
//! compiles; places in it lead back to the template as it was written.

use std::ops::Range;

use super::Span;
use super::ast::{Expr, Node};

/// What is put before and behind an operand.
pub(super) type Wrap = [&'static str; 2];

/// Around an operand of `~`.
pub(super) const TEXT: Wrap = ["(", ")|string"];
/// Around the value that a slice is taken of.
pub(super) const SLICED: Wrap = ["((", ")|sliced)"];
/// Around the value before a subscript.
pub(super) const INDEXED: Wrap = ["((", ")|indexed)"];
/// Around the key of a map that is written out.
pub(super) const KEY: Wrap = ["(", ")|key"];

/// The longest index or key that is written out and costs nothing worth mention.
const SHORT: usize = 64;

/// Lists the parts of an expression, itself not among them, that need a filter.
pub(super) fn operands(node: &Node<'_>, add: &mut impl FnMut(Span, Wrap)) {
    match &node.expr {
        Expr::Concat(left, right) => {
            let other = [left, right].into_iter();
            other
                .filter(|side| !matches!(side.expr, Expr::Text(_) | Expr::Concat(..)))
                .for_each(|side| add(side.span, TEXT));
        }
        Expr::Slice(base, _) if !matches!(base.expr, Expr::Text(_)) => add(base.span, SLICED),
        Expr::Item(base, index) if !is_near(index) => add(base.span, INDEXED),
        Expr::Map(items) => {
            let keys = items.iter().step_by(2);
            keys.filter(|key| !is_written_out(key))
                .for_each(|key| add(key.span, KEY));
        }
        _ => {}
    }
}

/// Tells whether a subscript costs next to nothing, whatever it is taken of: a short key, or one of the first items.
fn is_near(index: &Node<'_>) -> bool {
    let length = index.span.end - index.span.start;
    match index.expr {
        Expr::Text(_) => length <= SHORT,
        Expr::Scalar => length <= 3,
        _ => false,
    }
}

fn is_written_out(key: &Node<'_>) -> bool {
    match &key.expr {
        Expr::Scalar | Expr::Text(_) => true,
        Expr::List(items) => items.iter().all(is_written_out),
        Expr::Negative(inner) => is_written_out(inner),
        _ => false,
    }
}

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
