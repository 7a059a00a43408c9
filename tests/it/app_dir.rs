//! The operator's directory: what is read, when, and what is wrong with it.

use std::fs::{self, File};
use std::sync::{Arc, Barrier};
use std::time::{Duration, SystemTime};

use prompt_slots::{
    Error, ErrorKind, Handle, Layer, OnInvalid, Override, PromptLoader, Slot, Template, slots,
};

use crate::support::{
    AppDir, GREETING, bundle_of, eventually, greeter, set_modified, within_patience,
};

const GOOD: &str = "template: 'Hi {{ name }}, {{ tone }}'\n";
const BROKEN: &str = "template_append: '{{ nobody }}'\n";

#[track_caller]
fn load(loader: &PromptLoader) -> Template {
    loader.load("greeting").unwrap().unwrap()
}

/// Asserts that the override of `greeting` is an error that says where and whose, and that no other slot suffers.
#[track_caller]
fn assert_refused(dir: &AppDir, kind: ErrorKind, message: &str) -> Error {
    let loader = greeter().app_dir(dir.path()).build();
    let other = dir.file("other.yaml");
    fs::write(&other, "enabled: true\ntemplate: fine\n").unwrap();
    let (patient, asked) = (loader.clone(), "greeting");
    let error = within_patience(move || patient.load(asked)).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(message), "{error}");
    let finding = &error.findings()[0];
    assert_eq!(finding.slot.as_deref(), Some("greeting"), "{error}");
    assert_eq!(finding.layer, Some(Layer::App), "{error}");
    assert!(
        finding
            .file
            .as_deref()
            .unwrap_or_default()
            .to_lowercase()
            .contains("greeting"),
        "{error}"
    );
    assert!(loader.resolve("greeting", &Override::new()).is_err());
    assert_eq!(loader.load("other").unwrap().as_deref(), Some("fine"));
    assert_eq!(loader.load("nobody").unwrap(), None);
    error
}

#[test]
fn making_a_loader_reads_nothing_and_the_first_reference_reads() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    dir.write("greeting.yaml", GOOD);
    assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}");
}

#[test]
fn what_was_read_is_remembered_until_it_is_refreshed() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", GOOD);
    let loader = greeter().app_dir(dir.path()).build();
    let first = load(&loader);
    dir.write("greeting.yaml", "template: 'Hey {{ name }}, {{ tone }}'\n");
    assert_eq!(load(&loader), first);
    loader.refresh_slot("other");
    assert_eq!(load(&loader), first);
    loader.refresh_slot("greeting");
    assert_eq!(load(&loader), "Hey {{ name }}, {{ tone }}");
    dir.remove("greeting.yaml");
    assert_eq!(load(&loader), "Hey {{ name }}, {{ tone }}");
    loader.refresh();
    assert!(load(&loader).starts_with("Say hello"));
}

#[test]
fn absence_is_remembered_for_a_bundled_slot() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    let default = load(&loader);
    dir.write("greeting.yaml", GOOD);
    assert_eq!(load(&loader), default);
    loader.refresh();
    assert_ne!(load(&loader), default);
}

#[test]
fn a_slot_of_the_directory_alone_is_remembered_and_refreshed_like_any_other() {
    let dir = AppDir::new();
    dir.write("own.yaml", "enabled: true\ntemplate: one\n");
    let loader = greeter().app_dir(dir.path()).build();
    assert_eq!(loader.load("own").unwrap().as_deref(), Some("one"));
    dir.write("own.yaml", "enabled: true\ntemplate: two\n");
    assert_eq!(loader.load("own").unwrap().as_deref(), Some("one"));
    loader.refresh_slot("own");
    assert_eq!(loader.load("own").unwrap().as_deref(), Some("two"));
    dir.remove("own.yaml");
    loader.refresh();
    assert_eq!(loader.load("own").unwrap(), None);
}

