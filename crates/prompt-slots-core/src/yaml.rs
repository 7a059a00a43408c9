//! YAML, and the only file that names the two crates that read it.
//!
//! One pass over parser events comes first: it bounds the work (`yaml_serde` alone needs seconds for 64 KiB of `[`, and
//! gigabytes for aliases), refuses what the two crates read differently, and keeps the place of every key and value.
//! Then `yaml_serde` reads the values, and both are laid side by side into one tree.

use std::collections::HashMap;

use granit_parser::{Event, Marker, Parser, ScalarStyle, Span, StructureStyle};
use serde_yaml::Value;

use crate::finding::Finding;
use crate::limits::Limits;
use crate::node::{Entry, Node, NodeValue, Style};
use crate::place::Pos;
use crate::source::decode;

pub use serde_yaml::Mapping;

/// Reads one YAML document. `Ok(None)` is an empty file, or one of comments alone.
pub(crate) fn parse(source: &str, limits: &Limits) -> Result<Option<Node>, Vec<Finding>> {
    let Some(mark) = read_marks(source, limits)? else {
        return Ok(None);
    };
    let value: Value = serde_yaml::from_str(source).map_err(|error| vec![value_error(&error)])?;
    let mut findings = Vec::new();
    let node = lay_together(&mark, value, &mut findings);
    if findings.is_empty() {
        Ok(Some(node))
    } else {
        Err(findings)
    }
}

/// Why a file is no mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MappingError {
    /// It is valid YAML with another root.
    NotAMapping(Finding),
    /// It is not valid, or over a limit.
    Invalid(Vec<Finding>),
}

impl From<Vec<Finding>> for MappingError {
    fn from(findings: Vec<Finding>) -> Self {
        Self::Invalid(findings)
    }
}

/// Reads a YAML file whose root is a mapping, without judging its keys; an empty file is an empty mapping.
pub fn parse_mapping(bytes: &[u8], limits: &Limits) -> Result<Mapping, MappingError> {
    let source = decode(bytes, limits).map_err(|finding| vec![finding])?;
    match read_marks(&source, limits)? {
        None => Ok(Mapping::new()),
        Some(mark) if matches!(mark.kind, MarkKind::Map(_)) => {
            Ok(serde_yaml::from_str(&source).map_err(|error| vec![value_error(&error)])?)
        }
        Some(mark) => {
            let finding = not_a_mapping(mark.word(), mark.pos);
            Err(MappingError::NotAMapping(finding))
        }
    }
}

/// Says that the root of a file is no mapping.
pub(crate) fn not_a_mapping(kind: &str, pos: Pos) -> Finding {
    Finding::error(format!("the file must be a mapping, got {kind}"))
        .hint("write `key: value` lines, with a space behind the colon")
        .at(pos)
}

/// The place of a value and of what is inside.
#[derive(Debug)]
struct Mark {
    pos: Pos,
    offset: usize,
    style: Style,
    kind: MarkKind,
}

#[derive(Debug)]
enum MarkKind {
    Scalar,
    Alias,
    List(Vec<Mark>),
    Map(Vec<(String, Pos, Mark)>),
}

impl Mark {
    fn word(&self) -> &'static str {
        match self.kind {
            MarkKind::Scalar => "a single value",
            MarkKind::Alias => "an alias",
            MarkKind::List(_) => "a list",
            MarkKind::Map(_) => "a map",
        }
    }
}

/// What an anchor stands for, once it is complete.
type Sizes = HashMap<usize, Size>;

#[derive(Debug, Clone, Copy, Default)]
struct Size {
    nodes: usize,
    bytes: usize,
    /// The levels of lists and maps, its own counted.
    depth: usize,
}

impl Size {
    fn of_text(text: &str) -> Self {
        Self {
            nodes: 1,
            bytes: text.len(),
            depth: 0,
        }
    }
}

/// A list or map that is still open.
struct Frame {
    mark: Mark,
    anchor: usize,
    before: Size,
    /// The levels of lists and maps in it, its own counted.
    depth: usize,
    /// The key whose value comes next.
    key: Option<(String, Pos)>,
    /// The lines of the keys so far.
    seen: HashMap<String, u32>,
}

