//! Whose a new file is, and who may read it: it takes after one that is there.
//!
//! A program often runs as another user than the operator. What a command writes must not lock it out, nor show others what
//! they could not read before. Only what a command has just made is given away: in a directory of somebody else, any other
//! name may be a trap for the superuser.

use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::path::Path;

use prompt_slots::Finding;

/// What a new file takes after.
pub(crate) struct Model {
    metadata: Metadata,
    permissions: Permissions,
}

impl Model {
    /// Returns the owner, the group and the permissions of a file; `None` if it is not there.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let permissions = permissions(&metadata, 0);
        Some(Self {
            metadata,
            permissions,
        })
    }

    /// Lets the owner read it and write to it.
    pub(crate) fn writable(mut self) -> Self {
        self.permissions = permissions(&self.metadata, 0o600);
        self
    }

    /// Has a new file, which will be at `path`, take after this one.
    ///
    /// Only the superuser may give files away: where the owner stays another one, the outcome is a warning.
    pub(crate) fn shape(&self, file: &File, path: &Path) -> io::Result<Option<Finding>> {
        let warning = give(file, &self.metadata, path);
        // Later than the owner: to give a file away takes permissions from it.
        file.set_permissions(self.permissions.clone())?;
        Ok(warning)
    }
}

/// Has a new file belong to whom its directory belongs, if the superuser makes it; others own what they make.
pub(crate) fn give_to_owner_of(dir: &Path, file: &File) {
    if let Ok(metadata) = fs::metadata(dir) {
        let _ = give(file, &metadata, dir);
    }
}

/// As [`give_to_owner_of`] for a new directory.
pub(crate) fn give_dir_to_owner_of(dir: &Path, new: &Path) {
    #[cfg(unix)]
    if let Ok(metadata) = fs::metadata(dir) {
        use std::os::unix::fs::{MetadataExt, lchown};
        let _ = lchown(new, Some(metadata.uid()), Some(metadata.gid()));
    }
    #[cfg(not(unix))]
    let _ = (dir, new);
}

#[cfg(unix)]
fn give(file: &File, to: &Metadata, path: &Path) -> Option<Finding> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let (user, group) = (to.uid(), to.gid());
    let is_theirs = || {
        let own = file.metadata();
        own.is_ok_and(|own| (own.uid(), own.gid()) == (user, group))
    };
    if is_theirs() || fchown(file, Some(user), Some(group)).is_ok() {
        return None;
    }
    // A group may be given by its members.
    if fchown(file, None, Some(group)).is_ok() && is_theirs() {
        return None;
    }
    let finding = Finding::warning(format!(
        "belonged to user {user} and group {group}, and only the superuser can give it back"
    ));
    Some(finding.hint(format!(
        "if the program can't read it any more, run `chown {user}:{group} {}` as the superuser",
        path.display()
    )))
}

/// Elsewhere a new file has what its directory hands down.
#[cfg(not(unix))]
fn give(_: &File, _: &Metadata, _: &Path) -> Option<Finding> {
    None
}

/// Returns who may read and write a file, with the bits of `more`; never that it runs as its owner.
#[cfg(unix)]
fn permissions(metadata: &Metadata, more: u32) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(metadata.permissions().mode() & 0o777 | more)
}

#[cfg(not(unix))]
#[allow(
    clippy::permissions_set_readonly_false,
    reason = "only on Unix that is for everybody"
)]
fn permissions(metadata: &Metadata, more: u32) -> Permissions {
    let mut permissions = metadata.permissions();
    permissions.set_readonly(permissions.readonly() && more == 0);
    permissions
}
