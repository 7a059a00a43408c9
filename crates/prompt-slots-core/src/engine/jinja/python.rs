//! Values as Python writes them: `str()` and `repr()`, within a limit.

use std::fmt::{self, Write};

use minijinja::value::ValueKind;
use minijinja::{AutoEscape, Error, Output, State, Value};

use super::call::{defined, error};
use super::env::output_bytes;
use super::lazy::{Group, Lazy, Range};

/// How deep lists and maps may nest in each other when they are printed.
pub(super) const DEPTH: usize = 100;

/// Prints the value of `{{ }}`.
pub(super) fn print(out: &mut Output, state: &State, value: &Value) -> Result<(), Error> {
    if !matches!(state.auto_escape(), AutoEscape::None) {
        return Err(error("`autoescape` is not offered; use the filter `e`"));
    }
    if let Some(text) = value.as_str() {
        return Ok(out.write_str(text)?);
    }
    // The engine itself refuses undefined values, but for those of `if` without `else`, which print nothing.
    if value.is_undefined() {
        return Ok(());
    }
    let mut text = Text::new(output_bytes(state));
    text.str(value)?;
    Ok(out.write_str(&text.finish())?)
}

/// A text that refuses to grow beyond its limit.
pub(super) struct Text {
    text: String,
    limit: usize,
}

impl Text {
    /// Starts an empty text of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            text: String::new(),
            limit,
        }
    }

    /// Returns the text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Adds text.
    pub(super) fn push(&mut self, text: &str) -> Result<(), Error> {
        self.repeat(text, 1)
    }

    /// Adds a character.
    pub(super) fn push_char(&mut self, char: char) -> Result<(), Error> {
        self.push(char.encode_utf8(&mut [0; 4]))
    }

    /// Adds text `count` times.
    pub(super) fn repeat(&mut self, text: &str, count: usize) -> Result<(), Error> {
        let added = text.len().checked_mul(count);
        let len = added.and_then(|added| added.checked_add(self.text.len()));
        if len.is_none_or(|len| len > self.limit) {
            return Err(error(format!("a text grows beyond {} bytes", self.limit)));
        }
        (0..if added == Some(0) { 0 } else { count }).for_each(|_| self.text.push_str(text));
        Ok(())
    }

    /// Adds `str(value)`.
    pub(super) fn str(&mut self, value: &Value) -> Result<(), Error> {
        match value.as_str() {
            Some(text) => self.push(text),
            None => self.repr(value, DEPTH),
        }
    }

    /// Adds `repr(value)`, where lists and maps nest at most `depth` levels.
    pub(super) fn repr(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        let inner = depth
            .checked_sub(1)
            .ok_or_else(|| error("lists and maps nest too deeply"))?;
        if let Some(lazy) = value.downcast_object_ref::<Lazy>() {
            return Err(lazy.misuse());
        }
        if value.downcast_object_ref::<Range>().is_some() {
            return self.push(&value.to_string());
        }
        match value.kind() {
            ValueKind::None => self.push("None"),
            ValueKind::Bool => self.push(if value.is_true() { "True" } else { "False" }),
            ValueKind::Number => self.push(&number(value)),
            ValueKind::String if value.is_safe() => {
                self.push("Markup(")?;
                self.quote(value.as_str().unwrap_or_default())?;
                self.push(")")
            }
            ValueKind::String => self.quote(value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => self.list(value, inner),
            ValueKind::Map if !is_internal(value) => self.map(value, inner),
            ValueKind::Undefined => defined(value.clone()).map(drop),
            _ => Err(error(format!("{} has no text", name_of(value)))),
        }
    }

    fn list(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        let tuple = value.is_tuple() || value.downcast_object_ref::<Group>().is_some();
        self.push(if tuple { "(" } else { "[" })?;
        let mut count = 0;
        for item in value.try_iter()?.checked() {
            if count > 0 {
                self.push(", ")?;
            }
            self.repr(&item?, depth)?;
            count += 1;
        }
        self.push(match (tuple, count) {
            (true, 1) => ",)",
            (true, _) => ")",
            _ => "]",
        })
    }

    fn map(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        self.push("{")?;
        for (index, key) in value.try_iter()?.checked().enumerate() {
            let key = key?;
            if index > 0 {
                self.push(", ")?;
            }
            self.repr(&key, depth)?;
            self.push(": ")?;
            self.repr(&value.get_item(&key)?, depth)?;
        }
        self.push("}")
    }

    /// Adds a string in quotes: single ones, unless it holds single ones and no double ones.
    fn quote(&mut self, text: &str) -> Result<(), Error> {
        let quote = if text.contains('\'') && !text.contains('"') {
            '"'
        } else {
            '\''
        };
        self.push_char(quote)?;
        // What needs no escape is most of a text: it is copied in one piece.
        let plain = |char| char != quote && char != '\\' && is_printable(char);
        let mut rest = text;
        while let Some(next) = rest.find(|char| !plain(char)) {
            let (before, after) = rest.split_at(next);
            self.push(before)?;
            let mut after = after.chars();
            let Some(char) = after.next() else { break };
            rest = after.as_str();
            match char {
                '\n' => self.push("\\n")?,
                '\r' => self.push("\\r")?,
                '\t' => self.push("\\t")?,
                '\\' => self.push("\\\\")?,
                _ if char == quote => self.push(&format!("\\{quote}"))?,
                _ => self.push(&match u32::from(char) {
                    code @ ..=0xff => format!("\\x{code:02x}"),
                    code @ ..=0xffff => format!("\\u{code:04x}"),
                    code => format!("\\U{code:08x}"),
                })?,
            }
        }
        self.push(rest)?;
        self.push_char(quote)
    }
}

