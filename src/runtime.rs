//! Layer 3: what a caller passes with one call.

use prompt_slots_core::{
    Data, Finding, Format, Layer, Limits, List, Places, Setting, SlotSpec, TemplateEdit, Text,
    Variable, read_slot,
};
use serde::Serialize;

use crate::error::{Error, ErrorKind};
use crate::source::Source;

/// What one call changes of a slot.
///
/// It is like an override file, without the file: what it does not set comes from the layers below, and
/// `Override::new()` changes nothing. A value out of its range is an error of [`resolve`](crate::PromptLoader::resolve).
///
/// ```
/// use prompt_slots::Override;
///
/// let frugal = Override::new().model("gpt-4.1-nano").max_tokens(64);
/// let tenant = Override::from_yaml("template_append: Reply in Portuguese.\n")?;
/// # Ok::<(), prompt_slots::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Override {
    spec: SlotSpec,
    places: Places,
    findings: Vec<Finding>,
    /// The length of the YAML that it was read from.
    yaml_bytes: usize,
}

impl Override {
    /// Starts with an override that changes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads an override from the text of a slot file, such as a tenant's settings out of a database.
    ///
    /// It is read under [`Limits::DEFAULT`]; where a bundle's own allow less text, resolving fails.
    ///
    /// # Errors
    ///
    /// Fails as a slot file does, with line and column of the text.
    pub fn from_yaml(yaml: &str) -> Result<Self, Error> {
        let file =
            read_slot(yaml.as_bytes(), Layer::Runtime, &Limits::DEFAULT).map_err(|findings| {
                let findings = findings
                    .into_iter()
                    .map(|finding| finding.layer(Layer::Runtime));
                Error::new(ErrorKind::InvalidSlot, findings.collect())
            })?;
        Ok(Self {
            spec: file.spec,
            places: file.places,
            findings: file.warnings,
            yaml_bytes: yaml.len(),
        })
    }

