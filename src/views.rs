//! The parts of a slot as callers see them.

use prompt_slots_core::Data;

/// The settings of the model; `None` is a setting that no layer sets, or that one took back with `null`.
#[derive(Debug, Clone, Copy)]
pub struct Llm<'a>(pub(crate) &'a prompt_slots_core::Llm);

impl<'a> Llm<'a> {
    /// Returns the model's name.
    pub fn model(&self) -> Option<&'a str> {
        self.0.model.value().map(|text| &**text)
    }

    /// Returns the temperature, 0 to 2.
    pub fn temperature(&self) -> Option<f64> {
        self.0.temperature.value().copied()
    }

    /// Returns the longest reply in tokens, at least 1.
    pub fn max_tokens(&self) -> Option<u64> {
        self.0.max_tokens.value().copied()
    }

    /// Returns `top_p`, 0 to 1.
    pub fn top_p(&self) -> Option<f64> {
        self.0.top_p.value().copied()
    }

    /// Returns the texts that end the reply.
    pub fn stop(&self) -> Option<impl ExactSizeIterator<Item = &'a str> + use<'a>> {
        self.0
            .stop
            .value()
            .map(|stop| stop.iter().map(|text| &**text))
    }

    /// Returns the seed.
    pub fn seed(&self) -> Option<i64> {
        self.0.seed.value().copied()
    }

    /// Returns a value of `llm.extra`.
    pub fn extra(&self, name: &str) -> Option<&'a Data> {
        self.0
            .extra
            .iter()
            .find(|(known, _)| *known == *name)?
            .1
            .value()
    }

    /// Returns all of `llm.extra`, in its order.
    pub fn extras(&self) -> impl Iterator<Item = (&'a str, &'a Data)> + use<'a> {
        self.0
            .extra
            .iter()
            .filter_map(|(name, value)| Some((&**name, value.value()?)))
    }
}

/// A variable that the caller supplies.
#[derive(Debug, Clone, Copy)]
pub struct Variable<'a>(pub(crate) &'a prompt_slots_core::Variable);

impl<'a> Variable<'a> {
    /// Returns the name.
    pub fn name(&self) -> &'a str {
        &self.0.name
    }

    /// Returns what it holds.
    pub fn description(&self) -> Option<&'a str> {
        self.0.description.as_deref()
    }

    /// Returns its value where the caller gives none.
    pub fn default(&self) -> Option<&'a Data> {
        self.0.default.as_ref()
    }

    /// Tells whether the caller must give it.
    pub fn is_required(&self) -> bool {
        self.0.is_required()
    }
}

/// A test case of a slot.
#[derive(Debug, Clone, Copy)]
pub struct TestCase<'a>(pub(crate) &'a prompt_slots_core::TestCase);

impl<'a> TestCase<'a> {
    /// Returns the name, if it has one.
    pub fn name(&self) -> Option<&'a str> {
        self.0.name.as_deref()
    }

    /// Returns the values that the case renders with; pass them to [`Slot::preview`](crate::Slot::preview).
    pub fn input(&self) -> Data {
        Data::Map(self.0.input.clone())
    }

    /// Returns a reply that satisfies the output schema.
    pub fn expected(&self) -> Option<&'a Data> {
        self.0.expected.as_ref()
    }

    /// Returns the texts that the prompt must contain.
    pub fn contains(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        self.0.contains.iter().map(|text| &**text)
    }

    /// Returns the texts that the prompt must not contain.
    pub fn excludes(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        self.0.excludes.iter().map(|text| &**text)
    }
}
