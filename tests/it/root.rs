//! Where the app directory is, and what says so.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use prompt_slots::{ErrorKind, OnInvalid, PromptLoader, RootSource};

use crate::support::{AppDir, greeter};

/// A process of its own, since its environment and its user can't be changed from within: this test binary again, with
/// the one test that tells what it sees.
pub struct Child(Command);

/// What a child told.
#[derive(Debug, PartialEq)]
pub struct Told {
    pub root: String,
    pub load: String,
}

impl Child {
    pub fn new() -> Self {
        Self::of("root::tells_its_root")
    }

    /// Makes a child that runs another test than the one of this file.
    pub fn of(test: &str) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", test, "--ignored", "--nocapture"]);
        command
            .current_dir("/")
            .env_remove("EVEROS_ROOT")
            .env("HOME", "/nonexistent");
        Self(command)
    }

    pub fn env(&mut self, name: &str, value: impl AsRef<OsStr>) -> &mut Self {
        self.0.env(name, value);
        self
    }

    pub fn without(&mut self, name: &str) -> &mut Self {
        self.0.env_remove(name);
        self
    }

    pub fn in_dir(&mut self, dir: &Path) -> &mut Self {
        self.0.current_dir(dir);
        self
    }

    /// Takes away root's rights, where the tests have them.
    #[cfg(unix)]
    pub fn as_nobody(&mut self) -> &mut Self {
        self.as_user(65534)
    }

    /// Runs as another user, where the tests may choose one.
    #[cfg(unix)]
    pub fn as_user(&mut self, id: u32) -> &mut Self {
        use std::os::unix::fs::MetadataExt;
        use std::os::unix::process::CommandExt;
        let is_root = std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
        if is_root {
            self.0.uid(id).gid(id);
        }
        self
    }

    /// Returns what the child printed; it must succeed.
    #[track_caller]
    pub fn output(&mut self) -> String {
        let output = self.0.output().expect("the test binary runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    #[track_caller]
    pub fn run(&mut self) -> Told {
        let output = self.0.output().expect("the test binary runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let told = |what| {
            let line = text.lines().find_map(|line| line.split_once(what));
            line.unwrap_or_else(|| panic!("the child told nothing of {what}: {output:?}"))
                .1
                .to_owned()
        };
        Told {
            root: told("root: "),
            load: told("load: "),
        }
    }
}

#[test]
#[ignore = "runs as the child of other tests"]
fn tells_its_root() {
    let loader = PromptLoader::new();
    let load = match loader.load("episode_extract") {
        Ok(Some(_)) => "a prompt".to_owned(),
        Ok(None) => "none".to_owned(),
        Err(error) => error.to_string(),
    };
    let root = loader.root();
    println!(
        "\nroot: {:?} {:?}\nload: {load}",
        root.app_dir.as_deref().unwrap_or(Path::new("off")),
        root.source
    );
}

/// Makes a root under which the slot is enabled, at `place`.
fn enabling(place: &str) -> AppDir {
    let dir = AppDir::new();
    std::fs::create_dir_all(dir.file(place)).unwrap();
    dir.write(&format!("{place}/episode_extract.yaml"), "enabled: true\n");
    dir
}

#[test]
fn the_environment_names_the_root_and_wins_over_home() {
    let (root, home) = (enabling("prompt_slots"), AppDir::new());
    let told = Child::new()
        .env("EVEROS_ROOT", root.path())
        .env("HOME", home.path())
        .run();
    let expected = root.file("prompt_slots");
    assert_eq!(told.root, format!("{expected:?} Env(\"EVEROS_ROOT\")"));
    assert_eq!(told.load, "a prompt");
}

#[cfg(unix)]
#[test]
fn without_it_the_root_is_in_the_home_directory() {
    let home = enabling(".everos/prompt_slots");
    for set in [None, Some("")] {
        let mut child = Child::new();
        child.env("HOME", home.path());
        if let Some(value) = set {
            child.env("EVEROS_ROOT", value);
        }
        let expected = home.file(".everos/prompt_slots");
        let told = child.run();
        assert_eq!(
            told.root,
            format!("{expected:?} Home(\".everos\")"),
            "EVEROS_ROOT: {set:?}"
        );
        assert_eq!(told.load, "a prompt");
    }
}

#[test]
fn a_relative_root_in_the_environment_is_an_error_even_where_it_would_lead_somewhere() {
    let dir = enabling("prompt_slots");
    for relative in [".", "prompt_slots/..", "~/.everos"] {
        let told = Child::new()
            .env("EVEROS_ROOT", relative)
            .in_dir(dir.path())
            .run();
        assert_eq!(told.root, "\"off\" RelativeEnv(\"EVEROS_ROOT\")");
        assert!(
            told.load.contains("EVEROS_ROOT holds a relative path"),
            "{told:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_relative_home_switches_the_layer_off() {
    let dir = enabling(".everos/prompt_slots");
    let told = Child::new().env("HOME", ".").in_dir(dir.path()).run();
    assert_eq!(
        told,
        Told {
            root: "\"off\" NoHome".to_owned(),
            load: "none".to_owned()
        }
    );
}

#[cfg(unix)]
#[test]
fn a_user_whom_no_database_knows_has_a_home_only_by_the_environment() {
    let dir = enabling(".everos/prompt_slots");
    let unknown = 3_000_000_001;
    for home in [None, Some("")] {
        let mut child = Child::new();
        match home {
            None => child.without("HOME"),
            Some(home) => child.env("HOME", home),
        };
        let told = child.in_dir(dir.path()).as_user(unknown).run();
        assert_eq!(told.load, "none", "HOME: {home:?}");
    }
    let readable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(dir.path(), readable).unwrap();
    let told = Child::new().env("HOME", dir.path()).as_user(unknown).run();
    assert_eq!(told.load, "a prompt", "{told:?}");
}

#[cfg(unix)]
#[test]
fn a_root_whose_path_is_no_utf8_is_a_root_like_any_other() {
    use std::os::unix::ffi::OsStrExt;
    let dir = AppDir::new();
    let odd = dir.path().join(OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir_all(odd.join("prompt_slots")).unwrap();
    let file = odd.join("prompt_slots/episode_extract.yaml");
    std::fs::write(&file, "enabled: true\n").unwrap();
    assert_eq!(Child::new().env("EVEROS_ROOT", &odd).run().load, "a prompt");
    let by_path = PromptLoader::builder().root(&odd).build();
    assert!(by_path.load("episode_extract").unwrap().is_some());
    assert_eq!(by_path.overrides().unwrap().len(), 1);
    std::fs::write(&file, "enabled: maybe\n").unwrap();
    by_path.refresh();
    let findings = by_path.overrides().unwrap().remove(0).findings;
    assert!(
        findings[0].to_string().contains("caf\u{fffd}/prompt_slots"),
        "{findings:?}"
    );
    // As a home, too.
    std::fs::rename(&odd, dir.file("x")).unwrap();
    std::fs::create_dir(&odd).unwrap();
    std::fs::rename(dir.file("x"), odd.join(".everos")).unwrap();
    std::fs::write(
        odd.join(".everos/prompt_slots/episode_extract.yaml"),
        "enabled: true\n",
    )
    .unwrap();
    assert_eq!(Child::new().env("HOME", &odd).run().load, "a prompt");
}

#[cfg(unix)]
#[test]
fn a_home_that_does_not_exist_is_no_override() {
    let told = Child::new().env("HOME", "/nonexistent").run();
    assert_eq!(
        told.root,
        "\"/nonexistent/.everos/prompt_slots\" Home(\".everos\")"
    );
    assert_eq!(told.load, "none");
}

#[cfg(unix)]
#[test]
fn without_home_the_current_directory_is_never_taken() {
    let dir = enabling(".everos/prompt_slots");
    for home in [None, Some("")] {
        let mut child = Child::new();
        match home {
            None => child.without("HOME"),
            Some(home) => child.env("HOME", home),
        };
        let told = child.in_dir(dir.path()).run();
        // The user database may know a home; whatever it is, it is not here.
        assert_eq!(told.load, "none", "HOME: {home:?}");
        assert!(
            told.root.starts_with("\"/") || told.root == "\"off\" NoHome",
            "{told:?}"
        );
    }
}

#[test]
fn a_named_root_or_directory_stands_instead_of_every_rule() {
    let root = enabling("prompt_slots");
    let by_root = PromptLoader::builder().root(root.path()).build();
    assert_eq!(by_root.root().app_dir, Some(root.file("prompt_slots")));
    assert_eq!(by_root.root().source, RootSource::Root);
    assert!(by_root.load("episode_extract").unwrap().is_some());
    let by_dir = PromptLoader::builder()
        .app_dir(root.file("prompt_slots"))
        .build();
    assert_eq!(by_dir.root().source, RootSource::AppDir);
    assert!(by_dir.load("episode_extract").unwrap().is_some());
}

#[test]
fn an_empty_path_is_an_error_and_not_the_current_directory() {
    for loader in [greeter().root("").build(), greeter().app_dir("").build()] {
        assert_eq!(loader.root().app_dir, None);
        assert_eq!(loader.root().source, RootSource::EmptyPath);
        for error in [
            loader.load("greeting").unwrap_err(),
            loader.load("other").unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::InvalidRoot, "{error}");
        }
        assert_eq!(
            loader.check_all().unwrap_err().kind(),
            ErrorKind::InvalidRoot
        );
    }
}

#[test]
fn a_root_that_can_not_be_told_is_told_once_however_many_names_are_tried() {
    let loader = greeter().root("").on_invalid(OnInvalid::UseBelow).build();
    assert!(loader.load("greeting").unwrap().is_some());
    for number in 0..100 {
        assert_eq!(loader.load(&format!("guess-{number}")).unwrap(), None);
    }
    assert_eq!(loader.findings().len(), 1);
}

#[test]
fn a_named_relative_path_is_made_absolute_once() {
    let loader = greeter().app_dir("some/where").build();
    let dir = loader.root().app_dir.clone().unwrap();
    assert_eq!(dir, env::current_dir().unwrap().join("some/where"));
}

#[test]
fn a_bundle_without_a_rule_has_no_app_layer_unless_one_is_named() {
    let loader = greeter().build();
    assert_eq!(loader.root().app_dir, None);
    assert_eq!(loader.root().source, RootSource::NoRule);
    assert!(loader.load("greeting").unwrap().is_some());
    let off = PromptLoader::builder().without_app_layer().build();
    assert_eq!(off.root().source, RootSource::SwitchedOff);
}
