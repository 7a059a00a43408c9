//! The page: what was measured, between the words that explain it.

use std::fs;

use minijinja::{Environment, context};

use crate::Result;
use crate::build_cost::{Builds, Extent};
use crate::figures::Figures;
use crate::limits::{self, Limit};
use crate::machine;
use crate::plot::{Series, plot};
use crate::process::Processes;
use crate::run::project;
use crate::table::{bytes, nanos, number, table, times};

const SIZES: [u64; 4] = [2, 20, 1_000, 10_000];
const LOOKUPS: [&str; 8] = [
    "ours, by name",
    "ours, by handle",
    "bare phf",
    "std HashMap",
    "rustc match",
    "static pointer",
    "minijinja-embed",
    "file, else embedded file",
];

/// Measures everything and writes the page.
pub fn write(load: &str, figures: &Figures, extent: Extent) -> Result<()> {
    let builds = Builds::measure(extent)?;
    let processes = Processes::measure()?;
    let growth = match &builds.all[..] {
        [.., less, more] => {
            let slots = f64::from(u32::try_from(more.slots - less.slots)?);
            bytes((more.program_bytes - less.program_bytes) / slots)
        }
        _ => String::new(),
    };
    let edit = builds
        .all
        .iter()
        .find_map(|build| build.edit)
        .unwrap_or_default();
    let mut env = Environment::new();
    env.add_template("page", include_str!("performance.md"))?;
    // The engine drops the last line end.
    let page = env.get_template("page")?.render(context! {
        machine => machine::describe()?,
        load,
        limits => limits_table(&limits::judge(figures, &processes, &builds)?),
        hit => lookups(figures, "hit"),
        miss => lookups(figures, "miss"),
        warm => warm(figures)?,
        first => first(figures)?,
        resolve => pairs(figures, "resolve", "the slot, with", &[("nothing", ""), ("llm alone", ""), ("the template", ""), ("figment, two layers", "")])?,
        render => renders(figures)?,
        name_to_prompt => pairs(figures, "name to prompt", "a prompt from a name", &[("ours", ""), ("file, else embedded text; parsed each time", "ours")])?,
        start => start(figures),
        kind_of_binary => if processes.is_static { "the static binary" } else { "the binary of a plain release build" },
        binary_size => bytes(processes.binary_bytes),
        processes => processes_table(&processes)?,
        builds => builds_table(&builds),
        growth,
        edit => format!("{} s", number(edit)),
        cold => builds.cold.map(|cold| format!("{} s", number(cold))),
        ours => builds.ours.map(|ours| format!("{} s", number(ours))),
    })? + "\n";
    let docs = project().join("docs");
    let plots = docs.join("performance");
    fs::create_dir_all(&plots)?;
    let lines = |group: &str, all: &[&str]| {
        all.iter()
            .map(|what| Series {
                name: (*what).to_owned(),
                points: figures.series(group, what),
            })
            .collect::<Vec<_>>()
    };
    fs::write(
        plots.join("hit.svg"),
        plot(
            "A default by its name, a call",
            "slots",
            nanos,
            &lines("hit", &LOOKUPS),
        ),
    )?;
    fs::write(
        plots.join("first.svg"),
        plot(
            "First reference of an override",
            "KiB",
            nanos,
            &lines(
                "first",
                &["ours", "by hand, 1 rendered", "by hand, 3 rendered"],
            ),
        ),
    )?;
    fs::write(
        plots.join("warm.svg"),
        plot(
            "A warm call, by threads that call at once",
            "threads",
            nanos,
            &lines(
                "warm",
                &[
                    "default, by name",
                    "default, by handle",
                    "override, by name",
                    "override, by name, Every",
                    "RwLock of a HashMap of Arcs",
                ],
            ),
        ),
    )?;
    fs::write(
        plots.join("build.svg"),
        plot("Building a program", "slots", nanos, &build_lines(&builds)),
    )?;
    fs::write(docs.join("performance.md"), &page)?;
    print!("{page}");
    Ok(())
}

fn limits_table(limits: &[Limit]) -> String {
    let rows: Vec<_> = limits
        .iter()
        .map(|limit| {
            let verdict = if limit.is_reached {
                "reached"
            } else {
                "**not reached**"
            };
            vec![
                limit.what.clone(),
                limit.limit.clone(),
                limit.measured.clone(),
                verdict.to_owned(),
                limit.bound.to_owned(),
            ]
        })
        .collect();
    table(&["what", "limit", "measured", "", "bounded by"], &rows)
}

fn lookups(figures: &Figures, group: &str) -> String {
    let row = |what: &&str| {
        let cells: Vec<_> = SIZES
            .iter()
            .map(|size| figures.find(group, what, *size))
            .collect();
        let shown = cells
            .iter()
            .map(|cell| cell.map_or_else(String::new, number));
        cells
            .iter()
            .any(Option::is_some)
            .then(|| std::iter::once((*what).to_owned()).chain(shown).collect())
    };
    table(
        &["slots", "2", "20", "1 000", "10 000"],
        &LOOKUPS.iter().filter_map(row).collect::<Vec<_>>(),
    )
}

