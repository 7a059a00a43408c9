//! What `load` answers, and when it answers `None`.

use prompt_slots::{ErrorKind, PromptLoader, slots};

use crate::support::{AppDir, GREETING, bundle_of, greeter, layered};

#[test]
fn a_disabled_default_is_none_by_name_and_by_handle() {
    let loader = PromptLoader::builder().without_app_layer().build();
    assert_eq!(loader.load("episode_extract").unwrap(), None);
    assert_eq!(slots::EPISODE_EXTRACT.load(&loader).unwrap(), None);
}

#[test]
fn an_enabled_default_is_its_text() {
    let loader = greeter().without_app_layer().build();
    let template = loader.load("greeting").unwrap().unwrap();
    assert_eq!(
        template,
        "Say hello to {{ name }}.\nSpeak in a {{ tone }} tone.\n"
    );
}

#[test]
fn a_default_that_nothing_enables_is_none() {
    for yaml in [
        "template: hello\n",
        "enabled: false\ntemplate: hello\n",
        "enabled: true\n",
        "enabled: true\ntemplate: ''\n",
        "enabled: true\ntemplate: \" \\n\\t \"\n",
        "",
        "# nothing but a comment\n",
    ] {
        let loader = PromptLoader::builder()
            .bundle(bundle_of(yaml))
            .without_app_layer()
            .build();
        assert_eq!(loader.load("greeting").unwrap(), None, "{yaml:?}");
    }
}

#[test]
fn an_override_decides_whether_the_default_is_used() {
    for (bundled, app, expected) in [
        ("template: hello\n", "enabled: true\n", Some("hello")),
        ("enabled: true\ntemplate: hello\n", "enabled: false\n", None),
        ("enabled: true\ntemplate: hello\n", "template: ''\n", None),
        (
            "enabled: true\ntemplate: hello\n",
            "template: \"\\n\"\n",
            None,
        ),
        ("enabled: true\ntemplate: hello\n", "", Some("hello")),
        ("enabled: true\n", "template: bye\n", Some("bye")),
        ("template: hello\n", "template: bye\n", None),
    ] {
        let template = layered(bundled, app).load("greeting").unwrap();
        assert_eq!(template.as_deref(), expected, "{bundled:?} under {app:?}");
    }
}

#[test]
fn a_slot_in_the_app_directory_alone_needs_two_keys() {
    let loader = greeter()
        .app_memory([
            (
                "extra",
                "enabled: true\ntemplate: 'as {it} is {{ written'\n",
            ),
            ("off", "template: text\n"),
        ])
        .build();
    let template = loader.load("extra").unwrap().unwrap();
    assert_eq!(template, "as {it} is {{ written");
    assert_eq!(loader.load("off").unwrap(), None);
    assert_eq!(loader.names().unwrap(), ["extra", "greeting", "off"]);
}

#[test]
fn a_name_that_no_layer_has_is_none() {
    let dir = AppDir::new();
    let with_dir = greeter().app_dir(dir.path()).build();
    let without_dir = greeter().app_dir(dir.file("missing")).build();
    let off = greeter().without_app_layer().build();
    for loader in [with_dir, without_dir, off] {
        assert_eq!(loader.load("nobody").unwrap(), None);
        assert!(loader.load("greeting").unwrap().is_some());
    }
}

#[test]
fn the_text_is_what_yaml_says_byte_for_byte() {
    for (scalar, expected) in [
        ("|\n  a\n\n  b\n\n\n", "a\n\nb\n"),
        ("|-\n  a\n", "a"),
        ("|+\n  a\n\n\n", "a\n\n\n"),
        ("|\n  a\tb \n  \tc\n", "a\tb \n\tc\n"),
        ("|2\n    deep\n  flat\n", "  deep\nflat\n"),
        ("\"\\ta\\r\\n\\u2028\\\\\\n\\n\"\n", "\ta\r\n\u{2028}\\\n\n"),
        ("'{{ a }}{% raw %}{#'\n", "{{ a }}{% raw %}{#"),
        ("|\n  小林：明天\n", "小林：明天\n"),
    ] {
        let yaml = format!("enabled: true\ntemplate: {scalar}");
        let loader = greeter().app_memory([("opaque", yaml)]).build();
        let template = loader.load("opaque").unwrap().unwrap();
        assert_eq!(template.as_str(), expected, "{scalar:?}");
    }
}

