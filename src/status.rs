//! What an override does, said for people: in force, without effect, wrong.

use prompt_slots_core::{Finding, Layer, SlotSpec, Text};

use crate::app::Entry;
use crate::bundle::BundledSlot;
use crate::slot::Slot;

/// Finds out that a valid override changes nothing that anybody sees.
pub(crate) fn no_effect(slot: &Slot, below: Option<&'static BundledSlot>) -> Option<Finding> {
    let merged = slot.merged();
    let over = merged.source(Layer::App)?;
    let mark = |finding: Finding| {
        let finding = finding.slot(slot.name()).layer(Layer::App);
        match &over.file {
            Some(file) => finding.file(file),
            None => finding,
        }
    };
    let sets_llm = over.spec.llm != SlotSpec::EMPTY.llm;
    if !slot.is_enabled() && (over.spec.touches_text() || sets_llm) {
        let who = merged
            .setters("enabled")
            .highest()
            .map_or("no layer enables it", Layer::name);
        let finding = Finding::warning(format!(
            "the override has no effect: the slot is disabled ({who})"
        ));
        return Some(mark(finding.hint(
            "add `enabled: true`; this replaces the algorithm's built-in prompt",
        )));
    }
    let says_something = over
        .spec
        .leaves()
        .iter()
        .any(|(key, _)| key != "based_on" && !key.starts_with("x-"));
    let same = below.is_some_and(|below| bare(&below.spec) == bare(&merged.spec));
    (says_something && same).then(|| {
        let finding = Finding::warning("the override has no effect: it says what the default says");
        mark(finding.hint("change it, or remove the file"))
    })
}

/// Returns a spec without the keys that mean nothing to the slot.
fn bare(spec: &SlotSpec) -> SlotSpec {
    SlotSpec {
        based_on: None,
        extensions: Vec::<(Text, prompt_slots_core::Data)>::new().into(),
        ..spec.clone()
    }
}

/// Logs which override is in force, at debug, and what is wrong, at warn and once.
///
/// A message may name a placeholder; no line of a prompt is logged. So the hint of an error, which may quote one, is left
/// to `findings` and to the error itself.
pub(crate) fn log_entry(name: &str, entry: &Entry, last: Option<&Entry>) {
    if let Ok(Some(slot)) = &entry.outcome
        && log::log_enabled!(log::Level::Debug)
    {
        let origin = slot
            .origin("template")
            .map(|origin| origin.to_string())
            .unwrap_or_default();
        log::debug!(
            "slot `{name}`: {} is in force, its template from {origin}",
            slot.id()
        );
    }
    if last.is_some_and(|last| last.findings == entry.findings) {
        return;
    }
    for finding in &entry.findings {
        let mut shown = finding.clone();
        shown.hint.take_if(|_| finding.is_error());
        log::warn!("slot `{name}`: {}: {shown}", finding.severity);
    }
}