#[test]
fn a_snapshot_outlives_the_edit_of_its_file() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", GOOD);
    let loader = greeter().app_dir(dir.path()).build();
    let slot = loader.resolve("greeting", &Override::new()).unwrap();
    dir.write("greeting.yaml", "template: 'Hey {{ name }}, {{ tone }}'\n");
    loader.refresh();
    let newer = loader.resolve("greeting", &Override::new()).unwrap();
    assert_eq!(slot.template().unwrap(), "Hi {{ name }}, {{ tone }}");
    assert_ne!(slot.id(), newer.id());
}

#[test]
fn a_directory_that_is_not_there_is_no_override() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.file("missing/deep")).build();
    assert!(load(&loader).starts_with("Say hello"));
    assert_eq!(loader.names().unwrap(), ["greeting"]);
    loader.check_all().unwrap();
    assert_eq!(loader.findings(), []);
}

#[test]
fn stray_files_are_no_overrides() {
    let dir = AppDir::new();
    for stray in [
        "greeting.yaml~",
        ".greeting.yaml.swp",
        "#greeting.yaml#",
        "greeting (copy).yaml",
        ".DS_Store",
        "greeting.yaml.bak",
        "greeting.json",
        "greeting",
        "greetings.yml",
        ".greeting.yaml",
    ] {
        dir.write(stray, "not: [a slot");
    }
    let loader = greeter().app_dir(dir.path()).build();
    assert!(load(&loader).starts_with("Say hello"));
    assert_eq!(loader.findings(), []);
}

#[test]
fn a_look_alike_where_the_file_is_missing_is_an_error_that_names_it() {
    for name in [
        "greeting.yml",
        "greeting.YAML",
        "greeting.yaml.txt",
        "Greeting.yaml",
        "GREETING.YML",
    ] {
        let dir = AppDir::new();
        dir.write(name, GOOD);
        // Where the file system does not tell case apart, it is the file itself.
        if dir.file("greeting.yaml").exists() {
            continue;
        }
        let error = assert_refused(&dir, ErrorKind::LookAlike, "is called `greeting.yaml`");
        assert!(error.to_string().contains(name), "{error}");
        // Beside a good file it is none of `load`'s business.
        dir.write("greeting.yaml", GOOD);
        let loader = greeter().app_dir(dir.path()).build();
        assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}", "{name}");
    }
}

#[test]
fn a_look_alike_of_a_slot_that_is_not_bundled_is_an_error_too() {
    let dir = AppDir::new();
    dir.write_settled("own.yml", "enabled: true\ntemplate: x\n");
    let loader = greeter().app_dir(dir.path()).build();
    assert_eq!(loader.load("own").unwrap_err().kind(), ErrorKind::LookAlike);
    assert_eq!(loader.load("owner").unwrap(), None);
    fs::rename(dir.file("own.yml"), dir.file("own.yaml")).unwrap();
    assert_eq!(loader.load("own").unwrap().as_deref(), Some("x"));
}

#[test]
fn a_directory_in_place_of_the_file_is_an_error() {
    let dir = AppDir::new();
    fs::create_dir(dir.file("greeting.yaml")).unwrap();
    assert_refused(&dir, ErrorKind::Unreadable, "is a directory");
}

#[test]
fn an_app_directory_that_is_a_file_is_an_error() {
    let dir = AppDir::new();
    dir.write("file", "");
    let loader = greeter().app_dir(dir.file("file")).build();
    let error = loader.load("greeting").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreadable, "{error}");
    assert_eq!(loader.names().unwrap_err().kind(), ErrorKind::Unreadable);
    assert_eq!(
        loader.check_all().unwrap_err().kind(),
        ErrorKind::Unreadable
    );
    // It is wrong with every name, so names that anybody can think up must not be kept.
    for number in 0..100 {
        assert!(loader.load(&format!("guess-{number}")).is_err());
    }
    assert_eq!(loader.findings().len(), 1);
}

#[test]
fn a_huge_file_is_an_error_and_is_not_read() {
    let dir = AppDir::new();
    let file = File::create(dir.file("greeting.yaml")).unwrap();
    file.set_len(5 << 30).unwrap();
    assert_refused(&dir, ErrorKind::Unreadable, "5368709120 bytes");
}

