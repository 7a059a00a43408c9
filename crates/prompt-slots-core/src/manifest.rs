//! The slot files inside of Kubernetes manifests: the data of `ConfigMap`s that are mounted as an app directory.

use std::collections::HashSet;

use crate::finding::Finding;
use crate::limits::Limits;
use crate::name::slot_name_problem;
use crate::node::{Entry, Node, NodeValue, Style};
use crate::place::{Lay, Place, Pos};
use crate::source::decode;
use crate::yaml;

/// How many slot files of the largest size a manifest has room for.
const ROOM: usize = 16;

/// The kind of the objects that hold slot files.
const KIND: &str = "ConfigMap";

/// A slot file inside of a manifest.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ManifestSlot {
    /// The name of the `ConfigMap`.
    pub config_map: String,
    /// The key of its data, which becomes the file's name.
    pub file: String,
    /// The text of the file.
    pub text: String,
    place: Place,
}

impl ManifestSlot {
    /// Returns where a position of the file stands in the manifest; the start of the text where that can't be told.
    pub fn locate(&self, pos: Pos) -> Pos {
        let line = (pos.line as usize).saturating_sub(1);
        let start = self
            .text
            .split_inclusive('\n')
            .take(line)
            .map(str::len)
            .sum::<usize>();
        let rest = self.text.get(start..).unwrap_or_default();
        let column = (pos.column as usize).saturating_sub(1);
        let inside = rest
            .char_indices()
            .nth(column)
            .map_or(rest.len(), |(at, _)| at);
        self.place.locate(&self.text, start + inside)
    }

    /// Returns where its key stands.
    pub fn pos(&self) -> Pos {
        self.place.key
    }
}

/// Finds the slot files in the `ConfigMap`s of a stream of Kubernetes manifests, and what is wrong with the stream.
///
/// Every document counts, also the items of a `List`. What else is in the stream is left alone, and a document that can't
/// be read hides no other. Keys of `data` that don't end in `.yaml` are no slots; those that are like the name of one are
/// judged as a file of that name is in a directory.
pub fn config_maps(bytes: &[u8], limits: &Limits) -> (Vec<ManifestSlot>, Vec<Finding>) {
    let limits = Limits {
        file_bytes: limits.file_bytes.saturating_mul(ROOM),
        nodes: limits.nodes.saturating_mul(ROOM),
        ..*limits
    };
    let mut found = Found::default();
    let source = match decode(bytes, &limits) {
        Ok(source) => source,
        Err(finding) => return (Vec::new(), vec![finding]),
    };
    // What does not name the kind holds none: it may be broken, or secret, and is nobody's business here.
    let wanted = documents(&source)
        .into_iter()
        .filter(|(_, document)| document.contains(KIND));
    for (first, document) in wanted {
        match yaml::parse(document, &limits) {
            Ok(None) => {}
            Ok(Some(root)) => found.object(&root, document, first),
            Err(findings) => {
                let findings = helm(document).map_or(findings, |finding| vec![finding]);
                let shift = |finding: Finding| {
                    let finding = finding.quote(document);
                    match finding.pos {
                        Some(pos) => finding.at(down(pos, first)),
                        None => finding,
                    }
                };
                found.findings.extend(findings.into_iter().map(shift));
            }
        }
    }
    (found.slots, found.findings)
}

/// Splits a stream into its documents, each with the number of lines before it.
///
/// `---` at the start of a line has no other meaning in YAML, not even inside of text.
fn documents(source: &str) -> Vec<(u32, &str)> {
    let mut documents = Vec::new();
    let (mut start, mut first, mut offset) = (0, 0, 0);
    for (number, line) in (0u32..).zip(source.split_inclusive('\n')) {
        let is_mark = |mark: &str| {
            let rest = line.strip_prefix(mark);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n']))
        };
        if is_mark("---") && offset > start {
            documents.push((first, source.get(start..offset).unwrap_or_default()));
            (start, first) = (offset, number);
        }
        offset += line.len();
    }
    documents.push((first, source.get(start..).unwrap_or_default()));
    documents
}

#[derive(Default)]
struct Found {
    slots: Vec<ManifestSlot>,
    findings: Vec<Finding>,
}

impl Found {
    /// Looks at one object; `first` is the number of lines before its document.
    fn object(&mut self, object: &Node, document: &str, first: u32) {
        if let Some(NodeValue::List(items)) = get(object, "items").map(|entry| &entry.node.value) {
            for item in items {
                self.object(item, document, first);
            }
        }
        if text_of(get(object, "kind")) != Some(KIND) {
            return;
        }
        let name = get(object, "metadata").and_then(|metadata| get(&metadata.node, "name"));
        let config_map = text_of(name).unwrap_or("without a name");
        // Both become files of one directory.
        let sections = ["data", "binaryData"].map(|section| (section, entries(object, section)));
        let all = sections.iter().flat_map(|(_, entries)| *entries);
        let files: HashSet<&str> = all.map(|entry| entry.key.as_str()).collect();
        for (section, entry) in sections
            .iter()
            .flat_map(|(section, entries)| entries.iter().map(move |entry| (*section, entry)))
        {
            match judge(&entry.key, section, &files) {
                Key::Slot => self.slot(entry, config_map, document, first),
                Key::Odd(finding) => self.report(&finding, section, entry, document, first),
                Key::Other => {}
            }
        }
    }

