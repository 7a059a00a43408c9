//! The f-string format: the braces of Python's `str.format`, kept to `{name}`, `{{` and `}}`.
//!
//! What else Python reads inside braces (attributes, indices, conversions, widths) lets a template run code or print
//! what nobody declared, and is what a JSON example in a prompt looks like; so it is refused, by its name.

mod parse;

use std::io::{self, Write};

use minijinja::Value;
use minijinja::value::ValueKind;
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use self::parse::Parser;
use super::{FreeName, TemplateError};
use crate::limits::Limits;

pub(super) use self::parse::is_name;

/// A template in the f-string format, cut into literal text and names.
#[derive(Debug, Clone)]
pub(super) struct Template {
    pieces: Vec<Piece>,
    names: Vec<FreeName>,
    output_bytes: usize,
}

#[derive(Debug, Clone)]
enum Piece {
    Text(String),
    /// A placeholder, as an index into `names`.
    Name(usize),
}

impl Template {
    pub(super) fn new(source: &str, limits: &Limits) -> Result<Self, Vec<TemplateError>> {
        if source.len() > limits.file_bytes {
            let message = format!("the template is larger than {} bytes", limits.file_bytes);
            return Err(vec![error(None, message)]);
        }
        let mut parser = Parser::default();
        let findings = parser.read(source);
        if !findings.is_empty() {
            return Err(findings);
        }
        Ok(Self {
            pieces: parser.pieces,
            names: parser.names,
            output_bytes: limits.output_bytes,
        })
    }

    pub(super) fn free_names(&self) -> &[FreeName] {
        &self.names
    }

    /// Fills the template in: text verbatim, integers in decimal (both as `str.format` does), all else as JSON.
    ///
    /// The JSON is laid out as `json.dumps(value, ensure_ascii=False)` does, with `", "` and `": "`. A `nan` or an
    /// infinity becomes `null`, for JSON has no word for it.
    pub(super) fn render(&self, values: &Value) -> Result<String, TemplateError> {
        let given = self.look_up(values)?;
        let mut output = Output {
            bytes: Vec::new(),
            limit: self.output_bytes,
        };
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => output.text(text)?,
                Piece::Name(index) => {
                    if let Some((free, value)) = given.get(*index) {
                        output.value(free, value)?;
                    }
                }
            }
        }
        output.finish()
    }

    /// Returns each name with its value, or an error that lists all names without one.
    fn look_up(&self, values: &Value) -> Result<Vec<(&FreeName, Value)>, TemplateError> {
        if values.kind() == ValueKind::Invalid {
            return Err(error(None, "the values can't be read".to_owned()));
        }
        let given: Vec<_> = self
            .names
            .iter()
            .map(|free| (free, values.get_attr(&free.name).unwrap_or_default()))
            .collect();
        let missing: Vec<&FreeName> = given
            .iter()
            .filter(|(_, value)| value.is_undefined())
            .map(|(free, _)| *free)
            .collect();
        let Some(first) = missing.first() else {
            return Ok(given);
        };
        let names: Vec<String> = missing
            .iter()
            .map(|free| format!("`{}`", free.name))
            .collect();
        let message = format!("no value for {}", names.join(", "));
        Err(error(Some(first), message))
    }
}

fn error(about: Option<&FreeName>, message: String) -> TemplateError {
    TemplateError {
        range: about.map(|free| free.range.clone()),
        message,
        hint: None,
    }
}

/// A rendering in progress, which fails as soon as it would grow over its limit.
struct Output {
    bytes: Vec<u8>,
    limit: usize,
}

impl Output {
    fn text(&mut self, text: &str) -> Result<(), TemplateError> {
        self.write_all(text.as_bytes()).map_err(|_| self.too_long())
    }

    fn value(&mut self, free: &FreeName, value: &Value) -> Result<(), TemplateError> {
        if let Some(text) = value.as_str() {
            return self.text(text);
        }
        // The words of the other error are left out, for they may quote the value.
        let unfit = || {
            error(
                Some(free),
                format!("the value of `{}` can't be written as JSON", free.name),
            )
        };
        if value.kind() == ValueKind::Invalid {
            return Err(unfit());
        }
        value
            .serialize(&mut Serializer::with_formatter(&mut *self, Spaced))
            .map_err(|error| {
                if error.is_io() {
                    self.too_long()
                } else {
                    unfit()
                }
            })
    }

    fn finish(self) -> Result<String, TemplateError> {
        String::from_utf8(self.bytes)
            .map_err(|_| error(None, "the rendered text is not UTF-8".to_owned()))
    }

    fn too_long(&self) -> TemplateError {
        error(
            None,
            format!("the rendered text is longer than {} bytes", self.limit),
        )
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.limit.saturating_sub(self.bytes.len()) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The spacing of Python's `json.dumps`.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { to.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { to.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }
}