#[test]
fn the_limit_of_a_file_is_exact() {
    let dir = AppDir::new();
    let head = "enabled: true\ntemplate: x\n#";
    dir.write(
        "own.yaml",
        head.to_owned() + &"-".repeat((1 << 20) - head.len()),
    );
    let loader = greeter().app_dir(dir.path()).build();
    assert_eq!(loader.load("own").unwrap().as_deref(), Some("x"));
    dir.write(
        "own.yaml",
        head.to_owned() + &"-".repeat((1 << 20) - head.len() + 1),
    );
    loader.refresh();
    let fresh = greeter().app_dir(dir.path()).build();
    assert_eq!(fresh.load("own").unwrap_err().kind(), ErrorKind::Unreadable);
    // The loader that had a good version keeps it, and says so.
    assert_eq!(loader.load("own").unwrap().as_deref(), Some("x"));
    assert_eq!(loader.findings().len(), 1);
}

#[test]
fn what_is_no_utf8_or_no_yaml_or_no_slot_is_an_error_with_its_place() {
    for (content, message) in [
        (&b"template: \xff\xfe\n"[..], "not UTF-8"),
        (b"\xff\xfet\0e\0m\0", "UTF-16"),
        (b"template: a\0b\n", "control character"),
        (b"template: 'unclosed\n", "not valid YAML"),
        (b"llm:\n\tmodel: x\n", "tab"),
        (b"template: {{ x }}\n", "unquoted template"),
        (b"- a\n- b\n", "must be a mapping"),
        (b"text\n", "must be a mapping"),
        (b"templte: x\n", "did you mean `template`"),
        (b"enabled: yes\n", "true or false"),
        (b"enabled: true\nenabled: false\n", "stands twice"),
        (b"enabled: true\n---\nenabled: true\n", "document"),
        (b"llm: {temperature: 9}\n", "from 0 to 2"),
        (b"template: '{% if %}'\n", "greeting.yaml:1"),
    ] {
        let dir = AppDir::new();
        dir.write("greeting.yaml", content);
        let error = assert_refused(&dir, ErrorKind::InvalidSlot, message);
        assert!(
            error.findings()[0].pos.is_some() || message == "UTF-16",
            "{error}"
        );
    }
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;
    use crate::root::Child;

    #[test]
    fn a_link_to_a_good_file_is_followed() {
        let (dir, elsewhere) = (AppDir::new(), AppDir::new());
        elsewhere.write("anything", GOOD);
        symlink(elsewhere.file("anything"), dir.file("hop")).unwrap();
        symlink("hop", dir.file("greeting.yaml")).unwrap();
        let loader = greeter().app_dir(dir.path()).build();
        assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}");
    }

    #[test]
    fn a_link_that_leads_nowhere_is_an_error() {
        let dir = AppDir::new();
        symlink("missing", dir.file("greeting.yaml")).unwrap();
        assert_refused(&dir, ErrorKind::Unreadable, "leads nowhere");
    }

    #[test]
    fn a_link_that_leads_to_itself_is_an_error() {
        let dir = AppDir::new();
        symlink("greeting.yaml", dir.file("greeting.yaml")).unwrap();
        assert_refused(&dir, ErrorKind::Unreadable, "can't be read");
    }

    #[test]
    fn a_link_to_an_endless_device_is_an_error() {
        let dir = AppDir::new();
        symlink("/dev/zero", dir.file("greeting.yaml")).unwrap();
        assert_refused(&dir, ErrorKind::Unreadable, "no regular file");
    }

    #[test]
    fn a_fifo_is_an_error_and_nobody_waits_for_its_writer() {
        let dir = AppDir::new();
        let made = Command::new("mkfifo")
            .arg(dir.file("greeting.yaml"))
            .status();
        assert!(made.expect("mkfifo runs").success());
        assert_refused(&dir, ErrorKind::Unreadable, "no regular file");
    }

    #[test]
    fn a_socket_is_an_error() {
        let dir = AppDir::new();
        let _socket = std::os::unix::net::UnixListener::bind(dir.file("greeting.yaml")).unwrap();
        assert_refused(&dir, ErrorKind::Unreadable, "can't be read");
    }

    #[test]
    fn what_is_forbidden_is_an_error_with_what_the_system_says() {
        let dir = AppDir::new();
        let forbid =
            |path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        forbid(dir.path().to_owned(), 0o755);
        fs::create_dir(dir.file("prompt_slots")).unwrap();
        dir.write("prompt_slots/episode_extract.yaml", "enabled: true\n");
        let mut child = Child::new();
        child.env("EVEROS_ROOT", dir.path()).as_nobody();
        assert_eq!(child.run().load, "a prompt");
        forbid(dir.file("prompt_slots/episode_extract.yaml"), 0o000);
        let said = child.run().load;
        assert!(
            said.contains("episode_extract.yaml: can't be read: Permission denied"),
            "{said}"
        );
        forbid(dir.file("prompt_slots"), 0o000);
        let said = child.run().load;
        assert!(
            said.contains("episode_extract.yaml: can't be read: Permission denied"),
            "{said}"
        );
        forbid(dir.file("prompt_slots"), 0o755);
        forbid(dir.file("prompt_slots/episode_extract.yaml"), 0o644);
        assert_eq!(child.run().load, "a prompt");
    }

    #[test]
    fn an_error_never_shows_the_content_of_a_foreign_file() {
        for secret in [
            "root:x:0:0:hunter2\n",
            "hunter2\n",
            "PASSWORD=hunter2\nTOKEN=hunter2\n",
            "- hunter2\n",
            "password: hunter2\n",
            "hunter2: [\n",
            "{\"key\": \"hunter2\"}\n",
            "\thunter2\n",
            "-----BEGIN KEY-----\nhunter2\n",
            "llm:\n  api_key: hunter2\n",
            "enabled: hunter2\n",
            "template_format: hunter2\n",
            "based_on: [hunter2]\n",
            "template: [hunter2]\n",
            "template_append: '{{ nobody }} hunter2'\n",
        ] {
            let (dir, elsewhere) = (AppDir::new(), AppDir::new());
            elsewhere.write("secret", secret);
            symlink(elsewhere.file("secret"), dir.file("greeting.yaml")).unwrap();
            let error = assert_refused(&dir, ErrorKind::InvalidSlot, "greeting.yaml");
            for shown in [
                format!("{error}"),
                format!("{error:#}"),
                format!("{error:?}"),
            ] {
                // A misspelt key has to be named; no value, and no line, is.
                let shown = shown.replace("`hunter2`: unknown key", "");
                assert!(!shown.contains("hunter2"), "{secret:?}: {shown}");
            }
        }
    }
}

