//! Texts line by line: merged three ways, and compared.

use diffy::{ConflictStyle, DiffOptions, MergeOptions};

/// The most lines of a text that is merged or compared: the work grows with the square of what differs.
const MOST: usize = 10_000;

/// What became of a merge.
pub(crate) struct MergedLines {
    /// The merged text; where both sides changed the same lines, it has ours.
    pub text: String,
    /// Where both sides changed the same lines.
    pub conflicts: Vec<Hunk>,
}

/// Lines that both sides changed.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Hunk {
    pub base: String,
    pub ours: String,
    pub theirs: String,
}

/// Merges two texts that come from one.
pub(crate) fn merge(base: &str, ours: &str, theirs: &str) -> MergedLines {
    if [base, ours, theirs]
        .iter()
        .any(|text| text.lines().count() > MOST)
    {
        return MergedLines {
            text: ours.to_owned(),
            conflicts: vec![Hunk {
                base: base.to_owned(),
                ours: ours.to_owned(),
                theirs: theirs.to_owned(),
            }],
        };
    }
    // Whether the last line has an end is a matter of its own, and would make a conflict of an untouched last line.
    let ends = [base, ours, theirs].map(|text| text.ends_with('\n'));
    let whole = [base, ours, theirs].map(|text| match text {
        "" => String::new(),
        text => text.strip_suffix('\n').unwrap_or(text).to_owned() + "\n",
    });
    let [base, ours, theirs] = &whole;
    let width = 1 + whole
        .iter()
        .map(|text| longest_run(text))
        .max()
        .unwrap_or(0)
        .max(6);
    let merged = MergeOptions::new()
        .set_conflict_marker_length(width)
        .set_conflict_style(ConflictStyle::Diff3)
        .merge(base, ours, theirs);
    let mut merged = match merged {
        Ok(text) => MergedLines {
            text,
            conflicts: Vec::new(),
        },
        Err(marked) => take_apart(&marked, width),
    };
    let has_end = if ends[1] == ends[0] { ends[2] } else { ends[1] };
    if !has_end && merged.text.ends_with('\n') {
        merged.text.pop();
    }
    merged
}

/// Reads a merge with conflicts. No line of the texts can pass for a mark: the marks are longer.
fn take_apart(marked: &str, width: usize) -> MergedLines {
    let mut merged = MergedLines {
        text: String::new(),
        conflicts: Vec::new(),
    };
    let mut hunk = Hunk::default();
    let mut side = None;
    for line in marked.split_inclusive('\n') {
        match mark(line, width) {
            Some('>') => {
                merged.text.push_str(&hunk.ours);
                merged.conflicts.push(std::mem::take(&mut hunk));
                side = None;
            }
            Some(mark) => side = Some(mark),
            None => match side {
                None => merged.text.push_str(line),
                Some('<') => hunk.ours.push_str(line),
                Some('|') => hunk.base.push_str(line),
                Some(_) => hunk.theirs.push_str(line),
            },
        }
    }
    merged
}

/// Returns the character of a mark between the sides of a conflict.
fn mark(line: &str, width: usize) -> Option<char> {
    let first = line.chars().next().filter(|c| "<|=>".contains(*c))?;
    let run = line.chars().take_while(|c| *c == first).count();
    (run == width).then_some(first)
}

fn longest_run(text: &str) -> usize {
    let starts = text.lines().filter_map(|line| {
        let first = line.chars().next()?;
        Some(line.chars().take_while(|c| *c == first).count())
    });
    starts.max().unwrap_or(0)
}

/// Returns what changed from one named text to another, as a unified diff; the whole new text where that is too much work.
pub(crate) fn diff([old, new]: [&str; 2], before: &str, after: &str) -> String {
    if [before, after]
        .iter()
        .any(|text| text.lines().count() > MOST)
    {
        return after.to_owned();
    }
    let mut options = DiffOptions::new();
    options.set_original_filename(old.to_owned());
    options.set_modified_filename(new.to_owned());
    options.create_patch(before, after).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn merged(base: &str, ours: &str, theirs: &str) -> (String, usize) {
        let merged = merge(base, ours, theirs);
        (merged.text, merged.conflicts.len())
    }

    #[test]
    fn changes_of_different_lines_come_together() {
        assert_eq!(
            merged("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n"),
            ("A\nb\nc\nd\nE\n".to_owned(), 0)
        );
    }

    #[test]
    fn changes_of_one_line_are_told_and_ours_stays() {
        let merged = merge("a\nb\nc\nd\ne\n", "x\nb\nc\nd\ne\n", "y\nb\nc\nd\nE\n");
        assert_eq!(merged.text, "x\nb\nc\nd\nE\n");
        let hunk = Hunk {
            base: "a\n".into(),
            ours: "x\n".into(),
            theirs: "y\n".into(),
        };
        assert_eq!(merged.conflicts, [hunk]);
    }

    #[test]
    fn lines_that_look_like_marks_are_lines() {
        let odd = "<<<<<<< ours\n||||||||||\n=======\n>>>>>>> theirs\n";
        let merged = merge(
            &format!("{odd}a\n"),
            &format!("{odd}x\n"),
            &format!("{odd}y\n"),
        );
        assert_eq!(merged.text, format!("{odd}x\n"));
        assert_eq!(merged.conflicts.len(), 1);
    }

    #[test]
    fn the_end_of_the_last_line_is_merged_like_a_line() {
        assert_eq!(
            merged("a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nd\n"),
            ("A\nb\nc\nd\n".to_owned(), 0)
        );
        assert_eq!(
            merged("a\nb\nc\nd\n", "a\nb\nc\nd", "A\nb\nc\nd\n"),
            ("A\nb\nc\nd".to_owned(), 0)
        );
        assert_eq!(merged("", "", "a"), ("a".to_owned(), 0));
    }

    #[test]
    fn texts_of_any_size_take_bounded_time() {
        let long = "x\n".repeat(200_000);
        let merged = merge(&long, "a\n", "b\n");
        assert_eq!((merged.text.as_str(), merged.conflicts.len()), ("a\n", 1));
    }
}
