//! What ends a command early, and the exit code of each end.

use std::io;
use std::process::ExitCode;

use prompt_slots::{Error, ErrorKind, Finding};

use crate::output::Output;

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is well.
    Ok = 0,
    /// There are findings, or a slot's file can't be used.
    Refused = 1,
    /// The command line is wrong.
    Usage = 2,
    /// `load` has no template.
    None = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum CliError {
    /// It was refused, by the library or by the command itself.
    Findings(Exit, Vec<Finding>),
    /// Standard output does not take the result.
    Output(io::Error),
}

impl CliError {
    /// Makes an error about what the user typed.
    pub(crate) fn usage(finding: Finding) -> Self {
        Self::Findings(Exit::Usage, vec![finding])
    }

    /// Makes an error about a slot.
    pub(crate) fn refused(finding: Finding) -> Self {
        Self::Findings(Exit::Refused, vec![finding])
    }

    /// Prints it, and returns the exit code.
    pub(crate) fn report(&self, output: &mut Output) -> Exit {
        match self {
            Self::Findings(exit, findings) => {
                output.report(findings);
                *exit
            }
            // Whoever reads has read enough, as `head` does.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Ok,
            Self::Output(error) => {
                let finding = Finding::error(format!("can't write the result: {error}"));
                output.report(&[finding.hint("send standard output somewhere else")]);
                Exit::Refused
            }
        }
    }
}

impl From<Error> for CliError {
    fn from(error: Error) -> Self {
        let exit = match error.kind() {
            ErrorKind::InvalidName | ErrorKind::UnknownSlot | ErrorKind::InvalidRoot => Exit::Usage,
            _ => Exit::Refused,
        };
        Self::Findings(exit, error.findings().to_vec())
    }
}
