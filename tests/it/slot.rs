//! The snapshot of a slot: what it holds, and how it renders.

use std::collections::BTreeMap;

use prompt_slots::slots::{boundary_detection, episode_extract};
use prompt_slots::{Data, Error, ErrorKind, Format, Override, PromptLoader, Slot, slots};
use serde::Serialize;

use crate::support::{GREETING, fold, greeter};

#[track_caller]
fn greeting() -> Slot {
    fold(GREETING, "", "").unwrap()
}

/// Makes a slot of a template with one variable, `x`.
#[track_caller]
fn slot_of(template: &str, format: &str) -> Slot {
    let yaml = format!(
        "enabled: true\nvariables: {{x: anything}}\ntemplate: {template:?}\ntemplate_format: {format}\n"
    );
    let loader = greeter().app_memory([("own", yaml)]).build();
    loader.resolve("own", &Override::new()).unwrap()
}

fn values<V>(pairs: impl IntoIterator<Item = (&'static str, V)>) -> BTreeMap<&'static str, V> {
    pairs.into_iter().collect()
}

#[test]
fn a_slot_tells_all_that_its_file_says() {
    let slot = greeting();
    assert_eq!(slot.name(), "greeting");
    assert!(slot.is_enabled());
    assert_eq!(slot.description(), Some("greets somebody"));
    assert_eq!(slot.template_format(), Format::Jinja2);
    assert_eq!(slot.template(), slot.text());
    assert_eq!(slot.output_schema(), None);
    let llm = slot.llm();
    assert_eq!(llm.model(), Some("small"));
    assert_eq!(llm.temperature(), Some(0.5));
    assert_eq!(llm.max_tokens(), Some(100));
    assert_eq!(llm.top_p(), Some(0.9));
    assert_eq!(llm.stop().unwrap().collect::<Vec<_>>(), ["END"]);
    assert_eq!(llm.seed(), Some(7));
    assert_eq!(llm.extra("reasoning"), Some(&Data::from("low")));
    assert_eq!(llm.extra("nothing"), None);
    let extras: Vec<_> = llm.extras().map(|(name, _)| name).collect();
    assert_eq!(extras, ["reasoning", "user"]);
}

#[test]
fn a_slot_tells_what_its_caller_supplies() {
    let slot = greeting();
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
            ("name", Some("who is greeted"), None, true),
            (
                "tone",
                Some("how to speak"),
                Some(Data::from("calm")),
                false
            ),
        ]
    );
}

#[test]
fn a_test_case_renders_and_brings_its_reply() {
    let loader = PromptLoader::builder().without_app_layer().build();
    let slot = slots::EPISODE_EXTRACT
        .resolve(&loader, &Override::new())
        .unwrap();
    let case = slot.test_cases().next().unwrap();
    assert_eq!(case.name(), Some("appointment"));
    assert!(case.expected().unwrap().get("participants").is_some());
    let prompt = slot.preview(&case.input()).unwrap().unwrap();
    assert!(
        prompt.contains("Mira: Can we move the dentist to Thursday?"),
        "{prompt}"
    );
}

#[test]
fn what_no_layer_sets_is_absent_not_invented() {
    let slot = fold("template: x", "", "").unwrap();
    assert!(!slot.is_enabled());
    assert_eq!(slot.description(), None);
    let llm = slot.llm();
    assert_eq!(llm.model(), None);
    assert_eq!(llm.temperature(), None);
    assert_eq!(llm.max_tokens(), None);
    assert!(llm.stop().is_none());
    assert_eq!(llm.extras().count(), 0);
    assert_eq!(slot.variables().len() + slot.test_cases().len(), 0);
    assert_eq!(slot.origin("llm.model"), None);
}

