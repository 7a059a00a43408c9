//! One layer alone: what it says, before anything is merged.

use std::borrow::Cow;
use std::path::PathBuf;

use prompt_slots_core::{Data, Finding, Layer};

use crate::app::Target;
use crate::error::{Error, ErrorKind};
use crate::file;
use crate::loader::PromptLoader;
use crate::slot::Slot;

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
                Some(bytes) => {
                    let (source, _) = self.app().parse(name, &self.app().shown(name), &bytes)?;
                    Ok(Some(source.spec.to_data()))
                }
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

    /// Returns what the default said that the override of a slot was taken from; `None` where no copy was kept.
    ///
    /// The copy is at [`base_path`](Self::base_path).
    ///
    /// # Errors
    ///
    /// Fails if the name can't be a slot's, or if the copy is unreadable or not valid.
    pub fn base_data(&self, name: &str) -> Result<Option<Data>, Error> {
        let Some(path) = self.base_path(name)? else {
            return Ok(None);
        };
        let shown = path.to_string_lossy();
        let mark = |finding: Finding| finding.slot(name).layer(Layer::Bundled).file(&shown);
        let content = file::read(&path, self.bundle().limits())
            .map_err(|finding| Error::one(ErrorKind::Unreadable, mark(finding)))?;
        let Some(content) = content else {
            return Ok(None);
        };
        match self.bundle().read_default(&content.bytes) {
            Ok(read) => Ok(Some(read.spec.to_data())),
            Err(findings) => {
                let findings = findings.into_iter().map(mark).collect();
                Err(Error::new(ErrorKind::InvalidSlot, findings))
            }
        }
    }

    /// Judges a text as the override of a slot, without putting it in force; `file` is what findings call it.
    ///
    /// Returns the slot that it would make, and what is odd about it: what [`findings`](Self::findings) would say.
    ///
    /// # Errors
    ///
    /// Fails as [`resolve`](Self::resolve) would, were the text the slot's file.
    pub fn try_override(
        &self,
        name: &str,
        file: &str,
        yaml: &[u8],
    ) -> Result<(Slot, Vec<Finding>), Error> {
        self.check_name(name)?;
        let below = self.bundle().find(name);
        let target = Target { name, below };
        let slot = self.app().judge(target, file, yaml)?;
        let moved = self.app().moved(target, &slot);
        let remarks = crate::status::remarks(&slot, below, moved.as_deref());
        Ok((slot, remarks))
    }

    /// Returns the file that keeps the default which a slot's override was written against; it need not be there.
    ///
    /// [`overrides`](Self::overrides) compares it with today's default; whoever writes overrides keeps it. `None` where the
    /// app layer is off, or in memory.
    ///
    /// # Errors
    ///
    /// Fails if the name can't be a slot's.
    pub fn base_path(&self, name: &str) -> Result<Option<PathBuf>, Error> {
        self.check_name(name)?;
        let dir = self.root().app_dir.as_deref();
        Ok(dir.map(|dir| crate::moved::base_path(dir, name)))
    }
}
