//! Plain YAML configuration by category and name, read once.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use prompt_slots_core::{
    Finding, Limits, Mapping, MappingError, nearest, parse_mapping, printable, slot_name_problem,
};

use crate::error::{Error, ErrorKind};
use crate::file;
use crate::root::absolute;

/// Reads YAML files by category and name: `<root>/<sub-directory of the category>/<name>.yaml`.
///
/// What was read is kept, and handed out as the same `Arc`, until it is refreshed. It is like the Python class of the same
/// name; it merges nothing and judges no keys, but bounds what a file can cost as slots are bounded.
///
/// ```no_run
/// use prompt_slots::YamlConfigLoader;
///
/// let config = YamlConfigLoader::new("/etc/myapp").with_categories([("models", None), ("alphas", Some("custom_dir"))]);
/// let small = config.find("models", "small")?; // /etc/myapp/models/small.yaml
/// # Ok::<(), prompt_slots::Error>(())
/// ```
pub struct YamlConfigLoader {
    root: PathBuf,
    limits: Limits,
    categories: BTreeMap<String, Category>,
}

struct Category {
    dir: PathBuf,
    entries: Mutex<Entries>,
}

/// What was read of one category. Only files that exist are remembered, so that names that anybody can think up take no
/// memory.
#[derive(Default)]
struct Entries {
    files: HashMap<String, Arc<Mapping>>,
    /// Counts refreshes: what was read before one must not be remembered after it.
    refreshes: u64,
}

impl Category {
    fn entries(&self) -> std::sync::MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refresh(&self, forget: impl FnOnce(&mut HashMap<String, Arc<Mapping>>)) {
        let mut entries = self.entries();
        entries.refreshes += 1;
        forget(&mut entries.files);
    }
}

impl YamlConfigLoader {
    /// Starts without a category. Touches no file.
    pub fn new(root: impl AsRef<Path>) -> Self {
        Self {
            root: absolute(root.as_ref()),
            limits: Limits::DEFAULT,
            categories: BTreeMap::new(),
        }
    }

