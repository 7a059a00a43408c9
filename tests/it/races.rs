//! What must hold while threads come in each other's way.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use prompt_slots::{PromptLoader, YamlConfigLoader};

use crate::support::{AppDir, greeter};

/// Runs `read` on threads of its own while `edit` makes its rounds.
fn while_others_read(read: impl Fn() + Sync, mut edit: impl FnMut(usize)) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    read();
                }
            });
        }
        // A failed assertion in here must still end the readers, or the scope would wait for them for ever.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            (0..300).for_each(&mut edit);
        }));
        done.store(true, Ordering::Relaxed);
        outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

fn replace(dir: &AppDir, name: &str, content: &str) {
    fs::write(dir.file("new"), content).unwrap();
    fs::rename(dir.file("new"), dir.file(name)).unwrap();
}

#[test]
fn a_slot_that_was_read_before_a_refresh_is_not_remembered_after_it() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    let load = |loader: &PromptLoader| loader.load("own").unwrap();
    while_others_read(
        || _ = load(&loader),
        |round| {
            replace(
                &dir,
                "own.yaml",
                &format!("enabled: true\ntemplate: 'round {round}'\n"),
            );
            loader.refresh();
            for _ in 0..3 {
                assert_eq!(load(&loader).as_deref(), Some(&*format!("round {round}")));
            }
        },
    );
}

#[test]
fn a_slot_whose_first_read_is_overtaken_by_a_refresh_is_not_remembered_after_it() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    let load = || loader.load("own").unwrap();
    while_others_read(
        || _ = load(),
        |round| {
            // So that somebody reads it for the first time, again and again.
            dir.remove_if_there("own.yaml");
            loader.refresh();
            assert_eq!(load(), None);
            replace(&dir, "own.yaml", "enabled: true\ntemplate: old\n");
            let new = format!("round {round}");
            replace(
                &dir,
                "own.yaml",
                &format!("enabled: true\ntemplate: {new}\n"),
            );
            if round % 2 == 0 {
                loader.refresh();
            } else {
                loader.refresh_slot("own");
            }
            for _ in 0..3 {
                assert_eq!(load().as_deref(), Some(&*new));
            }
        },
    );
}

#[test]
fn a_default_that_was_seen_before_a_refresh_is_not_remembered_after_it() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    let is_enabled = || loader.load("greeting").unwrap().is_some();
    while_others_read(
        || _ = is_enabled(),
        |round| {
            let off = round % 2 == 0;
            if off {
                replace(&dir, "greeting.yaml", "enabled: false\n");
            } else {
                dir.remove("greeting.yaml");
            }
            loader.refresh_slot("greeting");
            for _ in 0..3 {
                assert_eq!(is_enabled(), !off, "round {round}");
            }
        },
    );
}

#[test]
fn configuration_that_was_read_before_a_refresh_is_not_remembered_after_it() {
    let dir = AppDir::new();
    fs::create_dir(dir.file("models")).unwrap();
    replace(&dir, "models/small.yaml", "round: -1\n");
    let loader = YamlConfigLoader::new(dir.path()).with_categories([("models", None)]);
    let round = || {
        let mapping = loader.find("models", "small").unwrap();
        mapping.get("round")?.as_u64()
    };
    while_others_read(
        || _ = round(),
        |number| {
            replace(&dir, "models/small.yaml", &format!("round: {number}\n"));
            loader.refresh();
            for _ in 0..3 {
                assert_eq!(round(), Some(number as u64));
            }
        },
    );
}

#[test]
fn a_file_that_is_removed_and_made_again_is_there_or_not_and_never_an_error() {
    let dir = AppDir::new();
    let load = || greeter().app_dir(dir.path()).build().load("greeting");
    while_others_read(
        || assert!(load().unwrap().is_some()),
        |_| {
            replace(&dir, "greeting.yaml", "template_append: more\n");
            dir.remove("greeting.yaml");
        },
    );
}

#[cfg(unix)]
#[test]
fn a_config_map_that_is_swapped_while_it_is_read_is_always_there() {
    use std::os::unix::fs::symlink;
    let dir = AppDir::new();
    let publish = |version: usize| {
        fs::create_dir(dir.file(&format!("..v{version}"))).unwrap();
        dir.write(
            &format!("..v{version}/own.yaml"),
            "enabled: true\ntemplate: here\n",
        );
        symlink(format!("..v{version}"), dir.file("..data_tmp")).unwrap();
        fs::rename(dir.file("..data_tmp"), dir.file("..data")).unwrap();
    };
    publish(0);
    symlink("..data/own.yaml", dir.file("own.yaml")).unwrap();
    while_others_read(
        || {
            let loader = greeter().app_dir(dir.path()).build();
            assert_eq!(loader.load("own").unwrap().as_deref(), Some("here"));
        },
        |version| {
            publish(version + 1);
            fs::remove_dir_all(dir.file(&format!("..v{version}"))).unwrap();
        },
    );
}
