//! Any text is a jinja2 template or an error, and renders or fails within the limits.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use prompt_slots_core::{Compiled, Format, Limits, Strictness, Value, to_values};

/// One value of each kind, under the names that the dictionary of tokens knows.
static VALUES: LazyLock<Value> = LazyLock::new(|| {
    let values = serde_json::json!({
        "a": "text with 'quotes' and <tags>",
        "b": [1, [2, "x"], {"k": "v"}, null, true, 1.5],
        "d": {"k": [1, 2], "items": "own", "t": "u"},
        "n": 1_000_000,
        "x": "",
    });
    to_values(&values)
});

fuzz_target!(|source: &str| {
    if let Ok(compiled) = Compiled::new(Format::Jinja2, source, &Limits::DEFAULT) {
        for strictness in [Strictness::SemiStrict, Strictness::Strict] {
            let _ = compiled.render(&VALUES, strictness);
        }
    }
});
