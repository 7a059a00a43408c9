//! The engine's environment: an explicit list of filters, tests and functions, and its limits.

use minijinja::Environment;

use crate::limits::Limits;

/// The filters that a template may use.
pub(super) const FILTERS: &[&str] = &[];
/// The tests that a template may use after `is`.
pub(super) const TESTS: &[&str] = &[];
/// The functions that a template may call without defining them.
pub(super) const FUNCTIONS: &[&str] = &[];

/// Makes an environment that holds nothing but the lists above, under `limits`.
pub(super) fn environment(limits: &Limits) -> Environment<'static> {
    let mut env = Environment::empty();
    env.set_fuel(Some(limits.fuel));
    env
}
