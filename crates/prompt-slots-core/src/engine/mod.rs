//! The two template formats behind one small interface: compile once, ask for the names, fill it in.

mod fstring;
mod jinja;
mod other_format;

use std::fmt;
use std::ops::Range;

use minijinja::Value;

use crate::limits::Limits;

pub use self::jinja::{builtins, template_limits};
pub use self::other_format::placeholders_of_other_format;

/// The language that a template is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// Jinja2, as Python's Jinja2 renders it with its default settings.
    #[default]
    Jinja2,
    /// `{name}` placeholders, with `{{` and `}}` for braces, as Python's `str.format` reads them.
    FString,
}

impl Format {
    /// Every format, in the order in which messages list them.
    pub const ALL: [Self; 2] = [Self::Jinja2, Self::FString];

    /// Returns the word that stands for this format in a slot file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jinja2 => "jinja2",
            Self::FString => "f-string",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that is wrong with a template, or with a rendering of it.
///
/// Never holds the value of a variable: values may be secrets, and this text is logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    /// The bytes of the template that it is about, where known.
    pub range: Option<Range<usize>>,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// The next step, where there is one to name.
    pub hint: Option<String>,
}

/// A name that a template takes from its caller, and where it stands first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeName {
    /// The name of the variable.
    pub name: String,
    /// The bytes of its first appearance in the template.
    pub range: Range<usize>,
}

/// How a rendering treats what is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Undefined values may be tested (`{% if x %}`, `x is defined`, `x|default(..)`), not printed or looped over.
    SemiStrict,
    /// Undefined values may only stand in `is defined` and `|default`.
    Strict,
}

/// A template that was judged and compiled, ready to be rendered any number of times.
#[derive(Debug, Clone)]
pub struct Compiled(Engine);

#[derive(Debug, Clone)]
enum Engine {
    Jinja(jinja::Template),
    FString(fstring::Template),
}

impl Compiled {
    /// Compiles a template, and reports all that can be found wrong with it without a value.
    pub fn new(format: Format, source: &str, limits: &Limits) -> Result<Self, Vec<TemplateError>> {
        Ok(Self(match format {
            Format::Jinja2 => Engine::Jinja(jinja::Template::new(source, limits)?),
            Format::FString => Engine::FString(fstring::Template::new(source, limits)?),
        }))
    }

    /// Returns the names that the template takes from its caller, in order of first appearance, each once.
    pub fn free_names(&self) -> &[FreeName] {
        match &self.0 {
            Engine::Jinja(template) => template.free_names(),
            Engine::FString(template) => template.free_names(),
        }
    }

    /// Renders the template. `values` is a map from names to values; names that it lacks are undefined.
    pub fn render(&self, values: &Value, strictness: Strictness) -> Result<String, TemplateError> {
        match &self.0 {
            Engine::Jinja(template) => template.render(values, strictness),
            Engine::FString(template) => template.render(values),
        }
    }

    /// Renders the template, and returns the work that it took, in the units of [`Limits::fuel`].
    pub(crate) fn render_counted(
        &self,
        values: &Value,
        strictness: Strictness,
    ) -> Result<(String, u64), TemplateError> {
        match &self.0 {
            Engine::Jinja(template) => template.render_counted(values, strictness),
            // It can do nothing but write, which has a limit of its own.
            Engine::FString(template) => template.render(values).map(|prompt| (prompt, 0)),
        }
    }
}
