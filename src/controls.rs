//! Emergency controls: what whoever runs a program says of its app layer, without a file and without a release.

use std::env;

use prompt_slots_core::{Finding, Layer, nearest, printable, slot_name_problem};

use crate::app::OnInvalid;
use crate::bundle::Bundle;

/// The controls that are set in the environment.
///
/// Their names are made from the variable of the bundle's root: `EVEROS_ROOT` gives `EVEROS_PROMPT_SLOTS_IGNORE` and
/// `EVEROS_PROMPT_SLOTS_ON_INVALID`. A bundle without such a variable has none.
#[derive(Debug, Default)]
pub(crate) struct Controls {
    ignored: Ignored,
    /// What an invalid override means, whatever the program chose.
    pub on_invalid: Option<OnInvalid>,
    /// Which controls are set, and what is wrong with one; never empty where one is set.
    pub findings: Vec<Finding>,
}

/// The slots whose app layer is off.
#[derive(Debug, Default)]
enum Ignored {
    #[default]
    None,
    Some(Vec<String>),
    All,
}

impl Controls {
    /// Reads the environment, as it is now, and logs what is set; touches no file.
    pub(crate) fn from_env(bundle: &Bundle) -> Self {
        let mut controls = Self::default();
        let Some(root_env) = bundle.root_env() else {
            return controls;
        };
        let prefix = root_env.strip_suffix("_ROOT").unwrap_or(root_env);
        let [ignore, on_invalid] =
            ["IGNORE", "ON_INVALID"].map(|what| format!("{prefix}_PROMPT_SLOTS_{what}"));
        if let Some(names) = value(&ignore) {
            controls.ignore(&ignore, &names, bundle);
        }
        if let Some(choice) = value(&on_invalid) {
            controls.choose(&on_invalid, &choice);
        }
        for finding in &controls.findings {
            log::warn!("{finding}");
        }
        controls
    }

    /// Tells whether the app layer of a slot is off.
    pub(crate) fn ignores(&self, name: &str) -> bool {
        match &self.ignored {
            Ignored::None => false,
            Ignored::Some(names) => names.iter().any(|ignored| ignored == name),
            Ignored::All => true,
        }
    }

    /// Tells whether the whole app layer is off.
    pub(crate) fn ignores_all(&self) -> bool {
        matches!(self.ignored, Ignored::All)
    }

    fn ignore(&mut self, variable: &str, value: &str, bundle: &Bundle) {
        let mut names: Vec<&str> = value.split(',').map(str::trim).collect();
        names.retain(|name| !name.is_empty());
        names.sort_unstable();
        names.dedup();
        if names.contains(&"all") {
            self.ignored = Ignored::All;
            self.say(
                format!("{variable} switches all overrides off"),
                "unset it and restart the program to have them back",
            );
            return;
        }
        names.retain(|name| match slot_name_problem(name) {
            None => true,
            Some(problem) => {
                let shown = printable(name);
                let message = format!("{variable} names `{shown}`, which is no slot: {problem}");
                self.say(
                    message,
                    "write names of slots with commas between, or `all`",
                );
                false
            }
        });
        // A slot that only the app directory has is not known without a look at the files; so this one is ignored as well.
        for name in names.iter().filter(|name| bundle.find(name).is_none()) {
            let hint = match nearest(name, bundle.names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "if the app directory has it, it is switched off all the same".to_owned(),
            };
            self.say(
                format!("{variable} names `{name}`, which has no default"),
                &hint,
            );
        }
        if names.is_empty() {
            return;
        }
        let listed: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        self.say(
            format!(
                "{variable} switches the override of {} off",
                listed.join(", ")
            ),
            "unset it and restart the program to have it back",
        );
        self.ignored = Ignored::Some(names.into_iter().map(str::to_owned).collect());
    }

    fn choose(&mut self, variable: &str, value: &str) {
        let (choice, meaning) = match value.trim() {
            "fail" => (OnInvalid::Fail, "an invalid override is an error"),
            "below" => (
                OnInvalid::UseBelow,
                "the layers below stand in for an invalid override",
            ),
            other => {
                let shown = printable(other);
                let message = format!("{variable} is `{shown}`, which means nothing");
                return self.say(
                    message,
                    "write `fail` or `below`; the program's own choice holds",
                );
            }
        };
        self.on_invalid = Some(choice);
        self.say(
            format!("{variable} is set: {meaning}"),
            "unset it and restart the program to leave the choice to the program",
        );
    }

    fn say(&mut self, message: String, hint: &str) {
        self.findings
            .push(Finding::warning(message).hint(hint).layer(Layer::App));
    }
}

/// Returns the value of a variable that is set and not empty. What is no UTF-8 is no name of anything, and is told as such.
fn value(variable: &str) -> Option<String> {
    let value = env::var_os(variable)?.to_string_lossy().into_owned();
    Some(value).filter(|value| !value.trim().is_empty())
}
