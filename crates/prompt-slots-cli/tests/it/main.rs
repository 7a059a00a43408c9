//! Commands typed at a shell, in a home of their own.

mod check;
mod config_maps;
mod diff;
mod explain;
mod generated;
mod help;
mod list;
mod load;
mod precedence;
mod process;
mod render;
mod shell;
mod show;
mod status;
