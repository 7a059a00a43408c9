//! Filters that apply another filter, or a test, to every item of a list.

use minijinja::{Error, UndefinedBehavior, Value};

use super::Call;
use crate::engine::jinja::call::defined;
use crate::engine::jinja::order::Attribute;

pub(super) fn map(call: &mut Call) -> Result<Value, Error> {
    let items = call.items(&call.value()?)?;
    let mut mapped = Vec::with_capacity(items.len());
    if call.rest().is_empty() {
        let (attribute, default) = attribute(call)?;
        for item in items {
            let value = attribute.of(call, &item, default.as_ref())?;
            call.weigh(&value)?;
            mapped.push(value);
        }
        return Ok(call.lazy(mapped));
    }
    let filter = name(call, 0, "a filter")?;
    for item in items {
        let args = call.forward(item, 1);
        let value = call.state.apply_filter(&filter, &args)?;
        // The engine charges for texts only where it calls the filter itself.
        call.pay(1 + value.as_str().map_or(0, str::len) / 64)?;
        call.weigh(&value)?;
        mapped.push(value);
    }
    Ok(call.lazy(mapped))
}

/// Returns the keyword arguments of `map(attribute=.., default=..)`.
fn attribute(call: &Call) -> Result<(Attribute, Option<Value>), Error> {
    let (mut attribute, mut default) = (None, None);
    for (name, value) in call.keywords()? {
        match name.as_str() {
            "attribute" => attribute = Some(value),
            "default" => default = Some(value).filter(|value| !value.is_none()),
            _ => return Err(call.error(&format!("has no argument `{name}`"))),
        }
    }
    let attribute =
        attribute.ok_or_else(|| call.error("needs the name of a filter, or `attribute=`"))?;
    Ok((Attribute::new(Some(&attribute))?, default))
}

pub(super) fn select(call: &mut Call) -> Result<Value, Error> {
    chosen(call, 0, true)
}

pub(super) fn reject(call: &mut Call) -> Result<Value, Error> {
    chosen(call, 0, false)
}

pub(super) fn selectattr(call: &mut Call) -> Result<Value, Error> {
    chosen(call, 1, true)
}

pub(super) fn rejectattr(call: &mut Call) -> Result<Value, Error> {
    chosen(call, 1, false)
}

/// Keeps the items whose test gives `wanted`. The test stands behind `skip` other arguments: an attribute, or none.
fn chosen(call: &mut Call, skip: usize, wanted: bool) -> Result<Value, Error> {
    if call.rest().len() < skip {
        return Err(call.error("needs the name of an attribute"));
    }
    let attribute = Attribute::new(call.rest().first().filter(|_| skip == 1))?;
    let test = match call.rest().get(skip) {
        Some(_) => Some(name(call, skip, "a test")?),
        None => None,
    };
    let strict = call.state.undefined_behavior() == UndefinedBehavior::Strict;
    let mut kept = Vec::new();
    for item in call.items(&call.value()?)? {
        let value = attribute.of(call, &item, None)?;
        let answer = match &test {
            Some(test) => {
                let args = call.forward(value, skip + 1);
                call.state.perform_test(test, &args)?
            }
            None if strict => defined(value)?.is_true(),
            None => value.is_true(),
        };
        if answer == wanted {
            kept.push(item);
        }
    }
    Ok(call.lazy(kept))
}

/// Returns the name of a filter or test that is given as text.
fn name(call: &Call, index: usize, what: &str) -> Result<String, Error> {
    let name = call.rest().get(index).and_then(Value::as_str);
    Ok(name
        .ok_or_else(|| call.error(&format!("needs the name of {what}")))?
        .to_owned())
}
