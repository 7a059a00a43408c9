//! Writers that take their time: no reader ever gets half of a file.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::sync::Mutex;
use std::thread::sleep;
use std::time::{Duration, Instant};

use prompt_slots::PromptLoader;

use super::{Dice, live_greeter, short_or_long, wait_until_served, while_running};
use crate::support::AppDir;

/// What the loader promises to wait for.
const SETTLE: Duration = Duration::from_millis(100);

/// Where the number of a version ends in its file, so that every piece tells whose it is.
const HEAD: usize = "enabled: true\ntemplate: |\n  v000000 ".len();

/// The template of a version; every version has another length.
fn template(version: usize) -> String {
    let lines = "a line of the prompt\n".repeat(version % 50 + 5);
    format!("v{version:06} {{{{ name }}}} {{{{ tone }}}}\n{lines}the end of {version:06}\n")
}

fn file(version: usize) -> String {
    let text = template(version);
    let lines: Vec<_> = text.lines().map(|line| format!("  {line}\n")).collect();
    format!("enabled: true\ntemplate: |\n{}", lines.concat())
}

/// Empties the file, waits, writes in pieces, and tells whether the machine made a pause longer than the loader waits for.
fn write_in_pieces(dir: &AppDir, name: &str, content: &str, dice: &mut Dice) -> bool {
    let mut cuts: Vec<usize> = (0..dice.roll(4))
        .map(|_| HEAD + usize::try_from(dice.roll((content.len() - HEAD) as u64)).unwrap())
        .collect();
    cuts.extend([HEAD, content.len()]);
    cuts.sort_unstable();
    let mut longest = Duration::ZERO;
    let mut last = Instant::now();
    let mut file = File::create(dir.file(name)).unwrap();
    let mut from = 0;
    for to in cuts {
        sleep(Duration::from_millis(dice.roll(45)));
        let start = Instant::now();
        file.write_all(&content.as_bytes()[from..to]).unwrap();
        longest = longest.max(last.elapsed());
        (last, from) = (start, to);
    }
    longest >= SETTLE
}

/// What readers got that is no whole version.
#[derive(Default)]
struct Torn(Mutex<BTreeSet<String>>);

impl Torn {
    fn read(&self, loader: &PromptLoader, slot: &str) {
        // No error either: what was in force before stays.
        let Some(text) = loader.load(slot).unwrap() else {
            return;
        };
        let version = text.get(1..7).and_then(|number| number.parse().ok());
        let is_default = text.starts_with("Say hello to ");
        if !is_default && version.map(template).as_deref() != Some(&*text) {
            self.0
                .lock()
                .unwrap()
                .insert(text.chars().take(7).collect());
        }
    }
}

/// Writes many versions of a slot in pieces while four threads read it. With `starts_anew` each is a new file.
#[track_caller]
fn assert_never_torn(slot: &str, rounds: usize, starts_anew: bool) {
    let dir = AppDir::new();
    let name = format!("{slot}.yaml");
    let loader = live_greeter(&dir);
    sleep(2 * SETTLE);
    let (torn, mut held_up) = (Torn::default(), BTreeSet::new());
    let mut dice = Dice(7);
    let mut stayed = 0;
    let read = || torn.read(&loader, slot);
    while_running(&[&read, &read, &read, &read], || {
        for version in 1..=rounds {
            if write_in_pieces(&dir, &name, &file(version), &mut dice) {
                held_up.insert(format!("v{version:06}"));
            }
            // Most versions are overtaken by the next one; those that stay are served.
            if starts_anew || version % 4 == 0 || version == rounds {
                wait_until_served(&loader, slot, &template(version));
                stayed += 1;
            }
            if starts_anew {
                let default = loader.bundle().original(slot).is_some();
                dir.remove(&name);
                crate::support::eventually("the deletion is seen", || {
                    let text = loader.load(slot).unwrap();
                    let is_gone = text.is_none_or(|text| default && text.starts_with("Say"));
                    is_gone.then_some(())
                });
            }
        }
    });
    let torn = torn.0.into_inner().unwrap();
    println!(
        "{slot}: {rounds} versions in pieces, {stayed} stayed and were served, {} by a writer that this machine held up, {} torn",
        held_up.len(),
        torn.len()
    );
    let lost: Vec<_> = torn.difference(&held_up).collect();
    assert!(lost.is_empty(), "torn versions were served: {lost:?}");
}

#[test]
fn an_override_that_is_written_in_pieces_is_never_served_torn() {
    assert_never_torn("greeting", short_or_long(40, 1000), false);
}

#[test]
fn an_override_that_comes_and_goes_in_pieces_is_never_served_torn() {
    assert_never_torn("greeting", short_or_long(8, 200), true);
}

#[test]
fn a_new_slot_that_is_written_in_pieces_is_never_served_torn() {
    assert_never_torn("own", short_or_long(8, 200), true);
}

#[test]
fn an_override_that_is_renamed_into_place_is_never_served_torn() {
    let dir = AppDir::new();
    let loader = live_greeter(&dir);
    let torn = Torn::default();
    let rounds = short_or_long(40, 1000);
    let read = || torn.read(&loader, "greeting");
    while_running(&[&read, &read, &read, &read], || {
        for version in 1..=rounds {
            dir.write("greeting.yaml.new", file(version));
            fs::rename(dir.file("greeting.yaml.new"), dir.file("greeting.yaml")).unwrap();
            if version % 8 == 0 {
                wait_until_served(&loader, "greeting", &template(version));
            }
        }
    });
    println!("greeting: {rounds} versions by rename, every eighth stayed and was served");
    assert_eq!(torn.0.into_inner().unwrap(), BTreeSet::new());
}
