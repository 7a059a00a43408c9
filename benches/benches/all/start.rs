//! What has to be done before the first slot can be had.

use std::collections::HashMap;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use minijinja::Environment;
use prompt_slots_tables::ALL;
use serde_yaml::Mapping;

use crate::lookup;

pub fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("start");
    for tables in ALL {
        let name = tables.names[0];
        group.bench_function(
            BenchmarkId::new("ours: new loader, one load", tables.slots),
            |b| {
                b.iter(|| lookup::loader(tables).load(black_box(name)));
            },
        );
        group.bench_function(
            BenchmarkId::new("std HashMap: fill it", tables.slots),
            |b| {
                b.iter(|| {
                    tables
                        .names
                        .iter()
                        .zip(tables.texts)
                        .collect::<HashMap<_, _>>()
                });
            },
        );
        if tables.slots > 1000 {
            // Linear from here on, and seconds for each turn.
            continue;
        }
        group.bench_function(
            BenchmarkId::new("minijinja-embed: compile all", tables.slots),
            |b| {
                b.iter(|| {
                    let mut env = Environment::new();
                    (tables.embed)(&mut env);
                    env
                });
            },
        );
        group.bench_function(
            BenchmarkId::new("include_dir: parse all", tables.slots),
            |b| {
                b.iter(|| {
                    let parsed = tables.dir.files().filter_map(|file| {
                        let slot: Mapping = serde_yaml::from_str(file.contents_utf8()?).ok()?;
                        Some((file.path().to_owned(), slot))
                    });
                    parsed.collect::<HashMap<_, _>>()
                });
            },
        );
    }
}
