//! The tests of the crate, in one binary: linking is the slow part.

mod directory;
mod generated;
mod workspace;
