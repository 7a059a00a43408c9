//! Judges `output_schema`, and the replies that are expected to satisfy it.
//!
//! A schema is one document here: it fetches nothing, opens no file, and refers only to itself. What a validator can
//! be made to do without end (references in circles, exploding patterns, alternatives of alternatives) is refused.

mod document;
mod work;

use std::collections::HashSet;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, ValidationError, ValidationOptions, Validator};
use serde_json::{Value, json};

use self::document::Document;
use self::work::{Excess, Work};

/// Errors that are reported of one schema or one instance.
const MAX_ERRORS: usize = 20;

/// Patterns in one schema; each may take milliseconds to compile.
const MAX_PATTERNS: usize = 256;

/// Bytes of one compiled pattern; it takes time in proportion to this and to the text that it is held against.
const PATTERN_BYTES: usize = 256 << 10;

/// Characters of a message that quotes a value.
const MAX_MESSAGE: usize = 200;

/// One thing that is wrong with a schema, or with an instance of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SchemaError {
    /// Where it is: a JSON pointer into what was checked, empty for the whole.
    pub path: String,
    /// What is wrong, in lower case and without a full stop.
    pub message: String,
    /// The next step, where there is one to name.
    pub hint: Option<String>,
}

/// Returns what is wrong with a JSON Schema: its form, its references, its patterns, its cost.
///
/// `$schema` chooses the draft, from draft 4 to 2020-12, which is the default.
pub fn check_schema(schema: &Value) -> Vec<SchemaError> {
    Judge::new(schema).err().unwrap_or_default()
}

/// A schema that was found good and compiled, to check any number of instances.
#[derive(Debug, Clone)]
pub struct Judge {
    schema: Value,
    validator: Validator,
}

impl Judge {
    /// Compiles a schema, or returns all that is wrong with it.
    pub fn new(schema: &Value) -> Result<Self, Vec<SchemaError>> {
        let draft = draft_of(schema).map_err(|error| vec![error])?;
        let errors = against_meta_schema(schema);
        if !errors.is_empty() {
            return Err(errors);
        }
        let (document, errors) = Document::new(schema);
        if !errors.is_empty() {
            return Err(errors);
        }
        bounded(&document).map_err(|error| vec![error])?;
        let validator = options(draft)
            .build(schema)
            .map_err(|error| build_errors(&error, &document))?;
        Ok(Self {
            schema: schema.clone(),
            validator,
        })
    }

    /// Returns what of an instance does not satisfy the schema.
    pub fn check(&self, instance: &Value) -> Vec<SchemaError> {
        let (document, _) = Document::new(&self.schema);
        match Work::new(&document).of(&self.schema, instance) {
            Ok(_) => collect(self.validator.iter_errors(instance)),
            Err(_) => vec![error(
                String::new(),
                "checking this value takes too much work".to_owned(),
            )],
        }
    }
}

fn error(path: String, message: String) -> SchemaError {
    SchemaError {
        path,
        message,
        hint: None,
    }
}

/// Returns the draft that `$schema` names.
fn draft_of(schema: &Value) -> Result<Draft, SchemaError> {
    let Some(named) = schema.get("$schema") else {
        return Ok(Draft::Draft202012);
    };
    let draft = named
        .as_str()
        .map_or(Draft::Unknown, Draft::from_schema_uri);
    if draft == Draft::Unknown {
        return Err(SchemaError {
            path: "/$schema".to_owned(),
            message: format!("unknown `$schema` {}", shortened(&named.to_string())),
            hint: Some(
                "leave it out, or write \"https://json-schema.org/draft/2020-12/schema\""
                    .to_owned(),
            ),
        });
    }
    Ok(draft)
}

/// Returns the options of every validator: whatever features the crate was built with, it reaches nothing outside.
fn options(draft: Draft) -> ValidationOptions<'static> {
    let patterns = PatternOptions::regex()
        .size_limit(PATTERN_BYTES)
        .dfa_size_limit(1 << 20);
    jsonschema::options()
        .with_draft(draft)
        .offline()
        .with_pattern_options(patterns)
}

