//! Which names are free, and what must exist.

use super::{compile, first_message};

#[track_caller]
fn free(source: &str) -> Vec<String> {
    match compile(source) {
        Ok(template) => template
            .free_names()
            .iter()
            .map(|free| free.name.clone())
            .collect(),
        Err(errors) => panic!("{source}: {errors:?}"),
    }
}

const FREE: &[(&str, &[&str])] = &[
    ("{{ a }} {{ b.c }} {{ a }}", &["a", "b"]),
    ("{% set x = x|trim %}{{ x }}", &["x"]),
    ("{% set x = y %}{{ x }}", &["y"]),
    ("{{ n }}{% set n = 1 %}{{ n }}", &["n"]),
    (
        "{% if c %}{% set n = 0 %}{% else %}{% set n = 1 %}{% endif %}{{ n }}",
        &["c"],
    ),
    (
        "{% if docs is none %}{% set n = 0 %}{% endif %}{{ n }}",
        &["docs"],
    ),
    (
        "{% if c %}{% set n = 0 %}{% else %}{{ n }}{% endif %}",
        &["c", "n"],
    ),
    (
        "{% for x in xs %}{{ x }}{{ loop.index }}{% endfor %}",
        &["xs"],
    ),
    ("{% for x in xs %}{% endfor %}{{ x }}", &["xs", "x"]),
    ("{% for x in x %}{{ x }}{% endfor %}", &["x"]),
    (
        "{% for x in xs if x > m %}{{ x }}{% else %}{{ x }}{% endfor %}",
        &["xs", "m", "x"],
    ),
    (
        "{% for k, (a, b) in d|items %}{{ k }}{{ a }}{{ b }}{% endfor %}",
        &["d"],
    ),
    ("{% set a, b = p %}{{ a }}{{ b }}", &["p"]),
    ("{% set a = 1, z %}{{ a }}", &["z"]),
    ("{% set t %}{{ inner }}{% endset %}{{ t }}", &["inner"]),
    (
        "{% with a = b, c = d %}{{ a }}{{ c }}{% endwith %}{{ a }}",
        &["b", "d", "a"],
    ),
    (
        "{% macro m(a, b=dflt) %}{{ a }}{{ b }}{{ outer }}{{ caller() }}{% endmacro %}{{ m(v) }}",
        &["dflt", "outer", "v"],
    ),
    (
        "{% macro a() %}{{ b() }}{{ n }}{% endmacro %}{% macro b() %}B{% endmacro %}{% set n = 1 %}{{ a() }}",
        &[],
    ),
    (
        "{% macro w() %}{{ caller(1) }}{% endmacro %}{% call(u) w() %}{{ u }}{{ o }}{% endcall %}",
        &["o"],
    ),
    (
        "{% set ns = namespace(n=start) %}{% for x in xs %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}",
        &["start", "xs"],
    ),
    (
        "{{ [a, b]|join(sep) }}{{ {k: v, 'lit': 1}|length }}{{ (t, 1)|length }}",
        &["a", "b", "sep", "k", "v", "t"],
    ),
    (
        "{{ x.attr.deep }}{{ x['key'] }}{{ x[i] }}{{ x[lo:hi] }}",
        &["x", "i", "lo", "hi"],
    ),
    (
        "{{ xs|map(attribute='a')|join }}{{ dict(key=v) }}",
        &["xs", "v"],
    ),
    (
        "{{ true }}{{ False }}{{ none }}{{ None }}{{ range(3) }}",
        &[],
    ),
    (
        "{% raw %}{{ hidden }}{% endraw %}{# {{ hidden }} #}{{ '{{ hidden }}' }}",
        &[],
    ),
    (
        "{%- raw -%}{% if %}{{ x {%- endraw -%}{{ seen }}",
        &["seen"],
    ),
    (
        "{{- a -}} {%- if b -%} {%+ endif +%} {{ {'k': c}}}",
        &["a", "b", "c"],
    ),
    ("{% if false %}{{ never }}{% endif %}", &["never"]),
    (
        "{{ 'yes' if flag }}{{ a if b else c }}",
        &["flag", "b", "a", "c"],
    ),
    (
        "{{ x is defined and y is not none }}{{ 3 is divisibleby n }}",
        &["x", "y", "n"],
    ),
    (
        "{{ not a and -b or c ~ d + e * f // g % h ** i }}",
        &["a", "b", "c", "d", "e", "f", "g", "h", "i"],
    ),
    (
        "{{ a in b }}{{ c not in d }}{{ 1 < e <= f }}",
        &["a", "b", "c", "d", "e", "f"],
    ),
    (
        "{% filter upper %}{{ a }}{% endfilter %}{{ 0x1F + 1.5e3 + 1_000 }}{{ x.0.1 }}",
        &["a", "x"],
    ),
    ("{{ '\\'}}' }}{{ \"a\" 'b' }}{{ q }}", &["q"]),
    ("plain { text } with {braces} and % signs", &[]),
];

