//! `rebase`: brings an override from the default that it was written for to today's.

use std::path::PathBuf;

use prompt_slots::{Data, Finding, Layer, Severity, SlotText};

use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::store::{Locked, Store, about, overtaken};
use crate::three_way::{self, Conflict, Rebased};
use crate::{input, kept_base, lines, surgery};

use super::override_::{self, Default};
use super::reset;

/// Bring an override to today's default, and print what changes in it
///
/// It is a three-way merge, by key and, in `template`, by line: of the default that the override was written for, today's,
/// and the override. What both changed is a conflict: it is told first, and nothing is written
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The slot
    name: String,

    /// Take the old default from FILE, which the old release printed with `show NAME --layer bundled --source`
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,

    /// Write the outcome, and keep a backup
    #[arg(long)]
    write: bool,

    /// Keep the override's value in each conflict
    #[arg(long)]
    ours: bool,
}

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let name = args.name.as_str();
    let default = override_::default(name, context)?;
    let store = Store::new(context)?;
    reset::read(name, context)?;
    let locked = if args.write {
        store.check_own(name)?;
        Some(store.lock()?)
    } else {
        None
    };
    let bytes = reset::read(name, context)?;
    let over = SlotText::read(&bytes, Layer::App, context.loader.bundle().limits())
        .map_err(|error| reset::invalid(error.findings(), name, &store))?;
    let today = default.text.fingerprint();
    if args.base.is_none()
        && over
            .based_on()
            .is_some_and(|it| today.to_string().starts_with(it))
    {
        return up_to_date(&default, name, locked.as_ref(), context);
    }
    let base = base(args, &over, &store, context)?;
    let rebased = three_way::rebase(&base, &default.text, &over);
    let path = store.path(name);
    if !args.ours {
        report(&rebased.conflicts, name, &over, &store, context);
    }
    let before = String::from_utf8_lossy(&bytes).into_owned();
    let after = surgery::rewrite(&before, &rebased.data, context.loader.bundle().limits())?;
    if after == before {
        return up_to_date(&default, name, locked.as_ref(), context);
    }
    let shown = path.to_string_lossy().into_owned();
    let is_good = match context.loader.try_override(name, &shown, after.as_bytes()) {
        Ok((_, remarks)) => {
            context.output.report(&remarks);
            true
        }
        Err(error) => {
            context.output.report(error.findings());
            false
        }
    };
    context.output.text(&shown_diff(&shown, &before, &after))?;
    let is_open = !args.ours && !rebased.conflicts.is_empty();
    tell(&rebased, name, context);
    if is_open || !is_good {
        let next = how_to_resolve(name, is_open, context);
        context.output.note(&next);
        return Ok(Exit::Refused);
    }
    let Some(locked) = locked else {
        context
            .output
            .note("Nothing is written yet: add `--write`.");
        return Ok(Exit::Ok);
    };
    let replaced = locked
        .replace(name, &bytes, after.as_bytes())?
        .ok_or_else(|| overtaken(name, &path, "try again"))?;
    context.output.report(replaced.warning.as_slice());
    context.output.note(&format!(
        "The override of `{name}` is written; as it was, it is {}.",
        replaced.backup.display()
    ));
    if let Err(error) = keep_base(&default, name, &locked, context) {
        let findings = base_not_kept(error, name, context)?;
        context.output.report(&findings);
    }
    Ok(Exit::Ok)
}

/// Says that there is nothing to do. Where the copy of the default was lost, or is an older one, it is made now.
fn up_to_date(
    default: &Default,
    name: &str,
    locked: Option<&Locked<'_>>,
    context: &mut Context<'_>,
) -> Result<Exit, CliError> {
    if let Some(locked) = locked {
        keep_base(default, name, locked, context)?;
    }
    context.output.note(&format!(
        "The override of `{name}` is up to date: it was written for today's default, {}.",
        default.text.fingerprint().short()
    ));
    Ok(Exit::Ok)
}

fn keep_base(
    default: &Default,
    name: &str,
    locked: &Locked<'_>,
    context: &Context<'_>,
) -> Result<(), CliError> {
    match context.loader.base_path(name)? {
        Some(path)
            if input::read_file(&path, default.original.len())
                .ok()
                .as_deref()
                == Some(default.original.as_bytes()) =>
        {
            Ok(())
        }
        Some(path) => locked.keep_base(&path, default.original),
        None => Ok(()),
    }
}

/// Says that the default which the override is written for now is not kept. Were it kept first, it would be the wrong one for an
/// override that could not be written after all.
fn base_not_kept(
    error: CliError,
    name: &str,
    context: &Context<'_>,
) -> Result<Vec<Finding>, CliError> {
    let mut findings = match error {
        CliError::Findings(_, findings) => findings,
        output @ CliError::Output(_) => return Err(output),
    };
    for finding in &mut findings {
        finding.severity = Severity::Warning;
        finding.slot = Some(name.to_owned());
        finding.hint = Some(format!(
            "the next `rebase` needs this copy of the default: repair this, and run `{}` again",
            context.typed(&format!("rebase {name} --write"))
        ));
    }
    Ok(findings)
}

