//! The same slots, found by name in every way that one might. A crate of its own, since compiling it takes a minute.

use include_dir::Dir;
use minijinja::Environment;
use prompt_slots::{Bundle, Handle};

/// The slots of one size.
pub struct Tables {
    pub slots: usize,
    pub bundle: &'static Bundle,
    pub names: &'static [&'static str],
    pub texts: &'static [&'static str],
    pub handles: &'static [&'static Handle],
    pub phf: &'static phf::Map<&'static str, &'static str>,
    pub by_match: fn(&str) -> Option<&'static str>,
    /// The slot files.
    pub dir: &'static Dir<'static>,
    /// Adds every template to an environment, which compiles it.
    pub embed: fn(&mut Environment<'static>),
}

macro_rules! tables {
    ($module:ident, $slots:literal) => {
        mod $module {
            include!(concat!(env!("OUT_DIR"), "/tables_", $slots, ".rs"));
            pub static TABLES: super::Tables = super::Tables {
                slots: $slots,
                bundle: &bundle::BUNDLE,
                names: &NAMES,
                texts: &TEXTS,
                handles: &HANDLES,
                phf: &PHF,
                by_match,
                dir: &DIR,
                embed,
            };
        }
    };
}

tables!(slots_2, 2);
tables!(slots_20, 20);
tables!(slots_1000, 1000);
tables!(slots_10000, 10000);

/// Every size.
pub static ALL: [&Tables; 4] = [
    &slots_2::TABLES,
    &slots_20::TABLES,
    &slots_1000::TABLES,
    &slots_10000::TABLES,
];
