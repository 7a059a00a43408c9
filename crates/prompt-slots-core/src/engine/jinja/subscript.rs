//! What a subscript may cost: the engine counts the characters of a text, or the items of a slice, up to an index, and
//! hashes a key of any size, all for one unit of work.

use std::sync::Arc;

use minijinja::value::{Object, ObjectRepr, ValueKind};
use minijinja::{Error, Value};

use super::call::{Call, error};

/// The longest text that is looked up in a map: no prompt has longer keys.
const LONGEST_KEY: usize = 1024;

/// What the value before a subscript goes through.
pub(super) fn indexed(call: &mut Call) -> Result<Value, Error> {
    let value = call.subject()?;
    call.pay_for_index(&value)?;
    // The engine says best itself what is undefined, and charges for a whole list that a filter returns.
    Ok(match value.kind() {
        ValueKind::Undefined | ValueKind::None | ValueKind::Bool | ValueKind::Number => value,
        _ => Value::from_object(Indexed(value)),
    })
}

/// What the key of a map that is written out goes through.
pub(super) fn key(call: &mut Call) -> Result<Value, Error> {
    let key = call.subject()?;
    small(&key)?;
    Ok(key)
}

/// Refuses a key that takes long to hash.
pub(super) fn small(key: &Value) -> Result<(), Error> {
    if key.as_object().is_some() {
        return Err(error("a key can't be a list or a map"));
    }
    if key.as_str().is_some_and(|text| text.len() > LONGEST_KEY) {
        return Err(error(format!("a key has more than {LONGEST_KEY} bytes")));
    }
    Ok(())
}

/// A value that is looked up in, with small keys only.
#[derive(Debug)]
struct Indexed(Value);

impl Object for Indexed {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let found = small(key).and_then(|()| self.0.get_item(key));
        let found = found.unwrap_or_else(Value::from);
        (!found.is_undefined()).then_some(found)
    }
}
