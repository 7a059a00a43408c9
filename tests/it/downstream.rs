//! Crates outside of this workspace, for tests that build them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where this checkout is.
pub const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// Pins a crate to the versions that this checkout was tested with; they are on the machine already.
pub fn lock(dir: &Path) {
    fs::copy(
        Path::new(REPOSITORY).join("Cargo.lock"),
        dir.join("Cargo.lock"),
    )
    .unwrap();
}

/// Runs cargo on a crate, in a target folder that all of them share.
pub fn cargo(dir: &Path, arguments: &[&str]) -> Output {
    let target: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("consumer");
    Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--offline", "--color", "never"])
        .current_dir(dir)
        .env("CARGO_TARGET_DIR", target)
        // For the crates that have a root rule.
        .env("CONSUMER_ROOT", dir.join("root"))
        .env("COURIER_ROOT", dir.join("root"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap()
}
