//! The functions that a template may call without defining them.

use minijinja::value::{Kwargs, ValueOrKwargs};
use minijinja::{Error, Value};

use super::call::{Builtin, Call, VARIADIC};
use super::lazy::Range;
use super::python;

/// Every function.
pub(super) const TABLE: &[Builtin; 3] = &[
    Builtin {
        name: "dict",
        parameters: VARIADIC,
        run: dict,
    },
    Builtin {
        name: "namespace",
        parameters: VARIADIC,
        run: namespace,
    },
    Builtin {
        name: "range",
        parameters: &["start", "stop", "step"],
        run: range,
    },
];

/// The longest range.
pub(super) const RANGE: usize = 100_000;

fn range(call: &mut Call) -> Result<Value, Error> {
    let mut numbers = Vec::new();
    for value in [
        Some(call.value()?),
        call.arg("stop").cloned(),
        call.arg("step").cloned(),
    ] {
        let Some(value) = value else { break };
        let number = python::integer(&value).and_then(|number| i64::try_from(number).ok());
        numbers.push(number.ok_or_else(|| call.error("needs integers"))?);
    }
    let (start, stop, stride) = match numbers[..] {
        [stop] => (0, stop, 1),
        [start, stop] => (start, stop, 1),
        [start, stop, stride, ..] => (start, stop, stride),
        [] => return Err(call.error("lacks an argument")),
    };
    let (low, high) = if stride > 0 {
        (start, stop)
    } else {
        (stop, start)
    };
    let distance = u128::try_from(i128::from(high) - i128::from(low)).unwrap_or(0);
    let len = match u128::from(stride.unsigned_abs()) {
        0 => return Err(call.error("cannot step by 0")),
        stride => distance.div_ceil(stride),
    };
    let len = usize::try_from(len).ok().filter(|len| *len <= RANGE);
    let len = len.ok_or_else(|| call.error(&format!("makes more than {RANGE} numbers")))?;
    Ok(Value::from_object(Range {
        start,
        stop,
        stride,
        len,
    }))
}

fn dict(call: &mut Call) -> Result<Value, Error> {
    let map = call.subject().ok();
    if !call.rest().is_empty() {
        return Err(call.error("has too many arguments"));
    }
    minijinja::functions::dict(map, keywords(call)?)
}

fn namespace(call: &mut Call) -> Result<Value, Error> {
    let map = call.subject().ok();
    if !call.rest().is_empty() || (map.is_some() && !call.keywords()?.is_empty()) {
        return Err(call.error("takes one map, or keyword arguments"));
    }
    let attributes = match map {
        Some(map) => map,
        None => keywords(call)?.into(),
    };
    minijinja::functions::namespace(Some(ValueOrKwargs::from(attributes)))
}

/// Returns the keyword arguments, which are going to be nested in a map.
fn keywords(call: &Call) -> Result<Kwargs, Error> {
    let keywords = call.keywords()?;
    keywords
        .iter()
        .try_for_each(|(_, value)| call.weigh(value))?;
    Ok(keywords.into_iter().collect())
}