/// Tells whether a map is none to its writer: macros and `loop` are maps to the engine.
///
/// Only their own text tells them apart: it starts with `<`, where that of a map starts with a brace.
pub(super) fn is_internal(value: &Value) -> bool {
    struct Start(bool);
    impl fmt::Write for Start {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = text.starts_with('<');
            // Enough: the whole text may be of any size.
            Err(fmt::Error)
        }
    }
    let mut start = Start(false);
    let _ = write!(start, "{value}");
    start.0
}

/// Returns the text of a number.
pub(super) fn number(value: &Value) -> String {
    if value.is_integer() {
        return value.to_string();
    }
    f64::try_from(value.clone()).map_or_else(|_| value.to_string(), float)
}

/// Returns `repr(float)`: the shortest digits that read back alike, with an exponent below 1e-4 and from 1e16 on.
pub(super) fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let mut scientific = format!("{value:e}");
    let digits = scientific
        .bytes()
        .take_while(|byte| *byte != b'e')
        .filter(u8::is_ascii_digit)
        .count();
    // Of two equally short texts that are equally near, Python takes the even one, as exact formatting does.
    let even = format!("{value:.*e}", digits - 1);
    let same = even.parse() == Ok(value);
    if same {
        scientific = even;
    }
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs());
    }
    if !same {
        return format!("{value:?}");
    }
    let places = i32::try_from(digits).unwrap_or_default() - 1 - exponent;
    format!("{value:.*}", usize::try_from(places.max(1)).unwrap_or(1))
}

/// Returns an integer or a boolean as a number.
pub(super) fn integer(value: &Value) -> Option<i128> {
    match value.kind() {
        ValueKind::Bool => Some(i128::from(value.is_true())),
        ValueKind::Number if value.is_integer() => i128::try_from(value.clone()).ok(),
        _ => None,
    }
}

/// Returns a number or a boolean as a float.
#[expect(clippy::cast_precision_loss, reason = "as Python's float() rounds")]
pub(super) fn real(value: &Value) -> Option<f64> {
    if let Some(integer) = integer(value) {
        return Some(integer as f64);
    }
    (value.kind() == ValueKind::Number && !value.is_integer())
        .then(|| f64::try_from(value.clone()).ok())
        .flatten()
}

/// Returns Python's word for the type of a value.
pub(super) fn name_of(value: &Value) -> &'static str {
    match value.kind() {
        ValueKind::Undefined => "an undefined value",
        ValueKind::None => "none",
        ValueKind::Bool => "a boolean",
        ValueKind::Number if value.is_integer() => "an integer",
        ValueKind::Number => "a float",
        ValueKind::String => "a string",
        ValueKind::Bytes => "a byte string",
        ValueKind::Map if is_internal(value) => "a macro or loop",
        ValueKind::Map => "a map",
        ValueKind::Seq | ValueKind::Iterable => "a list",
        ValueKind::Plain => "a function",
        _ => "an invalid value",
    }
}

/// Tells whether Python's `str.isspace` counts the character; it knows four more than Unicode's white space.
pub(super) fn is_space(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\x1c'..='\x1f')
}

/// Tells whether `repr` shows a character as it is.
///
/// Approximates Python's table: control, format, private and space characters are escaped; code points
/// that no Unicode version assigns are not looked up.
fn is_printable(char: char) -> bool {
    !(char.is_control()
        || (char != ' ' && char.is_whitespace())
        || matches!(char,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
            | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{fffe}'..='\u{ffff}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e00ff}'
            | '\u{e01f0}'..))
}
