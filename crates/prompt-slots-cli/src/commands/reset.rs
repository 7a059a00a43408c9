//! `reset`: takes an override away, or one key of it.

use clap::ArgGroup;
use prompt_slots::{Data, ErrorKind, Finding, Layer, Override, PromptLoader, SlotText, nearest};

use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::store::{Store, about, overtaken};
use crate::surgery;

/// Take an override away, or one key of it, and keep a backup
///
/// Backups are in the directory `.backup` beside the overrides
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("what").args(["name", "all"]).required(true))]
pub(crate) struct Args {
    /// The slot
    name: Option<String>,

    /// Take only this key away, such as `llm.temperature`
    #[arg(long, value_name = "KEY", conflicts_with = "all")]
    key: Option<String>,

    /// Take all overrides away
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let store = Store::new(context)?;
    match (&args.name, &args.key) {
        (Some(name), Some(key)) => reset_key(name, key, &store, context),
        (Some(name), None) => reset(name, &store, context),
        (None, _) => reset_all(&store, context),
    }
}

fn reset_all(store: &Store, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let files = context.loader.overrides()?;
    // A look-alike is not loaded, so there is nothing to take away.
    let names = files.into_iter().filter_map(|file| {
        let name = file.slot?;
        (file.file == format!("{name}.yaml")).then_some(name)
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        context.output.note("There is no override.");
    }
    let mut exit = Exit::Ok;
    for name in &names {
        if reset(name, store, context)? != Exit::Ok {
            exit = Exit::Refused;
        }
    }
    Ok(exit)
}

fn reset(name: &str, store: &Store, context: &mut Context<'_>) -> Result<Exit, CliError> {
    read(name, context)?;
    store.check_own(name)?;
    let backup = store.lock()?.set_aside(name)?;
    context.output.note(&format!(
        "The override of `{name}` is now {}.",
        backup.display()
    ));
    Ok(say_state(name, store, context))
}

fn reset_key(
    name: &str,
    key: &str,
    store: &Store,
    context: &mut Context<'_>,
) -> Result<Exit, CliError> {
    let path = store.path(name);
    let shown = path.to_string_lossy().into_owned();
    read(name, context)?;
    store.check_own(name)?;
    let locked = store.lock()?;
    let bytes = read(name, context)?;
    let limits = context.loader.bundle().limits();
    let text = SlotText::read(&bytes, Layer::App, limits)
        .map_err(|error| invalid(error.findings(), name, store))?;
    let keys = matching(&text, key);
    if keys.is_empty() {
        return Err(no_such_key(&text, name, key, store));
    }
    let mut data = Some(text.to_data());
    for key in &keys {
        data = data.and_then(|data| surgery::put(&data, key, None));
    }
    let data = data.unwrap_or_else(|| Data::Map(Vec::new().into()));
    let before = String::from_utf8_lossy(&bytes).into_owned();
    let after = surgery::rewrite(&before, &data, limits)?;
    context
        .loader
        .try_override(name, &shown, after.as_bytes())
        .map_err(|error| {
            let edit = context.typed(&format!("edit {name}"));
            let hint = format!(
                "nothing was changed: without `{key}` the override is not valid; use `{edit}`"
            );
            let findings = error.findings().iter().cloned();
            CliError::Findings(
                Exit::Refused,
                findings
                    .map(|finding| finding.hint(hint.as_str()))
                    .collect(),
            )
        })?;
    let replaced = locked
        .replace(name, &bytes, after.as_bytes())?
        .ok_or_else(|| overtaken(name, &path, "try again"))?;
    drop(locked);
    context.output.report(replaced.warning.as_slice());
    let gone: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    context.output.note(&format!(
        "The override of `{name}` no longer sets {}; as it was, it is {}.",
        gone.join(", "),
        replaced.backup.display()
    ));
    say_values(name, &keys, store, context);
    Ok(Exit::Ok)
}

/// Returns the keys of an override that `key` names: itself, or all below it.
fn matching(text: &SlotText, key: &str) -> Vec<String> {
    let leaves = text.leaves().into_iter().map(|(leaf, _)| leaf);
    let is_meant = |leaf: &String| {
        let rest = leaf.strip_prefix(key);
        // A format has its place beside a template only.
        let goes_along = key == "template" && leaf == "template_format";
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) || goes_along
    };
    let keys: Vec<String> = leaves.filter(is_meant).collect();
    if keys == ["template_format"] && key == "template" {
        return Vec::new();
    }
    keys
}

fn no_such_key(text: &SlotText, name: &str, key: &str, store: &Store) -> CliError {
    let keys: Vec<String> = text.leaves().into_iter().map(|(leaf, _)| leaf).collect();
    let hint = match nearest(key, keys.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if keys.is_empty() => "it sets no key at all".to_owned(),
        None => {
            let quoted: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            format!("it sets {}", quoted.join(", "))
        }
    };
    let finding = Finding::error(format!("the override does not set `{key}`"));
    CliError::usage(about(finding.hint(hint), name, &store.path(name)))
}

/// Says what is in force without the override, or why the slot is refused.
fn say_state(name: &str, store: &Store, context: &mut Context<'_>) -> Exit {
    let outcome = fresh(store, context).resolve(name, &Override::new());
    let state = match &outcome {
        Ok(slot) if slot.is_enabled() => format!("{} is in force: the default.", slot.id()),
        Ok(slot) => format!(
            "{}: the program uses its built-in prompt.",
            super::disabled(slot)
        ),
        Err(error) if error.kind() == ErrorKind::UnknownSlot => {
            format!("There is no slot `{name}` any more: it had no default.")
        }
        Err(error) => {
            context.output.report(error.findings());
            return Exit::Refused;
        }
    };
    context.output.note(&state);
    Exit::Ok
}

/// Says where the values of keys come from now.
fn say_values(name: &str, keys: &[String], store: &Store, context: &mut Context<'_>) {
    let loader = fresh(store, context);
    let Ok(slot) = loader.resolve(name, &Override::new()) else {
        return;
    };
    for key in keys.iter().filter(|key| !key.starts_with("template_")) {
        context.output.note(&match slot.origin(key) {
            Some(_) => format!("`{key}` comes from the default now."),
            None => format!("No layer sets `{key}` now."),
        });
    }
}

/// Returns a loader that remembers no override: where the slot is refused now, one that does goes on with the last good version.
fn fresh(store: &Store, context: &Context<'_>) -> PromptLoader {
    let builder = PromptLoader::builder().bundle(context.loader.bundle());
    builder.app_dir(store.dir()).build()
}

/// Returns the override of a slot as it is.
pub(super) fn read(
    name: &str,
    context: &Context<'_>,
) -> Result<std::borrow::Cow<'static, [u8]>, CliError> {
    match context.loader.layer_source(name, Layer::App)? {
        Some(bytes) => Ok(bytes),
        None => Err(super::show::missing(name, Layer::App, context)),
    }
}

/// Adds whose override it is to findings about its text.
pub(super) fn invalid(findings: &[Finding], name: &str, store: &Store) -> CliError {
    let path = store.path(name);
    let findings = findings.iter().cloned();
    CliError::Findings(
        Exit::Refused,
        findings
            .map(|finding| about(finding, name, &path))
            .collect(),
    )
}
