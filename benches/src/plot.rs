//! Plots, as SVG: lines on two logarithmic axes, on which what is linear climbs at 45 degrees, and what is constant is level.

use std::fmt::Write as _;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 200.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 8] = [
    "#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#117a65", "#5d6d7e", "#6e2c00",
];

/// A line of a plot.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// One axis: its decades, and where they lie.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = (low.log10().floor(), high.log10().ceil());
        Self {
            low,
            high: high.max(low + 1.0),
            from,
            to,
        }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value.log10() - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn decades(&self) -> impl Iterator<Item = f64> {
        let (mut next, high) = (self.low, self.high);
        std::iter::from_fn(move || {
            let decade = (next <= high).then(|| 10_f64.powf(next));
            next += 1.0;
            decade
        })
    }
}

/// Draws lines; `label` writes a value of the upright axis.
pub fn plot(title: &str, across: &str, label: fn(f64) -> String, series: &[Series]) -> String {
    let points = || series.iter().flat_map(|series| &series.points);
    let x = Axis::new(points().map(|point| point.0), LEFT, WIDTH - RIGHT);
    let y = Axis::new(points().map(|point| point.1), HEIGHT - BOTTOM, TOP);
    let mut out = String::new();
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
<text x="{LEFT}" y="22" font-size="15">{title}</text>
<text x="{LEFT}" y="{}">{across}</text>"##,
        HEIGHT - 12.0
    );
    for decade in x.decades() {
        let at = x.place(decade);
        let _ = writeln!(
            out,
            r##"<path d="M{at:.1} {TOP}V{:.1}" stroke="#ddd"/><text x="{at:.1}" y="{:.1}" text-anchor="middle">{decade}</text>"##,
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 16.0
        );
    }
    for decade in y.decades() {
        let at = y.place(decade);
        let _ = writeln!(
            out,
            r##"<path d="M{LEFT} {at:.1}H{:.1}" stroke="#ddd"/><text x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"##,
            WIDTH - RIGHT,
            LEFT - 6.0,
            at + 4.0,
            label(decade)
        );
    }
    for (index, (line, colour)) in series.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let at: Vec<_> = line
            .points
            .iter()
            .map(|point| format!("{:.1},{:.1}", x.place(point.0), y.place(point.1)))
            .collect();
        let _ = writeln!(
            out,
            r#"<polyline points="{}" fill="none" stroke="{colour}" stroke-width="2"/>"#,
            at.join(" ")
        );
        let legend = f64::from(u32::try_from(index).unwrap_or(0)) * 18.0 + TOP + 8.0;
        let _ = writeln!(
            out,
            r#"<text x="{:.1}" y="{legend:.1}" fill="{colour}">{}</text>"#,
            WIDTH - RIGHT + 12.0,
            line.name
        );
    }
    out + "</svg>\n"
}
