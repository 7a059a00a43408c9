//! The one error of this crate.

use std::fmt;
use std::sync::Arc;

use prompt_slots_core::Finding;

/// What kind of thing went wrong, for code that tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The name can't name a slot, a category or an entry.
    InvalidName,
    /// No layer has a slot of this name.
    UnknownSlot,
    /// An override, or the slot merged from it, is not valid.
    InvalidSlot,
    /// A file can't be read: permissions, no regular file, too large.
    Unreadable,
    /// There is no file of the right name, but one that was most likely meant to be it, such as `x.yml`.
    LookAlike,
    /// The directory of overrides can't be told from what was given.
    InvalidRoot,
    /// The handle belongs to another bundle than the loader.
    ForeignHandle,
    /// The values don't fit the slot, or rendering failed.
    Render,
    /// The category was never registered.
    NotRegistered,
    /// There is no such file.
    NotFound,
    /// The root of a YAML file is no mapping.
    NotAMapping,
}

/// What went wrong, as one or more [findings](Finding).
///
/// `{}` prints one line, with slot, layer, file, line, column, key path and the next step, as far as they are known;
/// `{:#}` prints all findings, each with the line of the file. It is cheap to clone, and never holds a variable's value.
#[derive(Clone)]
pub struct Error(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    findings: Vec<Finding>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, findings: Vec<Finding>) -> Self {
        Self(Arc::new(Inner { kind, findings }))
    }

    pub(crate) fn one(kind: ErrorKind, finding: Finding) -> Self {
        Self::new(kind, vec![finding])
    }

    /// Leaves the lines of files out.
    pub(crate) fn unquoted(&self) -> Self {
        let mut findings = self.0.findings.clone();
        for finding in &mut findings {
            finding.snippet = None;
        }
        Self::new(self.0.kind, findings)
    }

    /// Returns what kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns every finding; at least one of them is an error.
    pub fn findings(&self) -> &[Finding] {
        &self.0.findings
    }

    fn errors(&self) -> impl Iterator<Item = &Finding> {
        self.0.findings.iter().filter(|finding| finding.is_error())
    }
}

fn write_context(f: &mut fmt::Formatter<'_>, finding: &Finding) -> fmt::Result {
    match finding.whose() {
        Some(whose) => write!(f, "{whose}: "),
        None => Ok(()),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            for (index, finding) in self.0.findings.iter().enumerate() {
                let separator = if index > 0 { "\n" } else { "" };
                write!(f, "{separator}{}: ", finding.severity)?;
                write_context(f, finding)?;
                write!(f, "{finding:#}")?;
            }
            return Ok(());
        }
        let Some(first) = self.errors().next() else {
            return f.write_str("unknown error");
        };
        write_context(f, first)?;
        write!(f, "{first}")?;
        match self.errors().count() - 1 {
            0 => Ok(()),
            more => write!(f, ", and {more} more"),
        }
    }
}

impl std::error::Error for Error {}

// `unwrap` and `main` print this; the lines for people say more than a dump of fields.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self:#}", self.0.kind)
    }
}
