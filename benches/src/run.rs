//! Running other programs, and where things are.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Result;

/// Returns the directory of the project.
pub fn project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Runs a program to its end, with what it says on the terminal.
pub fn run(command: &mut Command) -> Result<()> {
    eprintln!("running {command:?}");
    if command.status()?.success() {
        Ok(())
    } else {
        Err(format!("{command:?} failed").into())
    }
}

/// Returns what a program prints.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{command:?} failed").into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

/// Returns the directory where cargo puts what it builds of a workspace.
pub fn target_dir(workspace: &Path) -> Result<PathBuf> {
    let metadata = output(
        Command::new("cargo")
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .current_dir(workspace),
    )?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let dir = metadata["target_directory"]
        .as_str()
        .ok_or("cargo names no target directory")?;
    Ok(PathBuf::from(dir))
}
