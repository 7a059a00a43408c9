//! Prompts as people write them: all must load and render.

use super::{compile, run};
use crate::engine::Strictness;
use minijinja::Value;
use minijinja::value::Serde;

const VALUES: &str = r#"{
    "user": {"name": "Ann", "age": 30, "tags": ["a", "b"]},
    "messages": [{"role": "system", "content": "Be kind"}, {"role": "user", "content": "Hi"}],
    "docs": [{"title": "One", "score": 0.5, "n": 2, "tags": ["x"]}, {"title": "Two", "score": 0.7, "n": 3, "tags": []}],
    "question": " Why? ", "tone": "calm", "limit": 3, "options": {"b": 1, "a": 2}, "empty": []
}"#;

const PROMPTS: &[(&str, &str)] = &[
    ("Hello {{ user.name|title }}!", "Hello Ann!"),
    (
        "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}",
        "system: Be kind\nuser: Hi\n",
    ),
    (
        "{% for m in messages %}{{ m.role ~ ': ' ~ m.content }};{% endfor %}",
        "system: Be kind;user: Hi;",
    ),
    (
        "{% if messages[0].role == 'system' %}{% set sys = messages[0].content %}{% set messages = messages[1:] %}{% else %}{% set sys = '' %}{% endif %}{{ sys }}|{% for m in messages %}{{ m.content }}{% endfor %}",
        "Be kind|Hi",
    ),
    (
        "{% set ns = namespace({'a': 'x', 'l': []}) %}{% set ns.l = ns.l + [1] %}{{ ns.a }}{{ ns.l }}",
        "x[1]",
    ),
    (
        "{% set ns = namespace(total=0) %}{% for d in docs %}{% set ns.total = ns.total + d.score * d.n %}{% endfor %}{{ ns.total|round(1) }}",
        "3.1",
    ),
    (
        "{% set ns = namespace(l=[]) %}{% for d in docs %}{% set ns.l = ns.l + [d.title] %}{% endfor %}{{ ns.l|join(', ') }}",
        "One, Two",
    ),
    (
        "{% set ns = namespace(l=[]) %}{% for d in docs %}{% set ns.l = ns.l + [{'t': d.title, 's': d.score}] %}{% endfor %}{% for r in ns.l %}{{ r.t ~ '=' ~ r.s }} {% endfor %}",
        "One=0.5 Two=0.7 ",
    ),
    (
        "{% set ns = namespace(l=[]) %}{% for d in docs %}{% set ns.l = ns.l + d.tags %}{% endfor %}{{ ns.l|join }}",
        "x",
    ),
    (
        "{% set ns = namespace(seen=[]) %}{% for m in messages %}{% if m.role not in ns.seen %}{% set ns.seen = ns.seen + [m.role] %}{% endif %}{% endfor %}{{ ns.seen|length }}",
        "2",
    ),
    (
        "{% set ns = namespace(last='') %}{% for m in messages %}{% if m.role != ns.last %}[{{ m.role }}]{% endif %}{% set ns.last = m.role %}{% endfor %}",
        "[system][user]",
    ),
    (
        "{% for d in docs %}{{ [d.title, d.score]|join(': ') }}\n{% endfor %}",
        "One: 0.5\nTwo: 0.7\n",
    ),
    (
        "{% for d in docs %}{{ d.score * 100 }}% {{ (d.score * 100)|int ~ '%' }} {% endfor %}",
        "50.0% 50% 70.0% 70% ",
    ),
    (
        "{% for d in docs|sort(attribute='score', reverse=true) %}{{ loop.index }}. {{ d.title }}{{ ', ' if not loop.last }}{% endfor %}",
        "1. Two, 2. One",
    ),
    ("{{ '=' * 5 }}{{ '-' * user.name|length }}", "=====---"),
    (
        "{% for k, v in options|dictsort %}{{ k }}={{ v }};{% endfor %}{% for k, v in options|items %}{{ k }}{% endfor %}",
        "a=2;b=1;ba",
    ),
    (
        "{% set roles = {'user': 'U', 'system': 'S'} %}{% for m in messages %}{{ roles[m.role] }}{% endfor %}",
        "SU",
    ),
    (
        "{{ messages|selectattr('role', 'in', ['user', 'assistant'])|map(attribute='content')|join }}",
        "Hi",
    ),
    (
        "{{ docs|map(attribute='title')|list|sort|join(', ')|upper }}",
        "ONE, TWO",
    ),
    (
        "{% macro item(d, mark='-') %}{{ mark }} {{ d.title }}{% endmacro %}{% for d in docs %}{{ item(d) }}{{ item(d, mark='*') }}{% endfor %}",
        "- One* One- Two* Two",
    ),
    (
        "{% macro box() %}[{{ caller() }}]{% endmacro %}{% call box() %}{{ tone }}{% endcall %}",
        "[calm]",
    ),
    (
        "{% for d in docs %}{{ (d.score + d.n) ~ ' pts' }} {% set t = d.n + d.n + d.n %}{{ t ~ '!' }} {{ (d.title + user.name)|upper }} {% endfor %}",
        "2.5 pts 6! ONEANN 3.7 pts 9! TWOANN ",
    ),
    ("{% set question = question|trim %}{{ question }}", "Why?"),
    (
        "{% set head %}## {{ tone }}{% endset %}{{ [head, question|trim]|join('\n') }}",
        "## calm\nWhy?",
    ),
    (
        "{{ empty or 'none' }}{{ nothing|default('x') }}{% if nothing %}y{% endif %}",
        "nonex",
    ),
    (
        "{% for i in range(limit) %}{{ i * 2 }}{{ loop.cycle('a', 'b') }}{% endfor %}",
        "0a2b4a",
    ),
    (
        "{{ {'name': user.name, 'tags': user.tags}|tojson }}",
        r#"{"name": "Ann", "tags": ["a", "b"]}"#,
    ),
    (
        "{% for m in [{'role': 'system', 'content': tone}] + messages %}{{ m.role ~ m.content }} {% endfor %}",
        "systemcalm systemBe kind userHi ",
    ),
    (
        "{% for name, text in [('Q', question), ('T', tone)] %}{{ name }}:{{ text|trim }} {% endfor %}",
        "Q:Why? T:calm ",
    ),
    (
        "{% for row in docs|batch(1) %}{{ row[0].title ~ '.' }}{% endfor %}",
        "One.Two.",
    ),
    (
        "{% for g in docs|groupby('n') %}{{ g.grouper ~ ':' ~ g.list|length }} {% endfor %}",
        "2:1 3:1 ",
    ),
    (
        "{% with n = docs|length %}{{ n }} {{ 'doc' if n == 1 else 'docs' }}{% endwith %}",
        "2 docs",
    ),
    (
        "{% for n in [3, 1]|sort %}{{ n }}{% endfor %}{{ [1, 2] + [3] }}",
        "13[1, 2, 3]",
    ),
    (
        "{% for d in docs %}{% set outer = loop %}{% for t in d.tags %}{{ outer.index }}{{ t }}{% endfor %}{% endfor %}",
        "1x",
    ),
    (
        "{% for d in docs recursive %}{{ d.title }}{{ loop(d.tags) if false }}{% endfor %}",
        "OneTwo",
    ),
    (
        "{{ range(-9223372036854775808, 9223372036854775807, 9223372036854775807)|list }}",
        "[-9223372036854775808, -1, 9223372036854775806]",
    ),
    (
        "JSON: {\"a\": {\"b\": []}} and {{ '{{' }}",
        "JSON: {\"a\": {\"b\": []}} and {{",
    ),
];

