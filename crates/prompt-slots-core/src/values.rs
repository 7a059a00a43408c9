//! The values of one rendering: given by the caller, completed with defaults, held against the declarations.

use std::collections::HashSet;

use minijinja::Value;
use minijinja::value::{Serde, ValueKind};
use serde::Serialize;

use crate::data::Data;
use crate::name::nearest;
use crate::shared::Text;
use crate::spec::Variable;

/// Why values don't fit a slot. Never holds a value: values may be secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuesError {
    /// What is wrong.
    pub message: String,
    /// The next step.
    pub hint: String,
}

/// Completes `given` with the defaults of `variables`.
///
/// # Errors
///
/// Fails if `given` is no map from names, holds a name that is not declared, or lacks required ones; the latter are all
/// named at once.
pub fn bind(variables: &[Variable], given: &Value) -> Result<Value, ValuesError> {
    let names = names_of(given)?;
    let declared = variables.iter().map(|variable| &*variable.name);
    let known: HashSet<&str> = declared.clone().collect();
    if let Some(stranger) = names.iter().find(|name| !known.contains(name.as_str())) {
        let hint = match nearest(stranger, declared.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if variables.is_empty() => "the slot declares no variables".to_owned(),
            None => format!("the slot takes {}", list(declared)),
        };
        return Err(ValuesError {
            message: format!("the value `{stranger}` is not declared under `variables`"),
            hint,
        });
    }
    let given_names: HashSet<&str> = names.iter().map(String::as_str).collect();
    let missing = |variable: &&Variable| !given_names.contains(&*variable.name);
    let required: Vec<_> = variables
        .iter()
        .filter(missing)
        .filter(|variable| variable.is_required())
        .collect();
    if !required.is_empty() {
        let names = list(required.iter().map(|variable| &*variable.name));
        let message = format!("no value for {names}");
        return Err(ValuesError {
            message,
            hint: "give every required variable a value".to_owned(),
        });
    }
    let mut defaults = variables.iter().filter(missing).filter_map(|variable| {
        let value = variable.default.as_ref()?;
        Some((variable.name.to_string(), Value::from(Serde(value))))
    });
    let Some(first) = defaults.next() else {
        return Ok(given.clone());
    };
    let own = names
        .iter()
        .map(|name| (name.clone(), given.get_attr(name).unwrap_or_default()));
    Ok(Value::from_pairs(own.chain([first]).chain(defaults)))
}

/// Takes a caller's values: a map, or a struct that serializes to one.
pub fn to_values(values: &impl Serialize) -> Value {
    Value::from(Serde(values))
}

/// Makes the values of a test case.
pub(crate) fn from_input<'a>(input: impl IntoIterator<Item = &'a (Text, Data)>) -> Value {
    let pairs = input.into_iter();
    Value::from_pairs(pairs.map(|(name, data)| (name.to_string(), Value::from(Serde(data)))))
}

fn names_of(given: &Value) -> Result<Vec<String>, ValuesError> {
    let no_map = |message: &str| ValuesError {
        message: message.to_owned(),
        hint: "pass a map, or a struct that serializes to one".to_owned(),
    };
    match given.kind() {
        ValueKind::None | ValueKind::Undefined => return Ok(Vec::new()),
        ValueKind::Map => {}
        ValueKind::Invalid => return Err(no_map("the values can't be serialized")),
        _ => return Err(no_map("the values are no map from names to values")),
    }
    let keys = given
        .try_iter()
        .map_err(|_| no_map("the values can't be listed"))?;
    keys.map(|key| {
        key.as_str()
            .map(str::to_owned)
            .ok_or_else(|| no_map("a name among the values is not text"))
    })
    .collect()
}

/// Writes names as a list for people.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