#[test]
fn equal_slots_have_equal_fingerprints_whoever_set_what() {
    let alone = fold(
        "enabled: true\ntemplate: x\nllm: {model: m, seed: 1}",
        "",
        "",
    )
    .unwrap();
    for (app, runtime) in [
        ("llm: {model: m}", ""),
        ("enabled: true", "llm: {seed: 1}"),
        ("x-note: 1\nbased_on: 01234567", ""),
    ] {
        let slot = fold(
            "enabled: true\ntemplate: x\nllm: {seed: 1, model: m}",
            app,
            runtime,
        )
        .unwrap();
        assert_eq!(
            slot.fingerprint(),
            alone.fingerprint(),
            "{app:?} {runtime:?}"
        );
        assert_eq!(slot.id(), alone.id());
    }
}

#[test]
fn a_fingerprint_stays_the_same_from_release_to_release() {
    let slot = fold("enabled: true\ntemplate: hello\n", "", "").unwrap();
    assert_eq!(
        slot.fingerprint().to_string(),
        // printf '%s' '{"enabled":true,"template":"hello","template_format":"jinja2"}' | sha256sum
        "73bc145f6a2e11c4006878a2c6fcf32bbaf598d9e848cc1a3f544218bdf8776c"
    );
    assert_eq!(
        slot.id(),
        format!("greeting@{}", &slot.fingerprint().to_string()[..8])
    );
}

#[test]
fn a_bundle_knows_the_fingerprint_of_its_default() {
    let loader = PromptLoader::builder().without_app_layer().build();
    let slot = loader.resolve("episode_extract", &Override::new()).unwrap();
    assert_eq!(
        loader.bundle().fingerprint("episode_extract"),
        Some(slot.fingerprint())
    );
}

#[test]
fn every_key_that_changes_changes_the_fingerprint() {
    let mut seen = vec![greeting().fingerprint()];
    for over in [
        "enabled: false",
        "description: other",
        "template: 'Hi {{ name }}, {{ tone }}'",
        "template: 'Hi {name}, {tone}'\ntemplate_format: f-string",
        "template_append: x",
        "variables: {name: other}",
        "variables: {tone: {default: loud}}",
        "output_schema: {title: JSON}",
        "llm: {model: m}",
        "llm: {model: null}",
        "llm: {temperature: 0}",
        "llm: {max_tokens: 1}",
        "llm: {top_p: 0}",
        "llm: {stop: []}",
        "llm: {seed: 0}",
        "llm: {extra: {user: other}}",
        "llm: {extra: {more: 1}}",
        "validation: {test_cases: [{input: {name: x}}]}",
    ] {
        let fingerprint = fold(GREETING, over, "").unwrap().fingerprint();
        assert!(!seen.contains(&fingerprint), "{over}");
        seen.push(fingerprint);
    }
}

#[test]
fn values_may_be_a_struct_a_map_or_data() {
    #[derive(Serialize)]
    struct Person {
        name: &'static str,
    }
    let slot = greeting();
    let expected = Some("Say hello to Ada.\nSpeak in a calm tone.".to_owned());
    assert_eq!(slot.render(&Person { name: "Ada" }).unwrap(), expected);
    assert_eq!(slot.render(&values([("name", "Ada")])).unwrap(), expected);
    assert_eq!(
        slot.render(&Data::map([("name", Data::from("Ada"))]))
            .unwrap(),
        expected
    );
    let loud = slot
        .render(&values([("name", "Ada"), ("tone", "loud")]))
        .unwrap()
        .unwrap();
    assert!(loud.ends_with("Speak in a loud tone."), "{loud}");
}

