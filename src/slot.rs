//! What callers hold: a template, and the snapshot of a whole slot.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use prompt_slots_core::{
    Compiled, Data, Finding, Fingerprint, Format, Layer, Limits, SlotSpec, Strictness, Text, Value,
    bind, dry_run, to_values,
};
use serde::Serialize;

use crate::error::{Error, ErrorKind};
use crate::layer::Origin;
use crate::merge::{Merged, merge};
use crate::source::Source;
use crate::views::{Llm, TestCase, Variable};

/// The text of a template, byte for byte. It derefs to `str`, and is cheap to clone.
///
/// The text of a default is borrowed from the program itself.
#[derive(Clone, PartialEq)]
pub struct Template(pub(crate) Text);

impl Template {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Template {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Template {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Template {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq<str> for Template {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl PartialEq<&str> for Template {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

/// One slot at one moment: merged from its layers, judged, and unchanged by any later edit.
///
/// It is like a commit: its [`id`](Self::id) says exactly which prompt ran. It is cheap to clone; keep it for as many
/// renderings as belong together.
#[derive(Clone)]
pub struct Slot(Arc<Inner>);

struct Inner {
    name: Text,
    limits: Limits,
    merged: Merged,
    fingerprint: OnceLock<Fingerprint>,
    /// Shared by all slots that differ in nothing that the template depends on.
    compiled: Arc<OnceLock<Result<Compiled, Error>>>,
    /// What the layers alone gave rise to, then what the dry run did.
    warnings: Vec<Finding>,
    /// How many of them are of the layers alone.
    of_layers: usize,
}

impl Slot {
    /// Merges layers that need no dry run: a default, which was judged when it was compiled in, and what leaves its text
    /// and its contract alone.
    pub(crate) fn undisputed(
        name: Text,
        limits: &Limits,
        sources: Vec<Source>,
        warnings: Vec<Finding>,
    ) -> Result<Self, Error> {
        let merged = merge(sources).map_err(|findings| invalid(&name, findings))?;
        Ok(Self::assemble(
            name,
            limits,
            merged,
            Arc::default(),
            (warnings, Vec::new()),
        ))
    }

    /// Lays one more layer over this slot, and judges the outcome if the layer touches what the dry run judges.
    pub(crate) fn with_layer(&self, over: Source, warnings: Vec<Finding>) -> Result<Self, Error> {
        let Inner {
            name,
            limits,
            merged,
            ..
        } = &*self.0;
        let (of_layers, of_run) = self.0.warnings.split_at(self.0.of_layers);
        let warnings = of_layers.iter().cloned().chain(warnings).collect();
        let touches_contract = over.spec.touches_contract();
        let mut sources = merged.sources.clone();
        sources.push(over);
        if touches_contract {
            return Self::judged(name.clone(), limits, sources, warnings);
        }
        let merged = merge(sources).map_err(|findings| invalid(name, findings))?;
        Ok(Self::assemble(
            name.clone(),
            limits,
            merged,
            Arc::clone(&self.0.compiled),
            // The dry run would say the same.
            (warnings, of_run.to_vec()),
        ))
    }

    /// Merges layers and judges the outcome.
    pub(crate) fn judged(
        name: Text,
        limits: &Limits,
        sources: Vec<Source>,
        warnings: Vec<Finding>,
    ) -> Result<Self, Error> {
        let merged = merge(sources).map_err(|findings| invalid(&name, findings))?;
        let run = dry_run(&merged.spec, &merged, false, limits);
        let of_run = run.findings.into_iter().map(|finding| finding.slot(&name));
        let of_run: Vec<_> = of_run.collect();
        if of_run.iter().any(Finding::is_error) {
            return Err(invalid(&name, [warnings, of_run].concat()));
        }
        let compiled = run
            .compiled
            .map(|compiled| OnceLock::from(Ok(compiled)))
            .unwrap_or_default();
        Ok(Self::assemble(
            name,
            limits,
            merged,
            Arc::new(compiled),
            (warnings, of_run),
        ))
    }

    fn assemble(
        name: Text,
        limits: &Limits,
        merged: Merged,
        compiled: Arc<OnceLock<Result<Compiled, Error>>>,
        (of_layers, of_run): (Vec<Finding>, Vec<Finding>),
    ) -> Self {
        Self(Arc::new(Inner {
            name,
            limits: *limits,
            merged,
            fingerprint: OnceLock::new(),
            compiled,
            of_layers: of_layers.len(),
            warnings: [of_layers, of_run].concat(),
        }))
    }

    pub(crate) fn merged(&self) -> &Merged {
        &self.0.merged
    }

    fn spec(&self) -> &SlotSpec {
        &self.0.merged.spec
    }

    /// Returns the slot's name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Tells whether the slot replaces the algorithm's own prompt.
    pub fn is_enabled(&self) -> bool {
        self.spec().enabled.unwrap_or(false)
    }

    /// Returns what [`load`](crate::PromptLoader::load) returns: the template, if the slot is enabled and it is not blank.
    pub fn template(&self) -> Option<Template> {
        self.spec().live_template().cloned().map(Template)
    }

