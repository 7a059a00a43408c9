//! What filters and tests do with values that are not there, where Jinja2 would print nothing.

use minijinja::context;
use prompt_slots_core::{Compiled, Format, Limits, Strictness};

/// Renders a template with a map that lacks almost everything; `None` if it is refused.
fn render(template: &str, strictness: Strictness) -> Option<String> {
    let compiled = Compiled::new(Format::Jinja2, template, &Limits::DEFAULT).unwrap();
    let values = context!(users => [context!(name => "Bob"), context!(name => "Al", ok => true)]);
    compiled.render(&values, strictness).ok()
}

#[test]
fn defined_and_default_take_what_is_not_there_even_if_strict() {
    for (template, expected) in [
        ("{{ nope is defined }}", "False"),
        ("{{ nope is undefined }}", "True"),
        ("{{ nope|default('d') }}", "d"),
        ("{{ users[0].ok|d('d') }}", "d"),
        ("{{ ([]|first)|default('d') }}", "d"),
        (
            "{{ users|selectattr('ok', 'defined')|map(attribute='name')|join }}",
            "Al",
        ),
        (
            "{{ users|map(attribute='ok', default='d')|join(',') }}",
            "d,True",
        ),
    ] {
        assert_eq!(
            render(template, Strictness::Strict).as_deref(),
            Some(expected),
            "{template}"
        );
    }
}

#[test]
fn what_is_not_there_may_be_tested_unless_strict() {
    for (template, expected) in [
        ("{% if nope is none %}a{% else %}b{% endif %}", "b"),
        ("{{ nope is string }}", "False"),
        (
            "{{ users|selectattr('ok')|map(attribute='name')|join }}",
            "Al",
        ),
        (
            "{{ users|rejectattr('ok')|map(attribute='name')|join }}",
            "Bob",
        ),
    ] {
        assert_eq!(
            render(template, Strictness::SemiStrict).as_deref(),
            Some(expected),
            "{template}"
        );
        assert_eq!(render(template, Strictness::Strict), None, "{template}");
    }
}

#[test]
fn what_is_not_there_is_never_made_into_something() {
    for template in [
        "{{ nope|upper }}",
        "{{ nope|length }}",
        "{{ nope|list }}",
        "{{ nope|join }}",
        "{{ nope|tojson }}",
        "{{ nope|string }}",
        "{{ nope|int(3) }}",
        "{{ [nope] }}",
        "{{ [nope]|join }}",
        "{{ {'a': nope}|tojson }}",
        "{{ users|map(attribute='ok')|join }}",
        "{{ users|sort(attribute='ok') }}",
        "{{ users|groupby('ok') }}",
        "{{ 'a'|replace('a', nope) }}",
        "{{ '%s'|format(nope) }}",
        "{{ 'a'|indent(first=nope) }}",
        "{{ []|first }}",
        "{{ nope is odd }}",
        "{{ 1 is eq nope }}",
    ] {
        assert_eq!(render(template, Strictness::SemiStrict), None, "{template}");
    }
}

#[test]
fn what_a_limit_refuses_and_an_attribute_of_a_text_come_with_the_next_step() {
    let mut said = Vec::new();
    for source in [
        "{{ 2 ** 1000000000 }}",
        "{% for a in range(10000) %}{% for b in range(10000) %}{% endfor %}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{{ memcell|replace('a', memcell) }}",
        "{{ memcell.text }}",
        "{{ 1 < memcell }}",
        "{{ [1, memcell]|sort }}",
        "{{ 1 in memcell }}",
        "{{ memcell in none }}",
        "{{ {}[memcell] }}",
        "{{ [{}]|groupby('a.a.a')|list }}",
        "{{ memcell|round }}",
        "{{ '%d %d'|format(1) }}",
        "{{ memcell|round(1e9) }}",
    ] {
        let compiled = Compiled::new(Format::Jinja2, source, &Limits::DEFAULT).unwrap();
        let values = minijinja::context! { memcell => "a".repeat(100_000) };
        let error = compiled
            .render(&values, Strictness::SemiStrict)
            .unwrap_err();
        let hint = error.hint.unwrap_or_else(|| "no hint".to_owned());
        said.push(format!("{} ({hint})", error.message));
    }
    insta::assert_snapshot!(said.join("\n"), @"
    invalid operation (see whether the numbers fit; work with smaller ones)
    the template does too much work (shorten its loops, or pass less: prepare large values before)
    recursion limit exceeded (end the macro or the loop that calls itself)
    a text grows beyond 4194304 bytes (shorten what a loop or a filter puts together)
    `memcell.text` is undefined (the value of `memcell` is a text, and has no `text`)
    cannot compare an integer with a string (make both the same: `|int` and `|float` make numbers, `|string` makes a text)
    cannot compare a string with an integer (make both the same: `|int` and `|float` make numbers, `|string` makes a text)
    `in` looks only for text in a text, not for an integer (make it a text with `|string`, or look into a list)
    `in` cannot look into none (no hint)
    a key has more than 1024 bytes (look up a short text or a number)
    `groupby` finds an item that lacks the attribute (check its spelling; leave such items out with `|selectattr('..', 'defined')`)
    `round` needs a number, not a text (make it one with `|float` or `|int`)
    `format` has fewer values than placeholders (give a value for each, and write `%%` for a percent sign)
    `round` needs an integer for `precision` (write it without a point or an exponent)
    ");
}
