//! The tests of the library, in one binary: linking is the slow part.

mod app_dir;
mod build_failure;
mod consumer;
mod controls;
mod docs;
mod downstream;
mod embedding;
mod errors;
mod faults;
mod load;
mod log_records;
mod merge;
mod merge_properties;
mod moved;
mod originals;
mod overrides;
mod production;
mod races;
mod reload;
mod root;
mod slot;
mod support;
mod yaml_config;
