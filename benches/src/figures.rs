//! What criterion measured.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use crate::Result;
use crate::run::{project, run, target_dir};

/// What criterion keeps of one bench.
#[derive(Deserialize)]
struct Samples {
    iters: Vec<f64>,
    times: Vec<f64>,
}

impl Samples {
    /// Returns the nanoseconds of one turn in the fastest sample: what else the machine does makes the others slower, never
    /// this one faster.
    fn fastest(&self) -> f64 {
        let turns = self
            .times
            .iter()
            .zip(&self.iters)
            .map(|(time, turns)| time / turns);
        turns.fold(f64::INFINITY, f64::min)
    }

    /// Returns the nanoseconds of one turn in the sample in the middle: for threads that meet, since the fastest sample may
    /// be one in which they did not.
    fn middle(&self) -> f64 {
        let mut turns: Vec<_> = self
            .times
            .iter()
            .zip(&self.iters)
            .map(|(time, turns)| time / turns)
            .collect();
        turns.sort_by(f64::total_cmp);
        turns.get(turns.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// Nanoseconds of each bench: by group, what was measured, and its size (0 where it has none).
pub struct Figures(BTreeMap<(String, String, u64), f64>);

impl Figures {
    /// Runs all benches.
    pub fn measure() -> Result<Self> {
        let home = home()?;
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        run(Command::new("cargo")
            .args(["bench", "--locked", "--bench", "all", "--", "--noplot"])
            .current_dir(project().join("benches"))
            .env("CRITERION_HOME", &home))?;
        Self::last()
    }

    /// Returns what was measured last.
    pub fn last() -> Result<Self> {
        let mut figures = Self(BTreeMap::new());
        figures.read(&home()?)?;
        Ok(figures)
    }

    /// Reads every bench below a directory.
    fn read(&mut self, dir: &Path) -> Result<()> {
        let (bench, samples) = (dir.join("benchmark.json"), dir.join("sample.json"));
        if dir.ends_with("new") && bench.exists() {
            let bench: Value = serde_json::from_slice(&fs::read(bench)?)?;
            let samples: Samples = serde_json::from_slice(&fs::read(samples)?)?;
            let calls = bench["throughput"]["Elements"].as_f64().unwrap_or(1.0);
            let word = |key: &str| bench[key].as_str().unwrap_or_default().to_owned();
            let size = word("value_str").parse().unwrap_or(0);
            let is_of_threads = word("group_id") == "warm" && size > 1;
            let turn = if is_of_threads {
                samples.middle()
            } else {
                samples.fastest()
            };
            self.0
                .insert((word("group_id"), word("function_id"), size), turn / calls);
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

/// Returns the directory where criterion keeps what it measured.
fn home() -> Result<PathBuf> {
    Ok(target_dir(&project().join("benches"))?.join("criterion"))
}
