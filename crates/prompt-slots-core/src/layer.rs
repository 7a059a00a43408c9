//! The three layers that a slot is folded from.

use std::fmt;

/// Who sets a value; a later layer wins over an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The default, compiled into the program.
    Bundled,
    /// The operator's file in the app directory.
    App,
    /// What the caller passes with one call.
    Runtime,
}

impl Layer {
    /// Every layer, from the lowest to the highest.
    pub const ALL: [Self; 3] = [Self::Bundled, Self::App, Self::Runtime];

    /// Returns the short, stable name of the layer.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bundled => "bundled",
            Self::App => "app",
            Self::Runtime => "runtime",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
