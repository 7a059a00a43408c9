//! Where a value comes from.

use std::fmt;

use prompt_slots_core::{Layer, Pos};

/// The layer that a value comes from and, where it stands in a file, its place.
///
/// `{}` prints `app, /etc/myapp/prompt_slots/greeting.yaml:3`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The layer.
    pub layer: Layer,
    /// The file; for the bundled layer relative to the crate that ships the slot.
    pub file: Option<String>,
    /// The position of the key.
    pub pos: Option<Pos>,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.layer)?;
        if let Some(file) = &self.file {
            write!(f, ", {}", prompt_slots_core::printable(file))?;
            if let Some(pos) = self.pos {
                write!(f, ":{}", pos.line)?;
            }
        }
        Ok(())
    }
}
