//! The parts of a slot file that are more than one value.

use std::collections::HashSet;

use super::cursor::{Cursor, Reader};
use crate::data::Data;
use crate::engine::Format;
use crate::finding::Finding;
use crate::key;
use crate::layer::Layer;
use crate::name::{is_variable_name, nearest};
use crate::node::{NodeValue, Style};
use crate::shared::{List, Text};
use crate::spec::{Setting, TemplateEdit, TestCase, Variable};

pub(super) fn format(reader: &mut Reader<'_>, at: &Cursor<'_>) -> Option<Format> {
    let word = reader.text(at)?;
    let found = Format::ALL
        .into_iter()
        .find(|format| word == *format.name());
    if found.is_none() {
        let names = Format::ALL.map(Format::name);
        let hint = match nearest(&word, names) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("write {}", names.join(" or ")),
        };
        let finding = Finding::error("unknown template format").hint(hint);
        reader.report(finding.key(&at.path).at(at.node.pos));
    }
    found
}

/// The most edits of one layer: each is looked for in the whole text.
const MOST_EDITS: usize = 200;

pub(super) fn edits(reader: &mut Reader<'_>, at: &Cursor<'_>) -> List<TemplateEdit> {
    if let NodeValue::List(nodes) = &at.node.value
        && let Some(next) = nodes.get(MOST_EDITS)
    {
        let finding = Finding::error(format!("there are more than {MOST_EDITS} edits"))
            .hint("write the whole text as `template`");
        reader.report(finding.key(&at.path).at(next.pos));
        return List::default();
    }
    items(reader, at, |reader, item| {
        let (mut find, mut replace) = (None, None);
        for field in reader.fields(&item, key::EDIT) {
            match field.name() {
                "find" => find = reader.text(&field),
                _ => replace = reader.text(&field),
            }
        }
        let missing = [("find", find.is_none()), ("replace", replace.is_none())];
        if let NodeValue::Map(entries) = &item.node.value {
            for (name, _) in missing
                .into_iter()
                .filter(|(name, gone)| *gone && !entries.iter().any(|e| e.key == *name))
            {
                let finding = Finding::error(format!("an edit needs `{name}`"))
                    .hint("write both `find` and `replace`");
                reader.report(finding.key(&item.path).at(item.node.pos));
            }
        }
        if find.as_ref().is_some_and(|text| text.is_empty()) {
            let finding = Finding::error("`find` is empty").hint("write the text to be replaced");
            reader.report(finding.key(&item.path).at(item.node.pos));
            find = None;
        }
        Some(TemplateEdit {
            find: find?,
            replace: replace?,
        })
    })
}

/// Reads a list, each item with `read`; a `null` list is an empty section.
fn items<T>(
    reader: &mut Reader<'_>,
    at: &Cursor<'_>,
    mut read: impl FnMut(&mut Reader<'_>, Cursor<'_>) -> Option<T>,
) -> List<T> {
    if reader.is_empty_section(at) {
        return List::default();
    }
    let NodeValue::List(nodes) = &at.node.value else {
        reader.wrong(at, "a list", "start each item with `- `");
        return List::default();
    };
    let mut list = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let item = at.item(index, node);
        reader.note(&item);
        list.extend(read(reader, item));
    }
    list.into()
}

pub(super) fn variables(reader: &mut Reader<'_>, at: &Cursor<'_>) -> List<Variable> {
    if reader.is_empty_section(at) {
        return List::default();
    }
    let NodeValue::Map(entries) = &at.node.value else {
        reader.wrong(at, "a map", "write `name: description` lines under it");
        return List::default();
    };
    let entries = reader.few(at, entries);
    let mut variables = Vec::with_capacity(entries.len());
    for entry in entries {
        let variable = at.child(entry, false);
        reader.note(&variable);
        if is_variable_name(&entry.key) {
            variables.extend(self::variable(reader, &variable));
        } else {
            let finding = Finding::error("not a variable name").hint(
                "use letters, digits and `_`, with no digit first, so that a template can name it",
            );
            reader.report(finding.key(&variable.path).at(entry.pos));
        }
    }
    variables.into()
}

fn variable(reader: &mut Reader<'_>, at: &Cursor<'_>) -> Option<Variable> {
    let mut variable = Variable {
        name: at.name().into(),
        description: None,
        default: None,
        required: None,
    };
    match &at.node.value {
        NodeValue::Text(text) => variable.description = Some(text.as_str().into()),
        NodeValue::Map(_) => {
            for field in reader.fields(at, key::VARIABLE) {
                match field.name() {
                    "description" => variable.description = reader.text(&field),
                    "required" => variable.required = reader.boolean(&field),
                    _ if matches!(field.node.value, NodeValue::Null) => {
                        reader.wrong(
                            &field,
                            "a value",
                            "write `required: false` for an optional variable without a value",
                        );
                    }
                    _ => variable.default = Some(field.data()),
                }
            }
            if variable.required == Some(true) && variable.default.is_some() {
                let finding = Finding::error("a variable with a default is optional")
                    .hint("delete `required` or `default`");
                reader.report(finding.key(&at.path).at(at.key));
            }
        }
        _ => {
            let name = at.name();
            reader.wrong(
                at,
                "a description or a map",
                format!("write `{name}: what it holds`"),
            );
            return None;
        }
    }
    Some(variable)
}

