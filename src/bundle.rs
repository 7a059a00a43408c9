//! Layer 1: the slots that are compiled into a program.

use std::fmt;

use include_dir::Dir;
use prompt_slots_core::{
    Data, Finding, Fingerprint, Format, Layer, Limits, Llm, Places, Setting, SlotFile, SlotSpec,
    TestCase, Text, Variable, read_slot, to_values,
};
use serde::{Serialize, Serializer};

use crate::source::Source;

/// The slots of one program, with its rule for the directory of overrides and its limits.
///
/// It is made by [`bundle!`](crate::bundle) and lives in read-only memory: nothing is parsed, allocated or initialised.
pub struct Bundle {
    name: &'static str,
    slots: &'static [&'static BundledSlot],
    map: &'static phf::Map<&'static str, &'static BundledSlot>,
    originals: &'static Dir<'static>,
    root_env: Option<&'static str>,
    home_dir: Option<&'static str>,
    enabled_by_default: bool,
    limits: Limits,
}

impl Bundle {
    /// Returns the name of the package that ships the slots.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the directory that the slots were compiled in from, relative to the package.
    pub fn dir(&self) -> &'static str {
        let file = self.slots.first().map_or("", |slot| slot.file);
        file.rsplit_once('/').map_or("", |(dir, _)| dir)
    }

    /// Returns the names of the slots, sorted.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'static str> + use<> {
        self.slots.iter().map(|slot| slot.name)
    }

    /// Returns the file of a slot as it was written, comments included.
    pub fn original(&self, name: &str) -> Option<&'static str> {
        let slot = self.find(name)?;
        self.originals
            .get_file(format!("{}.yaml", slot.name))?
            .contents_utf8()
    }

    /// Returns the fingerprint of a slot's default.
    pub fn fingerprint(&self, name: &str) -> Option<Fingerprint> {
        self.find(name).map(|slot| slot.fingerprint)
    }

    /// Returns the environment variable that names the root, if the program has one.
    pub fn root_env(&self) -> Option<&'static str> {
        self.root_env
    }

    /// Returns the directory under the user's home that is the root by default, if the program has one.
    pub fn home_dir(&self) -> Option<&'static str> {
        self.home_dir
    }

    /// Tells whether a default that does not say `enabled` is enabled, as the build script chose.
    pub fn enabled_by_default(&self) -> bool {
        self.enabled_by_default
    }

    /// Returns the limits of every slot, at build time and at run time.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Reads the file of a default, today's or an older one, as the build would have taken it.
    pub(crate) fn read_default(&self, bytes: &[u8]) -> Result<SlotFile, Vec<Finding>> {
        let mut read = read_slot(bytes, Layer::Bundled, &self.limits)?;
        if self.enabled_by_default {
            read.spec.enabled.get_or_insert(true);
        }
        Ok(read)
    }

    pub(crate) fn find(&self, name: &str) -> Option<&'static BundledSlot> {
        self.map.get(name).copied()
    }

    pub(crate) fn slots(&self) -> &'static [&'static BundledSlot] {
        self.slots
    }
}

impl fmt::Debug for Bundle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bundle")
            .field("name", &self.name)
            .field("slots", &self.slots.len())
            .finish_non_exhaustive()
    }
}

/// One slot of a bundle.
#[doc(hidden)]
pub struct BundledSlot {
    pub(crate) name: &'static str,
    pub(crate) index: usize,
    file: &'static str,
    /// What `load` returns where no layer above says anything.
    pub(crate) live: Option<&'static str>,
    pub(crate) spec: SlotSpec,
    places: Places,
    pub(crate) fingerprint: Fingerprint,
}

impl BundledSlot {
    /// Makes a slot, for generated code.
    pub const fn new(
        name: &'static str,
        index: usize,
        file: &'static str,
        live: Option<&'static str>,
        spec: SlotSpec,
        places: Places,
        fingerprint: Fingerprint,
    ) -> Self {
        Self {
            name,
            index,
            file,
            live,
            spec,
            places,
            fingerprint,
        }
    }

    pub(crate) fn source(&self) -> Source {
        Source {
            layer: Layer::Bundled,
            spec: self.spec.clone(),
            file: Some(Text::Static(self.file)),
            places: self.places.clone(),
        }
    }
}

/// Makes a bundle, for generated code.
#[doc(hidden)]
#[expect(
    clippy::too_many_arguments,
    reason = "only generated code calls it, with one value for every field"
)]
pub const fn bundle(
    name: &'static str,
    slots: &'static [&'static BundledSlot],
    map: &'static phf::Map<&'static str, &'static BundledSlot>,
    originals: &'static Dir<'static>,
    root_env: Option<&'static str>,
    home_dir: Option<&'static str>,
    enabled_by_default: bool,
    limits: Limits,
) -> Bundle {
    Bundle {
        name,
        slots,
        map,
        originals,
        root_env,
        home_dir,
        enabled_by_default,
        limits,
    }
}

/// Makes the limits of a bundle, for generated code.
#[doc(hidden)]
pub const fn limits(
    file_bytes: usize,
    depth: usize,
    nodes: usize,
    output_bytes: usize,
    fuel: u64,
) -> Limits {
    Limits::new(file_bytes, depth, nodes, output_bytes, fuel)
}

/// Makes the spec of a default, for generated code: all that a bundled slot may hold.
#[doc(hidden)]
#[expect(
    clippy::too_many_arguments,
    reason = "only generated code calls it, with one value for every key"
)]
pub const fn spec(
    enabled: Option<bool>,
    description: Setting<Text>,
    template: Option<Text>,
    template_format: Option<Format>,
    variables: prompt_slots_core::List<Variable>,
    output_schema: Setting<Data>,
    llm: Llm,
    test_cases: prompt_slots_core::List<TestCase>,
    extensions: prompt_slots_core::List<(Text, Data)>,
) -> SlotSpec {
    SlotSpec {
        enabled,
        description,
        template,
        template_format,
        template_edits: prompt_slots_core::List::Static(&[]),
        template_prepend: None,
        template_append: None,
        variables,
        output_schema,
        llm,
        test_cases,
        based_on: None,
        extensions,
    }
}

/// Refuses, while compiling, code that another version of `prompt-slots-build` generated.
#[doc(hidden)]
pub const fn assert_version(generated_by: &str) {
    let (ours, theirs) = (
        env!("CARGO_PKG_VERSION").as_bytes(),
        generated_by.as_bytes(),
    );
    let mut same = ours.len() == theirs.len();
    let mut at = 0;
    while same && at < ours.len() {
        same = ours[at] == theirs[at];
        at += 1;
    }
    assert!(
        same,
        "prompt-slots and prompt-slots-build have different versions: set both to the same one in Cargo.toml"
    );
}

/// The values of one rendering; the generated `Vars` wrap it.
#[doc(hidden)]
#[derive(Clone, Default)]
pub struct Values(Vec<(&'static str, prompt_slots_core::Value)>);

impl Values {
    /// Starts without a value.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Sets a value; a second value for a name takes the place of the first.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Serialize) -> Self {
        let value = to_values(&value);
        match self.0.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
        self
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