/// Reads the events of `source` into marks; no value is looked at but for the names of keys.
fn read_marks(source: &str, limits: &Limits) -> Result<Option<Mark>, Vec<Finding>> {
    let mut reader = MarkReader {
        source,
        limits,
        sizes: Sizes::new(),
        size: Size::default(),
        stack: Vec::new(),
    };
    let mut root = None;
    let mut documents = 0;
    let mut findings = Vec::new();
    for event in Parser::new_from_str(source) {
        let (event, span) = match event {
            Ok(event) => event,
            Err(error) => {
                let pos = position(error.marker());
                findings.push(crate::slip::explain(source, pos, &error.info()));
                return Err(findings);
            }
        };
        if let Event::DocumentStart(..) = event {
            documents += 1;
            if documents > 1 {
                let finding = Finding::error("the file holds more than one document")
                    .hint("keep one; a slot file is a single mapping")
                    .at(position(&span.start));
                return Err(vec![finding]);
            }
        }
        match reader.take(event, span, &mut findings) {
            Ok(None) => {}
            Ok(Some(mark)) => root = Some(mark),
            Err(finding) => {
                findings.push(finding);
                return Err(findings);
            }
        }
    }
    if !findings.is_empty() {
        return Err(findings);
    }
    // A lone `---` is a document of one empty scalar: nothing was written.
    Ok(root.filter(|mark| !is_nothing(source, mark)))
}

fn is_nothing(source: &str, mark: &Mark) -> bool {
    matches!(mark.kind, MarkKind::Scalar)
        && source.lines().all(|line| {
            line.trim().is_empty() || line.starts_with(['#', '%']) || line.starts_with("---")
        })
        && source
            .lines()
            .filter_map(|line| line.strip_prefix("---"))
            .all(|rest| {
                let rest = rest.trim();
                rest.is_empty() || rest.starts_with('#')
            })
}

struct MarkReader<'a> {
    source: &'a str,
    limits: &'a Limits,
    sizes: Sizes,
    size: Size,
    stack: Vec<Frame>,
}

