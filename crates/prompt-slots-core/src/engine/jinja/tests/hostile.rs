//! Templates that were written to stop a process: each must end as an error, soon, on a small stack.

use super::{compile, first_message, guarded, run};

const VALUES: &str = r#"{"xs": [1, 2, 3], "x": "text", "n": 100000000, "big": 2}"#;

#[track_caller]
fn refused(source: String) {
    let name: String = source.chars().take(120).collect();
    let result = guarded(&name, move || run(&source, VALUES));
    assert!(
        result.is_err(),
        "{name}: rendered {} bytes",
        result.map_or(0, |text| text.len())
    );
}

/// Like `refused`, by the guard.
#[track_caller]
fn refused_as_growth(source: String) {
    let name: String = source.chars().take(120).collect();
    let errors = guarded(&name, move || compile(&source)).expect_err(&name);
    let words = [
        "built",
        "over and over",
        "repeat",
        "namespace",
        "put together",
        "no filter",
    ];
    let message = first_message(&errors);
    assert!(
        words.iter().any(|word| message.contains(word)),
        "{name}: {message}"
    );
}

#[test]
fn huge_sizes_end_as_errors() {
    for source in [
        "{{ 'a' * 20000000000 }}",
        "{{ 'a' * 100000000 }}",
        "{{ 'a' * n }}",
        "{{ range(100000000000) }}",
        "{{ 2 ** 100000000 }}",
        "{{ 99999999999999999999999999999999999999999999999999 }}",
        "{{ 340282366920938463463374607431768211455 * 10 }}",
        "{{ [1] * 100000000 }}",
        "{{ xs * n }}",
        "{{ xs * 33000000 }}",
        "{% set a, b = xs * 33000000 %}",
        "{{ 7 in (xs * 33000000) }}",
        "{% for a in xs * 33000000 %}{% endfor %}",
        "{{ (xs * n) ~ '' }}",
        "{% set y = xs * n %}{{ y ~ '' }}",
        "{{ (xs * n)|string }}",
        "{{ 2 in [1] * 100000000 }}",
        "{{ [1] * 100000000 == [1] * 100000000 }}",
        "{{ [1] * 100000000 ~ '' }}",
        "{{ (1, 2) * 100000000 }}",
        "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}",
        "{% for a in range(9999) %}{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' * 999 }}{% endfor %}",
        "{{ x|format(1) }}{{ '%99999999999d'|format(1) }}",
    ] {
        refused(source.to_owned());
    }
}

#[test]
fn growth_of_text_runs_out_of_fuel() {
    for source in [
        "{% set ns = namespace(s='aaaa') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}",
        "{% set ns = namespace(s='aaaa') %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}{% endfor %}{{ ns.s }}",
        "{% set ns = namespace(s='aaaa') %}{% for i in range(60) %}{% set ns.s = ns.s|replace('a', 'aaaa') %}{% endfor %}{{ ns.s }}",
        "{% macro m(s) %}{{ m(s ~ s) }}{% endmacro %}{{ m('aaaa') }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m() %}{% call m() %}{{ m() }}{% endcall %}{% endmacro %}{{ m() }}",
        "{% for a in [1] recursive %}{{ loop([a]) }}{% endfor %}",
        "{% for l in [1] recursive %}{{ loop([l, [l, l]]) }}{% endfor %}",
        "{% set s %}{{ 'a' * 1000000 }}{% endset %}{% for i in range(9999) %}{{ s }}{% endfor %}",
    ] {
        refused(source.to_owned());
    }
    let lines = "{% set s = s ~ s %}".repeat(60);
    refused(format!("{{% set s = 'aaaa' %}}{lines}{{{{ s }}}}"));
    let lines = "{% set s %}{{ s }}{{ s }}{% endset %}".repeat(60);
    refused(format!("{{% set s = 'aaaa' %}}{lines}{{{{ s }}}}"));
}

