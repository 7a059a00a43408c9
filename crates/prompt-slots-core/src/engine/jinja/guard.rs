//! The guard against templates that grow values without end.
//!
//! The engine charges fuel for text, not for lists and maps: `{% set l = [l, l] %}` forty times costs nothing, and
//! printing, comparing or measuring the result never ends. So the template is judged before it runs, by an abstract
//! interpretation: every expression has a [`Kind`]. Three rules keep what it makes linear in the work it pays for:
//!
//! 1. A collection that the template built goes into no other one by name. A literal may hold literals, numbers, text
//!    and what the caller gave; so parts that the template built are each held once, and a value that counts as given is
//!    never larger than what the caller gave.
//! 2. Built collections grow only by `+` with a literal or with something given: a constant per step, and steps cost
//!    fuel. Nothing but printing and arithmetic is done with what `*` may have repeated, and built collections become
//!    text only through `join` and the like, which count their output.
//! 3. Operations that lay a view over a collection (slices, filters) lie 48 deep at most, since reading recurses.
//!
//! Straight-line bindings replace a kind; those in loops, macros and arms of `if` join it, over several passes, until
//! nothing changes. Kinds only grow; from the fourth pass on they jump to the top, so few passes suffice.

use std::collections::{HashMap, HashSet};

use super::ast::{Args, Body, Expr, For, Node, Param, Stmt, Target, Word};
use super::growth::{Effect, Kind, effect};
use super::stmt::is_call_of;
use super::{Span, hinted};
use crate::engine::TemplateError;

const PASSES: usize = 12;
/// The pass from which on a kind that still changes becomes [`Kind::ANY`].
const WIDEN: usize = 4;
/// The most findings of one template that are worth reading.
const MAX_FINDINGS: usize = 20;
/// Stands for the arguments of a call whose target isn't known: a loop's own, or a macro by another name.
const ANY_CALL: Key<'static> = ("*", "");

/// A name, or an attribute of a namespace.
type Key<'s> = (&'s str, &'s str);

/// Judges a template, and returns what could grow without end.
pub(super) fn check(body: &Body<'_>) -> Vec<TemplateError> {
    let mut guard = Guard::default();
    guard.collect(body);
    for pass in 0..PASSES {
        guard.pass = pass;
        guard.changed = false;
        guard.errors.clear();
        guard.now.clear();
        guard.body(body);
        if !guard.changed {
            return guard.errors;
        }
    }
    let span = Span { start: 0, end: 0 };
    guard.errors.push(hinted(
        span,
        "the names that this template binds depend on each other in too many ways",
        "use fewer loops that change what other loops read",
    ));
    guard.errors
}

#[derive(Default)]
struct Guard<'b, 's> {
    macros: HashMap<&'s str, Vec<&'b [Param<'s>]>>,
    namespaces: HashSet<&'s str>,
    /// What names hold at this point of the straight-line code.
    now: HashMap<Key<'s>, Kind>,
    /// What bindings in loops and macros ever gave.
    held: HashMap<Key<'s>, Kind>,
    /// What any binding ever gave.
    ever: HashMap<Key<'s>, Kind>,
    /// Loop variables and parameters in scope.
    scoped: HashMap<&'s str, usize>,
    loops: usize,
    macro_depth: usize,
    branches: usize,
    pass: usize,
    changed: bool,
    errors: Vec<TemplateError>,
}

impl<'b, 's> Guard<'b, 's> {
    /// Notes macros and namespaces, which may be used above where they stand.
    fn collect(&mut self, body: &'b Body<'s>) {
        for stmt in body {
            match stmt {
                Stmt::Macro(name, params, body) => {
                    self.macros.entry(name.text).or_default().push(params);
                    self.collect(body);
                }
                Stmt::Set(Target::Name(name), value) if is_call_of(value, "namespace") => {
                    self.namespaces.insert(name.text);
                }
                Stmt::If(arms) => arms.iter().for_each(|(_, body)| self.collect(body)),
                Stmt::For(each) => {
                    self.collect(&each.body);
                    self.collect(&each.otherwise);
                }
                Stmt::SetBlock(_, _, body)
                | Stmt::With(_, body)
                | Stmt::FilterBlock(_, body)
                | Stmt::CallBlock(_, _, body) => self.collect(body),
                Stmt::Print(_) | Stmt::Set(..) => {}
            }
        }
    }

    fn report(&mut self, err: TemplateError) {
        if self.errors.len() < MAX_FINDINGS {
            self.errors.push(err);
        }
    }

    // Bindings.

