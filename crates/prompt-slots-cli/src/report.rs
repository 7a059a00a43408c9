//! What a check found, counted and printed: for people, for programs, for GitHub Actions.

use clap::ValueEnum;
use prompt_slots::{Finding, OverrideFile, Pos};
use serde_json::{Value, json};

use crate::commands::is_slot;
use crate::error::CliError;
use crate::json;
use crate::output::Output;

/// How findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// With the line of the file, and the counts at the end
    Human,
    /// As one JSON object
    Json,
    /// As workflow commands, which GitHub shows beside the lines of a change
    Github,
}

/// What a check found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub slots: usize,
    pub cases: usize,
    pub found: Vec<Found>,
}

/// A finding, and where it is inside of a `ConfigMap`, if that is where its file is.
#[derive(Debug, PartialEq)]
pub(crate) struct Found {
    pub finding: Finding,
    pub config_map: Option<InConfigMap>,
}

/// A place in a file that a `ConfigMap` holds.
#[derive(Debug, PartialEq)]
pub(crate) struct InConfigMap {
    pub name: String,
    pub file: String,
    pub pos: Option<Pos>,
}

impl From<Finding> for Found {
    fn from(finding: Finding) -> Self {
        Self {
            finding,
            config_map: None,
        }
    }
}

impl Report {
    /// Counts an override, and adds its findings.
    pub(crate) fn add(&mut self, over: OverrideFile) {
        self.slots += usize::from(is_slot(&over));
        self.cases += over.cases;
        self.extend(over.findings);
    }

    /// Adds findings; one that is known already is not told twice.
    pub(crate) fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for found in findings.into_iter().map(Found::from) {
            if !self.found.contains(&found) {
                self.found.push(found);
            }
        }
    }

    pub(crate) fn errors(&self) -> usize {
        self.found.iter().filter(|it| it.finding.is_error()).count()
    }

    pub(crate) fn warnings(&self) -> usize {
        self.found.len() - self.errors()
    }

    pub(crate) fn print(&self, format: Format, output: &mut Output) -> Result<(), CliError> {
        match format {
            Format::Human => {
                for found in &self.found {
                    output.finding(&found.finding, found.whose().as_deref())?;
                }
                output.line(&self.counts())
            }
            Format::Json => output.text(&json::pretty(&self.to_json())),
            Format::Github => {
                for found in &self.found {
                    output.line(&found.annotation())?;
                }
                output.line(&self.counts())
            }
        }
    }

    fn counts(&self) -> String {
        let count = |number: usize, word: &str| match number {
            1 => format!("1 {word}"),
            _ => format!("{number} {word}s"),
        };
        [
            count(self.slots, "slot"),
            count(self.cases, "test case"),
            count(self.errors(), "error"),
            count(self.warnings(), "warning"),
        ]
        .join(", ")
    }

    fn to_json(&self) -> Value {
        json!({
            "slots": self.slots,
            "test_cases": self.cases,
            "errors": self.errors(),
            "warnings": self.warnings(),
            "findings": self.found.iter().map(Found::to_json).collect::<Vec<_>>(),
        })
    }
}

impl Found {
    /// Says whose finding it is, and where it is in a file that is not one of the disk.
    fn whose(&self) -> Option<String> {
        let whose = self.finding.whose();
        let Some(inside) = &self.config_map else {
            return whose;
        };
        let pos = inside
            .pos
            .map(|pos| format!(":{}:{}", pos.line, pos.column));
        let place = format!(
            "{}{} in ConfigMap `{}`",
            inside.file,
            pos.unwrap_or_default(),
            inside.name
        );
        Some(whose.map_or_else(|| place.clone(), |whose| format!("{whose}, {place}")))
    }

    fn to_json(&self) -> Value {
        let mut object = json::finding(&self.finding);
        object["config_map"] = json!(self.config_map.as_ref().map(|inside| json!({
            "name": inside.name,
            "file": inside.file,
            "line": inside.pos.map(|pos| pos.line),
            "column": inside.pos.map(|pos| pos.column),
        })));
        object
    }

    /// Writes the finding as a workflow command.
    fn annotation(&self) -> String {
        let finding = &self.finding;
        let mut properties = Vec::new();
        if let Some(file) = &finding.file {
            let file = file.strip_prefix("./").unwrap_or(file);
            properties.push(format!("file={}", escape(file, true)));
            if let Some(Pos { line, column }) = finding.pos {
                properties.push(format!("line={line},col={column}"));
            }
        }
        let whose = self.whose().map(|whose| whose + ": ").unwrap_or_default();
        let message = escape(&format!("{whose}{}", finding.text()), false);
        let space = if properties.is_empty() { "" } else { " " };
        format!(
            "::{}{space}{}::{message}",
            finding.severity,
            properties.join(",")
        )
    }
}

/// Escapes what would end a message, or one of its properties.
fn escape(text: &str, is_property: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            ':' if is_property => out.push_str("%3A"),
            ',' if is_property => out.push_str("%2C"),
            c => out.push(c),
        }
    }
    out
}
