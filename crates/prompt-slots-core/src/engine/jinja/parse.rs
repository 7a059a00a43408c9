//! The parser of expressions, limited in depth: what it accepts, the engine can compile on a small stack.
//!
//! The engine's own parser and code generator recurse once per operator of a chain, and abort the process when the
//! stack ends. So every tree is measured while it is built: [`MAX_DEPTH`] bounds chains of operators, attributes,
//! filters and the like, alone or mixed, and [`MAX_NESTING`] the brackets around them.

use super::ast::{Expr, Node, Word};
use super::scan::{Kind, Tag, Token};
use super::{Span, error, hinted};
use crate::engine::TemplateError;

/// The deepest tree of one expression: the longest chain of operators is as deep as it is long.
pub(super) const MAX_DEPTH: usize = 100;
/// The deepest nesting of brackets, `not`, `-` and `else` in one expression.
pub(super) const MAX_NESTING: usize = 24;

pub(super) type Parsed<T> = Result<T, TemplateError>;

/// Reads the tokens of one tag.
pub(super) struct Parser<'t, 's> {
    pub(super) tokens: &'t [Token<'s>],
    pub(super) at: usize,
    nesting: usize,
    /// The last token's place: where "something is missing" is reported.
    pub(super) last: Span,
}

impl<'t, 's> Parser<'t, 's> {
    pub fn new(tag: &'t Tag<'s>) -> Self {
        Self {
            tokens: &tag.tokens,
            at: 0,
            nesting: 0,
            last: tag.span,
        }
    }

