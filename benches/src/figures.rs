//! What criterion measured.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Result;
use crate::run::{project, run, target_dir};

/// Median nanoseconds of each bench: by group, what was measured, and its size (0 where it has none).
pub struct Figures(BTreeMap<(String, String, u64), f64>);

impl Figures {
    /// Runs all benches.
    pub fn measure() -> Result<Self> {
        let benches = project().join("benches");
        let home = target_dir(&benches)?.join("criterion");
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        run(Command::new("cargo")
            .args(["bench", "--locked", "--bench", "all", "--", "--noplot"])
            .current_dir(&benches)
            .env("CRITERION_HOME", &home))?;
        let mut figures = Self(BTreeMap::new());
        figures.read(&home)?;
        Ok(figures)
    }

    /// Reads every bench below a directory.
    fn read(&mut self, dir: &Path) -> Result<()> {
        let (bench, estimates) = (dir.join("benchmark.json"), dir.join("estimates.json"));
        if dir.ends_with("new") && bench.exists() {
            let bench: Value = serde_json::from_slice(&fs::read(bench)?)?;
            let estimates: Value = serde_json::from_slice(&fs::read(estimates)?)?;
            let median = estimates["median"]["point_estimate"]
                .as_f64()
                .ok_or("a bench without a median")?;
            let calls = bench["throughput"]["Elements"].as_f64().unwrap_or(1.0);
            let word = |key: &str| bench[key].as_str().unwrap_or_default().to_owned();
            let size = word("value_str").parse().unwrap_or(0);
            self.0.insert(
                (word("group_id"), word("function_id"), size),
                median / calls,
            );
            return Ok(());
        }
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            if path.is_dir() {
                self.read(&path)?;
            }
        }
        Ok(())
    }

    /// Returns the nanoseconds of a bench, if it was run.
    pub fn find(&self, group: &str, what: &str, size: u64) -> Option<f64> {
        self.0
            .get(&(group.to_owned(), what.to_owned(), size))
            .copied()
    }

    /// Returns the nanoseconds of a bench.
    pub fn get(&self, group: &str, what: &str, size: u64) -> Result<f64> {
        self.find(group, what, size)
            .ok_or_else(|| format!("no bench {group}/{what}/{size}").into())
    }

    /// Returns the sizes of a group's benches of one thing with their nanoseconds.
    pub fn series(&self, group: &str, what: &str) -> Vec<(f64, f64)> {
        let of_it = self
            .0
            .iter()
            .filter(|((in_group, is, _), _)| in_group == group && is == what);
        #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
        of_it
            .map(|((_, _, size), ns)| (*size as f64, *ns))
            .collect()
    }
}
