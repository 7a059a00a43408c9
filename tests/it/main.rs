//! The tests of the library, in one binary: linking is the slow part.

mod consumer;
mod docs;
