//! The contract of a slot: its names, its values and its test cases, held against its template before any model is called.

use prompt_slots_core::{
    DryRun, Finding, Layer, Limits, OneFile, SlotFile, dry_run, judge_bundled, read_slot,
};

/// Judges a default.
fn judge(text: &str) -> Result<SlotFile, Vec<Finding>> {
    judge_bundled(
        "greeting",
        "greeting.yaml",
        text.as_bytes(),
        &Limits::DEFAULT,
    )
}

/// Returns all that is found of a default, errors and warnings; empty for a good one.
fn found(text: &str) -> String {
    let findings = judge(text).map_or_else(|findings| findings, |file| file.warnings);
    lines(&findings)
}

fn lines(findings: &[Finding]) -> String {
    let lines: Vec<_> = findings
        .iter()
        .map(|finding| format!("{}: {finding:#}", finding.severity))
        .collect();
    lines.join("\n")
}

/// Runs the file of an operator as if it were a whole slot.
#[track_caller]
fn run_as_override(text: &str) -> DryRun {
    let file = read_slot(text.as_bytes(), Layer::App, &Limits::DEFAULT)
        .unwrap_or_else(|findings| panic!("{text}: {findings:?}"));
    let at = OneFile {
        layer: Layer::App,
        file: "app/greeting.yaml",
        spec: &file.spec,
        places: &file.places,
    };
    dry_run(&file.spec, &at, false, &Limits::DEFAULT)
}

mod names {
    use super::*;

    #[test]
    fn a_default_declares_every_name_that_its_template_takes() {
        insta::assert_snapshot!(found("template: |\n  Hello,\n  dear {{ name }}!\n"));
        insta::assert_snapshot!(found(
            "template: Hi {{ nme }} and {{ other }}\nvariables: {name: x, tone: {default: calm}}\n"
        ));
    }

    #[test]
    fn an_undeclared_name_is_found_wherever_it_stands() {
        for template in [
            "{{ stranger }}",
            "{% set a = stranger %}",
            "{% set stranger = stranger|trim %}{{ stranger }}",
            "{{ [1, stranger]|join }}",
            "{{ ['a', 'b']|join(stranger) }}",
            "{{ {'a': stranger}['a'] }}",
            "{% if false %}{{ stranger }}{% endif %}",
            "{% if name is defined %}{% else %}{{ stranger.a.b }}{% endif %}",
            "{% for x in stranger %}{% endfor %}",
            "{% for x in name %}{{ stranger[x] }}{% else %}{% endfor %}",
            "{% macro m(a=stranger) %}{% endmacro %}",
            "{% macro m(a) %}{{ stranger }}{% endmacro %}",
            "{% with a = stranger %}{% endwith %}",
            "{% filter replace('a', stranger) %}{% endfilter %}",
            "{{ name if stranger else name }}",
            "{{ name|default(stranger) }}",
            "{{ name is eq stranger }}",
            "{% for x in [1] %}{% endfor %}{{ x if x else stranger }}",
        ] {
            let text = format!("template: \"{template}{{{{ name }}}}\"\nvariables: {{name: x}}\n");
            let findings = judge(&text).unwrap_err();
            assert!(
                findings.iter().any(
                    |finding| finding.message == "`stranger` is not declared under `variables`"
                ),
                "{template}: {findings:?}"
            );
        }
    }

    #[test]
    fn names_that_only_the_template_binds_need_no_declaration() {
        for template in [
            "{% set a = 1 %}{{ a }}",
            "{% for x in name %}{{ x }}{{ loop.index }}{% endfor %}",
            "{% macro m(a, b=1) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}",
            "{% with a = name %}{{ a }}{% endwith %}",
            "{% if name is none %}{% set n = 0 %}{% else %}{% set n = 1 %}{% endif %}{{ n }}",
            "{% for i in range(2) %}{{ i }}{% endfor %}",
            "{% set ns = namespace(n=0) %}{% set ns.n = 1 %}{{ ns.n }}",
            "{% raw %}{{ stranger }}{% endraw %}{# {{ stranger }} #}{{ '{{ stranger }}' }}",
            "{{ true }}{{ none }}{{ False }}",
        ] {
            let text = format!("template: \"{template}{{{{ name }}}}\"\nvariables: {{name: x}}\n");
            assert_eq!(found(&text), "", "{template}");
        }
    }

