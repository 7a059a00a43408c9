//! The dry run: a merged slot's template held against its own contract, before any model is called.

mod budget;
mod cases;

use std::collections::HashSet;

use crate::data::Data;
use crate::engine::{Compiled, Format, FreeName, TemplateError, placeholders_of_other_format};
use crate::finding::{Finding, MOST};
use crate::layer::Layer;
use crate::limits::Limits;
use crate::name::nearest;
use crate::place::Places;
use crate::shared::Text;
use crate::spec::SlotSpec;
use crate::values::list;

/// Tells where the parts of a merged slot come from. Each method adds slot-file places to a finding.
pub trait Whereabouts {
    /// Adds the file and position of the byte `offset` of the merged template.
    fn text(&self, finding: Finding, offset: usize) -> Finding;

    /// Adds the file and position of the key path in the layer that it comes from.
    fn key(&self, finding: Finding, path: &str) -> Finding;

    /// Returns the layer that a key's value comes from.
    fn layer(&self, path: &str) -> Option<Layer>;

    /// Returns the layer of the test case with this index, and its index in that layer.
    fn case(&self, index: usize) -> (Layer, usize);

    /// Returns the layer that the template's text comes from, the highest one if it has parts.
    fn text_layer(&self) -> Layer;
}

/// What a dry run found, and the compiled template, where there is one.
#[derive(Debug, Default)]
pub struct DryRun {
    /// The compiled template; `None` for a slot without a contract, without text, or with an error in it.
    pub compiled: Option<Compiled>,
    /// Errors and warnings.
    pub findings: Vec<Finding>,
}

/// Compiles the template of a merged slot and renders all its test cases.
///
/// A slot that declares no contract is opaque text: nothing is judged, unless `is_bundle` says that it is a default,
/// which must declare the names that it takes.
pub fn dry_run(spec: &SlotSpec, at: &dyn Whereabouts, is_bundle: bool, limits: &Limits) -> DryRun {
    let mut run = Run {
        spec,
        at,
        limits,
        is_bundle,
        findings: Vec::new(),
    };
    if !spec.has_contract() && !is_bundle {
        return DryRun::default();
    }
    run.check_number();
    let judge = run.check_schema();
    let compiled = match spec
        .template
        .as_ref()
        .filter(|text| !text.trim().is_empty())
    {
        Some(text) => run.check_text(text),
        None => None,
    };
    // A name that is not there fails every case too; saying so again would hide the cause.
    let is_sound = !run.findings.iter().any(Finding::is_error);
    if let Some(compiled) = compiled.as_ref().filter(|_| is_sound) {
        run.render_cases(compiled);
    }
    run.check_expected(judge.as_ref());
    let failed = run.findings.iter().any(Finding::is_error);
    DryRun {
        compiled: compiled.filter(|_| !failed),
        findings: run.findings,
    }
}

/// Says that a slot declares a contract and has no test case that would hold its text to it.
///
/// A check tells it; a service has no use for it, so it is no part of the dry run.
pub fn untested(spec: &SlotSpec, places: &Places) -> Option<Finding> {
    let has_text = spec
        .template
        .as_ref()
        .is_some_and(|text| !text.trim().is_empty());
    let is_untested = has_text && spec.has_contract() && spec.test_cases.is_empty();
    is_untested.then(|| {
        let finding = Finding::warning("the slot has no test cases, so its text is never tried")
            .hint("add one under `validation.test_cases`, with an `input`")
            .key("validation.test_cases");
        match places.get("template") {
            Some(place) => finding.at(place.key),
            None => finding,
        }
    })
}

/// One dry run under way.
struct Run<'a> {
    spec: &'a SlotSpec,
    at: &'a dyn Whereabouts,
    limits: &'a Limits,
    /// Whether the slot is a default that is being compiled in.
    is_bundle: bool,
    findings: Vec<Finding>,
}