#[test]
fn a_repaired_file_is_picked_up_by_the_next_call() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    dir.write("greeting.yaml", BROKEN);
    loader.load("greeting").unwrap_err();
    loader.load("greeting").unwrap_err();
    dir.write_settled("greeting.yaml", GOOD);
    assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}");
    assert_eq!(loader.findings(), []);
}

#[test]
fn a_repair_is_seen_however_soon_it_follows_and_however_like_the_broken_file_it_is() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    // Both of the same length, in the same file, and within one tick of the file system's clock: one that has not passed.
    let tick = SystemTime::now() + Duration::from_mins(1);
    dir.write("greeting.yaml", "template_append: '{{ nome }}'\n");
    set_modified(&dir.file("greeting.yaml"), tick);
    loader.load("greeting").unwrap_err();
    dir.write("greeting.yaml", "template_append: '{{ name }}'\n");
    set_modified(&dir.file("greeting.yaml"), tick);
    eventually("the repair is taken", || {
        let template = loader.load("greeting").ok()?;
        template?.ends_with("{{ name }}").then_some(())
    });
}

#[test]
fn a_repair_that_is_still_being_written_is_waited_for() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    dir.write("greeting.yaml", BROKEN);
    loader.load("greeting").unwrap_err();
    // Some editors empty a file before they write it; an empty one is a valid override.
    for half in ["", "template: |\n  Hi {{ name }}, {{ tone }}\n"] {
        dir.write_unsettled("greeting.yaml", half);
        loader.load("greeting").unwrap_err();
    }
    dir.write_settled("greeting.yaml", GOOD);
    assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}");
}

