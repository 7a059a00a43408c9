//! Ours and the peers, in one process and one run.

mod cached;
mod first;
mod lookup;
mod render;
mod start;

use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};

/// Short, so that all of it takes a few minutes: what counts here are ratios of two and more.
fn config() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(600))
        .sample_size(20)
        .nresamples(2000)
}

criterion_group! {
    name = benches;
    config = config();
    targets = lookup::benches, cached::benches, first::benches, render::benches, start::benches
}
criterion_main!(benches);
