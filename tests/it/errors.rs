//! The text of every error, as people read it. A change of words shows up as a change of the snapshot.

use std::fmt::Write as _;
use std::fs;

use prompt_slots::{Error, Override, PromptLoader, YamlConfigLoader, slots};

use crate::support::{AppDir, GREETING, bundle_of, fold, greeter};

/// Collects errors with a title each.
#[derive(Default)]
struct Texts(String);

impl Texts {
    #[track_caller]
    fn add<T>(&mut self, title: &str, answer: Result<T, Error>) {
        let Err(error) = answer else {
            panic!("{title}: this is no error")
        };
        let text = &mut self.0;
        writeln!(
            text,
            "# {title}\n{:?}\n{error}\n----\n{error:#}\n",
            error.kind()
        )
        .unwrap();
    }
}

#[test]
fn errors_of_names_roots_and_handles() {
    let mut texts = Texts::default();
    let loader = greeter().without_app_layer().build();
    for name in [
        "",
        "../secret",
        "a\u{1b}[31m",
        "Greeting",
        "_x",
        "con",
        "self",
        &"a".repeat(65),
    ] {
        texts.add(
            &format!("load {:?}", &name[..name.len().min(12)]),
            loader.load(name),
        );
    }
    texts.add(
        "resolve an unknown slot that is near another",
        loader.resolve("greting", &Override::new()),
    );
    texts.add(
        "resolve an unknown slot",
        loader.resolve("nobody", &Override::new()),
    );
    texts.add(
        "a handle of another bundle",
        slots::EPISODE_EXTRACT.load(&loader),
    );
    texts.add("an empty root", greeter().root("").build().load("greeting"));
    insta::assert_snapshot!(texts.0);
}

// What the system says, and what can be in the place of a file, is Linux here.
#[cfg(target_os = "linux")]
#[test]
fn errors_of_files() {
    use std::os::unix::fs::symlink;
    let mut texts = Texts::default();
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    dir.write("greeting.yml", "");
    texts.add("a look-alike", loader.load("greeting"));
    fs::create_dir(dir.file("greeting.yaml")).unwrap();
    texts.add("a directory", loader.load("greeting"));
    fs::remove_dir(dir.file("greeting.yaml")).unwrap();
    dir.write("greeting.yaml", vec![b'#'; (1 << 20) + 1]);
    texts.add("too large", loader.load("greeting"));
    dir.remove("greeting.yaml");
    symlink("nowhere", dir.file("greeting.yaml")).unwrap();
    texts.add("a dangling link", loader.load("greeting"));
    dir.remove("greeting.yaml");
    symlink("greeting.yaml", dir.file("greeting.yaml")).unwrap();
    texts.add("a link to itself", loader.load("greeting"));
    dir.remove("greeting.yaml");
    symlink("/dev/null", dir.file("greeting.yaml")).unwrap();
    texts.add("a device", loader.load("greeting"));
    dir.remove("greeting.yaml");
    dir.write("file", "");
    texts.add(
        "an app directory that is a file",
        greeter().app_dir(dir.file("file")).build().load("greeting"),
    );
    texts.add(
        "its list",
        greeter().app_dir(dir.file("file")).build().names(),
    );
    insta::assert_snapshot!(dir.without_path(&texts.0));
}

#[test]
fn errors_of_an_override() {
    let mut texts = Texts::default();
    let mut add = |title: &str, yaml: &str| texts.add(title, fold(GREETING, yaml, ""));
    add(
        "a misspelt key and a wrong type",
        "templte: x\nenabled: yes\n",
    );
    add(
        "several wrong settings",
        "llm:\n  temperature: 3\n  max_tokens: 0\n  model: 4.10\n",
    );
    add("no yaml", "template: 'x\n");
    add(
        "a syntax error of the template",
        "template: |\n  Hi {{ name }}, {{ tone }}\n  {% if name %}\n",
    );
    add(
        "an undeclared name",
        "template: |\n  Hi {{ name }}, {{ tone }}\n  {{ nmae }}\n",
    );
    add(
        "an undeclared name in added text",
        "template_append: |\n  Bye,\n  your {{ frend }}\n",
    );
    add(
        "a required variable that is not used",
        "template: Hi {{ tone }}\n",
    );
    add("the other format", "template: 'Hi {name} {{ tone }}'\n");
    add(
        "a brace of an f-string",
        "template: |\n  Hi {name} {tone}\n  {\"json\": 1}\ntemplate_format: f-string\n",
    );
    add(
        "a lost anchor",
        "template_edits:\n  - find: Say goodbye to {{ name }}.\n    replace: x\n",
    );
    add(
        "an anchor without a neighbour",
        "template_edits:\n  - {find: zzzzzz, replace: x}\n",
    );
    add(
        "an anchor that stands twice",
        "template_edits:\n  - {find: '{{', replace: x}\n",
    );
    add("a format without a template", "template_format: f-string\n");
    add(
        "a template beside edits",
        "template: '{{ name }}'\ntemplate_append: x\n",
    );
    add(
        "a new variable without a default",
        "variables: {extra: mine}\n",
    );
    add(
        "a variable that becomes required",
        "variables:\n  tone: {required: true}\n",
    );
    add(
        "a case of the default that fails",
        "template: '{{ name|length }} {{ tone }}'\n",
    );
    add(
        "a case of its own that lacks a value",
        "validation:\n  test_cases:\n    - {name: lonely, input: {}}\n",
    );
    add(
        "a case of its own with a stranger",
        "validation:\n  test_cases:\n    - input: {name: x, tune: y}\n",
    );
    add(
        "null where there is nothing to take back",
        "enabled: null\nvariables: {name: null}\n",
    );
    texts.add(
        "edits of no text",
        fold("enabled: true\n", "template_append: x\n", ""),
    );
    insta::assert_snapshot!(texts.0);
}

