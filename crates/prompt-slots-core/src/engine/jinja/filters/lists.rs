//! Filters that work on a list, or on whatever else can be looped over.

use minijinja::value::{Tuple, ValueKind};
use minijinja::{Error, Value};

use super::Call;
use crate::engine::jinja::call::error;
use crate::engine::jinja::lazy::{Lazy, is_generator};
use crate::engine::jinja::order::Attribute;
use crate::engine::jinja::python::{integer, name_of, real};

pub(super) fn list(call: &mut Call) -> Result<Value, Error> {
    Ok(call.items(&call.value()?)?.into())
}

pub(super) fn length(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if is_generator(&value) {
        return Err(call.error("needs a list; add `|list` before it"));
    }
    match value.kind() {
        ValueKind::String | ValueKind::Bytes | ValueKind::Map | ValueKind::Seq => {
            Ok(value.len().into())
        }
        ValueKind::Iterable => Ok(call.items(&value)?.len().into()),
        _ => Err(call.error(&format!("cannot measure {}", name_of(&value)))),
    }
}

pub(super) fn first(call: &mut Call) -> Result<Value, Error> {
    Ok(call
        .items(&call.value()?)?
        .first()
        .cloned()
        .unwrap_or_default())
}

pub(super) fn last(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if is_generator(&value) {
        return Err(call.error("needs a list; add `|list` before it"));
    }
    Ok(call.items(&value)?.last().cloned().unwrap_or_default())
}

pub(super) fn reverse(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if let Some(text) = value.as_str() {
        let text: String = text.chars().rev().collect();
        return Ok(if value.is_safe() {
            Value::from_safe_string(text)
        } else {
            text.into()
        });
    }
    let mut items = call.items(&value)?;
    items.reverse();
    // Python makes a list only of what it cannot read backwards.
    Ok(if is_generator(&value) {
        items.into()
    } else {
        call.lazy(items)
    })
}

pub(super) fn items(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if value.kind() != ValueKind::Map {
        return Err(call.error("needs a map"));
    }
    let keys = call.items(&value)?.into_iter();
    let pairs = keys.map(|key| {
        Ok(Value::from(Tuple::from([
            key.clone(),
            value.get_item(&key)?,
        ])))
    });
    Ok(call.lazy(pairs.collect::<Result<_, Error>>()?))
}

pub(super) fn join(call: &mut Call) -> Result<Value, Error> {
    let attribute = Attribute::new(call.arg("attribute"))?;
    let separator = call.text_of("d", "")?;
    let mut text = call.text();
    for (index, item) in call.items(&call.value()?)?.iter().enumerate() {
        if index > 0 {
            text.push(&separator)?;
        }
        text.str(&attribute.of(call, item, None)?)?;
    }
    Ok(call.text_done(text)?.into())
}

pub(super) fn sliced(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if let Some(lazy) = value.downcast_object_ref::<Lazy>() {
        return Err(lazy.misuse());
    }
    match value.kind() {
        ValueKind::String | ValueKind::Seq | ValueKind::Iterable => Ok(value),
        _ => Err(error(format!("`[:]` takes no part of {}", name_of(&value)))),
    }
}

/// Pays for a sum: the engine lays sums over each other, and copies all of their items every now and then.
pub(super) fn added(call: &mut Call) -> Result<Value, Error> {
    let value = call.value()?;
    if value.kind() == ValueKind::Iterable {
        call.pay(value.len().unwrap_or(0) / 8)?;
    }
    Ok(value)
}

pub(super) fn batch(call: &mut Call) -> Result<Value, Error> {
    let size = count(call, "linecount")?;
    let items = nestable(call)?;
    let mut batches: Vec<Vec<Value>> = items.chunks(size).map(<[Value]>::to_vec).collect();
    if let (Some(filler), Some(last)) = (call.given("fill_with"), batches.last_mut()) {
        call.weigh(&filler)?;
        call.pay(size - last.len())?;
        last.resize(size, filler);
    }
    Ok(call.lazy(batches.into_iter().map(Value::from).collect()))
}

pub(super) fn slice(call: &mut Call) -> Result<Value, Error> {
    let slices = count(call, "slices")?;
    call.pay(slices)?;
    let filler = call.given("fill_with");
    filler.iter().try_for_each(|filler| call.weigh(filler))?;
    let items = nestable(call)?;
    let (size, longer) = (items.len() / slices, items.len() % slices);
    let mut rest = &items[..];
    let mut columns = Vec::new();
    for number in 0..slices {
        let (column, tail) = rest.split_at(size + usize::from(number < longer));
        rest = tail;
        let filler = filler.iter().filter(|_| number >= longer);
        columns.push(column.iter().chain(filler).cloned().collect());
    }
    Ok(call.lazy(columns))
}

/// Returns the items of a list that is going to be nested in another.
fn nestable(call: &Call) -> Result<Vec<Value>, Error> {
    let items = call.items(&call.value()?)?;
    items.iter().try_for_each(|item| call.weigh(item))?;
    Ok(items)
}

/// Returns an argument that counts something.
fn count(call: &Call, name: &str) -> Result<usize, Error> {
    call.required(name)?;
    let count = usize::try_from(call.integer(name, 0)?).ok();
    count
        .filter(|count| *count > 0)
        .ok_or_else(|| call.error(&format!("needs a `{name}` of 1 or more")))
}

pub(super) fn sum(call: &mut Call) -> Result<Value, Error> {
    let attribute = Attribute::new(call.arg("attribute"))?;
    let mut sum = call.arg("start").cloned().unwrap_or_else(|| 0.into());
    if real(&sum).is_none() {
        return Err(call.error("adds up only numbers"));
    }
    for item in call.items(&call.value()?)? {
        let item = attribute.of(call, &item, None)?;
        sum = add(&sum, &item).ok_or_else(|| {
            call.error(&format!(
                "cannot add {} to {}",
                name_of(&item),
                name_of(&sum)
            ))
        })?;
    }
    Ok(sum)
}

fn add(a: &Value, b: &Value) -> Option<Value> {
    if let (Some(a), Some(b)) = (integer(a), integer(b)) {
        return a.checked_add(b).map(Value::from);
    }
    Some((real(a)? + real(b)?).into())
}
