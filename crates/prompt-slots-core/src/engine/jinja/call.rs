//! A call of a filter, test, function or method: its arguments bound as Python binds them, and its limits.

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, State, Value};

use super::env::output_bytes;
use super::lazy::Lazy;
use super::python::{self, Text};

/// A filter, test, function or method of the language.
pub(super) struct Builtin {
    /// The name in templates.
    pub(super) name: &'static str,
    /// The names of its parameters in order; the first is what stands before the `|`, `is` or dot.
    pub(super) parameters: &'static [&'static str],
    /// What it does.
    pub(super) run: fn(&mut Call) -> Result<Value, Error>,
}

/// The parameters of a built-in that takes any number of arguments, and reads `Call::rest` and `Call::keywords`.
pub(super) const VARIADIC: &[&str] = &["value", "*"];

/// One call of a built-in.
pub(super) struct Call<'a, 'template, 'env> {
    pub(super) state: &'a mut State<'template, 'env>,
    builtin: &'static Builtin,
    bound: Vec<Option<Value>>,
    rest: Vec<Value>,
    keywords: Option<Value>,
}

impl<'a, 'template, 'env> Call<'a, 'template, 'env> {
    /// Binds arguments to parameters: by position, then by name, each at most once.
    pub(super) fn bind(
        builtin: &'static Builtin,
        state: &'a mut State<'template, 'env>,
        mut args: Vec<Value>,
    ) -> Result<Self, Error> {
        // The engine charges for the first text alone, and only where it is filtered.
        let texts = args.iter().filter_map(Value::as_str);
        state.consume_fuel(texts.map(|text| text.len() as u64 / 64).sum())?;
        let keywords = args.pop_if(|last| last.is_kwargs());
        let mut call = Self {
            state,
            builtin,
            bound: vec![None; builtin.parameters.len()],
            rest: Vec::new(),
            keywords: None,
        };
        if builtin.parameters == VARIADIC {
            let mut args = args.into_iter();
            call.bound[0] = args.next();
            call.rest = args.collect();
            call.keywords = keywords;
            return Ok(call);
        }
        if args.len() > builtin.parameters.len() {
            return Err(call.error("has too many arguments"));
        }
        for (slot, arg) in call.bound.iter_mut().zip(args) {
            *slot = Some(arg);
        }
        for (name, value) in pairs(keywords.as_ref())? {
            call.pay(value.as_str().map_or(0, str::len) / 64)?;
            let position = builtin.parameters.iter().position(|p| *p == name);
            match position {
                Some(position) if position > 0 && call.bound[position].is_none() => {
                    call.bound[position] = Some(value);
                }
                Some(_) => return Err(call.error(&format!("has two values for `{name}`"))),
                None => return Err(call.error(&format!("has no argument `{name}`"))),
            }
        }
        Ok(call)
    }

