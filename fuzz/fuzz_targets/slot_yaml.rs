//! Any bytes are a slot file or findings, in each layer, and a bundled slot is judged by rendering it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prompt_slots_core::{Layer, Limits, judge_bundled, read_slot};

fuzz_target!(|bytes: &[u8]| {
    for layer in Layer::ALL {
        let _ = read_slot(bytes, layer, &Limits::DEFAULT);
    }
    if let Err(findings) = judge_bundled("slot", "slot.yaml", bytes, &Limits::DEFAULT) {
        for finding in findings {
            let _ = format!("{finding} {finding:#}");
        }
    }
});
