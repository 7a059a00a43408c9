//! The first reference to an override, against the same steps by hand.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion};
use granit_parser::Parser;
use minijinja::{Environment, context};
use prompt_slots::{PromptLoader, slots};
use serde::Deserialize;

/// What a loader by hand reads: the keys that the file has, checked by type.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ByHand {
    enabled: bool,
    template: String,
    llm: Llm,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Llm {
    model: String,
    temperature: f64,
}

/// Writes an override of about this many bytes: prose, with a placeholder every few lines.
fn override_of(bytes: usize) -> String {
    let mut text =
        String::from("enabled: true\nllm: {model: big, temperature: 0.2}\ntemplate: |\n");
    let mut line = 0;
    while text.len() < bytes {
        line += 1;
        if line % 12 == 1 {
            text.push_str("  {% if memcell.text %}Of {{ memcell.text }} keep this:{% endif %}\n");
        } else {
            text.push_str(
                "  - Say who did, asked, decided or promised what, as JSON, and how it ended.\n",
            );
        }
    }
    text
}

pub fn benches(c: &mut Criterion) {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("episode_extract.yaml");
    let loader = PromptLoader::builder().app_dir(dir.path()).build();
    let mut group = c.benchmark_group("first");
    for kib in [1, 4, 16, 64, 256] {
        fs::write(&path, override_of(kib * 1024)).expect("a file");
        group.bench_function(BenchmarkId::new("ours", kib), |b| {
            b.iter(|| {
                loader.refresh_slot("episode_extract");
                slots::EPISODE_EXTRACT
                    .load(&loader)
                    .expect("a valid override")
                    .expect("an enabled slot")
            });
        });
        for cases in [1, 3] {
            group.bench_function(
                BenchmarkId::new(format!("by hand, {cases} rendered"), kib),
                |b| {
                    b.iter(|| by_hand(&path, cases));
                },
            );
        }
        let text = fs::read_to_string(&path).expect("a file");
        group.bench_function(BenchmarkId::new("the events alone", kib), |b| {
            b.iter(|| events(&text));
        });
    }
}

/// Reads the events of a YAML file, as ours does before it is parsed: they bound what parsing can cost, and have the places.
fn events(text: &str) -> usize {
    Parser::new_from_str(text)
        .map(|event| black_box(event.expect("valid YAML")))
        .count()
}

/// Reads, parses, compiles and renders, without a check of anything else.
fn by_hand(path: &Path, cases: usize) -> String {
    let text = fs::read_to_string(path).expect("a file");
    let slot: ByHand = serde_yaml::from_str(&text).expect("a valid override");
    let mut env = Environment::new();
    env.add_template("t", &slot.template)
        .expect("a valid template");
    let template = env.get_template("t").expect("the template");
    for _ in 0..cases {
        let memcell = context! { text => "Mira: Can we move the dentist to Thursday?" };
        black_box(template.render(context! { memcell }).expect("a prompt"));
    }
    black_box((slot.enabled, slot.llm.model, slot.llm.temperature));
    slot.template
}
