//! A YAML file as a tree: every value with its place, and how it is written.

use crate::place::{Lay, Pos};

/// A value of a YAML file with its place.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub pos: Pos,
    /// The same as `pos`, in bytes.
    pub offset: usize,
    pub style: Style,
    pub value: NodeValue,
}

#[derive(Debug, Clone)]
pub(crate) enum NodeValue {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key of a map with its value.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub key: String,
    pub pos: Pos,
    pub node: Node,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Quoted,
    Literal,
    Folded,
    Flow,
    Block,
    /// Stands for an anchor's value; so does all that is inside.
    Alias,
}

impl Node {
    /// Returns the word for this kind of value in messages.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            NodeValue::Null => "null",
            NodeValue::Bool(_) => "a boolean",
            NodeValue::Int(_) | NodeValue::UInt(_) => "a number",
            NodeValue::Float(_) => "a number with a decimal point",
            NodeValue::Text(_) => "text",
            NodeValue::List(_) => "a list",
            NodeValue::Map(_) => "a map",
        }
    }

    /// Tells how the text of this scalar lies in the file.
    pub(crate) fn lay(&self, source: &str) -> Lay {
        let NodeValue::Text(text) = &self.value else {
            return Lay::Opaque;
        };
        match self.style {
            // The parser's position is that of the first character that is text.
            Style::Literal if text.contains(|c| c != '\n') => Lay::Block(self.pos.column - 1),
            Style::Plain if self.is_written_as(text, source) => Lay::Inline,
            _ => Lay::Opaque,
        }
    }

    /// Tells whether the file holds `text` where this value starts.
    pub(crate) fn is_written_as(&self, text: &str, source: &str) -> bool {
        let rest = source.get(self.offset..);
        rest.is_some_and(|rest| rest.starts_with(text))
    }
}
