//! `list`: a row for each slot.

use std::collections::HashMap;

use prompt_slots::{ErrorKind, Layer, OverrideState, PromptLoader, Slot};
use serde_json::{Value, json};

use super::status;
use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::{json, table};

/// List the slots, a row each
///
/// Of a slot whose override can't be used, the state of that is listed, with the reason on standard error, and the exit code
/// is 1
#[derive(Debug, clap::Args)]
#[command(after_help = JSON)]
pub(crate) struct Args {
    /// Print a JSON list; see below
    #[arg(long)]
    json: bool,
}

const JSON: &str = "\
JSON: a list of objects, one a slot, by name:
  name                   the slot
  enabled                true or false; null if its override can't be used, as with format and model
  layers                 the layers that it is merged from, lowest first
  format                 jinja2 or f-string
  model                  the model's name; null where no layer sets one
  override               the state of its override, as `status` says it; null where there is none";

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let mut findings = Vec::new();
    let names = match context.loader.names() {
        Ok(names) => names,
        Err(error) if error.kind() == ErrorKind::InvalidRoot => return Err(error.into()),
        // A directory that can't be listed takes the overrides away, not the slots.
        Err(error) => {
            findings.extend_from_slice(error.findings());
            context.loader.bundle().names().map(str::to_owned).collect()
        }
    };
    let states = states(&context.loader);
    let mut rows = Vec::new();
    for name in names {
        let over = states.get(&name).copied();
        match context
            .loader
            .resolve(&name, &prompt_slots::Override::new())
        {
            Ok(slot) => rows.push(Row::of(&slot, over)),
            Err(error) => {
                findings.extend_from_slice(error.findings());
                let over = match error.kind() {
                    ErrorKind::LookAlike => OverrideState::LookAlike,
                    _ => OverrideState::Invalid,
                };
                rows.push(Row::unusable(name, over));
            }
        }
    }
    if args.json {
        let rows: Vec<Value> = rows.iter().map(Row::to_json).collect();
        context.output.text(&json::pretty(&Value::from(rows)))?;
    } else {
        let head = ["NAME", "ENABLED", "LAYERS", "FORMAT", "MODEL", "OVERRIDE"].map(str::to_owned);
        let cells: Vec<_> = [head]
            .into_iter()
            .chain(rows.iter().map(Row::cells))
            .collect();
        // What a narrow terminal has no room for, `show` tells.
        let lines = table::align_within(context.output.width(), &cells, &[3, 2, 4]);
        for line in lines {
            context.output.line(&line)?;
        }
    }
    let is_broken = findings.iter().any(prompt_slots::Finding::is_error);
    context.output.report(&findings);
    status::note_if_off(context);
    Ok(if is_broken { Exit::Refused } else { Exit::Ok })
}

/// Returns the state of each slot's override.
fn states(loader: &PromptLoader) -> HashMap<String, OverrideState> {
    let files = loader.overrides().unwrap_or_default().into_iter();
    files
        .filter(|file| file.state != OverrideState::LookAlike)
        .filter_map(|file| Some((file.slot?, file.state)))
        .collect()
}

struct Row {
    name: String,
    enabled: Option<bool>,
    layers: Vec<&'static str>,
    format: Option<&'static str>,
    model: Option<String>,
    over: Option<OverrideState>,
}

impl Row {
    fn of(slot: &Slot, over: Option<OverrideState>) -> Self {
        Self {
            name: slot.name().to_owned(),
            enabled: Some(slot.is_enabled()),
            layers: slot.layers().map(Layer::name).collect(),
            format: Some(slot.template_format().name()),
            model: slot.llm().model().map(str::to_owned),
            over,
        }
    }

    fn unusable(name: String, over: OverrideState) -> Self {
        Self {
            name,
            enabled: None,
            layers: Vec::new(),
            format: None,
            model: None,
            over: Some(over),
        }
    }

    fn cells(&self) -> [String; 6] {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let layers = (!self.layers.is_empty()).then(|| self.layers.join("+"));
        [
            self.name.clone(),
            or_dash(self.enabled.map(|enabled| enabled.to_string())),
            or_dash(layers),
            or_dash(self.format.map(str::to_owned)),
            or_dash(self.model.clone()),
            or_dash(self.over.map(|state| state.to_string())),
        ]
    }

    fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "enabled": self.enabled,
            "layers": self.layers,
            "format": self.format,
            "model": self.model,
            "override": self.over.map(OverrideState::name),
        })
    }
}
