//! Filters that work on a text.

use std::collections::HashSet;

use minijinja::value::StringInput;
use minijinja::{Error, Value};

use super::Call;
use crate::engine::jinja::python::is_space;

/// Returns `str(value)`, and whether it is marked as safe: what is made of it stays so.
fn subject(call: &Call) -> Result<(String, bool), Error> {
    let value = call.value()?;
    Ok((call.str(&value)?, value.is_safe()))
}

fn marked(text: impl Into<String>, safe: bool) -> Value {
    let text = text.into();
    if safe {
        Value::from_safe_string(text)
    } else {
        text.into()
    }
}

pub(super) fn upper(call: &mut Call) -> Result<Value, Error> {
    let (text, safe) = subject(call)?;
    Ok(marked(text.to_uppercase(), safe))
}

pub(super) fn lower(call: &mut Call) -> Result<Value, Error> {
    let (text, safe) = subject(call)?;
    Ok(marked(text.to_lowercase(), safe))
}

pub(super) fn capitalize(call: &mut Call) -> Result<Value, Error> {
    let (text, safe) = subject(call)?;
    let text = marked(text, safe);
    // The engine's own filter agrees with Python, and knows the title case of digraphs.
    Ok(minijinja::filters::capitalize(StringInput::new(
        call.state, &text,
    )?))
}

pub(super) fn title(call: &mut Call) -> Result<Value, Error> {
    let (text, _) = subject(call)?;
    let mut titled = String::with_capacity(text.len());
    for word in text.split_inclusive(|char| is_space(char) || "-({[<".contains(char)) {
        let mut chars = word.chars();
        titled.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        titled.push_str(&chars.as_str().to_lowercase());
    }
    Ok(titled.into())
}

pub(super) fn trim(call: &mut Call) -> Result<Value, Error> {
    trimmed(call, |text, drops| text.trim_matches(drops))
}

pub(super) fn trim_start(call: &mut Call) -> Result<Value, Error> {
    trimmed(call, |text, drops| text.trim_start_matches(drops))
}

pub(super) fn trim_end(call: &mut Call) -> Result<Value, Error> {
    trimmed(call, |text, drops| text.trim_end_matches(drops))
}

fn trimmed(
    call: &Call,
    trim: for<'t> fn(&'t str, &dyn Fn(char) -> bool) -> &'t str,
) -> Result<Value, Error> {
    let (text, safe) = subject(call)?;
    let Some(chars) = call.given("chars") else {
        return Ok(marked(trim(&text, &is_space), safe));
    };
    let chars = chars
        .as_str()
        .ok_or_else(|| call.error("needs a text for `chars`"))?;
    // Looked up, since both texts can be long.
    let chars: HashSet<char> = chars.chars().collect();
    Ok(marked(trim(&text, &|char| chars.contains(&char)), safe))
}

pub(super) fn center(call: &mut Call) -> Result<Value, Error> {
    let (text, safe) = subject(call)?;
    let width = usize::try_from(call.integer("width", 80)?).unwrap_or(0);
    let padding = width.saturating_sub(text.chars().count());
    let left = padding / 2 + (padding & width & 1);
    let mut centered = call.text();
    centered.repeat(" ", left)?;
    centered.push(&text)?;
    centered.repeat(" ", padding - left)?;
    Ok(marked(centered.finish(), safe))
}

pub(super) fn replace(call: &mut Call) -> Result<Value, Error> {
    let (text, _) = subject(call)?;
    let (old, new) = (
        call.str(&call.required("old")?)?,
        call.str(&call.required("new")?)?,
    );
    let count = match call.given("count") {
        Some(_) => usize::try_from(call.integer("count", 0)?).unwrap_or(usize::MAX),
        None => usize::MAX,
    };
    let mut replaced = call.text();
    let mut end = 0;
    for (start, found) in text.match_indices(&old).take(count) {
        call.pay(1)?;
        replaced.push(&text[end..start])?;
        replaced.push(&new)?;
        end = start + found.len();
    }
    replaced.push(&text[end..])?;
    Ok(replaced.finish().into())
}

pub(super) fn indent(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    let text = value.as_str().ok_or_else(|| call.error("needs a text"))?;
    let mut indented = call.text();
    let margin = call.margin("width", 4)?;
    let blank = call.flag("blank")?;
    let mut first = call.flag("first")?;
    for (index, line) in lines(text).into_iter().enumerate() {
        if index > 0 {
            indented.push("\n")?;
            first = blank || !line.is_empty();
        }
        if first {
            indented.push(&margin)?;
        }
        indented.push(line)?;
    }
    Ok(marked(indented.finish(), value.is_safe()))
}

