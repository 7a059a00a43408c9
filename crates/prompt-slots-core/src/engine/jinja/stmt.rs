//! The parser of statements: which tags a prompt may use, and how they nest.

use super::ast::{Body, For, Node, Param, Stmt, Target, Word};
use super::parse::Parser;
use super::scan::{Kind, Tag};
use super::{Span, error, hinted, nearest};
use crate::engine::TemplateError;

/// The deepest nesting of blocks.
pub(super) const MAX_BLOCKS: usize = 24;
/// The most arms of one `if`: each costs the engine a stack frame.
pub(super) const MAX_ARMS: usize = 150;

/// The tags that a prompt may use.
const TAGS: &[&str] = &[
    "if",
    "for",
    "set",
    "with",
    "macro",
    "call",
    "filter",
    "raw",
    "elif",
    "else",
    "endif",
    "endfor",
    "endset",
    "endwith",
    "endmacro",
    "endcall",
    "endfilter",
    "endraw",
];

type Parsed<T> = Result<T, TemplateError>;

/// Builds the tree of a template from its tags.
pub(super) fn parse<'s>(tags: &[Tag<'s>]) -> Parsed<Body<'s>> {
    let mut blocks = Blocks {
        tags,
        at: 0,
        depth: 0,
    };
    let (body, end) = blocks.body(&[])?;
    match end {
        None => Ok(body),
        Some((word, _)) => Err(error(word.span, format!("`{}` closes nothing", word.text))),
    }
}

/// The tag that ended a body: its keyword, and a parser of what follows it.
type End<'t, 's> = Option<(Word<'s>, Parser<'t, 's>)>;

struct Blocks<'t, 's> {
    tags: &'t [Tag<'s>],
    at: usize,
    depth: usize,
}

impl<'t, 's> Blocks<'t, 's> {
    /// Parses statements up to a tag that is one of `ends`, or up to the end of the template.
    fn body(&mut self, ends: &[&str]) -> Parsed<(Body<'s>, End<'t, 's>)> {
        let mut body = Vec::new();
        while let Some(tag) = self.tags.get(self.at) {
            self.at += 1;
            let mut parser = Parser::new(tag);
            if tag.prints {
                body.push(Stmt::Print(parser.expression()?));
                parser.expect_end()?;
                continue;
            }
            let word = parser.word()?;
            if ends.contains(&word.text) {
                return Ok((body, Some((word, parser))));
            }
            if self.depth == MAX_BLOCKS {
                return Err(error(
                    word.span,
                    format!("blocks nest {MAX_BLOCKS} deep at most"),
                ));
            }
            self.depth += 1;
            body.push(self.statement(word, parser)?);
            self.depth -= 1;
        }
        Ok((body, None))
    }

    /// Parses the body of a block that must be closed.
    fn closed(
        &mut self,
        open: Word<'s>,
        ends: &[&str],
    ) -> Parsed<(Body<'s>, Word<'s>, Parser<'t, 's>)> {
        let (body, end) = self.body(ends)?;
        let Some((word, parser)) = end else {
            return Err(hinted(
                open.span,
                format!("this `{}` is never closed", open.text),
                format!("close it with `{{% {} %}}`", ends.last().unwrap_or(&"end")),
            ));
        };
        Ok((body, word, parser))
    }

