//! `explain`: every key with its value, where it comes from, and what it overrides.

use prompt_slots::{Explained, Finding, Layer, Origin, Override, Part, Slot, keys, nearest};
use serde_json::{Value, json};

use crate::annotate::{self, Annotated};
use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::json;

/// The keys of an override that change the text, and are shown as what they make of `template`.
const CHANGES: [&str; 3] = ["template_edits", "template_prepend", "template_append"];

/// Say where every value comes from, and what it overrides
///
/// The output is the effective slot as YAML, with the layer, file and line of each value in a comment above it. A long
/// template is cut to its first lines, unless `--full` is given
#[derive(Debug, clap::Args)]
#[command(after_help = JSON)]
pub(crate) struct Args {
    /// The slot
    name: String,

    /// Explain this key or section alone, such as `template`, `llm` or `llm.model`
    #[arg(long, value_name = "KEY")]
    key: Option<String>,

    /// List layers that say nothing of a key, and keys that no layer sets, too
    #[arg(long)]
    all: bool,

    /// Print the whole template, however long
    #[arg(long)]
    full: bool,

    /// Print a JSON object; see below
    #[arg(long)]
    json: bool,
}

const JSON: &str = "\
JSON: an object with
  name, id, fingerprint  of the slot
  layers                 the layers that the slot is merged from, lowest first
  keys                   a list of objects, in the order of a slot file:
    key                  the key path, such as `llm.model`
    value                the value in force; null where a layer took it back
    layer, file, line    where it comes from; null for a key that no layer sets
    overrides            what it overrides, the nearest first: value, layer, file, line
    parts                what it is put together from: key, value, layer, file, line
    silent               the layers that say nothing of the key
`--all` adds the keys that no layer sets";

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let slot = context.resolve(&args.name, &Override::new())?;
    let mut explained = slot.explain().keys;
    let mut unset = unset(&explained);
    if let Some(key) = &args.key {
        // What changes the text is shown as a part of the text.
        let key = key.split('[').next().unwrap_or(key);
        let wanted = if CHANGES.contains(&key) {
            "template"
        } else {
            key
        };
        check_key(wanted, &explained, &unset, &slot, context)?;
        explained.retain(|it| is_within(&it.key, wanted));
        unset.retain(|it| is_within(it, wanted));
    }
    if args.json {
        let shown = explained.iter().map(|it| key_to_json(it, &slot));
        let unset = unset
            .iter()
            .filter(|_| args.all)
            .map(|key| unset_to_json(key));
        let result = json!({
            "name": slot.name(),
            "id": slot.id(),
            "fingerprint": slot.fingerprint().to_string(),
            "layers": slot.layers().map(Layer::name).collect::<Vec<_>>(),
            "keys": shown.chain(unset).collect::<Vec<_>>(),
        });
        context.output.text(&json::pretty(&result))?;
        return Ok(Exit::Ok);
    }
    if explained.is_empty() && !args.all {
        let key = args.key.as_deref().unwrap_or_default();
        let note = format!("slot `{}`: no layer sets `{key}`", slot.name());
        context.output.note(&note);
    }
    explained.retain(|it| !CHANGES.contains(&it.key.as_str()));
    context
        .output
        .text(&annotated(args, &slot, &explained, &unset))?;
    Ok(Exit::Ok)
}

/// Writes the slot as YAML, with what is known of each key in comments.
fn annotated(args: &Args, slot: &Slot, explained: &[Explained], unset: &[String]) -> String {
    let layers: Vec<&str> = slot.layers().map(Layer::name).collect();
    let mut yaml = Annotated::new();
    yaml.comment(&format!(
        "{}, merged from {}",
        slot.id(),
        layers.join(" and ")
    ));
    for it in explained {
        let mut comments = vec![it.origin.to_string()];
        let instead = it
            .overridden
            .iter()
            .map(|(origin, value)| format!("  instead of {} ({origin})", annotate::brief(value)));
        comments.extend(instead);
        // The head of a changed text is its own first part.
        let head = usize::from(it.key == "template");
        comments.extend(it.parts.iter().skip(head).map(part));
        if args.all {
            let silent = silent(it, slot);
            comments.extend(silent.map(|layer| format!("  {layer} says nothing")));
        }
        match &it.value {
            Some(value) if it.key == "template" && !args.full => {
                yaml.folded(&it.key, value, &comments);
            }
            Some(value) => yaml.value(&it.key, value, &comments),
            None => yaml.taken_back(&it.key, &comments),
        }
    }
    for key in unset.iter().filter(|_| args.all) {
        yaml.comment(&format!("no layer sets {key}"));
    }
    yaml.finish()
}

