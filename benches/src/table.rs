//! Tables and numbers, as people read them.

/// Writes a Markdown table.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let mut out = line(&mut head.iter().copied());
    let rule: Vec<_> = (0..head.len())
        .map(|column| if column == 0 { "---" } else { "--:" })
        .collect();
    out += &line(&mut rule.into_iter());
    for row in rows {
        out += &line(&mut row.iter().map(String::as_str));
    }
    out
}

/// Writes a number with three digits that count.
pub fn number(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

/// Writes a ratio.
pub fn times(value: f64) -> String {
    format!("{}x", number(value))
}

/// Writes a time.
pub fn nanos(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{} ns", number(ns)),
        ns if ns < 1e6 => format!("{} µs", number(ns / 1e3)),
        ns if ns < 1e9 => format!("{} ms", number(ns / 1e6)),
        ns => format!("{} s", number(ns / 1e9)),
    }
}

/// Writes a size.
pub fn bytes(bytes: f64) -> String {
    match bytes {
        bytes if bytes < 1e3 => format!("{bytes:.0} B"),
        bytes if bytes < 1e6 => format!("{} kB", number(bytes / 1e3)),
        bytes if bytes < 1e9 => format!("{} MB", number(bytes / 1e6)),
        bytes => format!("{} GB", number(bytes / 1e9)),
    }
}
