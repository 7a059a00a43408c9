//! Runs one operation as often as it is told, so that another program can count what a single one costs.
//!
//! What two runs of different length differ in is the operation alone: start-up and set-up cost the same in both.

use std::hint::black_box;

use prompt_slots::{Override, PromptLoader, slots};
use serde_json::json;

fn main() {
    let mut args = std::env::args().skip(1);
    let (operation, times) = (
        args.next(),
        args.next().and_then(|times| times.parse().ok()),
    );
    let (Some(operation), Some(times)) = (operation, times) else {
        panic!("usage: prompt-slots-instructions OPERATION TIMES");
    };
    let repeat = |call: &mut dyn FnMut()| (0_u32..times).for_each(|_| call());
    let default = || PromptLoader::builder().without_app_layer().build();
    let overridden = || {
        PromptLoader::builder()
            .app_memory([("episode_extract", "enabled: true\n")])
            .build()
    };
    match operation.as_str() {
        "load-by-name" => {
            let loader = default();
            repeat(&mut || {
                let _ = black_box(loader.load(black_box("episode_extract")));
            });
        }
        "load-by-handle" => {
            let loader = default();
            repeat(&mut || {
                let _ = black_box(slots::EPISODE_EXTRACT.load(black_box(&loader)));
            });
        }
        "load-override" => {
            let loader = overridden();
            repeat(&mut || {
                let _ = black_box(loader.load(black_box("episode_extract")));
            });
        }
        "render" => {
            let slot = slots::EPISODE_EXTRACT
                .resolve(&overridden(), &Override::new())
                .expect("a valid override");
            let values = json!({"memcell": {"text": "Mira: Can we move the dentist to Thursday?"}});
            repeat(&mut || {
                let _ = black_box(slot.render(black_box(&values)));
            });
        }
        // As a program starts that has no directory of overrides; by the environment, as `PromptLoader::new` does.
        "first-load" => {
            let _ = black_box(PromptLoader::new().load("episode_extract"));
        }
        _ => panic!("no such operation: {operation}"),
    }
}
