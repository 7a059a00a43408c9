//! The command line of prompt-slots.
