#![doc = include_str!("merge.md")]

use std::collections::HashSet;

use prompt_slots_core::{
    Derived, Finding, Layer, List, Llm, Pos, Setting, SlotSpec, TestCase, Text, Variable,
    Whereabouts, mark_in_text,
};

use crate::layer::Origin;
use crate::source::Source;

/// The most edits of a layer that fail and are told: each costs a look through the whole text for what was most likely meant.
const MOST_FAILED_EDITS: usize = 10;

/// The layers that set a key, as a set: its highest is the one that won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LayerSet(u8);

impl LayerSet {
    fn with(self, layer: Layer) -> Self {
        Self(self.0 | 1 << layer as u8)
    }

    pub(crate) fn contains(self, layer: Layer) -> bool {
        self.0 & 1 << layer as u8 != 0
    }

    pub(crate) fn highest(self) -> Option<Layer> {
        Layer::ALL
            .into_iter()
            .rev()
            .find(|layer| self.contains(*layer))
    }
}

/// Which key of which layer a part of the text comes from.
#[derive(Debug, Clone)]
struct PartTag {
    layer: Layer,
    path: Text,
}

/// A slot folded from its layers, and who set what.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    pub spec: SlotSpec,
    /// The layers that were folded, lowest first.
    pub sources: Vec<Source>,
    /// Key path by key path, the layers that set it.
    setters: Vec<(Text, LayerSet)>,
    /// For each test case its layer, and its index there.
    cases: Vec<(Layer, usize)>,
    /// The text with the key that each part of it comes from; `None` where it is one layer's `template` as it is.
    derived: Option<Derived<PartTag>>,
}

/// Folds layers, lowest first, into one slot.
///
/// # Errors
///
/// Returns every finding of what can only be judged between layers; each layer was checked alone before.
pub(crate) fn merge(sources: Vec<Source>) -> Result<Merged, Vec<Finding>> {
    let mut fold = Fold {
        merged: Merged {
            spec: SlotSpec::EMPTY,
            sources: Vec::new(),
            setters: Vec::new(),
            cases: Vec::new(),
            derived: None,
        },
        layer: Layer::Bundled,
        findings: Vec::new(),
    };
    for source in sources {
        fold.add(&source);
        fold.merged.sources.push(source);
    }
    if fold.findings.is_empty() {
        Ok(fold.merged)
    } else {
        Err(fold.findings)
    }
}

struct Fold {
    merged: Merged,
    layer: Layer,
    findings: Vec<Finding>,
}

impl Fold {
    /// THE merge: what one layer says, laid over what the layers below said.
    fn add(&mut self, source: &Source) {
        let over = &source.spec;
        self.layer = source.layer;
        let mut spec = std::mem::take(&mut self.merged.spec);
        self.value("enabled", &mut spec.enabled, over.enabled.as_ref());
        if self.layer == Layer::Runtime && over.template.is_some() {
            spec.enabled = over.enabled.or(Some(true));
            self.set(&Text::Static("enabled"));
        }
        self.setting("description", &mut spec.description, &over.description);
        self.text(&mut spec, source);
        self.value(
            "template_format",
            &mut spec.template_format,
            over.template_format.as_ref(),
        );
        self.variables(&mut spec.variables, source);
        self.setting(
            "output_schema",
            &mut spec.output_schema,
            &over.output_schema,
        );
        self.llm(&mut spec.llm, &over.llm);
        if !over.test_cases.is_empty() {
            self.set(&Text::Static("validation.test_cases"));
            self.merged
                .cases
                .extend((0..over.test_cases.len()).map(|index| (source.layer, index)));
            spec.test_cases = add_up(&spec.test_cases, &over.test_cases, source.layer);
        }
        if !over.extensions.is_empty() {
            let mut extensions = spec.extensions.to_vec();
            for (name, value) in &over.extensions {
                self.set(name);
                put(&mut extensions, name, value.clone());
            }
            spec.extensions = extensions.into();
        }
        self.merged.spec = spec;
    }

    fn set(&mut self, path: &Text) {
        match self
            .merged
            .setters
            .iter_mut()
            .find(|(known, _)| known == path)
        {
            Some((_, layers)) => *layers = layers.with(self.layer),
            None => self
                .merged
                .setters
                .push((path.clone(), LayerSet::default().with(self.layer))),
        }
    }

    fn value<T: Clone>(&mut self, path: &'static str, below: &mut Option<T>, over: Option<&T>) {
        if over.is_some() {
            *below = over.cloned();
            self.set(&Text::Static(path));
        }
    }

    fn setting<T: Clone>(&mut self, path: &'static str, below: &mut Setting<T>, over: &Setting<T>) {
        match over {
            Setting::Absent => return,
            Setting::Null => *below = Setting::Absent,
            Setting::Value(value) => *below = Setting::Value(value.clone()),
        }
        self.set(&Text::Static(path));
    }

