//! How far a long command is, for somebody who waits at a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// What takes less time than this needs no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line changes.
const PACE: Duration = Duration::from_millis(100);

/// A line on standard error that counts, and is gone in the end.
pub(crate) struct Progress {
    /// When the line is due next; never where nobody watches.
    due: Option<Instant>,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn start() -> Self {
        let is_watched = io::stderr().is_terminal();
        Self {
            due: is_watched.then(|| Instant::now() + PATIENCE),
            is_shown: false,
        }
    }

    /// Says how many of how many are done.
    pub(crate) fn step(&mut self, done: usize, all: usize) {
        let now = Instant::now();
        if self.due.is_some_and(|due| now >= due) {
            self.due = Some(now + PACE);
            self.is_shown = true;
            // Progress that can't be shown is no error.
            let _ = write!(io::stderr(), "\rchecked {done} of {all}");
        }
    }

    /// Takes the line away.
    pub(crate) fn end(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "\r{:40}\r", "");
            self.is_shown = false;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}