    fn report(
        &mut self,
        finding: &Finding,
        section: &str,
        entry: &Entry,
        document: &str,
        first: u32,
    ) {
        let key = format!("{section}.{}", entry.key);
        let finding = finding.clone().key(key).at(entry.pos).quote(document);
        self.findings.push(finding.at(down(entry.pos, first)));
    }

    fn slot(&mut self, entry: &Entry, config_map: &str, document: &str, first: u32) {
        let file = &entry.key;
        let NodeValue::Text(text) = &entry.node.value else {
            let finding = Finding::error(format!("must be text, got {}", entry.node.kind()));
            let finding = finding.hint(format!("write `{file}: |`, and the slot indented below"));
            self.report(&finding, "data", entry, document, first);
            return;
        };
        let place = Place {
            key: entry.pos,
            value: entry.node.pos,
            lay: entry.node.lay(document),
        };
        self.slots.push(ManifestSlot {
            config_map: config_map.to_owned(),
            file: file.clone(),
            text: text.clone(),
            place: Place {
                key: down(place.key, first),
                value: down(place.value, first),
                lay: if entry.node.style == Style::Alias {
                    Lay::Opaque
                } else {
                    place.lay
                },
            },
        });
    }
}

/// What a key of a `ConfigMap` is.
enum Key {
    Slot,
    /// A slot that was put wrong, or a file that has no place among slots.
    Odd(Finding),
    Other,
}

/// Tells what a key is by its name alone, and by the files beside it.
fn judge(file: &str, section: &str, files: &HashSet<&str>) -> Key {
    let lower = file.to_lowercase();
    let Some(at) = lower.find(".yaml").or_else(|| lower.find(".yml")) else {
        // The commands that write overrides lock their directory by it.
        return if file == ".lock" {
            hidden()
        } else {
            Key::Other
        };
    };
    if file.starts_with('.') {
        return hidden();
    }
    let (stem, ending) = lower.split_at(at);
    let right = format!("{stem}.yaml");
    // A name with letters of the wrong case is judged as one that is not allowed.
    let is_slot = lower.rsplit('.').next() == Some("yaml");
    let is_look_alike = matches!(ending, ".yml" | ".yaml.txt" | ".yml.txt");
    if is_slot && section == "binaryData" {
        let finding = Finding::error("is in `binaryData`, where what is not UTF-8 text goes");
        return Key::Odd(finding.hint("save it as UTF-8 text, and have it in `data`"));
    }
    if is_slot {
        return Key::Slot;
    }
    let rename = format!("rename it to `{right}`, or leave it out");
    Key::Odd(if files.contains(right.as_str()) {
        let finding = Finding::warning(format!("the key is no slot, `{right}` is"));
        finding.hint("leave it out of the ConfigMap")
    } else if is_look_alike && slot_name_problem(stem).is_none() {
        // The slot is refused where such a file is beside nothing else.
        let finding = Finding::error(format!(
            "an override of `{stem}` is called `{right}`, so this key is not read"
        ));
        finding.hint(rename)
    } else {
        Finding::warning("the key is no slot: the files of slots end in `.yaml`").hint(rename)
    })
}

fn hidden() -> Key {
    let finding = Finding::warning("the key is no slot: hidden files are never read");
    Key::Odd(finding.hint("leave it out of the ConfigMap"))
}

/// Says that a document is no manifest, but a template of one, if it is.
fn helm(document: &str) -> Option<Finding> {
    let is_action = |line: &str| {
        let line = line.trim_start().trim_start_matches("- ");
        let value = line
            .split_once(": ")
            .map_or(line, |(_, value)| value.trim_start());
        line.starts_with("{{")
            || value.starts_with("{{")
            || line.contains("{{ .")
            || line.contains("{{- ")
    };
    let number = document.lines().position(is_action)?;
    let line = document.lines().nth(number)?;
    let column = line.chars().take_while(|c| *c != '{').count() + 1;
    let pos = Pos::new(u32::try_from(number + 1).ok()?, u32::try_from(column).ok()?);
    Some(
        Finding::error("this is a template of a manifest, as Helm's are, not a manifest")
            .hint("render it first: `helm template CHART`, and check what that prints")
            .at(pos),
    )
}

fn get<'a>(node: &'a Node, key: &str) -> Option<&'a Entry> {
    match &node.value {
        NodeValue::Map(entries) => entries.iter().find(|entry| entry.key == key),
        _ => None,
    }
}

fn entries<'a>(node: &'a Node, key: &str) -> &'a [Entry] {
    match get(node, key).map(|entry| &entry.node.value) {
        Some(NodeValue::Map(entries)) => entries,
        _ => &[],
    }
}

fn text_of(entry: Option<&Entry>) -> Option<&str> {
    match &entry?.node.value {
        NodeValue::Text(text) => Some(text),
        _ => None,
    }
}

fn down(pos: Pos, lines: u32) -> Pos {
    Pos::new(pos.line.saturating_add(lines), pos.column)
}
