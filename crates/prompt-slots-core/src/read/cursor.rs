//! The reader's hands: a value with its path, and the checks of one value's type.

use crate::data::Data;
use crate::finding::{Finding, MOST};
use crate::key::{self, Key};
use crate::layer::Layer;
use crate::name::nearest;
use crate::node::{Entry, Node, NodeValue, Style};
use crate::place::{Lay, Place, Places, Pos};
use crate::shared::{List, Text};
use crate::spec::Setting;

/// A value of the file, its key path and the position of its key.
pub(super) struct Cursor<'a> {
    pub node: &'a Node,
    pub path: String,
    pub key: Pos,
    name: &'a str,
    nullable: bool,
}

impl<'a> Cursor<'a> {
    pub fn root(node: &'a Node) -> Self {
        Self {
            node,
            path: String::new(),
            key: node.pos,
            name: "",
            nullable: false,
        }
    }

    /// Returns the last part of the path.
    pub fn name(&self) -> &'a str {
        self.name
    }

    pub fn child(&self, entry: &'a Entry, nullable: bool) -> Self {
        let path = if self.path.is_empty() {
            entry.key.clone()
        } else {
            format!("{}.{}", self.path, entry.key)
        };
        Self {
            node: &entry.node,
            path,
            key: entry.pos,
            name: &entry.key,
            nullable,
        }
    }

    pub fn item(&self, index: usize, node: &'a Node) -> Self {
        let path = format!("{}[{index}]", self.path);
        Self {
            node,
            path,
            key: node.pos,
            name: self.name,
            nullable: false,
        }
    }

    /// Returns the value, which may be anything that JSON can hold.
    pub fn data(&self) -> Data {
        to_data(self.node)
    }

    fn is_null(&self) -> bool {
        matches!(self.node.value, NodeValue::Null)
    }
}

/// Reads values, and keeps what it finds and where the keys stand.
pub(super) struct Reader<'a> {
    source: &'a str,
    layer: Layer,
    findings: Vec<Finding>,
    places: Vec<(Text, Place)>,
    inside: Vec<(Text, Place)>,
    /// How many bytes of paths inside of free values may still be kept.
    room: usize,
}

/// The most keys of a map that layers merge key by key: the layers, and who reads of them, look through them one by one.
const MOST_KEYS: usize = 1000;

/// The bytes of paths inside of free values that are kept of a file: a hostile one has long keys in long keys.
const ROOM: usize = 256 << 10;

impl<'a> Reader<'a> {
    pub fn new(source: &'a str, layer: Layer) -> Self {
        Self {
            source,
            layer,
            findings: Vec::new(),
            places: Vec::new(),
            inside: Vec::new(),
            room: ROOM,
        }
    }

    pub fn finish(self) -> (Places, Vec<Finding>) {
        let places: Places = self.places.into_iter().collect();
        (places.with_inside(self.inside), self.findings)
    }

