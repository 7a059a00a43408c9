//! What slots cost to build: the build script, the compiler, and the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use prompt_slots_made as made;

use crate::Result;
use crate::run::{project, run, target_dir};

const SIZES: [usize; 3] = [100, 1_000, 10_000];
/// The size whose slots are edited.
const EDITED: usize = 1_000;

/// What one number of slots costs.
pub struct Build {
    pub slots: usize,
    /// Seconds in the build script.
    pub embed: f64,
    pub generated_bytes: f64,
    /// Seconds in the compiler, for the crate with the slots.
    pub rustc: f64,
    pub rustc_bytes: f64,
    pub program_bytes: f64,
    /// Seconds of a whole build after an edit of one slot.
    pub edit: Option<f64>,
}

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Full,
    /// All but a first build.
    Quick,
}

pub struct Builds {
    /// Seconds of a first build of a program with few slots, of all that it depends on.
    pub cold: Option<f64>,
    /// The part of it in the compiler for our own crates; they are built beside others, so not all of it is waited for.
    pub ours: Option<f64>,
    pub all: Vec<Build>,
}

/// Where a program with slots is built, and what is noted of it.
struct Site {
    slots: PathBuf,
    target: PathBuf,
    log: PathBuf,
}

impl Builds {
    pub fn measure(extent: Extent) -> Result<Self> {
        let benches = target_dir(&project().join("benches"))?;
        let home = benches.join("build-cost");
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        fs::create_dir_all(&home)?;
        // What the program depends on was built for the benches already; a first build does it again.
        let target = match extent {
            Extent::Full => home.join("target"),
            Extent::Quick => benches,
        };
        let site = |slots: usize| Site {
            slots: home.join(format!("slots_{slots}")),
            target: target.clone(),
            log: home.join(format!("log_{slots}")),
        };
        let few = site(2);
        made::write(&few.slots, 2)?;
        let cold = match extent {
            Extent::Full => Some(few.first_build()?),
            Extent::Quick => None,
        };
        Ok(Self {
            cold: cold.map(|(all, _)| all),
            ours: cold.map(|(_, ours)| ours),
            all: SIZES
                .into_iter()
                .map(|slots| site(slots).measure(slots))
                .collect::<Result<_>>()?,
        })
    }
}

impl Site {
    fn measure(&self, slots: usize) -> Result<Build> {
        made::write(&self.slots, slots)?;
        self.build()?;
        let noted = self.noted()?;
        let find = |name: &str| {
            noted
                .iter()
                .find(|(what, ..)| what == name)
                .ok_or_else(|| format!("no line on {name}"))
        };
        let (_, embed, _) = *find("embed")?;
        let (_, rustc, rustc_bytes) = *find("prompt_slots_build_cost")?;
        let edit = (slots == EDITED).then(|| self.edit()).transpose()?;
        Ok(Build {
            slots,
            embed,
            generated_bytes: size(&self.generated()?)?,
            rustc,
            rustc_bytes,
            program_bytes: size(&self.target.join("release/prompt-slots-build-cost"))?,
            edit,
        })
    }

    /// Builds the program and all that it depends on; returns the seconds that it took, and those of the compiler for our own
    /// crates. The faster of two builds counts, as of all that is measured here the fastest does.
    fn first_build(&self) -> Result<(f64, f64)> {
        let mut fastest = (f64::INFINITY, 0.0);
        for _ in 0..2 {
            for old in [&self.target, &self.log] {
                if old.is_dir() {
                    fs::remove_dir_all(old)?;
                } else if old.exists() {
                    fs::remove_file(old)?;
                }
            }
            let all = self.build()?;
            if all < fastest.0 {
                let noted = self.noted()?.into_iter();
                let ours = noted.filter(|(what, ..)| what.starts_with("prompt_slots"));
                fastest = (all, ours.map(|(_, seconds, _)| seconds).sum());
            }
        }
        Ok(fastest)
    }

    /// Builds the program; returns the seconds that it took.
    fn build(&self) -> Result<f64> {
        let start = Instant::now();
        run(Command::new("cargo")
            .args([
                "build",
                "--locked",
                "--quiet",
                "--release",
                "-p",
                "prompt-slots-build-cost",
            ])
            .current_dir(project().join("benches"))
            .env("CARGO_TARGET_DIR", &self.target)
            .env("RUSTC_WRAPPER", project().join("benches/peers/timed"))
            .env("SLOTS_DIR", &self.slots)
            .env("COST_LOG", &self.log))?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Changes a word of one slot, and builds again.
    fn edit(&self) -> Result<f64> {
        let file = self.slots.join(format!("{}.yaml", made::name(0)));
        fs::write(
            &file,
            fs::read_to_string(&file)?.replace("calmly", "warmly"),
        )?;
        self.build()
    }

    /// Returns what was noted: a name, seconds, and bytes where there are any.
    fn noted(&self) -> Result<Vec<(String, f64, f64)>> {
        let log = fs::read_to_string(&self.log)?;
        let line = |line: &str| {
            let words: Vec<_> = line.split(' ').collect();
            match words[..] {
                ["embed", seconds] => Some(("embed".to_owned(), seconds.parse().ok()?, 0.0)),
                ["rustc", name, seconds, kib] => Some((
                    name.to_owned(),
                    seconds.parse().ok()?,
                    kib.parse::<f64>().ok()? * 1024.0,
                )),
                _ => None,
            }
        };
        Ok(log.lines().filter_map(line).collect())
    }

    /// Returns the newest code that the build script wrote.
    fn generated(&self) -> Result<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.target.join("release/build"))? {
            let file = entry?.path().join("out/prompt_slots.rs");
            let is_ours = file.to_string_lossy().contains("prompt-slots-build-cost");
            if is_ours && file.exists() {
                found.push((fs::metadata(&file)?.modified()?, file));
            }
        }
        Ok(found.into_iter().max().ok_or("no generated code")?.1)
    }
}

#[expect(clippy::cast_precision_loss, reason = "files of megabytes")]
fn size(path: &Path) -> Result<f64> {
    Ok(fs::metadata(path)?.len() as f64)
}
