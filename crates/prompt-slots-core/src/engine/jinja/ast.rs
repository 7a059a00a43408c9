//! What a template says, as a tree: just enough of it to judge names, calls and growth.

use super::Span;

/// An expression, its place, and how deep the tree below it is.
#[derive(Debug)]
pub(super) struct Node<'s> {
    pub expr: Expr<'s>,
    pub span: Span,
    pub depth: usize,
}

#[derive(Debug)]
pub(super) enum Expr<'s> {
    /// A number or a truth value.
    Scalar,
    /// `none`.
    Nothing,
    /// A text literal; `None` where it is made of parts or holds escapes.
    Text(Option<&'s str>),
    Name(&'s str),
    /// A list or a tuple.
    List(Vec<Node<'s>>),
    /// A map: its keys and values in turn.
    Map(Vec<Node<'s>>),
    Not(Box<Node<'s>>),
    Negative(Box<Node<'s>>),
    /// `and` and `or`.
    Either(Box<Node<'s>>, Box<Node<'s>>),
    Add(Box<Node<'s>>, Box<Node<'s>>),
    Concat(Box<Node<'s>>, Box<Node<'s>>),
    Multiply(Box<Node<'s>>, Box<Node<'s>>),
    /// `-`, `/`, `//`, `%` and `**`, which work on numbers alone.
    Arithmetic(Box<Node<'s>>, Box<Node<'s>>),
    /// A chain of comparisons, and the operators between them; it may hold `in`.
    Compare(Vec<Node<'s>>, Vec<Word<'s>>),
    /// `a in b` alone, and its operator.
    Contains(Box<Node<'s>>, Word<'s>, Box<Node<'s>>),
    /// `yes if test else no`: the test, then one or two outcomes.
    Choice(Vec<Node<'s>>),
    Attr(Box<Node<'s>>, &'s str),
    Item(Box<Node<'s>>, Box<Node<'s>>),
    Slice(Box<Node<'s>>, Vec<Node<'s>>),
    Call(Box<Node<'s>>, Args<'s>),
    Filter(Option<Box<Node<'s>>>, Word<'s>, Args<'s>),
    Test(Box<Node<'s>>, Word<'s>, Args<'s>),
}

/// A name and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'s> {
    pub text: &'s str,
    pub span: Span,
}

#[derive(Debug, Default)]
pub(super) struct Args<'s> {
    pub positional: Vec<Node<'s>>,
    pub named: Vec<(Word<'s>, Node<'s>)>,
}

impl<'s> Args<'s> {
    /// Iterates over all values, named or not.
    pub fn values(&self) -> impl Iterator<Item = &Node<'s>> {
        let named = self.named.iter().map(|(_, value)| value);
        self.positional.iter().chain(named)
    }
}

impl<'s> Node<'s> {
    /// Iterates over the expressions right below this one, in the order of the source.
    pub fn children(&self) -> impl Iterator<Item = &Node<'s>> {
        let (first, second, more, named): (Option<&Self>, Option<&Self>, &[Self], &[_]) =
            match &self.expr {
                Expr::Scalar | Expr::Nothing | Expr::Text(_) | Expr::Name(_) => {
                    (None, None, &[], &[])
                }
                Expr::List(nodes)
                | Expr::Map(nodes)
                | Expr::Compare(nodes, _)
                | Expr::Choice(nodes) => (None, None, nodes, &[]),
                Expr::Not(a) | Expr::Negative(a) | Expr::Attr(a, _) => (Some(a), None, &[], &[]),
                Expr::Either(a, b)
                | Expr::Add(a, b)
                | Expr::Concat(a, b)
                | Expr::Multiply(a, b)
                | Expr::Arithmetic(a, b)
                | Expr::Contains(a, _, b)
                | Expr::Item(a, b) => (Some(a), Some(b), &[], &[]),
                Expr::Slice(a, bounds) => (Some(a), None, bounds, &[]),
                Expr::Call(a, args) | Expr::Test(a, _, args) => {
                    (Some(a), None, &args.positional, &args.named)
                }
                Expr::Filter(a, _, args) => (a.as_deref(), None, &args.positional, &args.named),
            };
        let named = named.iter().map(|(_, value): &(Word<'s>, Self)| value);
        first.into_iter().chain(second).chain(more).chain(named)
    }
}

/// What a binding binds.
#[derive(Debug)]
pub(super) enum Target<'s> {
    Name(Word<'s>),
    /// An attribute of a namespace.
    Attr(Word<'s>, Word<'s>),
    Many(Vec<Target<'s>>),
}

/// A parameter of a macro or of a call block.
#[derive(Debug)]
pub(super) struct Param<'s> {
    pub name: Word<'s>,
    pub default: Option<Node<'s>>,
}

pub(super) type Body<'s> = Vec<Stmt<'s>>;

#[derive(Debug)]
pub(super) enum Stmt<'s> {
    Print(Node<'s>),
    Set(Target<'s>, Node<'s>),
    /// `{% set x %}..{% endset %}`, with a chain of filters on it.
    SetBlock(Target<'s>, Option<Node<'s>>, Body<'s>),
    For(Box<For<'s>>),
    /// The arms of an `if`; the last may lack a condition.
    If(Vec<(Option<Node<'s>>, Body<'s>)>),
    With(Vec<(Target<'s>, Node<'s>)>, Body<'s>),
    FilterBlock(Node<'s>, Body<'s>),
    Macro(Word<'s>, Vec<Param<'s>>, Body<'s>),
    CallBlock(Vec<Param<'s>>, Node<'s>, Body<'s>),
}

#[derive(Debug)]
pub(super) struct For<'s> {
    pub target: Target<'s>,
    pub iter: Node<'s>,
    pub filter: Option<Node<'s>>,
    pub recursive: bool,
    pub body: Body<'s>,
    pub otherwise: Body<'s>,
}
