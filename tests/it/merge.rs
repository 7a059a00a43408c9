//! How three layers become one slot.

use prompt_slots::{Data, Format, Layer, Override, PromptLoader, Slot};

use crate::support::{AppDir, GREETING, bundle_of, fold, greeter, layered};

/// A default that sets nothing but what a case needs.
const PLAIN: &str =
    "enabled: true\nvariables: {who: a name}\ntemplate: \"one {{ who }}\\ntwo\\nthree\\n\"\n";

/// The leaf keys that take a value from any layer: the key, then three lines of YAML, one for each layer.
const LEAVES: [(&str, [&str; 3]); 11] = [
    (
        "enabled",
        ["enabled: true", "enabled: false", "enabled: true"],
    ),
    (
        "description",
        ["description: b", "description: a", "description: ''"],
    ),
    ("template", ["template: b", "template: a", "template: ''"]),
    (
        "llm.model",
        ["llm: {model: b}", "llm: {model: a}", "llm: {model: c}"],
    ),
    (
        "llm.temperature",
        [
            "llm: {temperature: 1}",
            "llm: {temperature: 0.5}",
            "llm: {temperature: 0}",
        ],
    ),
    (
        "llm.max_tokens",
        [
            "llm: {max_tokens: 3}",
            "llm: {max_tokens: 2}",
            "llm: {max_tokens: 1}",
        ],
    ),
    (
        "llm.top_p",
        ["llm: {top_p: 1}", "llm: {top_p: 0.5}", "llm: {top_p: 0}"],
    ),
    (
        "llm.stop",
        ["llm: {stop: [b]}", "llm: {stop: [a]}", "llm: {stop: []}"],
    ),
    (
        "llm.seed",
        ["llm: {seed: 2}", "llm: {seed: 1}", "llm: {seed: 0}"],
    ),
    (
        "llm.extra.k",
        [
            "llm: {extra: {k: b}}",
            "llm: {extra: {k: false}}",
            "llm: {extra: {k: []}}",
        ],
    ),
    (
        "output_schema",
        [
            "output_schema: {title: JSON}",
            "output_schema: {type: object}",
            "output_schema: {}",
        ],
    ),
];

/// Returns the value of a key as one layer writes it.
#[track_caller]
fn said(yaml: &str, key: &str) -> Data {
    let slot = layered("", yaml)
        .resolve("greeting", &Override::new())
        .unwrap();
    value(&slot, key).unwrap_or_else(|| panic!("{yaml} does not set {key}"))
}

fn value(slot: &Slot, key: &str) -> Option<Data> {
    let explained = slot
        .explain()
        .keys
        .into_iter()
        .find(|explained| explained.key == key)?;
    explained.value
}

#[test]
fn every_leaf_takes_the_value_of_the_highest_layer_that_sets_it() {
    for (key, [bundled, app, runtime]) in LEAVES {
        for (layers, winner, line) in [
            ([bundled, "", ""], Layer::Bundled, bundled),
            ([bundled, app, ""], Layer::App, app),
            ([bundled, "", runtime], Layer::Runtime, runtime),
            ([bundled, app, runtime], Layer::Runtime, runtime),
            (["", app, ""], Layer::App, app),
            (["", app, runtime], Layer::Runtime, runtime),
            (["", "", runtime], Layer::Runtime, runtime),
        ] {
            let slot = fold(layers[0], layers[1], layers[2]).unwrap();
            assert_eq!(
                value(&slot, key),
                Some(said(line, key)),
                "{key} of {layers:?}"
            );
            assert_eq!(
                slot.origin(key).map(|origin| origin.layer),
                Some(winner),
                "{key} of {layers:?}"
            );
        }
    }
}

#[test]
fn a_layer_that_says_nothing_changes_nothing() {
    let alone = fold(GREETING, "", "").unwrap();
    for nothing in [
        "",
        "{}",
        "# a comment\n",
        "x-note: mine\n",
        "llm:\n",
        "variables:\n",
        "validation:\n",
    ] {
        let over = fold(GREETING, nothing, nothing).unwrap();
        assert_eq!(over.fingerprint(), alone.fingerprint(), "{nothing:?}");
        assert_eq!(over.template(), alone.template(), "{nothing:?}");
    }
}

