//! A default by its name, found and not found, against the number of slots.

use std::collections::HashMap;
use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput};
use minijinja::Environment;
use prompt_slots::PromptLoader;
use prompt_slots_made as made;
use prompt_slots_tables::{ALL, Tables};

/// One pass asks for this many slots, in no order, so that the loop around them costs next to nothing, and large tables
/// are not in the nearest cache.
pub const PASS: usize = 1024;

/// Returns the indices of a pass: as if drawn by lot, and the same in every run.
pub fn pass(slots: usize) -> Vec<usize> {
    let mut state = 1_u64;
    let draw = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % slots
    };
    (0..PASS).map(draw).collect()
}

/// Returns a loader of these slots that reads no file.
pub fn loader(tables: &Tables) -> PromptLoader {
    PromptLoader::builder()
        .bundle(tables.bundle)
        .without_app_layer()
        .build()
}

pub fn benches(c: &mut Criterion) {
    for tables in ALL {
        let hits: Vec<String> = pass(tables.slots).into_iter().map(made::name).collect();
        let misses: Vec<String> = pass(tables.slots)
            .into_iter()
            .map(made::missing_name)
            .collect();
        by_name(c, "hit", tables, &hits);
        by_name(c, "miss", tables, &misses);
        without_a_name(c, tables);
    }
}

fn by_name(c: &mut Criterion, group: &str, tables: &Tables, names: &[String]) {
    let mut group = c.benchmark_group(group);
    group.throughput(Throughput::Elements(PASS as u64));
    let mut bench = |peer: &str, find: &mut dyn FnMut(&str)| {
        group.bench_function(BenchmarkId::new(peer, tables.slots), |b| {
            b.iter(|| names.iter().for_each(|name| find(black_box(name))));
        });
    };
    let loader = loader(tables);
    bench("ours, by name", &mut |name| {
        let _ = black_box(loader.load(name));
    });
    bench("bare phf", &mut |name| {
        let _ = black_box(tables.phf.get(name));
    });
    let map: HashMap<&str, &str> = tables
        .phf
        .entries()
        .map(|(name, text)| (*name, *text))
        .collect();
    bench("std HashMap", &mut |name| {
        let _ = black_box(map.get(name));
    });
    bench("rustc match", &mut |name| {
        let _ = black_box((tables.by_match)(name));
    });
    let mut env = Environment::new();
    (tables.embed)(&mut env);
    bench("minijinja-embed", &mut |name| {
        let _ = black_box(env.get_template(name));
    });
    if tables.slots > 1000 {
        // It looks through all files in turn: two milliseconds a call.
        return;
    }
    let dir = Path::new("/nonexistent/prompt_slots");
    bench("file, else embedded file", &mut |name| {
        let file = format!("{name}.yaml");
        let path = dir.join(&file);
        if path.exists() {
            let _ = black_box(std::fs::read_to_string(path).ok());
        } else {
            let _ = black_box(tables.dir.get_file(file));
        }
    });
}

fn without_a_name(c: &mut Criterion, tables: &Tables) {
    let mut group = c.benchmark_group("hit");
    group.throughput(Throughput::Elements(PASS as u64));
    let loader = loader(tables);
    let indices = pass(tables.slots);
    let handles: Vec<_> = indices.iter().map(|index| tables.handles[*index]).collect();
    group.bench_function(BenchmarkId::new("ours, by handle", tables.slots), |b| {
        b.iter(|| {
            handles.iter().for_each(|handle| {
                let _ = black_box(black_box(*handle).load(&loader));
            })
        });
    });
    let texts: Vec<_> = indices.iter().map(|index| tables.texts[*index]).collect();
    group.bench_function(BenchmarkId::new("static pointer", tables.slots), |b| {
        b.iter(|| {
            texts.iter().for_each(|text| {
                let _ = black_box(*text);
            })
        });
    });
}
