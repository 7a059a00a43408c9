//! Files that the user names on the command line.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use prompt_slots::Finding;

use crate::error::CliError;

/// Reads text from a file that the user named, or from standard input for `-`.
///
/// Unlike a slot's file it may be a pipe: whoever names one means it. It may have `limit` bytes.
pub(crate) fn read_text(path: &Path, flag: &str, limit: usize) -> Result<String, CliError> {
    let fail = |message: String| {
        let finding = Finding::error(message).file(&shown(path));
        CliError::usage(finding.hint(format!("name another file with `{flag}`")))
    };
    let bytes = read(path, limit).map_err(|error| fail(format!("can't be read: {error}")))?;
    if bytes.len() > limit {
        return Err(fail(format!("is too large: the limit is {limit} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| fail("is not UTF-8 text".to_owned()))
}

/// Returns what findings call a file that the user named.
pub(crate) fn shown(path: &Path) -> Cow<'_, str> {
    if path.as_os_str() == "-" {
        "standard input".into()
    } else {
        path.to_string_lossy()
    }
}

/// Reads a file that an editor left; it may have `limit` bytes.
pub(crate) fn read_file(path: &Path, limit: usize) -> Result<Vec<u8>, Finding> {
    let metadata = fs::symlink_metadata(path);
    let is_file = metadata.is_ok_and(|metadata| metadata.is_file());
    let bytes = match read(path, limit) {
        _ if !is_file => return Err(Finding::error("is gone, or is no regular file")),
        Ok(bytes) => bytes,
        Err(error) => return Err(Finding::error(format!("can't be read: {error}"))),
    };
    if bytes.len() > limit {
        let finding = Finding::error(format!("is too large: the limit is {limit} bytes"));
        return Err(finding.hint("shorten it"));
    }
    Ok(bytes)
}

fn read(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than is allowed, to tell a file at the limit from one over it.
    let most = limit as u64 + 1;
    if path.as_os_str() == "-" {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
