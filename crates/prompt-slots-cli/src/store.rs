//! The app directory as a place to write to: nothing is overwritten unseen, and no file is ever half there.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use prompt_slots::{Finding, Layer};

use crate::context::Context;
use crate::error::CliError;
use crate::owner::{self, Model};
use crate::temp::{ENDING, Temp, for_everybody, sync_dir};
use crate::{drafts, input, stamp};

/// How often, and how long apart, a command tries while another one writes.
const TRIES: (u32, Duration) = (50, Duration::from_millis(100));

/// The app directory.
pub(crate) struct Store {
    dir: PathBuf,
}

impl Store {
    /// Finds the app directory; it need not exist yet.
    ///
    /// # Errors
    ///
    /// Fails where the app layer is off.
    pub(crate) fn new(context: &Context<'_>) -> Result<Self, CliError> {
        if let Some(dir) = &context.loader.root().app_dir {
            return Ok(Self { dir: dir.clone() });
        }
        context.loader.overrides()?;
        let finding = Finding::error("there is no directory for overrides: the app layer is off");
        Err(CliError::usage(
            finding.hint("name one with `--root` or `--dir`"),
        ))
    }

    /// Returns the directory.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the file of a slot's override.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(format!("{name}.yaml"))
    }

    /// Fails if a slot's override is there and is not a file that can be replaced.
    ///
    /// A link is somebody's decision that the file is elsewhere: replacing the link would leave that file behind unnoticed,
    /// and writing through it would change a file that others may read.
    pub(crate) fn check_own(&self, name: &str) -> Result<(), CliError> {
        let path = self.path(name);
        let Ok(metadata) = fs::symlink_metadata(&path) else {
            return Ok(());
        };
        if metadata.is_file() {
            return Ok(());
        }
        let finding = if metadata.is_symlink() {
            let target = fs::read_link(&path).unwrap_or_default();
            // What Kubernetes mounts is made of links into `..data`.
            let hint = if target.starts_with("..data") {
                "it is mounted from a ConfigMap or a Secret: change its manifest"
            } else {
                "change the file that it leads to, or put a copy of it in the link's place"
            };
            Finding::error(format!("is a link to {}", target.display())).hint(hint)
        } else {
            Finding::error("is no regular file").hint("move it away")
        };
        Err(CliError::refused(about(finding, name, &path)))
    }

    /// Makes the directory if need be, and keeps other commands from writing there until the guard is dropped.
    pub(crate) fn lock(&self) -> Result<Locked<'_>, CliError> {
        make_dir(&self.dir)?;
        let file = self.open_lock()?;
        for _ in 0..TRIES.0 {
            match file.try_lock() {
                Ok(()) => {
                    self.sweep();
                    return Ok(Locked {
                        store: self,
                        _lock: file,
                    });
                }
                Err(TryLockError::WouldBlock) => thread::sleep(TRIES.1),
                // A file system without locks: each write is whole even so, and never over a file that is new.
                Err(TryLockError::Error(_)) => {
                    return Ok(Locked {
                        store: self,
                        _lock: file,
                    });
                }
            }
        }
        let finding = Finding::error("another command is writing overrides here");
        let finding = finding.hint("try again when it is done");
        Err(CliError::refused(finding.file(&self.dir.to_string_lossy())))
    }

    /// Opens the file that is locked. One that another user made need not be written to.
    fn open_lock(&self) -> Result<File, CliError> {
        let path = self.dir.join(".lock");
        let fail = |error| failed("be written", &self.dir, &error);
        let mut options = OpenOptions::new();
        match for_everybody(options.append(true).create_new(true)).open(&path) {
            Ok(file) => {
                owner::give_to_owner_of(&self.dir, &file);
                return Ok(file);
            }
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(fail(error)),
            Err(_) => {}
        }
        // Not all file systems lock what is open for reading, so that is second best.
        let file = OpenOptions::new().append(true).open(&path);
        file.or_else(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => File::open(&path).map_err(|_| error),
            _ => Err(error),
        })
        .map_err(fail)
    }

    /// Makes a directory in the app directory, for who owns that.
    fn make_sub_dir(&self, name: &str) -> Result<PathBuf, CliError> {
        let dir = self.dir.join(name);
        if dir.symlink_metadata().is_err() {
            make_dir(&dir)?;
            owner::give_dir_to_owner_of(&self.dir, &dir);
        }
        Ok(dir)
    }

    /// Removes what commands that were killed left behind; while the lock is held, nobody works on these files.
    fn sweep(&self) {
        for dir in [
            self.dir.clone(),
            self.dir.join(".base"),
            self.dir.join(".backup"),
        ] {
            for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if name.starts_with('.') && name.ends_with(ENDING) {
                    // What stays is hidden, and in nobody's way.
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// The app directory while no other command writes there; whoever has it may write.
pub(crate) struct Locked<'a> {
    store: &'a Store,
    _lock: File,
}

#[expect(
    clippy::unused_self,
    reason = "that `self` exists is what allows to write"
)]
impl Locked<'_> {
    /// Writes a new override, whole or not at all; returns `false` if there is one already.
    pub(crate) fn create(&self, path: &Path, bytes: &[u8]) -> Result<bool, CliError> {
        self.create_like(None, path, bytes)
    }

    /// Writes a new file that takes after another one; returns `false` if there is one of this name already.
    fn create_like(
        &self,
        model: Option<&Model>,
        path: &Path,
        bytes: &[u8],
    ) -> Result<bool, CliError> {
        let temp = Temp::write(path, bytes, model)?;
        match fs::hard_link(&temp.path, path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            // A file system without hard links; the lock keeps the gap between look and rename closed.
            Err(_) if fs::symlink_metadata(path).is_ok() => return Ok(false),
            Err(_) => temp.rename(path)?,
        }
        sync_dir(path);
        Ok(true)
    }

    /// Puts new content into a slot's override, whole or not at all, and keeps a backup of the old one.
    ///
    /// `old` is what the new content was made from. If the file says something else by now, that is somebody's work: it stays,
    /// and the outcome is `None`. The last look is right before the rename; and who still writes into the old file after that
    /// writes into the backup, as that is the same file.
    pub(crate) fn replace(
        &self,
        name: &str,
        old: &[u8],
        new: &[u8],
    ) -> Result<Option<Replaced>, CliError> {
        let path = self.store.path(name);
        let model = Model::of(&path);
        let temp = Temp::write(&path, new, model.as_ref())?;
        let backup = self.back_up(name, old)?;
        let outcome = self.store.check_own(name).and_then(|()| {
            let is_same = input::read_file(&path, old.len()).as_deref() == Ok(old);
            if is_same {
                temp.rename(&path)?;
            }
            Ok(is_same)
        });
        if !matches!(outcome, Ok(true)) {
            // It is none: what it would go back to was not replaced.
            let _ = fs::remove_file(&backup);
            return outcome.map(|_| None);
        }
        sync_dir(&path);
        let warning = temp.warning.clone();
        Ok(Some(Replaced {
            backup,
            warning: warning.map(|warning| about(warning, name, &path)),
        }))
    }

    /// Makes a slot's override a backup, and returns that.
    ///
    /// The file itself goes there, so that what somebody saved a moment ago goes along.
    pub(crate) fn set_aside(&self, name: &str) -> Result<PathBuf, CliError> {
        let path = self.store.path(name);
        let backup = numbered(&self.backup_start(name)?, |backup| {
            if backup.symlink_metadata().is_ok() {
                return Ok(false);
            }
            fs::rename(&path, backup).map_err(|error| failed("be moved", &path, &error))?;
            Ok(true)
        })?;
        sync_dir(&backup);
        sync_dir(&path);
        Ok(backup)
    }

    /// Gives a file another name, in place of what has it.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> Result<(), CliError> {
        fs::rename(from, to).map_err(|error| failed("be written", to, &error))?;
        sync_dir(to);
        Ok(())
    }

    /// Gives what a slot's override is now a second name, and returns that.
    fn back_up(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, CliError> {
        let path = self.store.path(name);
        let backup = numbered(&self.backup_start(name)?, |backup| {
            match fs::hard_link(&path, backup) {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                // A file system without hard links, or one that gives them to the owner alone.
                Err(_) => self.create_like(Model::of(&path).as_ref(), backup, bytes),
            }
        })?;
        sync_dir(&backup);
        Ok(backup)
    }

    /// Returns what the name of a backup starts with, in a directory that is there.
    fn backup_start(&self, name: &str) -> Result<PathBuf, CliError> {
        let dir = self.store.make_sub_dir(".backup")?;
        Ok(dir.join(format!("{name}.{}", stamp::utc(SystemTime::now()))))
    }

    /// Writes the copy that one run of an editor works on; its name is never loaded, and who can't read the override, or what
    /// was refused last time, can't read it.
    pub(crate) fn create_draft(
        &self,
        name: &str,
        rejected: &Path,
        bytes: &[u8],
    ) -> Result<PathBuf, CliError> {
        let start = drafts::start(&self.store.dir, name);
        let model = Model::of(&self.store.path(name))
            .or_else(|| Model::of(rejected))
            .map(Model::writable);
        numbered(&start, |path| self.create_like(model.as_ref(), path, bytes))
    }

    /// Keeps the default that an override is written against. It is in every binary, so everybody may read it.
    pub(crate) fn keep_base(&self, path: &Path, base: &str) -> Result<(), CliError> {
        self.store.make_sub_dir(".base")?;
        let model = Model::of(path);
        Temp::write(path, base.as_bytes(), model.as_ref())?.rename(path)?;
        sync_dir(path);
        Ok(())
    }
}

