//! The tests of the library, in one binary: linking is the slow part.

mod build_failure;
mod consumer;
mod docs;
mod originals;
