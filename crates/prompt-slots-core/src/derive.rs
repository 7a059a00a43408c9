//! Derived templates: the text of the layers below with edits and additions, each byte traceable to where it came from.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

/// Lines of a `find` that are looked at for the nearest line of the text.
const MAX_FIND_LINES: usize = 20;

/// Places that an ambiguous `find` lists.
const MAX_PLACES: usize = 5;

/// Characters of a line that an error quotes.
const MAX_QUOTED: usize = 80;

/// A text that was put together from parts, each of which knows whose it is.
///
/// `T` says where a part came from, such as a layer and a file; this type hands it back and never looks at it.
#[derive(Debug, Clone)]
pub struct Derived<T> {
    text: String,
    /// The parts in their order, without gaps; none is empty.
    parts: Vec<Part<T>>,
    /// The tag of the text at the very bottom, which stands for a text that lost every part.
    base: T,
}

#[derive(Debug, Clone)]
struct Part<T> {
    /// Where it stands in the derived text.
    range: Range<usize>,
    tag: T,
    /// Where it starts in the text that it came from.
    offset: usize,
}

impl<T: Clone> Derived<T> {
    /// Starts with a text as it is.
    pub fn new(text: impl Into<String>, tag: T) -> Self {
        let mut derived = Self {
            text: String::new(),
            parts: Vec::new(),
            base: tag.clone(),
        };
        derived.splice(0..0, &text.into(), tag);
        derived
    }

    /// Returns the text as it stands now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Replaces the one occurrence of `find`; no occurrence, or more than one, is an error and changes nothing.
    pub fn edit(&mut self, find: &str, replace: &str, tag: T) -> Result<(), EditError> {
        if find.is_empty() {
            return Err(EditError::Empty);
        }
        let mut places = self.text.match_indices(find).map(|(at, _)| at);
        let Some(at) = places.next() else {
            return Err(EditError::NotFound {
                nearest: nearest_line(&self.text, find),
            });
        };
        let others = places.count();
        if others > 0 {
            return Err(EditError::Ambiguous {
                count: others + 1,
                lines: lines_of(&self.text, find),
            });
        }
        self.splice(at..at + find.len(), replace, tag);
        Ok(())
    }

    /// Puts a text in front, on lines of its own: a newline comes between if neither side has one.
    ///
    /// That newline counts as the end of the added text.
    pub fn prepend(&mut self, text: &str, tag: T) {
        let joint = joint(text, &self.text);
        self.splice(0..0, &format!("{text}{joint}"), tag);
    }

    /// Puts a text behind, on lines of its own: a newline comes between if neither side has one.
    ///
    /// That newline counts as the start of the added text.
    pub fn append(&mut self, text: &str, tag: T) {
        // A part of its own, so that the offsets in the added text count from its true start.
        let joint = joint(&self.text, text);
        let end = self.text.len();
        self.splice(end..end, joint, tag.clone());
        let end = self.text.len();
        self.splice(end..end, text, tag);
    }

    /// Returns whose the byte at `offset` is, and where it stands in the text that was passed in with that tag.
    ///
    /// An offset behind the end means the end.
    pub fn locate(&self, offset: usize) -> (T, usize) {
        let before = self
            .parts
            .partition_point(|part| part.range.start <= offset);
        let Some(part) = self.parts.get(..before).and_then(<[_]>::last) else {
            return (self.base.clone(), 0);
        };
        let inside = offset.min(part.range.end) - part.range.start;
        (part.tag.clone(), part.offset + inside)
    }

    fn splice(&mut self, range: Range<usize>, text: &str, tag: T) {
        let added = Part {
            range: range.start..range.start + text.len(),
            tag,
            offset: 0,
        };
        let behind = added.range.end;
        let left = self
            .parts
            .iter()
            .filter_map(|part| part.cut(0..range.start));
        let right = self
            .parts
            .iter()
            .filter_map(|part| part.cut(range.end..self.text.len()));
        let right = right.map(|part| Part {
            range: part.range.start - range.end + behind..part.range.end - range.end + behind,
            ..part
        });
        let added = Some(added).filter(|part| !part.range.is_empty());
        self.parts = left.chain(added).chain(right).collect();
        self.text.replace_range(range, text);
    }
}

