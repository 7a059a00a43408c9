//! The guard against templates that grow values without end.
//!
//! The engine charges fuel for text, not for lists and maps: `{% set l = [l, l] %}` forty times costs nothing, and
//! printing, comparing or measuring the result never ends. So the template is judged before it runs, by an abstract
//! interpretation: every expression has a [`Kind`]. Three rules keep what it makes linear in the work it pays for:
//!
//! 1. A collection that the template built goes into no other one by name. A literal may hold literals, numbers, text
//!    and what the caller gave; so parts that the template built are each held once, and a value that counts as given is
//!    never larger than what the caller gave.
//! 2. Built collections grow only by `+` with literals or with what was given: a constant per step, and steps cost
//!    fuel. Nothing but printing and arithmetic is done with what `*` may have repeated, and built collections become
//!    text only through `join` and the like, which count their output.
//! 3. Operations that lay a view over a collection (slices, filters) lie 48 deep at most, since reading recurses.
//!
//! Straight-line bindings replace a kind; those in loops, macros and other bodies join it, over several passes, until
//! nothing changes. Kinds only grow, and from the fifth pass on layers jump to their limit, so few passes suffice.

use std::collections::{HashMap, HashSet};

use super::ast::{Body, For, Param, Stmt, Target, Word};
use super::compare::Comparisons;
use super::growth::Kind;
use super::stmt::is_call_of;
use super::{Span, hinted};
use crate::engine::TemplateError;

const PASSES: usize = 12;
/// The pass from which on a value that still gets more layers counts as one that gets them without end.
const WIDEN: usize = 4;
/// The most findings of one template that are worth reading.
const MAX_FINDINGS: usize = 20;
/// Stands for the arguments of a call whose target isn't known: a loop's own, or a macro by another name.
pub(super) const ANY_CALL: Key<'static> = ("*", "");

/// A name, or an attribute of a namespace.
pub(super) type Key<'s> = (&'s str, &'s str);

/// What is known of a template that was judged.
pub(super) struct Verdict {
    /// How it compares values.
    pub comparisons: Comparisons,
    /// Where it may add up lists over and over.
    pub sums: Vec<Span>,
    /// What could grow without end.
    pub errors: Vec<TemplateError>,
}

/// Judges a template.
pub(super) fn check(body: &Body<'_>) -> Verdict {
    let mut guard = Guard::default();
    guard.collect(body);
    for pass in 0..PASSES {
        guard.pass = pass;
        guard.changed = false;
        guard.errors.clear();
        guard.now.clear();
        guard.comparisons = Comparisons::default();
        guard.sums.clear();
        guard.body(body);
        if !guard.changed {
            return guard.verdict();
        }
    }
    let span = Span { start: 0, end: 0 };
    guard.errors.push(hinted(
        span,
        "the names that this template binds depend on each other in too many ways",
        "use fewer loops that change what other loops read",
    ));
    guard.verdict()
}

/// What is known while a template is judged.
#[derive(Default)]
pub(super) struct Guard<'b, 's> {
    pub(super) macros: HashMap<&'s str, Vec<&'b [Param<'s>]>>,
    pub(super) namespaces: HashSet<&'s str>,
    /// What names hold at this point of the straight-line code.
    now: HashMap<Key<'s>, Kind>,
    /// What bindings in loops and macros ever gave.
    held: HashMap<Key<'s>, Kind>,
    /// What any binding ever gave.
    pub(super) ever: HashMap<Key<'s>, Kind>,
    /// Loop variables and parameters in scope.
    scoped: HashMap<&'s str, usize>,
    loops: usize,
    macro_depth: usize,
    branches: usize,
    pass: usize,
    changed: bool,
    comparisons: Comparisons,
    sums: Vec<Span>,
    errors: Vec<TemplateError>,
}

impl<'b, 's> Guard<'b, 's> {
    fn verdict(mut self) -> Verdict {
        self.sums.sort_unstable_by_key(|sum| (sum.start, sum.end));
        self.sums.dedup();
        Verdict {
            comparisons: self.comparisons,
            sums: self.sums,
            errors: self.errors,
        }
    }

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
                Stmt::If(arms) => {
                    for (_, body) in arms {
                        self.collect(body);
                    }
                }
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

    pub(super) fn report(&mut self, err: TemplateError) {
        if self.errors.len() < MAX_FINDINGS {
            self.errors.push(err);
        }
    }

    fn raise(changed: &mut bool, pass: usize, slot: &mut Kind, kind: Kind) {
        let joined = slot.join(kind);
        if joined == *slot {
            return;
        }
        *changed = true;
        let deepens = joined.layers > slot.layers && pass >= WIDEN;
        *slot = Kind {
            layers: if deepens {
                Kind::MOST_LAYERS
            } else {
                joined.layers
            },
            ..joined
        };
    }

