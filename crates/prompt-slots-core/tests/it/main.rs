//! The tests of the crate, in one binary: linking is the slow part.

mod derive;
mod fstring;
mod jinja_conformance;
mod jinja_limits;
mod jinja_undefined;
mod other_format;
#[cfg(feature = "schema")]
mod schema;