    /// Returns the text of the template, whether the slot is enabled or not.
    pub fn text(&self) -> Option<Template> {
        self.spec().template.clone().map(Template)
    }

    /// Returns the language of the template.
    pub fn template_format(&self) -> Format {
        self.spec().template_format.unwrap_or_default()
    }

    /// Returns what the prompt is for.
    pub fn description(&self) -> Option<&str> {
        self.spec().description.value().map(|text| &**text)
    }

    /// Returns the settings of the model.
    pub fn llm(&self) -> Llm<'_> {
        Llm(&self.spec().llm)
    }

    /// Returns what the caller supplies.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = Variable<'_>> {
        self.spec().variables.iter().map(Variable)
    }

    /// Returns the JSON Schema of the reply.
    pub fn output_schema(&self) -> Option<&Data> {
        self.spec().output_schema.value()
    }

    /// Returns the test cases of all layers, the default's first. Feed their `expected` to your own reply parser.
    pub fn test_cases(&self) -> impl ExactSizeIterator<Item = TestCase<'_>> {
        self.spec().test_cases.iter().map(TestCase)
    }

    /// Returns the whole slot as data, with the keys of a slot file.
    pub fn to_data(&self) -> Data {
        self.spec().to_data()
    }

    /// Returns what only this slot has: SHA-256 of its canonical JSON.
    pub fn fingerprint(&self) -> Fingerprint {
        *self.0.fingerprint.get_or_init(|| self.spec().fingerprint())
    }

    /// Returns the name with the first digits of the fingerprint, for logs: `episode_extract@3f9a12c4`.
    pub fn id(&self) -> String {
        format!("{}@{}", self.name(), self.fingerprint().short())
    }

    /// Returns the layers that the slot is folded from, lowest first; some may say nothing.
    pub fn layers(&self) -> impl ExactSizeIterator<Item = Layer> {
        self.merged().sources.iter().map(|source| source.layer)
    }

    /// Returns where the value of a key comes from; `None` where no layer sets it.
    ///
    /// Keys are written as in a slot file, such as `llm.model`, `variables.memcell` or `template`.
    pub fn origin(&self, key: &str) -> Option<Origin> {
        let merged = &self.0.merged;
        let source = merged.source(merged.setters(key).highest()?)?;
        Some(source.origin(key))
    }

    /// Returns the warnings about the layers above the default.
    pub fn warnings(&self) -> &[Finding] {
        &self.0.warnings
    }

    /// Renders the prompt with `values`: a map from names, or a struct that serializes to one.
    ///
    /// `None` where [`Self::template`] is: the slot is disabled or blank, use the algorithm's own prompt.
    ///
    /// # Errors
    ///
    /// Fails if a required value is missing, a value is not declared, or the template fails on these values. The error never
    /// shows a value.
    pub fn render(&self, values: &impl Serialize) -> Result<Option<String>, Error> {
        if self.template().is_none() {
            return Ok(None);
        }
        self.preview(values)
    }

    /// Renders the prompt whether the slot is enabled or not; `None` where the template is blank.
    ///
    /// # Errors
    ///
    /// As [`Self::render`].
    pub fn preview(&self, values: &impl Serialize) -> Result<Option<String>, Error> {
        let Some(text) = self
            .spec()
            .template
            .as_ref()
            .filter(|text| !text.trim().is_empty())
        else {
            return Ok(None);
        };
        let values = bind(&self.spec().variables, &to_values(values))
            .map_err(|error| self.failed(Finding::error(error.message).hint(error.hint)))?;
        if !self.spec().has_contract() {
            return Ok(Some(text.to_string()));
        }
        self.fill(text, &values).map(Some)
    }

    fn fill(&self, text: &Text, values: &Value) -> Result<String, Error> {
        let compiled = self.0.compiled.get_or_init(|| {
            Compiled::new(self.template_format(), text, &self.0.limits).map_err(|errors| {
                let findings = errors.into_iter().map(|error| {
                    let offset = error.range.as_ref().map_or(0, |range| range.start);
                    self.place_in_text(Finding::error(error.message).maybe_hint(error.hint), offset)
                });
                Error::new(ErrorKind::InvalidSlot, findings.collect())
            })
        });
        let compiled = compiled.as_ref().map_err(Error::clone)?;
        compiled
            .render(values, Strictness::SemiStrict)
            .map_err(|error| {
                let offset = error.range.as_ref().map_or(0, |range| range.start);
                let finding = Finding::error(error.message).maybe_hint(error.hint);
                // The text was judged: what it can't do with these values is no fault of the layer that changed it last.
                self.failed(self.0.merged.mark_text(finding, offset))
            })
    }

    fn place_in_text(&self, finding: Finding, offset: usize) -> Finding {
        prompt_slots_core::Whereabouts::text(&self.0.merged, finding, offset).slot(self.name())
    }

    fn failed(&self, finding: Finding) -> Error {
        Error::one(ErrorKind::Render, finding.slot(self.name()))
    }
}

fn invalid(name: &str, findings: Vec<Finding>) -> Error {
    Error::new(
        ErrorKind::InvalidSlot,
        findings
            .into_iter()
            .map(|finding| finding.slot(name))
            .collect(),
    )
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Slot").field(&self.id()).finish()
    }
}
