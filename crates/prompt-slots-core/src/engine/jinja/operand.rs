//! The parser of operands: values with their attributes, subscripts, calls, filters and tests.

use super::ast::{Args, Expr, Node, Word};
use super::parse::{Parsed, Parser};
use super::scan::Kind;
use super::{Span, error, hinted};

impl<'s> Parser<'_, 's> {
    /// Parses a value with its attributes, subscripts and calls; a minus covers them all.
    pub(super) fn operand(&mut self) -> Parsed<Node<'s>> {
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
            } else if colons == 2 && !self.is_short_number() {
                let hint = "write it out, as in `[::2]` or `[::-1]`";
                let message = "the step of a slice must be a short whole number";
                return Err(hinted(self.start_span(), message, hint));
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

    /// Tells whether a number of a few digits comes next, and then the end: the engine computes with a step unchecked.
    fn is_short_number(&self) -> bool {
        let at = self.at + usize::from(self.is(Kind::Op, "-"));
        let number = self.tokens.get(at).map_or("", |token| token.text);
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        digits
            && matches!(number.len(), 1..=4)
            && self
                .tokens
                .get(at + 1)
                .is_some_and(|token| token.text == "]")
    }

    pub(super) fn filters(&mut self, start: usize, mut node: Node<'s>) -> Parsed<Node<'s>> {
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
            (Kind::Number, _) | (Kind::Name, "true" | "True" | "false" | "False") => Expr::Scalar,
            (Kind::Name, "none" | "None") => Expr::Nothing,
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