#[test]
fn realistic_prompts_render() {
    for (source, expected) in PROMPTS {
        match run(source, VALUES) {
            Ok(rendered) => assert_eq!(rendered, *expected, "{source}"),
            Err(errors) => panic!("{source}: {errors:?}"),
        }
    }
}

#[test]
fn large_honest_prompts_are_accepted() {
    let braces = "{ \"a\": [1, (2)] } ".repeat(4000);
    let tags = "{{ user.name }} and {% if user.age > 3 %}x{% endif %}\n".repeat(800);
    let arms: Vec<String> = (0..60)
        .map(|n| format!("{{% elif limit == {n} %}}{n}"))
        .collect();
    let arms = arms.concat();
    let chain = vec!["user.name"; 60].join(" ~ ");
    let nested = format!(
        "{}x{}",
        "{% if user %}".repeat(20),
        "{% endif %}".repeat(20)
    );
    let list = vec!["'an example of a reply'"; 400].join(", ");
    for source in [
        braces,
        tags,
        format!("{{% if limit == 99 %}}{arms}{{% else %}}z{{% endif %}}"),
        format!("{{{{ {chain} }}}}"),
        nested,
        format!("{{{{ [{list}]|length }}}}"),
    ] {
        let rendered = run(&source, VALUES);
        assert!(rendered.is_ok(), "{source:.80}: {rendered:?}");
    }
}

