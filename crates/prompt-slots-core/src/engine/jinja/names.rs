//! Names: which ones a template takes from its caller, and whether all that it calls exists.
//!
//! One walk in the order of the source. A name is free where nothing that stands before it in its scope binds it; what
//! one arm of an `if` binds counts as bound after the `if`, not in the other arms.

use std::collections::{HashMap, HashSet};

use super::ast::{Args, Body, Expr, For, Node, Param, Stmt, Target, Word};
use super::env::FUNCTIONS;
use super::filters::methods;
use super::stmt::{bound, is_call_of};
use super::{Span, error, hinted, nearest, splice};
use crate::engine::TemplateError;

/// The most findings of one template that are worth reading.
const MAX_FINDINGS: usize = 20;

/// What the walk finds.
#[derive(Debug, Default)]
pub(super) struct Names<'s> {
    /// The free names in order of first appearance, each once.
    pub free: Vec<Word<'s>>,
    /// Operands that the engine must get through a filter.
    pub filtered: Vec<(Span, splice::Wrap)>,
    /// Subscripts among them.
    pub subscripts: Vec<Span>,
    pub errors: Vec<TemplateError>,
}

/// Walks a template.
pub(super) fn find<'s>(body: &Body<'s>) -> Names<'s> {
    let mut walk = Walk {
        bound: HashMap::new(),
        log: Vec::new(),
        late: HashSet::new(),
        namespaces: HashSet::new(),
        seen: HashSet::new(),
        loops: 0,
        macros: 0,
        out: Names::default(),
    };
    walk.note_late(body);
    walk.body(body);
    walk.out
}

/// The walk through a template.
pub(super) struct Walk<'s> {
    /// How many open bindings each name has.
    pub(super) bound: HashMap<&'s str, usize>,
    /// Every binding in order, so that a scope or an arm can be taken back.
    log: Vec<&'s str>,
    /// What the template binds outside of loops, wherever it stands: macros run later, and see it all.
    late: HashSet<&'s str>,
    namespaces: HashSet<&'s str>,
    seen: HashSet<&'s str>,
    /// The loops, and the macros, that the walk is inside of.
    loops: usize,
    macros: usize,
    out: Names<'s>,
}

impl<'s> Walk<'s> {
    fn bind(&mut self, name: &'s str) {
        *self.bound.entry(name).or_default() += 1;
        self.log.push(name);
    }

    fn bind_target(&mut self, target: &Target<'s>) {
        if let Target::Attr(base, _) = target {
            self.name(base.text, base.span);
        }
        if let Target::Many(targets) = target {
            for target in targets {
                self.bind_target(target);
            }
            return;
        }
        let mut names = Vec::new();
        bound(target, &mut names);
        for name in names {
            self.bind(name.text);
        }
    }

