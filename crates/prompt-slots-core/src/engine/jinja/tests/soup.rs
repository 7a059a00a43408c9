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
}
