//! Warm calls: with and without an override, by one thread and by more, and while another one refreshes.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use criterion::{Bencher, BenchmarkId, Criterion, Throughput};
use prompt_slots::{PromptLoader, Reload, slots};
use prompt_slots_tables::ALL;

const NAME: &str = "episode_extract";
const PASS: u64 = 1024;

/// Returns a loader with an override of `episode_extract`.
fn with_override(reload: Reload) -> PromptLoader {
    PromptLoader::builder()
        .app_memory([(NAME, "enabled: true\nllm: {model: big}\n")])
        .reload(reload)
        .build()
}

pub fn benches(c: &mut Criterion) {
    let hourly = Reload::Every(Duration::from_hours(1));
    let off = PromptLoader::builder().without_app_layer().build();
    let off_hourly = PromptLoader::builder()
        .without_app_layer()
        .reload(hourly)
        .build();
    let manual = with_override(Reload::Manual);
    let timed = with_override(hourly);
    let locked = RwLock::new(HashMap::from([(NAME.to_owned(), Arc::<str>::from("text"))]));
    let phf = ALL[0].phf;
    let some_name = ALL[0].names[0];

    calls(c, "default, by name", &|| {
        let _ = black_box(off.load(black_box(NAME)));
    });
    calls(c, "default, by handle", &|| {
        let _ = black_box(slots::EPISODE_EXTRACT.load(&off));
    });
    calls(c, "default, by name, Every", &|| {
        let _ = black_box(off_hourly.load(black_box(NAME)));
    });
    calls(c, "override, by name", &|| {
        let _ = black_box(manual.load(black_box(NAME)));
    });
    calls(c, "override, by handle", &|| {
        let _ = black_box(slots::EPISODE_EXTRACT.load(&manual));
    });
    calls(c, "override, by name, Every", &|| {
        let _ = black_box(timed.load(black_box(NAME)));
    });
    calls(c, "the clock, then an override, by name", &|| {
        black_box(Instant::now());
        let _ = black_box(manual.load(black_box(NAME)));
    });
    calls(c, "bare phf", &|| {
        let _ = black_box(phf.get(black_box(some_name)));
    });
    calls(c, "RwLock of a HashMap of Arcs", &|| {
        let _ = black_box(
            locked
                .read()
                .expect("no panic")
                .get(black_box(NAME))
                .cloned(),
        );
    });
    calls(c, "the clock alone", &|| {
        let _ = black_box(Instant::now());
    });

    let refreshed = with_override(Reload::Manual);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                refreshed.refresh_slot(NAME);
                thread::sleep(Duration::from_millis(1));
            }
        });
        let mut group = c.benchmark_group("warm");
        group.throughput(Throughput::Elements(PASS));
        group.bench_function(
            BenchmarkId::new("override, by name, refreshed every millisecond", 1),
            |b| {
                on_threads(b, 1, &|| {
                    let _ = black_box(refreshed.load(black_box(NAME)));
                });
            },
        );
        group.finish();
        stop.store(true, Ordering::Relaxed);
    });
}

fn calls(c: &mut Criterion, what: &str, call: &(dyn Fn() + Sync)) {
    let mut group = c.benchmark_group("warm");
    group.throughput(Throughput::Elements(PASS));
    for threads in [1, 2, 4] {
        group.bench_function(BenchmarkId::new(what, threads), |b| {
            on_threads(b, threads, call)
        });
    }
}

/// Measures passes of calls, made by each of the threads at once: the time of the slowest.
fn on_threads(b: &mut Bencher<'_>, threads: usize, call: &(dyn Fn() + Sync)) {
    b.iter_custom(|passes| {
        let barrier = Barrier::new(threads);
        let work = || {
            barrier.wait();
            let start = Instant::now();
            (0..passes * PASS).for_each(|_| call());
            start.elapsed()
        };
        thread::scope(|scope| {
            let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            all.into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .max()
                .expect("a thread")
        })
    });
}
