//! How large the value of an expression may be: the half of the guard that looks at expressions.

use super::ast::{Args, Expr, Node, Word};
use super::growth::Kind;
use super::guard::Guard;
use super::{Span, hinted};

impl<'b, 's> Guard<'b, 's> {
    /// Judges an expression whose value is kept.
    pub(super) fn value(&mut self, node: &'b Node<'s>) -> Kind {
        let kind = self.eval(node);
        if kind.layers >= Kind::MOST_LAYERS {
            self.report(hinted(
                node.span,
                "this reworks a value over and over: in a loop it would never end",
                "start from the original value each time",
            ));
        }
        kind
    }

    /// Judges an expression, and returns its kind.
    pub(super) fn eval(&mut self, node: &'b Node<'s>) -> Kind {
        match &node.expr {
            Expr::Scalar | Expr::Nothing => Kind::NUMBER,
            Expr::Text(_) => Kind::SHORT_TEXT,
            Expr::Name(name) => {
                if self.namespaces.contains(name) {
                    self.report(hinted(
                        node.span,
                        format!("the namespace `{name}` can't be used as a value"),
                        format!("read one of its attributes: `{name}.x`"),
                    ));
                }
                let kind = self.read((name, ""));
                if *name == "loop" { kind.holder() } else { kind }
            }
            Expr::List(items) | Expr::Map(items) => self.literal(items),
            Expr::Not(inner) | Expr::Negative(inner) => {
                self.eval(inner);
                Kind::NUMBER
            }
            Expr::Arithmetic(left, right) => {
                self.eval(left);
                self.eval(right);
                Kind::NUMBER
            }
            Expr::Either(left, right) => self.eval(left).join(self.eval(right)),
            Expr::Choice(parts) => {
                let kinds: Vec<Kind> = parts.iter().map(|part| self.eval(part)).collect();
                kinds.into_iter().skip(1).fold(Kind::NUMBER, Kind::join)
            }
            Expr::Compare(parts, _) => self.compare(parts),
            Expr::Contains(item, _, whole) => {
                let (item, kind) = (self.eval(item), self.eval(whole));
                self.comparable(item, kind, whole.span);
                Kind::NUMBER
            }
            Expr::Concat(left, right) => {
                // Both are written within the limit on texts, whatever they are.
                self.eval(left);
                self.eval(right);
                Kind::LONG_TEXT
            }
            Expr::Add(..) => self.add(node),
            Expr::Multiply(left, right) => self.multiply(left, right, node.span),
            Expr::Attr(base, attr) => self.attribute(base, attr),
            Expr::Item(base, index) => self.item(base, index),
            Expr::Slice(base, bounds) => {
                for bound in bounds {
                    self.eval(bound);
                }
                let kind = self.eval(base);
                self.no_repetition(kind, base.span);
                kind.layered()
            }
            Expr::Call(callee, args) => self.call(callee, args),
            Expr::Filter(input, name, args) => self.filter(input.as_deref(), *name, args),
            Expr::Test(input, name, args) => self.test(input, *name, args),
        }
    }

