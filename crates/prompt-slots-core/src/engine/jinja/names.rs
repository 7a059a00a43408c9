//! Names: which ones a template takes from its caller, and whether all that it calls exists.
//!
//! One walk in the order of the source. A name is free where nothing that stands before it in its scope binds it; what
//! one arm of an `if` binds counts as bound after the `if`, not in the other arms.

use std::collections::{HashMap, HashSet};

use super::ast::{Args, Body, Expr, For, Node, Param, Stmt, Target, Word};
use super::stmt::bound;
use super::{Span, error, hinted, nearest};
use crate::engine::TemplateError;

/// The filters, tests and functions that the engine has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub filters: &'a [&'a str],
    pub tests: &'a [&'a str],
    pub functions: &'a [&'a str],
}

/// Filters whose first argument names another filter, and those where it names a test.
const TAKE_FILTER: &[&str] = &["map"];
const TAKE_TEST: &[&str] = &["select", "reject"];
const TAKE_TEST_SECOND: &[&str] = &["selectattr", "rejectattr"];

/// The most findings of one template that are worth reading.
const MAX_FINDINGS: usize = 20;

/// What the walk finds.
#[derive(Debug, Default)]
pub(super) struct Names<'s> {
    /// The free names in order of first appearance, each once.
    pub free: Vec<Word<'s>>,
    pub errors: Vec<TemplateError>,
}

/// Walks a template.
pub(super) fn find<'s>(body: &Body<'s>, known: Known<'_>) -> Names<'s> {
    let mut walk = Walk {
        known,
        bound: HashMap::new(),
        log: Vec::new(),
        late: HashSet::new(),
        seen: HashSet::new(),
        loops: 0,
        macros: 0,
        out: Names::default(),
    };
    walk.note_late(body);
    walk.body(body);
    walk.out
}

struct Walk<'k, 's> {
    known: Known<'k>,
    /// How many open bindings each name has.
    bound: HashMap<&'s str, usize>,
    /// Every binding in order, so that a scope or an arm can be taken back.
    log: Vec<&'s str>,
    /// What the template binds outside of loops, wherever it stands: macros run later, and see it all.
    late: HashSet<&'s str>,
    seen: HashSet<&'s str>,
    /// The loops, and the macros, that the walk is inside of.
    loops: usize,
    macros: usize,
    out: Names<'s>,
}