#[test]
fn doubling_of_lists_and_maps_is_refused() {
    let steps = [
        "{% set @ = [@, @] %}",
        "{% set @ = (@, @) %}",
        "{% set @ = {'a': @, 'b': @} %}",
        "{% set @ = {@: 1, 'b': @} %}",
        "{% set @ = dict(a=@, b=@) %}",
        "{% set @ = @ + @ %}",
        "{% set @ = @|chain(@) %}",
        "{% set @ = @|zip(@) %}",
        "{% set @ = [@|list, @|list] %}",
        "{% set @ = [@ if 1 else @, @ or @] %}",
        "{% set @ = @ * 2 %}",
        "{% set @ = @|batch(2, @)|list %}",
        "{% set @ = @|map('default', @)|list %}",
        "{% with k = [@, @] %}{% set @ = k %}{% endwith %}",
        "{% set m = [@, @] %}{% set @ = [m, m] %}",
        "{% set @ = @ + [@] %}",
        "{% set @ = (@ + [1]) + (@ + [2]) %}",
    ];
    let ends = [
        "",
        "{{ l }}",
        "{{ l|length }}",
        "{{ l == l }}",
        "{{ l|tojson }}",
        "{% for a in l %}{{ a }}{% endfor %}",
    ];
    for (index, step) in steps.iter().enumerate() {
        let end = ends.get(index % ends.len()).unwrap_or(&"");
        let many = step.replace('@', "l").repeat(50);
        refused_as_growth(format!("{{% set l = [1, 2] %}}{many}{end}{{{{ l }}}}"));
        let looped = step.replace('@', "ns.l");
        refused_as_growth(format!(
            "{{% set ns = namespace(l=[1]) %}}{{% for i in range(60) %}}{looped}{{% endfor %}}{{{{ ns.l }}}}"
        ));
    }
    for source in [
        "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
        "{% set ns = namespace(l=xs) %}{% for i in range(60) %}{% set k = ns.l + xs %}{% set ns.l = k + k %}{% endfor %}{{ ns.l }}",
        "{% set l = xs %}{% for i in range(60) %}{% set l = l + l %}{% endfor %}{{ l }}",
        "{% set ns = namespace(l=xs) %}{% for i in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}{{ ns.l }}",
        "{% set ns = namespace(l=xs) %}{% for i in range(9999) %}{% set ns.l = ns.l[0:] %}{% endfor %}{{ ns.l }}",
        "{% set ns = namespace(l=xs) %}{% for i in range(9999) %}{% set ns.l = ns.l|reverse %}{% endfor %}{{ ns.l }}",
        "{% set ns = namespace(l=xs) %}{% for i in range(9999) %}{% set ns.l = ns.l|batch(1) %}{% endfor %}{{ ns.l }}",
        "{% set ns = namespace(l=xs) %}{% for i in range(9999) %}{% set ns.l = ns.l * 1 %}{% endfor %}{{ ns.l }}",
        "{% set ns = namespace(l=xs) %}{% for i in range(9999) %}{% for g in ns.l|groupby(0) %}{% set ns.l = g %}{% endfor %}{% endfor %}{{ ns.l }}",
        "{% with l = 1 %}{% set l = [1] %}{% set l = l + l %}{% set l = l + l %}{{ l }}{% endwith %}",
        "{% set l = [1] %}{% with a = 1 %}{% set l = 1 %}{% endwith %}{% set l = l + l %}{% set l = l + l %}{{ l }}",
        "{% set ns = namespace(l=[[1, x], 0]) %}{% for i in range(60) %}{% for e in ns.l %}{% set o = loop %}{% set ns.l = [[o.previtem, o.previtem], 0] %}{% endfor %}{% endfor %}{{ ns.l }}",
        "{% macro a(p) %}{{ p }}{% endmacro %}{% macro b(q) %}{% set ns.l = [q, q] %}{% endmacro %}{% set ns = namespace(l=[1]) %}{% set a = b %}{% for i in range(60) %}{{ a(ns.l) }}{% endfor %}{{ ns.l }}",
        "{% set l = xs %}{% set l = xs|map(attribute='z', default=l)|list %}{% set l = xs|map(attribute='z', default=l)|list %}{{ l == l }}{{ l }}",
        "{% set ns = namespace(m={'a': 1}) %}{% for i in range(99) %}{% for p in ns.m|items %}{% set ns.m = {'a': p, 'b': p} %}{% endfor %}{% endfor %}{{ ns.m }}",
        "{% set ns = namespace() %}{% set ns.me = ns %}{{ ns }}",
        "{% set ns = namespace() %}{% set ns.me = ns %}",
        "{% set a = namespace() %}{% set b = namespace() %}{% set a.x = b %}{% set b.x = a %}",
        "{% set a = namespace() %}{% set b = namespace(x=a) %}{% set a.x = b %}",
        "{% set ns = namespace() %}{% set other = ns %}{% set ns.x = other %}",
        "{% set ns = namespace() %}{% with other = ns %}{% set ns.x = other %}{% endwith %}",
        "{% set ns = namespace() %}{% for other in [ns] %}{% set ns.x = other %}{% endfor %}",
        "{% set ns = namespace() %}{% macro m(p) %}{% set ns.x = p %}{% endmacro %}{{ m(ns) }}",
        "{% set ns = namespace() %}{% macro m(p=ns) %}{% set ns.x = p %}{% endmacro %}{{ m() }}",
        "{% set ns = namespace() %}{% set ns.x = ns or 1 %}",
        "{% set ns = namespace() %}{% set ns.x = 1 if 0 else ns %}",
        "{% set ns = namespace() %}{% set ns.x = d.get('a', ns) %}",
        "{% set ns = namespace() %}{% set ns.x = nope|default(ns) %}",
        "{% set ns = namespace() %}{% set ns.x = {'a': ns} %}",
        "{% set ns = namespace(l={}) %}{% for i in range(60) %}{% set ns.l = {'a': ns.l.get('a'), 'b': ns.l.get('a')} %}{% endfor %}",
        "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = d.get('x', ns.l) + d.get('x', ns.l) %}{% endfor %}",
        "{% set ns = namespace(l={}) %}{% for i in range(60) %}{% set ns.l = {'a': ns.l.items()|list, 'b': 1} %}{% endfor %}",
        "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [', '.join(ns.l).split(ns.l), ns.l] %}{% endfor %}",
        "{% set ns = namespace({'l': [1]}) %}{% for i in range(60) %}{% set ns.l = ns.l + ns.l %}{% endfor %}{{ ns.l }}",
        "{% set d = {'l': [1]} %}{% set ns = namespace(d) %}{% set ns.l = ns.l + ns.l %}{{ ns.l }}",
        "{% set ns = namespace() %}{% set ns.me = [ns] %}{{ ns.me }}",
        "{% macro m(l, n) %}{% if n %}{{ m([l, l], n - 1) }}{% else %}{{ l }}{% endif %}{% endmacro %}{{ m([1], 60) }}",
        "{% macro d(l) %}{% set ns.l = [l, l] %}{% endmacro %}{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{{ d(ns.l) }}{% endfor %}{{ ns.l }}",
        "{% set s = 'a' * 9000000 %}{% set t = 'a' * 9000000 %}{% for i in range(9999) %}{% if s == t %}{% endif %}{% endfor %}{{ s }}",
    ] {
        refused_as_growth(source.to_owned());
    }
}

