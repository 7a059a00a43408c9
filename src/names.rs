//! The names of slots: which there are, which there can be, and which was most likely meant.

use prompt_slots_core::{Finding, Layer, nearest, slot_name_problem};

use crate::app::Place;
use crate::error::{Error, ErrorKind};
use crate::file;
use crate::loader::PromptLoader;

impl PromptLoader {
    /// Returns the names of all slots, sorted: the bundled ones, and those that only the app directory has.
    ///
    /// # Errors
    ///
    /// Fails if the app directory can't be listed.
    pub fn names(&self) -> Result<Vec<String>, Error> {
        let mut names: Vec<String> = self.bundle().names().map(str::to_owned).collect();
        names.extend(self.app_names()?);
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Fails if a name can't be a slot's.
    pub(crate) fn check_name(&self, name: &str) -> Result<(), Error> {
        let Some(problem) = slot_name_problem(name) else {
            return Ok(());
        };
        let shown = prompt_slots_core::printable(name);
        let finding = Finding::error(format!("`{shown}` is no slot name: {problem}"));
        // A name that was never meant to be one must not cost a look at the app directory.
        let bundled: Vec<_> = self.bundle().names().map(str::to_owned).collect();
        Err(Error::one(
            ErrorKind::InvalidName,
            finding.hint(similar(name, &bundled)),
        ))
    }

    /// Returns the slot names that files of the app directory have.
    pub(crate) fn app_names(&self) -> Result<Vec<String>, Error> {
        let controls = &self.app().controls;
        if controls.ignores_all() {
            return Ok(Vec::new());
        }
        let files = self.app_files()?;
        let names = files.iter().filter_map(|file| crate::status::slot_of(file));
        Ok(names
            .filter(|name| !controls.ignores(name))
            .map(str::to_owned)
            .collect())
    }

    /// Returns what is wrong with the names of overrides in memory: nobody could ever ask for them.
    pub(crate) fn misnamed(&self) -> Vec<Finding> {
        let Place::Memory(_, files) = &self.app().place else {
            return Vec::new();
        };
        let mut names: Vec<_> = files.keys().collect();
        names.sort();
        let errors = names
            .into_iter()
            .filter_map(|name| self.check_name(name).err());
        let findings = errors.flat_map(|error| error.findings().to_vec());
        findings.map(|it| it.layer(Layer::App)).collect()
    }

    /// Returns the names of the files in the app directory, sorted; none where there is no such directory.
    pub(crate) fn app_files(&self) -> Result<Vec<String>, Error> {
        if let Place::Memory(_, files) = &self.app().place {
            let mut files: Vec<_> = files.keys().map(|name| format!("{name}.yaml")).collect();
            files.sort();
            return Ok(files);
        }
        let root = self.root();
        if let Some(problem) = root.problem() {
            return Err(Error::one(ErrorKind::InvalidRoot, problem));
        }
        let Some(dir) = &root.app_dir else {
            return Ok(Vec::new());
        };
        file::list(dir)
    }

    /// Says that no layer has a slot of this name.
    pub(crate) fn unknown(&self, name: &str) -> Error {
        let finding = Finding::error("no layer has a slot of this name").slot(name);
        let names = self
            .names()
            .unwrap_or_else(|_| self.bundle().names().map(str::to_owned).collect());
        Error::one(ErrorKind::UnknownSlot, finding.hint(similar(name, &names)))
    }
}

/// Says which of the slots was most likely meant.
fn similar(name: &str, names: &[String]) -> String {
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "there is no slot at all".to_owned(),
        None if names.len() <= 20 => format!("known are {}", quoted_list(names)),
        None => format!("none of the {} slots has a name like it", names.len()),
    }
}

fn quoted_list(names: &[String]) -> String {
    names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
