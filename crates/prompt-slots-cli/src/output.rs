//! The two streams: results on standard output, all else on standard error.

use std::env;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use prompt_slots::{Finding, Severity, printable};

use crate::args::Color;
use crate::error::CliError;

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const RESET: &str = "\x1b[0m";

/// The standard streams of one command.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
    color: bool,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self {
            stdout: BufWriter::new(io::stdout()),
            color: false,
        }
    }

    /// Decides whether standard error is coloured; only the words `error` and `warning` ever are.
    pub(crate) fn set_color(&mut self, color: Color) {
        self.color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
                let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
                io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb
            }
        };
    }

    /// Adds bytes to the result, as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.stdout.write_all(bytes).map_err(CliError::Output)
    }

    /// Adds text to the result, as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.bytes(text.as_bytes())
    }

    /// Adds a line to the result; control characters in it are escaped.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), CliError> {
        self.text(&printable(line))?;
        self.text("\n")
    }

    /// Hands the result over.
    pub(crate) fn flush(&mut self) -> Result<(), CliError> {
        self.stdout.flush().map_err(CliError::Output)
    }

    /// Prints findings on standard error, each with its line of the file.
    pub(crate) fn report(&mut self, findings: &[Finding]) {
        for finding in findings {
            let whose = finding.whose().map(|whose| whose + ": ");
            let whose = printable(&whose.unwrap_or_default());
            let severity = self.paint(finding.severity);
            self.error_text(&format!("{severity}: {whose}{finding:#}\n"));
        }
    }

    /// Prints a remark on standard error.
    pub(crate) fn note(&mut self, text: &str) {
        self.error_text(&format!("note: {}\n", printable(text)));
    }

    /// Prints text on standard error, after the result so far.
    pub(crate) fn error_text(&mut self, text: &str) {
        // A result that can't be handed over is told by the last flush; a reader of errors that went away, by nobody.
        let _ = self.stdout.flush();
        let _ = io::stderr().write_all(text.as_bytes());
    }

    fn paint(&self, severity: Severity) -> String {
        match (self.color, severity) {
            (false, _) => severity.to_string(),
            (true, Severity::Error) => format!("{RED}{severity}{RESET}"),
            (true, Severity::Warning) => format!("{YELLOW}{severity}{RESET}"),
        }
    }
}