    /// Registers categories, each with a sub-directory of its own name, or the one that is given.
    #[must_use]
    pub fn with_categories<'a>(
        mut self,
        categories: impl IntoIterator<Item = (&'a str, Option<&'a str>)>,
    ) -> Self {
        for (name, subdir) in categories {
            self.register_category(name, subdir);
        }
        self
    }

    /// Registers a category; one that was registered before gets the new sub-directory, and is read anew.
    pub fn register_category(&mut self, name: &str, subdir: Option<&str>) {
        let dir = self.root.join(subdir.unwrap_or(name));
        self.categories.insert(
            name.to_owned(),
            Category {
                dir,
                entries: Mutex::default(),
            },
        );
    }

    /// Returns the names of the categories, sorted.
    pub fn categories(&self) -> Vec<&str> {
        self.categories.keys().map(String::as_str).collect()
    }

    /// Returns the content of a file, `<name>.yaml` in the category's directory; an empty file is an empty mapping.
    ///
    /// Names are those that slots may have: `[a-z0-9][a-z0-9_-]{0,63}`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotRegistered`], [`ErrorKind::NotFound`], [`ErrorKind::NotAMapping`], [`ErrorKind::InvalidName`],
    /// [`ErrorKind::Unreadable`], or [`ErrorKind::InvalidSlot`] for a file that is not valid YAML.
    pub fn find(&self, category: &str, name: &str) -> Result<Arc<Mapping>, Error> {
        let known = self.category(category)?;
        check_name(name)?;
        let refreshes = {
            let entries = known.entries();
            if let Some(mapping) = entries.files.get(name) {
                return Ok(Arc::clone(mapping));
            }
            entries.refreshes
        };
        let path = known.dir.join(format!("{name}.yaml"));
        let mapping = Arc::new(self.read(&path, category, name)?);
        let mut entries = known.entries();
        if entries.refreshes != refreshes {
            return Ok(mapping);
        }
        // Whoever of several was first has set what all get.
        Ok(Arc::clone(
            entries.files.entry(name.to_owned()).or_insert(mapping),
        ))
    }

    /// Returns the names of a category's files without their ending, sorted; none where the directory is missing.
    ///
    /// These are the names that [`find`](Self::find) takes: a file counts if it ends in `.yaml` and the rest may name a slot.
    /// `Upper.yaml`, `a.yml` and sub-directories' files are left out.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotRegistered`], or [`ErrorKind::Unreadable`] for a directory that can't be listed.
    pub fn list(&self, category: &str) -> Result<Vec<String>, Error> {
        let dir = &self.category(category)?.dir;
        let files = file::list(dir)?.into_iter();
        let stems = files.filter_map(|file| file.strip_suffix(".yaml").map(str::to_owned));
        let names = stems.filter(|stem| slot_name_problem(stem).is_none());
        let mut names: Vec<_> = names.collect();
        // The files were sorted with their ending, and `a-b.yaml` comes before `a.yaml`.
        names.sort_unstable();
        Ok(names)
    }

    /// Forgets all that was read.
    pub fn refresh(&self) {
        self.categories
            .values()
            .for_each(|category| category.refresh(HashMap::clear));
    }

    /// Forgets what was read of one category.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotRegistered`]
    pub fn refresh_category(&self, category: &str) -> Result<(), Error> {
        self.category(category)?.refresh(HashMap::clear);
        Ok(())
    }

    /// Forgets what was read of one file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotRegistered`]
    pub fn refresh_entry(&self, category: &str, name: &str) -> Result<(), Error> {
        self.category(category)?.refresh(|files| {
            files.remove(name);
        });
        Ok(())
    }

    fn category(&self, name: &str) -> Result<&Category, Error> {
        self.categories.get(name).ok_or_else(|| {
            let finding = Finding::error(format!(
                "the category `{}` is not registered",
                printable(name)
            ));
            let known = self.categories();
            let hint = match (nearest(name, known.iter().copied()), known.is_empty()) {
                (_, true) => "register it first; there are none yet".to_owned(),
                (Some(near), _) => {
                    format!("did you mean `{near}`? registered are {}", known.join(", "))
                }
                (None, _) => format!("registered are {}", known.join(", ")),
            };
            Error::one(ErrorKind::NotRegistered, finding.hint(hint))
        })
    }

    fn read(&self, path: &Path, category: &str, name: &str) -> Result<Mapping, Error> {
        let shown = path.to_string_lossy();
        let content = match file::read(path, &self.limits) {
            Ok(Some(content)) => content,
            Ok(None) => {
                let finding =
                    Finding::error(format!("there is no `{name}` in the category `{category}`"));
                let names = self.list(category).unwrap_or_default();
                let hint = match nearest(name, names.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "create the file".to_owned(),
                };
                return Err(Error::one(
                    ErrorKind::NotFound,
                    finding.hint(hint).file(&shown),
                ));
            }
            Err(finding) => return Err(Error::one(ErrorKind::Unreadable, finding.file(&shown))),
        };
        parse_mapping(&content.bytes, &self.limits).map_err(|error| {
            let (kind, findings) = match error {
                MappingError::NotAMapping(finding) => (ErrorKind::NotAMapping, vec![finding]),
                MappingError::Invalid(findings) => (ErrorKind::InvalidSlot, findings),
            };
            let findings = findings.into_iter().map(|finding| finding.file(&shown));
            Error::new(kind, findings.collect())
        })
    }
}

fn check_name(name: &str) -> Result<(), Error> {
    match slot_name_problem(name) {
        None => Ok(()),
        Some(problem) => {
            let finding =
                Finding::error(format!("`{}` is no entry name: {problem}", printable(name)));
            Err(Error::one(
                ErrorKind::InvalidName,
                finding.hint("name the file without directory and ending"),
            ))
        }
    }
}

impl fmt::Debug for YamlConfigLoader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("YamlConfigLoader")
            .field("root", &self.root)
            .field("categories", &self.categories())
            .finish_non_exhaustive()
    }
}