    /// Switches the slot on or off.
    #[must_use]
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.replaces("enabled");
        self.spec.enabled = Some(enabled);
        self
    }

    /// Sets the template. This enables the slot, unless [`Self::enabled`] says otherwise.
    #[must_use]
    pub fn template(mut self, text: impl Into<String>) -> Self {
        self.replaces("template");
        self.spec.template = Some(text.into().into());
        self
    }

    /// Sets the language of [`Self::template`]; it has its place only beside that.
    #[must_use]
    pub fn template_format(mut self, format: Format) -> Self {
        self.replaces("template_format");
        self.spec.template_format = Some(format);
        self
    }

    /// Replaces `find`, which must stand exactly once in the text of the layers below.
    #[must_use]
    pub fn edit(mut self, find: impl Into<String>, replace: impl Into<String>) -> Self {
        self.replaces("template_edits");
        let edit = TemplateEdit {
            find: find.into().into(),
            replace: replace.into().into(),
        };
        self.spec.template_edits = self
            .spec
            .template_edits
            .iter()
            .cloned()
            .chain([edit])
            .collect();
        self
    }

    /// Puts text before the text of the layers below.
    #[must_use]
    pub fn prepend(mut self, text: impl Into<String>) -> Self {
        self.replaces("template_prepend");
        self.spec.template_prepend = Some(text.into().into());
        self
    }

    /// Puts text after the text of the layers below.
    #[must_use]
    pub fn append(mut self, text: impl Into<String>) -> Self {
        self.replaces("template_append");
        self.spec.template_append = Some(text.into().into());
        self
    }

    /// Gives a variable a default.
    #[must_use]
    pub fn variable_default(mut self, name: impl Into<String>, value: impl Serialize) -> Self {
        let name = Text::from(name.into());
        let path = format!("variables.{name}");
        let Some(value) = self.data(&path, value) else {
            return self;
        };
        if !prompt_slots_core::is_variable_name(&name) {
            self.report(
                &path,
                "not a variable name",
                "use letters, digits and `_`, with no digit first",
            );
            return self;
        }
        if value == Data::Null {
            self.report(
                &path,
                "a default must be a value",
                "pass one, or don't set the default",
            );
            return self;
        }
        self.replaces(&format!("{path}.default"));
        let (known, others): (Vec<_>, Vec<_>) = self
            .spec
            .variables
            .iter()
            .cloned()
            .partition(|known| known.name == name);
        let description = known.into_iter().find_map(|known| known.description);
        let variable = Variable {
            name,
            description,
            default: Some(value),
            // With a default it is optional.
            required: None,
        };
        self.spec.variables = others.into_iter().chain([variable]).collect();
        self
    }

    /// Sets the JSON Schema of the reply.
    #[must_use]
    pub fn output_schema(mut self, schema: impl Serialize) -> Self {
        match self.data("output_schema", schema) {
            Some(schema @ Data::Map(_)) => {
                self.replaces("output_schema");
                self.spec.output_schema = Setting::Value(schema);
            }
            Some(_) => self.report(
                "output_schema",
                "must be a map",
                "pass a JSON Schema object",
            ),
            None => {}
        }
        self
    }

    /// Sets the model's name.
    #[must_use]
    pub fn model(mut self, name: impl Into<String>) -> Self {
        let name = Text::from(name.into());
        self.not_empty("llm.model", name.trim(), "the model's name is empty");
        self.replaces("llm.model");
        self.spec.llm.model = Setting::Value(name);
        self
    }

    /// Sets the temperature, 0 to 2.
    #[must_use]
    pub fn temperature(mut self, value: f64) -> Self {
        self.in_range("llm.temperature", value, 2.0);
        self.replaces("llm.temperature");
        self.spec.llm.temperature = Setting::Value(value);
        self
    }

    /// Sets the longest reply in tokens, at least 1.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        if tokens == 0 {
            self.report(
                "llm.max_tokens",
                "must be at least 1",
                "pass a whole number",
            );
        }
        self.replaces("llm.max_tokens");
        self.spec.llm.max_tokens = Setting::Value(tokens);
        self
    }

    /// Sets `top_p`, 0 to 1.
    #[must_use]
    pub fn top_p(mut self, value: f64) -> Self {
        self.in_range("llm.top_p", value, 1.0);
        self.replaces("llm.top_p");
        self.spec.llm.top_p = Setting::Value(value);
        self
    }

    /// Sets the texts that end the reply.
    #[must_use]
    pub fn stop<T: Into<String>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        let texts: List<Text> = texts
            .into_iter()
            .map(|text| Text::from(text.into()))
            .collect();
        for text in &texts {
            self.not_empty("llm.stop", text, "an empty text would end every reply");
        }
        self.replaces("llm.stop");
        self.spec.llm.stop = Setting::Value(texts);
        self
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(mut self, seed: i64) -> Self {
        self.replaces("llm.seed");
        self.spec.llm.seed = Setting::Value(seed);
        self
    }

    /// Sets a key of `llm.extra`.
    #[must_use]
    pub fn extra(mut self, name: impl Into<String>, value: impl Serialize) -> Self {
        let name = Text::from(name.into());
        self.not_empty("llm.extra", &name, "the name of a setting is empty");
        let path = format!("llm.extra.{name}");
        if let Some(value) = self.data(&path, value) {
            self.replaces(&path);
            let value = if value == Data::Null {
                Setting::Null
            } else {
                Setting::Value(value)
            };
            let others = self
                .spec
                .llm
                .extra
                .iter()
                .filter(|(known, _)| *known != name)
                .cloned();
            self.spec.llm.extra = others.chain([(name.clone(), value)]).collect();
        }
        self
    }

    /// Tells whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.spec == SlotSpec::EMPTY && self.findings.is_empty()
    }

    /// Returns it as the top layer of a slot.
    pub(crate) fn source(&self, limits: &Limits) -> Result<(Source, Vec<Finding>), Vec<Finding>> {
        let mut findings = self.findings.clone();
        let texts = [
            ("", self.yaml_bytes),
            ("template", length(self.spec.template.as_ref())),
            (
                "template_prepend",
                length(self.spec.template_prepend.as_ref()),
            ),
            (
                "template_append",
                length(self.spec.template_append.as_ref()),
            ),
        ];
        let long = texts.iter().find(|(_, bytes)| *bytes > limits.file_bytes);
        findings.extend(long.map(|(key, bytes)| {
            let limit = limits.file_bytes;
            Finding::error(format!("the text has {bytes} bytes, the limit is {limit}"))
                .hint("shorten it")
                .key(*key)
        }));
        if self.spec.template.is_some() && self.spec.derives_text() {
            findings.push(
                Finding::error("replaces the text, so there is nothing below it to edit or add to")
                    .hint("set either the template, or edits and additions")
                    .key("template"),
            );
        }
        if self.spec.template_format.is_some() && self.spec.template.is_none() {
            findings.push(
                Finding::error(
                    "without `template` it would read the default's text in another language",
                )
                .hint("set the template that is written in it")
                .key("template_format"),
            );
        }
        let findings: Vec<_> = findings
            .into_iter()
            .map(|finding| finding.layer(Layer::Runtime))
            .collect();
        if findings.iter().any(Finding::is_error) {
            return Err(findings);
        }
        let source = Source {
            layer: Layer::Runtime,
            spec: self.spec.clone(),
            file: None,
            places: self.places.clone(),
        };
        Ok((source, findings))
    }

    /// Forgets where the YAML says what is now set by the program.
    fn replaces(&mut self, path: &str) {
        self.places = std::mem::take(&mut self.places).without(path);
    }

    fn not_empty(&mut self, path: &str, text: &str, message: &str) {
        if text.is_empty() {
            self.report(path, message, "pass the text, or don't set it");
        }
    }

    fn in_range(&mut self, path: &str, value: f64, high: f64) {
        if !(0.0..=high).contains(&value) {
            self.report(
                path,
                &format!("must be from 0 to {high}"),
                "pass a number in this range",
            );
        }
    }

    fn data(&mut self, path: &str, value: impl Serialize) -> Option<Data> {
        match Data::from_serialize(value) {
            Ok(data) => Some(data),
            Err(error) => {
                self.report(
                    path,
                    &format!("can't be held as JSON: {error}"),
                    "pass plain data",
                );
                None
            }
        }
    }

    fn report(&mut self, path: &str, message: &str, hint: &str) {
        self.findings
            .push(Finding::error(message).hint(hint).key(path));
    }
}

fn length(text: Option<&Text>) -> usize {
    text.map_or(0, |text| text.len())
}