    fn llm(&mut self, below: &mut Llm, over: &Llm) {
        self.setting("llm.model", &mut below.model, &over.model);
        self.setting("llm.temperature", &mut below.temperature, &over.temperature);
        self.setting("llm.max_tokens", &mut below.max_tokens, &over.max_tokens);
        self.setting("llm.top_p", &mut below.top_p, &over.top_p);
        self.setting("llm.stop", &mut below.stop, &over.stop);
        self.setting("llm.seed", &mut below.seed, &over.seed);
        if over.extra.is_empty() {
            return;
        }
        let mut extra = below.extra.to_vec();
        for (name, setting) in &over.extra {
            self.set(&format!("llm.extra.{name}").into());
            match setting {
                Setting::Value(_) => put(&mut extra, name, setting.clone()),
                _ => extra.retain(|(known, _)| known != name),
            }
        }
        below.extra = extra.into();
    }

    /// Lays a layer's text over the text below, or changes the text below.
    fn text(&mut self, spec: &mut SlotSpec, source: &Source) {
        let over = &source.spec;
        if let Some(template) = &over.template {
            self.set(&Text::Static("template"));
            spec.template = Some(template.clone());
            self.merged.derived = None;
        }
        if !over.derives_text() {
            return;
        }
        let below = spec
            .template
            .as_ref()
            .filter(|text| !text.trim().is_empty());
        let Some(below) = below else {
            let finding = Finding::error("there is no text below to edit or add to")
                .hint("write a `template`");
            let paths = ["template_edits", "template_prepend", "template_append"];
            let path = paths
                .into_iter()
                .find(|path| source.places.get(path).is_some())
                .unwrap_or("template_edits");
            self.findings.push(source.mark_key(finding.key(path), path));
            return;
        };
        let base = PartTag {
            layer: self.text_layer(),
            path: Text::Static("template"),
        };
        let mut derived = self
            .merged
            .derived
            .take()
            .unwrap_or_else(|| Derived::new(&**below, base));
        let tag = |path: Text| PartTag {
            layer: source.layer,
            path,
        };
        let before = self.findings.len();
        for (index, edit) in over.template_edits.iter().enumerate() {
            if self.findings.len() == before + MOST_FAILED_EDITS {
                break;
            }
            self.set(&Text::Static("template_edits"));
            let path = format!("template_edits[{index}]");
            if let Err(error) = derived.edit(
                &edit.find,
                &edit.replace,
                tag(format!("{path}.replace").into()),
            ) {
                let finding = Finding::error(error.to_string())
                    .maybe_hint(error.hint())
                    .quoting();
                self.findings.push(
                    source.mark_key(finding.key(format!("{path}.find")), &format!("{path}.find")),
                );
            }
        }
        if let Some(text) = &over.template_prepend {
            self.set(&Text::Static("template_prepend"));
            derived.prepend(text, tag(Text::Static("template_prepend")));
        }
        if let Some(text) = &over.template_append {
            self.set(&Text::Static("template_append"));
            derived.append(text, tag(Text::Static("template_append")));
        }
        spec.template = Some(derived.text().into());
        self.merged.derived = Some(derived);
    }

    /// Returns the layer whose `template` is in force so far.
    fn text_layer(&self) -> Layer {
        self.merged
            .setters("template")
            .highest()
            .unwrap_or(Layer::Bundled)
    }

    fn variables(&mut self, below: &mut List<Variable>, source: &Source) {
        if source.spec.variables.is_empty() {
            return;
        }
        let is_base = self.merged.sources.is_empty();
        let mut variables = below.to_vec();
        for over in &source.spec.variables {
            let path = format!("variables.{}", over.name);
            self.set_attributes(over);
            let known = variables
                .iter_mut()
                .find(|variable| variable.name == over.name);
            let Some(known) = known else {
                if !is_base && over.default.is_none() {
                    let finding = Finding::error(
                        "no caller knows of a variable that an override adds",
                    )
                    .hint(format!(
                        "give `{}` a `default`, or take it out of the template",
                        over.name
                    ));
                    self.findings
                        .push(source.mark_key(finding.key(&path), &path));
                }
                variables.push(over.clone());
                continue;
            };
            let merged = Variable {
                name: known.name.clone(),
                description: over
                    .description
                    .clone()
                    .or_else(|| known.description.clone()),
                default: over.default.clone().or_else(|| known.default.clone()),
                required: over
                    .required
                    .or(known.required.filter(|_| over.default.is_none())),
            };
            if known.required.is_some() && merged.required.is_none() {
                let taken_back = format!("variables.{}.required", over.name);
                let setters = &mut self.merged.setters;
                setters.retain(|(path, _)| *path != *taken_back);
            }
            if merged.is_required() && !known.is_required() {
                let finding = Finding::error(
                    "the default makes this variable optional, so callers may leave it out",
                )
                .hint("delete `required: true`");
                self.findings
                    .push(source.mark_key(finding.key(&path), &path));
            }
            *known = merged;
        }
        *below = variables.into();
    }

    fn set_attributes(&mut self, over: &Variable) {
        let attributes = [
            ("description", over.description.is_some()),
            ("default", over.default.is_some()),
            ("required", over.required.is_some()),
        ];
        for (attribute, _) in attributes.into_iter().filter(|(_, is_set)| *is_set) {
            self.set(&format!("variables.{}.{attribute}", over.name).into());
        }
        self.set(&format!("variables.{}", over.name).into());
    }
}