/// Reads the default that the override was written for.
fn base(
    args: &Args,
    over: &SlotText,
    store: &Store,
    context: &Context<'_>,
) -> Result<SlotText, CliError> {
    let name = args.name.as_str();
    let bundle = context.loader.bundle();
    let limits = bundle.limits();
    if let Some(file) = &args.base {
        let text = input::read_text(file, "--base", limits.file_bytes)?;
        let base = SlotText::read_default(text.as_bytes(), bundle).map_err(|error| {
            let mut findings = error.findings().to_vec();
            for finding in &mut findings {
                // It is a file of the user, not the default that is compiled in.
                finding.layer = None;
                *finding = finding.clone().slot(name).file(&input::shown(file));
            }
            CliError::Findings(Exit::Usage, findings)
        })?;
        if !kept_base::is_of(&base, over) {
            let finding =
                Finding::error("this is not the default that `based_on` of the override names");
            let finding = finding.slot(name).file(&input::shown(file));
            return Err(CliError::usage(finding.hint(
                "give the default of that release; or, if `based_on` is wrong, take it out of the override",
            )));
        }
        return Ok(base);
    }
    let path = store.path(name);
    let kept = context.loader.base_path(name)?.filter(|kept| kept.exists());
    let Some(kept) = kept else {
        let message = "the default that the override was written for was not kept";
        return Err(kept_base::refused(message, name, &path, context));
    };
    match kept_base::read(&kept, context) {
        Some(base) if kept_base::is_of(&base, over) => Ok(base),
        Some(_) => Err(kept_base::another(name, &path, context)),
        None => {
            let message = "the default that was kept can't be read";
            Err(kept_base::refused(message, name, &path, context))
        }
    }
}

/// Shows each conflict with the three values.
fn report(
    conflicts: &[Conflict],
    name: &str,
    over: &SlotText,
    store: &Store,
    context: &mut Context<'_>,
) {
    for conflict in conflicts {
        let finding = Finding::error("the default moved, and the override has a value of its own");
        let mut finding = about(finding.key(&conflict.key), name, &store.path(name));
        finding.pos = over.pos(&conflict.key);
        context.output.report(&[finding]);
        if conflict.hunks.is_empty() {
            let show = |value: &Option<Data>| value.as_ref().map(shown);
            show_sides(
                show(&conflict.base),
                show(&conflict.default),
                show(&conflict.over),
                context,
            );
        }
        for hunk in &conflict.hunks {
            let show = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
            show_sides(
                show(&hunk.base),
                show(&hunk.theirs),
                show(&hunk.ours),
                context,
            );
        }
    }
}

fn show_sides(
    base: Option<String>,
    default: Option<String>,
    over: Option<String>,
    context: &mut Context<'_>,
) {
    for (who, value) in [("base", base), ("default", default), ("override", over)] {
        let who = format!("{who}:");
        let value = value.unwrap_or_else(|| "(nothing)".to_owned());
        for (index, line) in value.lines().enumerate() {
            let who = if index == 0 { who.as_str() } else { "" };
            context.output.error_line(&format!("  {who:9} {line}"));
        }
    }
}

fn shown(value: &Data) -> String {
    match value {
        Data::Text(text) => text.to_string(),
        value => value.to_yaml(),
    }
}

/// Returns what is written, for a terminal.
fn shown_diff(file: &str, before: &str, after: &str) -> String {
    let diff = lines::diff([file, file], before, after);
    diff.lines()
        .map(|line| prompt_slots::printable(line) + "\n")
        .collect()
}

/// Says what came from the new default.
fn tell(rebased: &Rebased, name: &str, context: &mut Context<'_>) {
    if !rebased.followed.is_empty() {
        let keys: Vec<String> = rebased
            .followed
            .iter()
            .map(|key| format!("`{key}`"))
            .collect();
        context.output.note(&format!(
            "The override of `{name}` said of {} what the old default said; that comes from today's default now.",
            keys.join(", ")
        ));
    }
    if rebased.merged_template {
        context
            .output
            .note("Changes of the default's text were merged into `template`.");
    }
}

fn how_to_resolve(name: &str, is_open: bool, context: &Context<'_>) -> String {
    let [reset, edit, rebase] =
        ["reset", "edit", "rebase"].map(|command| context.typed(&format!("{command} {name}")));
    if is_open {
        format!(
            "Nothing is written. For each key above, take the default's value with `{reset} --key KEY`, or change the \
             override with `{edit}`; then keep what it says with `{rebase} --ours --write`."
        )
    } else {
        format!(
            "Nothing is written: the override does not fit today's default. Change it with `{edit}`, then `{rebase}` again."
        )
    }
}
