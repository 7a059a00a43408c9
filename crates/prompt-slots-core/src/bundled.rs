//! Judging a default: one file of a bundle, alone, as strictly as it will ever be judged.

use crate::contract::dry_run;
use crate::finding::Finding;
use crate::layer::Layer;
use crate::limits::Limits;
use crate::one_file::OneFile;
use crate::read::{SlotFile, read_slot};
use crate::source::decode;

/// Reads and judges a bundled slot. `file` is what findings call it.
///
/// # Errors
///
/// Returns every finding if at least one is an error, each with slot, layer, file and, where known, position.
pub fn judge_bundled(
    name: &str,
    file: &str,
    bytes: &[u8],
    limits: &Limits,
) -> Result<SlotFile, Vec<Finding>> {
    let name_it = |finding: Finding| finding.slot(name).layer(Layer::Bundled).file(file);
    let slot = read_slot(bytes, Layer::Bundled, limits)
        .map_err(|findings| findings.into_iter().map(name_it).collect::<Vec<_>>())?;
    let whole = OneFile {
        layer: Layer::Bundled,
        file,
        spec: &slot.spec,
        places: &slot.places,
    };
    let run = dry_run(&slot.spec, &whole, true, limits);
    let source = decode(bytes, limits).unwrap_or_default();
    let run = run.findings.into_iter().map(|found| found.quote(&source));
    let mut findings: Vec<_> = slot.warnings.into_iter().chain(run).map(name_it).collect();
    findings.sort_by_key(|finding| finding.pos);
    if findings.iter().any(Finding::is_error) {
        return Err(findings);
    }
    Ok(SlotFile {
        warnings: findings,
        ..slot
    })
}
