//! The filter `tojson`: Python's `json.dumps` with sorted keys, safe inside HTML.

use minijinja::value::ValueKind;
use minijinja::{Error, Value};

use super::Call;
use crate::engine::jinja::call::{defined, error};
use crate::engine::jinja::lazy::{Lazy, Range};
use crate::engine::jinja::order;
use crate::engine::jinja::python::{self, DEPTH, Text, name_of};

pub(super) fn tojson(call: &mut Call) -> Result<Value, Error> {
    let margin = call
        .given("indent")
        .map(|_| call.margin("indent", 0))
        .transpose()?;
    let mut writer = Writer {
        call,
        text: call.text(),
        margin,
        level: 0,
    };
    writer.value(&call.value()?)?;
    Ok(Value::from_safe_string(call.text_done(writer.text)?))
}

struct Writer<'c, 'a, 't, 'e> {
    call: &'c Call<'a, 't, 'e>,
    text: Text,
    margin: Option<String>,
    level: usize,
}

impl Writer<'_, '_, '_, '_> {
    fn value(&mut self, value: &Value) -> Result<(), Error> {
        if value.downcast_object_ref::<Lazy>().is_some()
            || value.downcast_object_ref::<Range>().is_some()
        {
            return Err(error("`tojson` needs a list; add `|list` before it"));
        }
        match value.kind() {
            ValueKind::None => self.text.push("null"),
            ValueKind::Bool => self
                .text
                .push(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number => self.text.push(&number(value)),
            ValueKind::String => self.string(value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => self.list(value),
            ValueKind::Map => self.map(value),
            ValueKind::Undefined => defined(value.clone()).map(drop),
            _ => Err(error(format!("`tojson` cannot write {}", name_of(value)))),
        }
    }

    fn list(&mut self, value: &Value) -> Result<(), Error> {
        let items = self.call.items(value)?;
        self.text.push("[")?;
        self.enter()?;
        for (index, item) in items.iter().enumerate() {
            self.next(index)?;
            self.value(item)?;
        }
        self.leave(items.len(), "]")
    }

    fn map(&mut self, value: &Value) -> Result<(), Error> {
        let keys = self.call.items(value)?.into_iter();
        let keyed = keys
            .map(|key| Ok((key.clone(), value.get_item(&key)?)))
            .collect::<Result<_, Error>>()?;
        let sorted = order::sort(self.call, keyed, false)?;
        self.text.push("{")?;
        self.enter()?;
        for (index, (key, value)) in sorted.iter().enumerate() {
            self.next(index)?;
            self.key(key)?;
            self.text.push(": ")?;
            self.value(value)?;
        }
        self.leave(sorted.len(), "}")
    }

    fn key(&mut self, key: &Value) -> Result<(), Error> {
        match key.kind() {
            ValueKind::String => self.value(key),
            ValueKind::None | ValueKind::Bool | ValueKind::Number => {
                self.text.push("\"")?;
                self.value(key)?;
                self.text.push("\"")
            }
            _ => Err(error(format!(
                "`tojson` cannot write {} as a key",
                name_of(key)
            ))),
        }
    }

    fn enter(&mut self) -> Result<(), Error> {
        self.level += 1;
        if self.level >= DEPTH {
            return Err(error("lists and maps nest too deeply"));
        }
        Ok(())
    }

    fn next(&mut self, index: usize) -> Result<(), Error> {
        if index > 0 {
            self.text
                .push(if self.margin.is_some() { "," } else { ", " })?;
        }
        self.line()
    }

    fn leave(&mut self, items: usize, bracket: &str) -> Result<(), Error> {
        self.level -= 1;
        if items > 0 {
            self.line()?;
        }
        self.text.push(bracket)
    }

    /// Starts a line, where lines are asked for.
    fn line(&mut self) -> Result<(), Error> {
        let Some(margin) = &self.margin else {
            return Ok(());
        };
        self.text.push("\n")?;
        self.text.repeat(margin, self.level)
    }

    fn string(&mut self, text: &str) -> Result<(), Error> {
        self.text.push("\"")?;
        let plain = |char| matches!(char, ' '..='~') && !"\"\\<>&'".contains(char);
        let mut rest = text;
        while let Some(next) = rest.find(|char| !plain(char)) {
            let (before, after) = rest.split_at(next);
            self.text.push(before)?;
            let mut after = after.chars();
            let Some(char) = after.next() else { break };
            rest = after.as_str();
            match char {
                '"' => self.text.push("\\\"")?,
                '\\' => self.text.push("\\\\")?,
                '\n' => self.text.push("\\n")?,
                '\r' => self.text.push("\\r")?,
                '\t' => self.text.push("\\t")?,
                '\x08' => self.text.push("\\b")?,
                '\x0c' => self.text.push("\\f")?,
                '<' | '>' | '&' | '\'' => self.unit(char as u16)?,
                _ => char
                    .encode_utf16(&mut [0; 2])
                    .iter()
                    .try_for_each(|unit| self.unit(*unit))?,
            }
        }
        self.text.push(rest)?;
        self.text.push("\"")
    }

    fn unit(&mut self, unit: u16) -> Result<(), Error> {
        self.text.push(&format!("\\u{unit:04x}"))
    }
}

/// Returns a number as `json.dumps` writes it: like Python, but with its own words for what is not finite.
fn number(value: &Value) -> String {
    match python::number(value).as_str() {
        "nan" => "NaN".to_owned(),
        "inf" => "Infinity".to_owned(),
        "-inf" => "-Infinity".to_owned(),
        number => number.to_owned(),
    }
}