fn warm(figures: &Figures) -> Result<String> {
    let base = figures.get("warm", "default, by name", 1)?;
    let mut rows = Vec::new();
    for what in [
        "default, by name",
        "default, by handle",
        "default, by name, Every",
        "override, by name",
        "override, by handle",
        "override, by name, Every",
        "override, by name, refreshed every millisecond",
        "bare phf",
        "RwLock of a HashMap of Arcs",
        "the clock alone",
    ] {
        let one = figures.get("warm", what, 1)?;
        let many = |threads: u64| {
            figures
                .find("warm", what, threads)
                .map_or_else(String::new, number)
        };
        rows.push(vec![
            what.to_owned(),
            times(one / base),
            number(one),
            many(2),
            many(4),
        ]);
    }
    Ok(table(
        &[
            "",
            "against the default by name",
            "1 thread",
            "2 threads",
            "4 threads",
        ],
        &rows,
    ))
}

fn first(figures: &Figures) -> Result<String> {
    let mut rows = Vec::new();
    for kib in [1, 4, 16, 64, 256] {
        let get = |what: &str| figures.get("first", what, kib);
        let (ours, one, three, events) = (
            get("ours")?,
            get("by hand, 1 rendered")?,
            get("by hand, 3 rendered")?,
            get("the events alone")?,
        );
        rows.push(vec![
            format!("{kib} KiB"),
            times(ours / one),
            times(ours / three),
            nanos(ours),
            nanos(one),
            nanos(three),
            nanos(events),
        ]);
    }
    Ok(table(
        &[
            "",
            "against one rendering",
            "against three",
            "ours",
            "by hand, one",
            "by hand, three",
            "the events alone",
        ],
        &rows,
    ))
}

/// Writes rows with a time each, and a ratio to another row where one is named.
fn pairs(figures: &Figures, group: &str, head: &str, rows: &[(&str, &str)]) -> Result<String> {
    let mut out = Vec::new();
    for (what, base) in rows {
        let ns = figures.get(group, what, 0)?;
        let ratio = if base.is_empty() {
            String::new()
        } else {
            times(ns / figures.get(group, base, 0)?)
        };
        out.push(vec![(*what).to_owned(), ratio, nanos(ns)]);
    }
    Ok(table(&[head, "ratio", "time"], &out))
}

fn renders(figures: &Figures) -> Result<String> {
    let rows = [
        ("episode_extract, ours", "episode_extract, minijinja"),
        ("episode_extract, minijinja", ""),
        ("boundary_detection, ours", "boundary_detection, minijinja"),
        ("boundary_detection, minijinja", ""),
        ("f-string, ours", "f-string, str::replace"),
        ("f-string, str::replace", ""),
    ];
    pairs(
        figures,
        "render",
        "one rendering; the template compiled before",
        &rows,
    )
}

fn start(figures: &Figures) -> String {
    let all = [
        "ours: new loader, one load",
        "std HashMap: fill it",
        "minijinja-embed: compile all",
        "include_dir: parse all",
    ];
    let row = |what: &&str| {
        let cell = |size: &u64| {
            figures
                .find("start", what, *size)
                .map_or_else(String::new, nanos)
        };
        std::iter::once((*what).to_owned())
            .chain(SIZES.iter().map(cell))
            .collect()
    };
    table(
        &["slots", "2", "20", "1 000", "10 000"],
        &all.iter().map(row).collect::<Vec<_>>(),
    )
}

fn processes_table(processes: &Processes) -> Result<String> {
    let base = processes.ns("/bin/true")?;
    let row = |process: &crate::process::Process| {
        vec![
            process.what.to_owned(),
            times(process.ns / base),
            nanos(process.ns),
            bytes(process.bytes),
        ]
    };
    Ok(table(
        &["", "against /bin/true", "time", "peak memory"],
        &processes.all.iter().map(row).collect::<Vec<_>>(),
    ))
}

fn builds_table(builds: &Builds) -> String {
    let seconds = |seconds: f64| format!("{} s", number(seconds));
    let row = |build: &crate::build_cost::Build| {
        vec![
            build.slots.to_string(),
            seconds(build.embed),
            bytes(build.generated_bytes),
            seconds(build.rustc),
            bytes(build.rustc_bytes),
            bytes(build.program_bytes),
        ]
    };
    let head = [
        "slots",
        "build script",
        "generated code",
        "compiler",
        "its peak memory",
        "program",
    ];
    table(&head, &builds.all.iter().map(row).collect::<Vec<_>>())
}

fn build_lines(builds: &Builds) -> Vec<Series> {
    let line = |name: &str, seconds: fn(&crate::build_cost::Build) -> f64| Series {
        name: name.to_owned(),
        points: builds
            .all
            .iter()
            .map(|build| {
                (
                    f64::from(u32::try_from(build.slots).unwrap_or(0)),
                    seconds(build) * 1e9,
                )
            })
            .collect(),
    };
    vec![
        line("build script", |build| build.embed),
        line("compiler", |build| build.rustc),
    ]
}
