//! `check`: everything that is wrong or odd, in one list.

use std::path::{Path, PathBuf};

use prompt_slots::{
    Bundle, ErrorKind, Finding, ManifestSlot, OnInvalid, OverrideFile, OverrideState, Pos,
    PromptLoader, config_maps,
};

use super::status;
use crate::context::Context;
use crate::error::{CliError, Exit};
use crate::progress::Progress;
use crate::report::{Format, Found, InConfigMap, Report};
use crate::{drafts, input};

/// Check slots, and list everything that is wrong or odd
///
/// Without a path, check the defaults of this program and the files of the app directory. Every file is read, merged with
/// its default and rendered with all test cases, as a program would before its first use. One broken file hides no other.
/// Findings are the result and go to standard output
#[derive(Debug, clap::Args)]
#[command(after_help = JSON)]
pub(crate) struct Args {
    /// Check these overrides: files called NAME.yaml, or directories of them
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Check DIR as the defaults of a program, as its build would
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,

    /// Check each Kubernetes `ConfigMap` in FILE, or in standard input with `-`: each key of `data` that ends in `.yaml` is an override
    #[arg(long, value_name = "FILE")]
    configmap: Option<PathBuf>,

    /// Print findings for people, as JSON, or as annotations for GitHub Actions
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    format: Format,

    /// Exit with 1 for warnings too
    #[arg(long)]
    deny_warnings: bool,
}

const JSON: &str = "\
Exit codes: 0 without errors; 1 with errors, or warnings under `--deny-warnings`; 2 if a path can't be read

Without a path, errors of overrides are shown and don't count where the environment says `below` (see
`..._PROMPT_SLOTS_ON_INVALID` of the program), and the layers below do stand in for all of them

JSON (`--format json`): an object with
  slots, test_cases      how many were checked
  errors, warnings       how many findings are of each kind
  findings               a list of objects:
    severity             error or warning
    slot, layer          whose it is; null where that is not known
    file, line, column   where; lines and columns count from 1
    key                  the key path, such as `llm.model`
    message, hint        what is wrong, and the next step
    config_map           null, or where it is inside of a ConfigMap: name, file, line, column";

pub(crate) fn run(args: &Args, context: &mut Context<'_>) -> Result<Exit, CliError> {
    let bundle = context.loader.bundle();
    let mut report = Report::default();
    let mut progress = Progress::start();
    let mut is_covered = false;
    let is_program = args.paths.is_empty() && args.bundle.is_none() && args.configmap.is_none();
    if is_program {
        is_covered = check_program(&context.loader, &mut report, &mut progress)?;
    }
    for path in &args.paths {
        check_path(path, bundle, &mut report, &mut progress)?;
    }
    if let Some(dir) = &args.bundle {
        check_bundle(dir, bundle, &mut report)?;
    }
    if let Some(path) = &args.configmap {
        check_config_maps(path, &context.loader, &mut report, &mut progress)?;
    }
    progress.end();
    report.print(args.format, context.output)?;
    if is_program {
        if let Some(dir) = &context.loader.root().app_dir.clone() {
            drafts::report(dir, None, None, context);
        }
        status::note_if_off(context);
    }
    if report.slots == 0 && report.found.is_empty() {
        context
            .output
            .note("there is nothing to check: no file there, and no key of a ConfigMap, is called NAME.yaml");
    }
    if is_covered && report.errors() > 0 {
        context.output.note(
            "The errors don't count: the environment says that the layers below stand in for them, and they do.",
        );
    }
    let has_errors = report.errors() > 0 && !is_covered;
    let is_refused = has_errors || (args.deny_warnings && report.warnings() > 0);
    Ok(if is_refused { Exit::Refused } else { Exit::Ok })
}

/// Checks the defaults of the program, and its app directory.
///
/// Returns whether a program starts whatever is wrong: that control is for when nobody can repair an override, and a check
/// before the start must not defeat it.
fn check_program(
    loader: &PromptLoader,
    report: &mut Report,
    progress: &mut Progress,
) -> Result<bool, CliError> {
    report.extend(loader.controls().to_vec());
    let names: Vec<&str> = loader.bundle().names().collect();
    let mut default_cases = Vec::new();
    for (done, name) in names.iter().enumerate() {
        progress.step(done, names.len());
        // What is wrong with its override is told below.
        let _ = loader.load(name);
        let (cases, findings) = loader.judge_default(name).unwrap_or_default();
        default_cases.push((*name, cases));
        report.extend(findings);
    }
    let defaults_are_good = report.errors() == 0;
    let overrides = match loader.overrides() {
        Ok(overrides) => overrides,
        Err(error) if error.kind() == ErrorKind::InvalidRoot => return Err(error.into()),
        Err(error) => {
            report.extend(error.findings().to_vec());
            Vec::new()
        }
    };
    for (name, cases) in default_cases {
        let is_overridden = overrides
            .iter()
            .any(|it| it.slot.as_deref() == Some(name) && it.cases > 0);
        report.slots += 1;
        // The override of a slot runs the test cases of the default too.
        report.cases += if is_overridden { 0 } else { cases };
    }
    for over in overrides {
        let is_new = over
            .slot
            .as_deref()
            .is_some_and(|name| !names.contains(&name));
        report.slots += usize::from(is_new && is_slot(&over));
        report.cases += over.cases;
        report.extend(over.findings);
    }
    let stands_in = loader.on_invalid() == OnInvalid::UseBelow && loader.check_all().is_ok();
    Ok(stands_in && defaults_are_good)
}

