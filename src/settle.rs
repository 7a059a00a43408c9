//! When a file is looked at again, and when one that changes under a running program counts as written.

use std::time::{Duration, Instant};

use crate::file::{Content, Stamp};

/// When a file that was read is looked at again.
///
/// A file that changed under a running program is not taken before it settled: it was left alone for 100 ms, and was the
/// same before and after it was read. So what an editor writes in pieces is never served half, as long as its pauses are
/// shorter than that. A file that became empty is taken after 5 s, since some editors empty a file before they write it; one
/// with a time in the future, after it was seen unchanged for as long. Until then the last good version stays. The first
/// reference to a slot does not wait, as there is nothing to go on with; with `Every` it is looked at again soon.
///
/// A deleted file settles at once: the layers below are used from the next look on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Reload {
    /// After `refresh` or `refresh_slot`; and after an error by each call, until a repair settled.
    #[default]
    Manual,
    /// By whoever calls first after this interval; there is no thread and no watcher.
    ///
    /// It costs one look (`stat`) a slot and interval, however many threads call: one of them looks, the others go on with
    /// what is known.
    Every(Duration),
}

/// A live file counts as written when it was left alone for this long: editors write in pieces. It is a little longer than
/// the 100 ms that are promised, since a file's time is that of the system's last tick, up to 10 ms before.
pub(crate) const SETTLE: Duration = Duration::from_millis(120);
/// A live file that became empty counts as emptied after this long: some editors truncate first and write later.
const SETTLE_EMPTY: Duration = Duration::from_secs(5);

/// A version of a file that is still being written, for all that is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unsettled {
    stamp: Stamp,
    /// When it was first seen.
    since: Instant,
}

/// Tells whether a file was left alone long enough to be taken for whole; if not, since when this very version is known.
///
/// `last` is the unsettled version that was seen before, and `now` is from before the file was read.
pub(crate) fn check(
    content: &Content,
    last: Option<Unsettled>,
    now: Instant,
) -> Result<(), Unsettled> {
    let known = last.filter(|last| last.stamp == content.stamp);
    if is_settled(content, known, now) {
        return Ok(());
    }
    Err(known.unwrap_or_else(|| Unsettled {
        stamp: content.stamp,
        since: Instant::now(),
    }))
}

fn is_settled(content: &Content, known: Option<Unsettled>, now: Instant) -> bool {
    if !content.is_steady {
        return false;
    }
    let wanted = if content.bytes.is_empty() {
        SETTLE_EMPTY
    } else {
        SETTLE
    };
    let modified = content.stamp.modified;
    match modified.and_then(|modified| content.seen.duration_since(modified).ok()) {
        Some(age) => age >= wanted,
        // A time in the future, or none, tells nothing: what counts is how long we know it.
        None => known.is_some_and(|known| now.saturating_duration_since(known.since) >= wanted),
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::fs;

    use prompt_slots_core::Limits;

    use super::*;
    use crate::file;

    /// Returns a file as a look sees it that is made this long after the file changed.
    fn seen_after(age: Duration, bytes: &[u8]) -> Content {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("file");
        fs::write(&path, bytes).expect("a file can be written");
        let content = file::read(&path, &Limits::DEFAULT).expect("it can be read");
        let mut content = content.expect("it is there");
        content.seen = content.stamp.modified.expect("a time") + age;
        content
    }

    #[test]
    fn a_file_is_as_old_as_it_was_when_it_was_last_seen_however_late_that_is_judged() {
        let later = Instant::now() + Duration::from_mins(1);
        let soon = seen_after(SETTLE / 2, b"x");
        assert!(!is_settled(&soon, None, later));
        assert!(is_settled(&seen_after(SETTLE, b"x"), None, later));
        let is_steady = false;
        assert!(!is_settled(
            &Content {
                is_steady,
                ..seen_after(SETTLE, b"x")
            },
            None,
            later
        ));
    }

    #[test]
    fn an_empty_file_takes_longer() {
        let now = Instant::now();
        assert!(!is_settled(&seen_after(SETTLE_EMPTY / 2, b""), None, now));
        assert!(is_settled(&seen_after(SETTLE_EMPTY, b""), None, now));
    }

    #[test]
    fn with_a_time_in_the_future_it_counts_for_how_long_the_version_is_known() {
        let mut content = seen_after(Duration::ZERO, b"x");
        content.seen -= Duration::from_hours(1);
        let since = Instant::now();
        let known = Unsettled {
            stamp: content.stamp,
            since,
        };
        assert!(!is_settled(&content, None, since + SETTLE));
        assert!(!is_settled(&content, Some(known), since + SETTLE / 2));
        assert!(is_settled(&content, Some(known), since + SETTLE));
    }
}
