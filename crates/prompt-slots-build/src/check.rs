//! A directory of slots judged as the build would, without a build.

use std::collections::BTreeSet;
use std::path::Path;

use prompt_slots_core::{Finding, Layer, Limits, untested};

use crate::collect::collect;

/// What a check of a directory found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Checked {
    /// How many slots it holds, good and bad.
    pub slots: usize,
    /// How many test cases the good ones have.
    pub cases: usize,
    /// Errors and warnings, in the order of the files.
    pub findings: Vec<Finding>,
}

/// Judges the slots in `dir` as a build script that embeds it would, and warns of those without test cases.
///
/// Findings call the files `dir/name.yaml`. A directory that can't be read is a finding too.
pub fn check_dir(dir: impl AsRef<Path>, limits: &Limits) -> Checked {
    let dir = dir.as_ref();
    let shown = dir.to_string_lossy();
    let shown = match shown.trim_end_matches(['/', '\\']) {
        "" => &shown,
        trimmed => trimmed,
    };
    let (slots, mut findings) = collect(dir, shown, limits);
    let good = slots.iter().map(|slot| slot.name.as_str());
    let bad = findings
        .iter()
        .filter_map(|finding| finding.slot.as_deref());
    let names: BTreeSet<&str> = good.chain(bad).collect();
    let (count, cases) = (
        names.len(),
        slots
            .iter()
            .map(|slot| slot.slot.spec.test_cases.len())
            .sum(),
    );
    findings.extend(slots.iter().filter_map(|slot| {
        let finding = untested(&slot.slot.spec, &slot.slot.places)?;
        let text = String::from_utf8_lossy(&slot.original);
        let finding = finding.slot(&slot.name).layer(Layer::Bundled);
        Some(finding.file(&slot.file).quote(&text))
    }));
    findings.sort_by(|a, b| a.file.cmp(&b.file));
    Checked {
        slots: count,
        cases,
        findings,
    }
}