    fn raise(changed: &mut bool, pass: usize, slot: &mut Kind, kind: Kind) {
        let joined = slot.join(kind);
        if joined != *slot {
            *changed = true;
            *slot = if pass >= WIDEN { Kind::ANY } else { joined };
        }
    }

    fn bind(&mut self, key: Key<'s>, kind: Kind) {
        let weak = self.loops > 0 || self.macro_depth > 0;
        let attribute = !key.1.is_empty();
        let slot = self.ever.entry(key).or_default();
        Self::raise(&mut self.changed, self.pass, slot, kind);
        if weak {
            let slot = self.held.entry(key).or_default();
            Self::raise(&mut self.changed, self.pass, slot, kind);
        }
        if !weak && self.branches == 0 {
            self.now.insert(key, kind);
        } else if !weak || attribute {
            let before = if attribute { Kind::NUMBER } else { Kind::GIVEN };
            let slot = self.now.entry(key).or_insert(before);
            *slot = slot.join(kind);
        }
    }

    /// Binds a name for as long as a body lasts.
    fn bind_scoped(&mut self, name: &'s str, kind: Kind) {
        *self.scoped.entry(name).or_default() += 1;
        let key = (name, "");
        let slot = self.ever.entry(key).or_default();
        Self::raise(&mut self.changed, self.pass, slot, kind);
        let slot = self.held.entry(key).or_default();
        Self::raise(&mut self.changed, self.pass, slot, kind);
    }

    fn release(&mut self, name: &str) {
        if let Some(count) = self.scoped.get_mut(name) {
            *count = count.saturating_sub(1);
        }
    }

    fn read(&self, key: Key<'s>) -> Kind {
        let get = |table: &HashMap<Key<'s>, Kind>| table.get(&key).copied();
        let held = get(&self.held).unwrap_or_default();
        if !key.1.is_empty() {
            return held
                .join(get(&self.now).unwrap_or_default())
                .join(if self.macro_depth > 0 { get(&self.ever).unwrap_or_default() } else { Kind::NUMBER });
        }
        if self.scoped.get(key.0).is_some_and(|count| *count > 0) {
            return held;
        }
        if self.macro_depth > 0 {
            return get(&self.ever).unwrap_or_default().join(Kind::GIVEN);
        }
        let now = get(&self.now).unwrap_or(Kind::GIVEN);
        if self.loops > 0 { held.join(now) } else { now }
    }

    fn bind_target(&mut self, target: &Target<'s>, kind: Kind) {
        match target {
            Target::Name(name) => {
                if self.namespaces.contains(name.text) {
                    self.two_meanings(*name);
                }
                self.bind((name.text, ""), kind);
            }
            Target::Attr(base, attr) => {
                if self.namespaces.contains(base.text) {
                    self.bind((base.text, attr.text), kind);
                } else {
                    self.report(hinted(
                        base.span,
                        format!("`{}` is no namespace: its attributes can't be set", base.text),
                        format!("start with `{{% set {} = namespace({}=..) %}}`", base.text, attr.text),
                    ));
                }
            }
            Target::Many(targets) => {
                let part = kind.part();
                targets.iter().for_each(|target| self.bind_target(target, part));
            }
        }
    }

    fn two_meanings(&mut self, name: Word<'s>) {
        self.report(hinted(
            name.span,
            format!("`{}` is a namespace elsewhere in this template", name.text),
            "give one of the two another name",
        ));
    }

    fn bind_scoped_target(&mut self, target: &Target<'s>, kind: Kind, names: &mut Vec<&'s str>) {
        match target {
            Target::Name(name) => {
                if self.namespaces.contains(name.text) {
                    self.two_meanings(*name);
                }
                self.bind_scoped(name.text, kind);
                names.push(name.text);
            }
            Target::Attr(..) => {}
            Target::Many(targets) => {
                let part = kind.part();
                for target in targets {
                    self.bind_scoped_target(target, part, names);
                }
            }
        }
    }

    // Statements.

