//! `diff`: what differs between two views of a slot.

use std::fmt;

use clap::ValueEnum;
use prompt_slots::{Data, Finding, Layer, Override, SlotText};
use serde_json::{Value, json};

use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::{json, kept_base, lines};

const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const CYAN: &str = "\x1b[36m";
const BOLD: &str = "\x1b[1m";

/// Show what an override changes
///
/// The template is compared as text, all other keys as YAML. The exit code is 0 with differences too
#[derive(Debug, clap::Args)]
#[command(after_help = JSON)]
pub(crate) struct Args {
    /// The slot
    name: String,

    /// Compare from this
    #[arg(long, value_name = "VIEW", value_enum, default_value = "bundled")]
    from: View,

    /// Compare to this
    #[arg(long, value_name = "VIEW", value_enum, default_value = "effective")]
    to: View,

    /// Print a JSON object; see below
    #[arg(long)]
    json: bool,
}

const JSON: &str = "\
JSON: an object with
  name, from, to         the slot, and what is compared
  changes                a list of objects; what only `from` has is last:
    key                  the key path, such as `llm.model`
    from, to             its values; null where that side says nothing, or takes the key back";

/// What to compare of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum View {
    /// The default that the override was taken from
    Base,
    /// Today's default
    Bundled,
    /// The operator's file
    App,
    /// What the layers come to
    Effective,
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Base => "base",
            Self::Bundled => "bundled",
            Self::App => "app",
            Self::Effective => "effective",
        })
    }
}

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let Args { name, from, to, .. } = args;
    let before = view(name, *from, context)?;
    let after = view(name, *to, context)?;
    if args.json {
        let result = json!({
            "name": name,
            "from": from.to_string(),
            "to": to.to_string(),
            "changes": changes(&before, &after),
        });
        context.output.text(&json::pretty(&result))?;
        return Ok(Exit::Ok);
    }
    if before == after {
        context
            .output
            .note(&format!("slot `{name}`: {from} and {to} are the same"));
        return Ok(Exit::Ok);
    }
    if (*from == View::App) != (*to == View::App) {
        context
            .output
            .note("the app layer alone: what it leaves to the default is missing there");
    }
    let (before, after) = (Sides::of(&before), Sides::of(&after));
    print(args, "template", &before.template, &after.template, context)?;
    print(args, "keys.yaml", &before.keys, &after.keys, context)?;
    Ok(Exit::Ok)
}

/// Returns one view of a slot, with the keys of a slot file.
fn view(name: &str, view: View, context: &mut Context<'_>) -> Result<Data, CliError> {
    let data = match view {
        View::Base => base(name, context)?,
        View::Bundled => context.loader.layer_data(name, Layer::Bundled)?,
        View::App => context.loader.layer_data(name, Layer::App)?,
        View::Effective => Some(context.resolve(name, &Override::new())?.to_data()),
    };
    data.map_or_else(|| Err(missing(name, view, context)), Ok)
}

/// Returns the default that the override was taken from.
///
/// # Errors
///
/// Fails if the override says that it was taken from another one than what was kept.
fn base(name: &str, context: &Context<'_>) -> Result<Option<Data>, CliError> {
    let data = context.loader.base_data(name)?;
    let bundle = context.loader.bundle();
    // What is wrong with the override is no matter here.
    let over = context.loader.layer_source(name, Layer::App).ok().flatten();
    let over = over.and_then(|bytes| SlotText::read(&bytes, Layer::App, bundle.limits()).ok());
    let kept = context.loader.base_path(name)?;
    let kept = kept.and_then(|kept| kept_base::read(&kept, context));
    match (over, kept, &context.loader.root().app_dir) {
        (Some(over), Some(kept), Some(dir)) if !kept_base::is_of(&kept, &over) => {
            let path = dir.join(format!("{name}.yaml"));
            Err(kept_base::another(name, &path, context))
        }
        _ => Ok(data),
    }
}

fn missing(name: &str, view: View, context: &Context<'_>) -> CliError {
    if let Err(error) = context.check_exists(name) {
        return error.into();
    }
    let app_dir = context.loader.root().app_dir.as_ref();
    let at = |finding: Finding, file: String| match app_dir {
        Some(dir) => finding.file(&dir.join(file).to_string_lossy()),
        None => finding,
    };
    let finding = match view {
        View::Base => at(
            Finding::error("the default that the override was taken from is not known"),
            format!(".base/{name}.yaml"),
        )
        .hint("`override` keeps a copy of it; compare with today's default by `--from bundled`"),
        View::App => at(
            Finding::error("there is no override"),
            format!("{name}.yaml"),
        )
        .hint(format!(
            "write one with `{}`",
            context.typed(&format!("override {name}"))
        )),
        View::Bundled | View::Effective => Finding::error("there is no default to compare with")
            .hint(format!(
                "only the app directory has this slot: see `{}`",
                context.typed(&format!("show {name}"))
            )),
    };
    CliError::usage(finding.slot(name))
}

/// Returns the keys that differ.
fn changes(before: &Data, after: &Data) -> Vec<Value> {
    let (before, after) = (before.slot_leaves(), after.slot_leaves());
    let find = |leaves: &[(String, Data)], key: &str| {
        let found = leaves.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| value.clone())
    };
    let gone = before.iter().filter(|(key, _)| find(&after, key).is_none());
    let keys = after.iter().chain(gone).map(|(key, _)| key);
    keys.filter_map(|key| {
        let (from, to) = (find(&before, key), find(&after, key));
        let to_json = |value: Option<Data>| value.as_ref().map(Data::to_json);
        (from != to).then(|| json!({"key": key, "from": to_json(from), "to": to_json(to)}))
    })
    .collect()
}

/// One side of the comparison: the text of the template, and all else as YAML.
struct Sides {
    template: String,
    keys: String,
}

impl Sides {
    fn of(slot: &Data) -> Self {
        let template = match slot.get("template") {
            Some(Data::Text(text)) => text.to_string(),
            _ => String::new(),
        };
        let others: Vec<_> = match slot {
            Data::Map(entries) => entries
                .iter()
                .filter(|(key, _)| *key != *"template")
                .collect(),
            _ => Vec::new(),
        };
        let others = Data::map(others.iter().map(|(key, value)| (&**key, value.clone())));
        let is_empty = others == Data::map([] as [(&str, Data); 0]);
        Self {
            template,
            keys: if is_empty {
                String::new()
            } else {
                others.to_yaml()
            },
        }
    }
}

/// Prints a unified difference; nothing where there is none.
fn print(
    args: &Args,
    what: &str,
    before: &str,
    after: &str,
    context: &mut Context<'_>,
) -> Result<(), CliError> {
    if before == after {
        return Ok(());
    }
    let names = [args.from, args.to].map(|view| format!("{view}/{}/{what}", args.name));
    let diff = lines::diff([&names[0], &names[1]], before, after);
    for (number, line) in diff.lines().enumerate() {
        let color = match line.chars().next() {
            _ if number < 2 => BOLD,
            Some('@') => CYAN,
            Some('-') => RED,
            Some('+') => GREEN,
            _ => "",
        };
        context.output.colored_line(color, line)?;
    }
    Ok(())
}