#[test]
fn names_from_the_caller_are_free_and_others_are_not() {
    for (source, names) in FREE {
        assert_eq!(free(source), *names, "{source}");
    }
}

#[test]
fn ranges_are_those_of_the_first_appearance_also_with_crlf() {
    let source = "one\r\ntwo {{ a }}\r\n{{ b|upper }}{{ a }}";
    let template = compile(source).expect("a good template");
    for free in template.free_names() {
        assert_eq!(source.get(free.range.clone()), Some(free.name.as_str()));
    }
    let source = "line\r\n\r\nx {{ a|upprr }}";
    let errors = compile(source).expect_err("no such filter");
    let range = errors[0].range.clone().expect("a range");
    assert_eq!(source.get(range), Some("upprr"));
}

/// Templates, what is wrong with them, and the hint.
const WRONG: &[(&str, &str, &str)] = &[
    (
        "{% if false %}{{ a|uper }}{% endif %}",
        "there is no filter `uper`",
        "did you mean `upper`?",
    ),
    (
        "{{ a is defind }}",
        "there is no test `defind`",
        "did you mean `defined`?",
    ),
    (
        "{{ a is not evn }}",
        "there is no test `evn`",
        "did you mean `even`?",
    ),
    (
        "{{ rnge(3) }}",
        "there is no function `rnge`",
        "did you mean `range`?",
    ),
    (
        "{{ trim(x) }}",
        "there is no function `trim`",
        "it is a filter: write `value|trim`",
    ),
    (
        "{{ xs|map('uper')|join }}",
        "there is no filter `uper`",
        "did you mean `upper`?",
    ),
    (
        "{{ xs|select('od')|join }}",
        "there is no test `od`",
        "did you mean `odd`?",
    ),
    (
        "{{ xs|rejectattr('a', 'equalt', 1)|join }}",
        "there is no test `equalt`",
        "did you mean `equalto`?",
    ),
    (
        "{% filter uper %}x{% endfilter %}",
        "there is no filter `uper`",
        "did you mean `upper`?",
    ),
    (
        "{% set x|uper %}y{% endset %}",
        "there is no filter `uper`",
        "did you mean `upper`?",
    ),
    (
        "{{ x.itmes() }}",
        "there is no method `.itmes()` here",
        "use the filter: `value|items`",
    ),
    (
        "{{ x.title() }}",
        "there is no method `.title()` here",
        "use the filter: `value|title`",
    ),
    (
        "{{ '%s'.format(1) }}",
        "there is no method `.format()` here",
        "write `'%s'|format(value)`",
    ),
    (
        "{{ x.items() }}",
        "what `.items()` gives can only be looped over or filtered",
        "add `|list`",
    ),
    (
        "{% for i in x.items %}{% endfor %}",
        "`.items` is a method of maps, not the key `items`",
        "write `['items']`",
    ),
    (
        "{% with a = 1, b = [x, a] %}{{ b }}{% endwith %}",
        "`a` is bound by the same `with`, and not seen here",
        "put one `with` into another",
    ),
    (
        "{{ x[::n] }}",
        "the step of a slice must be a short whole number",
        "write it out, as in `[::2]` or `[::-1]`",
    ),
    (
        r"{{ '\\a\a' }}",
        r"the escape `\a` isn't offered here",
        r"write the character itself, or its code in four digits: `\u00e9`",
    ),
    (
        "{% include \"/etc/passwd\" %}",
        "a prompt can't include other files",
        "write the text here, or pass it in as a variable",
    ),
    (
        "{% endif %}",
        "`endif` closes nothing that is open here",
        "look for a block that is closed twice or never opened",
    ),
    (
        "{% esle %}",
        "there is no tag `esle`",
        "did you mean `else`?",
    ),
    (
        "{% if a %}",
        "this `if` is never closed",
        "close it with `{% endif %}`",
    ),
    (
        "{{ a ",
        "this `{{` is never closed",
        "close it with `}}`, or write `{{ '{{' }}` for the characters themselves",
    ),
];

