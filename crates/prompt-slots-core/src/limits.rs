//! The limits that keep a slot file, however hostile, from stopping a process.

/// The limits of one bundle: the same at build time, in a check and in a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The largest slot file, in bytes.
    pub file_bytes: usize,
    /// The deepest nesting of lists and maps in a slot file.
    pub depth: usize,
    /// The most nodes (keys, values, lists, maps) of a slot file, each alias counted as what it stands for.
    pub nodes: usize,
    /// The longest rendered prompt, in bytes.
    pub output_bytes: usize,
    /// The work that one rendering may do, in the engine's units (about one an instruction or a byte written).
    pub fuel: u64,
}

impl Limits {
    /// Makes limits of one's own; see the fields for the units.
    pub const fn new(
        file_bytes: usize,
        depth: usize,
        nodes: usize,
        output_bytes: usize,
        fuel: u64,
    ) -> Self {
        Self {
            file_bytes,
            depth,
            nodes,
            output_bytes,
            fuel,
        }
    }

    /// The limits that hold where nobody chose others: 1 MiB, 32 levels, 100 000 nodes, 4 MiB, 1 000 000 units.
    pub const DEFAULT: Self = Self {
        file_bytes: 1 << 20,
        depth: 32,
        nodes: 100_000,
        output_bytes: 4 << 20,
        fuel: 1_000_000,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
