//! The command `rebase`: an override, brought from an old default to the bundled one.
//!
//! The input is the override, a byte that no text has, and the old default: `=` and its text, or lines that change the
//! bundled one. Such a line is the number of a line, counted from the space, a `-` (delete), `+` (insert) or any character
//! (replace), and a text. `BASE` in the override stands for the fingerprint of the old default.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use prompt_slots::{BUNDLE, Layer, Limits, SlotText};

const NAME: &str = "episode_extract";

/// Keys that a rebase may change; all others it keeps or drops.
const MERGED: [&str; 4] = [
    "template",
    "template_format",
    "validation.test_cases",
    "based_on",
];

/// In memory where that can be: each input is written twice.
static DIR: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let parent = if memory.is_dir() {
        memory
    } else {
        std::env::temp_dir()
    };
    parent.join(format!("prompt-slots-fuzz-{}", std::process::id()))
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let mut texts = bytes.splitn(2, |byte| *byte == 0xff);
    let over = texts.next().unwrap_or_default();
    let today = BUNDLE.original(NAME).expect("the slot is bundled");
    let base = changed(today, texts.next().unwrap_or_default());
    let Ok(base_read) = SlotText::read(base.as_bytes(), Layer::Bundled, &Limits::DEFAULT) else {
        return Corpus::Reject;
    };
    let over = match str::from_utf8(over) {
        Ok(over) => over
            .replace("BASE", &base_read.fingerprint().to_string())
            .into_bytes(),
        Err(_) => over.to_owned(),
    };

    let _ = fs::remove_dir_all(&*DIR);
    let dir = DIR.join("slots");
    fs::create_dir_all(&dir).expect("a directory can be made");
    let file = dir.join(format!("{NAME}.yaml"));
    let old = DIR.join("old.yaml");
    fs::write(&file, &over).expect("a file can be written");
    fs::write(&old, &base).expect("a file can be written");
    let rebase = |options: &[&str]| {
        let dir = ["prompt-slots", "--dir", dir.to_str().expect("a plain path")];
        let args = dir
            .into_iter()
            .chain(["rebase", NAME])
            .chain(options.iter().copied());
        prompt_slots_cli::run(&BUNDLE, args)
    };
    let base_option = ["--base", old.to_str().expect("a plain path")];
    let is_open = rebase(&base_option) != ExitCode::SUCCESS;
    let read = || fs::read(&file).expect("the override stays");
    assert_eq!(read(), over, "nothing is written unasked");
    let before = SlotText::read(&over, Layer::App, &Limits::DEFAULT);
    let Ok(before) = before else {
        assert!(is_open, "an override that is not valid is refused");
        return Corpus::Keep;
    };
    let is_today =
        base_read.fingerprint() == BUNDLE.fingerprint(NAME).expect("the slot is bundled");
    if is_today && before.based_on().is_none() {
        assert!(!is_open, "nothing moved");
    }

    let mut options = vec!["--write", base_option[0], base_option[1]];
    if is_open {
        assert_ne!(rebase(&options), ExitCode::SUCCESS, "it was refused before");
        assert_eq!(read(), over, "what is refused is not written");
        options.push("--ours");
    }
    if rebase(&options) != ExitCode::SUCCESS {
        assert!(is_open, "it was good before");
        assert_eq!(read(), over, "what is refused is not written");
        return Corpus::Keep;
    }
    let written = read();
    if is_today && before.based_on().is_none() {
        assert_eq!(written, over, "nothing moved");
        return Corpus::Keep;
    }
    let after =
        SlotText::read(&written, Layer::App, &Limits::DEFAULT).expect("what is written is valid");
    let today = BUNDLE.fingerprint(NAME).map(|it| it.to_string());
    assert_eq!(after.based_on(), today.as_deref());
    for (key, value) in after.leaves() {
        let is_kept = MERGED.contains(&key.as_str()) || before.leaf(&key).as_ref() == Some(&value);
        assert!(is_kept, "`{key}` is {value:?}");
    }
    for (key, value) in before.leaves() {
        let is_kept = MERGED.contains(&key.as_str()) || after.leaf(&key).is_some();
        assert!(
            is_kept || base_read.leaf(&key).as_ref() == Some(&value),
            "`{key}` is lost"
        );
    }
    assert_eq!(rebase(&[]), ExitCode::SUCCESS, "now it is up to date");
    assert_eq!(read(), written);
    Corpus::Keep
});

/// Returns the old default.
fn changed(today: &str, ops: &[u8]) -> String {
    let ops = String::from_utf8_lossy(ops);
    if let Some(whole) = ops.strip_prefix('=') {
        return whole.to_owned();
    }
    let mut lines: Vec<String> = today.lines().map(str::to_owned).collect();
    for op in ops.lines() {
        let mut chars = op.chars();
        let (Some(number), Some(kind)) = (chars.next(), chars.next()) else {
            continue;
        };
        let at = (number as usize).saturating_sub(0x20) % lines.len().max(1);
        let text = chars.as_str().to_owned();
        match kind {
            '+' => lines.insert(at, text),
            '-' if at < lines.len() => drop(lines.remove(at)),
            '-' => {}
            _ => lines[at..]
                .iter_mut()
                .take(1)
                .for_each(|line| line.clone_from(&text)),
        }
    }
    lines.join("\n") + "\n"
}
