//! Bounds the work of a validator before it starts.
//!
//! Thirty definitions of two alternatives each, every one referring to the next, keep a validator busy for years, and
//! a long chain of references overflows its stack. So its steps are counted first. The count remembers what it knows
//! of each pair of a schema and a value, and so takes no part in the explosion that it looks for.

use std::collections::HashMap;

use serde_json::Value;

use super::document::{Applies, Document, Step, references_in, schemas_in};

/// The most steps of one validation; about a second, where each of them is an error.
const MAX_WORK: u64 = 1 << 20;

/// The most pairs of a schema and a value, which bounds the counting itself.
const MAX_PAIRS: usize = 1 << 19;

/// The deepest chain of schemas in schemas; each link takes a piece of the stack.
const MAX_CHAIN: usize = 512;

/// Why a validation must not start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Excess {
    /// A schema applies itself to the same value again.
    Endless,
    /// More steps than allowed.
    TooMuch,
}

/// Counts the steps of validations against the schemas of one document.
pub(super) struct Work<'a> {
    document: &'a Document<'a>,
    /// What each pair costs; `None` while it is being counted.
    known: HashMap<(*const Value, *const Value), Option<u64>>,
}

impl<'a> Work<'a> {
    pub(super) fn new(document: &'a Document<'a>) -> Self {
        Self {
            document,
            known: HashMap::new(),
        }
    }

    /// Returns the steps that it takes at most to hold a value against a schema.
    pub(super) fn of(&mut self, schema: &Value, value: &Value) -> Result<u64, Excess> {
        self.count(schema, value, MAX_CHAIN)
    }

    fn count(&mut self, schema: &Value, value: &Value, room: usize) -> Result<u64, Excess> {
        let pair = (std::ptr::from_ref(schema), std::ptr::from_ref(value));
        match self.known.get(&pair) {
            Some(Some(work)) => return Ok(*work),
            Some(None) => return Err(Excess::Endless),
            None => {}
        }
        if room == 0 || self.known.len() == MAX_PAIRS {
            return Err(Excess::TooMuch);
        }
        self.known.insert(pair, None);

        let mut work = own_steps(schema);
        for (_, reference) in references_in(schema) {
            if let Some(target) = self.document.resolve(reference) {
                work += self.count(target, value, room - 1)?;
            }
        }
        for (step, inner, applies) in schemas_in(schema) {
            for part in parts(value, step, applies) {
                work += self.count(inner, part, room - 1)?;
            }
            if work > MAX_WORK {
                return Err(Excess::TooMuch);
            }
        }
        // To know what the others left over, these two go through the others once more.
        let again =
            ["unevaluatedItems", "unevaluatedProperties"].map(|keyword| schema.get(keyword));
        if again.iter().any(Option::is_some) {
            work *= 2;
        }
        if work > MAX_WORK {
            return Err(Excess::TooMuch);
        }
        self.known.insert(pair, Some(work));
        Ok(work)
    }
}

/// Returns the steps of the keywords that hold no schema, such as `enum`.
fn own_steps(schema: &Value) -> u64 {
    let keywords = schema.as_object().into_iter().flat_map(|map| map.values());
    let steps = keywords.map(|value| 1 + value.as_array().map_or(0, Vec::len));
    1 + u64::try_from(steps.sum::<usize>()).unwrap_or(MAX_WORK)
}

/// Returns the parts of a value to which an inner schema applies.
fn parts<'v>(value: &'v Value, step: Step<'_>, applies: Applies) -> Vec<&'v Value> {
    match (applies, value, step) {
        (Applies::Here, value, _) => vec![value],
        (Applies::Entries, Value::Object(map), Step::Entry("properties", name)) => {
            map.get(name).into_iter().collect()
        }
        (Applies::Entries, Value::Object(map), Step::Keyword("propertyNames")) => {
            vec![&Value::Null; map.len()]
        }
        (Applies::Entries, Value::Object(map), _) => map.values().collect(),
        (Applies::Items, Value::Array(list), Step::Item(_, index)) => {
            list.get(index).into_iter().collect()
        }
        (Applies::Items, Value::Array(list), _) => list.iter().collect(),
        _ => Vec::new(),
    }
}