#[test]
fn what_is_empty_or_zero_is_said_all_the_same() {
    let slot = fold(
        GREETING,
        "description: ''\nllm: {temperature: 0, stop: [], extra: {reasoning: '', user: false}}\n",
        "llm: {top_p: 0.0, seed: 0}\n",
    )
    .unwrap();
    assert_eq!(slot.description(), Some(""));
    assert_eq!(slot.llm().temperature(), Some(0.0));
    assert_eq!(slot.llm().stop().map(|stop| stop.len()), Some(0));
    assert_eq!(slot.llm().extra("reasoning"), Some(&Data::from("")));
    assert_eq!(slot.llm().extra("user"), Some(&Data::Bool(false)));
    assert_eq!(slot.llm().top_p(), Some(0.0));
    assert_eq!(slot.llm().seed(), Some(0));
    assert_eq!(slot.llm().model(), Some("small"));
}

#[test]
fn enabled_false_and_an_empty_template_win() {
    assert!(!fold(PLAIN, "enabled: false", "").unwrap().is_enabled());
    assert_eq!(
        fold("enabled: true\ntemplate: x", "template: ''", "")
            .unwrap()
            .text()
            .as_deref(),
        Some("")
    );
}

#[test]
fn settings_merge_key_by_key_through_three_layers() {
    let slot = fold(
        "llm: {model: a, temperature: 0, max_tokens: 50}",
        "llm: {model: b}",
        "llm: {max_tokens: 9}",
    )
    .unwrap();
    assert_eq!(slot.llm().model(), Some("b"));
    assert_eq!(slot.llm().temperature(), Some(0.0));
    assert_eq!(slot.llm().max_tokens(), Some(9));
    let layers = ["llm.model", "llm.temperature", "llm.max_tokens"]
        .map(|key| slot.origin(key).unwrap().layer);
    assert_eq!(layers, [Layer::App, Layer::Bundled, Layer::Runtime]);
}

#[test]
fn an_output_schema_is_replaced_whole() {
    let slot = fold(
        "output_schema: {required: [a, b], properties: {a: {}, b: {}}}",
        "output_schema: {required: [a], properties: {c: {}}}",
        "",
    )
    .unwrap();
    let schema = slot.output_schema().unwrap();
    assert_eq!(
        schema.get("required"),
        Some(&Data::List([Data::from("a")].into_iter().collect()))
    );
    let properties = schema.get("properties").unwrap();
    assert!(properties.get("a").is_none() && properties.get("c").is_some());
}

#[test]
fn null_takes_back_what_the_layers_below_say() {
    for key in [
        "model",
        "temperature",
        "max_tokens",
        "top_p",
        "stop",
        "seed",
    ] {
        let null = format!("llm: {{{key}: null}}");
        let path = format!("llm.{key}");
        for (app, runtime, layer) in [(&*null, "", Layer::App), ("", &*null, Layer::Runtime)] {
            let slot = fold(GREETING, app, runtime).unwrap();
            assert_eq!(value(&slot, &path), None, "{path}");
            assert_eq!(
                slot.origin(&path).map(|origin| origin.layer),
                Some(layer),
                "{path}"
            );
        }
    }
    let slot = fold(GREETING, "llm: {extra: {user: ~}}\ndescription: null", "").unwrap();
    assert_eq!(slot.llm().extra("user"), None);
    assert_eq!(slot.llm().extras().count(), 1);
    assert_eq!(slot.description(), None);
    let slot = fold("output_schema: {type: object}", "output_schema: null", "").unwrap();
    assert_eq!(slot.output_schema(), None);
}

#[test]
fn a_value_above_a_null_is_in_force_again() {
    let slot = fold(
        GREETING,
        "llm: {model: null, extra: {user: null}}",
        "llm: {model: big, extra: {user: me}}",
    )
    .unwrap();
    assert_eq!(slot.llm().model(), Some("big"));
    assert_eq!(slot.llm().extra("user"), Some(&Data::from("me")));
}

#[test]
fn the_builder_takes_back_an_extra_with_a_null() {
    let loader = greeter().without_app_layer().build();
    let over = Override::new().extra("user", ()).extra("reasoning", "high");
    let slot = loader.resolve("greeting", &over).unwrap();
    assert_eq!(slot.llm().extra("user"), None);
    assert_eq!(slot.llm().extra("reasoning"), Some(&Data::from("high")));
}