/// Adds cases to those of the layers below. One whose name is taken there is told apart by its layer, so that each can be
/// named, and so that the merged slot can be written as one file.
fn add_up(below: &List<TestCase>, over: &List<TestCase>, layer: Layer) -> List<TestCase> {
    let names = |cases: &List<TestCase>| -> HashSet<Text> {
        cases.iter().filter_map(|case| case.name.clone()).collect()
    };
    let known = names(below);
    let mut taken = names(over);
    let apart = |case: &TestCase| {
        let mut case = case.clone();
        if let Some(mut name) = case.name.take_if(|name| known.contains(name)) {
            while known.contains(&name) || taken.contains(&name) {
                name = format!("{name} ({layer})").into();
            }
            taken.insert(name.clone());
            case.name = Some(name);
        }
        case
    };
    below
        .iter()
        .cloned()
        .chain(over.iter().map(apart))
        .collect()
}

/// Sets a value in a list of names and values.
fn put<T>(entries: &mut Vec<(Text, T)>, name: &Text, value: T) {
    match entries.iter_mut().find(|(known, _)| known == name) {
        Some((_, old)) => *old = value,
        None => entries.push((name.clone(), value)),
    }
}

impl Merged {
    /// Returns the layers that set a key.
    pub(crate) fn setters(&self, path: &str) -> LayerSet {
        self.setters
            .iter()
            .find(|(known, _)| *known == *path)
            .map(|(_, layers)| *layers)
            .unwrap_or_default()
    }

    /// Returns every key path that some layer sets, in the order in which they were set first.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&str, LayerSet)> {
        self.setters.iter().map(|(path, layers)| (&**path, *layers))
    }

    pub(crate) fn source(&self, layer: Layer) -> Option<&Source> {
        self.sources.iter().find(|source| source.layer == layer)
    }

    /// Returns where the byte `offset` of the merged text comes from: layer, key path, file and position.
    fn locate(&self, offset: usize) -> Option<(&Source, Text, Option<Pos>, usize)> {
        let (tag, offset) = if let Some(derived) = &self.derived {
            derived.locate(offset)
        } else {
            let layer = self.setters("template").highest()?;
            (
                PartTag {
                    layer,
                    path: Text::Static("template"),
                },
                offset,
            )
        };
        let source = self.source(tag.layer)?;
        let text = source.text(&tag.path)?;
        let pos = match source.place(&tag.path) {
            Some(place) => Some(place.locate(text, offset)),
            // What a program passes has no file; lines count from the start of the text itself.
            None => (source.layer == Layer::Runtime).then(|| Pos::in_text(text, offset)),
        };
        Some((source, tag.path, pos, offset))
    }
}

impl Merged {
    /// Adds where the byte `offset` of the merged text stands, whichever layer that is of.
    pub(crate) fn mark_text(&self, finding: Finding, offset: usize) -> Finding {
        let Some((source, path, pos, offset)) = self.locate(offset) else {
            return finding;
        };
        let finding = source.mark(finding.key(&*path));
        match (pos, source.place(&path), source.text(&path)) {
            (Some(_), Some(place), Some(text)) => mark_in_text(finding, place, text, offset),
            (Some(pos), None, Some(text)) => finding.at(pos).quote(text),
            _ => finding,
        }
    }
}

impl Whereabouts for Merged {
    fn text(&self, finding: Finding, offset: usize) -> Finding {
        let Some((source, path, pos, _)) = self.locate(offset) else {
            return finding;
        };
        // The text below was judged before it was changed: what is wrong with it now, the change did.
        let Some(over) = self
            .source(self.text_layer())
            .filter(|over| over.layer > source.layer)
        else {
            return self.mark_text(finding, offset);
        };
        let change = over.first_change();
        let seen = Origin {
            pos,
            ..source.origin(&path)
        };
        let hint = match &finding.hint {
            Some(hint) => format!("{hint}; seen in the text below, {seen}"),
            None => format!("seen in the text below, {seen}"),
        };
        over.mark_key(finding.key(change).hint(hint), change)
    }

    fn key(&self, finding: Finding, path: &str) -> Finding {
        let layer = finding.layer.or_else(|| self.setters(path).highest());
        match layer.and_then(|layer| self.source(layer)) {
            Some(source) => source.mark_key(finding, path),
            None => finding,
        }
    }

    fn layer(&self, path: &str) -> Option<Layer> {
        self.setters(path).highest()
    }

    fn case(&self, index: usize) -> (Layer, usize) {
        self.cases
            .get(index)
            .copied()
            .unwrap_or((Layer::Bundled, index))
    }

    fn text_layer(&self) -> Layer {
        let keys = [
            "template",
            "template_edits",
            "template_prepend",
            "template_append",
        ];
        keys.iter()
            .filter_map(|key| self.setters(key).highest())
            .max()
            .unwrap_or(Layer::Bundled)
    }
}