#[test]
fn after_a_broken_edit_the_last_good_version_stays_until_its_repair_is_whole() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    dir.write("greeting.yaml", GOOD);
    load(&loader);
    dir.write("greeting.yaml", BROKEN);
    loader.refresh();
    assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}");
    let half = "template: |\n  Hey {{ name }}, {{ tone }}\n";
    dir.write_unsettled("greeting.yaml", half);
    assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}");
    dir.write_settled("greeting.yaml", format!("{half}  How are you?\n"));
    assert_eq!(load(&loader), "Hey {{ name }}, {{ tone }}\nHow are you?\n");
    // Who calls for a refresh wants what is there now.
    dir.write("greeting.yaml", GOOD);
    loader.refresh();
    assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}");
}

#[test]
fn a_broken_file_that_is_removed_leaves_the_default() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    dir.write("greeting.yaml", BROKEN);
    loader.load("greeting").unwrap_err();
    dir.remove("greeting.yaml");
    assert!(load(&loader).starts_with("Say hello"));
}

#[test]
fn a_directory_that_gives_way_to_a_file_is_picked_up_by_the_next_call() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).build();
    fs::create_dir(dir.file("greeting.yaml")).unwrap();
    loader.load("greeting").unwrap_err();
    fs::remove_dir(dir.file("greeting.yaml")).unwrap();
    dir.write_settled("greeting.yaml", GOOD);
    assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}");
}

#[test]
fn by_choice_the_layers_below_stand_in_for_a_broken_override_and_findings_say_so() {
    let dir = AppDir::new();
    let loader = greeter()
        .app_dir(dir.path())
        .on_invalid(OnInvalid::UseBelow)
        .build();
    dir.write("greeting.yaml", BROKEN);
    dir.write("own.yaml", "templte: x\n");
    assert!(load(&loader).starts_with("Say hello"));
    assert_eq!(loader.load("own").unwrap(), None);
    let slot = loader.resolve("greeting", &Override::new()).unwrap();
    assert_eq!(slot.origin("template").unwrap().layer, Layer::Bundled);
    let slots: Vec<_> = loader
        .findings()
        .into_iter()
        .map(|finding| finding.slot.unwrap())
        .collect();
    assert_eq!(slots, ["greeting", "own"]);
    // A directory in its place is covered as well.
    dir.remove("greeting.yaml");
    fs::create_dir(dir.file("greeting.yaml")).unwrap();
    assert!(load(&loader).starts_with("Say hello"));
    assert!(loader.findings()[0].message.contains("directory"));
}

#[test]
fn a_broken_slot_with_nothing_below_it_tells_what_is_wrong_when_it_is_resolved() {
    let loader = greeter()
        .app_memory([("own", "templte: x\n")])
        .on_invalid(OnInvalid::UseBelow)
        .build();
    let error = loader.resolve("own", &Override::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidSlot);
    assert!(
        error.to_string().contains("did you mean `template`?"),
        "{error}"
    );
}

#[test]
fn the_choice_to_use_what_is_below_covers_no_runtime_override() {
    let loader = greeter()
        .without_app_layer()
        .on_invalid(OnInvalid::UseBelow)
        .build();
    let error = loader
        .resolve("greeting", &Override::new().template("{{ nobody }}"))
        .unwrap_err();
    assert_eq!(error.findings()[0].layer, Some(Layer::Runtime));
}

#[test]
fn a_broken_edit_keeps_the_last_good_version_and_stays_visible() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", GOOD);
    let loader = greeter().app_dir(dir.path()).build();
    let good = loader.resolve("greeting", &Override::new()).unwrap();
    for broken in [BROKEN, "template: '\n", "enabled: maybe\n"] {
        dir.write("greeting.yaml", broken);
        loader.refresh();
        assert_eq!(load(&loader), "Hi {{ name }}, {{ tone }}");
        assert_eq!(
            loader.resolve("greeting", &Override::new()).unwrap().id(),
            good.id()
        );
        let findings = loader.findings();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(findings[0].is_error());
    }
    dir.write_settled("greeting.yaml", "template: 'Hey {{ name }}, {{ tone }}'\n");
    assert_eq!(load(&loader), "Hey {{ name }}, {{ tone }}");
    assert_eq!(loader.findings(), []);
}

