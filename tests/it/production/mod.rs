//! What must hold while a service runs for months and people edit its files under it.
//!
//! The short form runs with all tests; the long one, with `PROMPT_SLOTS_LONG` set, takes minutes and prints what it counted:
//! see `.ci/long`.

mod config_map;
mod stress;
mod torn;

use std::sync::atomic::{AtomicBool, Ordering};

use prompt_slots::{PromptLoader, Reload};

use crate::support::{AppDir, eventually, greeter};

/// Short for a test, and long enough that looks and edits come in each other's way in every order.
const OFTEN: Reload = Reload::Every(std::time::Duration::from_millis(1));

/// Picks the short form's number, or the long one's.
fn short_or_long<T>(short: T, long: T) -> T {
    let is_long = std::env::var_os("PROMPT_SLOTS_LONG").is_some_and(|value| !value.is_empty());
    if is_long { long } else { short }
}

fn live_greeter(dir: &AppDir) -> PromptLoader {
    greeter().app_dir(dir.path()).reload(OFTEN).build()
}

/// Runs each of `work` on a thread of its own, again and again, while `main` does its part.
fn while_running(work: &[&(dyn Fn() + Sync)], main: impl FnOnce()) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for work in work {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    work();
                    // Leaves something of a small machine to the writer.
                    std::thread::sleep(std::time::Duration::from_micros(200));
                }
            });
        }
        // A failed assertion in here must still end the others, or the scope would wait for them for ever.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(main));
        done.store(true, Ordering::Relaxed);
        outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

#[track_caller]
fn wait_until_served(loader: &PromptLoader, slot: &str, text: &str) {
    eventually(&format!("{slot} is {text:.40?}"), || {
        (loader.load(slot).unwrap().as_deref() == Some(text)).then_some(())
    });
}

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    /// Returns a number below `sides`.
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}