/// Splits a text and a final line break into lines, at every break that Python's `splitlines` knows.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find([
        '\n', '\r', '\x0b', '\x0c', '\x1c', '\x1d', '\x1e', '\u{85}', '\u{2028}', '\u{2029}',
    ]) {
        let (line, tail) = rest.split_at(end);
        lines.push(line);
        let mut after = tail.chars();
        after.next();
        rest = tail.strip_prefix("\r\n").unwrap_or(after.as_str());
    }
    // A text that ends in a lone carriage return forms one break with the line break behind it.
    if !text.ends_with('\r') {
        lines.push(rest);
    }
    lines
}

pub(super) fn truncate(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    let text = value.as_str().ok_or_else(|| call.error("needs a text"))?;
    let size = |name, default| match call.given(name) {
        Some(_) => call.integer(name, 0).map(|size| usize::try_from(size).ok()),
        None => Ok(Some(default)),
    };
    let end = call.text_of("end", "...")?;
    let (length, leeway) = (size("length", 255)?, size("leeway", 5)?);
    let (Some(length), Some(leeway)) = (length, leeway) else {
        return Err(call.error("needs a length and a leeway of 0 or more"));
    };
    let Some(kept) = length.checked_sub(end.chars().count()) else {
        return Err(call.error("needs a length that `end` fits in"));
    };
    let mut chars = text.char_indices();
    if chars.clone().nth(length.saturating_add(leeway)).is_none() {
        return Ok(value);
    }
    let cut = &text[..chars.nth(kept).map_or(text.len(), |(index, _)| index)];
    let cut = if call.flag("killwords")? {
        cut
    } else {
        cut.rsplit_once(' ').map_or(cut, |(head, _)| head)
    };
    Ok(marked(format!("{cut}{end}"), value.is_safe()))
}

pub(super) fn split(call: &mut Call) -> Result<Value, Error> {
    let (text, _) = subject(call)?;
    let max = usize::try_from(call.integer("maxsplit", -1)?).ok();
    let mut parts: Vec<Value> = Vec::new();
    let mut rest = text.as_str();
    let separator = call.given("sep").map(|sep| call.str(&sep)).transpose()?;
    if separator.as_ref().is_some_and(String::is_empty) {
        return Err(call.error("needs a separator that is not empty"));
    }
    loop {
        call.pay(1)?;
        let found = if let Some(separator) = &separator {
            rest.split_once(separator.as_str())
        } else {
            rest = rest.trim_start_matches(is_space);
            let end = rest.find(is_space);
            end.map(|end| (&rest[..end], rest[end..].trim_start_matches(is_space)))
        };
        let Some((part, tail)) = found.filter(|_| max.is_none_or(|max| parts.len() < max)) else {
            break;
        };
        parts.push(part.into());
        rest = tail;
    }
    if separator.is_some() || !rest.is_empty() {
        parts.push(rest.into());
    }
    Ok(parts.into())
}

pub(super) fn wordcount(call: &mut Call) -> Result<Value, Error> {
    let (text, _) = subject(call)?;
    if text.chars().any(is_unsure) {
        return Err(call.error("cannot tell the words of this script apart"));
    }
    let words = text.split(|char: char| !(char.is_alphanumeric() || char == '_'));
    Ok(words.filter(|word| !word.is_empty()).count().into())
}

/// Tells whether Python may see a gap where Rust sees a letter: Rust counts vowel signs as letters.
///
/// Sure are Latin, Greek, Cyrillic, Hebrew and Arabic letters without points, Georgian, and the scripts of East Asia.
fn is_unsure(char: char) -> bool {
    let sure = matches!(char,
        ..'\u{345}' | '\u{370}'..='\u{590}' | '\u{5d0}'..='\u{5ea}' | '\u{620}'..='\u{64a}' | '\u{10a0}'..='\u{135c}'
        | '\u{1e00}'..='\u{209c}' | '\u{3031}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7ff}' | '\u{ff10}'..='\u{ffdc}'
        | '\u{20000}'..='\u{3ffff}');
    char.is_alphanumeric() && !sure
}