impl MarkReader<'_> {
    /// Takes one event; returns the root when it is complete. A finding in `Err` ends the reading.
    fn take(
        &mut self,
        event: Event<'_>,
        span: Span,
        findings: &mut Vec<Finding>,
    ) -> Result<Option<Mark>, Finding> {
        let pos = position(&span.start);
        let offset = span.start.byte_offset().unwrap_or_default();
        if let Some(tag) = event.tag() {
            let at = span.tag_start.map_or(pos, |mark| position(&mark));
            let shown: String = tag.original().chars().take(60).collect();
            return Err(
                Finding::error(format!("the tag `{shown}` has no meaning in a slot file"))
                    .hint("delete it; quote the value if it is text")
                    .at(at),
            );
        }
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let size = Size::of_text(&text);
                self.grow(size, pos)?;
                if anchor > 0 {
                    self.sizes.insert(anchor, size);
                }
                if self.wants_key() {
                    return self.take_key(&text, style, pos, findings).map(|()| None);
                }
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::Literal => Style::Literal,
                    ScalarStyle::Folded => Style::Folded,
                    _ => Style::Quoted,
                };
                Ok(self.put(Mark {
                    pos,
                    offset,
                    style,
                    kind: MarkKind::Scalar,
                }))
            }
            Event::Alias(anchor) => {
                let Some(size) = self.sizes.get(&anchor).copied() else {
                    return Err(Finding::error("an alias inside its own anchor")
                        .hint("write the value out")
                        .at(pos));
                };
                self.grow(size, pos)?;
                if self.wants_key() {
                    return Err(complex_key(pos));
                }
                self.deepen(size.depth, pos)?;
                Ok(self.put(Mark {
                    pos,
                    offset,
                    style: Style::Alias,
                    kind: MarkKind::Alias,
                }))
            }
            Event::SequenceStart(style, anchor, _) => {
                self.open(style, anchor, MarkKind::List(Vec::new()), pos)
            }
            Event::MappingStart(style, anchor, _) => {
                self.open(style, anchor, MarkKind::Map(Vec::new()), pos)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(frame) = self.stack.pop() else {
                    return Ok(None);
                };
                if frame.anchor > 0 {
                    let size = Size {
                        nodes: self.size.nodes - frame.before.nodes,
                        bytes: self.size.bytes - frame.before.bytes,
                        depth: frame.depth,
                    };
                    self.sizes.insert(frame.anchor, size);
                }
                self.deepen(frame.depth, pos)?;
                Ok(self.put(frame.mark))
            }
            _ => Ok(None),
        }
    }

    fn open(
        &mut self,
        style: StructureStyle,
        anchor: usize,
        kind: MarkKind,
        pos: Pos,
    ) -> Result<Option<Mark>, Finding> {
        if self.wants_key() {
            return Err(crate::slip::unquoted_template(self.source, pos)
                .unwrap_or_else(|| complex_key(pos)));
        }
        let before = self.size;
        self.grow(Size::of_text(""), pos)?;
        self.deepen(1, pos)?;
        let style = if style == StructureStyle::Flow {
            Style::Flow
        } else {
            Style::Block
        };
        // Only a scalar's offset is ever asked for.
        let mark = Mark {
            pos,
            offset: 0,
            style,
            kind,
        };
        self.stack.push(Frame {
            mark,
            anchor,
            before,
            depth: 1,
            key: None,
            seen: HashMap::new(),
        });
        Ok(None)
    }

    fn wants_key(&self) -> bool {
        self.stack
            .last()
            .is_some_and(|frame| matches!(frame.mark.kind, MarkKind::Map(_)) && frame.key.is_none())
    }

    fn take_key(
        &mut self,
        text: &str,
        style: ScalarStyle,
        pos: Pos,
        findings: &mut Vec<Finding>,
    ) -> Result<(), Finding> {
        if text == "<<" && style == ScalarStyle::Plain {
            return Err(Finding::error("merge keys (`<<`) are not supported")
                .hint("write the keys out, or give the whole map an anchor and use `*name`")
                .at(pos));
        }
        if text.is_empty() && style == ScalarStyle::Plain {
            return Err(Finding::error("there is no key before the colon")
                .hint("write the key, or quote the line if it is text")
                .at(pos));
        }
        let Some(frame) = self.stack.last_mut() else {
            return Ok(());
        };
        if let Some(first) = frame.seen.insert(text.to_owned(), pos.line) {
            findings.push(
                Finding::error(format!(
                    "the key `{text}` stands twice, first on line {first}"
                ))
                .hint(if text.starts_with('-') {
                    "put a space behind the dash, if each starts an item of a list"
                } else {
                    "keep one of them"
                })
                .at(pos),
            );
        }
        frame.key = Some((text.to_owned(), pos));
        Ok(())
    }

    /// Puts a complete value into the list or map around it; returns it if it is the root.
    fn put(&mut self, mark: Mark) -> Option<Mark> {
        let Some(frame) = self.stack.last_mut() else {
            return Some(mark);
        };
        match &mut frame.mark.kind {
            MarkKind::List(items) => items.push(mark),
            MarkKind::Map(entries) => {
                if let Some((key, pos)) = frame.key.take() {
                    entries.push((key, pos, mark));
                }
            }
            MarkKind::Scalar | MarkKind::Alias => {}
        }
        None
    }

    /// Notes that so many levels of lists and maps stand in the one that is open; an alias has those of its anchor.
    fn deepen(&mut self, levels: usize, pos: Pos) -> Result<(), Finding> {
        let limit = self.limits.depth;
        if self.stack.len() + levels > limit {
            return Err(Finding::error(format!(
                "lists and maps are nested deeper than {limit} levels"
            ))
            .hint("flatten them")
            .at(pos));
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.depth = frame.depth.max(levels + 1);
        }
        Ok(())
    }

    fn grow(&mut self, by: Size, pos: Pos) -> Result<(), Finding> {
        self.size.nodes = self.size.nodes.saturating_add(by.nodes);
        self.size.bytes = self.size.bytes.saturating_add(by.bytes);
        // Aliases repeat text without making the file longer; four times the largest file is room for honest ones.
        if self.size.nodes > self.limits.nodes
            || self.size.bytes > self.limits.file_bytes.saturating_mul(4)
        {
            return Err(Finding::error(
                "the file holds too many values, its aliases counted in full",
            )
            .hint("use fewer aliases, or a smaller file")
            .at(pos));
        }
        Ok(())
    }
}