    /// Takes back the bindings made since `mark`, and returns them.
    fn unbind(&mut self, mark: usize) -> Vec<&'s str> {
        let names = self.log.split_off(mark.min(self.log.len()));
        for name in &names {
            if let Some(count) = self.bound.get_mut(name) {
                *count = count.saturating_sub(1);
            }
        }
        names
    }

    pub(super) fn is_bound(&self, name: &str) -> bool {
        let late = self.macros > 0 && self.late.contains(name);
        late || self.bound.get(name).is_some_and(|count| *count > 0)
    }

    fn note_late(&mut self, body: &Body<'s>) {
        for stmt in body {
            match stmt {
                Stmt::Set(target, _) | Stmt::SetBlock(target, ..) => {
                    let mut names = Vec::new();
                    bound(target, &mut names);
                    self.late.extend(names.iter().map(|name| name.text));
                }
                Stmt::Macro(name, ..) => {
                    self.late.insert(name.text);
                }
                Stmt::If(arms) => {
                    for (_, body) in arms {
                        self.note_late(body);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn report(&mut self, err: TemplateError) {
        if self.out.errors.len() < MAX_FINDINGS {
            self.out.errors.push(err);
        }
    }

    /// Returns a name close to a misspelt one; not for findings that nobody will read.
    pub(super) fn near<'a>(
        &self,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Option<&'a str> {
        if self.out.errors.len() < MAX_FINDINGS {
            nearest(name, known)
        } else {
            None
        }
    }

    /// Notes what is going to be compared with what stood there before.
    pub(super) fn weighed(&mut self, spans: impl Iterator<Item = Span>) {
        let wraps = spans.map(|span| (span, splice::WEIGHED));
        self.out.filtered.extend(wraps);
    }

    fn body(&mut self, body: &Body<'s>) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn scope(&mut self, walk: impl FnOnce(&mut Self)) {
        let mark = self.log.len();
        walk(self);
        self.unbind(mark);
    }

    fn stmt(&mut self, stmt: &Stmt<'s>) {
        match stmt {
            Stmt::Print(node) => self.node(node),
            Stmt::Set(target, value) => {
                self.node(value);
                if let (Target::Name(name), true) = (target, is_call_of(value, "namespace")) {
                    self.namespaces.insert(name.text);
                }
                self.bind_target(target);
            }
            Stmt::SetBlock(target, filters, body) => {
                self.body(body);
                if let Some(filters) = filters {
                    self.node(filters);
                }
                self.bind_target(target);
            }
            Stmt::For(each) => self.for_loop(each),
            Stmt::If(arms) => self.arms(arms),
            Stmt::With(bindings, body) => self.scope(|walk| {
                walk.bindings(bindings);
                walk.body(body);
            }),
            Stmt::FilterBlock(filters, body) => {
                self.body(body);
                self.node(filters);
            }
            Stmt::Macro(name, params, body) => {
                self.bind(name.text);
                let loops = std::mem::take(&mut self.loops);
                self.macros += 1;
                self.callable(params, body);
                self.macros -= 1;
                self.loops = loops;
            }
            Stmt::CallBlock(params, call, body) => {
                if !matches!(call.expr, Expr::Call(..)) {
                    let message = "a call block needs a call of a macro";
                    self.report(error(call.span, message));
                }
                self.node(call);
                self.callable(params, body);
            }
        }
    }

    /// Judges the bindings of a `with`: the engine lets one see those before it, Jinja2 does not.
    fn bindings(&mut self, bindings: &[(Target<'s>, Node<'s>)]) {
        let mut before = Vec::new();
        for (target, value) in bindings {
            if let Some((name, span)) = mention(value, &before) {
                self.report(hinted(
                    span,
                    format!("`{name}` is bound by the same `with`, and not seen here"),
                    "put one `with` into another",
                ));
            }
            self.node(value);
            bound(target, &mut before);
        }
        for (target, _) in bindings {
            self.bind_target(target);
        }
    }

    fn for_loop(&mut self, each: &For<'s>) {
        self.iterated(&each.iter);
        self.scope(|walk| {
            walk.bind_target(&each.target);
            if let Some(filter) = &each.filter {
                walk.node(filter);
            }
            walk.loops += 1;
            walk.body(&each.body);
            walk.loops -= 1;
        });
        self.scope(|walk| walk.body(&each.otherwise));
    }

    fn arms(&mut self, arms: &[(Option<Node<'s>>, Body<'s>)]) {
        let mark = self.log.len();
        let mut made = Vec::new();
        for (test, body) in arms {
            if let Some(test) = test {
                self.node(test);
            }
            self.body(body);
            made.extend(self.unbind(mark));
        }
        made.sort_unstable();
        made.dedup();
        for name in made {
            self.bind(name);
        }
    }

    fn callable(&mut self, params: &[Param<'s>], body: &Body<'s>) {
        self.scope(|walk| {
            for param in params {
                if let Some(default) = &param.default {
                    walk.node(default);
                }
                walk.bind(param.name.text);
            }
            walk.body(body);
        });
    }

    pub(super) fn node(&mut self, node: &Node<'s>) {
        splice::operands(node, &mut |span, wrap| {
            if wrap == splice::INDEXED {
                self.out.subscripts.push(node.span);
            }
            self.out.filtered.push((span, wrap));
        });
        match &node.expr {
            Expr::Name(name) => return self.name(name, node.span),
            Expr::Call(callee, args) => {
                if let Expr::Attr(_, method) = callee.expr
                    && methods::gives_view(method)
                {
                    self.stray_view(node.span, method);
                }
                return self.call(callee, args);
            }
            Expr::Filter(input, name, args) => {
                self.exists("filter", *name);
                self.names_in_text(*name, args);
                if let Some(input) = input {
                    self.iterated(input);
                }
                return args.values().for_each(|value| self.node(value));
            }
            Expr::Contains(item, _, whole) => {
                self.node(item);
                return self.iterated(whole);
            }
            Expr::Attr(base, name) if methods::hides_key(name) && !self.is_namespace(base) => {
                self.hidden_key(node.span, name);
            }
            Expr::Test(_, name, _) => self.exists("test", *name),
            Expr::Attr(_, name) if name.starts_with("__") => self.inner_attribute(node.span, name),
            Expr::Item(_, index) => {
                if let Expr::Text(Some(name)) = index.expr
                    && name.starts_with("__")
                {
                    self.inner_attribute(index.span, name);
                }
            }
            _ => {}
        }
        for child in node.children() {
            self.node(child);
        }
    }

    /// Judges what is looped over, or the like: the places that a view of a map may stand in.
    fn iterated(&mut self, node: &Node<'s>) {
        match &node.expr {
            Expr::Call(callee, args) => self.call(callee, args),
            _ => self.node(node),
        }
    }

    fn call(&mut self, callee: &Node<'s>, args: &Args<'s>) {
        self.callee(callee, args);
        let joins = matches!(callee.expr, Expr::Attr(_, "join"));
        for value in args.values() {
            if joins {
                self.iterated(value);
            } else {
                self.node(value);
            }
        }
    }

    fn is_namespace(&self, node: &Node<'s>) -> bool {
        matches!(node.expr, Expr::Name(name) if self.namespaces.contains(name))
    }

    fn stray_view(&mut self, span: Span, method: &str) {
        let message = format!("what `.{method}()` gives can only be looped over or filtered");
        self.report(hinted(span, message, "add `|list`"));
    }

    fn hidden_key(&mut self, span: Span, name: &str) {
        let message = format!("`.{name}` is a method of maps, not the key `{name}`");
        self.report(hinted(span, message, format!("write `['{name}']`")));
    }

    fn inner_attribute(&mut self, span: Span, name: &str) {
        let message = format!("`{name}` is undefined: values here have no inner attributes");
        self.report(error(span, message));
    }

    /// Judges a name that is read.
    pub(super) fn name(&mut self, name: &'s str, span: Span) {
        let message = match name {
            "loop" if self.loops > 0 => return,
            "loop" => "`loop` only exists inside a for loop",
            "caller" if self.macros > 0 => return,
            "caller" => "`caller` only exists inside a macro",
            "self" | "super" => "a prompt has no blocks to refer to",
            "varargs" | "kwargs" if self.macros > 0 => {
                "a macro takes only the arguments that it names"
            }
            _ if self.is_bound(name) => return,
            _ if FUNCTIONS.contains(&name) => {
                let message = format!("`{name}` is a function");
                let hint = format!("call it: `{name}(..)`; or give the variable another name");
                return self.report(hinted(span, message, hint));
            }
            _ => {
                if self.seen.insert(name) {
                    self.out.free.push(Word { text: name, span });
                }
                return;
            }
        };
        self.report(error(span, message));
    }
}

/// Finds one of the names in an expression.
fn mention<'s>(node: &Node<'s>, names: &[&Word<'s>]) -> Option<(&'s str, Span)> {
    match node.expr {
        Expr::Name(name) if names.iter().any(|word| word.text == name) => Some((name, node.span)),
        _ => node.children().find_map(|child| mention(child, names)),
    }
}
