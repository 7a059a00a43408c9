//! The slips of a YAML beginner, told as what they are instead of in a parser's words.

use crate::finding::Finding;
use crate::key;
use crate::place::Pos;

/// Explains why the parser stopped at `pos` with `info`.
pub(crate) fn explain(source: &str, pos: Pos, info: &str) -> Finding {
    merge_conflict(source)
        .or_else(|| unquoted_template(source, pos))
        .or_else(|| fallen_out(source, pos))
        .or_else(|| tab(source, pos))
        .or_else(|| unfinished_key(source, pos))
        .unwrap_or_else(|| in_other_words(info).at(pos))
}

/// Finds `template: {{ x }}`: a text key whose plain value starts like a template, which YAML takes for a map.
pub(crate) fn unquoted_template(source: &str, pos: Pos) -> Option<Finding> {
    // The parser may stop a line late, where it learns that the "map" goes on as text.
    let lines: Vec<&str> = source.lines().take(pos.line as usize).collect();
    let (number, key, value, column) =
        lines
            .iter()
            .enumerate()
            .rev()
            .take(3)
            .find_map(|(number, line)| {
                let (key, value, column) = text_key_line(line)?;
                Some((number, key, value, column))
            })?;
    let line = u32::try_from(number + 1).ok()?;
    // On a line before, only what can't be meant as a map: an output schema may well describe a `description`.
    let is_template = ["{{", "{%", "{#"]
        .iter()
        .any(|mark| value.starts_with(mark));
    let is_odd = value.starts_with(['{', '%']) && line == pos.line;
    if !is_template && !is_odd {
        return None;
    }
    Some(
        Finding::error("this looks like an unquoted template; to YAML it starts a map")
            .hint(format!(
                "quote it, or use `{key}: |` and put the text on the next line, indented"
            ))
            .key(key)
            .at(Pos::new(line, column)),
    )
}

/// Splits `  - template: rest` into the key, the rest and the rest's column, where the key holds text.
fn text_key_line(line: &str) -> Option<(&str, &str, u32)> {
    let (before, value) = line.split_once(':')?;
    let key = before.trim_start_matches([' ', '-', '{']);
    key::TEXT_KEYS.contains(&key).then_some(())?;
    let trimmed = value.trim_start();
    let column = line.chars().count() - trimmed.chars().count() + 1;
    Some((key, trimmed, u32::try_from(column).ok()?))
}

/// A literal or folded block of the file, found by its lines alone.
struct Block<'a> {
    key: &'a str,
    header: usize,
    indent: usize,
}

/// Finds a line that was meant to be in a block of text and fell out of it by its indentation.
fn fallen_out(source: &str, pos: Pos) -> Option<Finding> {
    let stop = pos.line as usize;
    let mut block: Option<Block<'_>> = None;
    let mut inner: Option<usize> = None;
    for (number, line) in source.lines().enumerate() {
        if number > stop {
            break;
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        if line.trim().is_empty() {
            continue;
        }
        if let Some(open) = &block {
            if indent > open.indent {
                let first = *inner.get_or_insert(indent);
                if indent < first && number + 2 >= stop {
                    return Some(deeper_first_line(open, number, indent));
                }
                continue;
            }
            if number + 2 >= stop && !is_key_line(line) && !line.trim_start().starts_with('#') {
                return Some(
                    tab_in_lead(line, number)
                        .unwrap_or_else(|| ended_block(open.key, open.header, number, indent)),
                );
            }
        }
        (block, inner) = (block_header(line, number, indent), None);
    }
    None
}

/// Says that the line at `pos` ended the text above it. For a line that YAML could read as a key of its own.
pub(crate) fn ended_the_text_above(source: &str, pos: Pos) -> Option<Finding> {
    let number = pos.line as usize - 1;
    let mut block: Option<Block<'_>> = None;
    for (at, line) in source.lines().enumerate().take(number) {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let inside =
            line.trim().is_empty() || block.as_ref().is_some_and(|open| indent > open.indent);
        if !inside {
            block = block_header(line, at, indent);
        }
    }
    let open = block?;
    Some(ended_block(
        open.key,
        open.header,
        number,
        pos.column as usize - 1,
    ))
}

fn ended_block(key: &str, header: usize, number: usize, indent: usize) -> Finding {
    let place = Pos::new(
        u32::try_from(number + 1).unwrap_or(1),
        u32::try_from(indent + 1).unwrap_or(1),
    );
    Finding::error(format!("this line ended `{key}` (line {})", header + 1))
        .hint(format!(
            "indent it like the lines of `{key}`, if it belongs to that text"
        ))
        .at(place)
}

fn deeper_first_line(block: &Block<'_>, number: usize, indent: usize) -> Finding {
    let (key, spaces) = (block.key, indent - block.indent);
    let place = Pos::new(
        u32::try_from(number + 1).unwrap_or(1),
        u32::try_from(indent + 1).unwrap_or(1),
    );
    Finding::error(format!(
        "the first line of `{key}` (line {}) is indented deeper than this one",
        block.header + 1
    ))
    .hint(format!(
        "write `{key}: |{spaces}`, or indent all lines alike"
    ))
    .at(place)
}

/// Reads `key: |` and its kin.
fn block_header(line: &str, number: usize, indent: usize) -> Option<Block<'_>> {
    let (before, after) = line.split_once(':')?;
    let after = after.split(" #").next().unwrap_or_default().trim();
    let marks = after.strip_prefix(['|', '>'])?;
    let plain = marks.chars().all(|c| matches!(c, '+' | '-' | '1'..='9'));
    let key = before.trim_start_matches([' ', '-']);
    // The lines below are measured against the key, not against a dash before it.
    let indent = if line.trim_start().starts_with('-') {
        before.len() - key.len()
    } else {
        indent
    };
    plain.then_some(Block {
        key,
        header: number,
        indent,
    })
}

