//! The values that Python has and the engine lacks: generators, ranges and the groups of `groupby`.

use std::fmt;
use std::sync::{Arc, Mutex};

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

use super::call::error;

/// A result that Python makes lazily: read once, always true, without a length, an index or a text.
#[derive(Debug)]
pub(super) struct Lazy {
    filter: &'static str,
    items: Mutex<Vec<Value>>,
}

impl Lazy {
    /// Makes the result of `filter`.
    pub(super) fn new(filter: &'static str, items: Vec<Value>) -> Self {
        Self {
            filter,
            items: Mutex::new(items),
        }
    }

    /// Makes the error of a use that Python's generators do not have.
    pub(super) fn misuse(&self) -> minijinja::Error {
        let filter = self.filter;
        error(format!(
            "the result of `{filter}` can only be looped over; make it a list with `|list`"
        ))
    }
}

impl Object for Lazy {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Iterable
    }

    fn get_value(self: &Arc<Self>, _key: &Value) -> Option<Value> {
        Some(Value::from(self.misuse()))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let items = self
            .items
            .lock()
            .map(|mut items| std::mem::take(&mut *items));
        Enumerator::Values(items.unwrap_or_default())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        None
    }

    fn is_true(self: &Arc<Self>) -> bool {
        true
    }
}

/// A Python `range`.
#[derive(Debug)]
pub(super) struct Range {
    /// The first number.
    pub(super) start: i64,
    /// The number that ends it, itself left out.
    pub(super) stop: i64,
    /// The difference between two numbers, never 0.
    pub(super) stride: i64,
    /// How many numbers it has.
    pub(super) len: usize,
}

impl Object for Range {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let index = key.as_usize().filter(|index| *index < self.len)?;
        let offset = i64::try_from(index).ok()?.checked_mul(self.stride)?;
        self.start.checked_add(offset).map(Value::from)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.len)
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stride {
            1 => write!(f, "range({}, {})", self.start, self.stop),
            stride => write!(f, "range({}, {}, {stride})", self.start, self.stop),
        }
    }
}

/// A group of `groupby`: a pair whose halves have names.
#[derive(Debug)]
pub(super) struct Group {
    /// What its items have in common.
    pub(super) grouper: Value,
    /// Its items, a list.
    pub(super) list: Value,
}

impl Object for Group {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        match (key.as_str(), key.as_usize()) {
            (Some("grouper"), _) | (_, Some(0)) => Some(self.grouper.clone()),
            (Some("list"), _) | (_, Some(1)) => Some(self.list.clone()),
            _ => None,
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(2)
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:?}, {:?})", self.grouper, self.list)
    }
}
