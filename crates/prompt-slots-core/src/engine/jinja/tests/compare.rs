//! The fuel of templates that compare: cut where values are large and alike, and only there.

use minijinja::Value;
use minijinja::value::Serde;
use serde_json::json;

use super::super::judge;

const FUEL: u64 = 1_000_000;

/// Returns the fuel for a condition in a loop; `a` and `b` are two texts or lists that are alike.
fn fuel(condition: &str, alike: &serde_json::Value) -> u64 {
    let source =
        format!("{{% for i in range(9) %}}{{% if {condition} %}}x{{% endif %}}{{% endfor %}}");
    let values = json!({"a": alike, "b": alike, "xs": alike, "n": 1});
    let judged = judge(&source).expect("a good template");
    judged.comparisons.fuel(FUEL, &Value::from(Serde(values)))
}

#[test]
fn large_values_that_are_alike_cut_the_fuel_of_comparisons() {
    let nested = json!([(0..30_000).collect::<Vec<_>>()]);
    let text = json!("x".repeat(500_000));
    for condition in [
        "a == b",
        "a < b or n",
        "a is lt b",
        "a in [b, n]",
        "loop.changed(a)",
        "[a, b]|max",
        "a|select('eq', b)|list",
    ] {
        assert!(fuel(condition, &nested) < 3_000, "{condition}");
        assert!(fuel(condition, &text) < 100_000, "{condition}");
    }
    let flat = json!((0..30_000).collect::<Vec<_>>());
    assert!(fuel("a[1:] == a[:-1]", &flat) < 3_000);
}

#[test]
fn other_templates_and_other_values_keep_their_fuel() {
    let large = json!([[(0..30_000).collect::<Vec<_>>()]]);
    for condition in [
        "a",
        "a[0].x",
        "a[n].x or n in [1, 2]",
        "{n: 1}[n] or a[:-1][n]",
        "a|length > 3",
        "n == 1",
        "n == 'text'",
        "loop.index == n",
        "a is defined",
        "a|join",
    ] {
        assert_eq!(fuel(condition, &large), FUEL, "{condition}");
    }
    let small = json!((0..50).collect::<Vec<_>>());
    assert_eq!(fuel("a == b", &small), FUEL);
    let differs = |n: u32| -> Vec<_> {
        (n..n + 1_000)
            .map(|n| json!({"n": n, "t": "text"}))
            .collect()
    };
    let values = json!({"a": {"list": differs(1)}, "b": {"list": differs(2)}});
    let judged = judge("{% for x in a.list %}{{ x == b }}{% endfor %}").expect("a good template");
    assert_eq!(
        judged.comparisons.fuel(FUEL, &Value::from(Serde(values))),
        FUEL
    );
}