impl<T: Clone> Part<T> {
    /// Returns what of this part lies inside of a range, if any of it does.
    fn cut(&self, range: Range<usize>) -> Option<Self> {
        let start = self.range.start.max(range.start);
        let end = self.range.end.min(range.end);
        (start < end).then(|| Self {
            range: start..end,
            tag: self.tag.clone(),
            offset: self.offset + (start - self.range.start),
        })
    }
}

/// Returns the newline that has to come between two texts, if one has to.
fn joint(first: &str, second: &str) -> &'static str {
    let apart =
        first.is_empty() || second.is_empty() || first.ends_with('\n') || second.starts_with('\n');
    if apart { "" } else { "\n" }
}

/// Why an edit could not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The text to find is empty.
    Empty,
    /// The text to find is nowhere.
    NotFound {
        /// The number and the text, shortened, of the line that is most like it.
        nearest: Option<(usize, String)>,
    },
    /// The text to find occurs more than once.
    Ambiguous {
        /// How often it occurs.
        count: usize,
        /// The numbers of the first lines that hold the start of an occurrence.
        lines: Vec<usize>,
    },
}

impl EditError {
    /// Returns the next step.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Empty => Some("quote the words to replace".to_owned()),
            Self::NotFound { nearest } => {
                let (number, line) = nearest.as_ref()?;
                Some(format!("the nearest is line {number}: `{line}`"))
            }
            Self::Ambiguous { .. } => Some("quote more of the text around it".to_owned()),
        }
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("`find` is empty"),
            Self::NotFound { .. } => f.write_str("the text of `find` is not in the template"),
            Self::Ambiguous { count, lines } => {
                let noun = if lines.len() == 1 { "line" } else { "lines" };
                let numbers: Vec<String> = lines.iter().map(usize::to_string).collect();
                let numbers = numbers.join(", ");
                let more = if lines.len() == MAX_PLACES { " .." } else { "" };
                write!(
                    f,
                    "the text of `find` is in the template {count} times, in {noun} {numbers}{more}"
                )
            }
        }
    }
}

impl std::error::Error for EditError {}

/// Returns the numbers of the first lines in which a text occurs.
fn lines_of(text: &str, find: &str) -> Vec<usize> {
    let mut lines = Vec::new();
    let (mut line, mut seen) = (1, 0);
    for (at, _) in text.match_indices(find) {
        line += text.get(seen..at).unwrap_or_default().matches('\n').count();
        seen = at;
        if lines.last() != Some(&line) {
            lines.push(line);
        }
        if lines.len() == MAX_PLACES {
            break;
        }
    }
    lines
}

/// Returns the line of a text that shares the most with a text that is not in it.
///
/// A `find` often is a piece of a line. So what counts is how much of it a line holds (in pairs of letters), not how
/// alike the two are as a whole; that also takes time linear in the text.
fn nearest_line(text: &str, find: &str) -> Option<(usize, String)> {
    let lines = find.lines().take(MAX_FIND_LINES);
    // The lines that are in the text as they are don't need the help.
    let wanted = lines.max_by_key(|line| (!text.contains(line), line.len()))?;
    let wanted = pairs(wanted);
    let total: usize = wanted.values().sum();

    let score = |line: &str| -> usize {
        let held = pairs(line);
        wanted
            .iter()
            .map(|(pair, count)| held.get(pair).map_or(0, |n| *count.min(n)))
            .sum()
    };
    let scored = text
        .lines()
        .enumerate()
        .map(|(index, line)| (score(line), Reverse((line.len(), index)), line));
    let (shared, Reverse((_, index)), line) = scored.max()?;
    (total > 0 && shared * 2 >= total).then(|| (index + 1, shortened(line.trim())))
}

/// Counts the pairs of neighbouring characters, whatever their case.
fn pairs(text: &str) -> HashMap<(char, char), usize> {
    let folded = || text.trim().chars().flat_map(char::to_lowercase);
    let mut pairs = HashMap::new();
    for pair in folded().zip(folded().skip(1)) {
        *pairs.entry(pair).or_default() += 1;
    }
    pairs
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => line.get(..end).unwrap_or_default().to_owned() + "…",
        None => line.to_owned(),
    }
}