#[test]
fn a_broken_edit_of_a_broken_file_has_no_good_version_to_keep() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", BROKEN);
    let loader = greeter().app_dir(dir.path()).build();
    loader.load("greeting").unwrap_err();
    dir.write_settled("greeting.yaml", "template: 'still {{ broken }}'\n");
    let error = loader.load("greeting").unwrap_err();
    assert!(error.to_string().contains("`broken`"), "{error}");
}

#[test]
fn an_override_without_effect_is_a_finding() {
    for (bundled, app, message) in [
        (
            "template: x",
            "template: y",
            "the slot is disabled (no layer enables it)",
        ),
        ("template: x", "", ""),
        (
            "template: x",
            "template: y\nenabled: false",
            "the slot is disabled (app)",
        ),
        ("template: x", "llm: {model: m}", "the slot is disabled"),
        (
            "enabled: true\ntemplate: x",
            "template: x",
            "says what the default says",
        ),
        ("enabled: true\ntemplate: x", "template: y", ""),
    ] {
        let loader = PromptLoader::builder()
            .bundle(bundle_of(bundled))
            .app_memory([("greeting", app)])
            .build();
        loader.load("greeting").unwrap();
        let findings = loader.findings();
        assert_eq!(
            findings.is_empty(),
            message.is_empty(),
            "{app:?}: {findings:?}"
        );
        assert!(
            findings
                .iter()
                .all(|finding| finding.message.contains(message)),
            "{app:?}: {findings:?}"
        );
    }
}

#[test]
fn check_all_tells_all_that_is_wrong_at_once() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", BROKEN);
    dir.write("own.yaml", "templte: x\n");
    dir.write("fine.yaml", "enabled: true\ntemplate: x\n");
    let loader = greeter().app_dir(dir.path()).build();
    let error = loader.check_all().unwrap_err();
    let slots: Vec<_> = error
        .findings()
        .iter()
        .map(|finding| finding.slot.as_deref().unwrap())
        .collect();
    assert_eq!(slots, ["greeting", "own"]);
    dir.write_settled("greeting.yaml", GOOD);
    dir.write_settled("own.yaml", "enabled: true\ntemplate: x\n");
    loader.check_all().unwrap();
}

#[test]
fn many_threads_may_make_the_first_call_at_once() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", GOOD);
    dir.write("own.yaml", "enabled: true\ntemplate: mine\n");
    let loader = greeter().app_dir(dir.path()).build();
    let barrier = Arc::new(Barrier::new(50));
    let threads: Vec<_> = (0..50)
        .map(|_| {
            let (loader, barrier) = (loader.clone(), Arc::clone(&barrier));
            std::thread::spawn(move || {
                barrier.wait();
                (
                    loader.load("greeting").unwrap(),
                    loader.load("own").unwrap(),
                    loader.load("nobody").unwrap(),
                )
            })
        })
        .collect();
    for thread in threads {
        let (greeting, own, nobody) = thread.join().unwrap();
        assert_eq!(greeting.as_deref(), Some("Hi {{ name }}, {{ tone }}"));
        assert_eq!(own.as_deref(), Some("mine"));
        assert_eq!(nobody, None);
    }
}

#[test]
fn calls_go_on_while_another_thread_refreshes() {
    let dir = AppDir::new();
    let swap = |text: &str| {
        fs::write(
            dir.file("new"),
            format!("template: '{text} {{{{ name }}}}, {{{{ tone }}}}'\nllm: {{model: {text}}}\n"),
        )
        .unwrap();
        fs::rename(dir.file("new"), dir.file("greeting.yaml")).unwrap();
    };
    swap("a0");
    let loader = greeter().app_dir(dir.path()).build();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut last = String::new();
                    while last != "a100" {
                        let slot = loader.resolve("greeting", &Override::new()).unwrap();
                        // Text and settings are of one version, always.
                        last = slot.llm().model().unwrap().to_owned();
                        assert!(slot.template().unwrap().starts_with(&format!("{last} ")));
                    }
                })
            })
            .collect();
        for version in 1..=100 {
            swap(&format!("a{version}"));
            loader.refresh();
        }
        for reader in readers {
            reader.join().unwrap();
        }
    });
}

