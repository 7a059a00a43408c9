//! Reads the braces of the f-string format, and names each one that it refuses.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use super::super::{FreeName, TemplateError};
use super::Piece;

/// Bad braces that are reported one by one; a template with more was written for another format.
const MAX_FINDINGS: usize = 20;

/// Characters of the template that a message quotes.
const MAX_QUOTED: usize = 30;

/// Reads a template from its start to its end, and keeps what it holds.
#[derive(Debug, Default)]
pub(super) struct Parser {
    pub(super) pieces: Vec<Piece>,
    pub(super) names: Vec<FreeName>,
    indices: HashMap<String, usize>,
    bad: Vec<BadBrace>,
    /// Bad braces beyond those kept in `bad`.
    more: usize,
    /// Refused opening braces whose closing brace is still to come; it is not reported again.
    open: usize,
}

impl Parser {
    /// Reads a whole template, and returns what is wrong with it.
    pub(super) fn read(&mut self, source: &str) -> Vec<TemplateError> {
        let mut rest = source;
        while let Some((text, brace)) = split_at_brace(rest) {
            self.text(text);
            rest = self.brace(brace, source.len() - brace.len());
        }
        self.text(rest);
        self.findings()
    }

    fn text(&mut self, text: &str) {
        match self.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
    }

    /// Takes what the brace at the start of `source` stands for, and returns the text behind it.
    fn brace<'s>(&mut self, source: &'s str, start: usize) -> &'s str {
        if let Some(rest) = source.strip_prefix("{{") {
            self.text("{");
            return rest;
        }
        if let Some(rest) = source.strip_prefix("}}") {
            self.text("}");
            // The end of JSON in JSON; with one open brace only, `}}` more likely is what it says.
            if self.open >= 2 {
                self.open -= 2;
            }
            return rest;
        }
        if let Some(rest) = source.strip_prefix('{') {
            return self.opening(rest, start);
        }
        if self.open > 0 {
            self.open -= 1;
        } else {
            self.refuse(start..start + 1, Kind::Unmatched, "}");
        }
        source.strip_prefix('}').unwrap_or_default()
    }

    /// Takes a placeholder, or refuses its opening brace. `source` starts behind that brace.
    fn opening<'s>(&mut self, source: &'s str, start: usize) -> &'s str {
        let Some((inside, rest)) = split_at_brace(source) else {
            self.refuse(start..start + 1, Kind::Unmatched, &format!("{{{source}"));
            return source;
        };
        let Some(after) = rest.strip_prefix('}') else {
            // Braces in braces: go on with the inner ones, which have to be doubled too.
            self.open += 1;
            self.refuse(start..start + 1, Kind::of(inside), &format!("{{{inside}{{"));
            return source;
        };
        let end = start + 1 + inside.len();
        if is_name(inside) {
            self.placeholder(inside, start + 1..end);
        } else {
            self.refuse(start..end + 1, Kind::of(inside), &format!("{{{inside}}}"));
        }
        after
    }

    fn placeholder(&mut self, name: &str, range: Range<usize>) {
        let index = self.indices.get(name).copied().unwrap_or_else(|| {
            let index = self.names.len();
            self.indices.insert(name.to_owned(), index);
            self.names.push(FreeName {
                name: name.to_owned(),
                range,
            });
            index
        });
        self.pieces.push(Piece::Name(index));
    }

    fn refuse(&mut self, range: Range<usize>, kind: Kind, quoted: &str) {
        if self.bad.len() < MAX_FINDINGS {
            self.bad.push(BadBrace {
                range,
                kind,
                quoted: shortened(quoted),
            });
        } else {
            self.more += 1;
        }
    }

    fn findings(&self) -> Vec<TemplateError> {
        let mut findings: Vec<TemplateError> = self.bad.iter().map(BadBrace::to_error).collect();
        if self.more > 0 {
            let braces = if self.more == 1 { "brace" } else { "braces" };
            findings.push(TemplateError {
                range: None,
                message: format!("{} more {braces} that must be doubled", self.more),
                hint: None,
            });
        }
        findings
    }
}

/// Splits a text in front of its first brace.
fn split_at_brace(text: &str) -> Option<(&str, &str)> {
    text.split_at_checked(text.find(['{', '}'])?)
}

/// A brace that is no part of a `{name}`, a `{{` or a `}}`.
#[derive(Debug)]
struct BadBrace {
    range: Range<usize>,
    kind: Kind,
    quoted: String,
}

impl BadBrace {
    fn to_error(&self) -> TemplateError {
        TemplateError {
            range: Some(self.range.clone()),
            message: format!("{} `{}`{}", self.kind, self.quoted, self.kind.rule()),
            hint: Some("double it: `{{` and `}}`, or set `template_format: jinja2`".to_owned()),
        }
    }
}

/// What a refused brace looks like.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Positional,
    Attribute,
    Index,
    Conversion,
    FormatSpec,
    Spaces,
    Json,
    Unmatched,
    NotAName,
}

impl Kind {
    /// Classifies what stands behind an opening brace, up to the next brace.
    fn of(inside: &str) -> Self {
        let (head, tail) = inside
            .find(['.', '[', '!', ':'])
            .map_or((inside, ""), |at| inside.split_at(at));
        if inside.is_empty() || (!head.is_empty() && head.chars().all(|c| c.is_ascii_digit())) {
            return Self::Positional;
        }
        if head.is_empty() || is_name(head) {
            match tail.chars().next() {
                Some('.') => return Self::Attribute,
                Some('[') => return Self::Index,
                Some('!') => return Self::Conversion,
                Some(':') => return Self::FormatSpec,
                _ => {}
            }
        }
        match inside.trim() {
            "" => Self::Json,
            text if text.starts_with(['"', '\'']) => Self::Json,
            text if is_name(text) => Self::Spaces,
            _ => Self::NotAName,
        }
    }

    /// Returns what to add to a message about a placeholder that Python knows and this format does not.
    fn rule(self) -> &'static str {
        match self {
            Self::Json | Self::Unmatched | Self::NotAName => "",
            _ => ", where only `{name}` can stand",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positional => "positional placeholder",
            Self::Attribute => "attribute access",
            Self::Index => "index access",
            Self::Conversion => "conversion",
            Self::FormatSpec => "format specification",
            Self::Spaces => "spaces around the name in",
            Self::Json => "JSON brace",
            Self::Unmatched => "unmatched brace",
            Self::NotAName => "not a name in braces:",
        })
    }
}

/// Returns the start of a text on one line: runs of spaces and control characters become one space.
fn shortened(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let mut line = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        if line.len() > 4 * MAX_QUOTED {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    match line.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => {
            line.truncate(end);
            line + "…"
        }
        None => line,
    }
}

/// Returns whether a text can name a variable: `[A-Za-z_][A-Za-z0-9_]*`.
pub(in crate::engine) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
