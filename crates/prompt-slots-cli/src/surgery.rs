//! Surgery on the text of an override: it changes the lines of the keys that differ, and no others.

use std::ops::Range;

use prompt_slots::{Data, Error, Fingerprint, Layer, Limits, SlotText};

/// Returns the text of an override changed so that it says `new`.
///
/// The lines of keys that stay as they are stay byte for byte, with all comments around them. Where keys don't stand on lines
/// of their own (in a file that is one `{..}`, say), the file is written anew, without its comments.
///
/// # Errors
///
/// Fails if the text is not valid, or `new` is not.
pub(crate) fn rewrite(text: &str, new: &Data, limits: &Limits) -> Result<String, Error> {
    let read = |text: &str| SlotText::read(text.as_bytes(), Layer::App, limits);
    let old = read(text)?;
    let says = |file: &SlotText| Fingerprint::of(&file.to_data()) == Fingerprint::of(new);
    if says(&old) {
        return Ok(text.to_owned());
    }
    let mut surgeon = Surgeon {
        file: &old,
        lines: text.split_inclusive('\n').collect(),
        cuts: Vec::new(),
    };
    let whole = 0..surgeon.body_end();
    if surgeon.change("", &old.to_data(), new, whole).is_some() {
        let candidate = surgeon.operate(text);
        // Anchors, blocks that keep the blank lines behind them, and the like: what counts is how the outcome reads.
        if read(&candidate).is_ok_and(|file| says(&file)) {
            return Ok(candidate);
        }
    }
    let plain = new.to_yaml();
    read(&plain)?;
    Ok(plain)
}

struct Surgeon<'a> {
    file: &'a SlotText,
    lines: Vec<&'a str>,
    /// Lines to take out, and what to put there.
    cuts: Vec<(Range<usize>, String)>,
}

/// A key and its lines, without the comments that belong to what follows.
struct Block<'a> {
    key: &'a str,
    lines: Range<usize>,
    indent: usize,
}

impl Surgeon<'_> {
    /// Plans what makes the map at `path` say `new`. `None` where its keys don't stand on lines of their own.
    fn change(&mut self, path: &str, old: &Data, new: &Data, region: Range<usize>) -> Option<()> {
        let (Data::Map(old_entries), Data::Map(new_entries)) = (old, new) else {
            return None;
        };
        let keys = old_entries.iter().map(|(key, _)| &**key).collect();
        let blocks = self.blocks(path, keys, region.clone())?;
        for block in &blocks {
            let was = old.get(block.key)?;
            match new.get(block.key) {
                Some(is) if is == was => {}
                None => self.cuts.push((block.lines.clone(), String::new())),
                Some(is) => {
                    let inner = join(path, block.key);
                    let below = block.lines.start + 1..block.lines.end;
                    if self.change(&inner, was, is, below).is_none() {
                        self.cuts
                            .push((block.lines.clone(), written(block.key, is, block.indent)));
                    }
                }
            }
        }
        let end = blocks.last().map_or(region.end, |block| block.lines.end);
        let indent = blocks.last().map_or(0, |block| block.indent);
        let added = new_entries.iter().filter(|(key, _)| old.get(key).is_none());
        let added: String = added
            .map(|(key, value)| written(key, value, indent))
            .collect();
        if !added.is_empty() {
            self.cuts.push((end..end, added));
        }
        Some(())
    }

    /// Returns the keys of a map with their lines, from top to bottom.
    fn blocks<'k>(
        &self,
        path: &str,
        keys: Vec<&'k str>,
        region: Range<usize>,
    ) -> Option<Vec<Block<'k>>> {
        let mut starts = Vec::new();
        for key in keys {
            let pos = self.file.pos(&join(path, key))?;
            let line = usize::try_from(pos.line).ok()?.checked_sub(1)?;
            let indent = usize::try_from(pos.column).ok()?.checked_sub(1)?;
            let lead = self.line(line).trim_start_matches('\u{feff}');
            let is_first = lead.chars().take(indent).all(|c| c == ' ');
            if !region.contains(&line) || !is_first {
                return None;
            }
            starts.push((line, indent, key));
        }
        starts.sort_unstable();
        let ends = starts.iter().skip(1).map(|(line, ..)| *line);
        let ends: Vec<usize> = ends.chain([region.end]).collect();
        let blocks = starts.into_iter().zip(ends);
        let blocks: Vec<_> = blocks
            .map(|((start, indent, key), end)| Block {
                key,
                lines: start..self.without_comments(start, end, indent),
                indent,
            })
            .collect();
        // Two keys on one line would be one block, and an empty one.
        blocks
            .iter()
            .all(|block| !block.lines.is_empty())
            .then_some(blocks)
    }

    /// Moves the end of a key's lines up, over blank lines and comments that stand no deeper than the key.
    fn without_comments(&self, start: usize, end: usize, indent: usize) -> usize {
        let belongs = |line: &&str| {
            let text = line.trim_start_matches(' ');
            let is_comment = text.starts_with('#') && line.len() - text.len() <= indent;
            !is_comment && !text.trim().is_empty()
        };
        let mut end = end;
        while end > start + 1 && !belongs(&self.line(end - 1)) {
            end -= 1;
        }
        end
    }

    /// Returns the line where the document ends.
    fn body_end(&self) -> usize {
        let is_end = |line: &&str| line.trim_end() == "...";
        let end = self.lines.iter().position(is_end);
        end.unwrap_or(self.lines.len())
    }

    fn line(&self, index: usize) -> &str {
        self.lines.get(index).copied().unwrap_or_default()
    }

    /// Does what was planned.
    fn operate(mut self, text: &str) -> String {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        self.cuts.sort_by_key(|(lines, _)| (lines.start, lines.end));
        let mut out = String::with_capacity(text.len());
        let mut next = 0;
        for (lines, with) in &self.cuts {
            let kept = self.lines.get(next..lines.start).unwrap_or_default();
            out.extend(kept.iter().copied());
            if !with.is_empty() && !out.is_empty() && !out.ends_with('\n') {
                out.push_str(line_end);
            }
            out.push_str(&with.replace('\n', line_end));
            next = lines.end;
        }
        out.extend(self.lines.get(next..).unwrap_or_default().iter().copied());
        out
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// Writes a key and its value as lines.
fn written(key: &str, value: &Data, indent: usize) -> String {
    let yaml = Data::map([(key, value.clone())]).to_yaml();
    let lines = yaml.split_inclusive('\n').map(|line| match line {
        "\n" => line.to_owned(),
        line => " ".repeat(indent) + line,
    });
    lines.collect()
}

/// Returns `data` with another value at a key path, or without it; maps that become empty go with it.
///
/// The description of a variable in its short form is the whole variable.
pub(crate) fn put(data: &Data, path: &str, value: Option<&Data>) -> Option<Data> {
    let Data::Map(entries) = data else {
        return match (path, value) {
            ("description", value) => value.cloned(),
            _ => Some(data.clone()),
        };
    };
    let mut kept = Vec::new();
    let mut is_there = false;
    for (key, inner) in entries {
        let inner = if **key == *path {
            is_there = true;
            value.cloned()
        } else if let Some(rest) = path
            .strip_prefix(&**key)
            .and_then(|rest| rest.strip_prefix('.'))
        {
            is_there = true;
            put(inner, rest, value)
        } else {
            Some(inner.clone())
        };
        kept.extend(inner.map(|inner| (key.clone(), inner)));
    }
    if let (false, Some(value)) = (is_there, value) {
        kept.push((path.into(), value.clone()));
    }
    (!kept.is_empty()).then(|| Data::Map(kept.into()))
}
