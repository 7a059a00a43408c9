//! The values that Python has and the engine lacks: generators, ranges and the groups of `groupby`.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectExt, ObjectRepr};

use super::call::error;

/// A result that Python makes lazily: without an index or a text.
#[derive(Debug)]
pub(super) struct Lazy {
    maker: &'static str,
    items: Vec<Value>,
    /// Whether it is a generator, which is read once, always true and without a length; otherwise it is a view of a map.
    once: bool,
    read: AtomicBool,
}

impl Lazy {
    /// Makes the result of a filter.
    pub(super) fn generator(maker: &'static str, items: Vec<Value>) -> Self {
        Self {
            maker,
            items,
            once: true,
            read: AtomicBool::new(false),
        }
    }

    /// Makes the result of a method of a map.
    pub(super) fn view(maker: &'static str, items: Vec<Value>) -> Self {
        Self {
            once: false,
            ..Self::generator(maker, items)
        }
    }

    /// Makes the error of a use that Python's generators do not have.
    pub(super) fn misuse(&self) -> minijinja::Error {
        let maker = self.maker;
        error(format!(
            "the result of `{maker}` can only be looped over; make it a list with `|list`"
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
        if self.once && self.read.swap(true, Ordering::Relaxed) {
            return Enumerator::Empty;
        }
        self.mapped_enumerator(|this| Box::new(this.items.iter().cloned()))
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        (!self.once).then_some(self.items.len())
    }

    fn is_true(self: &Arc<Self>) -> bool {
        self.enumerator_len() != Some(0)
    }
}

/// Tells whether a value can be read only once.
pub(super) fn is_generator(value: &Value) -> bool {
    value
        .downcast_object_ref::<Lazy>()
        .is_some_and(|lazy| lazy.once)
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
        // Wider, since a step of a range can be longer than half of all numbers.
        let offset = i128::try_from(index).ok()? * i128::from(self.stride);
        let item = i64::try_from(i128::from(self.start) + offset).ok()?;
        Some(Value::from(item))
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
