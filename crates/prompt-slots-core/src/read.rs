//! From a YAML file to what it says of a slot, with the place of every key and every finding.

mod cursor;
mod parts;

use crate::finding::Finding;
use crate::key;
use crate::layer::Layer;
use crate::limits::Limits;
use crate::node::{Node, NodeValue};
use crate::place::Places;
use crate::source;
use crate::spec::{Llm, SlotSpec};
use crate::yaml;

use cursor::{Cursor, Reader};

/// A slot file that was read.
#[derive(Debug, Clone, Default)]
pub struct SlotFile {
    /// What it says.
    pub spec: SlotSpec,
    /// Where its keys stand.
    pub places: Places,
    /// What is odd about it, without stopping it.
    pub warnings: Vec<Finding>,
}

/// Reads a slot file, and checks this layer alone: keys, types and ranges.
///
/// What must be there is not judged here, since the layers below may have it.
///
/// # Errors
///
/// Returns every finding, errors and warnings, if at least one is an error. They name the place and the key path; the
/// caller adds slot, layer and file. Lines and keys of the file are quoted only if the file looks like a slot: a link may
/// lead anywhere, and an error must not print what it leads to.
pub fn read_slot(bytes: &[u8], layer: Layer, limits: &Limits) -> Result<SlotFile, Vec<Finding>> {
    let source = source::decode(bytes, limits).map_err(|finding| vec![finding])?;
    let quote = |findings: Vec<Finding>| -> Vec<Finding> {
        let findings = Finding::cut(findings);
        if findings.is_empty() {
            return findings;
        }
        if !looks_like_a_slot(&source) {
            return findings.into_iter().map(Finding::without_lines).collect();
        }
        findings
            .into_iter()
            .map(|finding| finding.quote(&source))
            .collect()
    };
    let Some(root) = yaml::parse(&source, limits).map_err(quote)? else {
        return Ok(SlotFile::default());
    };
    let mut reader = Reader::new(&source, layer);
    let spec = read_root(&mut reader, &root);
    let (places, mut findings) = reader.finish();
    findings.sort_by_key(|finding| finding.pos);
    let findings = quote(findings);
    if findings.iter().any(Finding::is_error) {
        return Err(findings);
    }
    Ok(SlotFile {
        spec,
        places,
        warnings: findings,
    })
}

/// Tells whether some line starts with a key of a slot file, or with a misspelt one.
///
/// A colon alone is not enough: the lines of a password file have one behind a name of few letters.
fn looks_like_a_slot(source: &str) -> bool {
    // Looking for misspellings takes time, and a slot that starts late is still read.
    source.lines().take(1000).any(|line| {
        line.split_once(':').is_some_and(|(name, value)| {
            let ends_key = value.is_empty() || value.starts_with([' ', '\t']);
            ends_key
                && crate::name::nearest(name.trim_end(), key::SLOT.iter().map(|k| k.name)).is_some()
        })
    })
}

fn read_root(reader: &mut Reader<'_>, root: &Node) -> SlotSpec {
    let mut spec = SlotSpec::EMPTY;
    if !matches!(root.value, NodeValue::Map(_)) {
        reader.report(yaml::not_a_mapping(root.kind(), root.pos));
        return spec;
    }
    let mut extensions = Vec::new();
    for at in reader.fields(&Cursor::root(root), key::SLOT) {
        match at.name() {
            "enabled" => spec.enabled = reader.boolean(&at),
            "description" => spec.description = reader.setting(&at, Reader::text),
            "template" => {
                parts::warn_of_lost_text(reader, &at);
                spec.template = reader.text(&at);
            }
            "template_format" => spec.template_format = parts::format(reader, &at),
            "template_edits" => spec.template_edits = parts::edits(reader, &at),
            "template_prepend" => spec.template_prepend = reader.text(&at),
            "template_append" => spec.template_append = reader.text(&at),
            "variables" => spec.variables = parts::variables(reader, &at),
            "output_schema" => spec.output_schema = reader.setting(&at, parts::schema),
            "llm" => spec.llm = read_llm(reader, &at),
            "validation" => spec.test_cases = parts::validation(reader, &at),
            "based_on" => spec.based_on = parts::based_on(reader, &at),
            name => extensions.push((name.into(), at.data())),
        }
    }
    spec.extensions = extensions.into();
    check_companions(reader, &spec);
    spec
}

fn read_llm(reader: &mut Reader<'_>, section: &Cursor<'_>) -> Llm {
    let mut llm = Llm::default();
    for at in reader.section(section, key::LLM) {
        match at.name() {
            "model" => llm.model = reader.setting(&at, parts::model),
            "temperature" => llm.temperature = reader.setting(&at, |r, at| r.number(at, 0.0, 2.0)),
            "max_tokens" => llm.max_tokens = reader.setting(&at, Reader::count),
            "top_p" => llm.top_p = reader.setting(&at, |r, at| r.number(at, 0.0, 1.0)),
            "stop" => llm.stop = reader.setting(&at, parts::stop),
            "seed" => llm.seed = reader.setting(&at, Reader::integer),
            _ => llm.extra = parts::extra(reader, &at),
        }
    }
    llm
}

/// Checks the keys that one layer may not set beside each other.
fn check_companions(reader: &mut Reader<'_>, spec: &SlotSpec) {
    if spec.template.is_some() && spec.derives_text() {
        reader.report_at(
            "template",
            Finding::error("replaces the text, so there is nothing below it to edit or add to")
                .hint("keep `template`, or keep `template_edits`, `template_prepend` and `template_append`"),
        );
    }
    if reader.layer() != Layer::Bundled && spec.template_format.is_some() && spec.template.is_none()
    {
        reader.report_at(
            "template_format",
            Finding::error(
                "without `template` it would read the default's text in another language",
            )
            .hint("add the `template` that is written in it, or delete this key"),
        );
    }
}
