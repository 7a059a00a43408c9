//! Prompt slots: the prompts of an LLM pipeline, out of its code.
//!
//! Code asks for a *slot* by name. Three layers answer, merged key by key: the project's default, checked at build time and
//! compiled in; the operator's file; and what the caller passes with one call.
//!
//! ```
//! use prompt_slots::{Override, PromptLoader};
//!
//! let loader = PromptLoader::builder().without_app_layer().build();
//!
//! // `None` means: the slot is disabled, use the algorithm's own prompt.
//! assert!(loader.load("episode_extract")?.is_none());
//!
//! // One call, with a setting and the text switched on.
//! let slot = loader.resolve("episode_extract", &Override::new().enabled(true).model("gpt-4.1"))?;
//! assert_eq!(slot.llm().model(), Some("gpt-4.1"));
//! assert_eq!(slot.llm().max_tokens(), Some(2000)); // from the default
//! println!("running {}", slot.id());
//! # Ok::<(), prompt_slots::Error>(())
//! ```
//!
//! | to do this | look at |
//! |---|---|
//! | load a prompt | [`PromptLoader`] |
//! | change one call | [`Override`] |
//! | see what a slot holds, and where it comes from | [`Slot`], [`Origin`] |
//! | know how layers merge | [`mod@merge_rules`] |
//! | handle what goes wrong | [`Error`], [`Finding`] |
//! | compare or rewrite slot files | [`SlotText`] |
//! | read plain YAML configuration | [`YamlConfigLoader`] |
//! | ship slots of your own | [`bundle!`], and the crate `prompt-slots-build` |

// Generated code names this crate by one absolute path, here as in a downstream crate.
extern crate self as prompt_slots;

mod app;
mod builder;
mod bundle;
mod cell;
mod controls;
mod error;
mod explain;
mod file;
mod find;
mod findings;
mod handle;
mod judge;
mod layer;
mod loader;
mod merge;
mod moved;
mod names;
mod one_layer;
mod root;
mod runtime;
mod settle;
mod slot;
mod slot_text;
mod source;
mod status;
mod views;
mod yaml_config;

bundle!();

pub use app::OnInvalid;
pub use builder::LoaderBuilder;
pub use bundle::Bundle;
pub use error::{Error, ErrorKind};
pub use explain::{Explained, Explanation, Part};
pub use handle::Handle;
pub use layer::Origin;
pub use loader::PromptLoader;
pub use prompt_slots_core::{
    Data, Finding, Fingerprint, Format, Layer, Limits, List, ManifestSlot, Mapping, Pos, Severity,
    Shared, Snippet, Text, config_maps, keys, nearest, printable,
};
pub use root::{Root, RootSource};
pub use runtime::Override;
pub use settle::Reload;
pub use slot::{Slot, Template};
pub use slot_text::SlotText;
pub use status::{OverrideFile, OverrideState};
pub use views::{Llm, TestCase, Variable};
pub use yaml_config::YamlConfigLoader;

#[doc = include_str!("merge.md")]
pub mod merge_rules {}

/// Includes the slots that `prompt_slots_build` compiled in from this crate's build script.
///
/// It defines the static `BUNDLE`, the function `loader()`, and the module `slots` with a handle and a type of variables for
/// each slot. Put it into a module of its own, or at the top of the crate:
///
/// ```ignore
/// mod prompts {
///     prompt_slots::bundle!();
/// }
///
/// let loader = prompts::loader();
/// let text = prompts::slots::GREETING.load(&loader)?;
/// ```
///
/// A crate with two bundles names the second by its file: `prompt_slots::bundle!("other.rs")`.
#[macro_export]
macro_rules! bundle {
    () => {
        $crate::bundle!("prompt_slots.rs");
    };
    ($file:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $file));
    };
}

/// What generated code calls; not for people, and free to change with any release.
#[doc(hidden)]
pub mod __private {
    pub use crate::bundle::{BundledSlot, Values, assert_version, bundle, limits, spec};
    pub use crate::handle::handle;
    pub use include_dir;
    pub use phf;
    pub use prompt_slots_core::{
        Data, Fingerprint, Format, Lay, Llm, Place, Places, Setting, Shared, TestCase, Variable,
    };
    pub use serde::{Serialize, Serializer};
}

// The README's examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
