//! The methods that a template may call: those of Python's maps and texts that prompts use most.
//!
//! `title` is not among them: Python's method and Jinja2's filter of that name differ.

use minijinja::value::{Tuple, ValueKind};
use minijinja::{Error, State, Value};

use super::{filter as method, text};
use crate::engine::jinja::call::{Builtin, Call, defined, error};
use crate::engine::jinja::lazy::Lazy;
use crate::engine::jinja::python::{is_internal, name_of};
use crate::engine::jinja::subscript::small;

/// The methods of maps.
const OF_MAPS: &[Builtin] = &[
    method("get", &["map", "key", "default"], get),
    method("items", &["map"], items),
    method("keys", &["map"], keys),
    method("values", &["map"], values),
];

/// The methods of texts.
const OF_TEXTS: &[Builtin] = &[
    method("capitalize", &["text"], text::capitalize),
    method("endswith", &["text", "suffix"], endswith),
    method("join", &["text", "items"], join),
    method("lower", &["text"], text::lower),
    method("lstrip", &["text", "chars"], text::trim_start),
    method("replace", &["text", "old", "new", "count"], replace),
    method("rstrip", &["text", "chars"], text::trim_end),
    method("split", &["text", "sep", "maxsplit"], split),
    method("startswith", &["text", "prefix"], startswith),
    method("strip", &["text", "chars"], text::trim),
    method("upper", &["text"], text::upper),
];

/// Returns the names of the methods of maps and of texts.
pub(in super::super) fn names() -> [Vec<&'static str>; 2] {
    [OF_MAPS, OF_TEXTS].map(|methods| methods.iter().map(|method| method.name).collect())
}

/// Tells whether a map or a text has this method.
pub(in super::super) fn exists(name: &str) -> bool {
    OF_MAPS
        .iter()
        .chain(OF_TEXTS)
        .any(|method| method.name == name)
}

/// Tells whether Python takes this attribute of a map for a method, even if the map has a key of that name.
pub(in super::super) fn hides_key(name: &str) -> bool {
    let others = [
        "clear",
        "copy",
        "fromkeys",
        "pop",
        "popitem",
        "setdefault",
        "update",
    ];
    others.contains(&name) || OF_MAPS.iter().any(|method| method.name == name)
}

/// Tells whether the method gives a view of a map: no list, and to be used in few places.
pub(in super::super) fn gives_view(name: &str) -> bool {
    matches!(name, "items" | "keys" | "values")
}

/// Calls a method that the engine does not have.
pub(in super::super) fn call(
    state: &mut State,
    value: &Value,
    name: &str,
    args: &[Value],
) -> Result<Value, Error> {
    let value = defined(value.clone())?;
    let methods = match value.kind() {
        ValueKind::Map if !is_internal(&value) => OF_MAPS,
        ValueKind::String if !value.is_safe() => OF_TEXTS,
        _ => &[],
    };
    let Some(method) = methods.iter().find(|method| method.name == name) else {
        return Err(error(format!(
            "`{name}` is no method of {}",
            name_of(&value)
        )));
    };
    let named = args.last().is_some_and(Value::is_kwargs);
    if named && name != "split" {
        return Err(error(format!("`{name}` takes no named arguments")));
    }
    let args = std::iter::once(value).chain(args.iter().cloned());
    (method.run)(&mut Call::bind(method, state, args.collect())?)
}

fn get(call: &mut Call) -> Result<Value, Error> {
    let key = call.required("key")?;
    small(&key)?;
    let found = call.value()?.get_item(&key)?;
    if !found.is_undefined() {
        return Ok(found);
    }
    let default = call.arg("default").cloned();
    Ok(default.unwrap_or_else(|| ().into()))
}

fn items(call: &mut Call) -> Result<Value, Error> {
    let map = call.value()?;
    view(call, |key| {
        let item = map.get_item(&key)?;
        Ok(Tuple::from([key, item]).into())
    })
}

fn keys(call: &mut Call) -> Result<Value, Error> {
    view(call, Ok)
}

fn values(call: &mut Call) -> Result<Value, Error> {
    let map = call.value()?;
    view(call, |key| map.get_item(&key))
}

/// Makes a view of a map from what `part` gives for each key.
fn view(call: &Call, part: impl Fn(Value) -> Result<Value, Error>) -> Result<Value, Error> {
    let mut parts = Vec::new();
    for key in call.items(&call.value()?)? {
        let part = part(key)?;
        call.weigh(&part)?;
        parts.push(part);
    }
    Ok(Value::from_object(Lazy::view(call.name(), parts)))
}

/// Returns an argument that must be a text: methods, unlike filters, convert nothing.
fn string<'c>(call: &'c Call, name: &str) -> Result<&'c str, Error> {
    let text = call.arg(name).and_then(Value::as_str);
    text.ok_or_else(|| call.error(&format!("needs a text for `{name}`")))
}

fn startswith(call: &mut Call) -> Result<Value, Error> {
    Ok(string(call, "text")?
        .starts_with(string(call, "prefix")?)
        .into())
}

fn endswith(call: &mut Call) -> Result<Value, Error> {
    Ok(string(call, "text")?
        .ends_with(string(call, "suffix")?)
        .into())
}

fn replace(call: &mut Call) -> Result<Value, Error> {
    string(call, "old")?;
    string(call, "new")?;
    text::replace(call)
}

fn split(call: &mut Call) -> Result<Value, Error> {
    if call.given("sep").is_some() {
        string(call, "sep")?;
    }
    text::split(call)
}

fn join(call: &mut Call) -> Result<Value, Error> {
    let separator = string(call, "text")?;
    let mut joined = call.text();
    for (index, item) in call.items(&call.required("items")?)?.iter().enumerate() {
        if index > 0 {
            joined.push(separator)?;
        }
        let item = item.as_str();
        joined.push(item.ok_or_else(|| call.error("joins only texts; use the filter `join`"))?)?;
    }
    Ok(call.text_done(joined)?.into())
}
