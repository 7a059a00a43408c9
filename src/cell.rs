//! A value that is read from outside on first use, and then handed out without a lock.

#[cfg(all(test, loom))]
mod model;

use std::sync::{Arc, PoisonError};

use sync::{ArcSwapOption, AtomicU8, AtomicU64, Mutex, Ordering};

pub(crate) use sync::Known;

#[cfg(not(loom))]
mod sync {
    pub use std::sync::Mutex;
    pub use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

    pub use arc_swap::ArcSwapOption;

    /// What a cell hands out without counting a reference.
    pub type Known<T> = arc_swap::Guard<Option<std::sync::Arc<T>>>;
}

/// What the model runs on instead, so that it can try every order of steps.
#[cfg(loom)]
mod sync {
    pub use loom::sync::Mutex;
    pub use loom::sync::atomic::{AtomicU8, AtomicU64, Ordering};

    pub use super::model::{ArcSwapOption, Known};
}

/// What a cell knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Nobody has looked yet.
    Unknown,
    /// There is nothing.
    Absent,
    /// There is a value.
    Present,
    /// What was seen is to be forgotten.
    Forgotten,
}

/// Something else was published, or a refresh came, since the look began.
#[derive(Debug)]
pub(crate) struct Outdated;

/// A cached value. Reading is one atomic load, and one more for the value; nobody ever waits for a reader or a looker.
///
/// Whoever looks asks for the version first. What is seen is published only over that very version, so that a slow look
/// never puts an old file over a newer one, nor over a refresh: of looks at the same time the first to end counts. The lock
/// is held for the exchange alone, never while looking.
pub(crate) struct Cell<T> {
    state: AtomicU8,
    value: ArcSwapOption<T>,
    /// Counts what was published and forgotten.
    version: Mutex<u64>,
    /// When the next look is due, in nanoseconds since the loader's start.
    due: AtomicU64,
}

impl<T> Default for Cell<T> {
    fn default() -> Self {
        Self {
            state: AtomicU8::new(State::Unknown as u8),
            value: ArcSwapOption::default(),
            version: Mutex::new(0),
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
            3 => State::Forgotten,
            _ => State::Unknown,
        }
    }

    /// Tells whether this is what is known.
    #[inline]
    pub(crate) fn is(&self, state: State) -> bool {
        // As in `state`.
        self.state.load(Ordering::Acquire) == state as u8
    }

    /// Returns the value without counting a reference. It may outlive the state: a forgotten value is the last one known.
    #[inline]
    pub(crate) fn value(&self) -> Known<T> {
        self.value.load()
    }

    /// Starts a look: returns the version that its outcome may take the place of.
    pub(crate) fn version(&self) -> u64 {
        *self.version.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes what was seen, and returns what it takes the place of.
    ///
    /// # Errors
    ///
    /// Fails, and changes nothing, if `seen` is not the version any more.
    pub(crate) fn publish(
        &self,
        seen: u64,
        value: Option<Arc<T>>,
    ) -> Result<Option<Arc<T>>, Outdated> {
        let mut version = self.version.lock().unwrap_or_else(PoisonError::into_inner);
        if *version != seen {
            return Err(Outdated);
        }
        *version += 1;
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
        let mut version = self.version.lock().unwrap_or_else(PoisonError::into_inner);
        *version += 1;
        if self.state() != State::Unknown {
            self.state.store(State::Forgotten as u8, Ordering::Release);
        }
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

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn value(cell: &Cell<&'static str>) -> Option<&'static str> {
        cell.value().as_deref().copied()
    }

    #[test]
    fn a_slow_look_never_puts_an_old_value_over_a_newer_one() {
        let cell = Cell::default();
        let (slow, quick) = (cell.version(), cell.version());
        assert!(cell.publish(quick, Some(Arc::new("new"))).is_ok());
        assert!(cell.publish(slow, Some(Arc::new("old"))).is_err());
        assert_eq!(value(&cell), Some("new"));
        assert!(cell.publish(slow, None).is_err());
        assert_eq!(cell.state(), State::Present);
    }

    #[test]
    fn what_a_look_saw_before_a_refresh_does_not_count_after_it() {
        let cell = Cell::default();
        let under_way = cell.version();
        cell.forget();
        assert!(cell.publish(under_way, Some(Arc::new("old"))).is_err());
        assert_eq!(cell.state(), State::Unknown);
        let after = cell.version();
        assert!(cell.publish(after, Some(Arc::new("new"))).is_ok());
        assert_eq!(value(&cell), Some("new"));
    }

    #[test]
    fn a_forgotten_value_is_still_the_last_one_known() {
        let cell = Cell::default();
        cell.publish(cell.version(), Some(Arc::new("good")))
            .unwrap();
        cell.forget();
        assert_eq!(cell.state(), State::Forgotten);
        assert_eq!(value(&cell), Some("good"));
        let replaced = cell.publish(cell.version(), None).unwrap();
        assert_eq!(replaced.as_deref(), Some(&"good"));
        assert_eq!(cell.state(), State::Absent);
    }

    #[test]
    fn a_look_that_is_due_can_be_claimed_once() {
        let cell = Cell::<()>::default();
        assert!(cell.claim(5, 10));
        assert!(!cell.claim(5, 10));
        assert!(!cell.claim(9, 20));
        assert!(cell.claim(10, 20));
        cell.set_due(12);
        assert!(cell.is_due(12) && !cell.is_due(11));
    }

    #[test]
    fn of_all_threads_one_makes_the_look_that_is_due() {
        const THREADS: usize = 8;
        let cell = Cell::<()>::default();
        let start = Barrier::new(THREADS);
        let looks = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    for round in 0..500 {
                        start.wait();
                        if cell.claim(10 * round, 10 * (round + 1)) {
                            looks.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        assert_eq!(looks.into_inner(), 500);
    }
}