#[test]
fn generated_variables_fit_their_slot() {
    #[derive(Serialize)]
    struct Memcell {
        text: &'static str,
    }
    let loader = PromptLoader::builder().without_app_layer().build();
    let on = Override::new().enabled(true);
    let slot = slots::EPISODE_EXTRACT.resolve(&loader, &on).unwrap();
    let vars = episode_extract::Vars::new(Memcell {
        text: "Ana: hi\nBo: hello",
    });
    let prompt = slot.render(&vars).unwrap().unwrap();
    assert!(
        prompt.contains("<conversation>\nAna: hi\nBo: hello\n</conversation>"),
        "{prompt}"
    );

    let slot = slots::BOUNDARY_DETECTION.resolve(&loader, &on).unwrap();
    let message = values([("speaker", "Lea"), ("text", "Morning!")]);
    let prompt = slot
        .render(&boundary_detection::Vars::new([&message]))
        .unwrap()
        .unwrap();
    assert!(
        prompt.contains("1. Lea: Morning!") && !prompt.contains("still open so far"),
        "{prompt}"
    );
    let vars = boundary_detection::Vars::new([&message]).history([&message, &message]);
    let prompt = slot.render(&vars).unwrap().unwrap();
    assert!(
        prompt.contains("still open so far:\nLea: Morning!\nLea: Morning!"),
        "{prompt}"
    );
}

#[test]
fn a_disabled_or_blank_slot_renders_to_none_and_a_disabled_one_can_be_previewed() {
    let off = fold(GREETING, "enabled: false", "").unwrap();
    let ada = values([("name", "Ada")]);
    assert_eq!(off.render(&ada).unwrap(), None);
    assert!(
        off.preview(&ada)
            .unwrap()
            .unwrap()
            .starts_with("Say hello to Ada.")
    );
    let blank = fold("enabled: true\ntemplate: \" \\n\"", "", "").unwrap();
    assert_eq!(blank.render(&()).unwrap(), None);
    assert_eq!(blank.preview(&()).unwrap(), None);
}

#[test]
fn all_missing_values_are_named_at_once() {
    let bundled = "enabled: true\nvariables: {a: x, b: x, c: {default: 1}}\ntemplate: '{{ a }}{{ b }}{{ c }}'\n";
    let slot = fold(bundled, "", "").unwrap();
    let error = slot.render(&()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Render);
    assert!(
        error.to_string().contains("no value for `a`, `b`"),
        "{error}"
    );
    let error = slot.render(&values([("b", 1)])).unwrap_err();
    assert!(error.to_string().contains("no value for `a` "), "{error}");
}

#[test]
fn a_value_that_nobody_declared_is_an_error_that_names_the_nearest() {
    let error = greeting()
        .render(&values([("name", "Ada"), ("tune", "x")]))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Render);
    assert!(
        error.to_string().contains("did you mean `tone`?"),
        "{error}"
    );
}

#[test]
fn what_is_no_map_from_names_is_an_error() {
    let slot = greeting();
    let numbered = BTreeMap::from([(1, "x")]);
    for error in [
        slot.render(&"text").unwrap_err(),
        slot.render(&[1, 2]).unwrap_err(),
        slot.render(&numbered).unwrap_err(),
        slot.render(&Refusing(1)).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Render, "{error}");
    }
    // Nor is what is as empty as the slot has variables.
    let without = fold("enabled: true\nvariables: {}\ntemplate: Hello\n", "", "").unwrap();
    assert_eq!(without.render(&()).unwrap().as_deref(), Some("Hello"));
    for error in [
        without.render(&"").unwrap_err(),
        without.render(&[0; 0]).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Render, "{error}");
    }
}

#[test]
fn a_given_null_is_a_value_and_a_default_fills_only_what_is_missing() {
    let bundled = "enabled: true\nvariables: {a: {default: 1}, b: {default: 2}}\ntemplate: '{{ a }} {{ b }}'\n";
    let slot = fold(bundled, "", "").unwrap();
    let null = values([("b", None::<u8>)]);
    assert_eq!(slot.render(&null).unwrap().as_deref(), Some("1 None"));
    assert_eq!(slot.render(&()).unwrap().as_deref(), Some("1 2"));
}

/// A value whose own `Serialize` fails, and says why.
struct Refusing(u8);

impl Serialize for Refusing {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(format!("hunter2 {}", self.0)))
    }
}