#[cfg(feature = "schema")]
type Judge = crate::schema::Judge;
#[cfg(not(feature = "schema"))]
type Judge = std::convert::Infallible;

impl Run<'_> {
    fn report(&mut self, finding: Finding) {
        let is_known_to_fail = self.findings.iter().any(Finding::is_error);
        let is_full = self.findings.len() >= MOST && (is_known_to_fail || !finding.is_error());
        if !is_full && !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    /// Reports at the byte `offset` of the template.
    fn report_text(&mut self, finding: Finding, offset: usize) {
        let finding = if finding.key.is_none() {
            finding.key("template")
        } else {
            finding
        };
        self.report(self.at.text(finding, offset));
    }

    /// Reports at a key.
    fn report_key(&mut self, finding: Finding, path: &str) {
        self.report(self.at.key(finding.key(path), path));
    }

    /// Judges the text without a value: its syntax, and its names against the declared ones.
    fn check_text(&mut self, text: &Text) -> Option<Compiled> {
        let format = self.spec.template_format.unwrap_or_default();
        let compiled = match Compiled::new(format, text, self.limits) {
            Ok(compiled) => compiled,
            Err(errors) => {
                for error in errors {
                    let offset = error.range.as_ref().map_or(0, |range| range.start);
                    self.report_text(template_finding(&error).quoting(), offset);
                }
                return None;
            }
        };
        let free: HashSet<&str> = compiled
            .free_names()
            .iter()
            .map(|free| free.name.as_str())
            .collect();
        let other_format = placeholders_of_other_format(text, format);
        let foreign = self.check_other_format(format, &free, &other_format);
        self.check_undeclared(&compiled);
        for variable in &self.spec.variables {
            let name = &*variable.name;
            let path = format!("variables.{name}");
            let is_used = free.contains(name) || foreign.contains(name);
            if variable.is_required() && !is_used {
                let finding = Finding::error(format!(
                    "the template does not use the required variable `{name}`"
                ))
                .hint(how_to_use(format, name, other_format.first()));
                self.report_text(finding, 0);
            }
            if format == Format::FString && !variable.is_required() && variable.default.is_none() {
                let finding =
                    Finding::error("an optional variable of an f-string template needs a default")
                        .hint("add `default`: an f-string can't ask whether a value is there");
                self.report_key(finding, &path);
            }
        }
        Some(compiled)
    }

    /// Reports declared names that stand in the other format's placeholders and in none of the template's own.
    fn check_other_format(
        &mut self,
        format: Format,
        free: &HashSet<&str>,
        foreign: &[FreeName],
    ) -> HashSet<String> {
        let other = match format {
            Format::Jinja2 => Format::FString,
            Format::FString => Format::Jinja2,
        };
        let variables = &self.spec.variables;
        let is_declared = |name: &str| variables.iter().any(|variable| variable.name == name);
        let mut found = HashSet::new();
        for FreeName { name, range } in foreign {
            if free.contains(name.as_str()) || !is_declared(name) {
                continue;
            }
            let (own, theirs) = (placeholder(format, name), placeholder(other, name));
            let finding = Finding::error(format!(
                "`{theirs}` is a placeholder of {other}, but `template_format` is {format}"
            ))
            .hint(format!("write `{own}`, or set `template_format: {other}`"));
            self.report_text(finding, range.start);
            found.insert(name.clone());
        }
        found
    }

    fn check_undeclared(&mut self, compiled: &Compiled) {
        let variables = &self.spec.variables;
        let declared = || variables.iter().map(|variable| &*variable.name);
        let known: HashSet<&str> = declared().collect();
        let strangers = compiled.free_names().iter();
        // More of them would not be told, and looking for a neighbour takes time.
        for free in strangers
            .filter(|free| !known.contains(free.name.as_str()))
            .take(MOST)
        {
            let hint = match nearest(&free.name, declared()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if variables.is_empty() => {
                    format!("add `variables: {{{}: what it holds}}`", free.name)
                }
                None => format!("the slot takes {}", list(declared())),
            };
            let finding =
                Finding::error(format!("`{}` is not declared under `variables`", free.name))
                    .hint(hint);
            self.report_text(finding, free.range.start);
        }
    }

    fn check_schema(&mut self) -> Option<Judge> {
        let schema = self.spec.output_schema.value()?;
        let text = self.spec.template.as_deref().unwrap_or_default();
        let says_json = |text: &str| {
            let mut parts = text.as_bytes().windows(4);
            parts.any(|part| part.eq_ignore_ascii_case(b"json"))
        };
        if !text.trim().is_empty() && !says_json(text) {
            let finding = Finding::warning(
                "there is an output schema, but the template does not say \"JSON\"",
            )
            .hint("models in JSON mode refuse such a prompt; say that the reply is JSON");
            self.report_text(finding, 0);
        }
        self.judge_schema(schema)
    }

    #[cfg(feature = "schema")]
    fn judge_schema(&mut self, schema: &Data) -> Option<Judge> {
        let errors = match Judge::new(&schema.to_json()) {
            Ok(judge) => return Some(judge),
            Err(errors) => errors,
        };
        for error in errors {
            let place = match error.path.as_str() {
                "" => String::new(),
                path => format!("at `{path}`: "),
            };
            let finding =
                Finding::error(format!("{place}{}", error.message)).maybe_hint(error.hint);
            let finding = match self.at.layer("output_schema") {
                Some(layer) => finding.layer(layer),
                None => finding,
            };
            let inside = path_inside("output_schema", schema, &error.path);
            self.report(self.at.key(finding.key("output_schema"), &inside));
        }
        None
    }

    /// Says that nobody judges the schema. That of a default was judged, or told about, when it was compiled in.
    #[cfg(not(feature = "schema"))]
    fn judge_schema(&mut self, _: &Data) -> Option<Judge> {
        if self.is_bundle || self.at.layer("output_schema") > Some(Layer::Bundled) {
            let finding = Finding::warning("the output schema is carried, not judged")
                .hint("build with the feature `schema` to judge it");
            self.report_key(finding, "output_schema");
        }
        None
    }
}

