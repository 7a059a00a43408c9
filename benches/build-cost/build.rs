//! Compiles the slots of `$SLOTS_DIR`, and adds to `$COST_LOG` how long that took.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::time::Instant;

fn main() {
    println!("cargo::rerun-if-env-changed=SLOTS_DIR");
    println!("cargo::rerun-if-changed=build.rs");
    let dir = std::env::var("SLOTS_DIR").expect("SLOTS_DIR names a directory of slots");
    let start = Instant::now();
    prompt_slots_build::embed(&dir);
    if let Ok(log) = std::env::var("COST_LOG") {
        let mut log = OpenOptions::new()
            .append(true)
            .create(true)
            .open(log)
            .expect("a log");
        writeln!(log, "embed {}", start.elapsed().as_secs_f64()).expect("a line in the log");
    }
}