    pub fn source(&self) -> &'a str {
        self.source
    }

    pub fn layer(&self) -> Layer {
        self.layer
    }

    pub fn report(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Reports at the key of a path that was read before.
    pub fn report_at(&mut self, path: &str, finding: Finding) {
        let pos = self
            .places
            .iter()
            .find(|(key, _)| *key == *path)
            .map(|(_, place)| place.key);
        let finding = finding.key(path);
        self.findings.push(match pos {
            Some(pos) => finding.at(pos),
            None => finding,
        });
    }

    /// Remembers where a key stands.
    pub fn note(&mut self, at: &Cursor<'_>) {
        let place = self.place(at);
        self.places.push((at.path.as_str().into(), place));
    }

    /// Remembers where the keys inside of a free value stand, as far as there is room.
    pub fn note_inside(&mut self, at: &Cursor<'_>) {
        match &at.node.value {
            NodeValue::Map(entries) => {
                for entry in entries {
                    self.note_one_inside(at, |at| at.child(entry, false));
                }
            }
            NodeValue::List(nodes) => {
                for (index, node) in nodes.iter().enumerate() {
                    self.note_one_inside(at, |at| at.item(index, node));
                }
            }
            _ => {}
        }
    }

    fn note_one_inside<'n>(
        &mut self,
        at: &Cursor<'n>,
        part: impl FnOnce(&Cursor<'n>) -> Cursor<'n>,
    ) {
        if self.room == 0 {
            return;
        }
        let part = part(at);
        self.room = self.room.saturating_sub(part.path.len());
        let place = self.place(&part);
        self.inside.push((part.path.as_str().into(), place));
        self.note_inside(&part);
    }

    fn place(&self, at: &Cursor<'_>) -> Place {
        let lay = if at.node.style == Style::Alias {
            Lay::Opaque
        } else {
            at.node.lay(self.source)
        };
        Place {
            key: at.key,
            value: at.node.pos,
            lay,
        }
    }

    /// Reports a value of the wrong type.
    pub fn wrong(&mut self, at: &Cursor<'_>, wanted: &str, hint: impl Into<String>) {
        let got = at.node.kind();
        let finding = Finding::error(format!("must be {wanted}, got {got}")).hint(hint);
        self.report(finding.key(&at.path).at(at.node.pos));
    }

    /// Returns the values of a map whose keys the table names; reports those that it does not name.
    pub fn fields<'n>(&mut self, at: &Cursor<'n>, keys: &'static [Key]) -> Vec<Cursor<'n>> {
        let NodeValue::Map(entries) = &at.node.value else {
            self.wrong(at, "a map", "write `key: value` lines under it");
            return Vec::new();
        };
        let free = at.path.is_empty();
        let entries = self.few(at, entries);
        let mut fields = Vec::with_capacity(entries.len());
        for entry in entries {
            match key::find(keys, &entry.key) {
                Some(key) if key.place == key::Place::Overrides && self.layer == Layer::Bundled => {
                    let finding = Finding::error("this key has its place in overrides only")
                        .hint("a bundled slot is the default that they change");
                    self.report(finding.key(at.child(entry, false).path).at(entry.pos));
                }
                Some(key) => {
                    let field = at.child(entry, key.nullable);
                    self.note(&field);
                    fields.push(field);
                }
                None if free && entry.key.starts_with("x-") => {
                    let field = at.child(entry, true);
                    self.note(&field);
                    fields.push(field);
                }
                None => self.unknown(at, entry, keys),
            }
        }
        fields
    }

    /// Reports keys that are too many for a map; returns the first of them.
    pub fn few<'n>(&mut self, at: &Cursor<'_>, entries: &'n [Entry]) -> &'n [Entry] {
        match (entries.get(..MOST_KEYS), entries.get(MOST_KEYS)) {
            (Some(first), Some(next)) => {
                let finding = Finding::error(format!("there are more than {MOST_KEYS} keys"))
                    .hint("keep those that a prompt needs; data can stand inside of one");
                self.report(finding.key(&at.path).at(next.pos));
                first
            }
            _ => entries,
        }
    }

    /// Like [`Self::fields`], for a section that an override may leave empty: this changes nothing, and is told.
    pub fn section<'n>(&mut self, at: &Cursor<'n>, keys: &'static [Key]) -> Vec<Cursor<'n>> {
        if self.is_empty_section(at) {
            Vec::new()
        } else {
            self.fields(at, keys)
        }
    }

    /// Tells whether nothing is written under a key, and warns if so.
    pub fn is_empty_section(&mut self, at: &Cursor<'_>) -> bool {
        let empty = match &at.node.value {
            NodeValue::Null => true,
            NodeValue::Map(entries) => entries.is_empty(),
            _ => false,
        };
        if empty {
            let finding = Finding::warning("an empty section changes nothing")
                .hint("delete it, or write its keys below");
            self.report(finding.key(&at.path).at(at.key));
        }
        empty
    }

    fn unknown(&mut self, at: &Cursor<'_>, entry: &Entry, keys: &'static [Key]) {
        let path = at.child(entry, false).path;
        if self.findings.len() >= MOST {
            // It is told as one of many, and a hint costs a look at the whole file.
            self.report(Finding::error("unknown key").key(path).at(entry.pos));
            return;
        }
        let hint = if let Some(hint) = slip_in_key(&entry.key, keys) {
            hint
        } else if let Some(finding) = crate::slip::ended_the_text_above(self.source, entry.pos) {
            self.report(finding);
            return;
        } else {
            let known: Vec<_> = keys.iter().map(|key| format!("`{}`", key.name)).collect();
            let own = if at.path.is_empty() {
                "; start a key of your own with `x-`"
            } else {
                ""
            };
            format!("known keys are {}{own}", known.join(", "))
        };
        self.report(
            Finding::error("unknown key")
                .hint(hint)
                .key(path)
                .at(entry.pos),
        );
    }

    /// Reads a leaf that `null` takes back.
    pub fn setting<T>(
        &mut self,
        at: &Cursor<'_>,
        read: impl FnOnce(&mut Self, &Cursor<'_>) -> Option<T>,
    ) -> Setting<T> {
        if at.nullable && at.is_null() {
            self.refuse_null_in_bundle(at);
            return Setting::Null;
        }
        read(self, at).map_or(Setting::Absent, Setting::Value)
    }

    /// Reports a `null` that has nothing to take back.
    pub fn refuse_null_in_bundle(&mut self, at: &Cursor<'_>) {
        if at.is_null() && self.layer == Layer::Bundled {
            let finding =
                Finding::error("a bundled slot has nothing below it that null could take back")
                    .hint("delete the key");
            self.report(finding.key(&at.path).at(at.node.pos));
        }
    }

    pub fn boolean(&mut self, at: &Cursor<'_>) -> Option<bool> {
        if let NodeValue::Bool(value) = at.node.value {
            return Some(value);
        }
        self.wrong(at, "true or false", "write true or false, without quotes");
        None
    }

    pub fn text(&mut self, at: &Cursor<'_>) -> Option<Text> {
        let name = at.name();
        let hint = match &at.node.value {
            NodeValue::Text(text) => return Some(text.as_str().into()),
            NodeValue::Map(_) if at.node.style == Style::Flow => {
                format!("this looks like an unquoted template; quote it, or use `{name}: |`")
            }
            NodeValue::Null => format!("write the text, or delete `{name}`"),
            NodeValue::Map(_) | NodeValue::List(_) => format!("quote it, or use `{name}: |`"),
            _ => "put it in quotes".to_owned(),
        };
        self.wrong(at, "text", hint);
        None
    }

    pub fn texts(&mut self, at: &Cursor<'_>) -> Option<List<Text>> {
        let NodeValue::List(items) = &at.node.value else {
            self.wrong(
                at,
                "a list of texts",
                "write it in brackets, such as [\"one\", \"two\"]",
            );
            return None;
        };
        let texts = items
            .iter()
            .enumerate()
            .filter_map(|(index, node)| self.text(&at.item(index, node)));
        Some(texts.collect::<Vec<_>>().into())
    }

    pub fn number(&mut self, at: &Cursor<'_>, low: f64, high: f64) -> Option<f64> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a number beyond 2^53 is out of every range here"
        )]
        let value = match at.node.value {
            NodeValue::Int(value) => value as f64,
            NodeValue::UInt(value) => value as f64,
            NodeValue::Float(value) => value,
            _ => {
                self.wrong(
                    at,
                    &format!("a number from {low} to {high}"),
                    "write it bare, without quotes",
                );
                return None;
            }
        };
        if (low..=high).contains(&value) {
            return Some(value);
        }
        let finding = Finding::error(format!("must be from {low} to {high}"))
            .hint("write a number in this range");
        self.report(finding.key(&at.path).at(at.node.pos));
        None
    }

    pub fn integer(&mut self, at: &Cursor<'_>) -> Option<i64> {
        match at.node.value {
            NodeValue::Int(value) => return Some(value),
            NodeValue::UInt(_) => {
                let finding = Finding::error(format!("must be at most {}", i64::MAX))
                    .hint("write a smaller number");
                self.report(finding.key(&at.path).at(at.node.pos));
                return None;
            }
            _ => {}
        }
        self.wrong(
            at,
            "a whole number",
            "write it with digits alone, such as 2000",
        );
        None
    }

    /// Reads a whole number of at least 1.
    pub fn count(&mut self, at: &Cursor<'_>) -> Option<u64> {
        let value = self.integer(at)?;
        if value >= 1 {
            return u64::try_from(value).ok();
        }
        self.report(
            Finding::error("must be at least 1")
                .hint("write a whole number")
                .key(&at.path)
                .at(at.node.pos),
        );
        None
    }

    /// Reads a map from free names to anything.
    pub fn free_map(&mut self, at: &Cursor<'_>) -> Option<List<(Text, Data)>> {
        let NodeValue::Map(entries) = &at.node.value else {
            self.wrong(at, "a map", "write `name: value` lines under it");
            return None;
        };
        Some(
            entries
                .iter()
                .map(|entry| (entry.key.as_str().into(), to_data(&entry.node)))
                .collect(),
        )
    }
}