#[test]
fn long_and_deep_sources_are_refused_before_the_engine_sees_them() {
    let wrap = |inner: String| format!("{{{{ {inner} }}}}");
    for size in [110, 1_500, 5_000, 100_000] {
        for unit in ["-", "not ", "(", "[", "{1:", "((-", "-(not ", "[[not (-"] {
            refused(wrap(format!("{}x", unit.repeat(size))));
            let close: String = unit
                .chars()
                .rev()
                .filter_map(|c| match c {
                    '(' => Some(')'),
                    '[' => Some(']'),
                    '{' => Some('}'),
                    _ => None,
                })
                .collect();
            refused(wrap(format!(
                "{}x{}",
                unit.repeat(size),
                close.repeat(size)
            )));
        }
        for unit in [
            " + 1",
            " - 1",
            " ~ 1",
            " * 1",
            " // 2",
            " ** 1",
            ".a",
            "[0]",
            "|e",
            "|upper|e",
            " and x",
            " or x",
            " == x",
            " in x",
            " if x else x",
            " if x",
            " is defined",
            "[0].a|e + 1",
            " ~ x|e if x else x",
            "()",
            "[1:]",
        ] {
            refused(wrap(format!("x{}", unit.repeat(size))));
        }
        refused(format!(
            "{{% if x == 0 %}}{}{{% endif %}}",
            "{% elif x %}".repeat(size * 2)
        ));
        for (open, close) in [
            ("{% if x %}", "{% endif %}"),
            ("{% for a in xs %}", "{% endfor %}"),
            ("{% with a = x %}", "{% endwith %}"),
            ("{% set a %}", "{% endset %}"),
            ("{% filter e %}", "{% endfilter %}"),
            ("{% if x %}{% else %}{% if x %}", "{% endif %}{% endif %}"),
        ] {
            refused(format!("{}{}", open.repeat(size), close.repeat(size)));
            refused(open.repeat(size));
        }
    }
    for unit in [
        "{{",
        "{%",
        "{#",
        "{",
        "{{ x }}",
        "{% if x %}",
        "{{ (",
        "{% raw %}",
        "{{ '",
    ] {
        let source = unit.repeat((1 << 20) / unit.len());
        let name = unit.to_owned();
        guarded(&name, move || compile(&source).is_ok());
    }
    refused("x".repeat((1 << 20) + 1));
}

