//! Checks a directory of prompt slots at build time and compiles it into a program.
//!
//! A crate that ships prompts calls [`embed`] in its `build.rs` and `prompt_slots::bundle!()` in its code:
//!
//! ```no_run
//! // build.rs
//! prompt_slots_build::embed("prompts");
//! ```
//!
//! Every `.yaml` file of the directory becomes a slot. One that is malformed, or that fails its own test cases, fails the
//! build, with the line and column of all that is wrong with all files. What is compiled in is typed `const` data: no
//! YAML is read at run time.
//!
//! | to do this | look at |
//! |---|---|
//! | the simple case | [`embed`] |
//! | choose names, roots, limits | [`Embed`] |
//! | judge a directory outside of a build | [`check_dir`] |
//! | handle the findings yourself | [`Embed::generate`], [`Error`] |

mod check;
mod collect;
mod embed;
mod emit;
mod ident;
mod literal;

pub use check::{Checked, check_dir};
pub use embed::{Embed, Error};
pub use prompt_slots_core::{Finding, Limits, Severity};

/// Checks the slots in `dir` and generates the code that `prompt_slots::bundle!()` includes.
///
/// `dir` is relative to the directory of the calling crate's `Cargo.toml`. On findings it prints one line each for cargo
/// to show, and ends the build script.
///
/// This is `Embed::new(dir).run()`; see [`Embed`] for what can be chosen.
pub fn embed(dir: &str) {
    Embed::new(dir).run();
}
