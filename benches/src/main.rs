//! Measures everything, and writes `docs/performance.md` with its plots.

mod build_cost;
mod figures;
mod limits;
mod machine;
mod page;
mod plot;
mod process;
mod run;
mod table;

use std::error::Error;
use std::process::ExitCode;

/// Whatever goes wrong ends the program, and is said once.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let result = match std::env::args().nth(1).as_deref() {
        Some("report") => page::write(),
        _ => Err("usage: cargo run --release --manifest-path benches/Cargo.toml -- report".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
