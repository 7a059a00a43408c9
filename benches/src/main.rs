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

use build_cost::Extent;
use figures::Figures;

/// Whatever goes wrong ends the program, and is said once.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    // Before the benches add to it.
    let load = machine::load();
    let args: Vec<_> = std::env::args().skip(1).collect();
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["report"] => {
            Figures::measure().and_then(|figures| page::write(&load, &figures, Extent::Full))
        }
        // The benches as they were measured last, and no first build: for work on the page.
        ["report", "--quick"] => {
            Figures::last().and_then(|figures| page::write(&load, &figures, Extent::Quick))
        }
        _ => Err(
            "usage: cargo run --release --manifest-path benches/Cargo.toml -- report [--quick]"
                .into(),
        ),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