    /// Notes a comparison of values of these kinds.
    pub(super) fn compared(&mut self, left: Kind, right: Kind) {
        self.comparisons.note(left, right, self.is_repeated());
    }

    /// Notes a sum that may be a list.
    pub(super) fn added(&mut self, sum: Span) {
        if self.is_repeated() {
            self.sums.push(sum);
        }
    }

    fn is_repeated(&self) -> bool {
        self.loops > 0 || self.macro_depth > 0
    }

    pub(super) fn bind(&mut self, key: Key<'s>, kind: Kind) {
        let weak = self.loops > 0 || self.macro_depth > 0 || self.is_scoped(key.0);
        let attribute = !key.1.is_empty();
        if weak {
            self.hold(key, kind);
        } else {
            let slot = self.ever.entry(key).or_default();
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

    /// Returns what calls may have passed whose target isn't known.
    fn any_argument(&self) -> Kind {
        self.held.get(&ANY_CALL).copied().unwrap_or_default()
    }

    fn is_scoped(&self, name: &str) -> bool {
        self.scoped.get(name).is_some_and(|count| *count > 0)
    }

    /// Binds a name for as long as a body lasts.
    pub(super) fn bind_scoped(&mut self, name: &'s str, kind: Kind) {
        *self.scoped.entry(name).or_default() += 1;
        self.hold((name, ""), kind);
    }

    /// Notes what a binding gives that may happen any number of times.
    pub(super) fn hold(&mut self, key: Key<'s>, kind: Kind) {
        for table in [&mut self.ever, &mut self.held] {
            let slot = table.entry(key).or_default();
            Self::raise(&mut self.changed, self.pass, slot, kind);
        }
    }

    pub(super) fn release(&mut self, name: &str) {
        if let Some(count) = self.scoped.get_mut(name) {
            *count = count.saturating_sub(1);
        }
    }

    pub(super) fn read(&self, key: Key<'s>) -> Kind {
        let get = |table: &HashMap<Key<'s>, Kind>| table.get(&key).copied();
        let held = get(&self.held).unwrap_or_default();
        if !key.1.is_empty() {
            return held
                .join(get(&self.now).unwrap_or_default())
                .join(if self.macro_depth > 0 {
                    get(&self.ever).unwrap_or_default()
                } else {
                    Kind::NUMBER
                });
        }
        if self.is_scoped(key.0) {
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
                        format!(
                            "`{}` is no namespace: its attributes can't be set",
                            base.text
                        ),
                        format!(
                            "start with `{{% set {} = namespace({}=..) %}}`",
                            base.text, attr.text
                        ),
                    ));
                }
            }
            Target::Many(targets) => {
                let part = kind.part();
                for target in targets {
                    self.bind_target(target, part);
                }
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

    fn body(&mut self, body: &'b Body<'s>) {
        for stmt in body {
            self.stmt(stmt);
        }
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
                if matches!(target, Target::Many(_)) {
                    self.no_repetition(kind, value.span);
                }
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
                    if let Some(test) = test {
                        self.eval(test);
                    }
                    self.branches += 1;
                    self.body(body);
                    self.branches -= 1;
                }
            }
            Stmt::With(bindings, body) => {
                let mut names = Vec::new();
                for (target, value) in bindings {
                    let kind = self.value(value);
                    if matches!(target, Target::Many(_)) {
                        self.no_repetition(kind, value.span);
                    }
                    self.bind_scoped_target(target, kind, &mut names);
                }
                // What is set in here is gone at the end: it must not replace what stood before.
                self.branches += 1;
                self.body(body);
                self.branches -= 1;
                for name in names {
                    self.release(name);
                }
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

    fn for_loop(&mut self, each: &'b For<'s>) {
        let mut kind = match self.value(&each.iter) {
            _ if is_call_of(&each.iter, "range") => Kind::NUMBER,
            iterated => iterated.part(),
        };
        if each.recursive {
            kind = kind.join(self.any_argument().part());
        }
        let mut names = Vec::new();
        self.bind_scoped_target(&each.target, kind, &mut names);
        self.bind_scoped("loop", kind);
        if let Some(filter) = &each.filter {
            self.eval(filter);
        }
        self.loops += 1;
        self.body(&each.body);
        self.loops -= 1;
        self.release("loop");
        for name in names {
            self.release(name);
        }
        self.branches += 1;
        self.body(&each.otherwise);
        self.branches -= 1;
    }

    fn callable(&mut self, params: &'b [Param<'s>], body: &'b Body<'s>) {
        let unknown = self.any_argument();
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
        for param in params {
            self.release(param.name.text);
        }
    }
}
