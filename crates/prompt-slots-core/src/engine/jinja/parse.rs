//! The parser of expressions, limited in depth: what it accepts, the engine can compile on a small stack.
//!
//! The engine's own parser and code generator recurse once per operator of a chain, and abort the process when the
//! stack ends. So every tree is measured while it is built: [`MAX_DEPTH`] bounds chains of operators, attributes,
//! filters and the like, alone or mixed, and [`MAX_NESTING`] the brackets around them.

use super::ast::{Args, Expr, Node, Word};
use super::scan::{Kind, Tag, Token};
use super::{Span, error, hinted};
use crate::engine::TemplateError;

/// The deepest tree of one expression: the longest chain of operators is as deep as it is long.
const MAX_DEPTH: usize = 100;
/// The deepest nesting of brackets, `not`, `-` and `else` in one expression.
const MAX_NESTING: usize = 24;

type Parsed<T> = Result<T, TemplateError>;

/// Reads the tokens of one tag.
pub(super) struct Parser<'t, 's> {
    tokens: &'t [Token<'s>],
    at: usize,
    nesting: usize,
    /// The last token's place: where "something is missing" is reported.
    last: Span,
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

    fn start(&self) -> usize {
        self.peek().map_or(self.last.end, |token| token.span.start)
    }

    /// Builds a node that reaches from `start` to the last token, and refuses one that is too deep.
    fn node(&self, start: usize, expr: Expr<'s>) -> Parsed<Node<'s>> {
        let span = Span {
            start,
            end: self.last.end,
        };
        let mut node = Node {
            expr,
            span,
            depth: 0,
        };
        let below = node.children().iter().map(|child| child.depth).max();
        node.depth = below.unwrap_or(0) + 1;
        if node.depth > MAX_DEPTH {
            return Err(too_complex(span));
        }
        Ok(node)
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
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
        loop {
            if self.skip(Kind::Name, "not") {
                if !self.skip(Kind::Name, "in") {
                    return Err(self.unexpected("`in`"));
                }
            } else if !self.skip(Kind::Name, "in")
                && !["==", "!=", "<", "<=", ">", ">="]
                    .iter()
                    .any(|op| self.skip(Kind::Op, op))
            {
                break;
            }
            parts.push(self.binary(0)?);
            if parts.len() > MAX_DEPTH {
                return Err(too_complex(self.last));
            }
        }
        if parts.is_empty() {
            return Ok(first);
        }
        parts.insert(0, first);
        self.node(start, Expr::Compare(parts))
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

    /// Parses a value with its attributes, subscripts and calls; a minus covers them all.
    fn operand(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        if self.skip(Kind::Op, "-") {
            let inner = self.nested(Self::operand)?;
            return self.node(start, Expr::Negative(Box::new(inner)));
        }
        let mut node = self.primary()?;
        loop {
            let expr = if self.skip(Kind::Op, ".") {
                self.attribute(node)?
            } else if self.skip(Kind::Op, "[") {
                self.subscript(node)?
            } else if self.is(Kind::Op, "(") {
                Expr::Call(Box::new(node), self.args()?)
            } else {
                return Ok(node);
            };
            node = self.node(start, expr)?;
        }
    }

    fn attribute(&mut self, base: Node<'s>) -> Parsed<Expr<'s>> {
        match self.peek() {
            Some(token) if token.kind == Kind::Name => {
                self.next();
                Ok(Expr::Attr(Box::new(base), token.text))
            }
            Some(token) if token.kind == Kind::Number => {
                let start = self.start();
                self.next();
                let index = self.node(start, Expr::Scalar)?;
                Ok(Expr::Item(Box::new(base), Box::new(index)))
            }
            _ => Err(self.unexpected("a name or a number")),
        }
    }

    fn subscript(&mut self, base: Node<'s>) -> Parsed<Expr<'s>> {
        let mut parts = Vec::new();
        let mut colons = 0;
        while !self.is(Kind::Op, "]") {
            if self.is(Kind::Op, ":") && colons < 2 {
                self.next();
                colons += 1;
            } else if parts.len() > colons {
                return Err(self.unexpected("`]`"));
            } else {
                parts.push(self.expression()?);
            }
        }
        self.expect("]")?;
        if colons > 0 {
            return Ok(Expr::Slice(Box::new(base), parts));
        }
        match parts.pop() {
            Some(index) => Ok(Expr::Item(Box::new(base), Box::new(index))),
            None => Err(error(
                self.last,
                "a subscript needs a value between `[` and `]`",
            )),
        }
    }

    fn filters(&mut self, start: usize, mut node: Node<'s>) -> Parsed<Node<'s>> {
        loop {
            let expr = if self.skip(Kind::Op, "|") {
                let name = self.word()?;
                let args = self.optional_args()?;
                Expr::Filter(Some(Box::new(node)), name, args)
            } else if self.skip(Kind::Name, "is") {
                self.skip(Kind::Name, "not");
                let name = self.word()?;
                let args = self.test_args()?;
                Expr::Test(Box::new(node), name, args)
            } else {
                return Ok(node);
            };
            node = self.node(start, expr)?;
        }
    }

    /// Parses `name(..)|name(..)`, a chain of filters on what a block holds.
    pub fn filter_chain(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        let name = self.word()?;
        let args = self.optional_args()?;
        let first = self.node(start, Expr::Filter(None, name, args))?;
        let chain = self.filters(start, first)?;
        self.expect_end()?;
        Ok(chain)
    }

    fn optional_args(&mut self) -> Parsed<Args<'s>> {
        if self.is(Kind::Op, ".") {
            return Err(self.unexpected("a filter's arguments, `|` or the end"));
        }
        if self.is(Kind::Op, "(") {
            return self.args();
        }
        Ok(Args::default())
    }

    /// Parses the arguments of a test, which may do without brackets: `is divisibleby 3`.
    fn test_args(&mut self) -> Parsed<Args<'s>> {
        let bare = self.peek().is_some_and(|token| match token.kind {
            Kind::Text | Kind::Number => true,
            Kind::Name => !matches!(token.text, "and" | "or" | "else" | "is"),
            Kind::Op => matches!(token.text, "-" | "+" | "[" | "{"),
        });
        if !bare {
            return self.optional_args();
        }
        if self
            .peek()
            .is_some_and(|token| token.text == "if" || token.text == "not")
        {
            return Err(self.unexpected("`)`, `and`, `or` or the end; put the test in brackets"));
        }
        let argument = self.nested(Self::operand)?;
        Ok(Args {
            positional: vec![argument],
            named: Vec::new(),
        })
    }

    fn args(&mut self) -> Parsed<Args<'s>> {
        let mut args = Args::default();
        self.expect("(")?;
        while !self.skip(Kind::Op, ")") {
            if self.is(Kind::Op, "*") || self.is(Kind::Op, "**") {
                let hint = "write the arguments out";
                return Err(hinted(
                    self.start_span(),
                    "a prompt can't unpack arguments",
                    hint,
                ));
            }
            let value = self.expression()?;
            match value.expr {
                Expr::Name(text) if self.skip(Kind::Op, "=") => {
                    let name = Word {
                        text,
                        span: value.span,
                    };
                    args.named.push((name, self.expression()?));
                }
                _ if !args.named.is_empty() => {
                    return Err(error(
                        value.span,
                        "a plain argument can't follow a named one",
                    ));
                }
                _ => args.positional.push(value),
            }
            if !self.is(Kind::Op, ")") {
                self.expect(",")?;
            }
        }
        Ok(args)
    }

    fn start_span(&self) -> Span {
        self.peek().map_or(self.last, |token| token.span)
    }

    fn primary(&mut self) -> Parsed<Node<'s>> {
        let start = self.start();
        let Some(token) = self.next() else {
            return Err(self.unexpected("a value"));
        };
        let expr = match (token.kind, token.text) {
            (Kind::Number, _)
            | (Kind::Name, "true" | "True" | "false" | "False" | "none" | "None") => Expr::Scalar,
            (Kind::Name, name) => Expr::Name(name),
            (Kind::Text, text) => Expr::Text(self.text(text)),
            (Kind::Op, "(") => return self.brackets(start),
            (Kind::Op, "[") => Expr::List(self.items("]")?),
            (Kind::Op, "{") => Expr::Map(self.pairs()?),
            _ => {
                self.at -= 1;
                return Err(self.unexpected("a value"));
            }
        };
        self.node(start, expr)
    }

    /// Takes the parts of a text that is written in pieces; only a plain one is known.
    fn text(&mut self, first: &'s str) -> Option<&'s str> {
        let mut plain = !first.contains('\\');
        while self.peek().is_some_and(|token| token.kind == Kind::Text) {
            self.next();
            plain = false;
        }
        plain.then_some(first)
    }

    fn brackets(&mut self, start: usize) -> Parsed<Node<'s>> {
        if self.skip(Kind::Op, ")") {
            return self.node(start, Expr::List(Vec::new()));
        }
        let inner = self.expression()?;
        if self.skip(Kind::Op, ")") {
            return Ok(inner);
        }
        self.expect(",")?;
        let mut items = vec![inner];
        items.extend(self.items(")")?);
        self.node(start, Expr::List(items))
    }

    fn items(&mut self, close: &str) -> Parsed<Vec<Node<'s>>> {
        let mut items = Vec::new();
        while !self.skip(Kind::Op, close) {
            items.push(self.expression()?);
            if !self.is(Kind::Op, close) {
                self.expect(",")?;
            }
        }
        Ok(items)
    }

    fn pairs(&mut self) -> Parsed<Vec<Node<'s>>> {
        let mut pairs = Vec::new();
        while !self.skip(Kind::Op, "}") {
            pairs.push(self.expression()?);
            self.expect(":")?;
            pairs.push(self.expression()?);
            if !self.is(Kind::Op, "}") {
                self.expect(",")?;
            }
        }
        Ok(pairs)
    }
}

fn too_complex(span: Span) -> TemplateError {
    hinted(
        span,
        "this expression is nested too deeply or chained too long",
        "split it with `{% set %}`",
    )
}