    fn literal(&mut self, items: &'b [Node<'s>]) -> Kind {
        let kinds: Vec<Kind> = items.iter().map(|item| self.eval(item)).collect();
        let constant = items
            .iter()
            .zip(&kinds)
            .all(|(item, kind)| match item.expr {
                Expr::Scalar | Expr::Nothing | Expr::Text(_) | Expr::Negative(_) => true,
                Expr::List(_) | Expr::Map(_) => kind.constant && kind.built == 0,
                _ => false,
            });
        let whole = self.collection(items.iter().zip(kinds));
        if constant {
            return Kind {
                layers: whole.layers,
                ..Kind::CONSTANT
            };
        }
        whole
    }

    /// Puts values into a new collection.
    pub(super) fn collection(&mut self, items: impl Iterator<Item = (&'b Node<'s>, Kind)>) -> Kind {
        let mut whole = Kind::NUMBER;
        for (item, kind) in items {
            if kind.is_built() && !matches!(item.expr, Expr::List(_) | Expr::Map(_)) {
                self.report(hinted(
                    item.span,
                    "a list or map that the template built can't be put into another one by name",
                    "write it out in place, or make it text first: `|join(', ')`",
                ));
            }
            whole = whole.join(kind);
        }
        Kind {
            built: Kind::DEEP.min(whole.built + 1),
            repeated: false,
            ..whole
        }
        .layered()
    }

    fn compare(&mut self, parts: &'b [Node<'s>]) -> Kind {
        let kinds: Vec<Kind> = parts.iter().map(|part| self.eval(part)).collect();
        for (pair, part) in kinds.windows(2).zip(parts.iter().skip(1)) {
            if let [left, right] = pair {
                self.comparable(*left, *right, part.span);
            }
        }
        Kind::NUMBER
    }

    pub(super) fn comparable(&mut self, left: Kind, right: Kind, span: Span) {
        self.compared(left, right);
        if left.is_grown() && right.is_grown() {
            self.report(hinted(
                span,
                "two values that the template put together can't be compared",
                "compare what they are made of, or use `|int`, `|float` or `|length` on numbers",
            ));
        }
    }

    /// Judges a whole row of `+`: what its parts are decides whether it adds numbers, texts or lists.
    fn add(&mut self, row: &'b Node<'s>) -> Kind {
        let mut parts = Vec::new();
        let mut open = vec![row];
        while let Some(node) = open.pop() {
            match &node.expr {
                Expr::Add(left, right) => open.extend([&**right, &**left]),
                _ => parts.push((node, self.eval(node))),
            }
        }
        if parts.iter().any(|(_, kind)| kind.is_number()) {
            return Kind::NUMBER;
        }
        if parts.iter().any(|(_, kind)| kind.is_flat()) {
            return Kind::LONG_TEXT;
        }
        self.added(row.span);
        let whole = parts
            .iter()
            .fold(Kind::NUMBER, |all, (_, kind)| all.join(*kind));
        let named = |(node, kind): &&(&Node<'_>, Kind)| {
            (kind.is_built() || kind.summed) && !matches!(node.expr, Expr::List(_))
        };
        let grown = parts.iter().filter(named).count();
        if whole.repeated || grown > 1 {
            self.report(hinted(
                row.span,
                "adding up lists that the template built could double them without end",
                "add a list that is written out, as in `x + [a, b]`; use `|int` or `|float` on numbers",
            ));
        }
        let literal = parts
            .iter()
            .any(|(node, _)| matches!(node.expr, Expr::List(_)));
        let built = if grown > 0 || literal {
            whole.built.max(1)
        } else {
            0
        };
        Kind {
            long_text: true,
            summed: true,
            repeated: false,
            built,
            ..whole
        }
    }

    fn multiply(&mut self, left: &'b Node<'s>, right: &'b Node<'s>, span: Span) -> Kind {
        let (a, b) = (self.eval(left), self.eval(right));
        if [left, right]
            .iter()
            .any(|side| matches!(side.expr, Expr::Text(_)))
        {
            return Kind::LONG_TEXT;
        }
        let both = a.join(b);
        if both.is_number() {
            return Kind::NUMBER;
        }
        if both.is_flat() {
            return Kind::LONG_TEXT;
        }
        let chained =
            |node: &Node<'_>, kind: Kind| kind.repeated && !matches!(node.expr, Expr::Multiply(..));
        if both.built > 0 || both.constant || chained(left, a) || chained(right, b) {
            self.report(hinted(
                span,
                "`*` could repeat a list here",
                "use `|int` or `|float` on the numbers, or a loop over `range(..)`",
            ));
        }
        Kind {
            given: true,
            repeated: true,
            long_text: true,
            ..both
        }
        .layered()
    }

    fn item(&mut self, base: &'b Node<'s>, index: &'b Node<'s>) -> Kind {
        self.eval(index);
        if let Expr::Text(Some(attr)) = index.expr {
            return self.attribute(base, attr);
        }
        self.eval(base).part()
    }

    fn attribute(&mut self, base: &'b Node<'s>, attr: &'s str) -> Kind {
        if let Expr::Name(name) = base.expr {
            if self.namespaces.contains(name) {
                return self.read((name, attr));
            }
            if name == "loop" && !matches!(attr, "previtem" | "nextitem") {
                return Kind::NUMBER;
            }
            if name == "loop" {
                return self.read(("loop", ""));
            }
        }
        self.eval(base).part()
    }

    fn test(&mut self, input: &'b Node<'s>, name: Word<'s>, args: &'b Args<'s>) -> Kind {
        let kind = self.eval(input);
        let on_text = matches!(name.text, "startingwith" | "endingwith" | "upper" | "lower");
        if on_text {
            self.no_collection(kind, input.span, &format!("`{}`", name.text));
        }
        for arg in args.values() {
            let given = self.eval(arg);
            if on_text {
                self.no_collection(given, arg.span, &format!("`{}`", name.text));
            }
            self.comparable(kind, given, arg.span);
        }
        Kind::NUMBER
    }

    /// Refuses to write a collection of unknown size into a text.
    pub(super) fn no_collection(&mut self, kind: Kind, span: Span, place: &str) {
        self.no_repetition(kind, span);
        if kind.built > 0 {
            self.report(hinted(
                span,
                format!("{place} can't take a list or map that the template built"),
                "make it text first: `|join(', ')` or `|tojson`",
            ));
        }
    }

    pub(super) fn no_repetition(&mut self, kind: Kind, span: Span) {
        if kind.repeated {
            self.report(hinted(
                span,
                "this product could be a repeated list",
                "use `|int`, `|float` or `|round` on it",
            ));
        }
    }
}