#[test]
fn null_anywhere_else_is_an_error() {
    for yaml in [
        "enabled: null",
        "template: null",
        "template: ~",
        "template:",
        "template_format: null",
        "template_prepend: null",
        "template_append: null",
        "variables: {name: null}",
        "variables: {name: {default: null}}",
        "variables: {name: {description: null}}",
        "template_edits: [{find: Say, replace: null}]",
        "validation: {test_cases: [null]}",
        "based_on: null",
    ] {
        let error = fold(GREETING, yaml, "").expect_err(yaml);
        assert!(
            error
                .findings()
                .iter()
                .any(|finding| finding.message.contains("null")),
            "{yaml}: {error}"
        );
        assert!(Override::from_yaml(yaml).is_err(), "{yaml} at run time");
    }
}

#[test]
fn a_template_brings_its_format_and_inherits_it_otherwise() {
    let own = fold(
        GREETING,
        "template: 'Hi {name}, {tone}'\ntemplate_format: f-string",
        "",
    )
    .unwrap();
    assert_eq!(own.template_format(), Format::FString);
    let inherited = fold(GREETING, "template: 'Hi {{ name }}, {{ tone }}'", "").unwrap();
    assert_eq!(inherited.template_format(), Format::Jinja2);
    let unsaid = fold("template: x", "", "").unwrap();
    assert_eq!(unsaid.template_format(), Format::Jinja2);
}

#[test]
fn a_format_without_its_template_is_an_error() {
    let app = fold(GREETING, "template_format: f-string", "").unwrap_err();
    assert_eq!(app.findings()[0].key.as_deref(), Some("template_format"));
    let loader = greeter().without_app_layer().build();
    let over = Override::new().template_format(Format::FString);
    let runtime = loader.resolve("greeting", &over).unwrap_err();
    assert_eq!(runtime.findings()[0].layer, Some(Layer::Runtime));
}

#[test]
fn a_placeholder_of_the_inherited_formats_rival_is_an_error_that_names_the_format() {
    let error = fold(GREETING, "template: 'Hi {name}, {{ tone }}'", "").unwrap_err();
    assert!(error.to_string().contains("template_format"), "{error}");
    let f_string =
        "enabled: true\nvariables: {name: n}\ntemplate: 'Hi {name}'\ntemplate_format: f-string\n";
    let error = fold(f_string, "template: 'Hi {{ name }}'", "").unwrap_err();
    assert!(error.to_string().contains("template_format"), "{error}");
}

#[test]
fn edits_and_additions_stack_layer_on_layer() {
    let slot = fold(
        PLAIN,
        "template_edits: [{find: two, replace: TWO}]\ntemplate_prepend: app before\ntemplate_append: app after\n",
        "template_edits: [{find: TWO, replace: zwei}, {find: app after, replace: 'app behind'}]\ntemplate_prepend: top\ntemplate_append: \"\\nend\"\n",
    )
    .unwrap();
    assert_eq!(
        slot.template().unwrap(),
        "top\napp before\none {{ who }}\nzwei\nthree\napp behind\nend"
    );
    assert_eq!(slot.origin("template").unwrap().layer, Layer::Bundled);
    assert_eq!(
        slot.origin("template_append").unwrap().layer,
        Layer::Runtime
    );
}

#[test]
fn one_newline_joins_an_addition_if_neither_side_has_one() {
    for (text, addition, expected) in [
        ("a", "b", "a\nb"),
        ("a\n", "b", "a\nb"),
        ("a", "\nb", "a\nb"),
        ("a\n", "\nb", "a\n\nb"),
    ] {
        let yaml = |key, text| format!("{key}: {text:?}\n");
        let bundled = "enabled: true\n".to_owned() + &yaml("template", text);
        let slot = fold(&bundled, &yaml("template_append", addition), "").unwrap();
        assert_eq!(
            slot.template().unwrap(),
            expected,
            "{text:?} + {addition:?}"
        );
        let bundled = "enabled: true\n".to_owned() + &yaml("template", addition);
        let slot = fold(&bundled, &yaml("template_prepend", text), "").unwrap();
        assert_eq!(
            slot.template().unwrap(),
            expected,
            "{text:?} before {addition:?}"
        );
    }
}

#[test]
fn an_edit_may_delete_and_may_find_what_an_earlier_edit_wrote() {
    let slot = fold(
        PLAIN,
        "template_edits:\n  - {find: \"two\\n\", replace: ''}\n  - {find: three, replace: four}\n  - {find: four, replace: five}\n",
        "",
    )
    .unwrap();
    assert_eq!(slot.template().unwrap(), "one {{ who }}\nfive\n");
}

