//! What a check finds: one error or warning, with its place and the next step.

use std::fmt;

use crate::layer::Layer;
use crate::name::is_variable_name;
use crate::place::Pos;

/// The most findings of one file that are told apart: more help nobody, and a hostile file can have one a word.
pub(crate) const MOST: usize = 100;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The slot works; something about it is most likely not what its writer meant.
    Warning,
    /// The slot can't be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One error or warning about a slot.
///
/// Its parts are plain data, so that a caller can print, count or send them. `{}` prints one line: the place, the key
/// path, the message and the hint; `{:#}` adds the line of the file with a mark under it. Text from a file is printed
/// with its control characters escaped. The value of a variable is never part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Whether it stops the slot.
    pub severity: Severity,
    /// The slot, where known.
    pub slot: Option<String>,
    /// The layer that it is about, where it is about one.
    pub layer: Option<Layer>,
    /// The file, as the reader named it.
    pub file: Option<String>,
    /// The place in the file.
    pub pos: Option<Pos>,
    /// The key path, such as `llm.temperature`.
    pub key: Option<String>,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// One concrete next step.
    pub hint: Option<String>,
    /// Whether message or hint quote the text of a prompt, or a value of a test case: such a finding is not for a log.
    pub quotes: bool,
    /// The line of the file that `pos` names, and how many characters of it are meant.
    pub snippet: Option<Snippet>,
}

/// A line of a file, for `{:#}`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snippet {
    /// The line, without its end.
    pub line: String,
    /// How many characters from the finding's column on are meant, at least 1.
    pub width: usize,
}

impl Finding {
    /// Makes an error.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message.into())
    }

    /// Makes a warning.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message.into())
    }

    fn new(severity: Severity, message: String) -> Self {
        Self {
            severity,
            slot: None,
            layer: None,
            file: None,
            pos: None,
            key: None,
            message,
            hint: None,
            quotes: false,
            snippet: None,
        }
    }

    /// Adds the next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the next step, where there is one.
    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }

    /// Says that message or hint quote the text of a prompt, or a value of a test case.
    #[must_use]
    pub fn quoting(mut self) -> Self {
        self.quotes = true;
        self
    }

    /// Adds the place in the file.
    #[must_use]
    pub fn at(mut self, pos: Pos) -> Self {
        self.pos = Some(pos);
        self
    }

    /// Adds the key path.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        let key = key.into();
        self.key = (!key.is_empty()).then_some(key);
        self
    }

    /// Adds the slot, unless one is known already.
    #[must_use]
    pub fn slot(mut self, slot: &str) -> Self {
        self.slot.get_or_insert_with(|| slot.to_owned());
        self
    }

    /// Adds the layer, unless one is known already.
    #[must_use]
    pub fn layer(mut self, layer: Layer) -> Self {
        self.layer.get_or_insert(layer);
        self
    }

    /// Adds the file, unless one is known already.
    #[must_use]
    pub fn file(mut self, file: &str) -> Self {
        self.file.get_or_insert_with(|| file.to_owned());
        self
    }

    /// Adds the line that the finding is about, out of the text of its file.
    #[must_use]
    pub fn quote(mut self, source: &str) -> Self {
        let Some(pos) = self.pos else { return self };
        let line = source
            .lines()
            .nth((pos.line as usize).saturating_sub(1))
            .unwrap_or_default();
        if self.snippet.is_none() {
            let rest = line.chars().skip((pos.column as usize).saturating_sub(1));
            let width = rest
                .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
                .count();
            self.snippet = Snippet::new(line, width);
        }
        self
    }

    /// Leaves out what the file itself says, the key and what the message quotes, unless it is a plain word.
    pub(crate) fn without_lines(self) -> Self {
        let is_word = |text: &str| text.len() <= 32 && is_variable_name(text);
        let parts = self.message.split('`').enumerate();
        let kept = parts.map(|(at, part)| match at % 2 {
            0 => part.to_owned(),
            _ if is_word(part) => format!("`{part}`"),
            _ => "`…`".to_owned(),
        });
        Self {
            message: kept.collect(),
            key: self.key.filter(|key| is_word(key)),
            ..self
        }
    }

    /// Keeps the first [`MOST`] of a file's findings, and says how many more there are.
    pub(crate) fn cut(mut findings: Vec<Self>) -> Vec<Self> {
        let rest = findings.split_off(findings.len().min(MOST));
        let worst = rest.iter().map(|finding| finding.severity).max();
        findings.extend(worst.map(|severity| {
            Self {
                pos: rest.first().and_then(|finding| finding.pos),
                ..Self::new(
                    severity,
                    format!("{} more findings from here on", rest.len()),
                )
                .hint("correct those above first")
            }
        }));
        findings
    }

    /// Tells whether it stops the slot.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Returns whose finding it is, as far as it is known: "slot `greeting`, app layer".
    pub fn whose(&self) -> Option<String> {
        match (&self.slot, self.layer) {
            (Some(slot), Some(layer)) => Some(format!("slot `{slot}`, {layer} layer")),
            (Some(slot), None) => Some(format!("slot `{slot}`")),
            (None, Some(layer)) => Some(format!("{layer} layer")),
            (None, None) => None,
        }
    }

    /// Returns the message with its key path and hint, without the place.
    pub fn text(&self) -> String {
        let key = self
            .key
            .as_ref()
            .map(|key| format!("`{key}`: "))
            .unwrap_or_default();
        let hint = self
            .hint
            .as_ref()
            .map(|hint| format!(" ({hint})"))
            .unwrap_or_default();
        printable(&format!("{key}{}{hint}", self.message))
    }

    /// Returns `file:line:column`, as far as it is known.
    pub fn place(&self) -> Option<String> {
        let file = self.file.as_deref().map(printable);
        match (file, self.pos) {
            (Some(file), Some(Pos { line, column })) => Some(format!("{file}:{line}:{column}")),
            (Some(file), None) => Some(file),
            (None, Some(Pos { line, column })) => Some(format!("line {line}, column {column}")),
            (None, None) => None,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place() {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.text())?;
        match (&self.snippet, self.pos) {
            (Some(snippet), Some(pos)) if f.alternate() => write!(f, "\n{}", snippet.render(pos)),
            _ => Ok(()),
        }
    }
}

