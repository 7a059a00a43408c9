//! Compiles a directory of prompt slots into a program.