#[test]
fn a_template_above_edits_replaces_the_edited_text() {
    let slot = fold(PLAIN, "template_append: more", "template: 'only {{ who }}'").unwrap();
    assert_eq!(slot.template().unwrap(), "only {{ who }}");
}

#[test]
fn edits_beside_a_template_are_an_error_in_either_layer() {
    for change in [
        "template_append: x",
        "template_prepend: x",
        "template_edits: [{find: a, replace: b}]",
    ] {
        let yaml = format!("template: 'x {{{{ who }}}}'\n{change}\n");
        let error = fold(PLAIN, &yaml, "").expect_err(change);
        assert_eq!(
            error.findings()[0].key.as_deref(),
            Some("template"),
            "{error}"
        );
        assert!(Override::from_yaml(&yaml).is_err(), "{change} at run time");
    }
    let over = Override::new().template("x {{ who }}").append("y");
    let loader = layered(PLAIN, "");
    assert!(loader.resolve("greeting", &over).is_err());
}

#[test]
fn a_lost_anchor_quotes_the_nearest_line() {
    let error = fold(
        GREETING,
        "template_edits:\n  - find: in a {{ tone }} voice\n    replace: x\n",
        "",
    )
    .unwrap_err();
    let finding = &error.findings()[0];
    assert_eq!(finding.pos.map(|pos| pos.line), Some(2));
    assert_eq!(finding.layer, Some(Layer::App));
    let hint = finding.hint.as_deref().unwrap_or_default();
    assert!(hint.contains("Speak in a {{ tone }} tone."), "{error}");
}

#[test]
fn an_anchor_that_stands_twice_is_an_error() {
    let error = fold(
        "enabled: true\ntemplate: \"a b\\na c\\n\"",
        "template_edits: [{find: a, replace: x}]",
        "",
    )
    .unwrap_err();
    assert!(
        error.to_string().contains("2 times, in lines 1, 2"),
        "{error}"
    );
}

#[test]
fn nothing_can_be_edited_or_added_where_there_is_no_text() {
    for bundled in [
        "enabled: true\n",
        "enabled: true\ntemplate: ''\n",
        "enabled: true\ntemplate: \" \\n\"\n",
    ] {
        for change in [
            "template_append: x",
            "template_prepend: x",
            "template_edits: [{find: a, replace: b}]",
        ] {
            let error = fold(bundled, change, "").expect_err(change);
            let finding = &error.findings()[0];
            assert!(finding.message.contains("no text below"), "{error}");
            assert_eq!(finding.key.as_deref(), change.split(':').next(), "{error}");
            assert_eq!(finding.pos.map(|pos| pos.line), Some(1), "{error}");
            let error = fold(bundled, "", change).expect_err(change);
            assert_eq!(error.findings()[0].layer, Some(Layer::Runtime), "{error}");
        }
    }
}

#[test]
fn an_error_in_added_text_names_the_line_of_the_file_that_adds_it() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    dir.write(
        "greeting.yaml",
        "# one\ntemplate_append: |\n  three\n  four {{ nobody }}\n",
    );
    let error = loader.load("greeting").unwrap_err();
    let finding = &error.findings()[0];
    assert_eq!(finding.layer, Some(Layer::App));
    assert_eq!(finding.file.as_deref(), dir.file("greeting.yaml").to_str());
    assert_eq!(finding.key.as_deref(), Some("template_append"));
    assert_eq!(finding.pos.map(|pos| (pos.line, pos.column)), Some((4, 11)));
}

#[test]
fn an_error_in_an_edit_names_the_line_of_its_replacement() {
    let error = fold(
        PLAIN,
        "template_edits:\n  - find: two\n    replace: |-\n      fine\n      {{ nobody }}\n  - {find: three, replace: drei}\n",
        "",
    )
    .unwrap_err();
    let finding = &error.findings()[0];
    assert_eq!(finding.key.as_deref(), Some("template_edits[0].replace"));
    assert_eq!(finding.pos.map(|pos| (pos.line, pos.column)), Some((5, 10)));
}

