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
    /// Whether standard error is coloured.
    color: bool,
    /// Whether results are coloured.
    color_results: bool,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self {
            stdout: BufWriter::new(io::stdout()),
            color: false,
            color_results: false,
        }
    }

    /// Decides what is coloured; colour says nothing that words or signs don't say too.
    pub(crate) fn set_color(&mut self, color: Color) {
        let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        let on = |is_terminal: bool| match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb,
        };
        self.color = on(io::stderr().is_terminal());
        self.color_results = on(io::stdout().is_terminal());
    }

    /// Returns how many characters a line of the result has room for; `None` where it goes to no terminal.
    pub(crate) fn width(&self) -> Option<usize> {
        let (width, _) = terminal_size::terminal_size_of(self.stdout.get_ref())?;
        Some(usize::from(width.0))
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

    /// Adds a line to the result, between two codes of a colour if results are coloured.
    pub(crate) fn colored_line(&mut self, color: &str, line: &str) -> Result<(), CliError> {
        if !self.color_results || color.is_empty() {
            return self.line(line);
        }
        self.text(color)?;
        self.text(&printable(line))?;
        self.text(RESET)?;
        self.text("\n")
    }

    /// Adds a finding to the result, with its line of the file. `whose` says whose it is.
    pub(crate) fn finding(
        &mut self,
        finding: &Finding,
        whose: Option<&str>,
    ) -> Result<(), CliError> {
        let text = describe(finding, whose, self.color_results);
        self.text(&text)
    }

    /// Prints findings on standard error, each with its line of the file.
    pub(crate) fn report(&mut self, findings: &[Finding]) {
        for finding in findings {
            let text = describe(finding, finding.whose().as_deref(), self.color);
            self.error_text(&text);
        }
    }

    /// Prints a remark on standard error.
    pub(crate) fn note(&mut self, text: &str) {
        self.error_text(&format!("note: {}\n", printable(text)));
    }

    /// Prints a line on standard error; control characters in it are escaped.
    pub(crate) fn error_line(&mut self, line: &str) {
        self.error_text(&format!("{}\n", printable(line)));
    }

    /// Prints text on standard error, after the result so far.
    pub(crate) fn error_text(&mut self, text: &str) {
        // A result that can't be handed over is told by the last flush; a reader of errors that went away, by nobody.
        let _ = self.stdout.flush();
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

fn describe(finding: &Finding, whose: Option<&str>, color: bool) -> String {
    let whose = whose
        .map(|whose| printable(whose) + ": ")
        .unwrap_or_default();
    let severity = paint(finding.severity, color);
    format!("{severity}: {whose}{finding:#}\n")
}

fn paint(severity: Severity, color: bool) -> String {
    match (color, severity) {
        (false, _) => severity.to_string(),
        (true, Severity::Error) => format!("{RED}{severity}{RESET}"),
        (true, Severity::Warning) => format!("{YELLOW}{severity}{RESET}"),
    }
}
