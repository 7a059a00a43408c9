//! What a command works with.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use prompt_slots::{Bundle, Error, ErrorKind, Finding, Override, PromptLoader, Slot};

use crate::args::Globals;
use crate::error::CliError;
use crate::output::Output;

/// The loader of the bundle's slots, the commands, and the streams.
pub(crate) struct Context<'a> {
    pub loader: PromptLoader,
    /// The table of commands and options.
    pub command: clap::Command,
    /// The option that says where overrides are, as a shell takes it, with a space before; empty without one.
    place: String,
    pub output: &'a mut Output,
}

impl<'a> Context<'a> {
    /// Sets the loader up as the global options say.
    ///
    /// # Errors
    ///
    /// Fails if a directory that the user named can't be read: that is no place without overrides, it is a slip.
    pub(crate) fn new(
        bundle: &'static Bundle,
        globals: &Globals,
        command: clap::Command,
        output: &'a mut Output,
    ) -> Result<Self, CliError> {
        let builder = PromptLoader::builder().bundle(bundle);
        let loader = match (&globals.root, &globals.dir) {
            (Some(_), Some(_)) => {
                let finding = Finding::error("`--root` and `--dir` both say where overrides are");
                return Err(CliError::usage(finding.hint("give one of them")));
            }
            (Some(root), None) => {
                check_directory(root, "--root")?;
                builder.root(root).build()
            }
            (None, Some(dir)) => {
                check_directory(dir, "--dir")?;
                builder.app_dir(dir).build()
            }
            (None, None) => builder.build(),
        };
        Ok(Self {
            loader,
            command,
            place: place(globals),
            output,
        })
    }

    /// Returns a command of this program as a shell takes it, such as `myapp prompts edit answer`.
    ///
    /// It names the place of the overrides where the user did: without that, it would change another one.
    pub(crate) fn typed(&self, command: &str) -> String {
        format!("{}{} {command}", self.command.get_name(), self.place)
    }

    /// Returns a slot, merged from the layers, after printing the warnings about its override.
    pub(crate) fn resolve(&mut self, name: &str, over: &Override) -> Result<Slot, CliError> {
        let slot = self.loader.resolve(name, over)?;
        let mut warnings = self.loader.findings();
        for warning in slot.warnings() {
            if !warnings.contains(warning) {
                warnings.push(warning.clone());
            }
        }
        self.output.report(&warnings);
        Ok(slot)
    }

    /// Fails if no layer has a slot of this name; a slot whose override is broken exists.
    pub(crate) fn check_exists(&self, name: &str) -> Result<(), Error> {
        match self.loader.resolve(name, &Override::new()) {
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::UnknownSlot | ErrorKind::InvalidName
                ) =>
            {
                Err(error)
            }
            _ => Ok(()),
        }
    }
}

fn place(globals: &Globals) -> String {
    let option =
        |flag: &str, path: &PathBuf| format!(" {flag} {}", quoted(&path.to_string_lossy()));
    let root = globals.root.as_ref().map(|root| option("--root", root));
    let dir = globals.dir.as_ref().map(|dir| option("--dir", dir));
    root.or(dir).unwrap_or_default()
}

/// Returns a word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./@%+=:,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn check_directory(path: &Path, flag: &str) -> Result<(), CliError> {
    let Err(error) = fs::read_dir(path) else {
        return Ok(());
    };
    let (problem, step) = match error.kind() {
        io::ErrorKind::NotFound => ("there is no such directory".to_owned(), "create it, or "),
        io::ErrorKind::PermissionDenied => (
            format!("the directory can't be read: {error}"),
            "run the command as a user who may read it, or ",
        ),
        _ => (format!("the directory can't be read: {error}"), ""),
    };
    let finding = Finding::error(problem).file(&path.to_string_lossy());
    Err(CliError::usage(
        finding.hint(format!("{step}name another one with `{flag}`")),
    ))
}
