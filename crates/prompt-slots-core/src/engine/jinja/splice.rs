//! What the engine does otherwise than Python with some operands: these are filtered before it sees them.
//!
//! Beside `~` the engine writes values in its own way, and a huge list without a limit; a slice of what is not there is an
//! empty list to it, a subscript costs one unit whatever it takes, and all kinds of values have an order. So filters are put
//! into the template that the engine compiles; places in it lead back to the template as it was written.

use std::ops::Range;
use std::slice;

use super::Span;
use super::ast::{Expr, Node, Word};
use super::growth::{Effect, effect};

/// The most operands that are filtered: each is longer with its filter, and takes memory.
pub(super) const MOST: usize = 50_000;

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
/// Around a sum that may be a list, in a loop or a macro.
pub(super) const ADDED: Wrap = ["((", ")|added)"];
/// Around an argument of `loop.changed`.
pub(super) const WEIGHED: Wrap = ["((", ")|weighed)"];
/// Around a chain of comparisons.
const CHAIN: Wrap = ["((", "))"];
/// Around the first operator of a chain, and around the others: `a < b < c` gets `a|compared("<", b, "<", c)`.
const FIRST: Wrap = [")|compared(\"", "\", "];
const NEXT: Wrap = [", \"", "\", "];

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
        Expr::Compare(parts, operators) => {
            let parts: Vec<_> = parts.iter().collect();
            chain(node, &parts, operators, add);
        }
        Expr::Contains(item, operator, whole) => {
            chain(node, &[&**item, &**whole], slice::from_ref(operator), add);
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
        Expr::Scalar | Expr::Nothing | Expr::Text(_) => true,
        Expr::List(items) => items.iter().all(is_written_out),
        Expr::Negative(inner) => is_written_out(inner),
        _ => false,
    }
}

/// Puts a filter around a chain of comparisons, unless the engine does with its operands as Python does.
fn chain(
    node: &Node<'_>,
    parts: &[&Node<'_>],
    operators: &[Word<'_>],
    add: &mut impl FnMut(Span, Wrap),
) {
    let mut pairs = parts.iter().zip(parts.iter().skip(1)).zip(operators);
    if pairs.all(|((left, right), operator)| is_plain(left, operator.text, right)) {
        return;
    }
    add(node.span, CHAIN);
    for (index, operator) in operators.iter().enumerate() {
        add(operator.span, if index == 0 { FIRST } else { NEXT });
    }
}

/// Tells whether two operands can be compared without a filter, whatever names stand for.
fn is_plain(left: &Node<'_>, operator: &str, right: &Node<'_>) -> bool {
    match operator {
        "==" | "!=" => is_small(left) || is_small(right),
        // A text that is written out may be in a text, a list and a map, and there is an error for all else.
        "in" | "not in" => match &right.expr {
            Expr::List(items) => is_small(left) || items.iter().all(is_small),
            _ => matches!(left.expr, Expr::Text(_)),
        },
        _ => is_number(left) && is_number(right),
    }
}

/// Tells whether a value is surely a number, a short text or nothing.
pub(super) fn is_small(node: &Node<'_>) -> bool {
    matches!(node.expr, Expr::Text(_) | Expr::Nothing) || is_number(node)
}

/// Tells whether a value is surely a number.
fn is_number(node: &Node<'_>) -> bool {
    match &node.expr {
        Expr::Scalar | Expr::Negative(_) | Expr::Arithmetic(..) => true,
        Expr::Attr(base, attr) => {
            matches!(base.expr, Expr::Name("loop")) && !matches!(*attr, "previtem" | "nextitem")
        }
        // What `int` and `float` give instead of a number can be anything.
        Expr::Filter(_, name, args) => {
            effect(name.text) == Effect::Number && args.values().next().is_none()
        }
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
        // Of two operands that end in one place, the inner one is closed first: it starts later. An operand that ends
        // where an operator starts is closed before that.
        let around = |(span, [open, close]): &(Span, Wrap)| {
            [
                (span.start, usize::MAX, *open),
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