#[test]
fn an_error_that_an_edit_causes_in_the_defaults_own_text_names_the_edit_and_the_line_below() {
    let default = "enabled: true\nvariables: {items: a list}\ntemplate: |\n  {% for item in items %}\n  {{ item }}\n  {% endfor %}\n";
    let app = "template_prepend: one more line\ntemplate_edits: [{find: for item in, replace: for thing in}]\n";
    let error = fold(default, app, "").unwrap_err();
    let finding = &error.findings()[0];
    assert_eq!(finding.layer, Some(Layer::App), "{error}");
    assert_eq!(finding.key.as_deref(), Some("template_edits"));
    assert_eq!(finding.pos.map(|pos| (pos.line, pos.column)), Some((2, 1)));
    let hint = finding.hint.as_deref().unwrap();
    assert!(
        hint.ends_with("seen in the text below, bundled, config/prompt_slots/greeting.yaml:5"),
        "{hint}"
    );
}

#[test]
fn an_error_in_the_runtime_layer_names_its_key_not_a_file() {
    let loader = layered(PLAIN, "template_append: from the app");
    let error = loader
        .resolve("greeting", &Override::new().append("{{ nobody }}"))
        .unwrap_err();
    let finding = &error.findings()[0];
    assert_eq!(finding.layer, Some(Layer::Runtime));
    assert_eq!(finding.key.as_deref(), Some("template_append"));
    assert_eq!(finding.file, None);
}

#[test]
fn variables_merge_by_name_and_attribute() {
    let slot = fold(
        "variables:\n  a: {description: first, default: 1}\n  b: {description: second, required: false}\n",
        "variables:\n  a: renamed\n  c: {default: new}\n",
        "variables:\n  a: {default: 2}\n",
    )
    .unwrap();
    let variables: Vec<_> = slot
        .variables()
        .map(|variable| {
            (
                variable.name(),
                variable.description(),
                variable.default().cloned(),
                variable.is_required(),
            )
        })
        .collect();
    assert_eq!(
        variables,
        [
            ("a", Some("renamed"), Some(Data::Int(2)), false),
            ("b", Some("second"), None, false),
            ("c", None, Some(Data::from("new")), false),
        ]
    );
    let layers = [
        "variables.a.description",
        "variables.a.default",
        "variables.b.description",
    ]
    .map(|key| slot.origin(key).unwrap().layer);
    assert_eq!(layers, [Layer::App, Layer::Runtime, Layer::Bundled]);
}

#[test]
fn an_override_may_make_a_variable_optional() {
    for app in [
        "variables: {who: {default: all}}",
        "variables: {who: {required: false}}\ntemplate: '{{ who|default(1) }}'",
    ] {
        let slot = fold(PLAIN, app, "").unwrap();
        assert!(
            slot.variables().all(|variable| !variable.is_required()),
            "{app}"
        );
        assert!(slot.render(&()).unwrap().is_some(), "{app}");
    }
    // An explicit `required: true` of the default gives way as well.
    let slot = fold(
        "variables: {a: {required: true}}",
        "variables: {a: {default: 1}}",
        "",
    )
    .unwrap();
    assert!(!slot.variables().next().unwrap().is_required());
}

#[test]
fn a_variable_that_an_override_makes_optional_under_a_text_that_needs_it_is_that_overrides_error() {
    let app = "# mine\nvariables:\n  name: {required: false}\n";
    let error = fold(GREETING, app, "").unwrap_err();
    let finding = &error.findings()[0];
    assert_eq!(finding.layer, Some(Layer::App), "{error}");
    assert_eq!(finding.key.as_deref(), Some("variables.name"));
    assert_eq!(finding.pos.map(|pos| pos.line), Some(3));
    let text = "template: 'Hi {{ name }}, {{ tone }}'\n";
    let error = fold(GREETING, &format!("{app}{text}"), "").unwrap_err();
    assert_eq!(
        error.findings()[0].key.as_deref(),
        Some("template"),
        "{error}"
    );
}

#[test]
fn an_override_may_never_make_a_variable_required() {
    for bundled in [
        "variables: {a: {default: 1}}",
        "variables: {a: {required: false}}",
    ] {
        let error = fold(bundled, "variables: {a: {required: true}}", "").expect_err(bundled);
        assert_eq!(
            error.findings()[0].key.as_deref(),
            Some("variables.a"),
            "{error}"
        );
        assert!(
            fold(bundled, "", "variables: {a: {required: true}}").is_err(),
            "{bundled}"
        );
    }
    let error = fold(
        "variables: {a: x}",
        "variables: {a: {required: false}}",
        "variables: {a: {required: true}}",
    );
    assert!(
        error.is_err(),
        "the runtime layer took back what the app layer allowed"
    );
}

