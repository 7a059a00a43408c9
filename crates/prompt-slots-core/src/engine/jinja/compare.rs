//! What comparisons cost: the engine charges neither for long texts nor for what is inside of lists.
//!
//! A template that compares over and over gets less fuel, the more one comparison of parts of its values may cost.

use minijinja::Value;
use minijinja::value::ValueKind;

use super::growth::Kind;
use super::python::DEPTH;

/// The steps, of some ten nanoseconds each, that all comparisons of one rendering may take.
const STEPS: u64 = 300_000_000;
/// The bytes of a text that are compared in one step.
const BYTES: usize = 128;
/// The steps that any other value takes.
const NODE: u64 = 3;
/// The comparisons outside of loops that are too few to matter.
const FEW: usize = 1_000;

/// The comparisons of a template whose cost depends on its values; looking up an item may cost as much.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Comparisons {
    count: usize,
    reach: Reach,
}

/// What one comparison may have to look at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// A text, or two lists or maps that are alike.
    #[default]
    Twins,
    /// Slices too: two of the same list are alike.
    Slices,
    /// All that is in a value.
    Whole,
}

impl Comparisons {
    /// Notes a comparison of two values, which may take place many times if it is `repeated`.
    pub fn note(&mut self, left: Kind, right: Kind, reach: Reach, repeated: bool) {
        let weighs = |kind: Kind| kind.long_text || !kind.is_flat();
        if !weighs(left) || !weighs(right) {
            return;
        }
        self.count += if repeated { FEW } else { 1 };
        self.reach = self.reach.max(reach);
        if left.layers > 0 || right.layers > 0 {
            self.reach = self.reach.max(Reach::Slices);
        }
    }

    /// Returns the fuel that a rendering with these values gets, out of what it would get without comparisons.
    pub fn fuel(self, fuel: u64, values: &Value) -> u64 {
        if self.count < FEW {
            return fuel;
        }
        let weight = weigh(values, self.reach, DEPTH);
        let cost = match self.reach {
            Reach::Whole => weight.whole,
            Reach::Twins | Reach::Slices => weight.comparison,
        };
        fuel.min(STEPS / cost.max(1))
    }
}

/// The weight of a value, in steps.
#[derive(Clone, Copy)]
struct Weight {
    whole: u64,
    /// The dearest comparison of two parts of it.
    comparison: u64,
}

fn weigh(value: &Value, reach: Reach, depth: usize) -> Weight {
    if let Some(text) = value.as_str() {
        let whole = 1 + (text.len() / BYTES) as u64;
        return Weight {
            whole,
            comparison: whole,
        };
    }
    let mut weight = Weight {
        whole: NODE,
        comparison: NODE,
    };
    let is_map = value.kind() == ValueKind::Map;
    let (true, Ok(items), Some(inner)) = (
        is_map || value.kind() == ValueKind::Seq,
        value.try_iter(),
        depth.checked_sub(1),
    ) else {
        return weight;
    };
    // Two parts are only compared to their ends if they are alike: none is as dear as the heaviest, but for its twin.
    let (mut heaviest, mut second, mut slice) = (0, 0, 0);
    for item in items {
        let part = if is_map {
            value.get_item(&item).unwrap_or_default()
        } else {
            item
        };
        let part_weight = weigh(&part, reach, inner);
        weight.whole += part_weight.whole;
        weight.comparison = weight.comparison.max(part_weight.comparison);
        second = second.max(heaviest.min(part_weight.whole));
        heaviest = heaviest.max(part_weight.whole);
        // Two slices of one list share its lists and maps, which are not compared then.
        slice += part.as_object().map_or(part_weight.whole, |_| 1);
    }
    let slice = if reach == Reach::Slices { slice } else { 0 };
    weight.comparison = weight.comparison.max(second).max(slice);
    weight
}