fn complex_key(pos: Pos) -> Finding {
    Finding::error("a key must be text")
        .hint("quote the value if it is text that starts with a bracket or brace")
        .at(pos)
}

fn position(mark: &Marker) -> Pos {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Pos::new(
        number(mark.line()).max(1),
        number(mark.col()).saturating_add(1),
    )
}

fn value_error(error: &serde_yaml::Error) -> Finding {
    // The place is told apart from the message.
    let message = error.to_string();
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(message, _)| message);
    let finding = if message.contains("as u128") || message.contains("as i128") {
        Finding::error("a whole number of more than 64 bits").hint("quote it, if it is text")
    } else {
        let hint = if message.contains("escape code") || message.contains("surrogate") {
            "write the character itself, or `\\U` and its eight digits"
        } else {
            "quote the value, if it is text"
        };
        Finding::error(format!("not valid YAML: {message}")).hint(hint)
    };
    match error.location() {
        Some(at) => finding.at(Pos::new(
            u32::try_from(at.line()).unwrap_or(1),
            u32::try_from(at.column()).unwrap_or(1),
        )),
        None => finding,
    }
}

/// Lays the values beside their marks. Inside an alias everything has the alias's own place.
fn lay_together(mark: &Mark, value: Value, findings: &mut Vec<Finding>) -> Node {
    let pos = mark.pos;
    let alias = || Mark {
        pos,
        offset: mark.offset,
        style: Style::Alias,
        kind: MarkKind::Alias,
    };
    let value = match value {
        Value::Null => NodeValue::Null,
        Value::Bool(value) => NodeValue::Bool(value),
        Value::Number(number) => number_value(&number, pos, findings),
        Value::String(text) => NodeValue::Text(text),
        Value::Sequence(items) => {
            let marks = if let MarkKind::List(marks) = &mark.kind {
                marks.as_slice()
            } else {
                &[]
            };
            let items = items
                .into_iter()
                .enumerate()
                .map(|(at, item)| match marks.get(at) {
                    Some(mark) => lay_together(mark, item, findings),
                    None => lay_together(&alias(), item, findings),
                });
            NodeValue::List(items.collect())
        }
        Value::Mapping(entries) => {
            let marks = if let MarkKind::Map(marks) = &mark.kind {
                marks.as_slice()
            } else {
                &[]
            };
            let mut laid = Vec::with_capacity(entries.len());
            for (at, (key, value)) in entries.into_iter().enumerate() {
                let place = marks.get(at);
                let key_pos = place.map_or(pos, |(_, key_pos, _)| *key_pos);
                let Value::String(key) = key else {
                    let written = place.map_or("it", |(text, _, _)| text);
                    findings.push(
                        Finding::error(format!("the key `{written}` is not text"))
                            .hint("put it in quotes")
                            .at(key_pos),
                    );
                    continue;
                };
                let node = match place {
                    Some((_, _, mark)) => lay_together(mark, value, findings),
                    None => lay_together(&alias(), value, findings),
                };
                laid.push(Entry {
                    key,
                    pos: key_pos,
                    node,
                });
            }
            NodeValue::Map(laid)
        }
        Value::Tagged(tagged) => return lay_together(mark, tagged.value, findings),
    };
    Node {
        pos,
        offset: mark.offset,
        style: mark.style,
        value,
    }
}

fn number_value(number: &serde_yaml::Number, pos: Pos, findings: &mut Vec<Finding>) -> NodeValue {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(value), _, _) => NodeValue::Int(value),
        (None, Some(value), _) => NodeValue::UInt(value),
        (None, None, Some(value)) if value.is_finite() => NodeValue::Float(value),
        _ => {
            findings.push(
                Finding::error("not a finite number")
                    .hint("write a number, or quote it if it is text")
                    .at(pos),
            );
            NodeValue::Null
        }
    }
}