#[test]
fn a_new_variable_of_an_override_needs_a_default() {
    for app in [
        "variables: {extra: mine}",
        "variables: {extra: {required: false}}",
    ] {
        let error = fold(PLAIN, app, "").expect_err(app);
        assert!(
            error.to_string().contains("give `extra` a `default`"),
            "{error}"
        );
        assert!(fold(PLAIN, "", app).is_err(), "{app} at run time");
    }
    let slot = fold(
        PLAIN,
        "variables: {extra: {default: 5}}\ntemplate_append: '{{ extra }}'",
        "",
    )
    .unwrap();
    let prompt = slot.render(
        &[("who", "Ada")]
            .into_iter()
            .collect::<std::collections::BTreeMap<_, _>>(),
    );
    assert_eq!(prompt.unwrap().as_deref(), Some("one Ada\ntwo\nthree\n5"));
}

#[test]
fn a_slot_of_the_app_directory_alone_may_require_variables() {
    let loader = greeter()
        .app_memory([(
            "own",
            "enabled: true\nvariables: {a: x}\ntemplate: '{{ a }}'\n",
        )])
        .build();
    let slot = loader.resolve("own", &Override::new()).unwrap();
    assert!(slot.variables().next().unwrap().is_required());
    assert_eq!(slot.origin("template").unwrap().layer, Layer::App);
}

#[test]
fn test_cases_add_up_and_the_defaults_come_first() {
    let case =
        |name: &str| format!("validation: {{test_cases: [{{name: {name}, input: {{name: X}}}}]}}");
    let slot = fold(GREETING, &case("app"), &case("a friend")).unwrap();
    let names: Vec<_> = slot.test_cases().map(|case| case.name().unwrap()).collect();
    assert_eq!(names, ["a friend", "app", "a friend (runtime)"]);
}

#[test]
fn cases_that_are_told_apart_by_their_layer_are_told_apart_from_each_other() {
    let cases = "validation: {test_cases: [{name: a, input: {}}, {name: a (app), input: {}}]}";
    let slot = fold(&format!("template: x\n{cases}"), cases, "").unwrap();
    let names: Vec<_> = slot.test_cases().filter_map(|case| case.name()).collect();
    let told = ["a", "a (app)", "a (app) (app)", "a (app) (app) (app)"];
    assert_eq!(names, told);
}

#[test]
fn a_case_whose_name_is_taken_below_gets_its_layer_behind_it_and_the_slot_reads_back() {
    let app = "validation: {test_cases: [{name: a friend, input: {name: X}}, {name: a friend (app), input: {name: Y}}]}";
    let slot = fold(
        GREETING,
        app,
        "validation: {test_cases: [{name: a friend, input: {name: Z}}]}",
    )
    .unwrap();
    let names: Vec<_> = slot.test_cases().filter_map(|case| case.name()).collect();
    let own = [
        "a friend (app) (app)",
        "a friend (app)",
        "a friend (runtime)",
    ];
    assert_eq!(names[names.len() - 3..], own);
    let yaml = slot.to_data().to_yaml();
    let loader = PromptLoader::builder()
        .app_memory([("alone", yaml.as_str())])
        .build();
    let again = loader.resolve("alone", &Override::new()).unwrap();
    assert_eq!(again.fingerprint(), slot.fingerprint());
}

#[test]
fn no_override_gets_rid_of_the_defaults_test_cases() {
    for cases in [
        "validation: {test_cases: []}",
        "validation:",
        "validation: {test_cases: [{name: a friend, input: {name: X}}]}",
    ] {
        // The default's case wants the name in the prompt.
        let app = format!("template: '{{{{ name|length }}}} {{{{ tone }}}}'\n{cases}\n");
        let error = fold(GREETING, &app, "").expect_err(cases);
        assert!(
            error.to_string().contains("test case `a friend` (bundled)"),
            "{error}"
        );
        let error = fold(GREETING, "", &app).expect_err(cases);
        assert!(
            error.to_string().contains("test case `a friend` (bundled)"),
            "{error}"
        );
    }
}