/// What became of an override with new content.
pub(crate) struct Replaced {
    /// What it was before.
    pub backup: PathBuf,
    /// That it does not belong to whom it belonged before.
    pub warning: Option<Finding>,
}

/// Makes a new file called `start.yaml`, or `start_2.yaml` and so on while `make` says that it is taken; returns its path.
fn numbered(
    start: &Path,
    make: impl Fn(&Path) -> Result<bool, CliError>,
) -> Result<PathBuf, CliError> {
    let named = |end: &str| {
        let mut path = start.as_os_str().to_owned();
        path.push(end);
        PathBuf::from(path)
    };
    let mut path = named(".yaml");
    let mut number = 1_u64;
    while !make(&path)? {
        number += 1;
        path = named(&format!("_{number}.yaml"));
    }
    Ok(path)
}

/// Makes a directory that everybody may read, as far as the user's mask allows.
fn make_dir(dir: &Path) -> Result<(), CliError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o755);
    }
    builder
        .create(dir)
        .map_err(|error| failed("be made", dir, &error))
}

/// Says that a file can't be changed, and what to do instead.
pub(crate) fn failed(what: &str, path: &Path, error: &io::Error) -> CliError {
    let hint = match error.kind() {
        io::ErrorKind::ReadOnlyFilesystem => {
            "it is mounted read-only: change what it is made from, such as the ConfigMap in your manifests, or name another directory with `--root` or `--dir`"
        }
        io::ErrorKind::PermissionDenied => {
            "run the command as the user who owns the directory, change what it is made from, or name another directory with `--root` or `--dir`"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space and try again: no file was changed"
        }
        io::ErrorKind::CrossesDevices => {
            "have `.backup` on the file system of the overrides: no file was changed"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a part of the path is a file: move it away, or name another directory with `--root` or `--dir`"
        }
        _ => "try again when this is repaired: no file was changed",
    };
    let finding = Finding::error(format!("can't {what}: {error}"));
    CliError::refused(finding.file(&path.to_string_lossy()).hint(hint))
}