#[test]
fn a_windows_file_is_the_slot_that_its_unix_twin_is() {
    let unix = GREETING.to_owned();
    let windows = format!("\u{feff}{}", GREETING.replace('\n', "\r\n"));
    let slots = [unix, windows].map(|yaml| {
        let loader = greeter().app_memory([("twin", yaml)]).build();
        loader
            .resolve("twin", &prompt_slots::Override::new())
            .unwrap()
    });
    assert_eq!(slots[0].text(), slots[1].text());
    assert_eq!(slots[0].fingerprint(), slots[1].fingerprint());
}

#[test]
fn the_text_of_a_default_is_borrowed_from_the_program() {
    let loader = greeter().without_app_layer().build();
    let first = loader.load("greeting").unwrap().unwrap();
    let second = loader.load("greeting").unwrap().unwrap();
    assert_eq!(first.as_str().as_ptr(), second.as_str().as_ptr());
    assert_eq!(first.as_str().as_ptr(), first.clone().as_str().as_ptr());
}

#[test]
fn the_text_of_an_override_is_shared_not_copied() {
    let loader = layered(GREETING, "template: 'Hi {{ name }}, {{ tone }}'\n");
    let first = loader.load("greeting").unwrap().unwrap();
    let second = loader.clone().load("greeting").unwrap().unwrap();
    assert_eq!(first.as_str().as_ptr(), second.as_str().as_ptr());
}

#[test]
fn a_template_reads_as_text_in_every_way() {
    let loader = greeter()
        .app_memory([("x", "enabled: true\ntemplate: hi\n")])
        .build();
    let template = loader.load("x").unwrap().unwrap();
    let as_ref: &str = template.as_ref();
    assert_eq!(as_ref, "hi");
    assert_eq!(template.len(), 2);
    assert_eq!(
        format!("{template}|{template:?}|{template:>4}"),
        "hi|\"hi\"|  hi"
    );
}

const NO_NAMES: [&str; 16] = [
    "",
    ".",
    "..",
    "../secret",
    "..\\secret",
    "/etc/passwd",
    "a/../../b",
    "C:x",
    "..%2Fx",
    "a\0b",
    "a.b",
    "A",
    "_a",
    "café",
    "nul",
    "a\n",
];

#[test]
fn what_can_name_no_slot_is_an_error() {
    let loader = greeter().without_app_layer().build();
    let long = "a".repeat(300);
    for name in NO_NAMES.into_iter().chain([&*long]) {
        let error = loader.load(name).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::InvalidName, "{name:?}: {error}");
        let over = prompt_slots::Override::new().template("x");
        let error = loader.resolve(name, &over).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::InvalidName, "{name:?}: {error}");
    }
}

#[test]
fn a_name_of_64_characters_is_the_longest() {
    let loader = greeter().without_app_layer().build();
    assert_eq!(loader.load(&"a".repeat(64)).unwrap(), None);
    let error = loader.load(&"a".repeat(65)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidName);
}

#[test]
fn an_invalid_name_reads_nothing_not_even_the_app_directory() {
    let outside = AppDir::new();
    outside.write("secret.yaml", "enabled: true\ntemplate: stolen\n");
    std::fs::create_dir(outside.file("prompt_slots")).unwrap();
    outside.write("prompt_slots/secrets.yaml", "enabled: true\n");
    let loader = greeter().root(outside.path()).build();
    let error = loader.load("../secret").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidName);
    // A hint that names the neighbour would show that the directory was listed.
    assert!(!format!("{error:#}").contains("`secrets`"), "{error:#}");
}

#[test]
fn names_of_no_file_take_no_memory_and_no_notice() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    for number in 0..1000 {
        assert_eq!(loader.load(&format!("guess-{number}")).unwrap(), None);
    }
    assert_eq!(loader.findings(), []);
    // What is not remembered is seen as soon as it is there.
    dir.write("guess-7.yaml", "enabled: true\ntemplate: found\n");
    assert_eq!(loader.load("guess-7").unwrap().as_deref(), Some("found"));
}