/// Says what an unknown key was most likely meant to be.
fn slip_in_key(name: &str, keys: &'static [Key]) -> Option<String> {
    if name.contains('\u{a0}') {
        return Some("it holds a no-break space; retype its spaces".to_owned());
    }
    let glued = name.split_once(':').map(|(key, _)| key);
    if let Some(key) = glued.filter(|key| key::find(keys, key).is_some()) {
        return Some(format!("put a space behind `{key}:`"));
    }
    if let Some(similar) = nearest(name, keys.iter().map(|key| key.name)) {
        return Some(format!("did you mean `{similar}`?"));
    }
    home_of(name).map(|home| format!("it belongs {home}"))
}

/// Tells where a key belongs that stands at the wrong level.
fn home_of(name: &str) -> Option<&'static str> {
    let homes: [(&str, &[Key]); 5] = [
        ("under `llm`", key::LLM),
        ("under `validation`", key::VALIDATION),
        ("in a list item of `validation.test_cases`", key::CASE),
        ("under `prompt` of a test case", key::PROMPT),
        ("at the top of the file", key::SLOT),
    ];
    homes
        .into_iter()
        .find(|(_, keys)| key::find(keys, name).is_some())
        .map(|(home, _)| home)
}

fn to_data(node: &Node) -> Data {
    match &node.value {
        NodeValue::Null => Data::Null,
        NodeValue::Bool(value) => Data::Bool(*value),
        NodeValue::Int(value) => Data::Int(*value),
        NodeValue::UInt(value) => Data::UInt(*value),
        NodeValue::Float(value) => Data::Float(*value),
        NodeValue::Text(text) => Data::Text(text.as_str().into()),
        NodeValue::List(items) => Data::List(items.iter().map(to_data).collect()),
        NodeValue::Map(entries) => Data::map(
            entries
                .iter()
                .map(|entry| (entry.key.as_str(), to_data(&entry.node))),
        ),
    }
}
