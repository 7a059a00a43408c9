//! Per-tenant prompts: each tenant's changes come from a database as YAML, and the slot that they give is kept.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;

use prompt_slots::{Override, PromptLoader, Slot, slots};

fn main() -> Result<(), Box<dyn Error>> {
    let loader = PromptLoader::builder().without_app_layer().build();

    let rows = [
        (
            "acme",
            "enabled: true\nllm: {model: gpt-4.1, extra: {user: acme}}\n",
        ),
        (
            "lisboa",
            "enabled: true\ntemplate_edits: [{find: the language of the conversation, replace: Portuguese}]\n",
        ),
        (
            "broken",
            "enabled: true\ntemplate: 'Sum up {{ conversation }}'\n",
        ),
    ];

    // Merged and judged once a tenant, not once a call.
    let mut tenants: HashMap<&str, Slot> = HashMap::new();
    for (tenant, yaml) in rows {
        let resolved = Override::from_yaml(yaml)
            .and_then(|over| slots::EPISODE_EXTRACT.resolve(&loader, &over));
        match resolved {
            Ok(slot) => drop(tenants.insert(tenant, slot)),
            Err(error) => println!("{tenant} keeps the default: {error}"),
        }
    }

    for tenant in ["acme", "lisboa"] {
        let slot = &tenants[tenant];
        let vars = slots::episode_extract::Vars::new(BTreeMap::from([(
            "text",
            "Ana: the train leaves at nine",
        )]));
        let prompt = slot.render(&vars)?.unwrap_or_default();
        let language = prompt
            .lines()
            .find(|line| line.contains("- Write in"))
            .unwrap_or_default();
        println!(
            "{tenant}: {} with {:?}: {language}",
            slot.id(),
            slot.llm().model()
        );
    }
    Ok(())
}
