//! The test cases of a dry run.

use minijinja::Value;

use super::budget::{Budget, MOST_CASES};
#[cfg(feature = "schema")]
use super::path_inside;
use super::{Judge, Run, template_finding};
use crate::engine::{Compiled, Strictness, TemplateError};
use crate::finding::Finding;
use crate::spec::TestCase;
use crate::values::{bind, from_input};

/// What to do about cases that are too much work.
const LESS: &str = "write fewer or smaller ones";

impl Run<'_> {
    /// Reports cases that are too many to be run; the first of them are.
    pub(super) fn check_number(&mut self) {
        if self.spec.test_cases.len() > MOST_CASES {
            let message =
                format!("a slot has at most {MOST_CASES} test cases, of all layers together");
            self.report_case(
                MOST_CASES,
                "",
                Finding::error(message).hint("keep those that differ"),
            );
        }
    }

    /// Renders every case, with and without its optional inputs.
    pub(super) fn render_cases(&mut self, compiled: &Compiled) {
        let spec = self.spec;
        let is_optional = |name: &str| {
            let mut variables = spec.variables.iter();
            variables.any(|variable| variable.name == name && !variable.is_required())
        };
        let mut failures = Failures::default();
        let mut budget = Budget::new(self.limits);
        // Of its own, since nothing is wrong with a slot for which it does not suffice.
        let mut strict = Budget::new(self.limits);
        for (index, case) in spec.test_cases.iter().enumerate().take(MOST_CASES) {
            if budget.is_spent() {
                if !budget.has_failed_enough() {
                    let finding = Finding::error("the cases before it together do too much work");
                    self.report_case(index, "", finding.hint(LESS));
                }
                break;
            }
            let full = match bind(&spec.variables, &from_input(&case.input)) {
                Ok(values) => values,
                Err(error) => {
                    let finding = Finding::error(error.message).hint(error.hint);
                    self.report_case(index, ".input", finding);
                    continue;
                }
            };
            let (complete, is_full) = self.completed(&full);
            let strictly = (!strict.is_spent())
                .then(|| strict.render(compiled, &complete, Strictness::Strict));
            let (prompt, hidden) = match strictly {
                // What the strict rules let pass is the same under the lenient ones.
                Some(Ok(prompt)) if is_full => (Ok(prompt), None),
                strictly => (
                    budget.render(compiled, &full, Strictness::SemiStrict),
                    strictly.and_then(Result::err),
                ),
            };
            match prompt {
                Ok(prompt) => {
                    if self
                        .check_prompt(index, case, &prompt, &mut budget)
                        .is_none()
                    {
                        let message = "it and the cases before it together do too much work";
                        let finding = Finding::error(message);
                        self.report_case(index, ".prompt", finding.hint(LESS));
                        break;
                    }
                }
                Err(error) => {
                    failures.add(error, "", self.case_name(index));
                    continue;
                }
            }
            if let Some(error) = hidden {
                self.report_hidden(error);
            }
            if case.input.iter().any(|(name, _)| is_optional(name)) {
                let least = from_input(case.input.iter().filter(|(name, _)| !is_optional(name)));
                if let Ok(least) = bind(&spec.variables, &least)
                    && let Err(error) = budget.render(compiled, &least, Strictness::SemiStrict)
                {
                    failures.add(error, " without its optional inputs", self.case_name(index));
                }
            }
        }
        for failure in failures.0 {
            let mut finding = template_finding(&failure.error);
            let more = match failure.more {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            finding.message = format!("{}{more}{}: {}", failure.case, failure.how, finding.message);
            let offset = failure.error.range.map_or(0, |range| range.start);
            // Where a layer above the text made the variable optional, that is what has to change.
            match self.name_at(offset).filter(|name| is_optional(name)) {
                Some(name) if self.is_set_above_text(&format!("variables.{name}")) => {
                    let finding =
                        finding.hint(format!("give `{name}` a `default`, or leave it required"));
                    self.report_key(finding, &format!("variables.{name}"));
                }
                _ => self.report_text(finding, offset),
            }
        }
    }

    /// Returns the name that starts at the byte `offset` of the template.
    fn name_at(&self, offset: usize) -> Option<String> {
        let text = self.spec.template.as_ref()?.get(offset..)?;
        let is_part = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        Some(text.chars().take_while(is_part).collect())
    }

    fn is_set_above_text(&self, path: &str) -> bool {
        self.at
            .layer(path)
            .is_some_and(|layer| layer > self.at.text_layer())
    }

    /// Holds a prompt against what it must contain and must not, or gives nothing where that is too much work.
    fn check_prompt(
        &mut self,
        index: usize,
        case: &TestCase,
        prompt: &str,
        budget: &mut Budget,
    ) -> Option<()> {
        for text in &case.contains {
            if budget.search(prompt, text)? {
                continue;
            }
            let message = format!("the prompt does not contain {:?}", shorten(text));
            self.report_case_or_text(
                index,
                ".prompt.contains",
                Finding::error(message)
                    .hint("the template must keep it, or print its value")
                    .quoting(),
            );
        }
        for text in &case.excludes {
            if !budget.search(prompt, text)? {
                continue;
            }
            let message = format!("the prompt contains {:?}, which it must not", shorten(text));
            self.report_case_or_text(
                index,
                ".prompt.excludes",
                Finding::error(message)
                    .hint("take it out of the template")
                    .quoting(),
            );
        }
        Some(())
    }

    /// Gives each optional variable without a value none; tells whether there was no such variable.
    fn completed(&self, values: &Value) -> (Value, bool) {
        let given = |name: &str| {
            values
                .get_attr(name)
                .ok()
                .filter(|value| !value.is_undefined())
        };
        let variables = &self.spec.variables;
        if variables
            .iter()
            .all(|variable| given(&variable.name).is_some())
        {
            return (values.clone(), true);
        }
        let complete = Value::from_pairs(variables.iter().map(|variable| {
            let value = given(&variable.name).unwrap_or(Value::from(()));
            (&*variable.name, value)
        }));
        (complete, false)
    }

    /// Warns of what only tests for truth can hide: `{% if memcell.txet %}` renders, and never says yes.
    fn report_hidden(&mut self, error: TemplateError) {
        let finding = Finding::warning(format!("{}, so a test of it is never true", error.message))
            .hint("check its spelling; for one that may be missing write `is defined`");
        self.report_text(finding, error.range.map_or(0, |range| range.start));
    }

    /// Holds the expected replies against the schema.
    pub(super) fn check_expected(&mut self, judge: Option<&Judge>) {
        let has_schema = self.spec.output_schema.value().is_some();
        for (index, case) in self.spec.test_cases.iter().enumerate().take(MOST_CASES) {
            match (&case.expected, judge) {
                (None, _) if self.is_bundle && has_schema => {
                    let finding = Finding::error("the case has no `expected` reply")
                        .hint("write a reply that satisfies `output_schema`");
                    self.report_case(index, "", finding);
                }
                #[cfg(feature = "schema")]
                (Some(expected), Some(judge)) => {
                    for error in judge.check(&expected.to_json()) {
                        let place = if error.path.is_empty() {
                            String::new()
                        } else {
                            format!(" at `{}`", error.path)
                        };
                        let message = format!(
                            "`expected` does not satisfy `output_schema`{place}: {}",
                            error.message
                        );
                        let part = path_inside(".expected", expected, &error.path);
                        self.report_case(
                            index,
                            &part,
                            Finding::error(message)
                                .hint("correct the reply, or the schema")
                                .quoting(),
                        );
                    }
                }
                _ => {}
            }
        }
    }

    fn case_name(&self, index: usize) -> String {
        let (layer, own) = self.at.case(index);
        let label = self
            .spec
            .test_cases
            .get(index)
            .map(|case| case.label(own))
            .unwrap_or_default();
        // One whose name is taken below has its layer behind it already.
        let label = label.strip_suffix(&format!(" ({layer})")).unwrap_or(&label);
        format!("test case `{label}` ({layer})")
    }

    /// Reports at a part of the case, such as `.expected`, or at the case where it lacks that.
    fn report_case(&mut self, index: usize, part: &str, mut finding: Finding) {
        let (layer, own) = self.at.case(index);
        finding.message = format!("{}: {}", self.case_name(index), finding.message);
        let case = format!("validation.test_cases[{own}]");
        let place = format!("{case}{part}");
        self.report(self.at.key(finding.layer(layer).key(case), &place));
    }

    /// Reports at the case or at the text, whichever is of the higher layer: that is the one to be changed.
    fn report_case_or_text(&mut self, index: usize, part: &str, mut finding: Finding) {
        if self.at.case(index).0 >= self.at.text_layer() {
            self.report_case(index, part, finding);
        } else {
            finding.message = format!("{}: {}", self.case_name(index), finding.message);
            self.report_text(finding, 0);
        }
    }
}

/// What went wrong while rendering, each thing once however many cases show it.
#[derive(Default)]
struct Failures(Vec<Failure>);

struct Failure {
    error: TemplateError,
    how: &'static str,
    /// The first case that shows it, and how many more do.
    case: String,
    more: usize,
}

impl Failures {
    fn add(&mut self, error: TemplateError, how: &'static str, case: String) {
        let known = self
            .0
            .iter_mut()
            .find(|known| known.error == error && known.how == how);
        match known {
            Some(known) => known.more += 1,
            None => self.0.push(Failure {
                error,
                how,
                case,
                more: 0,
            }),
        }
    }
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
