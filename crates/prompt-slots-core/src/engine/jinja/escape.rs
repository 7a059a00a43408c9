//! The escapes in a text literal: only those that Python and the engine read alike.

use super::{Span, hinted};
use crate::engine::TemplateError;

/// Judges what stands between the quotes of a text that starts at byte `start` of the template.
pub(super) fn check(text: &str, start: usize) -> Result<(), TemplateError> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '\\' {
            continue;
        }
        let Some((_, escaped)) = chars.next() else {
            break;
        };
        if !is_alike(escaped, chars.as_str()) {
            let start = start + at;
            let span = Span {
                start,
                end: start + 1 + escaped.len_utf8(),
            };
            return Err(hinted(
                span,
                format!(
                    "the escape `\\{}` isn't offered here",
                    escaped.escape_debug()
                ),
                "write the character itself, or its code in four digits: `\\u00e9`",
            ));
        }
    }
    Ok(())
}

/// Tells whether both read a backslash, this character and what follows in the same way.
fn is_alike(escaped: char, rest: &str) -> bool {
    let digits = |count: usize| {
        let digits = rest.get(..count)?;
        let all = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        all.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    match escaped {
        // The engine keeps the backslash of the first ones, and drops that of the slash.
        'a' | 'v' | 'N' | 'U' | '\n' | '/' => false,
        'x' => digits(2).is_some(),
        // A half of a pair is a character to Python.
        'u' => digits(4).is_some_and(|code| char::from_u32(code).is_some()),
        // Python goes beyond one byte.
        '4'..='7' => {
            let more = rest.bytes().take(2);
            more.filter(|byte| matches!(byte, b'0'..=b'7')).count() < 2
        }
        _ => escaped.is_ascii(),
    }
}
