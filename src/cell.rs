//! A value that is read from outside on first use, and then handed out without a lock.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::{ArcSwapOption, Guard};

/// What a cell knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Nobody has looked yet, or what was seen is to be forgotten.
    Unknown,
    /// There is nothing.
    Absent,
    /// There is a value.
    Present,
}

/// What was seen is older than what is known.
#[derive(Debug)]
pub(crate) struct Outdated;

/// A cached value. Reading is one atomic load, and one more for the value; nobody ever waits for a reader or a looker.
///
/// Whoever looks takes a ticket first. What is published later with an older ticket is dropped, so that a slow look never
/// puts an old file over a newer one, nor over a refresh. The lock is held for the exchange alone, never while looking.
pub(crate) struct Cell<T> {
    state: AtomicU8,
    value: ArcSwapOption<T>,
    /// The last ticket that was given out.
    tickets: AtomicU64,
    /// The last ticket whose outcome counts.
    published: Mutex<u64>,
    /// When the next look is due, in nanoseconds since the loader's start.
    due: AtomicU64,
}

impl<T> Default for Cell<T> {
    fn default() -> Self {
        Self {
            state: AtomicU8::new(State::Unknown as u8),
            value: ArcSwapOption::const_empty(),
            tickets: AtomicU64::new(0),
            published: Mutex::new(0),
            due: AtomicU64::new(0),
        }
    }
}

impl<T> Cell<T> {
    /// Returns what is known.
    #[inline]
    pub(crate) fn state(&self) -> State {
        // Pairs with the store in `publish`: whoever sees `Present` sees a value at least as new.
        match self.state.load(Ordering::Acquire) {
            1 => State::Absent,
            2 => State::Present,
            _ => State::Unknown,
        }
    }

    /// Returns the value without counting a reference. It may outlive the state: a forgotten value is the last one known.
    #[inline]
    pub(crate) fn value(&self) -> Guard<Option<Arc<T>>> {
        self.value.load()
    }

    /// Starts a look.
    pub(crate) fn ticket(&self) -> u64 {
        self.tickets.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Publishes what was seen, and returns what it takes the place of.
    ///
    /// # Errors
    ///
    /// Fails, and changes nothing, if something newer was published or a refresh came between.
    pub(crate) fn publish(
        &self,
        ticket: u64,
        value: Option<Arc<T>>,
    ) -> Result<Option<Arc<T>>, Outdated> {
        let mut published = self
            .published
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if ticket <= *published {
            return Err(Outdated);
        }
        *published = ticket;
        let state = if value.is_some() {
            State::Present
        } else {
            State::Absent
        };
        let replaced = self.value.swap(value);
        self.state.store(state as u8, Ordering::Release);
        Ok(replaced)
    }

    /// Forgets what is known; looks that are under way don't count any more.
    pub(crate) fn forget(&self) {
        let mut published = self
            .published
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *published = self.tickets.load(Ordering::Acquire);
        self.state.store(State::Unknown as u8, Ordering::Release);
    }

    /// Tells whether a look is due at `now`.
    #[inline]
    pub(crate) fn is_due(&self, now: u64) -> bool {
        now >= self.due.load(Ordering::Relaxed)
    }

    /// Claims the look that is due at `now`: of all callers one gets `true`, the others go on with what is known.
    pub(crate) fn claim(&self, now: u64, next: u64) -> bool {
        let due = self.due.load(Ordering::Relaxed);
        now >= due
            && self
                .due
                .compare_exchange(due, next, Ordering::AcqRel, Ordering::Relaxed)
                .is_ok()
    }

    /// Sets when the next look is due.
    pub(crate) fn set_due(&self, next: u64) {
        self.due.store(next, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(cell: &Cell<&'static str>) -> Option<&'static str> {
        cell.value().as_deref().copied()
    }

    #[test]
    fn a_slow_look_never_puts_an_old_value_over_a_newer_one() {
        let cell = Cell::default();
        let (slow, quick) = (cell.ticket(), cell.ticket());
        assert!(cell.publish(quick, Some(Arc::new("new"))).is_ok());
        assert!(cell.publish(slow, Some(Arc::new("old"))).is_err());
        assert_eq!(value(&cell), Some("new"));
        assert!(cell.publish(slow, None).is_err());
        assert_eq!(cell.state(), State::Present);
    }

    #[test]
    fn what_a_look_saw_before_a_refresh_does_not_count_after_it() {
        let cell = Cell::default();
        let under_way = cell.ticket();
        cell.forget();
        assert!(cell.publish(under_way, Some(Arc::new("old"))).is_err());
        assert_eq!(cell.state(), State::Unknown);
        let after = cell.ticket();
        assert!(cell.publish(after, Some(Arc::new("new"))).is_ok());
        assert_eq!(value(&cell), Some("new"));
    }

    #[test]
    fn a_forgotten_value_is_still_the_last_one_known() {
        let cell = Cell::default();
        cell.publish(cell.ticket(), Some(Arc::new("good"))).unwrap();
        cell.forget();
        assert_eq!(cell.state(), State::Unknown);
        assert_eq!(value(&cell), Some("good"));
        let replaced = cell.publish(cell.ticket(), None).unwrap();
        assert_eq!(replaced.as_deref(), Some(&"good"));
        assert_eq!(cell.state(), State::Absent);
    }

    #[test]
    fn of_all_callers_one_makes_the_look_that_is_due() {
        let cell = Cell::<()>::default();
        assert!(cell.claim(5, 10));
        assert!(!cell.claim(5, 10));
        assert!(!cell.claim(9, 20));
        assert!(cell.claim(10, 20));
        cell.set_due(12);
        assert!(cell.is_due(12) && !cell.is_due(11));
    }
}