    #[test]
    fn a_required_variable_must_be_used() {
        insta::assert_snapshot!(found(
            "template: |\n  Hello\nvariables: {name: x, unused: {required: true}}\n"
        ));
        insta::assert_snapshot!(found(
            "template: Hello\ntemplate_format: f-string\nvariables: {name: x}\n"
        ));
    }

    #[test]
    fn an_optional_variable_may_stay_unused() {
        assert_eq!(
            found(
                "template: Hello\nvariables: {tone: {default: calm}, aside: {required: false}}\n"
            ),
            ""
        );
    }

    #[test]
    fn a_use_in_a_raw_part_or_in_a_comment_is_none() {
        let text =
            "template: \"{# {{ name }} #}{% raw %}{{ name }}{% endraw %}\"\nvariables: {name: x}\n";
        let findings = judge(text).unwrap_err();
        assert_eq!(
            findings[0].message,
            "the template does not use the required variable `name`"
        );
    }

    #[test]
    fn an_optional_variable_of_an_f_string_needs_a_default() {
        insta::assert_snapshot!(found(
            "template: Hi {name}\ntemplate_format: f-string\nvariables:\n  name:\n    required: false\n"
        ));
        assert_eq!(
            found(
                "template: Hi {name}\ntemplate_format: f-string\nvariables: {name: {default: Ann}}\n"
            ),
            ""
        );
    }

    #[test]
    fn placeholders_of_the_other_format_are_an_error_if_the_name_stands_nowhere_else() {
        insta::assert_snapshot!(found("template: |\n  Hi {name}\nvariables: {name: x}\n"));
        insta::assert_snapshot!(found(
            "template: |\n  Hi {{ name }}, or {{name}}\ntemplate_format: f-string\nvariables: {name: x}\n"
        ));
        for meant in [
            "template: '{{ name }} in {name}'\nvariables: {name: x}\n",
            "template: '{{ name }} in {other}'\nvariables: {name: x}\n",
            "template: '{name} in {{name}}'\ntemplate_format: f-string\nvariables: {name: x}\n",
        ] {
            assert_eq!(found(meant), "");
        }
    }

    #[test]
    fn an_f_string_with_json_in_it_is_told_by_line_and_column_of_the_brace() {
        insta::assert_snapshot!(found(
            "enabled: true\ntemplate: |\n  Answer {q} as\n    {\"ok\": true}\ntemplate_format: f-string\nvariables: {q: x}\n"
        ));
        insta::assert_snapshot!(found(
            "template: |\n  日本 {} {0} {a.b} {a[0]} {a!r} {a:>5} }\ntemplate_format: f-string\n"
        ));
    }

    #[test]
    fn a_syntax_error_is_told_by_line_and_column() {
        insta::assert_snapshot!(found(
            "template: |\n  Hello\n  {% if name %}\nvariables: {name: x}\n"
        ));
        insta::assert_snapshot!(found(
            "template: |2+\n\n    日本 {{ name|shout }}\n  {% include 'x' %}\n\nvariables: {name: x}\n"
        ));
    }
}

mod values {
    use super::*;

    /// A slot whose case must give exactly this prompt, as far as `contains` can say so.
    #[track_caller]
    fn renders(format: &str, template: &str, variables: &str, input: &str, prompt: &str) {
        let text = format!(
            "template: {template:?}\ntemplate_format: {format}\nvariables: {variables}\nvalidation: {{test_cases: [{{input: {input}, prompt: {{contains: [{prompt:?}]}}}}]}}\n"
        );
        assert_eq!(found(&text), "");
    }

    #[test]
    fn values_are_data_whatever_they_look_like() {
        for value in [
            "{{ name }}",
            "{% if x %}",
            "{# gone #}",
            "{name}",
            "{}",
            "}} {{",
            "<b>&amp;</b>",
            "{{ '{{' }}",
            "%s %(x)s",
            "\\n",
        ] {
            let given = format!("{{name: {value:?}}}");
            let default = format!("{{name: {{default: {value:?}}}}}");
            let shown = format!("<{value}>");
            for (format, template) in [("jinja2", "<{{ name }}>"), ("f-string", "<{name}>")] {
                renders(format, template, "{name: x}", &given, &shown);
                renders(format, template, &default, "{}", &shown);
            }
        }
    }

