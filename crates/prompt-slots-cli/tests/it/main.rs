//! Commands typed at a shell, in a home of their own.

mod help;
mod list;
mod load;
mod precedence;
mod process;
mod render;
mod shell;
mod show;
mod status;
