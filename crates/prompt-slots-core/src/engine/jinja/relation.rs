//! Comparisons and `in`: the engine orders values of any kinds, looks for numbers in texts, and charges little.
//!
//! So a chain such as `a < b in c` goes through a filter as a whole, which refuses what Python refuses, and pays for what
//! it looks at.

use std::cmp::Ordering;

use minijinja::value::ValueKind;
use minijinja::{Error, Value};

use super::call::{Call, defined, error};
use super::lazy::Lazy;
use super::order;
use super::python::{DEPTH, name_of};
use super::subscript::small;

/// Judges a chain: the first operand, then operators and operands in turn.
pub(super) fn compared(call: &mut Call) -> Result<Value, Error> {
    let mut left = call.value()?;
    for pair in call.rest().chunks_exact(2) {
        let [operator, right] = pair else { break };
        let right = defined(right.clone())?;
        if !holds(call, &left, operator.as_str().unwrap_or_default(), &right)? {
            return Ok(false.into());
        }
        left = right;
    }
    Ok(true.into())
}

fn holds(call: &Call, left: &Value, operator: &str, right: &Value) -> Result<bool, Error> {
    let ordering = || ordered(call, left, right);
    match operator {
        "==" => equal(call, left, right),
        "!=" => equal(call, left, right).map(|equal| !equal),
        "<" => ordering().map(Ordering::is_lt),
        "<=" => ordering().map(Ordering::is_le),
        ">" => ordering().map(Ordering::is_gt),
        ">=" => ordering().map(Ordering::is_ge),
        "in" => contained(call, left, right),
        // What stands between the two words may be any white space.
        _ => contained(call, left, right).map(|contained| !contained),
    }
}

/// Pays for a comparison with another value that may be the same.
pub(super) fn weighed(call: &mut Call) -> Result<Value, Error> {
    let value = call.subject()?;
    pay_while_alike(call, &value, &value, DEPTH)?;
    Ok(value)
}

/// Tells whether two values are equal.
pub(super) fn equal(call: &Call, a: &Value, b: &Value) -> Result<bool, Error> {
    pay_while_alike(call, a, b, DEPTH)?;
    Ok(a == b)
}

/// Orders two values.
pub(super) fn ordered(call: &Call, a: &Value, b: &Value) -> Result<Ordering, Error> {
    if a.is_none() && b.is_none() {
        return Err(error("cannot compare none with none"));
    }
    pay_while_alike(call, a, b, DEPTH)?;
    order::compare(a, b)
}

/// Tells whether a value is in a container.
pub(super) fn contained(call: &Call, value: &Value, container: &Value) -> Result<bool, Error> {
    if let Some(text) = container.as_str() {
        let part = value.as_str().ok_or_else(|| {
            let kind = name_of(value);
            error(format!(
                "`in` looks only for text in a text, not for {kind}"
            ))
        })?;
        return Ok(text.contains(part));
    }
    match container.kind() {
        ValueKind::Map => {
            small(value)?;
            Ok(!container.get_item(value)?.is_undefined())
        }
        ValueKind::Seq | ValueKind::Iterable => {
            for item in container.try_iter()?.checked() {
                call.pay(1)?;
                if equal(call, &item?, value)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ => Err(error(format!(
            "`in` cannot look into {}",
            name_of(container)
        ))),
    }
}

/// Pays for all that has to be looked at to tell two values apart, and tells whether that was in vain.
fn pay_while_alike(call: &Call, a: &Value, b: &Value, depth: usize) -> Result<bool, Error> {
    if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
        call.pay(a.len().min(b.len()) / 64)?;
        return Ok(a == b);
    }
    // Reading what a filter gave would use it up; such are never alike.
    let is_lazy = |value: &Value| value.downcast_object_ref::<Lazy>().is_some();
    if a.as_object().is_none() || b.as_object().is_none() || is_lazy(a) || is_lazy(b) {
        return Ok(a.as_object().is_none() && b.as_object().is_none() && a == b);
    }
    let inner = depth
        .checked_sub(1)
        .ok_or_else(|| error("lists and maps nest too deeply"))?;
    let (Ok(items), Ok(others)) = (a.try_iter(), b.try_iter()) else {
        return Ok(false);
    };
    let is_map = a.kind() == ValueKind::Map && b.kind() == ValueKind::Map;
    for (item, other) in items.checked().zip(others.checked()) {
        call.pay(1)?;
        let (mut item, mut other) = (item?, other?);
        if is_map {
            (item, other) = (a.get_item(&item)?, b.get_item(&item)?);
        }
        if !pay_while_alike(call, &item, &other, inner)? {
            return Ok(false);
        }
    }
    Ok(true)
}
