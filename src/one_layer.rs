//! One layer alone: what it says, before anything is merged.

use std::borrow::Cow;

use prompt_slots_core::{Data, Layer};

use crate::error::Error;
use crate::loader::PromptLoader;

impl PromptLoader {
    /// Returns what one layer says of a slot, with the keys of a slot file; `None` where it says nothing.
    ///
    /// The app layer is read anew and judged alone, so this works too while the override does not fit the default. The
    /// runtime layer belongs to a call, not to a loader: of it nothing is known here.
    ///
    /// # Errors
    ///
    /// Fails if the name can't be a slot's, or if the override is unreadable or not valid in itself.
    pub fn layer_data(&self, name: &str, layer: Layer) -> Result<Option<Data>, Error> {
        self.check_name(name)?;
        match layer {
            Layer::Bundled => Ok(self.bundle().find(name).map(|slot| slot.spec.to_data())),
            Layer::App => match self.app().original(name)? {
                Some(bytes) => Ok(Some(self.app().parse(name, &bytes)?.0.spec.to_data())),
                None => Ok(None),
            },
            Layer::Runtime => Ok(None),
        }
    }

    /// Returns the file of one layer as it was written, comments included; `None` where there is none.
    ///
    /// The app layer's is read anew and not judged: the bytes may be anything that fits the limits.
    ///
    /// # Errors
    ///
    /// Fails if the name can't be a slot's, or if the override is unreadable.
    pub fn layer_source(
        &self,
        name: &str,
        layer: Layer,
    ) -> Result<Option<Cow<'static, [u8]>>, Error> {
        self.check_name(name)?;
        match layer {
            Layer::Bundled => {
                let text = self.bundle().original(name);
                Ok(text.map(|text| Cow::Borrowed(text.as_bytes())))
            }
            Layer::App => Ok(self.app().original(name)?.map(Cow::Owned)),
            Layer::Runtime => Ok(None),
        }
    }
}
