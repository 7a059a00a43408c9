//! The jinja2 format.

mod env;

use minijinja::Value;

use super::{FreeName, Strictness, TemplateError};
use crate::limits::Limits;

#[derive(Debug, Clone)]
pub(super) struct Template;

impl Template {
    pub(super) fn new(_source: &str, _limits: &Limits) -> Result<Self, Vec<TemplateError>> {
        Ok(Self)
    }
    pub(super) fn free_names(&self) -> &[FreeName] {
        &[]
    }
    pub(super) fn render(
        &self,
        _values: &Value,
        _strictness: Strictness,
    ) -> Result<String, TemplateError> {
        Ok(String::new())
    }
}
