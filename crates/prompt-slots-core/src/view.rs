//! A slot as data again: for people, for JSON, and for comparing key by key.

use crate::data::Data;
use crate::shared::{List, Text};
use crate::spec::{Llm, Setting, SlotSpec, TemplateEdit, TestCase, Variable};

/// Names and values in the order of the key table.
#[derive(Default)]
struct Entries(Vec<(Text, Data)>);

impl Entries {
    fn put(&mut self, name: &'static str, value: Option<impl Into<Data>>) {
        if let Some(value) = value {
            self.0.push((Text::Static(name), value.into()));
        }
    }

    fn put_setting<T: Clone + Into<Data>>(&mut self, name: &'static str, setting: &Setting<T>) {
        match setting {
            Setting::Absent => {}
            Setting::Null => self.put(name, Some(Data::Null)),
            Setting::Value(value) => self.put(name, Some(value.clone())),
        }
    }

    fn put_unless_empty(&mut self, name: &'static str, entries: Vec<(Text, Data)>) {
        if !entries.is_empty() {
            self.put(name, Some(Data::Map(entries.into())));
        }
    }
}

impl SlotSpec {
    /// Returns what it says as a map, in the order of the key table; keys that it leaves alone are left out.
    pub fn to_data(&self) -> Data {
        let mut slot = Entries::default();
        slot.put("enabled", self.enabled.map(Data::Bool));
        slot.put_setting("description", &self.description);
        slot.put("template", self.template.clone());
        slot.put(
            "template_format",
            self.template_format
                .map(|format| Data::Text(Text::Static(format.name()))),
        );
        if !self.template_edits.is_empty() {
            slot.put(
                "template_edits",
                Some(Data::List(
                    self.template_edits.iter().map(edit_to_data).collect(),
                )),
            );
        }
        slot.put("template_prepend", self.template_prepend.clone());
        slot.put("template_append", self.template_append.clone());
        let variables = self
            .variables
            .iter()
            .map(|variable| (variable.name.clone(), variable.to_data()));
        slot.put_unless_empty("variables", variables.collect());
        slot.put_setting("output_schema", &self.output_schema);
        slot.put_unless_empty("llm", llm_entries(&self.llm));
        if !self.test_cases.is_empty() {
            let cases = Data::List(self.test_cases.iter().map(case_to_data).collect());
            slot.put(
                "validation",
                Some(Data::map([(Text::Static("test_cases"), cases)])),
            );
        }
        slot.put("based_on", self.based_on.clone());
        slot.0.extend(self.extensions.iter().cloned());
        Data::Map(slot.0.into())
    }

    /// Returns each value that layers merge apart, by key path: `enabled`, `llm.model`, `variables.tone`, ...
    pub fn leaves(&self) -> Vec<(String, Data)> {
        self.to_data().slot_leaves()
    }
}

impl Data {
    /// Returns each value that layers merge apart, by key path, of a slot as data: `enabled`, `llm.model`, ...
    pub fn slot_leaves(&self) -> Vec<(String, Data)> {
        let mut leaves = Vec::new();
        let Data::Map(slot) = self else {
            return leaves;
        };
        for (name, value) in slot {
            match (&**name, value) {
                ("llm", Data::Map(settings)) => {
                    for (setting, value) in settings {
                        match (&**setting, value) {
                            ("extra", Data::Map(extra)) => {
                                leaves.extend(extra.iter().map(|(key, value)| {
                                    (format!("llm.extra.{key}"), value.clone())
                                }));
                            }
                            _ => leaves.push((format!("llm.{setting}"), value.clone())),
                        }
                    }
                }
                ("variables", Data::Map(variables)) => {
                    leaves.extend(
                        variables
                            .iter()
                            .map(|(key, value)| (format!("variables.{key}"), value.clone())),
                    );
                }
                ("validation", value) => {
                    leaves.extend(
                        value
                            .get("test_cases")
                            .map(|cases| ("validation.test_cases".to_owned(), cases.clone())),
                    );
                }
                _ => leaves.push((name.to_string(), value.clone())),
            }
        }
        leaves
    }
}

impl Variable {
    /// Returns what it says: the description alone, or the long form.
    fn to_data(&self) -> Data {
        if let (Some(description), None, None) = (&self.description, &self.default, self.required) {
            return Data::Text(description.clone());
        }
        let mut long = Entries::default();
        long.put("description", self.description.clone());
        long.put("default", self.default.clone());
        long.put("required", self.required.map(Data::Bool));
        Data::Map(long.0.into())
    }
}

fn llm_entries(llm: &Llm) -> Vec<(Text, Data)> {
    let mut entries = Entries::default();
    entries.put_setting("model", &llm.model);
    entries.put_setting("temperature", &llm.temperature);
    entries.put_setting("max_tokens", &llm.max_tokens);
    entries.put_setting("top_p", &llm.top_p);
    entries.put_setting("stop", &llm.stop);
    entries.put_setting("seed", &llm.seed);
    let extra = llm
        .extra
        .iter()
        .filter_map(|(name, setting)| match setting {
            Setting::Absent => None,
            Setting::Null => Some((name.clone(), Data::Null)),
            Setting::Value(value) => Some((name.clone(), value.clone())),
        });
    entries.put_unless_empty("extra", extra.collect());
    entries.0
}

fn edit_to_data(edit: &TemplateEdit) -> Data {
    let mut entries = Entries::default();
    entries.put("find", Some(edit.find.clone()));
    entries.put("replace", Some(edit.replace.clone()));
    Data::Map(entries.0.into())
}

fn case_to_data(case: &TestCase) -> Data {
    let mut entries = Entries::default();
    entries.put("name", case.name.clone());
    entries.put("input", Some(Data::Map(case.input.clone())));
    entries.put("expected", case.expected.clone());
    let mut prompt = Entries::default();
    prompt.put(
        "contains",
        (!case.contains.is_empty()).then(|| case.contains.clone()),
    );
    prompt.put(
        "excludes",
        (!case.excludes.is_empty()).then(|| case.excludes.clone()),
    );
    entries.put_unless_empty("prompt", prompt.0);
    Data::Map(entries.0.into())
}

impl From<Text> for Data {
    fn from(text: Text) -> Self {
        Self::Text(text)
    }
}

impl From<List<Text>> for Data {
    fn from(texts: List<Text>) -> Self {
        Self::List(texts.iter().cloned().map(Self::Text).collect())
    }
}

impl From<f64> for Data {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<i64> for Data {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u64> for Data {
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or(Self::UInt(number), Self::Int)
    }
}
