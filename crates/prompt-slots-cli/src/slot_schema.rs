//! The JSON Schema of a slot file, made from the table of keys.

use prompt_slots::keys::{self, Key, Place, Shape};
use serde_json::{Map, Value, json};

/// Returns the schema of a slot file, of defaults and of overrides alike, for editors.
///
/// It says all that the table says, and what more a schema can say of one key. What depends on another layer or on the
/// template it can't say: `check` does.
pub(crate) fn slot_schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "prompt slot",
        "description": "A prompt with its settings: a default of a program, or an override of one",
    });
    let Value::Object(mut map) = of_map(keys::SLOT) else {
        return schema;
    };
    map.insert(
        "patternProperties".to_owned(),
        json!({"^x-": {"description": "your own"}}),
    );
    // A whole text leaves nothing below it to change.
    let changes = keys::SLOT
        .iter()
        .filter(|key| key.name.starts_with("template_") && key.place == Place::Overrides);
    let refused: Map<String, Value> = changes
        .map(|key| (key.name.to_owned(), json!(false)))
        .collect();
    map.insert(
        "dependentSchemas".to_owned(),
        json!({"template": {"properties": refused}}),
    );
    if let Value::Object(schema) = &mut schema {
        schema.append(&mut map);
    }
    schema
}

/// Returns the schema of a map with these keys and no others.
fn of_map(keys: &[Key]) -> Value {
    let properties: Map<String, Value> = keys
        .iter()
        .map(|key| (key.name.to_owned(), of_key(key)))
        .collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn of_key(key: &Key) -> Value {
    let mut schema = of_shape(key.shape);
    if is_section(key) || key.nullable {
        allow_null(&mut schema);
    }
    schema["description"] = json!(key.help);
    if key.place == Place::Overrides {
        schema["description"] = json!(format!("{} (only in overrides)", key.help));
    }
    if key.name == "based_on" {
        schema["pattern"] = json!("^[0-9a-f]{8,64}$");
    }
    schema
}

/// Tells whether nothing may be written under a key: a section that is empty changes nothing.
fn is_section(key: &Key) -> bool {
    matches!(
        key.shape,
        Shape::Map(_) | Shape::Maps(_) | Shape::Variables(_)
    ) || key.name == "extra"
}

fn of_shape(shape: Shape) -> Value {
    match shape {
        Shape::Bool => json!({"type": "boolean"}),
        Shape::Text => json!({"type": "string"}),
        Shape::Word(words) => json!({"type": "string", "enum": words}),
        Shape::Number(low, high) => json!({"type": "number", "minimum": low, "maximum": high}),
        Shape::Integer(i64::MIN) => json!({"type": "integer"}),
        Shape::Integer(least) => json!({"type": "integer", "minimum": least}),
        Shape::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Shape::Map(keys) => of_map(keys),
        Shape::Maps(keys) => {
            let mut items = of_map(keys);
            if keys == keys::EDIT {
                items["required"] = keys.iter().map(|key| key.name).collect();
                items["properties"]["find"]["minLength"] = json!(1);
            }
            json!({"type": "array", "items": items})
        }
        Shape::Variables(keys) => {
            let mut long = of_map(keys);
            // A variable with a default is optional.
            long["dependentSchemas"] =
                json!({"default": {"properties": {"required": {"const": false}}}});
            long["properties"]["default"]["not"] = json!({"type": "null"});
            json!({
                "type": "object",
                "propertyNames": {"pattern": "^[A-Za-z_][A-Za-z0-9_]*$"},
                "additionalProperties": {"anyOf": [{"type": "string"}, long]},
            })
        }
        Shape::Free => json!({"type": "object"}),
        // What a later release of the table says is not refused.
        _ => json!({}),
    }
}

fn allow_null(schema: &mut Value) {
    if let Some(kind) = schema.get_mut("type") {
        *kind = json!([kind.clone(), "null"]);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use prompt_slots::Limits;

    use super::*;

    /// Files that break a rule which no schema can say, each for its reason.
    const BEYOND_A_SCHEMA: [(&str, &str); 12] = [
        ("bundle-null", "what a default may not say, an override may"),
        (
            "bundle-null-extra",
            "what a default may not say, an override may",
        ),
        (
            "bundle-override-keys",
            "what a default may not say, an override may",
        ),
        ("format-without-template", "a default may say so"),
        ("infinity", "JSON has no infinity"),
        ("key-that-is-a-number", "JSON's keys are text"),
        (
            "llm-empty-names",
            "blank text and names of free keys are judged by the checker",
        ),
        (
            "max-tokens-exponent",
            "to JSON Schema 1e3 is a whole number",
        ),
        ("max-tokens-float", "to JSON Schema 512.0 is a whole number"),
        ("not-a-number", "JSON has no such number"),
        ("seed-too-large", "JSON's numbers have no size"),
        (
            "test-case-names-twice",
            "a schema compares no items by a part of them",
        ),
    ];

    /// Returns what YAML makes of a file, if it is YAML at all.
    fn value_of(bytes: &[u8]) -> Option<Value> {
        let mapping = prompt_slots_core::parse_mapping(bytes, &Limits::DEFAULT).ok()?;
        serde_json::to_value(mapping).ok()
    }

    #[track_caller]
    fn files(kind: &str) -> Vec<(String, Vec<u8>)> {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/slots")
            .join(kind);
        let entries = fs::read_dir(dir).expect("the slot files of the tests are there");
        let mut files: Vec<_> = entries
            .map(|entry| {
                let path = entry.expect("the directory can be listed").path();
                let name = path
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                (name, fs::read(path).expect("the file can be read"))
            })
            .collect();
        files.sort();
        assert!(files.len() > 20);
        files
    }

    fn validator() -> jsonschema::Validator {
        jsonschema::draft202012::new(&slot_schema()).expect("the schema is one")
    }

    #[test]
    fn it_is_a_schema_by_its_own_draft() {
        jsonschema::draft202012::meta::validate(&slot_schema()).expect("the schema is one");
    }

    #[test]
    fn it_accepts_what_the_checker_accepts() {
        let validator = validator();
        for (name, bytes) in files("valid") {
            let value = value_of(&bytes).unwrap_or_else(|| panic!("{name} is no mapping"));
            let errors: Vec<_> = validator
                .iter_errors(&value)
                .map(|it| it.to_string())
                .collect();
            assert!(errors.is_empty(), "{name}: {errors:#?}");
        }
        for name in prompt_slots::BUNDLE.names() {
            let text = prompt_slots::BUNDLE.original(name).unwrap_or_default();
            let value = value_of(text.as_bytes()).expect("a default is a mapping");
            assert!(validator.is_valid(&value), "{name}");
        }
    }

    #[test]
    fn it_refuses_what_the_checker_refuses_as_far_as_a_schema_can() {
        let validator = validator();
        let mut accepted = Vec::new();
        for (name, bytes) in files("invalid") {
            if value_of(&bytes).is_some_and(|value| validator.is_valid(&value)) {
                accepted.push(name);
            }
        }
        assert_eq!(accepted, BEYOND_A_SCHEMA.map(|(name, _)| name));
    }

    #[test]
    fn every_key_of_the_table_is_in_it_with_its_help() {
        let schema = slot_schema();
        for key in keys::SLOT {
            let help = schema["properties"][key.name]["description"].as_str();
            assert!(
                help.is_some_and(|help| help.starts_with(key.help)),
                "{}",
                key.name
            );
        }
    }
}