#[test]
fn a_failing_case_of_an_override_is_named_by_its_layer_and_number() {
    let app = "validation: {test_cases: [{input: {name: X}}, {input: {}}]}";
    let error = fold(GREETING, app, "").unwrap_err();
    assert!(error.to_string().contains("test case `2` (app)"), "{error}");
    assert_eq!(error.findings()[0].pos.map(|pos| pos.line), Some(1));
    // A name that the default has too is the case's own in its layer.
    let app = "validation: {test_cases: [{name: a friend, input: {}}]}";
    let error = fold(GREETING, app, "").unwrap_err();
    let said = error.to_string();
    assert!(said.contains("test case `a friend` (app)"), "{said}");
}

#[test]
fn a_runtime_template_enables_the_slot_unless_it_says_otherwise() {
    let loader = layered("template: below", "");
    let on = loader
        .resolve("greeting", &Override::new().template("above"))
        .unwrap();
    assert_eq!(on.template().as_deref(), Some("above"));
    assert_eq!(on.origin("enabled").unwrap().layer, Layer::Runtime);
    for over in [
        Override::new().template("above").enabled(false),
        Override::new().enabled(false).template("above"),
    ] {
        let off = loader.resolve("greeting", &over).unwrap();
        assert_eq!(off.template(), None);
        assert_eq!(off.text().as_deref(), Some("above"));
    }
    let yaml = Override::from_yaml("template: above\n").unwrap();
    assert!(loader.resolve("greeting", &yaml).unwrap().is_enabled());
}

#[test]
fn runtime_edits_and_settings_enable_nothing() {
    let loader = layered("template: below", "");
    for over in [
        Override::new().append("x"),
        Override::new().edit("below", "x"),
        Override::new().model("m"),
    ] {
        assert!(
            !loader.resolve("greeting", &over).unwrap().is_enabled(),
            "{over:?}"
        );
    }
}

#[test]
fn an_app_template_enables_nothing() {
    assert_eq!(
        fold("template: below", "template: above", "")
            .unwrap()
            .template(),
        None
    );
}

#[test]
fn every_setter_of_the_builder_says_what_yaml_says() {
    let schema = std::collections::BTreeMap::from([("type", "object")]);
    let built = Override::new()
        .enabled(true)
        .edit("Say hello", "Say hi")
        .prepend("JSON please")
        .append("end")
        .variable_default("tone", "loud")
        .output_schema(&schema)
        .model("big")
        .temperature(1.5)
        .max_tokens(9)
        .top_p(0.1)
        .stop(["a", "b"])
        .seed(-1)
        .extra("user", 5);
    let written = Override::from_yaml(
        "enabled: true\ntemplate_edits: [{find: Say hello, replace: Say hi}]\ntemplate_prepend: JSON please\n\
         template_append: end\nvariables: {tone: {default: loud}}\noutput_schema: {type: object}\n\
         llm: {model: big, temperature: 1.5, max_tokens: 9, top_p: 0.1, stop: [a, b], seed: -1, extra: {user: 5}}\n",
    )
    .unwrap();
    let loader = greeter().without_app_layer().build();
    let built = loader.resolve("greeting", &built).unwrap();
    let written = loader.resolve("greeting", &written).unwrap();
    assert_eq!(built.to_data(), written.to_data());
    assert_eq!(built.fingerprint(), written.fingerprint());
}

#[test]
fn a_setter_out_of_range_is_an_error_of_the_call_that_names_the_key() {
    let loader = greeter().without_app_layer().build();
    for (over, key) in [
        (Override::new().temperature(2.1), "llm.temperature"),
        (Override::new().temperature(-0.1), "llm.temperature"),
        (Override::new().temperature(f64::NAN), "llm.temperature"),
        (
            Override::new().temperature(f64::INFINITY),
            "llm.temperature",
        ),
        (Override::new().top_p(1.1), "llm.top_p"),
        (Override::new().max_tokens(0), "llm.max_tokens"),
        (Override::new().output_schema("text"), "output_schema"),
        (
            Override::new().variable_default("not a name", 1),
            "variables.not a name",
        ),
        (
            Override::new().variable_default("name", ()),
            "variables.name",
        ),
        (Override::new().edit("", "x"), "template_edits[0].find"),
    ] {
        let error = loader.resolve("greeting", &over).expect_err(key);
        let finding = &error.findings()[0];
        assert_eq!(finding.key.as_deref(), Some(key), "{error}");
        assert_eq!(finding.layer, Some(Layer::Runtime), "{error}");
        assert_eq!(finding.slot.as_deref(), Some("greeting"), "{error}");
    }
}

