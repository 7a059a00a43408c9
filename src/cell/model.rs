//! The cell's protocol under every order of steps that threads can take: `RUSTFLAGS="--cfg loom" cargo test --lib`.
//!
//! What a look sees stands for the file: a number that only grows, as edits make it.

use std::sync::Arc;

use loom::sync::Mutex;
use loom::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use loom::thread;

use super::{Cell, State};

/// What a cell hands out here.
pub type Known<T> = Option<Arc<T>>;

/// Stands in for `arc_swap`, whose inside the model does not know: an exchange in one step.
pub struct ArcSwapOption<T>(Mutex<Option<Arc<T>>>);

impl<T> Default for ArcSwapOption<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> ArcSwapOption<T> {
    pub fn load(&self) -> Known<T> {
        self.0.lock().unwrap().clone()
    }

    pub fn swap(&self, value: Option<Arc<T>>) -> Option<Arc<T>> {
        std::mem::replace(&mut *self.0.lock().unwrap(), value)
    }
}

/// A file, and the cell that remembers what was read of it.
#[derive(Default)]
struct Cached {
    file: AtomicU64,
    cell: Cell<u64>,
}

impl Cached {
    fn look(&self) {
        let seen = self.cell.version();
        let read = self.file.load(Ordering::SeqCst);
        let _ = self.cell.publish(seen, Some(Arc::new(read)));
    }

    /// Reads as the hot path does; `None` where it would look.
    fn known(&self) -> Option<u64> {
        match self.cell.state() {
            State::Present => self.cell.value().as_deref().copied(),
            _ => None,
        }
    }
}

#[test]
fn a_reader_never_sees_an_older_version_after_a_newer_one() {
    loom::model(|| {
        let cached = Arc::new(Cached::default());
        let lookers: Vec<_> = (0..2)
            .map(|_| {
                let cached = Arc::clone(&cached);
                thread::spawn(move || {
                    cached.file.fetch_add(1, Ordering::SeqCst);
                    cached.look();
                })
            })
            .collect();
        let first = cached.known();
        let second = cached.known();
        assert!(first.is_none() || first <= second, "{first:?}, {second:?}");
        for looker in lookers {
            looker.join().unwrap();
        }
        assert!(cached.known() >= second);
    });
}

#[test]
fn what_is_known_after_a_refresh_was_read_after_it() {
    loom::model(|| {
        let cached = Arc::new(Cached::default());
        let looker = {
            let cached = Arc::clone(&cached);
            thread::spawn(move || cached.look())
        };
        cached.file.store(1, Ordering::SeqCst);
        cached.cell.forget();
        assert_ne!(cached.known(), Some(0));
        looker.join().unwrap();
        assert_ne!(cached.known(), Some(0));
        if cached.known().is_none() {
            cached.look();
        }
        assert_eq!(cached.known(), Some(1));
    });
}

#[test]
fn present_always_comes_with_a_value_unless_it_is_gone_again() {
    loom::model(|| {
        let cell = Arc::new(Cell::default());
        let writer = {
            let cell = Arc::clone(&cell);
            thread::spawn(move || {
                cell.publish(cell.version(), Some(Arc::new(1))).unwrap();
                cell.forget();
                cell.publish(cell.version(), Some(Arc::new(2))).unwrap();
            })
        };
        if cell.state() == State::Present {
            assert!(cell.value().is_some());
        }
        writer.join().unwrap();
        assert_eq!(cell.state(), State::Present);
    });
}

#[test]
fn of_all_callers_one_makes_the_look_that_is_due() {
    loom::model(|| {
        let cell = Arc::new(Cell::<u64>::default());
        let looks = Arc::new(AtomicUsize::new(0));
        let claim = |cell: &Cell<u64>, looks: &AtomicUsize| {
            if cell.claim(5, 10) {
                looks.fetch_add(1, Ordering::SeqCst);
            }
        };
        let callers: Vec<_> = (0..2)
            .map(|_| {
                let (cell, looks) = (Arc::clone(&cell), Arc::clone(&looks));
                thread::spawn(move || claim(&cell, &looks))
            })
            .collect();
        claim(&cell, &looks);
        for caller in callers {
            caller.join().unwrap();
        }
        assert_eq!(looks.load(Ordering::SeqCst), 1);
    });
}
