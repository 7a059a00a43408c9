//! How Python orders values, and the attributes that filters order and group by.

use std::cmp::Ordering;

use minijinja::value::ValueKind;
use minijinja::{Error, Value};

use super::call::{Call, defined, error};
use super::lazy::Lazy;
use super::python::{DEPTH, name_of};
use super::subscript::small;

/// Compares two values; like Python, refuses those of different types.
pub(super) fn compare(a: &Value, b: &Value) -> Result<Ordering, Error> {
    let (a, b) = (list(a.clone())?, list(b.clone())?);
    comparable(&a, &b, DEPTH)?;
    Ok(a.cmp(&b))
}

/// Makes a list of what the engine keeps as a view of one, such as a slice: it orders these apart from lists.
fn list(value: Value) -> Result<Value, Error> {
    let lazy = value.downcast_object_ref::<Lazy>().is_some();
    if value.kind() != ValueKind::Iterable || lazy {
        return Ok(value);
    }
    Ok(value
        .try_iter()?
        .checked()
        .collect::<Result<Vec<_>, _>>()?
        .into())
}

/// Tells whether Python would compare two values without an error.
fn comparable(a: &Value, b: &Value, depth: usize) -> Result<(), Error> {
    let inner = depth
        .checked_sub(1)
        .ok_or_else(|| error("lists nest too deeply"))?;
    let same = |kinds: &[ValueKind]| kinds.contains(&a.kind()) && kinds.contains(&b.kind());
    if same(&[ValueKind::Seq]) && a.is_tuple() == b.is_tuple() {
        // The first items that differ decide; those behind them are never compared.
        let mut pairs = a.try_iter()?.zip(b.try_iter()?);
        let different = pairs.find(|(a, b)| a != b);
        return different.map_or(Ok(()), |(a, b)| comparable(&a, &b, inner));
    }
    if same(&[ValueKind::Bool, ValueKind::Number])
        || same(&[ValueKind::String])
        || same(&[ValueKind::None])
    {
        return Ok(());
    }
    Err(error(format!(
        "cannot compare {} with {}",
        name_of(a),
        name_of(b)
    )))
}

/// Sorts values by their keys, equal ones in the order they had.
pub(super) fn sort(
    call: &Call,
    mut keyed: Vec<(Value, Value)>,
    reverse: bool,
) -> Result<Vec<(Value, Value)>, Error> {
    call.pay(keyed.len() * keyed.len().checked_ilog2().unwrap_or(0) as usize)?;
    let mut failure = None;
    // The order of values that cannot be compared is never seen, but must be one: sorting panics on a wrong one.
    keyed.sort_by(|(a, _), (b, _)| {
        if let Err(error) = comparable(a, b, DEPTH) {
            failure.get_or_insert(error);
        }
        if reverse { b.cmp(a) } else { a.cmp(b) }
    });
    failure.map_or(Ok(keyed), Err)
}

/// The most parts of an attribute's path, and the most attributes to sort by: each is looked up for each item.
const MOST_PARTS: usize = 32;

/// Finds the attribute of a value that a filter's argument names: a path of keys and indexes, like `user.tags.0`.
pub(super) struct Attribute(Vec<Value>);

impl Attribute {
    /// Reads the argument; without one, or with `none`, the attribute is the value itself.
    pub(super) fn new(argument: Option<&Value>) -> Result<Self, Error> {
        let argument = argument.filter(|value| !value.is_none());
        match argument.map(|value| (value, value.as_str())) {
            None => Ok(Self(Vec::new())),
            Some((value, None)) => {
                small(value)?;
                Ok(Self(vec![value.clone()]))
            }
            Some((_, Some(path))) => Self::of_path(path),
        }
    }

    /// Reads an argument that may name several attributes, set apart by commas.
    pub(super) fn several(argument: Option<&Value>) -> Result<Vec<Self>, Error> {
        match argument.and_then(Value::as_str) {
            Some(paths) => few(paths, ',')?.map(Self::of_path).collect(),
            None => Ok(vec![Self::new(argument)?]),
        }
    }

    fn of_path(path: &str) -> Result<Self, Error> {
        let parts: Vec<_> = few(path, '.')?.map(part).collect();
        parts.iter().try_for_each(small)?;
        Ok(Self(parts))
    }

    /// Returns the attribute of `item`, or `default` where a part of the path is not there.
    pub(super) fn of(
        &self,
        call: &Call,
        item: &Value,
        default: Option<&Value>,
    ) -> Result<Value, Error> {
        let mut item = item.clone();
        for part in &self.0 {
            if item.is_undefined() {
                return Err(missing(call));
            }
            call.pay_for_index(&item)?;
            item = item.get_item(part)?;
            if let (true, Some(default)) = (item.is_undefined(), default) {
                item = default.clone();
            }
        }
        Ok(item)
    }

    /// Returns the attribute of `item` as something to sort by, and pays for it.
    pub(super) fn key(
        &self,
        call: &Call,
        item: &Value,
        default: Option<&Value>,
        case_sensitive: bool,
    ) -> Result<Value, Error> {
        let key = self.of(call, item, default)?;
        if key.is_undefined() && !self.0.is_empty() {
            return Err(missing(call));
        }
        let key = list(defined(key)?)?;
        sortable(call, key, case_sensitive)
    }
}

/// The engine can't say what was undefined: it sees no name, only the argument of a filter.
fn missing(call: &Call) -> Error {
    call.error("finds an item that lacks the attribute")
}

/// Splits an argument into its parts.
fn few(argument: &str, at: char) -> Result<std::str::Split<'_, char>, Error> {
    if argument.split(at).nth(MOST_PARTS).is_some() {
        return Err(error(format!(
            "`attribute` has more than {MOST_PARTS} parts"
        )));
    }
    Ok(argument.split(at))
}

fn part(part: &str) -> Value {
    match part.parse::<u64>() {
        Ok(index) if part.bytes().all(|byte| byte.is_ascii_digit()) => index.into(),
        _ => part.into(),
    }
}

/// Returns a text in lower case, or as it is, and anything else as it is; pays for a text that is going to be compared.
pub(super) fn sortable(call: &Call, value: Value, case_sensitive: bool) -> Result<Value, Error> {
    let Some(text) = value.as_str() else {
        return Ok(value);
    };
    call.pay(text.len() / 16)?;
    Ok(if case_sensitive {
        value
    } else {
        text.to_lowercase().into()
    })
}
