//! What machines do to a program: files that move under it, and code of others that panics in it.

use std::fs::{self, File};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use prompt_slots::{ErrorKind, OnInvalid, Override, PromptLoader, Reload, YamlConfigLoader};
use serde::{Serialize, Serializer};

use crate::support::{AppDir, greeter, within_patience};

const ALWAYS: Reload = Reload::Every(std::time::Duration::ZERO);

/// A value of a caller's, with a bug in it.
struct Bug;

impl Serialize for Bug {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("a bug of the caller")
    }
}

#[derive(Serialize)]
struct Values<T> {
    name: T,
}

#[test]
fn a_panic_in_a_callers_value_leaves_the_loader_and_its_slots_usable() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", "template_append: more\n");
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    let slot = loader.resolve("greeting", &Override::new()).unwrap();
    let unused = loader
        .resolve("greeting", &Override::new().model("x"))
        .unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            // On threads of its own, so that the panic is one, and on this one.
            let panics = || {
                assert!(slot.render(&Values { name: Bug }).is_err());
            };
            scope.spawn(panics).join().unwrap_err();
            let here = std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics));
            here.unwrap_err();
        }
    });
    for slot in [
        &slot,
        &unused,
        &loader.resolve("greeting", &Override::new()).unwrap(),
    ] {
        let prompt = slot.render(&Values { name: "Ada" }).unwrap().unwrap();
        assert!(
            prompt.contains("hello to Ada") && prompt.ends_with("more"),
            "{prompt}"
        );
    }
    dir.write_settled("greeting.yaml", "template_append: still\n");
    loader.refresh();
    assert!(loader.load("greeting").unwrap().unwrap().ends_with("still"));
    assert_eq!(loader.findings(), []);
}

#[test]
fn a_value_that_asks_the_loader_while_it_is_rendered_finds_no_lock() {
    struct Asks<'a>(&'a PromptLoader);
    impl Serialize for Asks<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.0.refresh();
            serializer.serialize_str(&self.0.load("greeting").unwrap().unwrap())
        }
    }
    let dir = AppDir::new();
    dir.write("greeting.yaml", "template_append: more\n");
    let loader = greeter().app_dir(dir.path()).build();
    let prompt = within_patience(move || {
        let slot = loader.resolve("greeting", &Override::new()).unwrap();
        slot.render(&Values {
            name: Asks(&loader),
        })
        .unwrap()
        .unwrap()
    });
    assert!(
        prompt.contains("hello to Say hello to {{ name }}"),
        "{prompt}"
    );
}

#[test]
fn a_file_that_grows_while_it_is_read_is_one_that_is_too_large_in_the_end() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", "template_append: more\n");
    let loader = greeter()
        .app_dir(dir.path())
        .on_invalid(OnInvalid::UseBelow)
        .build();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = File::options()
                .append(true)
                .open(dir.file("greeting.yaml"))
                .unwrap();
            let line = "# a line of a log that was put into the wrong file\n".repeat(100);
            // Up to a little more than may be read, so that no disk is filled.
            for _ in 0..300 {
                file.write_all(line.as_bytes()).unwrap();
            }
            done.store(true, Ordering::Relaxed);
        });
        while !done.load(Ordering::Relaxed) {
            loader.refresh_slot("greeting");
            assert!(
                loader
                    .load("greeting")
                    .unwrap()
                    .unwrap()
                    .starts_with("Say hello")
            );
        }
    });
    let fresh = greeter().app_dir(dir.path()).build();
    let error = fresh.load("greeting").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreadable);
    assert!(error.to_string().contains("bytes"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_has_more_in_it_than_its_length_says_is_read_within_the_limit() {
    use std::os::unix::fs::symlink;
    for target in [
        "/proc/self/status",
        "/proc/self/mem",
        "/proc/kcore",
        "/sys/kernel/notes",
    ] {
        let dir = AppDir::new();
        symlink(target, dir.file("greeting.yaml")).unwrap();
        let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
        for _ in 0..2 {
            let loader = loader.clone();
            // Most are no slot; where there is none of them, the link leads nowhere.
            within_patience(move || loader.load("greeting")).unwrap_err();
        }
    }
}

#[test]
fn a_file_that_comes_and_goes_between_two_steps_of_a_look_is_there_or_not() {
    let dir = AppDir::new();
    let live = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let fresh = greeter().app_dir(dir.path()).build();
                    for loader in [&live, &fresh] {
                        let text = loader.load("greeting").unwrap().unwrap();
                        assert!(text.starts_with("Say hello"), "{text}");
                        assert!(
                            loader
                                .load("own")
                                .unwrap()
                                .is_none_or(|text| text == "mine")
                        );
                        assert_eq!(loader.findings(), []);
                    }
                }
            });
        }
        for _ in 0..300 {
            for (name, yaml) in [
                ("greeting", "template_append: more\n"),
                ("own", "enabled: true\ntemplate: mine\n"),
            ] {
                dir.write_settled("new", yaml);
                fs::rename(dir.file("new"), dir.file(&format!("{name}.yaml"))).unwrap();
            }
            dir.remove("greeting.yaml");
            dir.remove("own.yaml");
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_directory_that_goes_away_with_all_that_is_in_it_returns_the_defaults() {
    let dir = AppDir::new();
    fs::create_dir(dir.file("slots")).unwrap();
    dir.write_settled("slots/greeting.yaml", "template_append: more\n");
    let loader = greeter().app_dir(dir.file("slots")).reload(ALWAYS).build();
    assert!(loader.load("greeting").unwrap().unwrap().ends_with("more"));
    fs::remove_dir_all(dir.file("slots")).unwrap();
    assert!(
        loader
            .load("greeting")
            .unwrap()
            .unwrap()
            .ends_with("tone.\n")
    );
    assert_eq!(loader.names().unwrap(), ["greeting"]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_round_in_a_circle_are_an_error_and_so_is_one_in_the_directorys_path() {
    use std::os::unix::fs::symlink;
    let dir = AppDir::new();
    symlink("b", dir.file("a")).unwrap();
    symlink("a", dir.file("b")).unwrap();
    symlink("a", dir.file("greeting.yaml")).unwrap();
    let loader = greeter().app_dir(dir.path()).build();
    assert_eq!(
        loader.load("greeting").unwrap_err().kind(),
        ErrorKind::Unreadable
    );
    let inside = greeter().app_dir(dir.file("a")).build();
    assert_eq!(
        inside.load("greeting").unwrap_err().kind(),
        ErrorKind::Unreadable
    );
    assert_eq!(inside.names().unwrap_err().kind(), ErrorKind::Unreadable);
}

#[cfg(unix)]
#[test]
fn yaml_configuration_is_as_hard_to_hang_or_fill_as_overrides_are() {
    use std::os::unix::fs::symlink;
    let dir = AppDir::new();
    fs::create_dir(dir.file("models")).unwrap();
    symlink("/dev/zero", dir.file("models/zero.yaml")).unwrap();
    symlink("circle.yaml", dir.file("models/circle.yaml")).unwrap();
    fs::create_dir(dir.file("models/dir.yaml")).unwrap();
    File::create(dir.file("models/huge.yaml"))
        .unwrap()
        .set_len(5 << 30)
        .unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(dir.file("models/fifo.yaml"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    for name in ["zero", "circle", "dir", "huge", "fifo"] {
        let loader = YamlConfigLoader::new(dir.path()).with_categories([("models", None)]);
        let error = within_patience(move || loader.find("models", name)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unreadable, "{name}: {error}");
    }
}