#[test]
fn a_value_is_inserted_once_and_never_read_as_a_template() {
    for text in [
        "{{ tone }}",
        "{% if %}",
        "{# x #}",
        "<b>&\"'",
        "{x}",
        "{{{{",
        "\n\n",
        "\u{0}",
        "%s",
    ] {
        let slot = slot_of("[{{ x }}]", "jinja2");
        assert_eq!(
            slot.render(&values([("x", text)])).unwrap().unwrap(),
            format!("[{text}]")
        );
        let slot = slot_of("[{x}]", "f-string");
        assert_eq!(
            slot.render(&values([("x", text)])).unwrap().unwrap(),
            format!("[{text}]")
        );
    }
}

#[test]
fn a_final_newline_is_kept_by_f_string_and_dropped_once_by_jinja2() {
    let x = values([("x", "y")]);
    assert_eq!(
        slot_of("{x}\n\n", "f-string").render(&x).unwrap().unwrap(),
        "y\n\n"
    );
    assert_eq!(
        slot_of("{{ x }}\n\n", "jinja2")
            .render(&x)
            .unwrap()
            .unwrap(),
        "y\n"
    );
}

#[test]
fn opaque_text_renders_as_it_is_and_takes_no_values() {
    let yaml = "enabled: true\ntemplate: 'Hi {{ name }} {name} {% raw'\n";
    let loader = greeter().app_memory([("own", yaml)]).build();
    let slot = loader.resolve("own", &Override::new()).unwrap();
    assert_eq!(
        slot.render(&()).unwrap().as_deref(),
        Some("Hi {{ name }} {name} {% raw")
    );
    let error = slot.render(&values([("name", "Ada")])).unwrap_err();
    assert!(
        error.to_string().contains("declares no variables"),
        "{error}"
    );
}

#[test]
fn a_setting_alone_never_touches_the_text() {
    let loader = greeter().without_app_layer().build();
    let slot = loader
        .resolve("greeting", &Override::new().model("big"))
        .unwrap();
    let prompt = slot.render(&values([("name", "Ada")])).unwrap().unwrap();
    assert!(prompt.starts_with("Say hello to Ada."), "{prompt}");
    assert_eq!(slot.llm().model(), Some("big"));
}

#[test]
fn an_error_of_rendering_names_the_place_in_the_file() {
    let app = "template: |\n  Hi {{ name }}\n  {{ name.first.second }} {{ tone }}\n";
    // The case of the default has a text for a name, so the dry run says it first.
    let error = fold(GREETING, app, "").unwrap_err();
    assert_eq!(
        error.findings()[0].pos.map(|pos| pos.line),
        Some(3),
        "{error}"
    );
    let slot = slot_of("a\n{{ x.first.second }}", "jinja2");
    let error = slot.render(&values([("x", 1)])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Render);
    assert_eq!(error.findings()[0].slot.as_deref(), Some("own"), "{error}");
    assert!(error.findings()[0].pos.is_some(), "{error}");
}

#[track_caller]
fn assert_secret(error: &Error, what: &str) {
    for shown in [
        format!("{error}"),
        format!("{error:#}"),
        format!("{error:?}"),
        format!("{:?}", error.findings()),
    ] {
        assert!(!shown.contains("hunter2"), "{what}: {shown}");
    }
}