#[test]
fn errors_of_a_call() {
    let mut texts = Texts::default();
    let loader = PromptLoader::builder()
        .bundle(bundle_of(GREETING))
        .without_app_layer()
        .build();
    let mut add = |title: &str, over: Override| texts.add(title, loader.resolve("greeting", &over));
    add(
        "a template with a stranger",
        Override::new().template("Hi {{ name }}\n{{ nobody }} {{ tone }}"),
    );
    add(
        "settings out of range",
        Override::new().temperature(3.0).max_tokens(0).top_p(-1.0),
    );
    add(
        "empty settings",
        Override::new().model(" ").stop([""]).extra("", 1),
    );
    add(
        "an addition with a stranger",
        Override::new().append("Hi\n  {{ nobody }}"),
    );
    add(
        "a text over the limit",
        Override::new().append("x".repeat((1 << 20) + 1)),
    );
    add(
        "an edit of what is not there",
        Override::new().edit("Speak with a calm tone", "x"),
    );
    add(
        "template and additions",
        Override::new().template("{{ name }}").append("x"),
    );
    add(
        "a format alone",
        Override::new().template_format(prompt_slots::Format::FString),
    );
    add(
        "no variable name",
        Override::new().variable_default("a b", 1),
    );
    add(
        "a default of null",
        Override::new().variable_default("tone", ()),
    );
    add(
        "a schema that is no map",
        Override::new().output_schema("text"),
    );
    texts.add("yaml of a call", Override::from_yaml("llm: {modle: x}\n"));
    let slot = loader.resolve("greeting", &Override::new()).unwrap();
    let pairs = |names: &[&'static str]| {
        names
            .iter()
            .map(|name| (*name, 1))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    texts.add("a missing value", slot.render(&()));
    texts.add(
        "a stranger among the values",
        slot.render(&pairs(&["name", "tune"])),
    );
    texts.add("values that are no map", slot.render(&5));
    let slot = loader
        .resolve(
            "greeting",
            &Override::new().append("{{ name.a if name is number }}"),
        )
        .unwrap();
    texts.add("a failing expression", slot.render(&pairs(&["name"])));
    insta::assert_snapshot!(texts.0);
}

#[test]
fn errors_of_plain_configuration() {
    let mut texts = Texts::default();
    let dir = AppDir::new();
    fs::create_dir(dir.file("models")).unwrap();
    for (name, content) in [
        ("small", "a: 1\n"),
        ("list", "- a\n"),
        ("twice", "a: 1\na: 2\n"),
        ("torn", "a: [1\n"),
    ] {
        dir.write(&format!("models/{name}.yaml"), content);
    }
    fs::create_dir(dir.file("models/dir.yaml")).unwrap();
    let loader = YamlConfigLoader::new(dir.path());
    texts.add("no category at all", loader.find("models", "small"));
    let loader = loader.with_categories([("models", None), ("alphas", None)]);
    texts.add(
        "a category that is near another",
        loader.find("model", "small"),
    );
    texts.add("a category that is not", loader.list("zzz"));
    texts.add("a name that is near another", loader.find("models", "smal"));
    texts.add("a name that is not", loader.find("models", "zzz"));
    for name in ["../small", "list", "twice", "torn", "dir"] {
        texts.add(&format!("find {name:?}"), loader.find("models", name));
    }
    insta::assert_snapshot!(dir.without_path(&texts.0));
}
