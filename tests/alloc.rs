//! What a warm `load` costs in memory: nothing. A binary of its own, since it counts every allocation of the process.

use allocation_counter::measure;
use prompt_slots::{Override, PromptLoader, slots};

#[track_caller]
fn assert_free_of_allocations(what: &str, work: impl Fn()) {
    work();
    let counted = measure(|| (0..100).for_each(|_| work()));
    assert_eq!(counted.count_total, 0, "{what}");
}

/// Sets up a loader with and one without an override of `episode_extract`.
fn loaders() -> [PromptLoader; 2] {
    [
        PromptLoader::builder().without_app_layer().build(),
        PromptLoader::builder()
            .app_memory([("episode_extract", "enabled: true\nllm: {model: big}\n")])
            .build(),
    ]
}

#[test]
fn a_warm_load_by_name_allocates_nothing() {
    for loader in loaders() {
        assert_free_of_allocations("load by name", || {
            loader.load("episode_extract").unwrap();
        });
    }
}

#[test]
fn a_warm_load_by_handle_allocates_nothing() {
    for loader in loaders() {
        assert_free_of_allocations("load by handle", || {
            slots::EPISODE_EXTRACT.load(&loader).unwrap();
        });
    }
}

#[test]
fn a_warm_resolve_without_an_override_allocates_nothing() {
    let unchanged = Override::new();
    for loader in loaders() {
        assert_free_of_allocations("resolve", || {
            slots::EPISODE_EXTRACT.resolve(&loader, &unchanged).unwrap();
        });
    }
}

#[test]
fn the_count_sees_an_allocation() {
    let counted = measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(counted.count_total, 1);
}
