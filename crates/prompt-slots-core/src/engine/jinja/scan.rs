//! The tokenizer: cuts Jinja2 source into its tags, and each tag into tokens with their places.
//!
//! It reads what the engine reads (default delimiters, raw blocks, comments, whitespace marks), and refuses more: text
//! that the two could take differently, such as letters outside ASCII in a name, never reaches the engine.

use memchr::memchr;

use super::{Span, error, escape, hinted};
use crate::engine::TemplateError;

/// The longest tag, in bytes: room for a table of examples, too short to overflow a parser.
pub(super) const MAX_TAG_BYTES: usize = 16 << 10;
/// The most tags in one template.
pub(super) const MAX_TAGS: usize = 10_000;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Name,
    /// A text literal; the token's text is what stands between the quotes, escapes untouched.
    Text,
    /// A number literal.
    Number,
    /// An operator or a bracket.
    Op,
}

/// One token of a tag.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'s> {
    pub kind: Kind,
    pub text: &'s str,
    pub span: Span,
}

/// One `{{ .. }}` or `{% .. %}`.
#[derive(Debug)]
pub(super) struct Tag<'s> {
    /// Whether it prints (`{{`), or is a statement (`{%`).
    pub prints: bool,
    pub tokens: Vec<Token<'s>>,
    pub span: Span,
}

/// Returns the tags of a template in order; data, comments and raw blocks are left out.
pub(super) fn scan(source: &str) -> Result<Vec<Tag<'_>>, TemplateError> {
    let mut scanner = Scanner { source, at: 0 };
    let mut tags = Vec::new();
    while let Some(tag) = scanner.next_tag()? {
        if tags.len() == MAX_TAGS {
            return Err(error(
                tag.span,
                format!("a template may hold {MAX_TAGS} tags at most"),
            ));
        }
        tags.push(tag);
    }
    Ok(tags)
}

struct Scanner<'s> {
    source: &'s str,
    at: usize,
}

impl<'s> Scanner<'s> {
    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn span_from(&self, start: usize) -> Span {
        Span {
            start,
            end: self.at,
        }
    }

