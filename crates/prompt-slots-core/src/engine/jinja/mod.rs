//! The jinja2 format.

mod call;
mod checks;
mod env;
mod filters;
mod functions;
mod lazy;
mod order;
mod python;

use minijinja::{Error, Value};

use super::{FreeName, Strictness, TemplateError};
use crate::limits::Limits;

#[derive(Debug, Clone)]
pub(super) struct Template {
    env: minijinja::Environment<'static>,
}

impl Template {
    pub(super) fn new(source: &str, limits: &Limits) -> Result<Self, Vec<TemplateError>> {
        let mut env = env::environment(limits);
        env.add_template_owned("prompt", source.to_owned())
            .map_err(|e| vec![report(&e)])?;
        Ok(Self { env })
    }
    pub(super) fn free_names(&self) -> &[FreeName] {
        &[]
    }
    pub(super) fn render(
        &self,
        values: &Value,
        strictness: Strictness,
    ) -> Result<String, TemplateError> {
        let mut env = self.env.clone();
        env.set_undefined_behavior(match strictness {
            Strictness::SemiStrict => minijinja::UndefinedBehavior::SemiStrict,
            Strictness::Strict => minijinja::UndefinedBehavior::Strict,
        });
        env.get_template("prompt")
            .and_then(|t| t.render(values))
            .map_err(|e| report(&e))
    }
}

fn report(error: &Error) -> TemplateError {
    TemplateError {
        range: error.range(),
        message: error.to_string(),
        hint: None,
    }
}
