//! What comparisons cost: the engine charges neither for long texts nor for what is inside of lists.
//!
//! A template that compares over and over gets less fuel, the more one comparison of parts of its values may cost.

use std::cmp::Reverse;

use minijinja::Value;
use minijinja::value::ValueKind;

use super::growth::Kind;
use super::python::DEPTH;

/// The steps, of some ten nanoseconds each, that all comparisons of one rendering may take.
const STEPS: u64 = 300_000_000;
/// The bytes of a text that are compared in one step.
const BYTES: usize = 128;
/// The steps that any other value takes.
const NODE: u64 = 5;
/// The weight from which on it matters whether two lists or maps are alike.
const HEAVY: u64 = 300;
/// How many of the heaviest are compared to find out.
const PROVEN: usize = 8;
/// The comparisons outside of loops that are too few to matter.
const FEW: usize = 1_000;

/// The comparisons of a template whose cost depends on its values.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Comparisons {
    count: usize,
    /// Whether slices are among what is compared: two of the same list are alike.
    slices: bool,
}

impl Comparisons {
    /// Notes a comparison of two values, which may take place many times if it is `repeated`.
    pub fn note(&mut self, left: Kind, right: Kind, repeated: bool) {
        // What is written out in the template is short.
        let weighs = |kind: Kind| kind.given || kind.summed || kind.is_grown();
        if !weighs(left) || !weighs(right) {
            return;
        }
        self.count += if repeated { FEW } else { 1 };
        self.slices |= left.layers > 0 || right.layers > 0;
    }

    /// Returns the fuel that a rendering with these values gets, out of what it would get without comparisons.
    pub fn fuel(self, fuel: u64, values: &Value) -> u64 {
        if self.count < FEW {
            return fuel;
        }
        let mut scales = Scales::default();
        scales.weigh(values, DEPTH);
        let slice = if self.slices { scales.slice } else { 0 };
        let cost = scales.dearest().max(slice);
        fuel.min(STEPS / cost.max(1))
    }
}

/// What is found in the values of a rendering, in steps.
#[derive(Default)]
struct Scales {
    /// The longest text.
    text: u64,
    /// The dearest slice of a list.
    slice: u64,
    /// The heavy lists and maps.
    heavy: Vec<(u64, Value)>,
}

impl Scales {
    /// Returns the weight of a value, and notes what is in it.
    fn weigh(&mut self, value: &Value, depth: usize) -> u64 {
        if let Some(text) = value.as_str() {
            let weight = text_steps(text);
            self.text = self.text.max(weight);
            return weight;
        }
        let is_map = value.kind() == ValueKind::Map;
        let (true, Ok(items)) = (is_map || value.kind() == ValueKind::Seq, value.try_iter()) else {
            return NODE;
        };
        let Some(inner) = depth.checked_sub(1) else {
            // Nobody nests so deep by accident.
            return STEPS;
        };
        let (mut whole, mut slice) = (NODE, 0);
        for item in items {
            let part = if is_map {
                value.get_item(&item).unwrap_or_default()
            } else {
                item
            };
            let weight = self.weigh(&part, inner);
            whole = STEPS.min(whole + weight);
            // Two slices of one list share its lists and maps, which are not compared then.
            slice += part.as_object().map_or(weight, |_| 1);
        }
        self.slice = self.slice.max(slice);
        if whole > HEAVY {
            self.heavy.push((whole, value.clone()));
        }
        whole
    }

    /// Returns the cost of the dearest comparison of two parts of the values.
    ///
    /// The heaviest ones are compared with each other, since most are different from the start.
    fn dearest(&mut self) -> u64 {
        self.heavy.sort_by_key(|(weight, _)| Reverse(*weight));
        let lighter = self.heavy.get(PROVEN).map_or(0, |(weight, _)| *weight);
        let mut dearest = self.text.max(lighter);
        let heaviest: Vec<_> = self.heavy.iter().take(PROVEN).collect();
        for (index, (_, a)) in heaviest.iter().enumerate() {
            for (_, b) in heaviest.iter().skip(index + 1) {
                dearest = dearest.max(alike(a, b, DEPTH).0);
            }
        }
        dearest
    }
}

/// Compares two values, and returns in how many steps, and whether they are equal.
fn alike(a: &Value, b: &Value, depth: usize) -> (u64, bool) {
    if let (Some(a), Some(b)) = (a.as_str(), b.as_str()) {
        return (text_steps(a), a == b);
    }
    let both = |kind| a.kind() == kind && b.kind() == kind;
    let is_map = both(ValueKind::Map);
    if !is_map && !both(ValueKind::Seq) {
        return (NODE, a == b);
    }
    let (Ok(items), Some(inner)) = (a.try_iter(), depth.checked_sub(1)) else {
        return (STEPS, false);
    };
    let mut steps = NODE;
    for (index, item) in items.enumerate() {
        let key = if is_map { item.clone() } else { index.into() };
        let other = b.get_item(&key).unwrap_or_default();
        let part = if is_map {
            a.get_item(&key).unwrap_or_default()
        } else {
            item
        };
        let (more, equal) = alike(&part, &other, inner);
        steps = STEPS.min(steps + more);
        if !equal {
            return (steps, false);
        }
    }
    (steps, a.len() == b.len())
}

fn text_steps(text: &str) -> u64 {
    1 + (text.len() / BYTES) as u64
}
