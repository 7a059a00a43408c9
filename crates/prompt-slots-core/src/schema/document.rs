//! Finds the schemas inside of a schema, and what its references lead to.

use std::collections::{HashMap, HashSet};

use jsonschema::Draft;
use serde_json::Value;

use super::{MAX_ERRORS, SchemaError, shortened};

/// What a keyword that holds schemas applies them to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Applies {
    /// To the same value as the schema that it stands in.
    Here,
    /// To the entries of an object.
    Entries,
    /// To the items of a list.
    Items,
    /// To nothing, until something refers to it.
    Nothing,
}

/// The keywords that hold schemas: one, a list of them, or (`true`) a map from names to them.
const KEYWORDS: &[(&str, bool, Applies)] = &[
    ("$defs", true, Applies::Nothing),
    ("additionalItems", false, Applies::Items),
    ("additionalProperties", false, Applies::Entries),
    ("allOf", false, Applies::Here),
    ("anyOf", false, Applies::Here),
    ("contains", false, Applies::Items),
    ("contentSchema", false, Applies::Nothing),
    ("definitions", true, Applies::Nothing),
    ("dependencies", true, Applies::Here),
    ("dependentSchemas", true, Applies::Here),
    ("else", false, Applies::Here),
    ("if", false, Applies::Here),
    ("items", false, Applies::Items),
    ("not", false, Applies::Here),
    ("oneOf", false, Applies::Here),
    ("patternProperties", true, Applies::Entries),
    ("prefixItems", false, Applies::Items),
    ("properties", true, Applies::Entries),
    ("propertyNames", false, Applies::Entries),
    ("then", false, Applies::Here),
    ("unevaluatedItems", false, Applies::Items),
    ("unevaluatedProperties", false, Applies::Entries),
];

/// The keywords that refer to another schema.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// The step from a schema to one inside of it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'a> {
    /// From nowhere: the root, or what only a reference leads to, by its pointer.
    Start(&'a str),
    Keyword(&'a str),
    Item(&'a str, usize),
    Entry(&'a str, &'a str),
}

/// One schema in a document.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) schema: &'a Value,
    parent: usize,
    step: Step<'a>,
}

/// A schema with all schemas inside of it.
#[derive(Debug)]
pub(super) struct Document<'a> {
    root: &'a Value,
    /// The keyword that gives a schema an address of its own: `id` in draft 4, `$id` since.
    id_keyword: &'static str,
    id: &'a str,
    places: Vec<Place<'a>>,
    anchors: HashMap<&'a str, &'a Value>,
}

impl<'a> Document<'a> {
    /// Reads a schema, and returns what is wrong with its references and names beside it.
    pub(super) fn new(root: &'a Value) -> (Self, Vec<SchemaError>) {
        let id_keyword = Draft::default().detect(root).id_keyword();
        let id = root.get(id_keyword).and_then(Value::as_str);
        let mut document = Self {
            root,
            id_keyword,
            id: id.unwrap_or_default().trim_end_matches('#'),
            places: Vec::new(),
            anchors: HashMap::new(),
        };
        document.walk(Place {
            schema: root,
            parent: 0,
            step: Step::Start(""),
        });
        let errors = document.check();
        (document, errors)
    }

    /// Returns every schema, the root first.
    pub(super) fn places(&self) -> &[Place<'a>] {
        &self.places
    }

    /// Returns the JSON pointer of the place with this index.
    pub(super) fn pointer(&self, index: usize) -> String {
        let mut steps = Vec::new();
        let mut next = self.places.get(index);
        while let Some(place) = next {
            steps.push(match place.step {
                Step::Start(pointer) => pointer.to_owned(),
                Step::Keyword(keyword) => format!("/{keyword}"),
                Step::Item(keyword, item) => format!("/{keyword}/{item}"),
                Step::Entry(keyword, name) => format!("/{keyword}/{}", escaped(name)),
            });
            next = match place.step {
                Step::Start(_) => None,
                _ => self.places.get(place.parent),
            };
        }
        steps.reverse();
        steps.concat()
    }

    /// Returns every pattern with its JSON pointer.
    pub(super) fn patterns(&self) -> Vec<(String, &'a str)> {
        let mut patterns = Vec::new();
        for (index, place) in self.places.iter().enumerate() {
            if let Some(pattern) = place.schema.get("pattern").and_then(Value::as_str) {
                patterns.push((self.pointer(index) + "/pattern", pattern));
            }
            let keys = place
                .schema
                .get("patternProperties")
                .and_then(Value::as_object);
            for key in keys.into_iter().flat_map(|map| map.keys()) {
                let pointer = format!("{}/patternProperties/{}", self.pointer(index), escaped(key));
                patterns.push((pointer, key));
            }
        }
        patterns
    }

