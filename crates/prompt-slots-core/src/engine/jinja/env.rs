//! The engine's environment: an explicit list of filters, tests and functions, and its limits.

use std::sync::LazyLock;

use minijinja::value::{Rest, ValueOrKwargs};
use minijinja::{AutoEscape, Environment, State, Value};

use super::call::{Builtin, Call};
use super::filters::methods;
use super::{checks, filters, functions, python};
use crate::limits::Limits;

/// The filters that a template may use.
pub(super) const FILTERS: &[&str] = &names(filters::TABLE);
/// The tests that a template may use after `is`.
pub(super) const TESTS: &[&str] = &names(checks::TABLE);
/// The functions that a template may call without defining them.
pub(super) const FUNCTIONS: &[&str] = &names(functions::TABLE);

/// The global that tells filters the longest text; no template can spell a name with a space.
const OUTPUT_BYTES: &str = "output bytes";

/// Makes an environment that holds nothing but the lists above, under `limits`.
///
/// A clone of one shared environment: its tables are reference counted, so this costs less than a microsecond.
pub(super) fn environment(limits: &Limits) -> Environment<'static> {
    let mut env = ENVIRONMENT.clone();
    env.set_fuel(Some(limits.fuel));
    env.add_global(OUTPUT_BYTES, limits.output_bytes);
    env
}

/// Returns the longest text that a template may make under the limits of `state`.
pub(super) fn output_bytes(state: &State) -> usize {
    // Not `State::lookup`: a value of the caller could hide the global.
    let limit = state
        .env()
        .globals()
        .find(|(name, _)| *name == OUTPUT_BYTES);
    limit
        .and_then(|(_, value)| value.as_usize())
        .unwrap_or(Limits::DEFAULT.output_bytes)
}

static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut env = Environment::empty();
    // Otherwise errors say where they are, and what was undefined, in debug builds only.
    env.set_debug(true);
    env.set_auto_escape_callback(|_| AutoEscape::None);
    env.set_formatter(|out, state, value| python::print(out, state, value));
    env.set_unknown_method_callback(methods::call);
    for builtin in filters::TABLE {
        env.add_filter(builtin.name, call(builtin));
    }
    for builtin in filters::SPLICED {
        env.add_filter(builtin.name, call(builtin));
    }
    for builtin in checks::TABLE {
        env.add_test(builtin.name, call(builtin));
    }
    for builtin in functions::TABLE {
        env.add_function(builtin.name, call(builtin));
    }
    env
});

/// Wraps a built-in for the engine.
fn call(
    builtin: &'static Builtin,
) -> impl Fn(&mut State<'_, '_>, Rest<ValueOrKwargs>) -> Result<Value, minijinja::Error> {
    move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| {
        (builtin.run)(&mut Call::bind(builtin, state, args.into_values())?)
    }
}

/// Lists the names of a table, so that no list can say anything else than the table.
const fn names<const N: usize>(table: &[Builtin; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        names[index] = table[index].name;
        index += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{FILTERS, FUNCTIONS, TESTS};

    #[test]
    fn every_name_stands_in_its_list_once() {
        for list in [FILTERS, TESTS, FUNCTIONS] {
            for (index, name) in list.iter().enumerate() {
                assert!(!list[..index].contains(name), "{name} is there twice");
            }
        }
    }
}
