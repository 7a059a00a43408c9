//! Whole processes: how long they take from start to end, and their peak memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Result;
use crate::run::{output, project, run, target_dir};

const ROUNDS: usize = 101;

/// What one program took.
pub struct Process {
    pub what: &'static str,
    /// Median nanoseconds.
    pub ns: f64,
    /// Peak memory, as GNU time reports it.
    pub bytes: f64,
}

/// What was measured, and with which binary of ours.
pub struct Processes {
    pub all: Vec<Process>,
    pub binary_bytes: f64,
    pub is_static: bool,
}

impl Processes {
    /// Runs all programs in turns, so that what else the machine does falls on all of them alike.
    pub fn measure() -> Result<Self> {
        let (binary, is_static) = binary()?;
        let home = tempfile::tempdir()?;
        let app_dir = home.path().join("prompt_slots");
        fs::create_dir(&app_dir)?;
        let empty = home.path().join("empty");
        fs::create_dir(&empty)?;
        let own = app_dir.join("episode_extract.yaml");
        fs::write(&own, "enabled: true\nllm: {model: big}\n")?;
        let default = project().join("config/prompt_slots/episode_extract.yaml");
        let python =
            output(Command::new("python3").args(["-c", "import sys; print(sys.executable)"]))?;
        let peer = project().join("benches/peers/load.py");

        let mut load = Command::new(&binary);
        load.arg("--root")
            .arg(home.path())
            .args(["load", "episode_extract"]);
        let mut bare = Command::new(&binary);
        bare.arg("--root").arg(&empty).args([
            "show",
            "episode_extract",
            "--source",
            "--layer",
            "bundled",
        ]);
        let mut cat = Command::new("cat");
        cat.arg(&default);
        let mut by_python = Command::new(python);
        by_python.arg(peer).arg(&default).arg(&own);
        let mut programs = [
            ("/bin/true", Command::new("/bin/true")),
            ("cat of the default's file", cat),
            ("prompt-slots show --source (no override)", bare),
            ("prompt-slots load (with an override)", load),
            ("the Python loader (with an override)", by_python),
        ];

        let mut times = vec![Vec::new(); programs.len()];
        for _ in 0..ROUNDS {
            for ((_, program), times) in programs.iter_mut().zip(&mut times) {
                times.push(time(program)?);
            }
        }
        let mut all = Vec::new();
        for ((what, program), mut times) in programs.iter().zip(times) {
            times.sort_by(f64::total_cmp);
            let ns = times[ROUNDS / 2];
            all.push(Process {
                what,
                ns,
                bytes: peak(program)?,
            });
        }
        #[expect(clippy::cast_precision_loss, reason = "a file of a few megabytes")]
        let binary_bytes = fs::metadata(&binary)?.len() as f64;
        Ok(Self {
            all,
            binary_bytes,
            is_static,
        })
    }

    pub fn ns(&self, what: &str) -> Result<f64> {
        let found = self
            .all
            .iter()
            .find(|process| process.what.starts_with(what));
        Ok(found.ok_or("no such process")?.ns)
    }
}

/// Builds our program, and returns it: the static one where its target is installed, else the one for this system.
fn binary() -> Result<(PathBuf, bool)> {
    const STATIC: &str = "x86_64-unknown-linux-musl";
    let libraries =
        output(Command::new("rustc").args(["--print", "target-libdir", "--target", STATIC]))?;
    let is_static = Path::new(&libraries).exists();
    let mut build = Command::new("cargo");
    build
        .args(["build", "--locked", "--release", "-p", "prompt-slots-cli"])
        .current_dir(project());
    let mut dir = target_dir(project())?;
    if is_static {
        build.args(["--target", STATIC]);
        dir.push(STATIC);
    }
    run(&mut build)?;
    Ok((dir.join("release/prompt-slots"), is_static))
}

fn time(program: &mut Command) -> Result<f64> {
    let start = Instant::now();
    let status = program
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    #[expect(clippy::cast_precision_loss, reason = "fractions of a second")]
    let ns = start.elapsed().as_nanos() as f64;
    if status.success() {
        Ok(ns)
    } else {
        Err(format!("{program:?} failed").into())
    }
}

fn peak(program: &Command) -> Result<f64> {
    let log = tempfile::NamedTempFile::new()?;
    let mut timed = Command::new("/usr/bin/time");
    timed
        .args(["-q", "-f", "%M", "-o"])
        .arg(log.path())
        .arg(program.get_program())
        .args(program.get_args());
    output(&mut timed)?;
    kib(log.path())
}

fn kib(path: &Path) -> Result<f64> {
    Ok(fs::read_to_string(path)?.trim().parse::<f64>()? * 1024.0)
}