    #[test]
    fn defaults_that_are_false_are_still_defaults() {
        for (default, jinja, f_string) in [
            ("\"\"", "<>", "<>"),
            ("0", "<0>", "<0>"),
            ("false", "<False>", "<false>"),
            ("[]", "<[]>", "<[]>"),
        ] {
            let variables = format!("{{name: {{default: {default}}}}}");
            renders("jinja2", "<{{ name }}>", &variables, "{}", jinja);
            renders("f-string", "<{name}>", &variables, "{}", f_string);
        }
    }

    #[test]
    fn an_input_wins_over_a_default_even_if_it_is_empty() {
        let variables = "{name: {default: Ann}}";
        renders("jinja2", "<{{ name }}>", variables, "{name: \"\"}", "<>");
        renders("f-string", "<{name}>", variables, "{name: \"\"}", "<>");
        renders(
            "jinja2",
            "<{{ name }}>",
            variables,
            "{name: null}",
            "<None>",
        );
    }

    #[test]
    fn an_optional_variable_may_be_asked_for() {
        for template in [
            "{% if tone %}Be {{ tone }}{% endif %}",
            "{{ tone|default('calm') }}",
            "{{ 'yes' if tone }}",
            "{% if tone is defined %}{{ tone }}{% endif %}",
            "{% if not tone %}plain{% endif %}",
        ] {
            let text = format!(
                "template: {template:?}\nvariables: {{tone: {{required: false}}}}\nvalidation: {{test_cases: [{{input: {{}}}}, {{input: {{tone: warm}}}}]}}\n"
            );
            assert_eq!(found(&text), "", "{template}");
        }
    }

    #[test]
    fn printing_an_optional_variable_fails_even_where_every_case_gives_it() {
        insta::assert_snapshot!(found(
            "template: |\n  Be kind.\n  Be {{ tone }}.\nvariables: {tone: {required: false}}\nvalidation:\n  test_cases:\n    - name: warm\n      input: {tone: warm}\n    - input: {tone: cool}\n"
        ));
        insta::assert_snapshot!(found(
            "template: Be {{ tone }}.\nvariables: {tone: {required: false}}\nvalidation: {test_cases: [{input: {}}]}\n"
        ));
    }

    #[test]
    fn missing_inputs_are_listed_at_once_and_strange_ones_are_named() {
        insta::assert_snapshot!(found(
            "template: '{{ a }}{{ b }}{{ c }}'\nvariables: {a: x, b: x, c: {default: 1}}\nvalidation:\n  test_cases:\n    - input: {}\n    - name: too much\n      input: {a: 1, b: 2, bb: 3}\n    - input: {a: 1, b: 2, stranger: 3}\n"
        ));
        insta::assert_snapshot!(found(
            "template: Hi\nvalidation: {test_cases: [{input: {name: Ann}}]}\n"
        ));
    }

    #[test]
    fn no_message_holds_a_value() {
        for template in [
            "{{ name.secret.more }}",
            "{{ name + 1 }}",
            "{{ name|int(base=99) }}",
            "{% for x in name %}{{ x.y }}{% endfor %}",
            "{{ name[5] }}",
            "{{ name() }}",
            "{{ name|batch(0) }}",
            "{{ 1 / name|length - 6 }}",
        ] {
            let text = format!(
                "template: {template:?}\nvariables: {{name: x}}\nvalidation: {{test_cases: [{{input: {{name: hunter2}}}}]}}\n"
            );
            assert!(!found(&text).contains("hunter2"), "{}", found(&text));
        }
    }

    #[test]
    fn a_misspelt_attribute_in_a_test_is_a_warning_that_names_it() {
        insta::assert_snapshot!(found(
            "template: |\n  {% if memcell.txet %}long{% endif %}\n  {{ memcell.text }}\nvariables: {memcell: x}\nvalidation: {test_cases: [{input: {memcell: {text: hi}}}]}\n"
        ));
    }