    pub fn peek(&self) -> Option<Token<'s>> {
        self.tokens.get(self.at).copied()
    }

    pub fn next(&mut self) -> Option<Token<'s>> {
        let token = self.peek()?;
        self.at += 1;
        self.last = token.span;
        Some(token)
    }

    pub fn is(&self, kind: Kind, text: &str) -> bool {
        self.peek()
            .is_some_and(|token| token.kind == kind && token.text == text)
    }

    /// Steps over a token if it is this one.
    pub fn skip(&mut self, kind: Kind, text: &str) -> bool {
        let found = self.is(kind, text);
        if found {
            self.next();
        }
        found
    }

    pub fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.skip(Kind::Op, text) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{text}`")))
    }

    pub fn expect_end(&self) -> Parsed<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the tag")),
        }
    }

    pub fn unexpected(&self, wanted: &str) -> TemplateError {
        match self.peek() {
            Some(token) => {
                let found = match token.kind {
                    Kind::Text => "a text".to_owned(),
                    _ => format!("`{}`", token.text),
                };
                error(token.span, format!("expected {wanted}, found {found}"))
            }
            None => error(
                self.last,
                format!("expected {wanted} before the end of the tag"),
            ),
        }
    }

    pub fn word(&mut self) -> Parsed<Word<'s>> {
        match self.peek() {
            Some(Token {
                kind: Kind::Name,
                text,
                span,
            }) => {
                self.next();
                Ok(Word { text, span })
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    pub(super) fn start(&self) -> usize {
        self.peek().map_or(self.last.end, |token| token.span.start)
    }

    /// Builds a node that reaches from `start` to the last token, and refuses one that is too deep.
    pub(super) fn node(&self, start: usize, expr: Expr<'s>) -> Parsed<Node<'s>> {
        let span = Span {
            start,
            end: self.last.end,
        };
        let mut node = Node {
            expr,
            span,
            depth: 0,
        };
        let below = node.children().map(|child| child.depth).max();
        node.depth = below.unwrap_or(0) + 1;
        if node.depth > MAX_DEPTH {
            return Err(too_complex(span));
        }
        Ok(node)
    }

    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting == MAX_NESTING {
            return Err(too_complex(self.last));
        }
        self.nesting += 1;
        let parsed = parse(self);
        self.nesting -= 1;
        parsed
    }

    /// Parses a whole expression.
    pub fn expression(&mut self) -> Parsed<Node<'s>> {
        self.nested(Self::choice)
    }

    /// Parses `a, b, c` as one tuple, or a single expression.
    pub fn expressions(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        let first = self.expression()?;
        if !self.is(Kind::Op, ",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.skip(Kind::Op, ",") && self.peek().is_some() {
            items.push(self.expression()?);
        }
        self.node(start, Expr::List(items))
    }

    fn choice(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        let mut node = self.condition()?;
        while self.skip(Kind::Name, "if") {
            let test = self.condition()?;
            let mut parts = vec![test, node];
            if self.skip(Kind::Name, "else") {
                parts.push(self.nested(Self::choice)?);
            }
            node = self.node(start, Expr::Choice(parts))?;
        }
        Ok(node)
    }

    /// Parses an expression that stops in front of `if`.
    pub fn condition(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        let mut node = self.conjunction()?;
        while self.skip(Kind::Name, "or") {
            let right = self.conjunction()?;
            node = self.node(start, Expr::Either(Box::new(node), Box::new(right)))?;
        }
        Ok(node)
    }

    fn conjunction(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        let mut node = self.negation()?;
        while self.skip(Kind::Name, "and") {
            let right = self.negation()?;
            node = self.node(start, Expr::Either(Box::new(node), Box::new(right)))?;
        }
        Ok(node)
    }

    fn negation(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        if !self.skip(Kind::Name, "not") {
            return self.comparison();
        }
        let inner = self.nested(Self::negation)?;
        self.node(start, Expr::Not(Box::new(inner)))
    }

    fn comparison(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        let first = self.binary(0)?;
        let mut parts = Vec::new();
        let mut operators = Vec::new();
        while let Some(operator) = self.comparison_operator()? {
            operators.push(operator);
            parts.push(self.binary(0)?);
            if parts.len() > MAX_DEPTH {
                return Err(too_complex(self.last));
            }
        }
        if let ([operator], true) = (&operators[..], parts.len() == 1)
            && operator.text.ends_with("in")
        {
            let (item, whole) = (Box::new(first), Box::new(parts.remove(0)));
            return self.node(start, Expr::Contains(item, *operator, whole));
        }
        if parts.is_empty() {
            return Ok(first);
        }
        parts.insert(0, first);
        self.node(start, Expr::Compare(parts, operators))
    }

    /// Takes the operator of a comparison, if one comes next.
    fn comparison_operator(&mut self) -> Parsed<Option<Word<'s>>> {
        const OPERATORS: [&str; 7] = ["==", "!=", "<", "<=", ">", ">=", "in"];
        let start = self.start();
        if self.skip(Kind::Name, "not") {
            if !self.skip(Kind::Name, "in") {
                return Err(self.unexpected("`in`"));
            }
            let span = Span {
                start,
                end: self.last.end,
            };
            return Ok(Some(Word {
                text: "not in",
                span,
            }));
        }
        let operator = self.peek().filter(|token| {
            matches!(token.kind, Kind::Op | Kind::Name) && OPERATORS.contains(&token.text)
        });
        Ok(operator.map(|Token { text, span, .. }| {
            self.next();
            Word { text, span }
        }))
    }

    /// Parses the operators of one level and all that bind closer.
    fn binary(&mut self, level: usize) -> Parsed<Node<'s>> {
        const LEVELS: [&[&str]; 4] = [&["+", "-"], &["~"], &["*", "/", "//", "%"], &["**"]];
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let start = self.start();
        let mut node = self.binary(level + 1)?;
        while let Some(op) = operators.iter().find(|op| self.is(Kind::Op, op)) {
            self.next();
            let (left, right) = (Box::new(node), Box::new(self.binary(level + 1)?));
            let expr = match *op {
                "+" => Expr::Add(left, right),
                "~" => Expr::Concat(left, right),
                "*" => Expr::Multiply(left, right),
                _ => Expr::Arithmetic(left, right),
            };
            node = self.node(start, expr)?;
        }
        Ok(node)
    }

    fn unary(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        let operand = self.operand()?;
        self.filters(start, operand)
    }
}

fn too_complex(span: Span) -> TemplateError {
    hinted(
        span,
        "this expression is nested too deeply or chained too long",
        "split it with `{% set %}`",
    )
}
