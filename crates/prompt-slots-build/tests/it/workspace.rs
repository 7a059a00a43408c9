//! A crate on disk with a directory of slots, and what is generated from it.

use std::fs;
use std::path::{Path, PathBuf};

use prompt_slots_build::{Embed, Error, Finding};
use tempfile::TempDir;

/// The directories of a crate that embeds `prompts`.
pub struct Workspace {
    dir: TempDir,
}

impl Workspace {
    /// Makes a crate with these files in `prompts`.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let workspace = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(workspace.prompts()).unwrap();
        fs::create_dir(workspace.out()).unwrap();
        for (name, text) in files {
            fs::write(workspace.prompts().join(name), text).unwrap();
        }
        workspace
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    pub fn prompts(&self) -> PathBuf {
        self.root().join("prompts")
    }

    pub fn out(&self) -> PathBuf {
        self.root().join("out")
    }

    pub fn generate(&self) -> Result<Vec<Finding>, Error> {
        self.generate_with(&Embed::new("prompts"))
    }

    pub fn generate_with(&self, embed: &Embed) -> Result<Vec<Finding>, Error> {
        embed.generate_in(self.root(), &self.out(), "my-app")
    }

    /// Returns the generated code of slots that are good.
    #[track_caller]
    pub fn code(&self) -> String {
        let warnings = self.generate().unwrap();
        assert_eq!(warnings, []);
        fs::read_to_string(self.out().join("prompt_slots.rs")).unwrap()
    }

    /// Returns what cargo shows of slots that are bad, one finding a line.
    #[track_caller]
    pub fn refusal(&self) -> String {
        match self.generate() {
            Err(Error::Findings { findings, .. }) => {
                assert!(
                    !self.out().join("prompt_slots.rs").exists(),
                    "code was generated all the same"
                );
                let lines: Vec<_> = findings.iter().map(ToString::to_string).collect();
                lines.join("\n")
            }
            other => panic!("not refused: {other:?}"),
        }
    }
}
