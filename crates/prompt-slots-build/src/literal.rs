//! Rust source for a slot's data: literals only, so that the compiler puts them into read-only memory.
//!
//! The short names (`D`, `T`, ...) are those that the generated module imports; a bundle of thousands of slots is read by
//! the compiler faster for it.

use std::fmt::Write as _;

use prompt_slots_core::{
    Data, Format, Lay, Llm, Places, Setting, SlotSpec, TestCase, Text, Variable,
};

/// The imports that the literals need; `$core` stands for the path of the hidden re-exports.
pub(crate) const IMPORTS: &str = "\
use Lay::{Block as LB, Inline as LI, Opaque as LO};
use Setting::{Absent as A, Value as V};
use Shared::Static as S;
use ::core::option::Option::{None as N, Some as O};
";

pub(crate) fn spec(spec: &SlotSpec) -> String {
    let format = option(spec.template_format.as_ref(), |format| match format {
        Format::Jinja2 => "Format::Jinja2".to_owned(),
        Format::FString => "Format::FString".to_owned(),
    });
    format!(
        "spec({}, {}, {}, {format}, {}, {}, {}, {}, {})",
        option(spec.enabled.as_ref(), ToString::to_string),
        setting(&spec.description, text),
        option(spec.template.as_ref(), text),
        list(&spec.variables, variable),
        setting(&spec.output_schema, data),
        llm(&spec.llm),
        list(&spec.test_cases, case),
        list(&spec.extensions, pair),
    )
}

/// Writes text as a string literal; escapes make it independent of line ends and of what the text holds.
pub(crate) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// Writes bytes as one literal; a list of numbers would be as many expressions for the compiler to check.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    let mut out = "b\"".to_owned();
    for byte in bytes {
        let _ = write!(out, "\\x{byte:02x}");
    }
    out + "\""
}

fn text(text: &Text) -> String {
    format!("S({})", quoted(text))
}

fn option<T>(value: Option<&T>, write: impl Fn(&T) -> String) -> String {
    value.map_or_else(|| "N".to_owned(), |value| format!("O({})", write(value)))
}

fn setting<T>(setting: &Setting<T>, write: impl Fn(&T) -> String) -> String {
    // A bundled slot holds no null: there is nothing below it to take back.
    setting
        .value()
        .map_or_else(|| "A".to_owned(), |value| format!("V({})", write(value)))
}

fn list<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    let mut out = "S(&[".to_owned();
    for item in items {
        let _ = write!(out, "{},", write(item));
    }
    out + "])"
}

fn pair((name, value): &(Text, Data)) -> String {
    format!("({},{})", text(name), data(value))
}

fn data(value: &Data) -> String {
    match value {
        Data::Null => "Data::Null".to_owned(),
        Data::Bool(value) => format!("Data::Bool({value})"),
        Data::Int(value) => format!("Data::Int({value})"),
        Data::UInt(value) => format!("Data::UInt({value})"),
        Data::Float(value) => format!("Data::Float({})", float(*value)),
        Data::Text(value) => format!("Data::Text({})", text(value)),
        Data::List(items) => format!("Data::List({})", list(items, data)),
        Data::Map(entries) => format!("Data::Map({})", list(entries, pair)),
    }
}

/// Writes a float such that the compiler reads the same one back.
fn float(value: f64) -> String {
    format!("{value:?}f64")
}

fn variable(variable: &Variable) -> String {
    format!(
        "Variable{{name:{},description:{},default:{},required:{}}}",
        text(&variable.name),
        option(variable.description.as_ref(), text),
        option(variable.default.as_ref(), data),
        option(variable.required.as_ref(), ToString::to_string),
    )
}

fn llm(llm: &Llm) -> String {
    let extra = list(&llm.extra, |(name, value)| {
        format!("({},{})", text(name), setting(value, data))
    });
    format!(
        "Llm{{model:{},temperature:{},max_tokens:{},top_p:{},stop:{},seed:{},extra:{extra}}}",
        setting(&llm.model, text),
        setting(&llm.temperature, |value| float(*value)),
        setting(&llm.max_tokens, ToString::to_string),
        setting(&llm.top_p, |value| float(*value)),
        setting(&llm.stop, |stop| list(stop, text)),
        setting(&llm.seed, ToString::to_string),
    )
}

fn case(case: &TestCase) -> String {
    format!(
        "TestCase{{name:{},input:{},expected:{},contains:{},excludes:{}}}",
        option(case.name.as_ref(), text),
        list(&case.input, pair),
        option(case.expected.as_ref(), data),
        list(&case.contains, text),
        list(&case.excludes, text),
    )
}

/// Writes the places of a slot's keys, sorted by path.
pub(crate) fn places(places: &Places) -> String {
    let mut out = "&[".to_owned();
    for (path, place) in places.iter() {
        let lay = match place.lay {
            Lay::Inline => "LI".to_owned(),
            Lay::Opaque => "LO".to_owned(),
            Lay::Block(indent) => format!("LB({indent})"),
        };
        let (key, value) = (place.key, place.value);
        let _ = write!(
            out,
            "(S({}),Place::new(({},{}),({},{}),{lay})),",
            quoted(path),
            key.line,
            key.column,
            value.line,
            value.column
        );
    }
    out + "]"
}
