//! A slot found without its name: what generated code gives for each slot of a bundle.

use std::fmt;

use crate::bundle::{Bundle, BundledSlot};
use crate::error::Error;
use crate::loader::PromptLoader;
use crate::runtime::Override;
use crate::slot::{Slot, Template};

/// A slot of a bundle, found without its name.
///
/// [`bundle!`](crate::bundle) makes one for each slot, so that a misspelt name does not compile. It works with loaders of
/// its own bundle; any other is an error.
pub struct Handle {
    bundle: &'static Bundle,
    slot: &'static BundledSlot,
}

impl Handle {
    /// Returns the name of the slot.
    pub fn name(&self) -> &'static str {
        self.slot.name
    }

    /// Like [`PromptLoader::load`], without looking up a name.
    #[inline]
    pub fn load(&self, loader: &PromptLoader) -> Result<Option<Template>, Error> {
        loader.load_handle(self.bundle, self.slot)
    }

    /// Like [`PromptLoader::resolve`], without looking up a name.
    pub fn resolve(&self, loader: &PromptLoader, over: &Override) -> Result<Slot, Error> {
        loader.resolve_handle(self.bundle, self.slot, over)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handle").field(&self.slot.name).finish()
    }
}

/// Makes a handle, for generated code.
#[doc(hidden)]
pub const fn handle(bundle: &'static Bundle, slot: &'static BundledSlot) -> Handle {
    Handle { bundle, slot }
}
