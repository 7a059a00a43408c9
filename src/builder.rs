//! How a loader is set up.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::app::{App, OnInvalid, Place};
use crate::bundle::Bundle;
use crate::controls::Controls;
use crate::loader::PromptLoader;
use crate::root::{Root, RootRule, RootSource};
use crate::settle::Reload;

/// Sets up a [`PromptLoader`]; made by [`PromptLoader::builder`].
///
/// Nothing is read here, nor by [`build`](Self::build): files are read on the first reference to their slot.
#[derive(Debug, Clone)]
#[must_use]
pub struct LoaderBuilder {
    bundle: &'static Bundle,
    place: Choice,
    reload: Reload,
    on_invalid: OnInvalid,
    heeds_controls: bool,
}

#[derive(Debug, Clone)]
enum Choice {
    Rule,
    Root(PathBuf),
    AppDir(PathBuf),
    Off,
    Memory(Vec<(String, String)>),
}

impl LoaderBuilder {
    pub(crate) fn new(bundle: &'static Bundle) -> Self {
        Self {
            bundle,
            place: Choice::Rule,
            reload: Reload::default(),
            on_invalid: OnInvalid::default(),
            heeds_controls: true,
        }
    }

    /// Loads the slots of another bundle: that of your own program.
    pub fn bundle(mut self, bundle: &'static Bundle) -> Self {
        self.bundle = bundle;
        self
    }

    /// Reads overrides from `<root>/prompt_slots`, whatever the environment says.
    pub fn root(mut self, root: impl AsRef<Path>) -> Self {
        self.place = Choice::Root(root.as_ref().to_owned());
        self
    }

    /// Reads overrides from this directory itself.
    pub fn app_dir(mut self, dir: impl AsRef<Path>) -> Self {
        self.place = Choice::AppDir(dir.as_ref().to_owned());
        self
    }

    /// Reads no overrides.
    pub fn without_app_layer(mut self) -> Self {
        self.place = Choice::Off;
        self
    }

    /// Takes overrides from memory, as pairs of a slot's name and the text of its file; for tests.
    ///
    /// A name that can't be a slot's, such as `greeting.yaml`, is an error of [`PromptLoader::check_all`].
    pub fn app_memory<N: Into<String>, Y: Into<String>>(
        mut self,
        files: impl IntoIterator<Item = (N, Y)>,
    ) -> Self {
        self.place = Choice::Memory(
            files
                .into_iter()
                .map(|(name, yaml)| (name.into(), yaml.into()))
                .collect(),
        );
        self
    }

    /// Sets when files are looked at again.
    pub fn reload(mut self, reload: Reload) -> Self {
        self.reload = reload;
        self
    }

    /// Sets what an invalid override means for its slot.
    pub fn on_invalid(mut self, on_invalid: OnInvalid) -> Self {
        self.on_invalid = on_invalid;
        self
    }

    /// Heeds no emergency control in the environment (see [`PromptLoader::controls`]); for tools that judge files.
    pub fn without_controls(mut self) -> Self {
        self.heeds_controls = false;
        self
    }

    /// Makes the loader.
    ///
    /// Whoever runs the program may have set emergency controls in the environment; they are read here, and
    /// [`PromptLoader::controls`] shows them. A loader that reads no files heeds none.
    pub fn build(self) -> PromptLoader {
        let reads_files = !matches!(self.place, Choice::Off | Choice::Memory(_));
        let place = match self.place {
            Choice::Rule => Place::Rule(RootRule::new(self.bundle)),
            Choice::Root(root) => Place::Named(Root::explicit(&root)),
            Choice::AppDir(dir) => Place::Named(Root::of_app_dir(&dir)),
            Choice::Off => Place::Named(Root::off(RootSource::SwitchedOff)),
            Choice::Memory(files) => {
                Place::Memory(Root::off(RootSource::Memory), files.into_iter().collect())
            }
        };
        let controls = if reads_files && self.heeds_controls {
            Controls::from_env(self.bundle)
        } else {
            Controls::default()
        };
        let app = App {
            place,
            reload: self.reload,
            on_invalid: controls.on_invalid.unwrap_or(self.on_invalid),
            controls,
            bundle: self.bundle,
            start: Instant::now(),
        };
        PromptLoader::new_shared(Arc::new(crate::loader::Inner::new(self.bundle, app)))
    }
}