/// Returns the key path of what a JSON pointer names in a value, which itself stands at `path`.
#[cfg(feature = "schema")]
fn path_inside(path: &str, value: &Data, pointer: &str) -> String {
    let mut path = path.to_owned();
    let mut value = Some(value);
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        value = if let Some(Data::List(items)) = value {
            path = format!("{path}[{part}]");
            part.parse::<usize>()
                .ok()
                .and_then(|index| items.get(index))
        } else {
            path = format!("{path}.{part}");
            value.and_then(|value| value.get(&part))
        };
    }
    path
}

/// Returns the placeholder of a name in a format.
fn placeholder(format: Format, name: &str) -> String {
    match format {
        Format::Jinja2 => format!("{{{{ {name} }}}}"),
        Format::FString => format!("{{{name}}}"),
    }
}

/// Says how to bring a required variable into the text. `foreign` is a placeholder that was written for the other format,
/// and for another caller: a prompt that was taken from elsewhere has such.
fn how_to_use(format: Format, name: &str, foreign: Option<&FreeName>) -> String {
    let own = placeholder(format, name);
    match (format, foreign) {
        (Format::Jinja2, Some(foreign)) => format!(
            "put `{own}` where its value belongs; `{{{}}}` is plain text in jinja2, and no value of this slot",
            foreign.name
        ),
        (Format::Jinja2, None) => {
            format!("put `{own}` where its value belongs, or set `required: false`")
        }
        (Format::FString, _) => format!("put `{own}` where its value belongs"),
    }
}

fn template_finding(error: &TemplateError) -> Finding {
    Finding::error(error.message.clone()).maybe_hint(error.hint.clone())
}
