//! JSON-like data that can be compiled into a program.

use minijinja::value::{Serde, ValueKind};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};

use crate::shared::{List, Text};

/// A value as JSON knows it; unlike `serde_json::Value` it can be `const`, and it is cheap to clone.
///
/// It holds what is free in a slot: the inputs and replies of test cases, defaults, schemas, `llm.extra`.
/// Maps keep the order in which they were written.
#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number that fits 64 bits with a sign.
    Int(i64),
    /// A whole number above `i64::MAX`.
    UInt(u64),
    /// Any other number; always finite.
    Float(f64),
    /// Text.
    Text(Text),
    /// A list.
    List(List<Data>),
    /// Names and values; no name stands twice.
    Map(List<(Text, Data)>),
}

impl Data {
    /// Converts anything serializable, such as what a caller passes at run time.
    ///
    /// # Errors
    ///
    /// Fails where the value's own `Serialize` does, on map keys that are no text, and on numbers that are not finite.
    pub fn from_serialize(value: impl Serialize) -> Result<Self, serde_json::Error> {
        let data = Self::from(serde_json::to_value(&value)?);
        // JSON has no such numbers, and `null` in their place would take a key back.
        if data.holds_null() && !is_finite(&minijinja::Value::from(Serde(&value))) {
            return Err(serde_json::Error::custom("a number that is not finite"));
        }
        Ok(data)
    }

    fn holds_null(&self) -> bool {
        match self {
            Self::Null => true,
            Self::List(items) => items.iter().any(Self::holds_null),
            Self::Map(entries) => entries.iter().any(|(_, value)| value.holds_null()),
            _ => false,
        }
    }

    /// Returns the text, if this is text.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// Returns the value under `name`, if this is a map that has it.
    pub fn get(&self, name: &str) -> Option<&Data> {
        match self {
            Self::Map(entries) => entries
                .iter()
                .find(|(key, _)| *key == *name)
                .map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the same value as `serde_json` holds it.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Int(value) => Value::from(*value),
            Self::UInt(value) => Value::from(*value),
            Self::Float(value) => Value::from(*value),
            Self::Text(text) => Value::String((**text).to_owned()),
            Self::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Self::Map(entries) => Value::Object(
                entries
                    .iter()
                    .map(|(key, value)| ((**key).to_owned(), value.to_json()))
                    .collect(),
            ),
        }
    }

    /// Returns the word for this kind of value in messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::UInt(_) | Self::Float(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }

    /// Makes a map from pairs, in their order.
    pub fn map<K: Into<Text>>(entries: impl IntoIterator<Item = (K, Data)>) -> Self {
        Self::Map(
            entries
                .into_iter()
                .map(|(key, value)| (key.into(), value))
                .collect(),
        )
    }
}

/// Tells whether every number in a value is finite.
fn is_finite(value: &minijinja::Value) -> bool {
    match value.kind() {
        ValueKind::Number => {
            value.is_integer() || f64::try_from(value.clone()).is_ok_and(f64::is_finite)
        }
        ValueKind::Seq | ValueKind::Iterable => value
            .try_iter()
            .is_ok_and(|mut items| items.all(|item| is_finite(&item))),
        ValueKind::Map => value.try_iter().is_ok_and(|mut keys| {
            keys.all(|key| value.get_item(&key).is_ok_and(|item| is_finite(&item)))
        }),
        _ => true,
    }
}

impl From<serde_json::Value> for Data {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(value), _) => Self::Int(value),
                (None, Some(value)) => Self::UInt(value),
                (None, None) => number.as_f64().map_or(Self::Null, Self::Float),
            },
            Value::String(text) => Self::Text(text.into()),
            Value::Array(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Value::Object(entries) => Self::map(
                entries
                    .into_iter()
                    .map(|(key, value)| (key, Self::from(value))),
            ),
        }
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::UInt(value) => serializer.serialize_u64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items.iter()),
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(&**key, value)?;
                }
                map.end()
            }
        }
    }
}
