//! `render`: the prompt that a model would get.

use std::path::PathBuf;

use prompt_slots::{Error, Finding, Layer, Override, Slot};
use serde_json::json;

use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::values::ValueArgs;
use crate::{input, json};

/// Print the prompt that a model would get, exactly its bytes
///
/// Values come from a test case, from a file and from single options; the later of these wins. A disabled slot is rendered
/// too, with a note on standard error
#[derive(Debug, clap::Args)]
#[command(after_help = JSON)]
pub(crate) struct Args {
    /// The slot
    name: String,

    /// Print a JSON object; see below
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    values: ValueArgs,

    /// Override the model's name
    #[arg(long, value_name = "MODEL", help_heading = "For this call")]
    model: Option<String>,

    /// Override the temperature, 0 to 2
    #[arg(
        long,
        value_name = "T",
        allow_negative_numbers = true,
        help_heading = "For this call"
    )]
    temperature: Option<f64>,

    /// Override the longest reply, in tokens
    #[arg(long, value_name = "N", help_heading = "For this call")]
    max_tokens: Option<u64>,

    /// Override the template with the text of FILE, which enables the slot
    #[arg(long, value_name = "FILE", help_heading = "For this call")]
    template: Option<PathBuf>,
}

const JSON: &str = "\
JSON: an object with
  id, fingerprint        which prompt it is, with what this call sets
  enabled                whether a program would use it
  llm                    the settings of the model, with the keys of a slot file
  prompt                 the rendered text";

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let over = override_of(args, context)?;
    let resolved = context.loader.resolve(&args.name, &over);
    let slot = resolved.map_err(|error| in_template(error, args))?;
    context
        .output
        .report(&named(slot.warnings().to_vec(), args));
    let values = args
        .values
        .gather(&slot, context.loader.bundle().limits())?;
    let prompt = match slot.preview(&values) {
        Ok(prompt) => prompt.ok_or_else(|| no_text(&slot))?,
        Err(error) => {
            let lacks_all = values.is_empty() && slot.variables().any(|it| it.is_required());
            let hint = "give values with `--case`, `--input`, `--set` or `--set-json`";
            let findings = named(error.findings().to_vec(), args).into_iter();
            return Err(CliError::Findings(
                Exit::Refused,
                findings
                    .map(|finding| {
                        if lacks_all {
                            finding.hint(hint)
                        } else {
                            finding
                        }
                    })
                    .collect(),
            ));
        }
    };
    if !slot.is_enabled() {
        let note = format!("{}: this is a preview", super::disabled(&slot));
        context.output.note(&note);
    }
    if !args.json {
        context.output.text(&prompt)?;
        return Ok(Exit::Ok);
    }
    let llm = slot.to_data().get("llm").map(prompt_slots::Data::to_json);
    let result = json!({
        "id": slot.id(),
        "fingerprint": slot.fingerprint().to_string(),
        "enabled": slot.is_enabled(),
        "llm": llm.unwrap_or_else(|| json!({})),
        "prompt": prompt,
    });
    context.output.text(&json::pretty(&result))?;
    Ok(Exit::Ok)
}

/// Makes the runtime layer; an option that is not given sets nothing.
fn override_of(args: &Args, context: &Context<'_>) -> Result<Override, CliError> {
    let mut over = Override::new();
    if let Some(model) = &args.model {
        over = over.model(model);
    }
    if let Some(temperature) = args.temperature {
        over = over.temperature(temperature);
    }
    if let Some(tokens) = args.max_tokens {
        over = over.max_tokens(tokens);
    }
    if let Some(path) = &args.template {
        let limit = context.loader.bundle().limits().file_bytes;
        over = over.template(input::read_text(path, "--template", limit)?);
    }
    Ok(over)
}

/// Adds the file of `--template` to what is wrong with its text.
fn in_template(error: Error, args: &Args) -> CliError {
    match CliError::from(error) {
        CliError::Findings(exit, findings) => CliError::Findings(exit, named(findings, args)),
        output @ CliError::Output(_) => output,
    }
}

fn named(findings: Vec<Finding>, args: &Args) -> Vec<Finding> {
    let Some(path) = &args.template else {
        return findings;
    };
    let is_about_it = |finding: &Finding| {
        finding.layer == Some(Layer::Runtime) && finding.key.as_deref() == Some("template")
    };
    let findings = findings.into_iter().map(|finding| {
        if is_about_it(&finding) {
            finding.file(&path.to_string_lossy())
        } else {
            finding
        }
    });
    findings.collect()
}

fn no_text(slot: &Slot) -> CliError {
    let finding =
        Finding::error("there is no text to render: the template is blank, or no layer sets one");
    CliError::refused(finding.slot(slot.name()).hint("set `template`"))
}
