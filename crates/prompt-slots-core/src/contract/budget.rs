//! What the dry run of one slot may cost in all: each rendering is bounded, and a file has room for thousands of cases.

use minijinja::Value;

use crate::engine::{Compiled, Strictness, TemplateError};
use crate::limits::Limits;

/// The most test cases of a slot, those of all layers together.
pub(super) const MOST_CASES: usize = 200;
/// All cases together may do the work of this many renderings at the limit.
const RENDERINGS: u64 = 4;
/// The most renderings that may fail: a failed one does not tell what it cost.
const MOST_FAILURES: usize = 20;

/// The bytes of a prompt that are searched for one unit of work.
const SEARCHED: usize = 64;

/// What is left for renderings, and for what their prompts must contain.
pub(super) struct Budget {
    fuel: u64,
    failures: usize,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            fuel: limits.fuel.saturating_mul(RENDERINGS),
            failures: MOST_FAILURES,
        }
    }

    /// Renders, and takes what it cost off the budget.
    pub(super) fn render(
        &mut self,
        compiled: &Compiled,
        values: &Value,
        strictness: Strictness,
    ) -> Result<String, TemplateError> {
        let rendered = compiled.render_counted(values, strictness);
        match &rendered {
            Ok((_, fuel)) => self.fuel = self.fuel.saturating_sub(*fuel),
            Err(_) => self.failures = self.failures.saturating_sub(1),
        }
        rendered.map(|(prompt, _)| prompt)
    }

    /// Tells whether a prompt contains a text, or nothing where nothing is left for searching.
    pub(super) fn search(&mut self, prompt: &str, text: &str) -> Option<bool> {
        let work = 1 + (prompt.len() + text.len()) / SEARCHED;
        self.fuel = self.fuel.saturating_sub(work as u64);
        (self.fuel > 0).then(|| prompt.contains(text))
    }

    /// Tells whether no more renderings are to be made.
    pub(super) fn is_spent(&self) -> bool {
        self.fuel == 0 || self.failures == 0
    }

    /// Tells whether so many renderings failed that more of them would tell nothing new.
    pub(super) fn has_failed_enough(&self) -> bool {
        self.failures == 0
    }
}
