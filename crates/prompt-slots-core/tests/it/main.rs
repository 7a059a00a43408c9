//! The tests of the crate, in one binary: linking is the slow part.

mod fstring;
mod other_format;
