//! Arbitrary tokens in arbitrary order: any answer will do, as long as there is one.

use proptest::prelude::*;

use super::{guarded, run};

fn token() -> impl Strategy<Value = String> {
    let words = [
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "{%-",
        "-%}",
        "{{-",
        "-}}",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ".",
        "|",
        "~",
        "+",
        "-",
        "*",
        "**",
        "//",
        "==",
        "<=",
        "=",
        "a",
        "b",
        "ns",
        "ns.x",
        "loop",
        "self",
        "caller",
        "if",
        "elif",
        "else",
        "endif",
        "for",
        "in",
        "endfor",
        "recursive",
        "set",
        "endset",
        "macro",
        "endmacro",
        "call",
        "endcall",
        "with",
        "endwith",
        "filter",
        "endfilter",
        "raw",
        "endraw",
        "not",
        "and",
        "or",
        "is",
        "defined",
        "upper",
        "join",
        "map",
        "namespace",
        "range",
        "dict",
        "1",
        "1.5",
        "0x",
        "99999999999",
        "'t'",
        "\"",
        "'",
        "\\",
        "\u{e9}",
        "\r\n",
        " ",
    ];
    prop_oneof![
        8 => prop::sample::select(words.to_vec()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        2 => prop::sample::select(vec![
            "{% for a in b %}", "{% endfor %}", "{% set a = [a, b] %}", "{% set ns = namespace(x=a) %}",
            "{% set ns.x = ns.x + [a] %}", "{{ a }}", "{{ ns.x|join }}", "{% if a %}", "{% endif %}",
            "{% set a = a ~ a %}", "{% set a = a[1:] %}", "{{ a * b }}",
        ]).prop_map(str::to_owned),
    ]
}

/// An expression over a few names that may hold anything.
fn expression() -> impl Strategy<Value = String> {
    let atoms = [
        "l",
        "m",
        "ns.x",
        "ns.y",
        "xs",
        "l",
        "ns.x",
        "x",
        "b",
        "1",
        "2",
        "'ab'",
        "[]",
        "[1, 2]",
        "{'k': 1}",
        "i",
        "range(3)",
        "f(l)",
        "g(m, q=ns.x)",
    ];
    let atom = prop::sample::select(atoms.to_vec()).prop_map(str::to_owned);
    let shapes = [
        "[@, @]",
        "(@, @)",
        "{'k': @, 'j': @}",
        "dict(a=@, b=@)",
        "(@ + @)",
        "(@ + [@])",
        "(@ * @)",
        "(@ ~ @)",
        "(@)[0]",
        "(@)[0:]",
        "(@)['k']",
        "(@).k",
        "(@)|list",
        "(@)|reverse",
        "(@)|batch(2, @)|list",
        "(@)|map('default', @)|list",
        "(@)|map(attribute='z', default=@)|list",
        "(@)|items|list",
        "(@)|groupby(0)",
        "(@)|join(@)",
        "(@)|tojson",
        "(@)|length",
        "(@)|default(@)",
        "(@)|sum",
        "(@)|first",
        "(@ if @ else @)",
        "(@ or @)",
        "(@)|string",
        "(@)|sort",
        "(@)|select('in', @)|list",
        "(@)|dictsort",
        "(@)|slice(2)|list",
        "(@)|replace('a', @)",
        "(@ == @)",
        "(@ in @)",
        "(@)|upper",
        "f(@)",
        "g(@, q=@)",
        "(@)|split",
        "(@)|sum(start=@)",
        "(@)|unique|list",
        "(@)|max",
        "(@ - 1)",
        "(@).items()|list",
        "(@).values()|list",
        "(@).get(@, @)",
        "(@).get('k', @)",
        "(@).split(@)",
        "(@).join(@)",
        "(@).replace('a', @)",
    ];
    atom.prop_recursive(3, 12, 3, move |inner| {
        (
            prop::sample::select(shapes.to_vec()),
            prop::collection::vec(inner, 3),
        )
            .prop_map(|(shape, parts)| {
                let mut parts = parts.iter().cycle();
                let mut pieces = shape.split('@');
                let mut text = pieces.next().unwrap_or_default().to_owned();
                for piece in pieces {
                    text += parts.next().map_or("1", String::as_str);
                    text += piece;
                }
                text
            })
    })
}

fn statement() -> impl Strategy<Value = String> {
    let shapes = [
        "{% set l = @ %}",
        "{% set m = @ %}",
        "{% set ns.x = @ %}",
        "{% set ns.y = @ %}",
        "{% set l, m = @ %}",
        "{% for l in @ %}{% set ns.x = @ %}{% endfor %}",
        "{% for k, m in @ %}{% set ns.y = @ %}{% endfor %}",
        "{% if @ %}{% set l = @ %}{% endif %}",
        "{% with l = @ %}{% set m = @ %}{% set ns.x = @ %}{% endwith %}",
        "{% for l in @ %}{% set o = loop %}{% set ns.x = [[o.previtem or @, loop.cycle(@, l)], 0] %}{% endfor %}",
        "{% set l %}{{ @ }}{% endset %}",
        "{% if @ == @ %}{% endif %}",
        "{% if @ %}{{ @ }}{% endif %}",
    ];
    (
        prop::sample::select(shapes.to_vec()),
        prop::collection::vec(expression(), 3),
    )
        .prop_map(|(shape, parts)| {
            let mut parts = parts.iter();
            let mut pieces = shape.split('@');
            let mut text = pieces.next().unwrap_or_default().to_owned();
            for piece in pieces {
                text += parts.next().map_or("1", String::as_str);
                text += piece;
            }
            text
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn token_soup_never_panics_and_finishes(tokens in prop::collection::vec(token(), 0..60)) {
        let source = tokens.join(" ");
        let name = source.clone();
        guarded(&name, move || {
            let _ = run(&source, r#"{"a": [1, [2], "x"], "b": {"k": "v"}}"#);
        });
    }

    #[test]
    fn programs_that_grow_values_finish(
        body in prop::collection::vec(statement(), 1..4),
        in_macro in expression(),
        end in expression(),
    ) {
        let body = body.concat();
        let start = format!(
            "{{% set ns = namespace(x=[1, 2], y='ab') %}}{{% set l = xs %}}{{% set m = [3] %}}{{% set i = 1 %}}\
             {{% macro f(p) %}}{{% set l = {in_macro} %}}{{% set ns.y = p %}}{{{{ l }}}}{{% endmacro %}}\
             {{% macro g(p, q=1) %}}{{% set ns.x = q %}}{{% endmacro %}}"
        );
        for middle in [body.repeat(40), format!("{{% for i in range(60) %}}{body}{{% endfor %}}")] {
            let source = format!("{start}{middle}{{{{ {end} }}}}{{{{ l }}}}{{{{ ns.x }}}}");
            guarded(&source.clone(), move || {
                let _ = run(&source, r#"{"xs": [1, [2, "y"], "x"], "x": "abc", "b": {"k": [1]}}"#);
            });
        }
    }
}