fn part(part: &Part) -> String {
    let Part { key, origin, .. } = part;
    if let Some((find, replace)) = part.value.get("find").zip(part.value.get("replace")) {
        let (find, replace) = (annotate::brief(find), annotate::brief(replace));
        return format!("  {key}: {find} becomes {replace} ({origin})");
    }
    // The name of a test case says more than the start of its input.
    let is_case = key.starts_with("validation.");
    let name = part.value.get("name").filter(|_| is_case);
    let shown = annotate::brief(name.unwrap_or(&part.value));
    format!("  {key}: {shown} ({origin})")
}

/// Returns the layers that say nothing of a key, also that without a file.
fn silent<'a>(it: &'a Explained, slot: &Slot) -> impl Iterator<Item = Layer> + use<'a> {
    let is_off = slot.layers().all(|layer| layer != Layer::App);
    let app = is_off.then_some(Layer::App);
    app.into_iter().chain(it.silent.iter().copied())
}

/// Returns the keys that no layer sets.
fn unset(explained: &[Explained]) -> Vec<String> {
    let mut paths = Vec::new();
    for key in keys::SLOT
        .iter()
        .filter(|key| key.place == keys::Place::Everywhere)
    {
        match key.shape {
            keys::Shape::Map(inner) => {
                paths.extend(inner.iter().map(|it| format!("{}.{}", key.name, it.name)));
            }
            _ => paths.push(key.name.to_owned()),
        }
    }
    paths.retain(|path| !explained.iter().any(|it| is_within(&it.key, path)));
    paths
}

/// Tells whether a key path is `section` or stands in it.
fn is_within(key: &str, section: &str) -> bool {
    let rest = key.strip_prefix(section);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn check_key(
    wanted: &str,
    explained: &[Explained],
    unset: &[String],
    slot: &Slot,
    context: &Context<'_>,
) -> Result<(), CliError> {
    let set = explained.iter().map(|it| it.key.as_str());
    let mut known: Vec<&str> = set.chain(unset.iter().map(String::as_str)).collect();
    known.extend(keys::SLOT.iter().map(|key| key.name));
    known.extend(["llm.extra"]);
    if wanted != "based_on" && known.iter().any(|key| is_within(key, wanted)) {
        return Ok(());
    }
    let around = known
        .iter()
        .find(|key| is_within(wanted, key) && !wanted.is_empty());
    // Whoever writes the name of a setting means it.
    let setting = known
        .iter()
        .copied()
        .find(|key| key.ends_with(&format!(".{wanted}")));
    let near = setting
        .filter(|_| !wanted.is_empty())
        .or_else(|| nearest(wanted, known.iter().copied()));
    let hint = match (near, around) {
        (Some("based_on"), _) => format!(
            "it says which default an override was taken from: see `{}`",
            context.typed(&format!("show {} --layer app", slot.name()))
        ),
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, Some(section)) => format!("ask for `{section}`, which would hold it"),
        (None, None) => {
            let top = keys::SLOT
                .iter()
                .filter(|key| key.place == keys::Place::Everywhere);
            let names: Vec<_> = top.map(|key| format!("`{}`", key.name)).collect();
            format!("keys are {}", names.join(", "))
        }
    };
    let finding = Finding::error(format!("there is no key `{wanted}` in the slot"));
    Err(CliError::usage(finding.slot(slot.name()).hint(hint)))
}

fn key_to_json(it: &Explained, slot: &Slot) -> Value {
    let overrides = it.overridden.iter().map(|(origin, value)| {
        let layer = origin.layer.name();
        json!({"value": value.to_json(), "layer": layer, "file": origin.file, "line": line(origin)})
    });
    json!({
        "key": it.key,
        "value": it.value.as_ref().map(prompt_slots::Data::to_json),
        "layer": it.origin.layer.name(),
        "file": it.origin.file,
        "line": line(&it.origin),
        "overrides": overrides.collect::<Vec<_>>(),
        "parts": it.parts.iter().map(part_to_json).collect::<Vec<_>>(),
        "silent": silent(it, slot).map(Layer::name).collect::<Vec<_>>(),
    })
}

fn part_to_json(part: &Part) -> Value {
    json!({
        "key": part.key,
        "value": part.value.to_json(),
        "layer": part.origin.layer.name(),
        "file": part.origin.file,
        "line": line(&part.origin),
    })
}

fn unset_to_json(key: &str) -> Value {
    json!({
        "key": key,
        "value": null,
        "layer": null,
        "file": null,
        "line": null,
        "overrides": [],
        "parts": [],
        "silent": [Layer::App.name(), Layer::Bundled.name()],
    })
}

fn line(origin: &Origin) -> Option<u32> {
    origin.pos.map(|pos| pos.line)
}