/// Says that an override is not what it was when the command read it, and how to go on.
pub(crate) fn overtaken(name: &str, path: &Path, hint: &str) -> CliError {
    let finding = Finding::error("the override was changed by someone else in the meantime");
    let hint = format!("nothing was overwritten: {hint}");
    CliError::refused(about(finding.hint(hint), name, path))
}

/// Says whose override a finding is about.
pub(crate) fn about(finding: Finding, name: &str, path: &Path) -> Finding {
    finding
        .slot(name)
        .layer(Layer::App)
        .file(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_since_it_was_read_is_not_replaced() {
        let dir = tempfile::tempdir().expect("a temporary directory can be made");
        let store = Store {
            dir: dir.path().to_owned(),
        };
        let path = store.path("slot");
        let locked = store.lock().expect("nobody else has it");
        for now in ["enabled: true\nllm: {}\n", "enabled: no!!\n", ""] {
            fs::write(&path, now).expect("it can be written");
            let outcome = locked.replace("slot", b"enabled: true\n", b"enabled: false\n");
            assert!(outcome.expect("it is no failure").is_none());
            assert_eq!(fs::read(&path).expect("it is there"), now.as_bytes());
        }
        fs::remove_file(&path).expect("it is there");
        let outcome = locked.replace("slot", b"enabled: true\n", b"enabled: false\n");
        assert!(outcome.expect("it is no failure").is_none());
        assert!(!path.exists());
        let backups = fs::read_dir(dir.path().join(".backup")).expect("it was made");
        assert_eq!(backups.count(), 0);
    }
}