impl Snippet {
    /// The most characters of a line that are shown: a prompt's line can be a page long.
    const WIDEST: usize = 100;

    /// The longest line that is kept, in bytes: every finding holds one of its own.
    const LONGEST: usize = 16 << 10;

    /// Takes a line that has something to show.
    pub(crate) fn new(line: &str, width: usize) -> Option<Self> {
        (line.len() <= Self::LONGEST && !line.trim().is_empty()).then(|| Self {
            line: line.to_owned(),
            width: width.max(1),
        })
    }

    /// Draws the line with a mark under the characters that are meant.
    fn render(&self, pos: Pos) -> String {
        let column = (pos.column as usize).saturating_sub(1);
        let long = self.line.chars().nth(Self::WIDEST).is_some();
        let first = if long {
            column.saturating_sub(Self::WIDEST / 2)
        } else {
            0
        };
        let shown: String = self.line.chars().skip(first).take(Self::WIDEST).collect();
        let cut = if first > 0 { "…" } else { "" };
        let lead: String = shown.chars().take(column - first).collect();
        let gap = " ".repeat(
            unicode_width::UnicodeWidthStr::width(printable(&lead).as_str()) + cut.chars().count(),
        );
        let room = shown.chars().count().saturating_sub(column - first).max(1);
        let mark = "^".repeat(self.width.clamp(1, room));
        let number = pos.line.to_string();
        let margin = " ".repeat(number.len());
        format!(
            "{margin} |\n{number} | {cut}{}\n{margin} | {gap}{mark}",
            printable(shown.trim_end())
        )
    }
}

/// Returns `text` with its control characters, and those that reorder or hide text, escaped.
///
/// What a file says must not move a terminal's cursor or dress up as another line of output.
pub fn printable(text: &str) -> String {
    if text.chars().all(is_printable) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_printable(c) {
            out.push(c);
        } else if c == '\t' {
            out.push(' ');
        } else {
            out.extend(c.escape_default());
        }
    }
    out
}

pub(crate) fn is_printable(c: char) -> bool {
    // Joiners (U+200C, U+200D) and variation selectors stay: they are parts of words and of emoji.
    let hides = matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    );
    !c.is_control() && !hides
}
