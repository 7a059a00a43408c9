//! One prompt slot, without I/O: its model, its YAML, its engines and its contract.
//!
//! What build time and run time must agree on lives here; programs use `prompt-slots`, which re-exports what they need.
//!
//! | to learn about | look at |
//! |---|---|
//! | what a layer says | [`SlotSpec`], [`Data`] |
//! | reading a file | [`read_slot`], [`keys`] |
//! | rendering a template | [`Compiled`], [`Format`] |
//! | what a check says | [`Finding`] |

mod bundled;
mod contract;
mod data;
mod derive;
mod emit;
mod engine;
mod finding;
mod fingerprint;
mod key;
mod layer;
mod limits;
mod manifest;
mod name;
mod node;
mod one_file;
mod place;
mod read;
#[cfg(feature = "schema")]
mod schema;
mod shared;
mod slip;
mod source;
mod spec;
mod values;
mod view;
mod yaml;

pub use bundled::judge_bundled;
pub use contract::{DryRun, Whereabouts, dry_run, untested};
pub use data::Data;
pub use derive::{Derived, EditError};
pub use engine::{
    Compiled, Format, FreeName, Strictness, TemplateError, placeholders_of_other_format,
};
pub use finding::{Finding, Severity, Snippet, printable};
pub use fingerprint::Fingerprint;
pub use layer::Layer;
pub use limits::Limits;
pub use manifest::{ManifestSlot, config_maps};
pub use minijinja::Value;
pub use name::{is_variable_name, nearest, slot_name_problem};
pub use one_file::{OneFile, mark_in_text};
pub use place::{Lay, Place, Places, Pos};
pub use read::{SlotFile, read_slot};
#[cfg(feature = "schema")]
pub use schema::{Judge, SchemaError, check_schema};
pub use shared::{List, Shared, Text};
pub use source::too_large;
pub use spec::{Llm, Setting, SlotSpec, TemplateEdit, TestCase, Variable};
pub use values::{ValuesError, bind, to_values};
pub use yaml::{Mapping, MappingError, parse_mapping};

/// What the docs of templates are held against.
#[doc(hidden)]
pub mod reference {
    pub use crate::engine::{builtins, template_limits};
}

/// The keys of a slot file, level by level.
pub mod keys {
    pub use crate::key::{
        CASE, EDIT, Key, LLM, PROMPT, Place, SLOT, Shape, VALIDATION, VARIABLE, find,
    };
}
