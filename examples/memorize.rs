//! One step of a pipeline: it asks for a slot, falls back to the algorithm's own prompt, and logs which prompt ran.
//!
//! Run it as it is, then with an override:
//!
//! ```console
//! $ cargo run --example memorize
//! $ mkdir -p /tmp/try/prompt_slots && echo 'enabled: true' > /tmp/try/prompt_slots/episode_extract.yaml
//! $ EVEROS_ROOT=/tmp/try cargo run --example memorize
//! ```

use std::collections::BTreeMap;
use std::error::Error;

use prompt_slots::{Override, PromptLoader, slots};

/// The algorithm's own prompt, for as long as nobody enables the slot.
fn built_in(conversation: &str) -> String {
    format!("Sum up what happened, as JSON with summary and participants:\n{conversation}\n")
}

/// What would be sent to the model, and by which name to remember it.
fn episode_prompt(
    loader: &PromptLoader,
    conversation: &str,
) -> Result<(String, String), prompt_slots::Error> {
    let slot = slots::EPISODE_EXTRACT.resolve(loader, &Override::new())?;
    let memcell = BTreeMap::from([("text", conversation)]);
    match slot.render(&slots::episode_extract::Vars::new(memcell))? {
        Some(prompt) => {
            let origin = slot
                .origin("template")
                .map(|origin| origin.to_string())
                .unwrap_or_default();
            Ok((prompt, format!("{} (template from {origin})", slot.id())))
        }
        None => Ok((
            built_in(conversation),
            "the algorithm's own prompt".to_owned(),
        )),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let loader = PromptLoader::new();
    let conversation =
        "Mira: Can we move the dentist to Thursday?\nJonas: Thursday at 16:30 works.";
    let (prompt, id) = episode_prompt(&loader, conversation)?;
    println!("{prompt}");
    eprintln!("ran {id}");
    Ok(())
}