    fn body(&mut self, body: &'b Body<'s>) {
        body.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'b Stmt<'s>) {
        match stmt {
            Stmt::Print(node) => {
                self.eval(node);
            }
            Stmt::Set(Target::Name(name), value) if is_call_of(value, "namespace") => {
                self.namespace(name.text, value);
            }
            Stmt::Set(target, value) => {
                let kind = self.value(value);
                self.bind_target(target, kind);
            }
            Stmt::SetBlock(target, filters, body) => {
                self.body(body);
                let kind = match filters {
                    Some(filters) => self.eval(filters),
                    None => Kind::LONG_TEXT,
                };
                self.bind_target(target, kind);
            }
            Stmt::For(each) => self.for_loop(each),
            Stmt::If(arms) => {
                for (test, body) in arms {
                    test.iter().for_each(|test| {
                        self.eval(test);
                    });
                    self.branches += 1;
                    self.body(body);
                    self.branches -= 1;
                }
            }
            Stmt::With(bindings, body) => {
                let mut names = Vec::new();
                for (target, value) in bindings {
                    let kind = self.value(value);
                    self.bind_scoped_target(target, kind, &mut names);
                }
                self.body(body);
                names.into_iter().for_each(|name| self.release(name));
            }
            Stmt::FilterBlock(filters, body) => {
                self.body(body);
                self.eval(filters);
            }
            Stmt::Macro(_, params, body) => self.callable(params, body),
            Stmt::CallBlock(params, call, body) => {
                self.eval(call);
                self.callable(params, body);
            }
        }
    }

    fn namespace(&mut self, name: &'s str, value: &'b Node<'s>) {
        let Expr::Call(_, args) = &value.expr else {
            return;
        };
        if let Some(first) = args.positional.first() {
            self.report(hinted(
                first.span,
                "a namespace takes named values only",
                "write `namespace(name=value)`",
            ));
        }
        for (attr, value) in &args.named {
            let kind = self.value(value);
            self.bind((name, attr.text), kind);
        }
    }

    fn for_loop(&mut self, each: &'b For<'s>) {
        let mut kind = match self.value(&each.iter) {
            _ if is_call_of(&each.iter, "range") => Kind::NUMBER,
            iterated => iterated.part(),
        };
        if each.recursive {
            kind = kind.join(self.read(ANY_CALL).part());
        }
        let mut names = Vec::new();
        self.bind_scoped_target(&each.target, kind, &mut names);
        self.bind_scoped("loop", kind);
        each.filter.iter().for_each(|filter| {
            self.eval(filter);
        });
        self.loops += 1;
        self.body(&each.body);
        self.loops -= 1;
        self.release("loop");
        names.into_iter().for_each(|name| self.release(name));
        self.branches += 1;
        self.body(&each.otherwise);
        self.branches -= 1;
    }

    fn callable(&mut self, params: &'b [Param<'s>], body: &'b Body<'s>) {
        let unknown = self.read(ANY_CALL);
        for param in params {
            if self.namespaces.contains(param.name.text) {
                self.two_meanings(param.name);
            }
            let default = param.default.as_ref().map(|node| self.eval(node));
            self.bind_scoped(param.name.text, unknown.join(default.unwrap_or_default()));
        }
        self.macro_depth += 1;
        self.body(body);
        self.macro_depth -= 1;
        params.iter().for_each(|param| self.release(param.name.text));
    }

    // Expressions.