#[test]
fn long_conversations_may_be_compared_item_by_item() {
    let messages = |what: &str| -> Vec<_> {
        let message = |n: u32| serde_json::json!({"role": n % 2, "text": format!("{what} {n}"), "at": "2024-05-01T12:00"});
        (0..1_500).map(message).collect()
    };
    let values = serde_json::json!({
        "conversation": {"messages": messages("said")},
        "memories": messages("kept"),
        "document": "word ".repeat(10_000),
    });
    let source = "{% set ns = namespace(last='') %}{% for list in [conversation.messages, memories] %}{% for m in list %}\
        {% if m.role != ns.last %}{{ m.role }}{% endif %}{% set ns.last = m.role %}\
        {% if m.at[:10] == list[0].at[:10] %}{{ m.text }}{% endif %}\
        {% endfor %}{% endfor %}{{ document }}";
    let rendered = run(source, &values.to_string()).expect("a prompt");
    assert!(rendered.len() > 70_000, "{}", rendered.len());
}

#[test]
fn an_undefined_value_is_named_by_its_path_and_place() {
    let source = "Hi\r\n{{ memcell.txet|upper }}";
    let template = compile(source).expect("a good template");
    let values: serde_json::Value = serde_json::json!({"memcell": {"text": "secret"}});
    let err = template
        .render(&Value::from(Serde(&values)), Strictness::SemiStrict)
        .expect_err("a typo");
    assert_eq!(err.message, "`memcell.txet` is undefined");
    let text = source.get(err.range.expect("a range")).expect("inside");
    assert_eq!(text, "memcell.txet");
    for source in [
        "{{ 1 ~ 2 }}{{ memcell.txet[1:] }}",
        "{{ 'a' ~ memcell.text ~ memcell.txet }}",
    ] {
        let err = &run(source, &values.to_string()).expect_err(source)[0];
        assert_eq!(err.message, "`memcell.txet` is undefined", "{source}");
        assert_eq!(
            source.get(err.range.clone().expect("a range")),
            Some("memcell.txet"),
            "{source}"
        );
    }
}

#[test]
fn a_subscript_that_finds_nothing_is_named_as_it_is_written() {
    let values = r#"{"rows": [{"a": 1}], "key": "b", "deep": {"k": "b"}}"#;
    for (source, expected) in [
        ("{{ rows[0][key] }}", "`rows[0][key]` is undefined"),
        ("{{ rows[-1].b|upper }}", "`rows[-1].b` is undefined"),
        ("{{ rows[0][deep.k] }}", "`rows[0][deep.k]` is undefined"),
        ("{{ rows[0][deep.k].x }}", "`rows[0][deep.k]` is undefined"),
        ("{{ rows[-2] }}", "`rows[-2]` is undefined"),
        ("{{ nope[key] }}", "`nope` is undefined"),
        (
            "{% set x = rows[0][key] %}{{ x }}",
            "what a subscript takes is undefined",
        ),
    ] {
        let err = &run(source, values).expect_err(source)[0];
        assert_eq!(err.message, expected, "{source}");
    }
}

#[test]
fn items_of_long_lists_may_be_taken_by_their_index() {
    let values = serde_json::json!({"messages": (0..1_500).collect::<Vec<_>>(), "text": "word ".repeat(2_000)});
    let source = "{% set rest = messages[1:] %}{% for m in rest %}{{ rest[loop.index0] }}{{ messages[loop.index0 - 1] }}{% endfor %}\
        {% for i in range(100) %}{{ text[i] }}{{ text[-1] }}{% endfor %}";
    assert!(run(source, &values.to_string()).is_ok());
}

#[test]
fn only_strict_refuses_a_condition_on_an_undefined_value() {
    let template = compile("{% if memcell.txet %}x{% endif %}ok").expect("a good template");
    let values = Value::from(Serde(serde_json::json!({"memcell": {}})));
    assert_eq!(
        template.render(&values, Strictness::SemiStrict).as_deref(),
        Ok("ok")
    );
    let err = template
        .render(&values, Strictness::Strict)
        .expect_err("strict");
    assert_eq!(err.message, "`memcell.txet` is undefined");
}

#[test]
fn errors_never_hold_a_value() {
    for source in [
        "{{ a / 0 }}",
        "{{ a + 1 }}",
        "{{ n // 0 }}",
        "{{ n ** 999 }}",
        "{% for x, y in [a] %}{% endfor %}",
    ] {
        let errors = run(source, r#"{"a": "hunter2", "n": 918273645}"#).expect_err(source);
        let text = format!("{errors:?}");
        assert!(
            !text.contains("hunter2") && !text.contains("918273645"),
            "{source}: {text}"
        );
    }
}