#[test]
fn what_does_not_exist_is_found_in_branches_that_never_run() {
    for (source, message, hint) in WRONG {
        let errors = compile(source).expect_err(source);
        assert_eq!(first_message(&errors), *message, "{source}");
        assert_eq!(errors[0].hint.as_deref(), Some(*hint), "{source}");
    }
}

#[test]
fn what_a_prompt_has_no_use_for_is_refused() {
    for source in [
        "{% import 'x' as y %}",
        "{% from 'x' import y %}",
        "{% extends 'x' %}",
        "{% block b %}{% endblock %}",
        "{% do x.append(1) %}",
        "{% autoescape true %}{% endautoescape %}",
        "{% break %}",
        "{{ self }}",
        "{{ self.x() }}",
        "{{ super() }}",
        "{{ debug() }}",
        "{{ caller() }}",
        "{{ loop.index }}",
        "{{ ''.__class__ }}",
        "{{ x['__class__'] }}",
        "{{ cycler.__init__.__globals__ }}",
        "{{ x() }}",
        "{{ x[0]() }}",
        "{{ range }}",
        "{{ f(*xs) }}",
        "{{ f(**xs) }}",
        "{{ xs|map(f) }}",
        "{{ xs|map('up' 'per') }}",
        "{% macro m() %}{{ varargs }}{% endmacro %}",
        "{% set loop = 1 %}",
        "{% set true = 1 %}",
        "{% set x.y = 1 %}",
        "{{ \u{201c}a\u{201d} }}",
        "{{ }}",
        "{% %}",
        "{% continue %}",
        "{% unknown %}",
        "{% for x in xs %}{{ loop.cycle() }}{% endfor %}",
        "{% for x in xs %}{{ loop.cycle(a=1) }}{% endfor %}",
        "{% for x in xs %}{{ loop.cycle(*[]) }}{% endfor %}",
        "{% for x in xs %}{% set o = loop %}{{ o.cycle() }}{% endfor %}",
        "{% for x in xs %}{{ loop.changed() }}{% endfor %}",
        "{% for x in xs %}{{ loop['cycle']() }}{% endfor %}",
        "{{ xs.cycle(1) }}",
        "{{ x[::9223372036854775807] }}",
        "{{ x[::-9223372036854775808] }}",
        "{{ x[::0x10] }}",
        "{{ x[::1.0] }}",
        "{{ x[::--1] }}",
        "{{ x[::(1)] }}",
        "{{ x[::1 if y else 2] }}",
        r"{{ '\\v\v' }}",
        r"{{ '\/' }}",
        r"{{ '\N{BULLET}' }}",
        r"{{ '\U0001f600' }}",
        r"{{ '\ud83d\ude00' }}",
        r"{{ '\u+123' }}",
        r"{{ '\x4' }}",
        r"{{ '\x+4' }}",
        r"{{ '\400' }}",
        "{{ '\\\u{e9}' }}",
        "{{ 'a\\\nb' }}",
        "{{ 'a\\\r\nb' }}",
        "{% with a = 1, b = a %}{% endwith %}",
        "{% with (a, c) = x, b = f[c] %}{% endwith %}",
        "{{ d.keys()[0] }}",
        "{{ d.keys() == ['a'] }}",
        "{% set k = d.keys() %}",
        "{{ d.items }}",
        "{{ d.pop }}",
        "{{ d.pop('a') }}",
        "{{ d.update({}) }}",
        "{{ d['items']() }}",
        "{{ xs|map('map', f)|list }}",
        "{{ xs|selectattr('a', 'nope')|list }}",
        "{{ xs|reject('nope')|list }}",
        "{{ a b }}",
        "{{ a ! b }}",
        "{{ ns }}{% set ns = namespace() %}",
        "{% set a = [namespace()] %}",
        "{# open",
        "{% raw %}",
        "{{ 'open }}",
    ] {
        assert!(compile(source).is_err(), "{source}");
    }
}

#[test]
fn all_findings_are_reported_in_order() {
    let errors = compile("{{ a|one_ }}\n{{ b|two_ }}{{ c is three_ }}").expect_err("three errors");
    let messages: Vec<_> = errors.iter().map(|err| err.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "there is no filter `one_`",
            "there is no filter `two_`",
            "there is no test `three_`"
        ]
    );
}
