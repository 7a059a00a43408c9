//! The user's editor.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitStatus};

use prompt_slots::Finding;

/// Opens a file in `$VISUAL`, `$EDITOR` or `vi`, and waits until it is closed.
///
/// # Errors
///
/// Fails if the editor can't be started, or says that it failed.
pub(crate) fn open(path: &Path) -> Result<(), Finding> {
    let editor = choice();
    let shown = editor.to_string_lossy();
    let hint = "set VISUAL or EDITOR to the command of your editor";
    match command(&editor, path).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            let how = describe(status);
            Err(Finding::error(format!("the editor `{shown}` {how}")).hint(hint))
        }
        Err(error) => Err(Finding::error(format!(
            "the editor `{shown}` can't be started: {error}"
        ))
        .hint(hint)),
    }
}

fn choice() -> OsString {
    let set = ["VISUAL", "EDITOR"].into_iter().filter_map(env::var_os);
    set.into_iter()
        .find(|command| !command.is_empty())
        .unwrap_or_else(|| "vi".into())
}

/// Returns the command: what users set may have arguments, as in `code --wait`, and is what a shell would run.
#[cfg(unix)]
fn command(editor: &OsString, path: &Path) -> Command {
    let mut script = editor.clone();
    script.push(" \"$@\"");
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(script).arg("editor").arg(path);
    command
}

#[cfg(not(unix))]
fn command(editor: &OsString, path: &Path) -> Command {
    let editor = editor.to_string_lossy();
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(path);
    command
}

fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => "was killed".to_owned(),
    }
}