#[test]
fn two_loaders_know_nothing_of_each_other_and_clones_share() {
    let (one, two) = (AppDir::new(), AppDir::new());
    one.write("greeting.yaml", GOOD);
    let first = greeter().app_dir(one.path()).build();
    let second = greeter().app_dir(two.path()).build();
    assert_eq!(load(&first), "Hi {{ name }}, {{ tone }}");
    assert!(load(&second).starts_with("Say hello"));
    let clone = first.clone();
    one.write("greeting.yaml", "template: 'Hey {{ name }}, {{ tone }}'\n");
    clone.refresh();
    assert_eq!(load(&first), "Hey {{ name }}, {{ tone }}");
}

#[test]
fn overrides_in_memory_are_overrides() {
    let loader = greeter()
        .app_memory([
            ("greeting", BROKEN),
            ("own", "enabled: true\ntemplate: x\n"),
            ("../x", ""),
        ])
        .build();
    let error = loader.load("greeting").unwrap_err();
    assert_eq!(error.findings()[0].file.as_deref(), Some("greeting.yaml"));
    assert_eq!(loader.load("own").unwrap().as_deref(), Some("x"));
    assert_eq!(loader.load("nobody").unwrap(), None);
    assert_eq!(
        loader.load("../x").unwrap_err().kind(),
        ErrorKind::InvalidName
    );
    assert!(loader.check_all().is_err());
}

#[test]
fn an_error_of_a_slot_in_memory_alone_stays_visible() {
    let loader = greeter()
        .app_memory([("own", "templte: x\n")])
        .on_invalid(OnInvalid::UseBelow)
        .build();
    assert_eq!(loader.load("own").unwrap(), None);
    assert_eq!(loader.findings().len(), 1);
}

#[test]
fn a_handle_works_with_the_loader_of_its_own_bundle_alone() {
    let own = PromptLoader::builder().without_app_layer().build();
    assert_eq!(slots::EPISODE_EXTRACT.name(), "episode_extract");
    let slot = slots::EPISODE_EXTRACT
        .resolve(&own, &Override::new())
        .unwrap();
    assert_eq!(slot.name(), "episode_extract");
    let foreign = greeter().without_app_layer().build();
    for error in [
        slots::EPISODE_EXTRACT.load(&foreign).unwrap_err(),
        slots::EPISODE_EXTRACT
            .resolve(&foreign, &Override::new())
            .unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::ForeignHandle);
        assert!(error.to_string().contains("`greeter`"), "{error}");
    }
}

#[test]
fn a_handle_sees_overrides_as_the_name_does() {
    let loader = PromptLoader::builder()
        .app_memory([("episode_extract", "enabled: true\n")])
        .build();
    let by_name = loader.load("episode_extract").unwrap();
    assert!(by_name.is_some());
    assert_eq!(slots::EPISODE_EXTRACT.load(&loader).unwrap(), by_name);
}

#[test]
fn an_unknown_slot_is_none_to_load_and_an_error_to_resolve() {
    let loader = greeter().without_app_layer().build();
    let error = loader
        .resolve("greetin", &Override::new().template("x"))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownSlot);
    assert!(
        error.to_string().contains("did you mean `greeting`?"),
        "{error}"
    );
}

#[test]
fn what_callers_hold_can_be_sent_and_shared() {
    fn assert_shareable<T: Send + Sync>() {}
    assert_shareable::<PromptLoader>();
    assert_shareable::<Slot>();
    assert_shareable::<Template>();
    assert_shareable::<Error>();
    assert_shareable::<Override>();
    assert_shareable::<Handle>();
    assert_shareable::<prompt_slots::YamlConfigLoader>();
}

#[test]
fn a_loader_shows_its_bundle_and_root_and_no_prompt() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", GOOD);
    let loader = PromptLoader::builder()
        .bundle(bundle_of(GREETING))
        .app_dir(dir.path())
        .build();
    load(&loader);
    let shown = format!("{loader:?}");
    assert!(
        shown.contains("greeter") && !shown.contains("Hi "),
        "{shown}"
    );
}