    /// Parses the body of a block that has one part and a plain closing tag.
    fn simple(&mut self, open: Word<'s>, end: &str) -> Parsed<Body<'s>> {
        let (body, _, parser) = self.closed(open, &[end])?;
        parser.expect_end()?;
        Ok(body)
    }

    fn statement(&mut self, word: Word<'s>, mut parser: Parser<'t, 's>) -> Parsed<Stmt<'s>> {
        match word.text {
            "if" => self.if_arms(word, parser),
            "for" => self.for_loop(word, parser),
            "set" => self.set(word, parser),
            "with" => self.with(word, parser),
            "macro" => {
                let name = parser.word()?;
                check_bindable(name)?;
                let params = params(&mut parser)?;
                parser.expect_end()?;
                Ok(Stmt::Macro(name, params, self.simple(word, "endmacro")?))
            }
            "call" => {
                let params = if parser.is(Kind::Op, "(") {
                    params(&mut parser)?
                } else {
                    Vec::new()
                };
                let call = parser.expression()?;
                parser.expect_end()?;
                Ok(Stmt::CallBlock(params, call, self.simple(word, "endcall")?))
            }
            "filter" => {
                let chain = parser.filter_chain()?;
                Ok(Stmt::FilterBlock(chain, self.simple(word, "endfilter")?))
            }
            _ => Err(refused_tag(word)),
        }
    }

    fn if_arms(&mut self, word: Word<'s>, mut parser: Parser<'t, 's>) -> Parsed<Stmt<'s>> {
        let mut arms = Vec::new();
        let mut test = Some(parser.condition()?);
        parser.expect_end()?;
        loop {
            let ends: &[&str] = if test.is_some() {
                &["elif", "else", "endif"]
            } else {
                &["endif"]
            };
            let (body, end, mut parser) = self.closed(word, ends)?;
            arms.push((test.take(), body));
            if arms.len() > MAX_ARMS {
                return Err(error(
                    end.span,
                    format!("an `if` has {MAX_ARMS} arms at most"),
                ));
            }
            if end.text == "elif" {
                test = Some(parser.condition()?);
            }
            parser.expect_end()?;
            if end.text == "endif" {
                return Ok(Stmt::If(arms));
            }
        }
    }

    fn for_loop(&mut self, word: Word<'s>, mut parser: Parser<'t, 's>) -> Parsed<Stmt<'s>> {
        let target = target(&mut parser, false, 0)?;
        if !parser.skip(Kind::Name, "in") {
            return Err(parser.unexpected("`in`"));
        }
        let iter = parser.condition()?;
        let filter = if parser.skip(Kind::Name, "if") {
            Some(parser.expression()?)
        } else {
            None
        };
        let recursive = parser.skip(Kind::Name, "recursive");
        parser.expect_end()?;
        let (body, end, parser) = self.closed(word, &["else", "endfor"])?;
        parser.expect_end()?;
        let otherwise = if end.text == "else" {
            self.simple(word, "endfor")?
        } else {
            Vec::new()
        };
        Ok(Stmt::For(Box::new(For {
            target,
            iter,
            filter,
            recursive,
            body,
            otherwise,
        })))
    }

    fn set(&mut self, word: Word<'s>, mut parser: Parser<'t, 's>) -> Parsed<Stmt<'s>> {
        let target = target(&mut parser, true, 0)?;
        if parser.skip(Kind::Op, "=") {
            let value = parser.expressions()?;
            parser.expect_end()?;
            return Ok(Stmt::Set(target, value));
        }
        let filters = if parser.skip(Kind::Op, "|") {
            Some(parser.filter_chain()?)
        } else {
            None
        };
        parser.expect_end()?;
        Ok(Stmt::SetBlock(
            target,
            filters,
            self.simple(word, "endset")?,
        ))
    }

    fn with(&mut self, word: Word<'s>, mut parser: Parser<'t, 's>) -> Parsed<Stmt<'s>> {
        let mut bindings = Vec::new();
        while parser.peek().is_some() {
            if !bindings.is_empty() {
                parser.expect(",")?;
            }
            let target = if parser.skip(Kind::Op, "(") {
                let inner = target(&mut parser, false, 1)?;
                parser.expect(")")?;
                inner
            } else {
                single_target(&mut parser, false)?
            };
            parser.expect("=")?;
            bindings.push((target, parser.expression()?));
        }
        Ok(Stmt::With(bindings, self.simple(word, "endwith")?))
    }
}

/// Parses `a`, `a, b` or `(a, b), c`; with `dotted`, `ns.a` too.
fn target<'s>(parser: &mut Parser<'_, 's>, dotted: bool, depth: usize) -> Parsed<Target<'s>> {
    let mut items = Vec::new();
    let mut many = false;
    loop {
        let done = match parser.peek() {
            None => true,
            Some(token) => matches!(token.text, ")" | "in" | "=" | "|"),
        };
        if done && !items.is_empty() {
            break;
        }
        if depth < 8 && parser.skip(Kind::Op, "(") {
            items.push(target(parser, dotted, depth + 1)?);
            parser.expect(")")?;
        } else {
            items.push(single_target(parser, dotted)?);
        }
        if !parser.skip(Kind::Op, ",") {
            break;
        }
        many = true;
    }
    match (many, items.pop()) {
        (false, Some(item)) => Ok(item),
        (_, last) => {
            items.extend(last);
            Ok(Target::Many(items))
        }
    }
}

fn single_target<'s>(parser: &mut Parser<'_, 's>, dotted: bool) -> Parsed<Target<'s>> {
    let name = parser.word()?;
    check_bindable(name)?;
    if !dotted || !parser.skip(Kind::Op, ".") {
        return Ok(Target::Name(name));
    }
    let attr = parser.word()?;
    if parser.is(Kind::Op, ".") {
        return Err(parser.unexpected("`=`; only an attribute of a namespace can be set"));
    }
    Ok(Target::Attr(name, attr))
}

fn check_bindable(name: Word<'_>) -> Parsed<()> {
    let reserved = [
        "true", "True", "false", "False", "none", "None", "loop", "self", "super", "caller",
        "varargs", "kwargs", "not", "and", "or", "if", "else", "in", "is",
    ];
    if reserved.contains(&name.text) {
        return Err(error(
            name.span,
            format!("`{}` can't be bound: the language uses it", name.text),
        ));
    }
    Ok(())
}

fn params<'s>(parser: &mut Parser<'_, 's>) -> Parsed<Vec<Param<'s>>> {
    let mut params: Vec<Param<'s>> = Vec::new();
    parser.expect("(")?;
    while !parser.skip(Kind::Op, ")") {
        let name = parser.word()?;
        check_bindable(name)?;
        let default = if parser.skip(Kind::Op, "=") {
            Some(parser.expression()?)
        } else {
            None
        };
        if default.is_none() && params.iter().any(|param| param.default.is_some()) {
            return Err(error(
                name.span,
                "a parameter without a default can't follow one that has a default",
            ));
        }
        params.push(Param { name, default });
        if !parser.is(Kind::Op, ")") {
            parser.expect(",")?;
        }
    }
    Ok(params)
}

/// Says why a tag has no place here.
fn refused_tag(word: Word<'_>) -> TemplateError {
    let Word { text, span } = word;
    let (message, hint) = match text {
        "include" | "import" | "from" | "extends" | "block" | "endblock" => (
            "a prompt can't include other files".to_owned(),
            "write the text here, or pass it in as a variable".to_owned(),
        ),
        "do" => (
            "`do` has no use in a prompt: nothing here can be changed in place".to_owned(),
            "use `{% set ns.x = .. %}` on a `namespace(..)`".to_owned(),
        ),
        "autoescape" | "endautoescape" => (
            "`autoescape` has no use in a prompt: nothing is escaped".to_owned(),
            "use `|e` on the value".to_owned(),
        ),
        "break" | "continue" => (
            format!("`{text}` isn't offered"),
            "put a condition on the loop: `{% for x in xs if .. %}`".to_owned(),
        ),
        "trans" | "pluralize" | "endtrans" => (
            format!("`{text}` isn't offered"),
            "write the text of each language under a condition".to_owned(),
        ),
        _ if TAGS.contains(&text) => return stray(text, span),
        _ => return unknown(text, span),
    };
    hinted(span, message, hint)
}

fn stray(text: &str, span: Span) -> TemplateError {
    hinted(
        span,
        format!("`{text}` closes nothing that is open here"),
        "look for a block that is closed twice or never opened",
    )
}

fn unknown(text: &str, span: Span) -> TemplateError {
    let message = format!("there is no tag `{text}`");
    match nearest(text, TAGS.iter().copied()) {
        Some(near) => hinted(span, message, format!("did you mean `{near}`?")),
        None => error(span, message),
    }
}

/// Iterates over the names that a target binds.
pub(super) fn bound<'a, 's>(target: &'a Target<'s>, out: &mut Vec<&'a Word<'s>>) {
    match target {
        Target::Name(name) => out.push(name),
        Target::Attr(..) => {}
        Target::Many(targets) => {
            for target in targets {
                bound(target, out);
            }
        }
    }
}

/// Tells whether an expression is a call of this function.
pub(super) fn is_call_of(node: &Node<'_>, name: &str) -> bool {
    use super::ast::Expr;
    matches!(&node.expr, Expr::Call(callee, _) if matches!(callee.expr, Expr::Name(n) if n == name))
}
