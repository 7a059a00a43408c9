//! Commands typed at a shell, in a home of their own.

mod check;
mod config_maps;
mod diff;
mod docs;
mod edit;
mod explain;
mod generated;
mod help;
mod kill;
mod list;
mod load;
mod no_room;
mod override_;
mod own_slots;
mod owner;
mod precedence;
mod process;
mod render;
mod reset;
mod shell;
mod show;
mod status;
mod upgrade;
