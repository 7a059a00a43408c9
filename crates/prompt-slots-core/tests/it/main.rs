//! The integration tests of this crate, in one binary.

mod jinja_conformance;
mod jinja_limits;
mod jinja_undefined;