/// Checks a file that is an override, or a directory of them.
fn check_path(
    path: &Path,
    bundle: &'static Bundle,
    report: &mut Report,
    progress: &mut Progress,
) -> Result<(), CliError> {
    // Files that somebody names are judged, whether a program here would read them or not.
    let builder = PromptLoader::builder().bundle(bundle).without_controls();
    if !path.is_dir() {
        // Beside a file may be what it was taken from.
        let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
        let dir = dir.unwrap_or(Path::new("."));
        let judged = builder.app_dir(dir).build().judge_file(path);
        let over = judged.map_err(|_| missing(path))?;
        report.add(over);
        return Ok(());
    }
    let loader = builder.app_dir(path).build();
    let names = loader.names().unwrap_or_default();
    for (done, name) in names.iter().enumerate() {
        progress.step(done, names.len());
        // What is wrong with it is told below.
        let _ = loader.load(name);
    }
    let absolute = loader.root().app_dir.clone().unwrap_or_default();
    // A directory that can't be listed is one that the user named.
    let overrides = loader
        .overrides()
        .map_err(|error| CliError::Findings(Exit::Usage, error.findings().to_vec()))?;
    for mut over in overrides {
        for finding in &mut over.findings {
            let file = finding.file.as_deref().unwrap_or_default();
            // Whoever named a path finds the files by it.
            if let Ok(rest) = Path::new(file).strip_prefix(&absolute) {
                finding.file = Some(path.join(rest).to_string_lossy().into_owned());
            }
        }
        report.add(over);
    }
    Ok(())
}

fn check_bundle(dir: &Path, bundle: &Bundle, report: &mut Report) -> Result<(), CliError> {
    if !dir.is_dir() {
        return Err(missing(dir));
    }
    let checked = prompt_slots_build::check_dir(dir, bundle.limits());
    report.slots += checked.slots;
    report.cases += checked.cases;
    report.extend(checked.findings);
    Ok(())
}

fn check_config_maps(
    path: &Path,
    loader: &PromptLoader,
    report: &mut Report,
    progress: &mut Progress,
) -> Result<(), CliError> {
    let limits = loader.bundle().limits();
    let manifest = input::read_text(path, "--configmap", limits.file_bytes.saturating_mul(16))?;
    let shown = match path.to_string_lossy() {
        stdin if stdin == "-" => "<stdin>".into(),
        shown => shown,
    };
    let (slots, findings) = config_maps(manifest.as_bytes(), limits);
    let mut found: Vec<Found> = findings
        .into_iter()
        .map(|finding| finding.file(&shown).into())
        .collect();
    for (done, slot) in slots.iter().enumerate() {
        progress.step(done, slots.len());
        let name = slot.file.strip_suffix(".yaml").unwrap_or(&slot.file);
        let over = loader.judge(name, &shown, slot.text.as_bytes());
        report.slots += usize::from(is_slot(&over));
        report.cases += over.cases;
        let placed = over.findings.into_iter();
        found.extend(placed.map(|finding| place(finding, slot, &shown, &manifest)));
    }
    found.sort_by_key(|found| found.finding.pos);
    report.found.extend(found);
    Ok(())
}

/// Moves a finding from the text of a slot to where the text stands in its manifest.
fn place(mut finding: Finding, slot: &ManifestSlot, shown: &str, manifest: &str) -> Found {
    if finding.file.as_deref() != Some(shown) {
        return finding.into();
    }
    let inner: Option<Pos> = finding.pos;
    finding.snippet = None;
    let finding = finding.at(inner.map_or_else(|| slot.pos(), |pos| slot.locate(pos)));
    Found {
        finding: finding.quote(manifest.trim_start_matches('\u{feff}')),
        config_map: Some(InConfigMap {
            name: slot.config_map.clone(),
            file: slot.file.clone(),
            pos: inner,
        }),
    }
}

/// Tells whether a file is one that a program would read.
pub(crate) fn is_slot(over: &OverrideFile) -> bool {
    over.slot.is_some()
        && !matches!(
            over.state,
            OverrideState::LookAlike | OverrideState::Ignored | OverrideState::SwitchedOff
        )
}

fn missing(path: &Path) -> CliError {
    let finding = Finding::error("there is no such file or directory");
    let finding = finding.file(&path.to_string_lossy());
    CliError::usage(finding.hint("name one that is there"))
}
