//! How large the results of calls, methods and filters may be.

use super::ast::{Args, Expr, Node, Word};
use super::filters::methods;
use super::growth::{Effect, Kind, effect, method_effect};
use super::guard::{ANY_CALL, Guard};
use super::hinted;

/// The filters that compare items with each other, or may apply a test that compares.
const COMPARE: [&str; 10] = [
    "dictsort",
    "groupby",
    "max",
    "min",
    "reject",
    "rejectattr",
    "select",
    "selectattr",
    "sort",
    "unique",
];

impl<'b, 's> Guard<'b, 's> {
    pub(super) fn call(&mut self, callee: &'b Node<'s>, args: &'b Args<'s>) -> Kind {
        if let Expr::Attr(receiver, method) = &callee.expr
            && methods::exists(method)
        {
            let word = Word {
                text: method,
                span: callee.span,
            };
            return self.method(receiver, word, args);
        }
        let kinds: Vec<Kind> = args.values().map(|node| self.eval(node)).collect();
        let joined = kinds.iter().copied().fold(Kind::NUMBER, Kind::join);
        match callee.expr {
            Expr::Name("range") => Kind::GIVEN,
            Expr::Name("namespace") => {
                self.report(hinted(
                    callee.span,
                    "a namespace must be bound to a name at once",
                    "write `{% set ns = namespace(..) %}`",
                ));
                Kind::ANY
            }
            Expr::Name("dict") => self.collection(args.values().zip(kinds)),
            Expr::Name(name) => {
                self.pass_arguments(name, args, &kinds, joined);
                Kind::LONG_TEXT
            }
            Expr::Attr(_, "changed") => {
                self.comparable(joined, joined, callee.span);
                Kind::NUMBER
            }
            _ => {
                self.eval(callee);
                joined
            }
        }
    }

    fn method(&mut self, receiver: &'b Node<'s>, method: Word<'s>, args: &'b Args<'s>) -> Kind {
        let effect = method_effect(method.text);
        match args.positional.first() {
            // What is joined is the argument: the list.
            Some(list) if method.text == "join" => {
                self.apply(effect, Some(list), method, std::iter::once(receiver))
            }
            _ => self.apply(effect, Some(receiver), method, args.values()),
        }
    }

    /// Hands arguments to the parameters of the macros of this name.
    fn pass_arguments(&mut self, name: &'s str, args: &'b Args<'s>, kinds: &[Kind], joined: Kind) {
        // Under a name that is bound in other ways too, any macro may be called.
        if self.ever.contains_key(&(name, "")) || !self.macros.contains_key(name) {
            self.hold(ANY_CALL, joined);
        }
        let macros = self.macros.get(name).cloned().unwrap_or_default();
        let (plain, named) = kinds.split_at(args.positional.len().min(kinds.len()));
        for params in macros {
            for (param, kind) in params.iter().zip(plain) {
                self.bind_scoped(param.name.text, *kind);
                self.release(param.name.text);
            }
            for ((word, _), kind) in args.named.iter().zip(named) {
                if params.iter().any(|param| param.name.text == word.text) {
                    self.bind_scoped(word.text, *kind);
                    self.release(word.text);
                }
            }
        }
    }

    pub(super) fn filter(
        &mut self,
        input: Option<&'b Node<'s>>,
        name: Word<'s>,
        args: &'b Args<'s>,
    ) -> Kind {
        self.apply(effect(name.text), input, name, args.values())
    }

    /// Judges what an effect makes of an input and arguments.
    fn apply(
        &mut self,
        effect: Effect,
        input: Option<&'b Node<'s>>,
        name: Word<'s>,
        args: impl Iterator<Item = &'b Node<'s>>,
    ) -> Kind {
        let kind = input.map_or(Kind::LONG_TEXT, |input| self.eval(input));
        let mut given = Kind::NUMBER;
        for arg in args {
            let arg_kind = self.eval(arg);
            let harmless = match effect {
                Effect::Fallback | Effect::Lookup => true,
                Effect::Select => !kind.is_grown() && !arg_kind.repeated,
                _ => !arg_kind.is_built(),
            };
            if !harmless {
                self.no_collection(arg_kind, arg.span, &format!("`{}`", name.text));
            }
            given = given.join(arg_kind);
        }
        if COMPARE.contains(&name.text) {
            let both = kind.join(given);
            self.compared(both, both);
        }
        let takes_built = !matches!(effect, Effect::Polish | Effect::Split | Effect::Text);
        let takes_repeated = matches!(effect, Effect::Number | Effect::Fallback);
        if (kind.built > 0 && !takes_built) || (kind.repeated && !takes_repeated) {
            self.no_collection(
                kind,
                input.map_or(name.span, |input| input.span),
                &format!("`{}`", name.text),
            );
        }
        match effect {
            Effect::Number => Kind::NUMBER,
            Effect::Part => kind.part(),
            Effect::Lookup => kind.part().join(given),
            Effect::Select => kind.layered(),
            Effect::Reshape | Effect::Regroup => {
                let mixed = kind.join(given);
                let built = match (kind.built, effect) {
                    (1.., Effect::Regroup) => Kind::DEEP,
                    (level, _) if !given.is_flat() => Kind::DEEP.min(level + 1),
                    (level, _) => level,
                };
                Kind { built, ..mixed }.layered()
            }
            Effect::Fallback => kind.join(given),
            Effect::Sum => Kind {
                long_text: true,
                ..kind.part()
            }
            .layered(),
            Effect::Write | Effect::Text => Kind::LONG_TEXT,
            Effect::Split => Kind {
                given: true,
                long_text: kind.long_text,
                ..Kind::SHORT_TEXT
            },
            Effect::Polish => Kind {
                long_text: kind.long_text,
                ..Kind::SHORT_TEXT
            },
        }
    }
}
