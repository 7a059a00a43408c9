//! The filter `format`: Python's `text % values`.

use minijinja::value::{Rest, ValueOrKwargs};
use minijinja::{Error, Value};

use super::Call;
use super::numbers::truncated;
use crate::engine::jinja::call::defined;
use crate::engine::jinja::python::{DEPTH, integer, name_of, real};

/// The largest width and precision, far from what stops a process.
pub(in super::super) const WIDTH: usize = 10_000;

pub(super) fn format(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if value.is_safe() {
        return Err(call.error("cannot fill in a text that is marked as safe"));
    }
    let format = call.str(&value)?;
    let keywords = call.keywords()?;
    if !call.rest().is_empty() && !keywords.is_empty() {
        return Err(call.error("takes values by position or by name, not both"));
    }
    let mut values = call.rest().to_vec().into_iter();
    let mut named = false;
    let mut text = call.text();
    let mut rest = format.as_str();
    while let Some((before, tail)) = rest.split_once('%') {
        text.push(before)?;
        let (spec, tail) = Spec::read(call, tail)?;
        rest = tail;
        if spec.conversion == '%' {
            text.push("%")?;
            continue;
        }
        let value = match &spec.key {
            Some(key) => {
                named = true;
                keywords
                    .iter()
                    .find(|(name, _)| name == key)
                    .map(|(_, value)| value.clone())
            }
            None => values.next(),
        };
        let value =
            defined(value.ok_or_else(|| call.error("has fewer values than placeholders"))?)?;
        text.push(&spec.fill(call, &value)?)?;
    }
    text.push(rest)?;
    if values.next().is_some() && !named {
        return Err(call.error("has more values than placeholders"));
    }
    Ok(call.text_done(text)?.into())
}

/// One placeholder.
struct Spec {
    key: Option<String>,
    flags: String,
    width: usize,
    precision: Option<usize>,
    conversion: char,
}

impl Spec {
    /// Reads what follows a `%`, and returns what is left.
    fn read<'t>(call: &Call, text: &'t str) -> Result<(Self, &'t str), Error> {
        let (key, text) = match text.strip_prefix('(').map(|text| text.split_once(')')) {
            None => (None, text),
            Some(Some((key, text))) => (Some(key.to_owned()), text),
            Some(None) => return Err(call.error("has a `%(` without a `)`")),
        };
        let (flags, text) = span(text, |char| "-+ 0#".contains(char));
        let (width, text) = span(text, |char| char.is_ascii_digit());
        let (precision, text) = match text.strip_prefix('.') {
            Some(text) => {
                let (precision, text) = span(text, |char| char.is_ascii_digit());
                (Some(size(call, precision)?), text)
            }
            None => (None, text),
        };
        let mut chars = text.chars();
        let conversion = chars
            .next()
            .filter(|char| "diufFeEgGxXocsr%".contains(*char));
        let conversion =
            conversion.ok_or_else(|| call.error("has a `%` that starts no placeholder"))?;
        let spec = Self {
            key,
            flags: flags.to_owned(),
            width: size(call, width)?,
            precision,
            conversion,
        };
        Ok((spec, chars.as_str()))
    }

    /// Returns the text that takes the place of the placeholder.
    fn fill(&self, call: &mut Call, value: &Value) -> Result<String, Error> {
        let text = match self.conversion {
            's' => call.str(value)?,
            'r' => {
                let mut text = call.text();
                text.repr(value, DEPTH)?;
                call.text_done(text)?
            }
            _ => return self.number(call, value),
        };
        let kept: String = text
            .chars()
            .take(self.precision.unwrap_or(usize::MAX))
            .collect();
        let padding = " ".repeat(self.width.saturating_sub(kept.chars().count()));
        Ok(if self.flags.contains('-') {
            kept + &padding
        } else {
            padding + &kept
        })
    }

    /// Leaves numbers to the engine's own filter, which agrees with Python on them.
    fn number(&self, call: &mut Call, value: &Value) -> Result<String, Error> {
        let number = match self.conversion {
            'c' => Some(value.clone()),
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => integer(value).map(Value::from),
            _ => real(value).map(Value::from),
        };
        let number = match (number, self.conversion) {
            // Python cuts a float off where an integer is asked for in decimal, and only there.
            (None, 'd' | 'i' | 'u') => real(value).and_then(truncated).map(Value::from),
            (number, _) => number,
        };
        let number = number.ok_or_else(|| {
            call.error(&format!(
                "cannot print {} with `%{}`",
                name_of(value),
                self.conversion
            ))
        })?;
        let precision = self
            .precision
            .map_or_else(String::new, |precision| format!(".{precision}"));
        let width = if self.width == 0 {
            String::new()
        } else {
            self.width.to_string()
        };
        let spec = format!("%{}{width}{precision}{}", self.flags, self.conversion);
        let filled = minijinja::filters::format(
            call.state,
            &spec.into(),
            Rest(vec![ValueOrKwargs::from(number)]),
        )?;
        Ok(filled.as_str().unwrap_or_default().to_owned())
    }
}

/// Splits a text behind the characters that `belongs` accepts.
fn span(text: &str, belongs: fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|char| !belongs(char)).unwrap_or(text.len()))
}

fn size(call: &Call, digits: &str) -> Result<usize, Error> {
    let size = if digits.is_empty() {
        Some(0)
    } else {
        digits.parse().ok()
    };
    size.filter(|size| *size <= WIDTH)
        .ok_or_else(|| call.error(&format!("pads to at most {WIDTH} characters")))
}
