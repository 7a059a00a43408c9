//! The keys of a slot file: the one table that the reader, the messages, the schema and the docs are made from.

/// What a key's value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// `true` or `false`
    Bool,
    /// Text.
    Text,
    /// One of a fixed set of words.
    Word(&'static [&'static str]),
    /// A number between two bounds, both included.
    Number(i32, i32),
    /// A whole number, at least this.
    Integer(i64),
    /// A list of texts.
    Texts,
    /// A map with these keys.
    Map(&'static [Key]),
    /// A list of maps with these keys.
    Maps(&'static [Key]),
    /// A map from free names to a description or a map with these keys.
    Variables(&'static [Key]),
    /// A map from free names to anything.
    Free,
    /// Anything.
    Any,
}

/// Where a key may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// In every layer.
    Everywhere,
    /// In the app and runtime layers, where there is a default to change.
    Overrides,
}

/// A key of a slot file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Key {
    /// The key as it is written.
    pub name: &'static str,
    /// What its value looks like.
    pub shape: Shape,
    /// Where it may stand.
    pub place: Place,
    /// Whether `null` takes back what the layers below say.
    pub nullable: bool,
    /// One line of help.
    pub help: &'static str,
}

const fn key(name: &'static str, shape: Shape, help: &'static str) -> Key {
    Key {
        name,
        shape,
        place: Place::Everywhere,
        nullable: false,
        help,
    }
}

const fn nullable(key: Key) -> Key {
    Key {
        nullable: true,
        ..key
    }
}

const fn override_only(key: Key) -> Key {
    Key {
        place: Place::Overrides,
        ..key
    }
}

/// The words of `template_format`.
const FORMATS: &[&str] = &["jinja2", "f-string"];

/// The keys at the top of a slot file.
pub static SLOT: &[Key] = &[
    key(
        "enabled",
        Shape::Bool,
        "whether the slot replaces the algorithm's own prompt; false where nobody says, unless the build chose true",
    ),
    nullable(key(
        "description",
        Shape::Text,
        "what the prompt is for, in a line",
    )),
    key("template", Shape::Text, "the prompt"),
    key(
        "template_format",
        Shape::Word(FORMATS),
        "the language of the template; in an override only beside `template`",
    ),
    override_only(key(
        "template_edits",
        Shape::Maps(EDIT),
        "changes to the text of the layers below, in order",
    )),
    override_only(key(
        "template_prepend",
        Shape::Text,
        "text put before the text of the layers below",
    )),
    override_only(key(
        "template_append",
        Shape::Text,
        "text put after the text of the layers below",
    )),
    key(
        "variables",
        Shape::Variables(VARIABLE),
        "what the caller supplies, by name",
    ),
    nullable(key(
        "output_schema",
        Shape::Free,
        "the JSON Schema of the reply",
    )),
    key("llm", Shape::Map(LLM), "settings of the model"),
    key(
        "validation",
        Shape::Map(VALIDATION),
        "what every version of the prompt must hold to",
    ),
    override_only(key(
        "based_on",
        Shape::Text,
        "the fingerprint of the default that the override was written against",
    )),
];

/// The keys of `llm`.
pub static LLM: &[Key] = &[
    nullable(key("model", Shape::Text, "the model's name")),
    nullable(key("temperature", Shape::Number(0, 2), "0 to 2")),
    nullable(key(
        "max_tokens",
        Shape::Integer(1),
        "the longest reply, in tokens",
    )),
    nullable(key("top_p", Shape::Number(0, 1), "0 to 1")),
    nullable(key("stop", Shape::Texts, "texts that end the reply")),
    nullable(key(
        "seed",
        Shape::Integer(i64::MIN),
        "for repeatable replies",
    )),
    key(
        "extra",
        Shape::Free,
        "anything else, passed through; a key with null is taken back",
    ),
];

/// The keys of one variable's long form.
pub static VARIABLE: &[Key] = &[
    key("description", Shape::Text, "what it holds"),
    key(
        "default",
        Shape::Any,
        "its value where the caller gives none; makes it optional",
    ),
    key(
        "required",
        Shape::Bool,
        "whether the caller must give it; true where there is no default",
    ),
];

/// The keys of `validation`.
pub static VALIDATION: &[Key] = &[key(
    "test_cases",
    Shape::Maps(CASE),
    "inputs that the prompt is rendered with",
)];

/// The keys of one test case.
pub static CASE: &[Key] = &[
    key(
        "name",
        Shape::Text,
        "how findings call it; its number where there is none",
    ),
    key("input", Shape::Free, "a value for each variable"),
    key(
        "expected",
        Shape::Any,
        "a reply that satisfies `output_schema`",
    ),
    key(
        "prompt",
        Shape::Map(PROMPT),
        "what the rendered prompt must hold to",
    ),
];

/// The keys of a test case's `prompt`.
pub static PROMPT: &[Key] = &[
    key(
        "contains",
        Shape::Texts,
        "texts that must be in the rendered prompt",
    ),
    key("excludes", Shape::Texts, "texts that must not be in it"),
];

/// The keys of one of `template_edits`.
pub static EDIT: &[Key] = &[
    key(
        "find",
        Shape::Text,
        "text that stands exactly once in the template below",
    ),
    key("replace", Shape::Text, "what stands there instead"),
];

/// The keys whose value is text that may well start like a template.
pub(crate) const TEXT_KEYS: [&str; 6] = [
    "template",
    "template_prepend",
    "template_append",
    "find",
    "replace",
    "description",
];

/// Tells whether any level of a slot file knows `name`.
pub(crate) fn is_known_anywhere(name: &str) -> bool {
    [SLOT, LLM, VARIABLE, VALIDATION, CASE, PROMPT, EDIT]
        .iter()
        .any(|keys| find(keys, name).is_some())
}

/// Returns the key called `name`.
pub fn find<'a>(keys: &'a [Key], name: &str) -> Option<&'a Key> {
    keys.iter().find(|key| key.name == name)
}