    fn next_tag(&mut self) -> Result<Option<Tag<'s>>, TemplateError> {
        loop {
            let Some(brace) = memchr(b'{', self.rest().as_bytes()) else {
                self.at = self.source.len();
                return Ok(None);
            };
            self.at += brace;
            match self.rest().as_bytes().get(1) {
                Some(b'{') => return self.tag(true).map(Some),
                Some(b'%') if self.skip_raw()? => {}
                Some(b'%') => return self.tag(false).map(Some),
                Some(b'#') => self.skip_comment()?,
                _ => self.at += 1,
            }
        }
    }

    /// Steps over `{{` or the like, and over the whitespace mark that may follow.
    fn skip_opening(&mut self) {
        self.at += 2;
        if self.rest().starts_with(['-', '+']) {
            self.at += 1;
        }
    }

    fn skip_comment(&mut self) -> Result<(), TemplateError> {
        let start = self.at;
        self.skip_opening();
        let Some(end) = self.rest().find("#}") else {
            let opening = Span {
                start,
                end: start + 2,
            };
            return Err(hinted(
                opening,
                "this comment is never closed",
                "close it with `#}`",
            ));
        };
        self.at += end + 2;
        Ok(())
    }

    /// Steps over a whole raw block, if one starts here.
    fn skip_raw(&mut self) -> Result<bool, TemplateError> {
        let start = self.at;
        self.skip_opening();
        let Some(opening) = bare_tag(self.rest(), "raw") else {
            self.at = start;
            return Ok(false);
        };
        self.at += opening;
        let span = self.span_from(start);
        while let Some(block) = self.rest().find("{%") {
            self.at += block;
            self.skip_opening();
            if let Some(closing) = bare_tag(self.rest(), "endraw") {
                self.at += closing;
                return Ok(true);
            }
        }
        Err(hinted(
            span,
            "this raw block is never closed",
            "close it with `{% endraw %}`",
        ))
    }

    fn tag(&mut self, prints: bool) -> Result<Tag<'s>, TemplateError> {
        let start = self.at;
        let close = if prints { "}}" } else { "%}" };
        let mut depth = 0_usize;
        let mut tokens = Vec::new();
        self.skip_opening();
        loop {
            self.skip_spaces();
            if self.at - start > MAX_TAG_BYTES {
                let opening = Span {
                    start,
                    end: start + 2,
                };
                return Err(error(
                    opening,
                    format!("this tag is longer than {MAX_TAG_BYTES} bytes"),
                ));
            }
            if depth == 0
                && let Some(length) = closing(self.rest(), close)
            {
                self.at += length;
                return Ok(Tag {
                    prints,
                    tokens,
                    span: self.span_from(start),
                });
            }
            let Some(token) = self.token()? else {
                return Err(never_closed(start, prints));
            };
            match (token.kind, token.text) {
                (Kind::Op, "(" | "[" | "{") => depth += 1,
                (Kind::Op, ")" | "]" | "}") if depth == 0 => {
                    return Err(error(
                        token.span,
                        format!("`{}` closes nothing", token.text),
                    ));
                }
                (Kind::Op, ")" | "]" | "}") => depth -= 1,
                _ => {}
            }
            tokens.push(token);
        }
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.bytes().take_while(u8::is_ascii_whitespace).count();
    }

    /// Reads one token; `None` at the end of the source.
    fn token(&mut self) -> Result<Option<Token<'s>>, TemplateError> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let (kind, length) = match first {
            '\'' | '"' => return self.text(first).map(Some),
            '0'..='9' => (Kind::Number, self.number_length()),
            'a'..='z' | 'A'..='Z' | '_' => (Kind::Name, name_length(rest)),
            _ => match operator_length(rest) {
                0 => {
                    let span = Span {
                        start: self.at,
                        end: self.at + first.len_utf8(),
                    };
                    return Err(unexpected_character(span, first));
                }
                length => (Kind::Op, length),
            },
        };
        let start = self.at;
        self.at += length;
        Ok(Some(Token {
            kind,
            text: rest.get(..length).unwrap_or_default(),
            span: self.span_from(start),
        }))
    }

    fn text(&mut self, quote: char) -> Result<Token<'s>, TemplateError> {
        let start = self.at;
        let mut escaped = false;
        for (offset, c) in self.rest().char_indices().skip(1) {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == quote {
                let text = self.rest().get(1..offset).unwrap_or_default();
                escape::check(text, start + 1)?;
                self.at += offset + 1;
                return Ok(Token {
                    kind: Kind::Text,
                    text,
                    span: self.span_from(start),
                });
            }
        }
        let span = Span {
            start,
            end: start + 1,
        };
        Err(error(span, "this text is never closed"))
    }

    /// Measures a number as the engine reads it: `1.5`, `1e3`, `0xff`, `1_000`; after a dot only digits.
    fn number_length(&self) -> usize {
        let bytes = self.rest().as_bytes();
        let after_dot = self.source.as_bytes().get(self.at.wrapping_sub(1)) == Some(&b'.');
        let based = matches!(
            bytes.get(..2),
            Some(b"0b" | b"0B" | b"0o" | b"0O" | b"0x" | b"0X")
        );
        if based {
            let digits = bytes.iter().skip(2);
            return 2 + digits
                .take_while(|b| b.is_ascii_hexdigit() || **b == b'_')
                .count();
        }
        let digits = |from: usize| {
            let rest = bytes.iter().skip(from);
            rest.take_while(|b| b.is_ascii_digit() || **b == b'_')
                .count()
        };
        let exponent = |from: usize| {
            let sign = usize::from(matches!(bytes.get(from + 1), Some(b'+' | b'-')));
            match (bytes.get(from), digits(from + 1 + sign)) {
                (Some(b'e' | b'E'), length) if length > 0 => 1 + sign + length,
                _ => 0,
            }
        };
        let mut length = digits(0);
        if bytes.get(length) == Some(&b'.') && !after_dot {
            let follows = bytes.get(length + 1).copied().unwrap_or(b' ');
            let named = follows.is_ascii_alphabetic() || follows == b'_';
            if !named || exponent(length + 1) > 0 {
                length += 1 + digits(length + 1);
            }
        }
        length + exponent(length)
    }
}

fn name_length(rest: &str) -> usize {
    rest.bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || *b == b'_')
        .count()
}

fn operator_length(rest: &str) -> usize {
    let two = ["//", "**", "==", "!=", ">=", "<="];
    if two.iter().any(|op| rest.starts_with(op)) {
        2
    } else {
        usize::from(rest.starts_with(|c| "+-*/%.,:~|=><()[]{}".contains(c)))
    }
}

/// Returns the length of a closing mark, with its whitespace mark, if one stands here.
fn closing(rest: &str, close: &str) -> Option<usize> {
    let marked = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    if rest.starts_with(close) {
        return Some(close.len());
    }
    marked.starts_with(close).then_some(close.len() + 1)
}

/// Returns the length of ` name %}`, if that is what stands here.
fn bare_tag(rest: &str, name: &str) -> Option<usize> {
    let spaces = |c: char| c.is_ascii_whitespace();
    let after = rest.trim_start_matches(spaces).strip_prefix(name)?;
    let after = after.trim_start_matches(spaces);
    Some(rest.len() - after.len() + closing(after, "%}")?)
}

fn never_closed(start: usize, prints: bool) -> TemplateError {
    let (open, close) = if prints { ("{{", "}}") } else { ("{%", "%}") };
    let span = Span {
        start,
        end: start + 2,
    };
    hinted(
        span,
        format!("this `{open}` is never closed"),
        format!(
            "close it with `{close}`, or write `{{{{ '{open}' }}}}` for the characters themselves"
        ),
    )
}

fn unexpected_character(span: Span, c: char) -> TemplateError {
    let message = format!("unexpected character `{}` in a tag", c.escape_debug());
    match c {
        '\u{201c}' | '\u{201d}' | '\u{2018}' | '\u{2019}' => hinted(
            span,
            message,
            "use plain quotes; an editor may have changed them",
        ),
        '&' | '!' => hinted(span, message, "write `and`, `or`, `not`"),
        _ => error(span, message),
    }
}