pub(super) fn schema(reader: &mut Reader<'_>, at: &Cursor<'_>) -> Option<Data> {
    reader.note_inside(at);
    reader.free_map(at).map(Data::Map)
}

pub(super) fn model(reader: &mut Reader<'_>, at: &Cursor<'_>) -> Option<Text> {
    let name = reader.text(at)?;
    if name.trim().is_empty() {
        let finding =
            Finding::error("the model's name is empty").hint("write it, or delete `model`");
        reader.report(finding.key(&at.path).at(at.node.pos));
    }
    Some(name)
}

pub(super) fn stop(reader: &mut Reader<'_>, at: &Cursor<'_>) -> Option<List<Text>> {
    let texts = reader.texts(at)?;
    if texts.iter().any(|text| text.is_empty()) {
        let finding = Finding::error("an empty text would end every reply")
            .hint("write the text that ends it, or take the item out");
        reader.report(finding.key(&at.path).at(at.node.pos));
    }
    Some(texts)
}

pub(super) fn extra(reader: &mut Reader<'_>, at: &Cursor<'_>) -> List<(Text, Setting<Data>)> {
    if reader.is_empty_section(at) {
        return List::default();
    }
    if let NodeValue::Map(entries) = &at.node.value {
        for entry in reader.few(at, entries) {
            let value = at.child(entry, true);
            reader.note(&value);
            reader.refuse_null_in_bundle(&value);
            if entry.key.is_empty() {
                let finding = Finding::error("the name of a setting is empty")
                    .hint("write it, or delete the line");
                reader.report(finding.key(&at.path).at(entry.pos));
            }
        }
    }
    let entries = reader.free_map(at).unwrap_or_default();
    entries
        .iter()
        .map(|(name, data)| match data {
            Data::Null => (name.clone(), Setting::Null),
            data => (name.clone(), Setting::Value(data.clone())),
        })
        .collect()
}

pub(super) fn validation(reader: &mut Reader<'_>, at: &Cursor<'_>) -> List<TestCase> {
    let mut cases = List::default();
    let mut names = HashSet::new();
    for field in reader.section(at, key::VALIDATION) {
        cases = items(reader, &field, |reader, item| {
            test_case(reader, &item, &mut names)
        });
    }
    cases
}

/// Reads a test case; `names` are those of the cases before it.
fn test_case(
    reader: &mut Reader<'_>,
    at: &Cursor<'_>,
    names: &mut HashSet<String>,
) -> Option<TestCase> {
    let mut case = TestCase::default();
    for field in reader.fields(at, key::CASE) {
        match field.name() {
            "name" => {
                case.name = reader.text(&field);
                let name = case.name.as_deref().unwrap_or_default();
                if case.name.is_some() && !names.insert(name.to_owned()) {
                    let finding = Finding::error(format!("two test cases are called `{name}`"))
                        .hint("rename one");
                    reader.report(finding.key(&at.path).at(field.node.pos));
                }
            }
            "input" => case.input = reader.free_map(&field).unwrap_or_default(),
            "expected" => {
                reader.note_inside(&field);
                case.expected = Some(field.data());
            }
            _ => {
                for list in reader.section(&field, key::PROMPT) {
                    let texts = reader.texts(&list).unwrap_or_default();
                    if texts.iter().any(|text| text.is_empty()) {
                        let finding = Finding::error("an empty text is in every prompt")
                            .hint("write the text to look for");
                        reader.report(finding.key(&list.path).at(list.node.pos));
                    }
                    match list.name() {
                        "contains" => case.contains = texts,
                        _ => case.excludes = texts,
                    }
                }
            }
        }
    }
    matches!(at.node.value, NodeValue::Map(_)).then_some(case)
}

/// Reads `based_on`: a fingerprint, whole or its first digits.
pub(super) fn based_on(reader: &mut Reader<'_>, at: &Cursor<'_>) -> Option<Text> {
    let text = reader.text(at)?;
    let hex = text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    if hex && (8..=64).contains(&text.len()) {
        return Some(text);
    }
    let finding = Finding::error("not a fingerprint")
        .hint("write 8 to 64 hexadecimal digits of the default's fingerprint, as `override` does");
    reader.report(finding.key(&at.path).at(at.node.pos));
    None
}

/// Warns where YAML takes away text that the writer sees in the file.
pub(super) fn warn_of_lost_text(reader: &mut Reader<'_>, at: &Cursor<'_>) {
    if reader.layer() == Layer::Runtime {
        return;
    }
    if at.node.style == Style::Folded {
        let finding =
            Finding::warning("`>` joins the lines of the text").hint("use `|` to keep them");
        reader.report(finding.key(&at.path).at(at.key));
    }
    let NodeValue::Text(text) = &at.node.value else {
        return;
    };
    if at.node.style != Style::Plain || text.contains('\n') {
        return;
    }
    let rest = reader.source().get(at.node.offset + text.len()..);
    let rest = rest.unwrap_or_default().lines().next();
    if at.node.is_written_as(text, reader.source())
        && rest.is_some_and(|rest| rest.trim_start().starts_with('#'))
    {
        let finding =
            Finding::warning("the text ends before ` #`: the rest of the line is a comment")
                .hint("quote the text, if the rest belongs to it");
        reader.report(finding.key(&at.path).at(at.node.pos));
    }
}
