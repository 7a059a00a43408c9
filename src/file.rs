//! Reading a file that anybody may have put there: bounded, and never waiting.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use prompt_slots_core::{Finding, Limits, too_large};

use crate::error::{Error, ErrorKind};

/// What tells one version of a file from the next without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub length: u64,
    pub modified: Option<SystemTime>,
    identity: Identity,
}

/// What changes with a file even where its length and its time were made to stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Identity {
    /// Device and inode; a file that was renamed into place has new ones.
    inode: (u64, u64),
    /// When anything about the file changed, in seconds and nanoseconds; nobody can set it.
    changed: (i64, i64),
}

/// The content of a file.
#[derive(Debug)]
pub(crate) struct Content {
    pub bytes: Vec<u8>,
    /// From before the file was read.
    pub stamp: Stamp,
    /// Whether the file was the same after it was read.
    pub is_steady: bool,
    /// When the file was still the same for certain.
    pub seen: SystemTime,
}

/// Reads a regular file, through links. `Ok(None)` is a file that is not there.
///
/// # Errors
///
/// Directories, devices and FIFOs, files over the limit, and whatever the system says. The finding never quotes a file.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Option<Content>, Finding> {
    let mut file = match open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(&error)),
    };
    let before = file.metadata().map_err(|error| failed(&error))?;
    check_kind(&before)?;
    let limit = limits.file_bytes as u64;
    if before.len() > limit {
        return Err(too_large(
            usize::try_from(before.len()).unwrap_or(usize::MAX),
            limits,
        ));
    }
    // One byte more than is allowed, to notice a file that grows while it is read.
    let mut bytes = Vec::with_capacity(usize::try_from(before.len()).unwrap_or(0) + 1);
    (&mut file)
        .take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(&error))?;
    if bytes.len() as u64 > limit {
        return Err(too_large(bytes.len(), limits));
    }
    let stamp = stamp_of(&before);
    // The clock comes before the last look: a thread that is held up between them must not make the file older than it is.
    let seen = SystemTime::now();
    let after = file.metadata().map_err(|error| failed(&error))?;
    let is_steady = stamp_of(&after) == stamp && bytes.len() as u64 == stamp.length;
    Ok(Some(Content {
        bytes,
        stamp,
        is_steady,
        seen,
    }))
}

/// Leaves the lines out of an error about a file that a link out of its directory leads to: who may make the link need not be
/// who may read the file. The files of a mounted `ConfigMap` are links, too, which stay in the directory.
pub(crate) fn unquoted_if_foreign(path: &str, error: Error) -> Error {
    let real = |path: &Path| fs::canonicalize(path).ok();
    let path = Path::new(path);
    match (real(path), path.parent().and_then(real)) {
        (Some(file), Some(dir)) if !file.starts_with(&dir) => error.unquoted(),
        _ => error,
    }
}

/// Returns the stamp of a file, through links; `None` where there is none, or none that can be read.
pub(crate) fn stamp(path: &Path) -> Option<Stamp> {
    fs::metadata(path).ok().map(|metadata| stamp_of(&metadata))
}

/// Returns the names of the files in a directory, sorted; none where there is no such directory.
pub(crate) fn list(dir: &Path) -> Result<Vec<String>, Error> {
    let unreadable = |error: &io::Error| {
        let finding = failed(error).file(&dir.to_string_lossy());
        Error::one(ErrorKind::Unreadable, finding)
    };
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(&error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(&error))?;
        files.push(entry.file_name().to_string_lossy().into_owned());
    }
    files.sort();
    Ok(files)
}

/// Says what the system said.
pub(crate) fn failed(error: &io::Error) -> Finding {
    let hint = match error.kind() {
        io::ErrorKind::PermissionDenied => "let the program's user read it, or remove it",
        io::ErrorKind::NotADirectory => "a part of the path is a file",
        _ => "repair it, or remove it",
    };
    Finding::error(format!("can't be read: {error}")).hint(hint)
}

fn check_kind(metadata: &Metadata) -> Result<(), Finding> {
    if metadata.is_file() {
        return Ok(());
    }
    let kind = if metadata.is_dir() {
        "a directory"
    } else {
        "no regular file"
    };
    Err(Finding::error(format!("is {kind}"))
        .hint("put a regular file in its place, or a link to one"))
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // Without this flag, opening a FIFO waits for a writer, for ever.
    OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    // A directory can't be opened as a file here; say what it is instead of "access denied".
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    OpenOptions::new().read(true).open(path)
}

fn stamp_of(metadata: &Metadata) -> Stamp {
    Stamp {
        length: metadata.len(),
        modified: metadata.modified().ok(),
        identity: identity(metadata),
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;
    Identity {
        inode: (metadata.dev(), metadata.ino()),
        changed: (metadata.ctime(), metadata.ctime_nsec()),
    }
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Identity {
    Identity::default()
}
