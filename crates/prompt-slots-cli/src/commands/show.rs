//! `show`: a slot, or one layer of it, as a slot file.

use clap::ValueEnum;
use prompt_slots::{Data, Finding, Layer, Override};

use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::json;

/// Print a slot as a slot file
///
/// By default it is the effective slot, merged from its layers. `--source` prints the file of one layer as it was written,
/// comments included
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The slot
    name: String,

    /// Print this layer alone
    #[arg(long, value_name = "LAYER", value_enum, default_value = "effective")]
    layer: View,

    /// Print the layer's file as it was written, byte for byte
    #[arg(long, conflicts_with = "json")]
    source: bool,

    /// Print JSON, with the keys of a slot file at the top level
    #[arg(long)]
    json: bool,
}

/// What to show of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum View {
    /// The default, compiled into the program
    Bundled,
    /// The operator's file
    App,
    /// What the layers come to
    Effective,
}

impl View {
    fn layer(self) -> Option<Layer> {
        match self {
            Self::Bundled => Some(Layer::Bundled),
            Self::App => Some(Layer::App),
            Self::Effective => None,
        }
    }
}

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let name = args.name.as_str();
    match (args.layer.layer(), args.source) {
        (None, true) => {
            let finding =
                Finding::error("the effective slot is merged from layers, so it has no source");
            Err(CliError::usage(
                finding.hint("add `--layer bundled` or `--layer app`"),
            ))
        }
        (Some(layer), true) => {
            let source = context.loader.layer_source(name, layer)?;
            let source = source.ok_or_else(|| missing(name, layer, context))?;
            context.output.bytes(&source)?;
            Ok(Exit::Ok)
        }
        (Some(layer), false) => {
            let data = context.loader.layer_data(name, layer)?;
            let data = data.ok_or_else(|| missing(name, layer, context))?;
            print(args, "", &data, context)
        }
        (None, false) => {
            let slot = context.resolve(name, &Override::new())?;
            let head = format!("# {}, fingerprint {}\n", slot.id(), slot.fingerprint());
            print(args, &head, &slot.to_data(), context)
        }
    }
}

fn print(
    args: &Args,
    head: &str,
    data: &Data,
    context: &mut Context<'_>,
) -> Result<Exit, CliError> {
    if args.json {
        context.output.text(&json::pretty(&data.to_json()))?;
    } else {
        context.output.text(head)?;
        context.output.text(&data.to_yaml())?;
    }
    Ok(Exit::Ok)
}

/// Says that a layer has nothing of a slot, or that there is no such slot at all.
pub(super) fn missing(name: &str, layer: Layer, context: &Context<'_>) -> CliError {
    if let Err(error) = context.check_exists(name) {
        return error.into();
    }
    let root = context.loader.root();
    let finding = match (layer, &root.app_dir) {
        (Layer::App, Some(dir)) => Finding::error("there is no override")
            .file(&dir.join(format!("{name}.yaml")).to_string_lossy())
            .hint(format!(
                "write one with `{}`",
                context.typed(&format!("override {name}"))
            )),
        (Layer::App, None) => Finding::error("there is no override: the layer is off")
            .hint("name a directory with `--root` or `--dir`"),
        _ => Finding::error("there is no default")
            .hint("only the app directory has this slot: use `--layer app`"),
    };
    CliError::usage(finding.slot(name).layer(layer))
}
