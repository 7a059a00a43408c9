//! The values of one rendering: given by the caller, completed with defaults, held against the declarations.

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
    check_names(variables, given)?;
    let of = |variable: &Variable| {
        let value = given.get_attr(&variable.name).ok();
        value.filter(|value| !value.is_undefined())
    };
    let values: Vec<_> = variables.iter().map(of).collect();
    let missing = || {
        let both = variables.iter().zip(&values);
        both.filter(|(_, value)| value.is_none())
            .map(|(variable, _)| variable)
    };
    if missing().any(Variable::is_required) {
        let required = missing().filter(|variable| variable.is_required());
        let names = list(required.map(|variable| &*variable.name));
        return Err(ValuesError {
            message: format!("no value for {names}"),
            hint: "give every required variable a value".to_owned(),
        });
    }
    if missing().all(|variable| variable.default.is_none()) {
        return Ok(given.clone());
    }
    let complete = variables
        .iter()
        .zip(values)
        .filter_map(|(variable, value)| {
            let default = || variable.default.as_ref().map(|it| Value::from(Serde(it)));
            Some((&*variable.name, value.or_else(default)?))
        });
    Ok(Value::from_pairs(complete))
}

/// Fails if `given` is no map from names, or holds a name that is not declared.
fn check_names(variables: &[Variable], given: &Value) -> Result<(), ValuesError> {
    let no_map = |message: &str| ValuesError {
        message: message.to_owned(),
        hint: "pass a map, or a struct that serializes to one".to_owned(),
    };
    match given.kind() {
        ValueKind::None | ValueKind::Undefined => return Ok(()),
        ValueKind::Map => {}
        ValueKind::Invalid => return Err(no_map("the values can't be serialized")),
        _ => return Err(no_map("the values are no map from names to values")),
    }
    let names = given
        .try_iter()
        .map_err(|_| no_map("the values can't be listed"))?;
    for name in names {
        let text = name.as_str().filter(|_| name.kind() == ValueKind::String);
        let text = text.ok_or_else(|| no_map("a name among the values is not text"))?;
        // One by one, since a slot has few variables, and the first look finds most of them.
        if variables.iter().all(|variable| *variable.name != *text) {
            return Err(undeclared(variables, text));
        }
    }
    Ok(())
}

fn undeclared(variables: &[Variable], name: &str) -> ValuesError {
    let declared = variables.iter().map(|variable| &*variable.name);
    let hint = match nearest(name, declared.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if variables.is_empty() => "the slot declares no variables".to_owned(),
        None => format!("the slot takes {}", list(declared)),
    };
    ValuesError {
        message: format!("the value `{name}` is not declared under `variables`"),
        hint,
    }
}

/// Takes a caller's values: a map, or a struct that serializes to one.
pub fn to_values(values: &impl Serialize) -> Value {
    Value::from(Serde(values))
}

/// Makes the values of a test case.
pub(crate) fn from_input<'a>(input: impl IntoIterator<Item = &'a (Text, Data)>) -> Value {
    let pairs = input.into_iter();
    Value::from_pairs(pairs.map(|(name, data)| (&**name, Value::from(Serde(data)))))
}

/// Writes names as a list for people.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
