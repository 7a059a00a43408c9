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

/// Returns `data` with another value at a key path, or without it; maps that become empty go with it, and a section that is
/// missing is made.
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
        let (key, value) = match path.split_once('.') {
            Some((section, rest)) => (section, Data::map([(rest, value.clone())])),
            None => (path, value.clone()),
        };
        kept.push((key.into(), value));
    }
    (!kept.is_empty()).then(|| Data::Map(kept.into()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn read(text: &str) -> SlotText {
        SlotText::read(text.as_bytes(), Layer::App, &Limits::DEFAULT)
            .unwrap_or_else(|error| panic!("{error:#}\n{text}"))
    }

    #[track_caller]
    fn with(text: &str, path: &str, value: Option<&Data>) -> String {
        let data = put(&read(text).to_data(), path, value);
        let data = data.unwrap_or_else(|| Data::Map(Vec::new().into()));
        rewrite(text, &data, &Limits::DEFAULT).expect("both are valid")
    }

    #[test]
    fn a_key_goes_with_its_lines_and_leaves_all_others() {
        let text = "# a\nenabled: true # b\n\n# c\nllm:\n  model: m\n  # d\n  seed: 1\n# e\n";
        for (path, expected) in [
            (
                "enabled",
                "# a\n\n# c\nllm:\n  model: m\n  # d\n  seed: 1\n# e\n",
            ),
            ("llm", "# a\nenabled: true # b\n\n# c\n# e\n"),
            (
                "llm.model",
                "# a\nenabled: true # b\n\n# c\nllm:\n  # d\n  seed: 1\n# e\n",
            ),
            (
                "llm.seed",
                "# a\nenabled: true # b\n\n# c\nllm:\n  model: m\n  # d\n# e\n",
            ),
            ("llm.top_p", text),
        ] {
            assert_eq!(with(text, path, None), expected, "{path}");
        }
    }

    #[test]
    fn a_value_is_set_where_its_key_stands() {
        let text = "enabled: true\r\nllm:\r\n    seed: 1 # one\r\n    model: m\r\n# end";
        for (path, value, expected) in [
            (
                "llm.seed",
                Data::Int(2),
                "enabled: true\r\nllm:\r\n    seed: 2\r\n    model: m\r\n# end",
            ),
            (
                "llm.top_p",
                Data::Float(1.0),
                "enabled: true\r\nllm:\r\n    seed: 1 # one\r\n    model: m\r\n    top_p: 1.0\r\n# end",
            ),
            (
                "template_append",
                Data::from("a\nb\n"),
                "enabled: true\r\nllm:\r\n    seed: 1 # one\r\n    model: m\r\ntemplate_append: |\r\n  a\r\n  b\r\n# end",
            ),
        ] {
            assert_eq!(with(text, path, Some(&value)), expected, "{path}");
        }
        assert_eq!(
            with("", "enabled", Some(&Data::Bool(true))),
            "enabled: true\n"
        );
        assert_eq!(
            with("# x", "enabled", Some(&Data::Bool(true))),
            "# x\nenabled: true\n"
        );
    }

    #[test]
    fn odd_forms_are_written_anew_rather_than_wrongly() {
        for (text, path) in [
            ("{enabled: true, llm: {seed: 1}}", "enabled"),
            ("llm: {seed: 1, model: m}", "llm.seed"),
            ("? enabled\n: true\n? description\n: x\n", "enabled"),
            ("x-a: &a {seed: 1}\nllm: *a\ndescription: x\n", "x-a"),
            ("template_append: |+\n  a\n\n\nllm: {seed: 1}\n", "llm"),
            (
                "--- # one\nenabled: true\nllm: {seed: 1}\n...\n# behind\n",
                "llm",
            ),
            ("\u{feff}enabled: true\nllm: {seed: 1}\n", "enabled"),
            ("  enabled: true\n  llm:\n    seed: 1\n", "llm"),
        ] {
            let before = put(&read(text).to_data(), path, None).expect("something is left");
            let after = read(&with(text, path, None)).to_data();
            assert_eq!(Fingerprint::of(&after), Fingerprint::of(&before), "{text}");
        }
    }

    /// Keys as people write them: the path that a change is about, and the lines.
    const WRITTEN: [(&str, &str); 9] = [
        ("enabled", "enabled: true # why\n"),
        ("description", "description: >-\n  folded\n  text\n"),
        (
            "template_prepend",
            "template_prepend: |\n  # no comment\n  text\n",
        ),
        ("template_append", "template_append: \"quoted\\n\"\n"),
        ("llm.model", "llm:\n  # inside\n  model: m\n  seed: 1\n"),
        (
            "variables.a",
            "variables:\n  a: {default: 1}\n  b:\n    default: 2\n",
        ),
        ("output_schema", "output_schema: {type: object}\n"),
        (
            "template_edits",
            "template_edits:\n- {find: a, replace: b}\n",
        ),
        ("x-note", "x-note: [1, 2]\n"),
    ];

    proptest! {
        #[test]
        fn other_keys_stay_byte_for_byte(
            order in Just((0..WRITTEN.len()).collect::<Vec<_>>()).prop_shuffle(),
            count in 1..=WRITTEN.len(),
            gaps in prop::collection::vec(prop_oneof![Just(""), Just("\n"), Just("# between\n"), Just("\n# a\n\n# b\n")], 10),
            target in 0..WRITTEN.len(),
            removes in any::<bool>(),
        ) {
            let used: Vec<_> = order.into_iter().take(count).map(|index| WRITTEN[index]).collect();
            let mut text = String::new();
            for ((_, lines), gap) in used.iter().zip(&gaps) {
                text.push_str(gap);
                text.push_str(lines);
            }
            let (path, _) = WRITTEN[target];
            let value = match path {
                "enabled" => Data::Bool(false),
                "output_schema" => Data::map([("type", Data::from("array"))]),
                "template_edits" => return Ok(()),
                "variables.a" => Data::map([("default", Data::Int(9))]),
                _ => Data::from("two\nlines\n"),
            };
            let value = (!removes).then_some(value);
            let wanted = put(&read(&text).to_data(), path, value.as_ref());
            let after = with(&text, path, value.as_ref());
            let wanted = wanted.unwrap_or_else(|| Data::Map(Vec::new().into()));
            prop_assert_eq!(Fingerprint::of(&read(&after).to_data()), Fingerprint::of(&wanted));
            for (other, lines) in used.iter().filter(|(other, _)| *other != path) {
                prop_assert!(after.contains(lines), "{} is gone from\n{}", other, after);
            }
            prop_assert_eq!(text.matches("# between").count(), after.matches("# between").count());
        }
    }
}