impl<'s> Walk<'_, 's> {
    fn bind(&mut self, name: &'s str) {
        *self.bound.entry(name).or_default() += 1;
        self.log.push(name);
    }

    fn bind_target(&mut self, target: &Target<'s>) {
        if let Target::Attr(base, _) = target {
            self.name(base.text, base.span);
        }
        if let Target::Many(targets) = target {
            targets.iter().for_each(|target| self.bind_target(target));
            return;
        }
        let mut names = Vec::new();
        bound(target, &mut names);
        names.into_iter().for_each(|name| self.bind(name.text));
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

    fn is_bound(&self, name: &str) -> bool {
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
                Stmt::If(arms) => arms.iter().for_each(|(_, body)| self.note_late(body)),
                _ => {}
            }
        }
    }

    fn report(&mut self, err: TemplateError) {
        if self.out.errors.len() < MAX_FINDINGS {
            self.out.errors.push(err);
        }
    }

    /// Returns a name close to a misspelt one; not for findings that nobody will read.
    fn near<'a>(&self, name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
        if self.out.errors.len() < MAX_FINDINGS {
            nearest(name, known)
        } else {
            None
        }
    }

    fn body(&mut self, body: &Body<'s>) {
        body.iter().for_each(|stmt| self.stmt(stmt));
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
                self.bind_target(target);
            }
            Stmt::SetBlock(target, filters, body) => {
                self.body(body);
                filters.iter().for_each(|filters| self.node(filters));
                self.bind_target(target);
            }
            Stmt::For(each) => self.for_loop(each),
            Stmt::If(arms) => self.arms(arms),
            Stmt::With(bindings, body) => self.scope(|walk| {
                for (target, value) in bindings {
                    walk.node(value);
                    walk.bind_target(target);
                }
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

    fn for_loop(&mut self, each: &For<'s>) {
        self.node(&each.iter);
        self.scope(|walk| {
            walk.bind_target(&each.target);
            each.filter.iter().for_each(|filter| walk.node(filter));
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
            test.iter().for_each(|test| self.node(test));
            self.body(body);
            made.extend(self.unbind(mark));
        }
        made.sort_unstable();
        made.dedup();
        made.into_iter().for_each(|name| self.bind(name));
    }

    fn callable(&mut self, params: &[Param<'s>], body: &Body<'s>) {
        self.scope(|walk| {
            for param in params {
                param.default.iter().for_each(|default| walk.node(default));
                walk.bind(param.name.text);
            }
            walk.body(body);
        });
    }

    fn node(&mut self, node: &Node<'s>) {
        match &node.expr {
            Expr::Name(name) => return self.name(name, node.span),
            Expr::Call(callee, args) => {
                self.callee(callee);
                args.values().for_each(|value| self.node(value));
                return;
            }
            Expr::Filter(_, name, args) => {
                self.exists("filter", *name);
                self.names_in_text(*name, args);
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
        node.children()
            .into_iter()
            .for_each(|child| self.node(child));
    }

    fn inner_attribute(&mut self, span: Span, name: &str) {
        let message = format!("`{name}` is undefined: values here have no inner attributes");
        self.report(error(span, message));
    }

    /// Judges a name that is read.
    fn name(&mut self, name: &'s str, span: Span) {
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
            _ if self.known.functions.contains(&name) => {
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

    /// Judges what is called: a macro, a function of the engine, or a method of `loop`.
    fn callee(&mut self, callee: &Node<'s>) {
        match &callee.expr {
            Expr::Name(name) if matches!(*name, "loop" | "caller" | "self" | "super") => {
                self.name(name, callee.span);
            }
            Expr::Name(name) if self.is_bound(name) || self.known.functions.contains(name) => {}
            Expr::Name(name) => {
                let bound = self.bound.iter().filter(|(_, count)| **count > 0);
                let names = self.known.functions.iter().copied();
                let near = self.near(name, names.chain(bound.map(|(name, _)| *name)));
                let hint = match (near, self.known.filters.contains(name)) {
                    (_, true) => Some(format!("it is a filter: write `value|{name}`")),
                    (Some(near), _) => Some(format!("did you mean `{near}`?")),
                    (None, _) => None,
                };
                self.report(TemplateError {
                    range: Some(callee.span.into()),
                    message: format!("there is no function `{name}`"),
                    hint,
                });
            }
            Expr::Attr(base, method) => {
                self.node(base);
                let of_loop =
                    matches!(base.expr, Expr::Name(name) if name == "loop" || self.is_bound(name));
                if !of_loop || !matches!(*method, "cycle" | "changed") {
                    self.report(self.no_method(callee.span, method));
                }
            }
            _ => {
                self.node(callee);
                self.report(error(callee.span, "this value can't be called"));
            }
        }
    }

    fn no_method(&self, span: Span, method: &str) -> TemplateError {
        let message = format!("values have no methods: `.{method}()` doesn't exist here");
        let instead = match method {
            "strip" | "lstrip" | "rstrip" => "value|trim",
            "keys" => "map|list",
            "values" => "map|items|map(attribute=1)|list",
            "get" => "map.key|default(..)",
            "format" => "'%s'|format(value)",
            "count" => "value|length",
            "append" | "extend" | "insert" => "{% set ns.list = ns.list + [value] %}",
            "update" => "{% set ns.key = value %}",
            "startswith" => "value is startingwith(..)",
            "endswith" => "value is endingwith(..)",
            "islower" => "value is lower",
            "isupper" => "value is upper",
            "join" => "list|join(separator)",
            _ => {
                return match self.near(method, self.known.filters.iter().copied()) {
                    Some(near) => hinted(span, message, format!("use the filter: `value|{near}`")),
                    None => hinted(span, message, "use a filter: `value|name`"),
                };
            }
        };
        hinted(span, message, format!("write `{instead}`"))
    }

    fn exists(&mut self, what: &str, name: Word<'_>) {
        let known = if what == "filter" {
            self.known.filters
        } else {
            self.known.tests
        };
        if known.contains(&name.text) {
            return;
        }
        let message = format!("there is no {what} `{}`", name.text);
        self.report(match self.near(name.text, known.iter().copied()) {
            Some(near) => hinted(name.span, message, format!("did you mean `{near}`?")),
            None => error(name.span, message),
        });
    }

    /// Judges the filter or test that is named by a text argument: `map('upper')`.
    fn names_in_text(&mut self, filter: Word<'_>, args: &Args<'s>) {
        let (what, place) = match filter.text {
            name if TAKE_FILTER.contains(&name) => ("filter", 0),
            name if TAKE_TEST.contains(&name) => ("test", 0),
            name if TAKE_TEST_SECOND.contains(&name) => ("test", 1),
            _ => return,
        };
        let Some(argument) = args.positional.get(place) else {
            return;
        };
        match argument.expr {
            Expr::Text(Some(text)) => {
                let span = argument.span;
                self.exists(what, Word { text, span });
            }
            _ => {
                let message = format!("`{}` needs the name of a {what} as plain text", filter.text);
                self.report(error(argument.span, message));
            }
        }
    }
}
