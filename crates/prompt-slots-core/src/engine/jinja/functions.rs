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
const RANGE: u128 = 100_000;

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
    let (start, stop, step) = match numbers[..] {
        [stop] => (0, stop, 1),
        [start, stop] => (start, stop, 1),
        [start, stop, step, ..] => (start, stop, step),
        [] => return Err(call.error("lacks an argument")),
    };
    let distance = if step > 0 {
        i128::from(stop) - i128::from(start)
    } else {
        i128::from(start) - i128::from(stop)
    };
    let len = match u128::from(step.unsigned_abs()) {
        0 => return Err(call.error("cannot step by 0")),
        step => u128::try_from(distance).unwrap_or(0).div_ceil(step),
    };
    if len > RANGE {
        return Err(call.error(&format!("makes more than {RANGE} numbers")));
    }
    let len = usize::try_from(len).unwrap_or_default();
    Ok(Value::from_object(Range {
        start,
        stop,
        step,
        len,
    }))
}

fn dict(call: &mut Call) -> Result<Value, Error> {
    let map = call.subject().ok();
    if !call.rest().is_empty() {
        return Err(call.error("has too many arguments"));
    }
    let keywords: Kwargs = call.keywords()?.into_iter().collect();
    minijinja::functions::dict(map, keywords)
}

fn namespace(call: &mut Call) -> Result<Value, Error> {
    let map = call.subject().ok();
    if !call.rest().is_empty() || (map.is_some() && !call.keywords()?.is_empty()) {
        return Err(call.error("takes one map, or keyword arguments"));
    }
    let keywords: Kwargs = call.keywords()?.into_iter().collect();
    minijinja::functions::namespace(Some(ValueOrKwargs::from(
        map.unwrap_or_else(|| keywords.into()),
    )))
}
