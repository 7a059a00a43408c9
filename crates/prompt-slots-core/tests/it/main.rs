//! The tests of the crate, in one binary: linking is the slow part.

mod contract;
mod derive;
mod fingerprint;
mod fstring;
mod hostile;
mod jinja_conformance;
mod jinja_limits;
mod jinja_undefined;
mod key_table;
mod limits;
mod names;
mod other_format;
mod positions;
mod reading;
#[cfg(feature = "schema")]
mod schema;
