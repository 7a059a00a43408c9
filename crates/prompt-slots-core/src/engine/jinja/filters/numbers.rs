//! Filters that make or change numbers.

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Error, Value};

use super::Call;
use crate::engine::jinja::python::{integer, name_of, real};

pub(super) fn abs(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if let Some(number) = integer(&value) {
        return number
            .checked_abs()
            .map(whole)
            .ok_or_else(|| too_large(call));
    }
    real(&value)
        .map(|number| number.abs().into())
        .ok_or_else(|| not_a_number(call, &value))
}

pub(super) fn int(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    let default = call.arg("default").cloned().unwrap_or_else(|| 0.into());
    let base = u32::try_from(call.integer("base", 10)?)
        .ok()
        .filter(|base| (2..=36).contains(base));
    let base = base.ok_or_else(|| call.error("needs a base from 2 to 36"))?;
    if let Some(number) = integer(&value) {
        return Ok(whole(number));
    }
    let number = match value.as_str() {
        Some(text) => {
            let text = ascii(call, text)?;
            if let Some(number) = parse_int(text, base).transpose() {
                return number.map(whole).map_err(|()| too_large(call));
            }
            parse_float(text).filter(|number| number.is_finite())
        }
        None => real(&value),
    };
    match number {
        Some(number) if !number.is_nan() => {
            truncated(number).map(whole).ok_or_else(|| too_large(call))
        }
        _ => Ok(default),
    }
}

pub(super) fn float(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    let number = match value.as_str() {
        Some(text) => parse_float(ascii(call, text)?),
        None => real(&value),
    };
    Ok(match number {
        Some(number) => number.into(),
        None => call.arg("default").cloned().unwrap_or_else(|| 0.0.into()),
    })
}

pub(super) fn round(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    let precision = call.integer("precision", 0)?;
    let precision = i32::try_from(precision)
        .ok()
        .filter(|precision| (-300..=300).contains(precision));
    let precision = precision.ok_or_else(|| call.error("needs a precision from -300 to 300"))?;
    let toward: fn(f64) -> f64 = match call.text_of("method", "common")?.as_str() {
        "common" => {
            if real(&value).is_none() {
                return Err(not_a_number(call, &value));
            }
            let value = integer(&value).map_or(value, whole);
            // The engine's own filter agrees with Python's `round`, to the last digit.
            return minijinja::filters::round(
                value,
                Some(precision),
                None,
                Kwargs::from_iter(Vec::<(String, Value)>::new()),
            );
        }
        "ceil" => f64::ceil,
        "floor" => f64::floor,
        _ => return Err(call.error("has the methods `common`, `ceil` and `floor`")),
    };
    let number = real(&value).ok_or_else(|| not_a_number(call, &value))?;
    let scale: f64 = format!("1e{precision}").parse().unwrap_or(1.0);
    // An integer in between, as in Python, so that there is no negative zero.
    let rounded = (toward(number * scale) + 0.0) / scale;
    if !rounded.is_finite() {
        return Err(too_large(call));
    }
    Ok(rounded.into())
}

pub(super) fn filesizeformat(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    let bytes = match value.as_str() {
        Some(text) => parse_float(ascii(call, text)?),
        None => real(&value),
    };
    let bytes = bytes
        .filter(|bytes| bytes.is_finite())
        .ok_or_else(|| not_a_number(call, &value))?;
    let (base, infix) = if call.flag("binary")? {
        (1024.0, "i")
    } else {
        (1000.0, "")
    };
    if bytes.total_cmp(&1.0).is_eq() {
        return Ok("1 Byte".into());
    }
    if bytes < base {
        return Ok(format!("{:.0} Bytes", bytes.trunc() + 0.0).into());
    }
    let mut unit: f64 = base;
    let mut prefixes = "kMGTPEZY".chars().peekable();
    while let Some(prefix) = prefixes.next() {
        unit *= base;
        if bytes < unit || prefixes.peek().is_none() {
            let prefix = if prefix == 'k' && infix == "i" {
                'K'
            } else {
                prefix
            };
            return Ok(format!("{:.1} {prefix}{infix}B", base * bytes / unit).into());
        }
    }
    Err(too_large(call))
}

/// Returns a whole number in its smallest form.
fn whole(number: i128) -> Value {
    i64::try_from(number).map_or_else(|_| number.into(), Value::from)
}

/// Returns a float without its fraction, if an integer can hold it.
#[expect(
    clippy::cast_possible_truncation,
    reason = "checked, and the fraction is to go"
)]
pub(super) fn truncated(number: f64) -> Option<i128> {
    (number.abs() < 1e38).then_some(number as i128)
}

/// Returns a text without white space around it. Python reads the digits of all scripts; these are refused here.
fn ascii<'t>(call: &Call, text: &'t str) -> Result<&'t str, Error> {
    if text
        .chars()
        .any(|char| !char.is_ascii() && char.is_numeric())
    {
        return Err(call.error("reads only the digits 0 to 9"));
    }
    Ok(text.trim())
}

/// Reads an integer as Python's `int(text, base)`: `None` if it is none, `Err` if it is too large.
fn parse_int(text: &str, base: u32) -> Result<Option<i128>, ()> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let digits = match (
        base,
        digits.get(..2).map(str::to_ascii_lowercase).as_deref(),
    ) {
        (2, Some("0b")) | (8, Some("0o")) | (16, Some("0x")) => {
            let rest = &digits[2..];
            rest.strip_prefix('_').unwrap_or(rest)
        }
        _ => digits,
    };
    let Some(digits) =
        without_underscores(digits).filter(|digits| digits.chars().all(|char| char.is_digit(base)))
    else {
        return Ok(None);
    };
    let number = i128::from_str_radix(&digits, base).map_err(drop)?;
    Ok(Some(if negative { -number } else { number }))
}

/// Reads a float as Python's `float(text)`.
fn parse_float(text: &str) -> Option<f64> {
    if !text.contains('_') {
        return text.parse().ok();
    }
    let bytes = text.as_bytes();
    let between_digits = |index: usize| {
        let digit = |index: Option<usize>| {
            index
                .and_then(|index| bytes.get(index))
                .is_some_and(u8::is_ascii_digit)
        };
        digit(index.checked_sub(1)) && digit(index.checked_add(1))
    };
    text.match_indices('_')
        .all(|(index, _)| between_digits(index))
        .then(|| text.replace('_', "").parse().ok())?
}

/// Drops the single underscores that may stand between digits.
fn without_underscores(digits: &str) -> Option<String> {
    let good = !digits.is_empty() && digits.split('_').all(|group| !group.is_empty());
    good.then(|| digits.replace('_', ""))
}

fn not_a_number(call: &Call, value: &Value) -> Error {
    match value.kind() {
        ValueKind::String => call.error("needs a number, not a text"),
        _ => call.error(&format!("needs a number, not {}", name_of(value))),
    }
}

fn too_large(call: &Call) -> Error {
    call.error("makes a number that is too large")
}