    /// Judges an expression whose value is kept.
    fn value(&mut self, node: &'b Node<'s>) -> Kind {
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
    fn eval(&mut self, node: &'b Node<'s>) -> Kind {
        match &node.expr {
            Expr::Scalar => Kind::NUMBER,
            Expr::Text(_) => Kind::SHORT_TEXT,
            Expr::Name(name) => {
                if self.namespaces.contains(name) {
                    self.report(hinted(
                        node.span,
                        format!("the namespace `{name}` can't be used as a value"),
                        format!("read one of its attributes: `{name}.x`"),
                    ));
                }
                self.read((name, ""))
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
            Expr::Compare(parts) => self.compare(parts),
            Expr::Concat(left, right) => {
                for side in [left, right] {
                    let kind = self.eval(side);
                    self.no_collection(kind, side.span, "`~`");
                }
                Kind::LONG_TEXT
            }
            Expr::Add(left, right) => self.add(left, right, node.span),
            Expr::Multiply(left, right) => self.multiply(left, right, node.span),
            Expr::Attr(base, attr) => self.attribute(base, attr),
            Expr::Item(base, index) => {
                self.eval(index);
                match index.expr {
                    Expr::Text(Some(attr)) => self.attribute(base, attr),
                    _ => self.eval(base).part(),
                }
            }
            Expr::Slice(base, bounds) => {
                bounds.iter().for_each(|bound| {
                    self.eval(bound);
                });
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
        let constant = items.iter().zip(&kinds).all(|(item, kind)| match item.expr {
            Expr::Scalar | Expr::Text(_) | Expr::Negative(_) => true,
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
    fn collection(&mut self, items: impl Iterator<Item = (&'b Node<'s>, Kind)>) -> Kind {
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

    fn comparable(&mut self, left: Kind, right: Kind, span: Span) {
        if left.is_grown() && right.is_grown() {
            self.report(hinted(
                span,
                "two values that the template put together can't be compared",
                "compare what they are made of, or use `|int`, `|float` or `|length` on numbers",
            ));
        }
    }

    fn add(&mut self, left: &'b Node<'s>, right: &'b Node<'s>, span: Span) -> Kind {
        let (a, b) = (self.eval(left), self.eval(right));
        if a.is_number() || b.is_number() {
            return Kind::NUMBER;
        }
        if a.is_flat() || b.is_flat() {
            return Kind::LONG_TEXT;
        }
        let literal = |node: &Node<'_>| matches!(node.expr, Expr::List(_));
        let doubles = a.is_built() && b.is_built() && !literal(left) && !literal(right);
        if a.repeated || b.repeated || doubles {
            self.report(hinted(
                span,
                "adding up lists that the template built could double them without end",
                "add a list that is written out, as in `x + [a, b]`; use `|int` or `|float` on numbers",
            ));
        }
        Kind {
            long_text: true,
            repeated: false,
            built: a.built.max(b.built).max(1),
            ..a.join(b)
        }
    }

    fn multiply(&mut self, left: &'b Node<'s>, right: &'b Node<'s>, span: Span) -> Kind {
        let (a, b) = (self.eval(left), self.eval(right));
        if [left, right].iter().any(|side| matches!(side.expr, Expr::Text(_))) {
            return Kind::LONG_TEXT;
        }
        let both = a.join(b);
        if both.is_number() {
            return Kind::NUMBER;
        }
        if both.is_flat() {
            return Kind::LONG_TEXT;
        }
        let chained = |node: &Node<'_>, kind: Kind| kind.repeated && !matches!(node.expr, Expr::Multiply(..));
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

    fn call(&mut self, callee: &'b Node<'s>, args: &'b Args<'s>) -> Kind {
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

    /// Hands arguments to the parameters of the macros of this name.
    fn pass_arguments(&mut self, name: &'s str, args: &'b Args<'s>, kinds: &[Kind], joined: Kind) {
        let Some(macros) = self.macros.get(name).cloned() else {
            let slot = self.held.entry(ANY_CALL).or_default();
            Self::raise(&mut self.changed, self.pass, slot, joined);
            return;
        };
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

    fn filter(&mut self, input: Option<&'b Node<'s>>, name: Word<'s>, args: &'b Args<'s>) -> Kind {
        let effect = effect(name.text);
        let kind = input.map_or(Kind::LONG_TEXT, |input| self.eval(input));
        let mut given = Kind::NUMBER;
        for arg in args.values() {
            let arg_kind = self.eval(arg);
            let harmless = match effect {
                Effect::Fallback => true,
                Effect::Select => !kind.is_grown() && !arg_kind.repeated,
                _ => !arg_kind.is_built(),
            };
            if !harmless {
                self.no_collection(arg_kind, arg.span, &format!("`{}`", name.text));
            }
            given = given.join(arg_kind);
        }
        let takes_built = !matches!(effect, Effect::Polish | Effect::Text);
        let takes_repeated = matches!(effect, Effect::Number | Effect::Fallback);
        if (kind.built > 0 && !takes_built) || (kind.repeated && !takes_repeated) {
            self.no_collection(kind, input.map_or(name.span, |input| input.span), &format!("`{}`", name.text));
        }
        match effect {
            Effect::Number => Kind::NUMBER,
            Effect::Part => kind.part(),
            Effect::Reshape | Effect::Select => kind.join(Kind { built: 0, ..given }).layered(),
            Effect::Fallback => kind.join(given),
            Effect::Sum => Kind {
                long_text: true,
                ..kind.part()
            }
            .layered(),
            Effect::Chain => {
                let both = kind.join(given);
                Kind {
                    built: Kind::DEEP.min(both.built + 2),
                    ..both
                }
                .layered()
            }
            Effect::Write | Effect::Text => Kind::LONG_TEXT,
            Effect::Polish => Kind {
                long_text: kind.long_text,
                ..Kind::SHORT_TEXT
            },
        }
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

    // Findings.

    /// Refuses to write a collection of unknown size into a text.
    fn no_collection(&mut self, kind: Kind, span: Span, place: &str) {
        self.no_repetition(kind, span);
        if kind.built > 0 {
            self.report(hinted(
                span,
                format!("{place} can't take a list or map that the template built"),
                "make it text first: `|join(', ')` or `|tojson`",
            ));
        }
    }

    fn no_repetition(&mut self, kind: Kind, span: Span) {
        if kind.repeated {
            self.report(hinted(
                span,
                "this product could be a repeated list",
                "use `|int`, `|float` or `|round` on it",
            ));
        }
    }
}
