//! The builder: what to embed, under which rules, and where the code goes.

use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use prompt_slots_core::{Finding, Limits};

use crate::collect::{Checked, collect};
use crate::emit;

/// Why a directory of slots was not compiled in.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// At least one finding is an error; all findings of all files are here.
    Findings {
        /// The directory, as it was given.
        dir: String,
        /// Errors and warnings, in the order of the files.
        findings: Vec<Finding>,
    },
    /// The generated files can't be written.
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The function was called outside of a build script.
    NoBuildScript(&'static str),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Findings { dir, findings } => write!(f, "{} in `{dir}`", count(findings)),
            Self::Write { path, .. } => write!(f, "`{}` can't be written", path.display()),
            Self::NoBuildScript(variable) => write!(
                f,
                "the environment variable {variable} is not set; call this from a build script"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write { source, .. } => Some(source),
            _ => None,
        }
    }
}

fn count(findings: &[Finding]) -> String {
    match findings.iter().filter(|finding| finding.is_error()).count() {
        1 => "1 error".to_owned(),
        n => format!("{n} errors"),
    }
}

/// Compiles a directory of slots into a crate, from its build script.
///
/// It is like calling [`embed`](crate::embed), with choices:
///
/// ```no_run
/// // build.rs: operators of this program put overrides into $MYAPP_ROOT/prompt_slots, else ~/.myapp/prompt_slots
/// prompt_slots_build::Embed::new("prompts").root_env("MYAPP_ROOT").home_dir(".myapp").run();
/// ```
///
/// Without a root rule the program reads no file at run time unless its code names a directory: programs don't read each
/// other's overrides.
#[derive(Debug, Clone)]
pub struct Embed {
    pub(crate) dir: String,
    pub(crate) root_env: Option<String>,
    pub(crate) home_dir: Option<String>,
    pub(crate) enabled_by_default: bool,
    pub(crate) limits: Limits,
    pub(crate) out_file: String,
}

impl Embed {
    /// Starts from a directory, relative to the directory of the calling crate's `Cargo.toml`.
    pub fn new(dir: impl Into<String>) -> Self {
        Self {
            dir: dir.into(),
            root_env: None,
            home_dir: None,
            enabled_by_default: false,
            limits: Limits::DEFAULT,
            out_file: "prompt_slots.rs".to_owned(),
        }
    }

    /// Names the environment variable that says where operators keep their files.
    #[must_use]
    pub fn root_env(mut self, name: impl Into<String>) -> Self {
        self.root_env = Some(name.into());
        self
    }

    /// Names the directory under the user's home that holds operators' files where no variable says otherwise.
    #[must_use]
    pub fn home_dir(mut self, name: impl Into<String>) -> Self {
        self.home_dir = Some(name.into());
        self
    }

    /// Takes a slot that does not say `enabled` for enabled, instead of for disabled.
    ///
    /// For programs whose prompts are all in slots, and which have no other default to fall back to.
    #[must_use]
    pub fn enabled_by_default(mut self) -> Self {
        self.enabled_by_default = true;
        self
    }

    /// Sets other limits, for the build, and for the bundle at run time.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Names the generated file in `OUT_DIR`, for a crate with two bundles: `prompt_slots::bundle!("other.rs")`.
    #[must_use]
    pub fn out_file(mut self, name: impl Into<String>) -> Self {
        self.out_file = name.into();
        self
    }

    /// Checks the slots, writes the code, and tells cargo what to watch; on an error it says why and ends the process.
    pub fn run(self) {
        let report = self.generate();
        // Cargo prints each line by itself, so a finding is one line.
        let (findings, error) = match report {
            Ok(findings) => (findings, None),
            Err(Error::Findings { dir, findings }) => (
                findings.clone(),
                Some(Error::Findings { dir, findings }.to_string()),
            ),
            Err(error) => {
                let source = std::error::Error::source(&error)
                    .map(|source| format!(": {source}"))
                    .unwrap_or_default();
                (Vec::new(), Some(format!("{error}{source}")))
            }
        };
        for finding in findings {
            let kind = if finding.is_error() {
                "error"
            } else {
                "warning"
            };
            println!("cargo::{kind}={finding}");
        }
        if let Some(error) = error {
            println!("cargo::error={error}");
            std::process::exit(1);
        }
    }

    /// Does what [`Self::run`] does, but returns the warnings or the error.
    ///
    /// It prints the directives that tell cargo when to run the build script again.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn generate(&self) -> Result<Vec<Finding>, Error> {
        let manifest_dir = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
        let out_dir = PathBuf::from(variable("OUT_DIR")?);
        let package = variable("CARGO_PKG_NAME")?;
        self.generate_in(&manifest_dir, &out_dir, &package)
    }

    /// Does what [`Self::generate`] does, with what cargo's variables say given as arguments: for other build systems.
    ///
    /// `manifest_dir` is where the directory of slots is looked for, `out_dir` where the code goes, and `package` how the
    /// bundle is called.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn generate_in(
        &self,
        manifest_dir: &Path,
        out_dir: &Path,
        package: &str,
    ) -> Result<Vec<Finding>, Error> {
        let dir = manifest_dir.join(&self.dir);
        let shown = self.dir.trim_end_matches(['/', '\\']);
        // The directory itself tells of new, renamed and deleted files; each file tells of an edit that keeps them.
        println!("cargo::rerun-if-changed={shown}");
        let (mut slots, findings) = collect(&dir, shown, &self.limits);
        for slot in &slots {
            println!("cargo::rerun-if-changed={}", slot.file);
        }
        if findings.iter().any(Finding::is_error) {
            return Err(Error::Findings {
                dir: self.dir.clone(),
                findings,
            });
        }
        if self.enabled_by_default {
            for slot in &mut slots {
                slot.slot.spec.enabled.get_or_insert(true);
            }
        }
        self.write(out_dir, package, &slots)?;
        Ok(findings)
    }

    fn write(&self, out_dir: &Path, package: &str, slots: &[Checked]) -> Result<(), Error> {
        let originals = out_dir.join(emit::originals_dir(&self.out_file));
        // Only what was checked is embedded: nothing that an editor left in the directory, or an earlier build here.
        match fs::remove_dir_all(&originals) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(Error::Write {
                    path: originals,
                    source,
                });
            }
            _ => {}
        }
        let write = |path: PathBuf, bytes: &[u8]| {
            fs::write(&path, bytes).map_err(|source| Error::Write { path, source })
        };
        fs::create_dir_all(&originals).map_err(|source| Error::Write {
            path: originals.clone(),
            source,
        })?;
        for slot in slots {
            write(
                originals.join(format!("{}.yaml", slot.name)),
                &slot.original,
            )?;
        }
        write(
            out_dir.join(&self.out_file),
            emit::module(self, package, slots).as_bytes(),
        )
    }
}

fn variable(name: &'static str) -> Result<String, Error> {
    env::var(name).map_err(|_| Error::NoBuildScript(name))
}
