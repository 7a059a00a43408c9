//! Filters that turn any value into another form.

use minijinja::value::ValueKind;
use minijinja::{Error, Value};

use super::Call;

pub(super) fn default(call: &mut Call) -> Result<Value, Error> {
    let value = call.subject()?;
    if value.is_undefined() || (call.flag("boolean")? && !value.is_true()) {
        return Ok(call
            .arg("default_value")
            .cloned()
            .unwrap_or_else(|| "".into()));
    }
    Ok(value)
}

pub(super) fn string(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if value.kind() == ValueKind::String {
        return Ok(value);
    }
    Ok(call.str(&value)?.into())
}

pub(super) fn safe(call: &mut Call) -> Result<Value, Error> {
    Ok(Value::from_safe_string(call.str(&call.value()?)?))
}

pub(super) fn escape(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if value.is_safe() {
        return Ok(value);
    }
    let mut text = call.text();
    for piece in call
        .str(&value)?
        .split_inclusive(['&', '<', '>', '"', '\''])
    {
        let plain = piece.trim_end_matches(['&', '<', '>', '"', '\'']);
        text.push(plain)?;
        text.push(match &piece[plain.len()..] {
            "&" => "&amp;",
            "<" => "&lt;",
            ">" => "&gt;",
            "\"" => "&#34;",
            "'" => "&#39;",
            _ => "",
        })?;
    }
    Ok(Value::from_safe_string(call.text_done(text)?))
}

pub(super) fn urlencode(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    let pairs = match value.kind() {
        ValueKind::Map => {
            let keys = call.items(&value)?.into_iter();
            keys.map(|key| Ok((key.clone(), value.get_item(&key)?)))
                .collect::<Result<Vec<_>, Error>>()?
        }
        ValueKind::Seq | ValueKind::Iterable => {
            let items = call.items(&value)?;
            items
                .iter()
                .map(|pair| pair_of(call, pair))
                .collect::<Result<_, _>>()?
        }
        _ => return Ok(quote(call, &value, b"/")?.into()),
    };
    let mut text = call.text();
    for (index, (key, value)) in pairs.iter().enumerate() {
        if index > 0 {
            text.push("&")?;
        }
        text.push(&quote(call, key, b"")?.replace("%20", "+"))?;
        text.push("=")?;
        text.push(&quote(call, value, b"")?.replace("%20", "+"))?;
    }
    Ok(call.text_done(text)?.into())
}

fn pair_of(call: &Call, pair: &Value) -> Result<(Value, Value), Error> {
    match &call.items(pair)?[..] {
        [key, value] => Ok((key.clone(), value.clone())),
        _ => Err(call.error("needs a text, a map or a list of pairs")),
    }
}

/// Escapes all bytes of a text but letters, digits, `_.-~` and those of `safe`.
fn quote(call: &Call, value: &Value, safe: &[u8]) -> Result<String, Error> {
    let mut text = call.text();
    for byte in call.str(value)?.bytes() {
        if byte.is_ascii_alphanumeric() || b"_.-~".contains(&byte) || safe.contains(&byte) {
            text.push_char(char::from(byte))?;
        } else {
            text.push(&format!("%{byte:02X}"))?;
        }
    }
    call.text_done(text)
}
