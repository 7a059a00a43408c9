//! One prompt slot, without I/O: its model, its YAML, its engines and its contract.
//!
//! What build time and run time must agree on lives here; programs use `prompt-slots`, which re-exports what they need.

mod derive;
mod engine;
mod limits;
#[cfg(feature = "schema")]
mod schema;

pub use derive::{Derived, EditError};
pub use engine::{
    Compiled, Format, FreeName, Strictness, TemplateError, placeholders_of_other_format,
};
pub use limits::Limits;
#[cfg(feature = "schema")]
pub use schema::{Judge, SchemaError, check_schema};
