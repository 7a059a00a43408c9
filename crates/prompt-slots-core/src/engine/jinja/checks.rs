//! The tests that a template may use after `is`.

use std::cmp::Ordering;

use minijinja::value::ValueKind;
use minijinja::{Error, UndefinedBehavior, Value};

use super::call::{Builtin, Call, defined};
use super::lazy::Lazy;
use super::python::{integer, real};
use super::relation;

/// Makes the entry of a test of one value.
const fn one(name: &'static str, run: fn(&mut Call) -> Result<Value, Error>) -> Builtin {
    Builtin {
        name,
        parameters: &["value"],
        run,
    }
}

/// Makes the entry of a test of two values.
const fn two(name: &'static str, run: fn(&mut Call) -> Result<Value, Error>) -> Builtin {
    Builtin {
        name,
        parameters: &["value", "other"],
        run,
    }
}

/// Every test.
pub(super) const TABLE: &[Builtin; 35] = &[
    one("defined", |call| {
        Ok((!call.subject()?.is_undefined()).into())
    }),
    one("undefined", |call| {
        Ok(call.subject()?.is_undefined().into())
    }),
    one("none", |call| kind(call, Value::is_none)),
    one("boolean", |call| {
        kind(call, |value| value.kind() == ValueKind::Bool)
    }),
    one("true", |call| {
        kind(call, |value| {
            value.kind() == ValueKind::Bool && value.is_true()
        })
    }),
    one("false", |call| {
        kind(call, |value| {
            value.kind() == ValueKind::Bool && !value.is_true()
        })
    }),
    one("integer", |call| kind(call, Value::is_integer)),
    one("float", |call| {
        kind(call, |value| value.is_number() && !value.is_integer())
    }),
    one("number", |call| {
        kind(call, |value| {
            value.is_number() || value.kind() == ValueKind::Bool
        })
    }),
    one("string", |call| {
        kind(call, |value| value.kind() == ValueKind::String)
    }),
    one("mapping", |call| {
        kind(call, |value| value.kind() == ValueKind::Map)
    }),
    one("sequence", |call| kind(call, is_sequence)),
    one("iterable", |call| {
        kind(call, |value| !value.is_none() && value.try_iter().is_ok())
    }),
    one("lower", |call| {
        Ok(minijinja::tests::is_lower(&call.str(&call.value()?)?.into()).into())
    }),
    one("upper", |call| {
        Ok(minijinja::tests::is_upper(&call.str(&call.value()?)?.into()).into())
    }),
    one("odd", |call| {
        remainder(call, &2.into()).map(|rest| rest.total_cmp(&1.0).is_eq().into())
    }),
    one("even", |call| {
        remainder(call, &2.into()).map(|rest| (rest == 0.0).into())
    }),
    Builtin {
        name: "divisibleby",
        parameters: &["value", "num"],
        run: divisibleby,
    },
    two("sameas", |call| {
        Ok(minijinja::tests::is_sameas(&call.value()?, &call.required("other")?).into())
    }),
    Builtin {
        name: "in",
        parameters: &["value", "seq"],
        run: contained,
    },
    two("eq", equal),
    two("equalto", equal),
    two("==", equal),
    two("ne", unequal),
    two("!=", unequal),
    two("lt", |call| ordered(call, Ordering::is_lt)),
    two("lessthan", |call| ordered(call, Ordering::is_lt)),
    two("<", |call| ordered(call, Ordering::is_lt)),
    two("le", |call| ordered(call, Ordering::is_le)),
    two("<=", |call| ordered(call, Ordering::is_le)),
    two("gt", |call| ordered(call, Ordering::is_gt)),
    two("greaterthan", |call| ordered(call, Ordering::is_gt)),
    two(">", |call| ordered(call, Ordering::is_gt)),
    two("ge", |call| ordered(call, Ordering::is_ge)),
    two(">=", |call| ordered(call, Ordering::is_ge)),
];

fn kind(call: &mut Call, judge: fn(&Value) -> bool) -> Result<Value, Error> {
    let value = call.subject()?;
    // A value that is not there may be tested, unless all but `is defined` is refused.
    let strict = call.state.undefined_behavior() == UndefinedBehavior::Strict;
    Ok(judge(&if strict { defined(value)? } else { value }).into())
}

/// Tells whether a value has a length and items, as Python's texts, maps and even undefined values have.
fn is_sequence(value: &Value) -> bool {
    match value.kind() {
        ValueKind::String | ValueKind::Seq | ValueKind::Map | ValueKind::Undefined => true,
        ValueKind::Iterable => value.downcast_object_ref::<Lazy>().is_none(),
        _ => false,
    }
}

fn divisibleby(call: &mut Call) -> Result<Value, Error> {
    let divisor = call.required("num")?;
    Ok((remainder(call, &divisor)? == 0.0).into())
}

/// Returns the remainder of the value, never negative.
#[expect(clippy::cast_precision_loss, reason = "only told apart from 0 and 1")]
fn remainder(call: &Call, divisor: &Value) -> Result<f64, Error> {
    let value = call.value()?;
    let rest = match (integer(&value), integer(divisor)) {
        (Some(value), Some(divisor)) => value.checked_rem_euclid(divisor).map(|rest| rest as f64),
        _ => real(divisor)
            .filter(|divisor| *divisor != 0.0)
            .and_then(|divisor| real(&value).map(|value| value.rem_euclid(divisor))),
    };
    rest.ok_or_else(|| call.error("needs numbers, and none divides by 0"))
}

fn contained(call: &mut Call) -> Result<Value, Error> {
    let (value, container) = (call.value()?, call.required("seq")?);
    relation::contained(call, &value, &container).map(Value::from)
}

fn equal(call: &mut Call) -> Result<Value, Error> {
    relation::equal(call, &call.value()?, &call.required("other")?).map(Value::from)
}

fn unequal(call: &mut Call) -> Result<Value, Error> {
    equal(call).map(|equal| (!equal.is_true()).into())
}

fn ordered(call: &mut Call, judge: fn(Ordering) -> bool) -> Result<Value, Error> {
    let ordering = relation::ordered(call, &call.value()?, &call.required("other")?)?;
    Ok(judge(ordering).into())
}