#[test]
fn the_largest_sources_that_are_let_through_compile_on_a_small_stack() {
    // Every limit at once: blocks, then arms, then brackets, then chains; as much of each as is let through.
    let open = "{% for a in xs %}{% if x %}".repeat(11);
    let close = "{% endif %}{% endfor %}".repeat(11);
    let mut accepted = 0;
    for wraps in 1..24 {
        for chain in [1, 20, 40, 60, 80, 95] {
            let chained = format!("x{}", " + x".repeat(chain));
            let nested = (0..wraps).fold(chained, |inner, depth| match depth % 4 {
                0 => format!("({inner})|e"),
                1 => format!("[{inner}]|length"),
                2 => format!("-({inner})"),
                _ => format!("{{'a': not {inner}}}.a"),
            });
            let arms = format!("{{% elif x[({nested})] %}}{{{{ {nested} }}}}").repeat(140);
            let source = format!("{open}{{% if x %}}{arms}{{% endif %}}{close}");
            if source.len() < 200_000 && guarded("all limits", move || compile(&source).is_ok()) {
                accepted += 1;
            }
        }
    }
    assert!(accepted > 20, "{accepted}");
}

#[test]
fn names_that_depend_on_each_other_are_judged_in_a_few_passes() {
    let sets: Vec<String> = (0..4000)
        .map(|n| format!("{{% set a{n} = a{}[1:] %}}", n + 1))
        .collect();
    let sets = sets.concat();
    let names: Vec<String> = (0..9000)
        .map(|n| format!("{{% set abcdefghijklmnopqrstuvw{n} = 1 %}}"))
        .collect();
    for source in [
        format!("{{% for i in xs %}}{sets}{{% endfor %}}"),
        format!(
            "{{% set ns = namespace() %}}{{% for i in xs %}}{}{{% endfor %}}",
            sets.replace(" a", " ns.a")
        ),
        "{{ nope() }}".repeat(9000),
        names.concat() + &"{{ abcdefghijklmnop() }}".repeat(900),
    ] {
        guarded("dependent names", move || compile(&source).is_ok());
    }
}