fn against_meta_schema(schema: &Value) -> Vec<SchemaError> {
    match jsonschema::meta::validator_for(schema) {
        Ok(validator) => collect(validator.iter_errors(schema)),
        Err(error) => vec![to_error(&error)],
    }
}

/// Refuses a schema that would take a validator too long whatever the instance.
fn bounded(document: &Document) -> Result<(), SchemaError> {
    let mut work = Work::new(document);
    for (index, place) in document.places().iter().enumerate() {
        if let Err(excess) = work.of(place.schema, &Value::Null) {
            let message = match excess {
                Excess::Endless => "this schema refers back to itself without end",
                Excess::TooMuch => "checking against this schema takes too much work",
            };
            return Err(error(document.pointer(index), message.to_owned()));
        }
    }
    let patterns = document.patterns().len();
    if patterns > MAX_PATTERNS {
        let message = format!("{patterns} patterns, where at most {MAX_PATTERNS} are allowed");
        return Err(error(String::new(), message));
    }
    Ok(())
}

/// Translates what a compilation fails with; of patterns it names only the first, so the others are tried here.
fn build_errors(first: &ValidationError, document: &Document) -> Vec<SchemaError> {
    let mut errors = Vec::new();
    if is_about_a_pattern(first) {
        for (path, pattern) in document.patterns() {
            let alone = options(Draft::Draft202012).build(&json!({ "pattern": pattern }));
            if alone.is_err_and(|error| is_about_a_pattern(&error)) {
                errors.push(SchemaError {
                    path,
                    message: format!("the pattern `{}` can't be used", shortened(pattern)),
                    hint: Some(
                        "write a regular expression without look-around, back-reference or huge repetition".to_owned(),
                    ),
                });
            }
        }
    }
    if errors.is_empty() {
        errors.push(to_error(first));
    }
    errors.truncate(MAX_ERRORS);
    errors
}

fn is_about_a_pattern(error: &ValidationError) -> bool {
    matches!(error.kind(), ValidationErrorKind::Format { format } if format == "regex")
}

/// Returns the first errors, each once: the meta-schemas of a draft overlap.
fn collect<'i>(errors: impl Iterator<Item = ValidationError<'i>>) -> Vec<SchemaError> {
    let mut seen = HashSet::new();
    let new = |error: &SchemaError| seen.insert(error.clone());
    errors
        .map(|error| to_error(&error))
        .filter(new)
        .take(MAX_ERRORS)
        .collect()
}

fn to_error(error: &ValidationError) -> SchemaError {
    SchemaError {
        path: error.instance_path().as_str().to_owned(),
        message: message(error),
        hint: match error.kind() {
            ValidationErrorKind::AnyOf { context }
            | ValidationErrorKind::OneOfNotValid { context } => {
                // What each of the alternatives misses tells more than that none of them fits.
                let reasons: Vec<String> = context
                    .iter()
                    .filter_map(|branch| branch.first())
                    .map(message)
                    .collect();
                (!reasons.is_empty()).then(|| shortened(&reasons.join(", or ")))
            }
            _ => None,
        },
    }
}

/// Returns the words of an error in our style, with the value where it is short.
fn message(error: &ValidationError) -> String {
    if let ValidationErrorKind::Enum { options } = error.kind() {
        // The crate names two of many.
        let options: Vec<String> = options
            .as_array()
            .into_iter()
            .flatten()
            .map(Value::to_string)
            .collect();
        return shortened(&format!(
            "{} is not one of {}",
            error.instance(),
            options.join(", ")
        ));
    }
    let mut text = error.to_string();
    if text.len() > MAX_MESSAGE {
        text = error.masked_with("the value").to_string();
    }
    let mut rest = text.chars();
    let first = rest.next().map(char::to_lowercase);
    let lower: String = first.into_iter().flatten().chain(rest).collect();
    shortened(&lower)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text.to_owned(),
    }
}
