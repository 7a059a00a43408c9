//! What one layer says of a slot.

use crate::data::Data;
use crate::engine::Format;
use crate::shared::{List, Text};

/// A leaf that a layer may leave alone, take back, or set: absent, `null` and a value are three things.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Setting<T> {
    /// The layer says nothing.
    #[default]
    Absent,
    /// The layer takes back what the layers below say.
    Null,
    /// The layer sets this value.
    Value(T),
}

impl<T> Setting<T> {
    /// Returns the value, if one is set.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Tells whether the layer says nothing.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl<T> From<T> for Setting<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

/// What one layer says of a slot: every key is optional, and nothing is merged or judged.
///
/// The bundled layer is `const` data of this type, the app layer is one parsed from YAML, the runtime layer is one built
/// by the caller; a merged slot has the same shape. Cloning copies no text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SlotSpec {
    /// `enabled`
    pub enabled: Option<bool>,
    /// `description`
    pub description: Setting<Text>,
    /// `template`
    pub template: Option<Text>,
    /// `template_format`
    pub template_format: Option<Format>,
    /// `template_edits`
    pub template_edits: List<TemplateEdit>,
    /// `template_prepend`
    pub template_prepend: Option<Text>,
    /// `template_append`
    pub template_append: Option<Text>,
    /// `variables`, in the order in which they are written.
    pub variables: List<Variable>,
    /// `output_schema`
    pub output_schema: Setting<Data>,
    /// `llm`
    pub llm: Llm,
    /// `validation.test_cases`
    pub test_cases: List<TestCase>,
    /// `based_on`
    pub based_on: Option<Text>,
    /// Keys that start with `x-`.
    pub extensions: List<(Text, Data)>,
}

/// One of `template_edits`.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateEdit {
    /// Text that stands exactly once in the template below.
    pub find: Text,
    /// What stands there instead.
    pub replace: Text,
}

/// What one layer says of a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// The name, `[A-Za-z_][A-Za-z0-9_]*`.
    pub name: Text,
    /// What it holds.
    pub description: Option<Text>,
    /// Its value where the caller gives none.
    pub default: Option<Data>,
    /// Whether the caller must give it.
    pub required: Option<bool>,
}

impl Variable {
    /// Tells whether the caller must give it: it is required unless it says otherwise or has a default.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(self.default.is_none())
    }
}

/// The keys of `llm`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Llm {
    /// `model`
    pub model: Setting<Text>,
    /// `temperature`, 0 to 2.
    pub temperature: Setting<f64>,
    /// `max_tokens`, at least 1.
    pub max_tokens: Setting<u64>,
    /// `top_p`, 0 to 1.
    pub top_p: Setting<f64>,
    /// `stop`
    pub stop: Setting<List<Text>>,
    /// `seed`
    pub seed: Setting<i64>,
    /// `extra`; a key with [`Setting::Null`] takes it back.
    pub extra: List<(Text, Setting<Data>)>,
}

/// One of `validation.test_cases`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TestCase {
    /// How findings call it; its number where there is none.
    pub name: Option<Text>,
    /// A value for each variable, by name.
    pub input: List<(Text, Data)>,
    /// A reply that satisfies the output schema.
    pub expected: Option<Data>,
    /// Texts that must be in the rendered prompt.
    pub contains: List<Text>,
    /// Texts that must not be in the rendered prompt.
    pub excludes: List<Text>,
}

impl SlotSpec {
    /// A layer that says nothing.
    pub const EMPTY: Self = Self {
        enabled: None,
        description: Setting::Absent,
        template: None,
        template_format: None,
        template_edits: List::Static(&[]),
        template_prepend: None,
        template_append: None,
        variables: List::Static(&[]),
        output_schema: Setting::Absent,
        llm: Llm {
            model: Setting::Absent,
            temperature: Setting::Absent,
            max_tokens: Setting::Absent,
            top_p: Setting::Absent,
            stop: Setting::Absent,
            seed: Setting::Absent,
            extra: List::Static(&[]),
        },
        test_cases: List::Static(&[]),
        based_on: None,
        extensions: List::Static(&[]),
    };

    /// Returns what `load` gives of a merged slot: its template, if it is enabled and not blank.
    pub fn live_template(&self) -> Option<&Text> {
        let enabled = self.enabled.unwrap_or(false);
        self.template
            .as_ref()
            .filter(|text| enabled && !text.trim().is_empty())
    }

    /// Tells whether it sets the text, whole or in part.
    pub fn touches_text(&self) -> bool {
        self.template.is_some() || self.derives_text()
    }

    /// Tells whether it changes the text of the layers below instead of replacing it.
    pub fn derives_text(&self) -> bool {
        !self.template_edits.is_empty()
            || self.template_prepend.is_some()
            || self.template_append.is_some()
    }

    /// Tells whether it says anything that the dry run judges.
    pub fn touches_contract(&self) -> bool {
        self.touches_text()
            || self.template_format.is_some()
            || !self.variables.is_empty()
            || !self.output_schema.is_absent()
            || !self.test_cases.is_empty()
    }

    /// Tells whether it declares a contract; without one a template is opaque text.
    pub fn has_contract(&self) -> bool {
        self.template_format.is_some()
            || !self.variables.is_empty()
            || self.output_schema.value().is_some()
            || !self.test_cases.is_empty()
    }
}

impl TestCase {
    /// Returns the case's name, or its number in its layer, from 1.
    pub fn label(&self, index: usize) -> String {
        self.name
            .as_ref()
            .map_or_else(|| (index + 1).to_string(), ToString::to_string)
    }
}
