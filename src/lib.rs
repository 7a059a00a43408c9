//! Prompt slots.
