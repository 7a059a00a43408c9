//! The slot files inside of Kubernetes manifests: the data of `ConfigMap`s that are mounted as an app directory.

use crate::finding::Finding;
use crate::limits::Limits;
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
/// be read hides no other. Keys of `data` that don't end in `.yaml` are no slots.
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
        let data = get(object, "data").map(|data| &data.node.value);
        let Some(NodeValue::Map(entries)) = data else {
            return;
        };
        for entry in entries {
            self.entry(entry, config_map, document, first);
        }
    }

    fn entry(&mut self, entry: &Entry, config_map: &str, document: &str, first: u32) {
        let file = &entry.key;
        let lower = file.to_lowercase();
        let report = |finding: Finding| {
            let finding = finding.key(format!("data.{file}")).at(entry.pos);
            let finding = finding.quote(document);
            finding.at(down(entry.pos, first))
        };
        // A name with letters of the wrong case is judged as one that is not allowed.
        let is_slot = lower
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ending == "yaml");
        if !is_slot {
            if lower.contains(".yml") || lower.contains(".yaml") {
                let stem = lower.split('.').next().unwrap_or_default();
                let finding =
                    Finding::warning("the key is no slot: the files of slots end in `.yaml`");
                let finding = finding.hint(format!("rename it to `{stem}.yaml`"));
                self.findings.push(report(finding));
            }
            return;
        }
        let NodeValue::Text(text) = &entry.node.value else {
            let finding = Finding::error(format!("must be text, got {}", entry.node.kind()));
            let finding = finding.hint(format!("write `{file}: |`, and the slot indented below"));
            self.findings.push(report(finding));
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

fn text_of(entry: Option<&Entry>) -> Option<&str> {
    match &entry?.node.value {
        NodeValue::Text(text) => Some(text),
        _ => None,
    }
}

fn down(pos: Pos, lines: u32) -> Pos {
    Pos::new(pos.line.saturating_add(lines), pos.column)
}
