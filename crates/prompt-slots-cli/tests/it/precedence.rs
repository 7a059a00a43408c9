//! Runtime over app over bundled, for every key that can be told apart.

use serde_json::{Value, json};

use crate::shell::Shell;

#[track_caller]
fn json_of(shell: &Shell, line: &str) -> Value {
    serde_json::from_str(&shell.stdout(line)).expect("it is JSON")
}

#[test]
fn every_key_of_the_app_layer_wins_and_leaves_the_others_alone() {
    let default = json_of(&Shell::new(), "show episode_extract --json");
    let schema = json!({"type": "object", "properties": {"summary": {}, "participants": {}}});
    let text = "JSON, please: {{ memcell.text }}\n";
    for (pointer, yaml, value) in [
        ("/enabled", json!({"enabled": true}), json!(true)),
        ("/description", json!({"description": ""}), json!("")),
        ("/template", json!({"template": text}), json!(text)),
        (
            "/variables/memcell",
            json!({"variables": {"memcell": "x"}}),
            json!("x"),
        ),
        (
            "/output_schema",
            json!({"output_schema": schema}),
            schema.clone(),
        ),
        ("/llm/model", json!({"llm": {"model": "x"}}), json!("x")),
        (
            "/llm/temperature",
            json!({"llm": {"temperature": 0}}),
            json!(0.0),
        ),
        (
            "/llm/max_tokens",
            json!({"llm": {"max_tokens": 1}}),
            json!(1),
        ),
        ("/llm/top_p", json!({"llm": {"top_p": 0}}), json!(0.0)),
        ("/llm/stop", json!({"llm": {"stop": []}}), json!([])),
        ("/llm/seed", json!({"llm": {"seed": 0}}), json!(0)),
        (
            "/llm/extra",
            json!({"llm": {"extra": {"k": false}}}),
            json!({"k": false}),
        ),
        ("/x-note", json!({"x-note": 1}), json!(1)),
    ] {
        let shell = Shell::new();
        shell.set("episode_extract", yaml.to_string());
        let mut shown = json_of(&shell, "show episode_extract --json");
        assert_eq!(shown.pointer(pointer), Some(&value), "{pointer}");
        assert_ne!(
            default.pointer(pointer),
            Some(&value),
            "{pointer}: the test shows nothing"
        );
        // With this one key put back, the slot is the default again.
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
        let parent = shown
            .pointer_mut(parent)
            .and_then(Value::as_object_mut)
            .expect("the parent is a map");
        match default.pointer(pointer) {
            Some(value) => parent.insert(key.to_owned(), value.clone()),
            None => parent.remove(key),
        };
        assert_eq!(shown, default, "{pointer} changed more than itself");
    }
}

#[test]
fn every_option_of_render_wins_over_the_app_layer_and_the_default() {
    let shell = Shell::new();
    let render = |options: &str| {
        let line = format!("render episode_extract --case 1 --json {options}");
        let result = json_of(&shell, &line);
        (
            result["llm"].clone(),
            result["prompt"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let llm = |model: &str, temperature: f64, max_tokens: u64| json!({"model": model, "temperature": temperature, "max_tokens": max_tokens});
    shell.write("own.txt", "runtime {{ memcell.text }} json");

    assert_eq!(render("").0, llm("gpt-4o-mini", 0.3, 2000));
    assert_eq!(render("--temperature 0").0, llm("gpt-4o-mini", 0.0, 2000));

    shell.set(
        "episode_extract",
        "enabled: true\ntemplate: app {{ memcell.text }} json\nllm: {model: app, temperature: 0.2, max_tokens: 7}\n",
    );
    // An option that is not given changes nothing.
    let (settings, prompt) = render("");
    assert_eq!(settings, llm("app", 0.2, 7));
    assert!(prompt.starts_with("app Mira"), "{prompt}");
    assert_eq!(render("--model b").0, llm("b", 0.2, 7));
    assert_eq!(render("--temperature 0").0, llm("app", 0.0, 7));
    assert_eq!(render("--max-tokens 1").0, llm("app", 0.2, 1));
    let (settings, prompt) = render("--template own.txt");
    assert_eq!(settings, llm("app", 0.2, 7));
    assert!(prompt.starts_with("runtime Mira"), "{prompt}");
}

#[test]
fn a_null_takes_a_setting_away() {
    let shell = Shell::new();
    shell.set(
        "episode_extract",
        "enabled: true\nllm: {temperature: null}\n",
    );
    let shown = json_of(&shell, "show episode_extract --json");
    assert_eq!(
        shown["llm"],
        json!({"model": "gpt-4o-mini", "max_tokens": 2000})
    );
}
