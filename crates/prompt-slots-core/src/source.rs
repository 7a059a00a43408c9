//! From the bytes of a file to text that both YAML parsers read alike.

use std::borrow::Cow;

use memchr::memchr;

use crate::finding::Finding;
use crate::limits::Limits;
use crate::place::Pos;

/// Decodes the bytes of a slot file: UTF-8, one leading BOM dropped, CRLF read as LF.
///
/// Characters that one YAML parser takes for a line break and another for text are refused, because limits that are
/// checked with the first would not hold for the second.
pub(crate) fn decode<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Cow<'a, str>, Finding> {
    if bytes.len() > limits.file_bytes {
        return Err(too_large(bytes.len(), limits));
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(Finding::error("the file is UTF-16 text").hint("save it as UTF-8"));
    }
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            return Err(Finding::error("the file is not UTF-8 text")
                .hint("save it as UTF-8")
                .at(end_of(&good)));
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = if memchr(b'\r', text.as_bytes()).is_some() {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    };
    // Most files are ASCII, which needs no decoding to be looked through; without an early end many bytes are looked at
    // at once.
    let is_plain = |byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
    if text.bytes().fold(true, |all, byte| all & is_plain(byte)) {
        return Ok(text);
    }
    match text.char_indices().find(|(_, c)| is_refused(*c)) {
        Some((offset, c)) => {
            let before = text.get(..offset).unwrap_or_default();
            Err(refused(c).at(end_of(before)))
        }
        None => Ok(text),
    }
}

/// Says that a file is over the limit.
pub fn too_large(bytes: usize, limits: &Limits) -> Finding {
    let limit = limits.file_bytes;
    Finding::error(format!("the file has {bytes} bytes, the limit is {limit}"))
        .hint("move what is not part of the prompt out of it")
}

/// Tells whether a character may not stand in a file as it is.
fn is_refused(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn refused(c: char) -> Finding {
    let code = u32::from(c);
    match c {
        '\r' => Finding::error("a carriage return without a line feed")
            .hint("save the file with LF or CRLF line ends"),
        '\u{feff}' => {
            Finding::error("a byte order mark (U+FEFF) inside the file").hint("delete it")
        }
        '\u{85}' | '\u{2028}' | '\u{2029}' => {
            Finding::error(format!("a line separator (U+{code:04X})")).hint(format!(
                "delete it, or write it as \"\\u{code:04X}\" in double quotes"
            ))
        }
        _ => Finding::error(format!("a control character (U+{code:04X})")).hint(format!(
            "delete it, or write it as \"\\x{code:02X}\" in double quotes"
        )),
    }
}

/// Returns the position just behind `text`.
fn end_of(text: &str) -> Pos {
    let line_start = text.rfind('\n').map_or(0, |end| end + 1);
    let line = text.matches('\n').count() + 1;
    let column = text.get(line_start..).unwrap_or_default().chars().count() + 1;
    Pos::new(
        u32::try_from(line).unwrap_or(u32::MAX),
        u32::try_from(column).unwrap_or(u32::MAX),
    )
}