    /// Returns the schema that a reference leads to, if it leads to one in this document.
    pub(super) fn resolve(&self, reference: &str) -> Option<&'a Value> {
        match decoded(self.fragment(reference)?)?.as_str() {
            "" => Some(self.root),
            pointer if pointer.starts_with('/') => self.root.pointer(pointer),
            anchor => self.anchors.get(anchor).copied(),
        }
    }

    /// Returns the part of a reference behind `#`, unless it leads out of the document.
    fn fragment<'r>(&self, reference: &'r str) -> Option<&'r str> {
        let inside = reference.strip_prefix(self.id).unwrap_or(reference);
        inside
            .strip_prefix('#')
            .or_else(|| inside.is_empty().then_some(inside))
    }

    /// Adds a schema and all inside of it to the places.
    fn walk(&mut self, start: Place<'a>) {
        let mut todo = vec![start];
        while let Some(place) = todo.pop() {
            let index = self.places.len();
            let inside: Vec<_> = schemas_in(place.schema).collect();
            // Backwards, so that they come off the end of the list in their order.
            for (step, schema, _) in inside.into_iter().rev() {
                todo.push(Place {
                    schema,
                    parent: index,
                    step,
                });
            }
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let Some(anchor) = place.schema.get(keyword).and_then(Value::as_str) {
                    self.anchors.insert(anchor, place.schema);
                }
            }
            self.places.push(place);
        }
    }

    /// Checks what every schema says of itself and of others.
    fn check(&mut self) -> Vec<SchemaError> {
        let mut errors = Vec::new();
        let mut known: HashSet<*const Value> = HashSet::new();
        known.extend(
            self.places
                .iter()
                .map(|place| std::ptr::from_ref(place.schema)),
        );
        let mut index = 0;
        while let Some(schema) = self.places.get(index).map(|place| place.schema) {
            for keyword in [self.id_keyword, "$schema"] {
                if index > 0 && schema.get(keyword).is_some_and(Value::is_string) {
                    errors.push(SchemaError {
                        path: format!("{}/{keyword}", self.pointer(index)),
                        message: format!("`{keyword}` inside of a schema"),
                        hint: Some("only the root may have one".to_owned()),
                    });
                }
            }
            for (keyword, reference) in references_in(schema) {
                match self.resolve(reference) {
                    // Somewhere no keyword leads to; a validator goes there all the same.
                    Some(target) if known.insert(target) => {
                        let at = self.fragment(reference).unwrap_or_default();
                        let start = self.places.len();
                        self.walk(Place {
                            schema: target,
                            parent: 0,
                            step: Step::Start(at),
                        });
                        let new = self.places.iter().skip(start);
                        known.extend(new.map(|place| std::ptr::from_ref(place.schema)));
                    }
                    Some(_) => {}
                    None => {
                        let path = format!("{}/{keyword}", self.pointer(index));
                        errors.push(self.bad_reference(path, keyword, reference));
                    }
                }
            }
            if errors.len() >= MAX_ERRORS {
                break;
            }
            index += 1;
        }
        errors
    }

    fn bad_reference(&self, path: String, keyword: &str, reference: &str) -> SchemaError {
        let leads = if self.fragment(reference).is_some() {
            "leads nowhere"
        } else {
            "leads out of the schema"
        };
        SchemaError {
            path,
            message: format!("`{keyword}` {leads}: `{}`", shortened(reference)),
            hint: Some(
                "refer to a part of this schema, such as `#/$defs/name`; nothing is fetched"
                    .to_owned(),
            ),
        }
    }
}

/// Returns the references of one schema, with their keywords.
pub(super) fn references_in(schema: &Value) -> impl Iterator<Item = (&'static str, &str)> {
    let text = |keyword| Some((keyword, schema.get(keyword)?.as_str()?));
    REFERENCES.into_iter().filter_map(text)
}

/// Returns the schemas directly inside of a schema, each with the step to it and what it applies to.
pub(super) fn schemas_in(schema: &Value) -> impl Iterator<Item = (Step<'_>, &Value, Applies)> {
    let held = KEYWORDS.iter().filter_map(|&(keyword, is_map, applies)| {
        Some((keyword, is_map, applies, schema.get(keyword)?))
    });
    held.flat_map(|(keyword, is_map, applies, value)| {
        let found: Vec<(Step<'_>, &Value)> = match value {
            Value::Object(map) if is_map => map
                .iter()
                .map(|(name, schema)| (Step::Entry(keyword, name), schema))
                .collect(),
            Value::Array(list) if !is_map => list
                .iter()
                .enumerate()
                .map(|(n, schema)| (Step::Item(keyword, n), schema))
                .collect(),
            schema => vec![(Step::Keyword(keyword), schema)],
        };
        let schemas = found.into_iter().filter(|(_, schema)| schema.is_object());
        schemas.map(move |(step, schema)| (step, schema, applies))
    })
}

/// Writes a key as it stands in a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Decodes the `%20` of a URI, unless they are malformed.
fn decoded(fragment: &str) -> Option<String> {
    let mut parts = fragment.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}