    #[test]
    fn an_attribute_that_is_asked_for_is_no_misspelling() {
        for test in ["is defined", "|default('')", "is undefined"] {
            let text = format!(
                "template: \"{{% if memcell.time {test} %}}{{% endif %}}{{{{ memcell.text }}}}\"\nvariables: {{memcell: x}}\nvalidation: {{test_cases: [{{input: {{memcell: {{text: hi}}}}}}]}}\n"
            );
            assert_eq!(found(&text), "");
        }
    }

    #[test]
    fn a_missing_attribute_is_an_error_where_it_is_printed() {
        insta::assert_snapshot!(found(
            "template: |\n  One.\n  {{ memcell.txet }}\nvariables: {memcell: x}\nvalidation: {test_cases: [{name: first, input: {memcell: {text: hi}}}, {input: {memcell: {}}}]}\n"
        ));
    }

    #[test]
    fn a_template_that_never_ends_is_stopped() {
        insta::assert_snapshot!(found(
            "template: \"{% for i in range(100000) %}{% for j in range(100000) %}{{ name }}{% endfor %}{% endfor %}\"\nvariables: {name: x}\nvalidation: {test_cases: [{input: {name: a}}]}\n"
        ));
    }
}

mod cases {
    use super::*;

    #[test]
    fn a_prompt_must_contain_and_not_contain_what_the_case_says() {
        insta::assert_snapshot!(found(
            "template: |\n  Hi {{ name }}\nvariables: {name: x}\nvalidation:\n  test_cases:\n    - name: greeting\n      input: {name: Ann}\n      prompt:\n        contains: [\"Hi Ann\", Bob, \"{{\"]\n        excludes: [Hi, Eve, name]\n"
        ));
    }

    #[test]
    fn a_long_text_is_shortened_in_the_message() {
        let long = "word ".repeat(50);
        let findings = judge(&format!(
            "template: Hi\nvalidation: {{test_cases: [{{prompt: {{contains: [\"{long}\"]}}}}]}}\n"
        ))
        .unwrap_err();
        assert!(findings[0].message.len() < 200, "{}", findings[0].message);
    }

    #[test]
    fn a_case_without_a_name_is_called_by_its_number() {
        let findings =
            judge("template: Hi\nvalidation: {test_cases: [{}, {prompt: {contains: [Bob]}}]}\n")
                .unwrap_err();
        assert_eq!(
            findings[0].message,
            "test case `2` (bundled): the prompt does not contain \"Bob\""
        );
    }

    #[test]
    fn a_schema_without_the_word_json_in_the_template_is_a_warning() {
        let warned = |template: &str| {
            let text = format!("template: {template}\noutput_schema: {{type: object}}\n");
            judge(&text).unwrap().warnings.iter().any(|warning| {
                warning.message
                    == "there is an output schema, but the template does not say \"JSON\""
            })
        };
        assert!(warned("Reply with an object"));
        assert!(!warned("Reply as Json"));
        assert!(!warned("\" \""));
    }

    #[cfg(not(feature = "schema"))]
    #[test]
    fn without_the_feature_a_schema_is_carried_and_a_warning_says_so() {
        insta::assert_snapshot!(found("template: JSON\noutput_schema: {type: nonsense}\n"));
    }
}

#[cfg(feature = "schema")]
mod replies {
    use super::*;

    const SCHEMA: &str = "template: Reply as JSON\noutput_schema:\n  type: object\n  required: [summary]\n  properties: {summary: {type: string}}\n";

    #[test]
    fn an_expected_reply_must_satisfy_the_schema() {
        insta::assert_snapshot!(found(&format!(
            "{SCHEMA}validation:\n  test_cases:\n    - name: good\n      expected: {{summary: x}}\n    - name: wrong type\n      expected: {{summary: 1}}\n    - expected: text\n    - expected: null\n    - expected: {{}}\n"
        )));
    }

    #[test]
    fn a_default_has_a_reply_for_every_case() {
        insta::assert_snapshot!(found(&format!(
            "{SCHEMA}validation: {{test_cases: [{{name: silent}}]}}\n"
        )));
    }

