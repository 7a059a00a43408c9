//! One call with settings or a text of its own, and rendering.

use std::hint::black_box;
use std::path::Path;

use criterion::Criterion;
use figment::Figment;
use figment::providers::{Format as _, Yaml};
use minijinja::Environment;
use minijinja::value::Serde;
use prompt_slots::{Override, PromptLoader, Slot, slots};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
struct Episode {
    memcell: MemCell,
}

#[derive(Serialize)]
struct MemCell {
    text: &'static str,
}

#[derive(Serialize)]
struct Boundaries {
    history: Vec<Message>,
    messages: Vec<Message>,
}

#[derive(Serialize)]
struct Message {
    speaker: &'static str,
    text: &'static str,
    time: &'static str,
}

fn message(text: &'static str) -> Message {
    Message {
        speaker: "Mira",
        text,
        time: "09:12",
    }
}

const EPISODE: Episode = Episode {
    memcell: MemCell {
        text: "Mira: Can we move the dentist to Thursday?\nJonas: Thursday at 16:30 works, I'll call them.\n",
    },
};

const TEMPLATE: &str = "Summarise as JSON, in three sentences:\n\n{{ memcell.text }}\n";

pub fn benches(c: &mut Criterion) {
    resolve(c);
    jinja(c);
    fstring(c);
    from_a_name(c);
}

fn resolve(c: &mut Criterion) {
    let loader = PromptLoader::builder().without_app_layer().build();
    let mut group = c.benchmark_group("resolve");
    let overrides = [
        ("nothing", Override::new()),
        ("llm alone", Override::new().model("big").temperature(0.0)),
        ("the template", Override::new().template(TEMPLATE)),
    ];
    for (what, over) in &overrides {
        group.bench_function(*what, |b| {
            b.iter(|| {
                slots::EPISODE_EXTRACT
                    .resolve(&loader, over)
                    .expect("a valid override")
            });
        });
    }
    // The whole slot from two texts, as a program does that has no cache of its own.
    let below = prompt_slots::BUNDLE
        .original("episode_extract")
        .expect("a default");
    group.bench_function("figment, two layers", |b| {
        b.iter(|| {
            let layers = Figment::new()
                .merge(Yaml::string(below))
                .merge(Yaml::string(
                    "enabled: true\nllm: {model: big, temperature: 0.0}\n",
                ));
            layers.extract::<Merged>().expect("a valid slot")
        });
    });
}

/// What figment merges into.
#[derive(Deserialize)]
#[expect(dead_code, reason = "only read into")]
struct Merged {
    enabled: bool,
    template: String,
    llm: Settings,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only read into")]
struct Settings {
    model: String,
    temperature: f64,
    max_tokens: u32,
}

fn enabled(loader: &PromptLoader, name: &str) -> Slot {
    loader
        .resolve(name, &Override::new().enabled(true))
        .expect("a default")
}

fn jinja(c: &mut Criterion) {
    let loader = PromptLoader::builder().without_app_layer().build();
    let boundaries = Boundaries {
        history: vec![message("The nightly build is red again.")],
        messages: vec![
            message("Same test as yesterday?"),
            message("Yes."),
            message("Lunch?"),
        ],
    };
    let mut group = c.benchmark_group("render");
    let mut pair =
        |name: &str,
         ours: &mut dyn FnMut(&Slot) -> usize,
         theirs: &mut dyn FnMut(&minijinja::Template<'_, '_>) -> usize| {
            let slot = enabled(&loader, name);
            let text = slot.text().expect("a template");
            let mut env = Environment::new();
            env.add_template("t", &text).expect("a valid template");
            let template = env.get_template("t").expect("the template");
            group.bench_function(format!("{name}, ours"), |b| {
                b.iter(|| ours(black_box(&slot)))
            });
            group.bench_function(format!("{name}, minijinja"), |b| {
                b.iter(|| theirs(black_box(&template)))
            });
        };
    pair(
        "episode_extract",
        &mut |slot| {
            slot.render(&EPISODE)
                .expect("a prompt")
                .map_or(0, |text| text.len())
        },
        &mut |template| template.render(Serde(&EPISODE)).expect("a prompt").len(),
    );
    pair(
        "boundary_detection",
        &mut |slot| {
            slot.render(&boundaries)
                .expect("a prompt")
                .map_or(0, |text| text.len())
        },
        &mut |template| template.render(Serde(&boundaries)).expect("a prompt").len(),
    );
}

#[derive(Serialize)]
struct Greeting {
    name: &'static str,
    tone: &'static str,
    topic: &'static str,
}

const GREETING: &str = "Greet {name} {tone}, and ask about {topic}.\nWrite one sentence for {name}, and nothing else.\n";

fn fstring(c: &mut Criterion) {
    let yaml = format!(
        "enabled: true\ntemplate_format: f-string\nvariables: {{name: a, tone: b, topic: c}}\ntemplate: {GREETING:?}\n"
    );
    let loader = PromptLoader::builder()
        .app_memory([("greeting", yaml)])
        .build();
    let slot = loader
        .resolve("greeting", &Override::new())
        .expect("a valid slot");
    let values = Greeting {
        name: "Mira",
        tone: "warmly",
        topic: "the dentist",
    };
    let mut group = c.benchmark_group("render");
    group.bench_function("f-string, ours", |b| {
        b.iter(|| black_box(&slot).render(&values).expect("a prompt"))
    });
    group.bench_function("f-string, str::replace", |b| {
        b.iter(|| {
            black_box(GREETING)
                .replace("{name}", values.name)
                .replace("{tone}", values.tone)
                .replace("{topic}", values.topic)
        });
    });
}

/// From a name to a prompt, each time anew.
fn from_a_name(c: &mut Criterion) {
    let loader = PromptLoader::builder()
        .app_memory([("episode_extract", "enabled: true\n")])
        .build();
    let slot = enabled(&loader, "episode_extract");
    let text = slot.text().expect("a template");
    let mut group = c.benchmark_group("name to prompt");
    group.bench_function("ours", |b| {
        let unchanged = Override::new();
        b.iter(|| {
            loader
                .resolve(black_box("episode_extract"), &unchanged)
                .expect("a slot")
                .render(&EPISODE)
                .expect("a prompt")
        });
    });
    let dir = Path::new("/nonexistent/prompt_slots");
    group.bench_function("file, else embedded text; parsed each time", |b| {
        b.iter(|| {
            let path = dir.join("episode_extract.j2");
            let own = path
                .exists()
                .then(|| std::fs::read_to_string(path).expect("a file"));
            let mut env = Environment::new();
            env.add_template("t", own.as_deref().unwrap_or(&text))
                .expect("a valid template");
            env.get_template("t")
                .expect("the template")
                .render(Serde(&EPISODE))
                .expect("a prompt")
        });
    });
}