#[test]
fn no_error_ever_shows_a_value() {
    let mut failed = 0;
    for template in [
        "{{ x.a.b }}",
        "{{ x + 1 }}",
        "{{ x - x }}",
        "{{ x * x }}",
        "{{ -x }}",
        "{{ x() }}",
        "{{ x.a() }}",
        "{{ x[0:'a'] }}",
        "{{ x|round }}",
        "{{ x|int }}",
        "{{ x|float }}",
        "{{ x|abs }}",
        "{{ x|dictsort }}",
        "{{ x|items }}",
        "{{ x|sum }}",
        "{{ x|join(1) }}",
        "{{ x|replace(1) }}",
        "{{ '%d'|format(x) }}",
        "{{ '%(a)s'|format(x) }}",
        "{{ x|format }}",
        "{{ x|batch(0) }}",
        "{{ x|slice(0) }}",
        "{{ x|groupby('a') }}",
        "{{ x|map('nothing')|list }}",
        "{{ x|selectattr('a.b')|list }}",
        "{{ x|sort(attribute='a.b')|list }}",
        "{{ x|tojson(indent=x) }}",
        "{% for a, b in x %}{{ a }}{% endfor %}",
        "{% for a in x.y.z %}{% endfor %}",
        "{% set a, b = x %}{{ a }}",
        "{{ x is divisibleby(0) }}",
        "{{ range(x) }}",
        "{{ x|indent(x) }}",
        "{{ x|attr(1) }}",
        "{{ x|min }}{{ x.a.b }}",
        "{{ x in 5 }}",
        "{{ 'a' ~ x.a.b }}",
        "{{ x < 1 }}{{ x.a.b }}",
        "{{ dict(x) }}",
        "{{ {}[x].b }}",
        "{{ x|truncate(x) }}",
        "{{ x|wordwrap(x) }}",
        "{{ x|center(x) }}",
        "{{ [1]|map(attribute=x)|first|upper }}{{ [].a.b }}",
    ] {
        let yaml = format!("enabled: true\nvariables: {{x: anything}}\ntemplate: {template:?}\n");
        let loader = greeter().app_memory([("own", yaml)]).build();
        // What the check of the template refuses fails before there is a value.
        let Ok(slot) = loader.resolve("own", &Override::new()) else {
            continue;
        };
        let secrets = [
            Data::from("hunter2"),
            Data::map([("hunter2", Data::from("hunter2"))]),
            Data::List([Data::from("hunter2"), Data::Int(1)].into_iter().collect()),
        ];
        for secret in secrets {
            if let Err(error) = slot.render(&Data::map([("x", secret)])) {
                assert_secret(&error, template);
                failed += 1;
            }
        }
    }
    assert!(
        failed > 40,
        "only {failed} renderings failed, so this shows little"
    );
}

#[test]
fn no_error_of_binding_shows_a_value() {
    let slot = greeting();
    assert_secret(
        &slot.render(&values([("tone", "hunter2")])).unwrap_err(),
        "a missing value",
    );
    assert_secret(
        &slot
            .render(&values([("name", "hunter2"), ("nmae", "hunter2")]))
            .unwrap_err(),
        "an undeclared one",
    );
    assert_secret(&slot.render(&"hunter2").unwrap_err(), "no map");
    assert_secret(
        &slot.render(&Refusing(1)).unwrap_err(),
        "a failing `Serialize`",
    );
    assert_secret(
        &slot_of("{{ x }}", "jinja2")
            .render(&BTreeMap::from([("x", Refusing(1))]))
            .unwrap_err(),
        "inside",
    );
    assert_secret(
        &slot_of("{x}", "f-string")
            .render(&BTreeMap::from([("x", Refusing(1))]))
            .unwrap_err(),
        "f-string",
    );
    assert_secret(
        &slot_of("{{ x.y }}", "jinja2")
            .render(&BTreeMap::from([("x", [Refusing(1)])]))
            .unwrap_err(),
        "deeper",
    );
}