    #[test]
    fn an_override_may_leave_the_reply_out() {
        let run = run_as_override(&format!("{SCHEMA}validation: {{test_cases: [{{}}]}}\n"));
        assert_eq!(lines(&run.findings), "");
    }

    #[test]
    fn a_schema_must_be_one() {
        insta::assert_snapshot!(found(
            "template: JSON\noutput_schema:\n  type: objekt\n  properties: {a: {$ref: 'https://example.com/a.json'}, b: {pattern: '('}}\n"
        ));
    }
}

mod opaque {
    use super::*;

    #[test]
    fn a_file_of_enabled_and_template_is_text_that_nobody_judges() {
        for template in ["{{ unclosed", "{% nonsense %}", "{ } {0}", "{{ name }}"] {
            let run = run_as_override(&format!("enabled: true\ntemplate: {template:?}\n"));
            assert_eq!(lines(&run.findings), "");
            assert!(run.compiled.is_none());
        }
    }

    #[test]
    fn a_default_is_judged_even_without_a_contract() {
        let findings = judge("enabled: true\ntemplate: '{{ unclosed'\n").unwrap_err();
        assert!(findings[0].is_error());
        assert_eq!(found("enabled: true\ntemplate: Say hello.\n"), "");
        assert_eq!(found("enabled: true\n"), "");
        assert_eq!(found(""), "");
    }

    #[test]
    fn any_part_of_a_contract_makes_a_template_judged() {
        for part in [
            "template_format: jinja2",
            "variables: {name: x}",
            "output_schema: {type: object}",
            "validation: {test_cases: [{}]}",
        ] {
            let run = run_as_override(&format!("template: '{{{{ unclosed'\n{part}\n"));
            assert!(run.findings.iter().any(Finding::is_error), "{part}");
            assert!(run.compiled.is_none(), "{part}");
        }
    }

    #[test]
    fn a_sound_template_comes_back_compiled() {
        let run = run_as_override("template: 'Hi {{ name }}'\nvariables: {name: x}\n");
        assert_eq!(lines(&run.findings), "");
        assert!(run.compiled.is_some());
    }

    #[test]
    fn a_blank_template_is_not_held_against_its_variables() {
        for template in ["\"\"", "\" \\n\""] {
            assert_eq!(
                found(&format!("template: {template}\nvariables: {{name: x}}\n")),
                ""
            );
        }
    }
}

#[test]
fn findings_name_slot_layer_and_file_in_the_order_of_the_file() {
    let findings = judge("template: |\n  {{ a }}\n\n  {{ b }}\nvariables:\n  c: x\n").unwrap_err();
    let told: Vec<_> = findings
        .iter()
        .map(|finding| {
            let pos = finding.pos.unwrap();
            (
                finding.slot.as_deref(),
                finding.layer,
                finding.file.as_deref(),
                (pos.line, pos.column),
            )
        })
        .collect();
    let at = |line, column| {
        (
            Some("greeting"),
            Some(Layer::Bundled),
            Some("greeting.yaml"),
            (line, column),
        )
    };
    assert_eq!(told, [at(2, 3), at(2, 6), at(4, 6)]);
}

mod budget {
    use super::*;

    fn with_cases(template: &str, input: &str, count: usize) -> String {
        let case = format!("    - input: {{n: {input}}}\n");
        format!(
            "template: '{template}'\nvariables: {{n: x}}\nvalidation:\n  test_cases:\n{}",
            case.repeat(count)
        )
    }

    #[test]
    fn a_slot_with_as_many_cases_as_it_may_have_is_a_good_one() {
        let template = "{% for i in range(20) %}{{ n }} {% endfor %}";
        assert_eq!(found(&with_cases(template, "1", 200)), "");
    }

