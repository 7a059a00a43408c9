//! The commands for the slots that `prompt-slots` itself ships.

use std::process::ExitCode;

fn main() -> ExitCode {
    prompt_slots_cli::run(&prompt_slots::BUNDLE, std::env::args_os())
}
