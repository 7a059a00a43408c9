//! The numbers to be reached, each held against what was measured.

use crate::Result;
use crate::build_cost::Builds;
use crate::figures::Figures;
use crate::process::Processes;
use crate::table::{bytes, nanos, number, times};

/// One number to be reached.
pub struct Limit {
    pub what: String,
    pub limit: String,
    pub measured: String,
    pub is_reached: bool,
    /// What bounds it now.
    pub bound: &'static str,
}

impl Limit {
    fn new(
        what: impl Into<String>,
        limit: f64,
        measured: f64,
        show: fn(f64) -> String,
        bound: &'static str,
    ) -> Self {
        Self {
            what: what.into(),
            limit: format!("≤ {}", show(limit)),
            measured: show(measured),
            is_reached: measured <= limit,
            bound,
        }
    }
}

fn seconds(seconds: f64) -> String {
    format!("{} s", number(seconds))
}

/// Judges everything.
pub fn judge(figures: &Figures, processes: &Processes, builds: &Builds) -> Result<Vec<Limit>> {
    let mut limits = calls(figures)?;
    limits.extend(whole(processes, builds)?);
    Ok(limits)
}

fn calls(figures: &Figures) -> Result<Vec<Limit>> {
    let hit = |what: &str, slots: u64| figures.get("hit", what, slots);
    let warm = |what: &str, threads: u64| figures.get("warm", what, threads);
    let mut limits = Vec::new();
    for slots in [2, 20, 1_000, 10_000] {
        limits.push(Limit::new(
            format!("`load` by name, {slots} slots, against a bare phf"),
            1.5,
            hit("ours, by name", slots)? / hit("bare phf", slots)?,
            times,
            "the same SipHash; then one atomic load, and building the result",
        ));
    }
    limits.push(Limit::new(
        "`load` by handle, 2 slots",
        3.0,
        hit("ours, by handle", 2)?,
        nanos,
        "a comparison of pointers, a bounds check and one atomic load",
    ));
    limits.push(Limit::new(
        "a cached override by name, against a default",
        2.0,
        warm("override, by name", 1)? / warm("default, by name", 1)?,
        times,
        "two reference counts: the hazard slot of the cell, and the text's own",
    ));
    limits.push(Limit::new(
        "the same with `Reload::Every`, against a reading of the clock and the same without",
        1.1,
        warm("override, by name, Every", 1)? / warm("the clock, then an override, by name", 1)?,
        times,
        "one reading of the clock",
    ));
    limits.push(Limit::new(
        "from 2 to 10 000 slots: growth of `load` by name, against that of a bare phf",
        1.5,
        hit("ours, by name", 10_000)? / hit("ours, by name", 2)? * hit("bare phf", 2)?
            / hit("bare phf", 10_000)?,
        times,
        "caches: each slot has a cell and a place in the table",
    ));
    for (what, bound) in [
        ("default, by name", "nothing shared is written"),
        (
            "override, by name",
            "both threads count references to one text",
        ),
    ] {
        limits.push(Limit::new(
            format!("{what}: what a second thread that calls adds to a call, against what it adds to a bare phf"),
            1.3,
            // Two cores of a shared machine can be less than two: what shares nothing shows by how much.
            warm(what, 2)? / warm(what, 1)? * warm("bare phf", 1)? / warm("bare phf", 2)?,
            times,
            bound,
        ));
    }
    for cases in [1, 3] {
        limits.push(Limit::new(
            format!("first reference of a 4 KiB override, against the steps by hand with {cases} rendering(s)"),
            1.5,
            figures.get("first", "ours", 4)? / figures.get("first", &format!("by hand, {cases} rendered"), 4)?,
            times,
            "what a loader by hand leaves out: the events of the YAML, the guard and the names of the template, three cases rendered; the smaller the file, the more it weighs",
        ));
    }
    Ok(limits)
}

fn whole(processes: &Processes, builds: &Builds) -> Result<Vec<Limit>> {
    let find = |slots: usize| builds.all.iter().find(|build| build.slots == slots);
    let some = find(1_000).ok_or("no build of 1 000 slots")?;
    let mut limits = vec![
        Limit::new(
            "the build script, 1 000 slots",
            9.0,
            some.embed,
            seconds,
            "cargo compiles build scripts without optimisation",
        ),
        Limit::new(
            "the program",
            8e6,
            processes.binary_bytes,
            bytes,
            "the JSON Schema validator is the largest part",
        ),
        Limit::new(
            "`prompt-slots load`, start to end, against `/bin/true`",
            1.0,
            processes.ns("prompt-slots load")? / processes.ns("/bin/true")?,
            times,
            "starting a process; then reading, parsing and judging the override",
        ),
    ];
    if let Some(many) = find(10_000) {
        limits.push(Limit::new(
            "the build script, 10 000 slots against 1 000",
            12.0,
            many.embed / some.embed,
            times,
            "linear",
        ));
        limits.push(Limit::new(
            "the compiler, 10 000 slots against 1 000",
            12.0,
            many.rustc / some.rustc,
            times,
            "type checking one static for each slot",
        ));
    }
    if let (Some(cold), Some(ours)) = (builds.cold, builds.ours) {
        limits.push(Limit::new(
            "a consumer's first release build",
            45.0,
            cold,
            seconds,
            "its dependencies; some are compiled for the build script too",
        ));
        limits.push(Limit::new(
            "of it, compiling our own crates",
            10.0,
            ours,
            seconds,
            "the core is compiled twice: for the program, and for its build script",
        ));
    }
    Ok(limits)
}
