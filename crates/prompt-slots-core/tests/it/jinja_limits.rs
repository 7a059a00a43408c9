//! A template can ask for anything; it gets an error, soon, and without much memory.

use std::time::{Duration, Instant};

use minijinja::context;
use prompt_slots_core::{Compiled, Format, Limits, Strictness};

/// Templates that ask for too much; `long` is a text of 100 kB, `many` a list of 10 000 numbers.
const HOSTILE: &[&str] = &[
    // Widths, counts and precisions.
    "{{ [1]|tojson(indent=1000000000) }}",
    "{{ [1]|tojson(indent=9223372036854775807) }}",
    "{{ [[[[1]]]]|tojson(indent=long) ~ [[[many]]]|tojson(indent=long) }}",
    "{{ 'a'|indent(1000000000, true) }}",
    "{{ 'a'|indent(9223372036854775807, true) }}",
    "{{ many|join('\n')|indent(1000) }}",
    "{{ 'a'|center(1000000000) }}",
    "{{ 'a'|center(9223372036854775807) }}",
    "{{ [1]|batch(1000000000, 'x')|list }}",
    "{{ [1]|batch(9223372036854775807, 'x')|list }}",
    "{{ [1]|slice(1000000000)|list }}",
    "{{ [1]|slice(9223372036854775807, 'x')|list }}",
    "{{ [1]|batch(0)|list }}",
    "{{ [1]|slice(0)|list }}",
    "{{ [1]|batch(-1)|list }}",
    "{{ 1.5|round(2147483647) }}",
    "{{ 1.5|round(-9223372036854775808, 'ceil') }}",
    "{{ 1e300|round(300, 'ceil') }}",
    "{{ '%1000000000d'|format(1) }}",
    "{{ '%-1000000000s'|format('a') }}",
    "{{ '%.1000000000f'|format(1) }}",
    "{{ '%(a)99999999999999999999d'|format(a=1) }}",
    "{{ '%*d'|format(1000000000, 1) }}",
    "{{ ('%10000d' * 10000)|format(1) }}",
    "{{ long|truncate(10, true, long, 0) }}",
    "{{ long|truncate(-1) }}",
    // Numbers.
    "{{ range(1000000000) }}",
    "{{ range(9223372036854775807)|list }}",
    "{{ range(-9223372036854775808, 9223372036854775807)|length }}",
    "{{ range(0, 10, 0) }}",
    "{{ range(10000000000000000000000) }}",
    "{{ 2 ** 1000000000 }}",
    "{{ 10 ** 10 ** 10 }}",
    "{{ 1e308|int }}",
    "{{ ('9' * 1000)|int }}",
    "{{ 'zz'|int(base=99) }}",
    // Texts that grow.
    "{{ 'a' * 1000000000 }}",
    "{{ 1000000000 * 'a' }}",
    "{{ 'a' * 9223372036854775807 }}",
    "{{ (long * 1000)|length }}{{ (long * 1000)|length }}",
    "{{ long|replace('a', long) }}",
    "{{ long|replace('', long) }}",
    "{{ many|join(long) }}",
    "{{ many|map('string')|map('replace', '', long)|list }}",
    "{{ (long|e * 100)|e|replace('a', long) }}",
    "{% set ns = namespace(s='aaaa') %}{% for i in range(100) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s|length }}",
    "{% set ns = namespace(s='aaaa') %}{% for i in range(100) %}{% set ns.s = ns.s|replace('a', 'aa') %}{% endfor %}{{ ns.s|length }}",
    "{% set ns = namespace(s='<') %}{% for i in range(100) %}{% set ns.s = [ns.s, ns.s]|tojson %}{% endfor %}{{ ns.s|length }}",
    "{% set ns = namespace(s='%s%s') %}{% for i in range(100) %}{% set ns.s = ns.s|format(ns.s, ns.s) %}{% endfor %}{{ ns.s|length }}",
    "{% for i in range(100000) %}{% for j in range(100000) %}{{ i }}{% endfor %}{% endfor %}",
    // Lists that grow, and lists that nest.
    "{{ (many * 100000)|list }}",
    "{{ (many * 100000)|sum }}",
    "{{ (many * 100000)|sort }}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = ns.l|batch(1)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100) %}{% set ns.l = ns.l|batch(3, ns.l)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100) %}{% set ns.l = [1]|slice(3, ns.l)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = ns.l|groupby(0, default=0) %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = [{}]|groupby('a', default=ns.l) %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = [nope]|map('default', ns.l)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = [{}]|map(attribute='a', default=ns.l)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = dict(a=ns.l) %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = dict(a=ns.l, b=ns.l) %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|tojson }}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|string }}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|join }}",
    "{% set ns = namespace(l=1) %}{% set ns.l = ns %}{{ ns }}",
    "{% set ns = namespace(l=1) %}{% set ns.l = ns %}{{ ns|tojson }}",
    // Calls that never end.
    "{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}",
    "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    // What is not there.
    "{{ debug() }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ cycler.__init__.__globals__ }}",
    "{{ lipsum() }}",
    "{{ 'a'|attr('upper') }}",
    "{{ 'मेरा नाम'|wordcount }}",
];

#[test]
fn hostile_templates_are_refused_soon() {
    let values = context!(long => "a".repeat(100_000), many => (0..10_000).collect::<Vec<_>>());
    let mut wrong = Vec::new();
    for template in HOSTILE {
        let start = Instant::now();
        let rendered = Compiled::new(Format::Jinja2, template, &Limits::DEFAULT)
            .map_err(|errors| format!("{errors:?}"))
            .and_then(|compiled| {
                compiled
                    .render(&values, Strictness::SemiStrict)
                    .map_err(|error| error.message)
            });
        let time = start.elapsed();
        // Optimised code takes some milliseconds; this is what slow machines do in debug builds.
        if rendered.is_ok() || time > Duration::from_secs(5) {
            wrong.push(format!(
                "{template}: {:?} in {time:?}",
                rendered.map(|text| text.len())
            ));
        }
        println!("{time:?} {template}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
