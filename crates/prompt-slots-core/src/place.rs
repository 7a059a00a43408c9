//! Where keys and values stand in a slot file.

use crate::shared::{List, Text};

/// A position in a file: line and column count from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pos {
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1.
    pub column: u32,
}

impl Pos {
    /// Makes a position.
    pub const fn new(line: u32, column: u32) -> Self {
        Self { line, column }
    }

    /// Returns where the byte `offset` of a text stands in the text itself.
    pub fn in_text(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let chars = before.get(line_start..).unwrap_or_default().chars();
        Self {
            line: count(before.matches('\n').count()).saturating_add(1),
            column: count(chars.count()).saturating_add(1),
        }
    }
}

/// How the text of a scalar lies in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lay {
    /// Character for character from the value's position on.
    Inline,
    /// A literal block: line by line, each behind this many spaces. The value's position is that of the first line that
    /// is not empty.
    Block(u32),
    /// Folded or escaped: only its start can be named.
    Opaque,
}

/// Where a key and its value stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The key, or the start of the value where there is no key (a list's item).
    pub key: Pos,
    /// The value.
    pub value: Pos,
    /// How the value's text lies in the file.
    pub lay: Lay,
}

impl Place {
    /// Makes a place from its numbers, for generated code.
    #[doc(hidden)]
    pub const fn new(key: (u32, u32), value: (u32, u32), lay: Lay) -> Self {
        Self {
            key: Pos::new(key.0, key.1),
            value: Pos::new(value.0, value.1),
            lay,
        }
    }

    /// Returns where the byte `offset` of the value `text` stands in the file.
    pub fn locate(&self, text: &str, offset: usize) -> Pos {
        let own = Pos::in_text(text, offset);
        let (lines, chars) = (own.line - 1, own.column - 1);
        match self.lay {
            Lay::Inline if lines == 0 => Pos::new(self.value.line, self.value.column + chars),
            Lay::Block(indent) => {
                let empty = count(text.chars().take_while(|c| *c == '\n').count());
                let line = (self.value.line + lines).saturating_sub(empty);
                Pos::new(line, indent + 1 + chars)
            }
            Lay::Inline | Lay::Opaque => self.value,
        }
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The places of a slot file's keys, by key path (`llm.model`), sorted by it.
///
/// Those inside of free values, such as `output_schema`, are known of a file that was read, and of no slot that is compiled
/// in.
#[derive(Debug, Clone, Default)]
pub struct Places {
    keys: List<(Text, Place)>,
    inside: List<(Text, Place)>,
}

impl Places {
    /// Wraps a list that is sorted by path, for generated code.
    #[doc(hidden)]
    pub const fn sorted(places: &'static [(Text, Place)]) -> Self {
        Self {
            keys: List::Static(places),
            inside: List::Static(&[]),
        }
    }

    /// Returns the place of the value at `path`.
    pub fn get(&self, path: &str) -> Option<&Place> {
        find(&self.keys, path)
    }

    /// Returns the place of the value at `path`, or of the nearest one around it that is known.
    pub fn nearest(&self, path: &str) -> Option<&Place> {
        let mut path = path;
        loop {
            let found = find(&self.keys, path).or_else(|| find(&self.inside, path));
            if found.is_some() {
                return found;
            }
            path = path.get(..path.rfind(['.', '['])?)?;
        }
    }

    /// Adds the places inside of free values.
    pub(crate) fn with_inside(self, places: Vec<(Text, Place)>) -> Self {
        Self {
            inside: sorted(places),
            ..self
        }
    }

    /// Takes away the place of a key, of what is inside, and of the keys around it, which would stand in for it.
    #[must_use]
    pub fn without(self, path: &str) -> Self {
        let is_in = |inner: &str, outer: &str| {
            let rest = inner.strip_prefix(outer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let kept = |places: &List<(Text, Place)>| -> List<(Text, Place)> {
            let places = places.iter();
            places
                .filter(|(key, _)| !is_in(key, path) && !is_in(path, key))
                .cloned()
                .collect()
        };
        Self {
            keys: kept(&self.keys),
            inside: kept(&self.inside),
        }
    }

    /// Returns the path and the place of every key that is none inside of a free value, sorted by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Place)> {
        self.keys.iter().map(|(path, place)| (&**path, place))
    }
}

impl FromIterator<(Text, Place)> for Places {
    fn from_iter<I: IntoIterator<Item = (Text, Place)>>(places: I) -> Self {
        Self {
            keys: sorted(places.into_iter().collect()),
            inside: List::Static(&[]),
        }
    }
}

fn sorted(mut places: Vec<(Text, Place)>) -> List<(Text, Place)> {
    places.sort_by(|(a, _), (b, _)| str::cmp(a, b));
    places.into()
}

fn find<'p>(places: &'p [(Text, Place)], path: &str) -> Option<&'p Place> {
    let found = places.binary_search_by(|(key, _)| (**key).cmp(path)).ok()?;
    places.get(found).map(|(_, place)| place)
}
