//! A file that is written beside its place, so that a reader never sees half of it.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use prompt_slots::Finding;

use crate::error::CliError;
use crate::owner::{self, Model};
use crate::store::failed;

/// The ending of files that are being written; together with a leading dot it keeps them out of every loader.
pub(crate) const ENDING: &str = ".tmp";

/// A file beside the one that it will become; it is removed if it does not.
pub(crate) struct Temp {
    pub path: PathBuf,
    /// That it does not belong to whom it should.
    pub warning: Option<Finding>,
}

impl Temp {
    /// Writes what will be at `path`. Without a file that it takes after, it is for who owns the directory.
    pub(crate) fn write(
        path: &Path,
        bytes: &[u8],
        model: Option<&Model>,
    ) -> Result<Self, CliError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.trim_start_matches('.');
        let mut temp = Self {
            path: path.with_file_name(format!(".{name}.{}{ENDING}", std::process::id())),
            warning: None,
        };
        // What a killed command left, where files can't be locked. Only a file that is new is written to.
        let _ = fs::remove_file(&temp.path);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let written = match model {
            Some(_) => for_nobody_else(&mut options),
            None => for_everybody(&mut options),
        };
        let written = written.open(&temp.path).and_then(|mut file| {
            match (model, path.parent()) {
                (Some(model), _) => temp.warning = model.shape(&file, path)?,
                (None, Some(dir)) => owner::give_to_owner_of(dir, &file),
                (None, None) => {}
            }
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.map_err(|error| failed("be written", path, &error))?;
        Ok(temp)
    }

    pub(crate) fn rename(&self, path: &Path) -> Result<(), CliError> {
        fs::rename(&self.path, path).map_err(|error| failed("be written", path, &error))
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        // After a rename it is gone already.
        let _ = fs::remove_file(&self.path);
    }
}

/// Has a new file readable for everybody, as far as the user's mask allows.
pub(crate) fn for_everybody(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o644);
    }
    options
}

/// Has a new file readable for nobody else, until it takes after another one.
fn for_nobody_else(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}

/// Has the directory remember a file's new name even if the power fails. Not all systems can; the file is whole anyway.
pub(crate) fn sync_dir(path: &Path) {
    if let Some(dir) = path.parent() {
        let _ = File::open(dir).and_then(|dir| dir.sync_all());
    }
}
