//! One prompt slot, without I/O: its model, its YAML, its engines and its contract.
//!
//! What build time and run time must agree on lives here; programs use `prompt-slots`, which re-exports what they need.

mod derive;
mod engine;
mod limits;

pub use derive::{Derived, EditError};
pub use engine::{
    Compiled, Format, FreeName, Strictness, TemplateError, placeholders_of_other_format,
};
pub use limits::Limits;