#[test]
fn a_default_is_no_secret_but_its_errors_show_no_value_either() {
    let app = "template: '{{ name }} {{ tone.a.b }}'\nvariables: {tone: {default: hunter2}}\n";
    let error = fold(GREETING, app, "").unwrap_err();
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

#[test]
fn a_snapshot_is_shown_by_its_id() {
    let slot = greeting();
    assert_eq!(format!("{slot:?}"), format!("Slot({:?})", slot.id()));
}

#[test]
fn warnings_of_an_override_stay_with_the_slot_when_a_call_adds_a_setting() {
    let loader = greeter()
        .app_memory([("greeting", "llm:\ntemplate_append: x\n")])
        .build();
    let slot = loader.resolve("greeting", &Override::new()).unwrap();
    assert_eq!(slot.warnings().len(), 1);
    let with_model = loader
        .resolve("greeting", &Override::new().model("m"))
        .unwrap();
    assert_eq!(with_model.warnings(), slot.warnings());
}

#[test]
fn what_a_caller_leaves_out_is_no_fault_of_a_layer_that_adds_text() {
    let bundled = "enabled: true\nvariables: {user: who}\ntemplate: |\n  Dear {{ user.name }},\n";
    let user = values([("user", values([("age", 3)]))]);
    let alone = fold(bundled, "", "").unwrap().render(&user).unwrap_err();
    for (app, runtime) in [
        ("template_append: Be nice.", ""),
        ("", "template_append: x"),
    ] {
        let changed = fold(bundled, app, runtime).unwrap();
        let error = changed.render(&user).unwrap_err();
        assert_eq!(error.to_string(), alone.to_string());
        assert_eq!(format!("{error:#}"), format!("{alone:#}"));
    }
    let own = "template_append: |\n  {{ usr }}";
    let error = fold(bundled, own, "").unwrap_err();
    assert!(error.to_string().contains("template_append"), "{error}");
}

#[test]
fn a_call_sets_one_thing_and_keeps_what_its_yaml_says_of_others() {
    let yaml = "\n\nvariables: {tone: {description: of the tenant}}\nllm: {model: x, seed: 3}\ntemplate_append: |\n  {{ tone }}\n";
    let over = Override::from_yaml(yaml).unwrap();
    let over = over
        .variable_default("tone", "loud")
        .model("y")
        .append("\n\n{{ tine }}");
    let error = greeter()
        .build()
        .resolve("greeting", &over.clone())
        .unwrap_err();
    // The place is in the text that the program passed, and in no file.
    assert!(error.to_string().contains("line 3, column 4: "), "{error}");
    let slot = greeter()
        .build()
        .resolve("greeting", &over.append("x"))
        .unwrap();
    let mut variables = slot.variables();
    let tone = variables
        .find(|variable| variable.name() == "tone")
        .unwrap();
    assert_eq!(tone.description(), Some("of the tenant"));
    assert_eq!(slot.origin("llm.model").unwrap().pos, None);
    assert!(slot.origin("llm.seed").unwrap().pos.is_some());
}

#[test]
fn a_number_that_json_lacks_takes_nothing_back() {
    for number in [f64::NAN, f64::INFINITY] {
        let over = Override::new().extra("reasoning", BTreeMap::from([("effort", [number])]));
        let error = greeter().build().resolve("greeting", &over).unwrap_err();
        assert!(error.to_string().contains("not finite"), "{error}");
    }
    let large = Override::new().extra("user", (u64::MAX, i64::MIN, None::<u8>));
    assert!(greeter().build().resolve("greeting", &large).is_ok());
    let null = Override::new().extra("reasoning", None::<f64>);
    let slot = greeter().build().resolve("greeting", &null).unwrap();
    assert_eq!(slot.llm().extra("reasoning"), None);
}

#[test]
fn what_was_odd_about_the_file_is_told_beside_an_override_of_the_text_too() {
    for runtime in ["llm: {model: z}", "template_append: z"] {
        let slot = fold(GREETING, "llm:\n", runtime).unwrap();
        assert_eq!(slot.warnings().len(), 1, "{runtime}");
    }
}

#[test]
fn a_test_case_tells_what_its_prompt_must_hold() {
    let yaml = "validation:\n  test_cases:\n  - input: {name: Ada}\n    prompt: {contains: [Ada], excludes: [Bob, Eve]}\n";
    let slot = fold(GREETING, yaml, "").unwrap();
    let case = slot.test_cases().last().unwrap();
    assert_eq!(case.contains().collect::<Vec<_>>(), ["Ada"]);
    assert_eq!(case.excludes().collect::<Vec<_>>(), ["Bob", "Eve"]);
}
