//! The root: where operators keep their files, and why there.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use prompt_slots_core::Finding;

use crate::bundle::Bundle;

/// The directory below the root that holds overrides.
pub(crate) const SUBDIR: &str = "prompt_slots";

/// Why the app directory is where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RootSource {
    /// The program named the root.
    Root,
    /// The program named the app directory itself.
    AppDir,
    /// This environment variable names the root.
    Env(&'static str),
    /// The root is this directory under the user's home.
    Home(&'static str),
    /// Overrides are in memory.
    Memory,
    /// The program switched the layer off.
    SwitchedOff,
    /// The bundle has no rule for a root, and the program named none.
    NoRule,
    /// There is no home directory, or only a relative one.
    NoHome,
    /// This environment variable names a relative path, which is an error.
    RelativeEnv(&'static str),
    /// The program named an empty path, which is an error.
    EmptyPath,
}

/// Where the app layer reads its files, and why there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// The app directory; `None` where the app layer is off.
    pub app_dir: Option<PathBuf>,
    /// Why.
    pub source: RootSource,
}

impl Root {
    /// Makes the root that a program names.
    pub(crate) fn explicit(root: &Path) -> Self {
        Self::named(root, RootSource::Root, |root| root.join(SUBDIR))
    }

    /// Makes the root of an app directory that a program names.
    pub(crate) fn of_app_dir(dir: &Path) -> Self {
        Self::named(dir, RootSource::AppDir, Path::to_owned)
    }

    /// Makes a root of a path. One that is empty most likely is a setting that is not set; it is not the current directory.
    fn named(path: &Path, source: RootSource, dir: impl FnOnce(&Path) -> PathBuf) -> Self {
        if path.as_os_str().is_empty() {
            return Self::off(RootSource::EmptyPath);
        }
        Self {
            app_dir: Some(dir(&absolute(path))),
            source,
        }
    }

    pub(crate) fn off(source: RootSource) -> Self {
        Self {
            app_dir: None,
            source,
        }
    }

    /// Returns the finding that stands in the way of every load, if there is one.
    pub(crate) fn problem(&self) -> Option<Finding> {
        match self.source {
            RootSource::RelativeEnv(name) => Some(
                Finding::error(format!(
                    "the environment variable {name} holds a relative path"
                ))
                .hint("set it to an absolute path, or unset it"),
            ),
            RootSource::EmptyPath => Some(
                Finding::error("the path of the directory for overrides is empty")
                    .hint("name a directory, or leave the choice to the rule"),
            ),
            _ => None,
        }
    }
}

/// The root by the bundle's own rule, told when it is first asked for: asking the system for a home may read files.
#[derive(Debug)]
pub(crate) struct RootRule {
    bundle: &'static Bundle,
    env: Option<OsString>,
    root: OnceLock<Root>,
}

impl RootRule {
    /// Remembers the environment as it is now; touches no file.
    pub(crate) fn new(bundle: &'static Bundle) -> Self {
        let env = bundle
            .root_env()
            .and_then(env::var_os)
            .filter(|value| !value.is_empty());
        Self {
            bundle,
            env,
            root: OnceLock::new(),
        }
    }

    pub(crate) fn root(&self) -> &Root {
        self.root.get_or_init(|| self.tell())
    }

    fn tell(&self) -> Root {
        if let (Some(name), Some(value)) = (self.bundle.root_env(), &self.env) {
            let path = Path::new(value);
            return if path.is_absolute() {
                Root {
                    app_dir: Some(path.join(SUBDIR)),
                    source: RootSource::Env(name),
                }
            } else {
                Root::off(RootSource::RelativeEnv(name))
            };
        }
        let Some(dir) = self.bundle.home_dir() else {
            return Root::off(RootSource::NoRule);
        };
        match home().filter(|home| home.is_absolute()) {
            Some(home) => Root {
                app_dir: Some(home.join(dir).join(SUBDIR)),
                source: RootSource::Home(dir),
            },
            None => Root::off(RootSource::NoHome),
        }
    }
}

/// Returns the home directory. `HOME` comes first, so that the user database is only read where it is unset.
fn home() -> Option<PathBuf> {
    let from_env = if cfg!(unix) {
        env::var_os("HOME").filter(|home| !home.is_empty())
    } else {
        None
    };
    from_env.map(PathBuf::from).or_else(dirs::home_dir)
}

/// Makes a path absolute, so that a later change of the current directory does not move it.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