    #[test]
    fn more_cases_are_an_error_at_the_first_that_is_too_many() {
        insta::assert_snapshot!(found(&with_cases("{{ n }}", "1", 2000)), @"
        error: greeting.yaml:205:7: `validation.test_cases[200]`: test case `201` (bundled): a slot has at most 200 test cases, of all layers together (keep those that differ)
            |
        205 |     - input: {n: 1}
            |       ^^^^^
        ");
    }

    #[test]
    fn cases_that_are_small_alone_and_too_much_together_are_an_error() {
        let template =
            "{% for i in range(n) %}{% for j in range(300) %}{% endfor %}{% endfor %}{{ n }}";
        assert_eq!(found(&with_cases(template, "300", 2)), "");
        insta::assert_snapshot!(found(&with_cases(template, "300", 200)), @"
        error: greeting.yaml:35:7: `validation.test_cases[30]`: test case `31` (bundled): the cases before it together do too much work (write fewer or smaller ones)
           |
        35 |     - input: {n: 300}
           |       ^^^^^
        ");
    }

    #[test]
    fn texts_that_are_looked_for_in_long_prompts_count_as_work() {
        let searched = |length: usize, texts: usize| {
            let case = format!(
                "    - input: {{n: {length}}}\n      prompt: {{excludes: [{}]}}\n",
                "aab, ".repeat(texts)
            );
            let start =
                "template: '{{ \"a\" * n }}'\nvariables: {n: x}\nvalidation:\n  test_cases:\n";
            found(&format!("{start}{}", case.repeat(200)))
        };
        assert_eq!(searched(20_000, 50), "");
        let refused = searched(200_000, 400);
        let (message, _) = refused.split_once('\n').unwrap_or_default();
        insta::assert_snapshot!(message, @"error: greeting.yaml:12:7: `validation.test_cases[3]`: test case `4` (bundled): it and the cases before it together do too much work (write fewer or smaller ones)");
    }

    #[test]
    fn cases_that_fail_after_much_work_end_soon() {
        let template =
            "{% for i in range(300) %}{% for j in range(300) %}{% endfor %}{% endfor %}{{ n.x }}";
        insta::assert_snapshot!(found(&with_cases(template, "{}", 200)), @"
        error: greeting.yaml:1:11: `template`: test case `1` (bundled) and 19 more: `n.x` is undefined (check its spelling; print one that may be missing with `|default('')`)
          |
        1 | template: '{% for i in range(300) %}{% for j in range(300) %}{% endfor %}{% endfor %}{{ n.x }}'
          |           ^
        ");
    }

    #[test]
    fn a_slot_whose_strict_renderings_cost_more_than_there_is_is_not_refused() {
        let template = "{% for i in range(60) %}{% if n.x %}{% endif %}{% endfor %}{{ n }}";
        let warnings = found(&with_cases(template, "{}", 200));
        assert!(
            warnings.starts_with("warning") && !warnings.contains("error"),
            "{warnings}"
        );
    }
}

#[cfg(feature = "schema")]
#[test]
fn a_finding_about_a_schema_or_a_case_stands_at_its_own_key() {
    let slot = "\
template: |
  Reply as JSON, {{ name }}
variables: {name: who}
output_schema:
  type: object
  properties:
    a:
      type: objct
validation:
  test_cases:
    - name: one
      input: {name: Ada}
      expected: {a: x}
";
    insta::assert_snapshot!(found(slot), @r#"
    error: greeting.yaml:8:7: `output_schema`: at `/properties/a/type`: "objct" is not valid under any of the schemas listed in the 'anyOf' keyword ("objct" is not one of "array", "boolean", "integer", "null", "number", "object", "string", or "objct" is not of type "array")
      |
    8 |       type: objct
      |       ^^^^
    "#);
    let slot = slot.replace("objct", "integer") + "      prompt:\n        contains: [Bob]\n";
    insta::assert_snapshot!(found(&slot), @r#"
    error: greeting.yaml:13:18: `validation.test_cases[0]`: test case `one` (bundled): `expected` does not satisfy `output_schema` at `/a`: "x" is not of type "integer" (correct the reply, or the schema)
       |
    13 |       expected: {a: x}
       |                  ^
    error: greeting.yaml:15:9: `validation.test_cases[0]`: test case `one` (bundled): the prompt does not contain "Bob" (the template must keep it, or print its value)
       |
    15 |         contains: [Bob]
       |         ^^^^^^^^
    "#);
}
