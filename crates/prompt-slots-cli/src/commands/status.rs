//! `status`: where overrides are read from, and what becomes of each file there.

use prompt_slots::{
    Bundle, Finding, Layer, OverrideFile, OverrideState, PromptLoader, Root, RootSource,
};
use serde_json::{Value, json};

use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::{drafts, json, table};

/// Say where overrides are read from, and what becomes of each file there
///
/// States: in force, default moved (in force, and hides a change that the default made since; see `rebase`), new slot (only
/// the app directory has it), no effect, same as default, invalid, switched off (by an emergency control in the environment,
/// which is told first), look-alike (its name is nearly that of an override, and it is not read), ignored. With an error
/// among them the exit code is 1
#[derive(Debug, clap::Args)]
#[command(after_help = JSON)]
pub(crate) struct Args {
    /// Print a JSON object; see below
    #[arg(long)]
    json: bool,
}

const JSON: &str = "\
JSON: an object with
  app_dir                the directory of overrides; null where the app layer is off
  reason                 why it is that one, as a sentence
  controls               the emergency controls that are set in the environment, as findings
  files                  a list of objects, by the file's name:
    file, slot           its name, and the slot that it is for, or was most likely meant for
    state                one of the states above
    keys                 the keys of the slot that it sets
    moved                those of them whose default moved since it was written
    findings             what `check --format json` says of it, without config_map";

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let loader = context.loader.clone();
    let reason = reason(loader.root(), loader.bundle());
    if !args.json {
        context.output.line(&reason)?;
        for control in loader.controls() {
            context.output.line(&control.text())?;
        }
    }
    let files = loader.overrides()?;
    if args.json {
        let listed: Vec<Value> = files.iter().map(|file| to_json(file, &loader)).collect();
        let app_dir = loader.root().app_dir.as_ref();
        let status = json!({
            "app_dir": app_dir.map(|dir| dir.to_string_lossy()),
            "reason": reason,
            "controls": loader.controls().iter().map(json::finding).collect::<Vec<_>>(),
            "files": listed,
        });
        context.output.text(&json::pretty(&status))?;
    } else {
        print(&files, context)?;
    }
    if let Some(dir) = &loader.root().app_dir {
        drafts::report(dir, None, None, context);
    }
    let mut findings = files.iter().flat_map(|file| &file.findings);
    Ok(if findings.any(Finding::is_error) {
        Exit::Refused
    } else {
        Exit::Ok
    })
}

fn print(files: &[OverrideFile], context: &mut Context<'_>) -> Result<(), CliError> {
    let Some(dir) = &context.loader.root().app_dir else {
        return Ok(());
    };
    if files.is_empty() {
        let there = if dir.is_dir() {
            "It is empty"
        } else {
            "It does not exist"
        };
        let shown = dir.join("NAME.yaml");
        let next = format!(
            "{there}: every slot is its default. To change one, write the keys that differ into {}.",
            shown.display()
        );
        return context.output.line(&next);
    }
    let rows: Vec<_> = files
        .iter()
        .map(|file| [file.file.clone(), file.state.to_string()])
        .collect();
    context.output.line("")?;
    for (file, head) in files.iter().zip(table::align(&rows)) {
        context.output.line(&head)?;
        for reason in explain(file, &context.loader) {
            context.output.line(&format!("    {reason}"))?;
        }
    }
    Ok(())
}

/// Says that overrides are off, and why, where they are without anybody having asked for that.
pub(super) fn note_if_off(context: &mut Context<'_>) {
    let root = context.loader.root();
    if root.source == RootSource::NoHome {
        let note = reason(root, context.loader.bundle());
        context.output.note(&note);
    }
}

/// Says where overrides are read from, and who said so.
fn reason(root: &Root, bundle: &Bundle) -> String {
    let Some(dir) = &root.app_dir else {
        let why = match root.source {
            RootSource::NoHome => "there is no home directory, or only a relative one".to_owned(),
            RootSource::RelativeEnv(name) => {
                format!("the environment variable {name} holds a relative path")
            }
            RootSource::EmptyPath => "the path that --root or --dir names is empty".to_owned(),
            _ => "no directory of overrides is given".to_owned(),
        };
        let next = match bundle.root_env() {
            Some(name) => format!("set {name} to an absolute path, or use --root or --dir"),
            None => "use --root or --dir".to_owned(),
        };
        return format!("The app layer is off: {why}. To read overrides, {next}.");
    };
    let why = match root.source {
        RootSource::Root => "as --root says".to_owned(),
        RootSource::AppDir => "as --dir says".to_owned(),
        RootSource::Env(name) => format!("as the environment variable {name} says"),
        _ => match bundle.root_env() {
            Some(name) => format!("below the home directory, as {name} is not set"),
            None => "below the home directory".to_owned(),
        },
    };
    format!("Overrides are read from {}, {why}.", dir.display())
}

/// Says why a file is in its state, a line a reason.
fn explain(file: &OverrideFile, loader: &PromptLoader) -> Vec<String> {
    let findings = file.findings.iter().map(|finding| match finding.pos {
        Some(pos) => format!("{}:{}: {}", pos.line, pos.column, finding.text()),
        None => finding.text(),
    });
    let own = match file.state {
        OverrideState::InForce | OverrideState::DefaultMoved => {
            let keys: Vec<_> = keys(file, loader)
                .iter()
                .map(|key| format!("`{key}`"))
                .collect();
            Some(format!("changes {}", keys.join(", ")))
        }
        OverrideState::NewSlot if file.findings.is_empty() => {
            Some("only the app directory has this slot".to_owned())
        }
        OverrideState::SameAsDefault if file.findings.is_empty() => Some("says nothing".to_owned()),
        OverrideState::SwitchedOff => Some("the environment switches it off".to_owned()),
        OverrideState::Ignored => Some("not a slot file".to_owned()),
        _ => None,
    };
    let unmarked = is_unmarked(file, loader).then(|| {
        "sets the whole `template`, and no `based_on` tells when its default moves (mark it with `rebase NAME --base FILE --write`)"
            .to_owned()
    });
    own.into_iter().chain(findings).chain(unmarked).collect()
}

/// Tells whether a file hides the text of a default, and does not say of which one.
fn is_unmarked(file: &OverrideFile, loader: &PromptLoader) -> bool {
    let Some(name) = file
        .slot
        .as_deref()
        .filter(|_| file.state == OverrideState::InForce)
    else {
        return false;
    };
    let says = |layer, key| {
        let data = loader.layer_data(name, layer).ok().flatten();
        data.is_some_and(|data| data.get(key).is_some())
    };
    says(Layer::App, "template")
        && says(Layer::Bundled, "template")
        && !says(Layer::App, "based_on")
}

/// Returns the keys that a file in force sets.
fn keys(file: &OverrideFile, loader: &PromptLoader) -> Vec<String> {
    let slot = file
        .slot
        .as_deref()
        .filter(|_| file.state != OverrideState::LookAlike);
    let slot = slot.and_then(|name| loader.resolve(name, &prompt_slots::Override::new()).ok());
    let keys = slot.into_iter().flat_map(|slot| slot.explain().keys);
    keys.filter(|key| key.origin.layer == Layer::App)
        .map(|key| key.key)
        .collect()
}

fn to_json(file: &OverrideFile, loader: &PromptLoader) -> Value {
    let findings: Vec<Value> = file.findings.iter().map(json::finding).collect();
    json!({
        "file": file.file,
        "slot": file.slot,
        "state": file.state.name(),
        "keys": keys(file, loader),
        "moved": file.moved,
        "findings": findings,
    })
}