    /// Returns the name of this built-in.
    pub(super) fn name(&self) -> &'static str {
        self.builtin.name
    }

    /// Makes an error that names this built-in.
    pub(super) fn error(&self, what: &str) -> Error {
        error(format!("`{}` {what}", self.builtin.name))
    }

    /// Returns the first argument, also when it is undefined.
    pub(super) fn subject(&self) -> Result<Value, Error> {
        self.bound[0]
            .clone()
            .ok_or_else(|| self.error("lacks an argument"))
    }

    /// Returns the first argument, which must be defined.
    pub(super) fn value(&self) -> Result<Value, Error> {
        defined(self.subject()?)
    }

    /// Returns the argument of a name, if it was given.
    pub(super) fn arg(&self, name: &str) -> Option<&Value> {
        let position = self.builtin.parameters.iter().position(|p| *p == name)?;
        self.bound[position].as_ref()
    }

    /// Returns the argument of a name; `none` stands for "not given", as in Python's signatures.
    pub(super) fn given(&self, name: &str) -> Option<Value> {
        self.arg(name).filter(|value| !value.is_none()).cloned()
    }

    /// Returns an argument that has no default.
    pub(super) fn required(&self, name: &str) -> Result<Value, Error> {
        let value = self.arg(name).cloned();
        defined(value.ok_or_else(|| self.error(&format!("lacks its argument `{name}`")))?)
    }

    /// Returns an argument that is true or false, as Python judges any value.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Error> {
        self.arg(name)
            .map_or(Ok(false), |value| Ok(defined(value.clone())?.is_true()))
    }

    /// Returns an argument that is an integer.
    pub(super) fn integer(&self, name: &str, default: i64) -> Result<i64, Error> {
        let Some(value) = self.arg(name) else {
            return Ok(default);
        };
        python::integer(value)
            .and_then(|number| i64::try_from(number).ok())
            .ok_or_else(|| self.error(&format!("needs an integer for `{name}`")))
    }

    /// Returns an argument that is a text to indent with, or a number of spaces.
    pub(super) fn margin(&self, name: &str, default: i64) -> Result<String, Error> {
        if let Some(margin) = self.arg(name).and_then(Value::as_str) {
            return Ok(margin.to_owned());
        }
        let mut margin = self.text();
        margin.repeat(
            " ",
            usize::try_from(self.integer(name, default)?).unwrap_or(0),
        )?;
        Ok(margin.finish())
    }

    /// Returns an argument as text.
    pub(super) fn text_of(&self, name: &str, default: &str) -> Result<String, Error> {
        self.arg(name)
            .map_or_else(|| Ok(default.to_owned()), |value| self.str(value))
    }

    /// Returns the arguments after the first, of a built-in that takes any number.
    pub(super) fn rest(&self) -> &[Value] {
        &self.rest
    }

    /// Returns the keyword arguments of a built-in that takes any.
    pub(super) fn keywords(&self) -> Result<Vec<(String, Value)>, Error> {
        pairs(self.keywords.as_ref())
    }

    /// Returns arguments for another built-in: a value, those after the first `skip`, and the keywords.
    pub(super) fn forward(&self, value: Value, skip: usize) -> Vec<Value> {
        let rest = self.rest.iter().skip(skip).chain(self.keywords.as_ref());
        std::iter::once(value).chain(rest.cloned()).collect()
    }

    /// Starts a text that may not grow beyond the limits.
    pub(super) fn text(&self) -> Text {
        Text::new(output_bytes(self.state))
    }

    /// Returns `str(value)`.
    pub(super) fn str(&self, value: &Value) -> Result<String, Error> {
        if let Some(text) = value.as_str() {
            return Ok(text.to_owned());
        }
        let mut text = self.text();
        text.str(value)?;
        self.text_done(text)
    }

    /// Ends a text and pays for the work that it was.
    pub(super) fn text_done(&self, text: Text) -> Result<String, Error> {
        let text = text.finish();
        self.pay(text.len() / 16)?;
        Ok(text)
    }

    /// Returns what a loop over `value` sees.
    pub(super) fn items(&self, value: &Value) -> Result<Vec<Value>, Error> {
        let value = defined(value.clone())?;
        if value.is_none() {
            return Err(self.error("cannot loop over none"));
        }
        let mut items = Vec::new();
        for item in value.try_iter()?.checked() {
            self.pay(1)?;
            items.push(item?);
        }
        Ok(items)
    }

    /// Refuses to nest a value that is deep or huge already, and pays for looking.
    ///
    /// A loop that nests its own result again and again would end in a value whose mere end overflows the stack.
    pub(super) fn weigh(&self, value: &Value) -> Result<(), Error> {
        self.walk(value, python::DEPTH)
    }

    fn walk(&self, value: &Value, depth: usize) -> Result<(), Error> {
        // Reading the result of another filter would use it up; what it holds was weighed when it was made.
        if value.as_object().is_none() || value.downcast_object_ref::<Lazy>().is_some() {
            return Ok(());
        }
        let inner = depth
            .checked_sub(1)
            .ok_or_else(|| error("lists and maps nest too deeply"))?;
        let Ok(items) = value.try_iter() else {
            return Ok(());
        };
        for item in items.checked() {
            self.pay(1)?;
            let item = item?;
            self.walk(&item, inner)?;
            if value.kind() == ValueKind::Map {
                self.walk(&value.get_item(&item)?, inner)?;
            }
        }
        Ok(())
    }

    /// Pays for an index into a value: for the characters or the items that may have to be counted.
    pub(super) fn pay_for_index(&self, value: &Value) -> Result<(), Error> {
        self.pay(match value.kind() {
            ValueKind::String => value.as_str().map_or(0, str::len) / 64,
            ValueKind::Iterable => value.len().unwrap_or(0) / 8,
            _ => 0,
        })
    }

    /// Gives a result that Python makes lazily.
    pub(super) fn lazy(&self, items: Vec<Value>) -> Value {
        Value::from_object(Lazy::generator(self.builtin.name, items))
    }

    /// Charges for work that the engine does not see.
    pub(super) fn pay(&self, units: usize) -> Result<(), Error> {
        self.state.consume_fuel(units as u64)
    }
}

/// Makes the error of an operation that is not possible.
pub(super) fn error(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, what.into())
}

/// Refuses undefined values.
pub(super) fn defined(value: Value) -> Result<Value, Error> {
    if value.is_undefined() {
        // Only the engine can make an error that knows where the value came from.
        value.get_attr("")?;
    }
    Ok(value)
}

/// Returns the entries of keyword arguments.
fn pairs(keywords: Option<&Value>) -> Result<Vec<(String, Value)>, Error> {
    let Some(keywords) = keywords else {
        return Ok(Vec::new());
    };
    let names = keywords.try_iter()?;
    names
        .map(|name| Ok((name.to_string(), keywords.get_item(&name)?)))
        .collect()
}