/// Tells whether a line starts with a key that a slot file knows.
fn is_key_line(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| {
        let key = key.trim_start_matches([' ', '-']).trim_end();
        key::is_known_anywhere(key) || key.starts_with("x-")
    })
}

fn tab(source: &str, pos: Pos) -> Option<Finding> {
    let last = pos.line as usize;
    source
        .lines()
        .enumerate()
        .take(last)
        .skip(last.saturating_sub(2))
        .find_map(|(number, line)| tab_in_lead(line, number))
}

fn tab_in_lead(line: &str, number: usize) -> Option<Finding> {
    let lead: String = line.chars().take_while(|c| c.is_whitespace()).collect();
    let column = lead.chars().position(|c| c == '\t')?;
    let place = Pos::new(
        u32::try_from(number + 1).ok()?,
        u32::try_from(column + 1).ok()?,
    );
    Some(
        Finding::error("a tab is used as indentation")
            .hint("YAML wants spaces there")
            .at(place),
    )
}

/// Finds the marks that a merge leaves where two versions differ.
fn merge_conflict(source: &str) -> Option<Finding> {
    let number = source
        .lines()
        .position(|line| line.starts_with("<<<<<<< "))?;
    let finding = Finding::error("a merge left both versions of some lines here");
    let line = u32::try_from(number + 1).ok()?;
    Some(
        finding
            .hint("keep one, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`")
            .at(Pos::new(line, 1)),
    )
}

/// Finds `enabled true` and `enabled:true`: to YAML the start of a text that goes on with the next line.
fn unfinished_key(source: &str, pos: Pos) -> Option<Finding> {
    let lines: Vec<&str> = source.lines().take(pos.line as usize).collect();
    let (number, line, key) =
        lines
            .iter()
            .enumerate()
            .rev()
            .take(2)
            .find_map(|(number, line)| {
                let start = line.trim_start_matches([' ', '-']);
                let end = start.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
                let (key, behind) = start.split_at(end);
                let is_complete = behind.trim_start().starts_with(": ") || behind.trim() == ":";
                (key::is_known_anywhere(key) && !is_complete).then_some((number, *line, key))
            })?;
    let column = line.chars().count() - line.trim_start_matches([' ', '-']).chars().count() + 1;
    Some(
        Finding::error(format!("`{key}` is not followed by a colon and a space"))
            .hint(format!("write `{key}: value`"))
            .at(Pos::new(
                u32::try_from(number + 1).ok()?,
                u32::try_from(column).ok()?,
            )),
    )
}

fn in_other_words(info: &str) -> Finding {
    if info.contains("recursion limit") {
        return Finding::error("lists and maps are nested too deep").hint("flatten them");
    }
    let hint = if info.contains("mapping values are not allowed") {
        "a value that contains `: ` must be quoted; or check the indentation"
    } else if info.contains("unclosed quote") {
        "close the quote; a quote inside the text is doubled ('') or escaped (\\\")"
    } else if info.contains("unknown escape") {
        "write the backslash twice, or use single quotes"
    } else if info.contains("trailing content") {
        "a quote inside quotes is doubled ('') or escaped (\\\"); or use `|` and put the text on the lines below"
    } else if info.contains("block scalar") {
        "put the text on the lines below, indented; or quote a value that starts with `|` or `>`"
    } else if info.contains("unexpected character") || info.contains("anchor") {
        "quote the value: YAML keeps its first character for itself"
    } else {
        "check quotes and indentation here and on the line before"
    };
    Finding::error(format!("not valid YAML: {info}")).hint(hint)
}
