//! Judging files that are not in force: one that is given by hand, and a default once more.

use std::io;
use std::path::Path;

use prompt_slots_core::{Finding, Layer, judge_bundled, slot_name_problem, untested};

use crate::app::Target;
use crate::error::{Error, ErrorKind};
use crate::file;
use crate::loader::PromptLoader;
use crate::status::{OverrideFile, OverrideState};

impl PromptLoader {
    /// Judges bytes as if they were the override of a slot: reads, merges and renders them as the first reference would.
    ///
    /// `file` is what findings call it. Nothing is remembered, and nothing is in force. Each finding that has a place quotes
    /// its line.
    pub fn judge(&self, name: &str, file: &str, bytes: &[u8]) -> OverrideFile {
        if let Some(problem) = slot_name_problem(name) {
            let finding = Finding::error(problem).hint("rename it").layer(Layer::App);
            return unusable(file, None, finding.file(file));
        }
        let below = self.bundle().find(name);
        let target = Target { name, below };
        let read = self.app().judge(target, file, bytes);
        let entry = self.app().entry(target, read, None, None);
        self.with_remarks(self.state_of(file, file, name, &entry), file, bytes)
    }

    /// Judges a file as [`judge`](Self::judge) does; its name says which slot it is for.
    ///
    /// # Errors
    ///
    /// Fails if there is no such file. What is no regular file, too large or not to be read is a finding.
    pub fn judge_file(&self, path: impl AsRef<Path>) -> Result<OverrideFile, Error> {
        let path = path.as_ref();
        let shown = path.to_string_lossy();
        let file_name = path.file_name().unwrap_or_default().to_string_lossy();
        let content = match file::read(path, self.bundle().limits()) {
            Ok(Some(content)) => content,
            Ok(None) => {
                let missing = file::failed(&io::ErrorKind::NotFound.into());
                return Err(Error::one(ErrorKind::NotFound, missing.file(&shown)));
            }
            Err(finding) => {
                let name = file_name.strip_suffix(".yaml").map(str::to_owned);
                return Ok(unusable(&shown, name, finding.file(&shown)));
            }
        };
        let Some(name) = file_name.strip_suffix(".yaml") else {
            let stem = file_name
                .split('.')
                .next()
                .unwrap_or_default()
                .to_lowercase();
            let finding = Finding::error("the files of slots end in `.yaml`")
                .hint(format!("rename it to `{stem}.yaml`"));
            return Ok(unusable(&shown, None, finding.file(&shown)));
        };
        Ok(self.judge(name, &shown, &content.bytes))
    }

    /// Judges a default once more, as strictly as when it was compiled in; `None` where there is none of this name.
    ///
    /// Returns how many test cases it has, and every finding.
    pub fn judge_default(&self, name: &str) -> Option<(usize, Vec<Finding>)> {
        let slot = self.bundle().find(name)?;
        let source = slot.source();
        let file = source.file.as_deref().unwrap_or(name);
        let original = self.bundle().original(name)?;
        let findings = match judge_bundled(name, file, original.as_bytes(), self.bundle().limits())
        {
            Ok(read) => {
                let untested = untested(&source.spec, &source.places).map(|it| {
                    it.slot(name)
                        .layer(Layer::Bundled)
                        .file(file)
                        .quote(original)
                });
                read.warnings.into_iter().chain(untested).collect()
            }
            Err(findings) => findings,
        };
        Some((slot.spec.test_cases.len(), findings))
    }

    /// Adds what only a check has to say of an override, and the lines that findings are about.
    pub(crate) fn with_remarks(
        &self,
        mut over: OverrideFile,
        shown: &str,
        bytes: &[u8],
    ) -> OverrideFile {
        let Some(name) = over.slot.clone() else {
            return over;
        };
        // A file that can't be read as a slot may be any file, and is not quoted beyond what reading it quotes.
        let Ok((source, _)) = self.app().parse(&name, shown, bytes) else {
            return over;
        };
        if over.state == OverrideState::NewSlot {
            let untested =
                untested(&source.spec, &source.places).map(|it| it.slot(&name).file(shown));
            let untested = untested.map(|it| it.layer(Layer::App));
            over.findings.extend(untested);
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let default = self.bundle().original(&name).unwrap_or_default();
        for finding in &mut over.findings {
            let is_own = finding.file.as_deref() == Some(shown);
            *finding = finding.clone().quote(if is_own { text } else { default });
        }
        over.findings.sort_by_key(|finding| finding.pos);
        over
    }
}

fn unusable(file: &str, slot: Option<String>, finding: Finding) -> OverrideFile {
    OverrideFile {
        file: file.to_owned(),
        slot,
        state: OverrideState::Invalid,
        findings: vec![finding],
        cases: 0,
        moved: Vec::new(),
    }
}