#[test]
fn an_empty_override_is_known_to_be_empty() {
    assert!(Override::new().is_empty());
    assert!(Override::from_yaml("# nothing\n").unwrap().is_empty());
    assert!(!Override::new().enabled(false).is_empty());
    assert!(!Override::new().extra("k", ()).is_empty());
}

#[test]
fn explain_shows_each_value_above_those_that_it_overrides() {
    let loader = layered(GREETING, "llm: {model: mid}");
    let slot = loader
        .resolve("greeting", &Override::new().model("big"))
        .unwrap();
    let explanation = slot.explain();
    let model = explanation
        .keys
        .iter()
        .find(|explained| explained.key == "llm.model")
        .unwrap();
    assert_eq!(model.value, Some(Data::from("big")));
    assert_eq!(model.origin.to_string(), "runtime");
    let below: Vec<_> = model
        .overridden
        .iter()
        .map(|(origin, value)| (origin.to_string(), value.clone()))
        .collect();
    assert_eq!(
        below,
        [
            ("app, greeting.yaml:1".to_owned(), Data::from("mid")),
            (
                "bundled, config/prompt_slots/greeting.yaml:11".to_owned(),
                Data::from("small")
            ),
        ]
    );
}

#[test]
fn explain_lists_keys_in_the_order_of_a_slot_file() {
    let slot = fold(GREETING, "", "").unwrap();
    let keys: Vec<_> = slot
        .explain()
        .keys
        .into_iter()
        .map(|explained| explained.key)
        .collect();
    assert_eq!(
        keys,
        [
            "enabled",
            "description",
            "template",
            "template_format",
            "variables.name",
            "variables.tone",
            "llm.model",
            "llm.temperature",
            "llm.max_tokens",
            "llm.top_p",
            "llm.stop",
            "llm.seed",
            "llm.extra.reasoning",
            "llm.extra.user",
            "validation.test_cases",
        ]
    );
}

#[test]
fn an_own_key_is_carried_and_means_nothing() {
    let plain = fold(GREETING, "", "").unwrap();
    let slot = fold(GREETING, "x-owner: {team: a}\nx-b: 1", "x-b: 2").unwrap();
    assert_eq!(slot.fingerprint(), plain.fingerprint());
    assert_eq!(slot.to_data().get("x-b"), Some(&Data::Int(2)));
    assert_eq!(slot.origin("x-owner").unwrap().layer, Layer::App);
}

#[test]
fn a_bundle_of_one_slot_finds_that_slot_alone() {
    let bundle = bundle_of(GREETING);
    assert_eq!(bundle.names().collect::<Vec<_>>(), ["greeting"]);
    assert_eq!(bundle.original("greeting"), Some(GREETING));
    assert_eq!(bundle.original("other"), None);
}

#[test]
fn a_requirement_that_a_default_takes_back_is_no_longer_in_force() {
    let bundled = "enabled: true\nvariables: {who: {required: true}}\ntemplate: '{{ who }}'\n";
    let slot = fold(bundled, "variables: {who: {default: Ada}}", "").unwrap();
    assert_eq!(slot.origin("variables.who.required"), None);
    let explained = slot.explain();
    let who = explained.keys.iter().find(|it| it.key == "variables.who");
    let who = who.unwrap();
    let parts: Vec<_> = who.parts.iter().map(|part| part.key.as_str()).collect();
    assert!(!parts.contains(&"variables.who.required"), "{parts:?}");
    assert_eq!(who.overridden.len(), 1, "what was taken back is told");
}

#[test]
fn of_edits_that_fail_the_first_are_told() {
    let edits = "  - {find: nowhere, replace: x}\n".repeat(200);
    let error = fold(PLAIN, &format!("template_edits:\n{edits}"), "").unwrap_err();
    assert_eq!(error.findings().len(), 10);
}

#[test]
fn a_layer_that_changes_the_text_does_not_say_nothing_of_it() {
    let slot = fold(PLAIN, "template_append: four", "").unwrap();
    let explained = slot.explain();
    let mut keys = explained.keys.iter();
    let template = keys.find(|it| it.key == "template").unwrap();
    assert_eq!(template.silent, [], "{template:?}");
    let mut keys = explained.keys.iter();
    let enabled = keys.find(|it| it.key == "enabled").unwrap();
    assert_eq!(enabled.silent, [Layer::App]);
}
