//! What the tests stand on: bundles made of YAML, app directories, and patience.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime};

use prompt_slots::__private::{BundledSlot, bundle, include_dir, limits, phf};
use prompt_slots::{Bundle, Error, Limits, LoaderBuilder, Override, PromptLoader, Slot};
use tempfile::TempDir;

/// The slot that most tests are about, with every key that a default can set.
pub const GREETING: &str = "\
enabled: true
description: greets somebody
variables:
  name: who is greeted
  tone: {description: how to speak, default: calm}
template: |
  Say hello to {{ name }}.
  Speak in a {{ tone }} tone.
template_format: jinja2
llm:
  model: small
  temperature: 0.5
  max_tokens: 100
  top_p: 0.9
  stop: [END]
  seed: 7
  extra: {reasoning: low, user: everos}
validation:
  test_cases:
    - name: a friend
      input: {name: Ada}
      prompt: {contains: [Ada]}
";

/// Compiles one slot called `greeting` into a bundle, as a build script would. It lives as long as the tests.
#[track_caller]
pub fn bundle_of(yaml: &str) -> &'static Bundle {
    bundle_with(yaml, false)
}

/// Does what [`bundle_of`] does, with the builder's choice of `enabled`.
#[track_caller]
pub fn bundle_with(yaml: &str, enabled_by_default: bool) -> &'static Bundle {
    const FILE: &str = "config/prompt_slots/greeting.yaml";
    let mut file =
        prompt_slots_core::judge_bundled("greeting", FILE, yaml.as_bytes(), &Limits::DEFAULT)
            .unwrap_or_else(|findings| panic!("the bundled slot is not valid: {findings:#?}"));
    if enabled_by_default {
        file.spec.enabled.get_or_insert(true);
    }
    let live = file.spec.live_template().map(|text| leak_text(text));
    let fingerprint = file.spec.fingerprint();
    let slot = BundledSlot::new(
        "greeting",
        0,
        FILE,
        live,
        file.spec,
        file.places,
        fingerprint,
    );
    let slot: &'static BundledSlot = Box::leak(Box::new(slot));
    // With a single entry every name hashes to it, so that no generator is needed.
    let map = phf::Map {
        key: 0,
        disps: &[(0, 0)],
        entries: vec![("greeting", slot)].leak(),
    };
    let original = include_dir::File::new("greeting.yaml", leak_text(yaml).as_bytes());
    let originals = include_dir::Dir::new("", vec![include_dir::DirEntry::File(original)].leak());
    let Limits {
        file_bytes,
        depth,
        nodes,
        output_bytes,
        fuel,
        ..
    } = Limits::DEFAULT;
    Box::leak(Box::new(bundle(
        "greeter",
        vec![slot].leak(),
        Box::leak(Box::new(map)),
        Box::leak(Box::new(originals)),
        None,
        None,
        enabled_by_default,
        limits(file_bytes, depth, nodes, output_bytes, fuel),
    )))
}

fn leak_text(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

/// Sets up a loader of the slot [`GREETING`].
pub fn greeter() -> LoaderBuilder {
    static BUNDLE: LazyLock<&Bundle> = LazyLock::new(|| bundle_of(GREETING));
    PromptLoader::builder().bundle(*BUNDLE)
}

/// Makes a loader of one default and one override.
#[track_caller]
pub fn layered(bundled: &str, app: &str) -> PromptLoader {
    PromptLoader::builder()
        .bundle(bundle_of(bundled))
        .app_memory([("greeting", app)])
        .build()
}

/// Folds a default and overrides, the app's and the runtime's.
#[track_caller]
pub fn fold(bundled: &str, app: &str, runtime: &str) -> Result<Slot, Error> {
    layered(bundled, app).resolve("greeting", &Override::from_yaml(runtime)?)
}

/// An app directory of its own.
pub struct AppDir(TempDir);

impl AppDir {
    #[track_caller]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    #[track_caller]
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.file(name), content).expect("a file can be written");
    }

    /// Writes a file that looks as if it had been left alone for a minute.
    #[track_caller]
    pub fn write_settled(&self, name: &str, content: impl AsRef<[u8]>) {
        self.write(name, content);
        let minute_ago = SystemTime::now() - Duration::from_mins(1);
        set_modified(&self.file(name), minute_ago);
    }

    /// Writes a file that looks as if it were still being written, at the first look at it, however late that is: its time is
    /// yet to come.
    #[track_caller]
    pub fn write_unsettled(&self, name: &str, content: impl AsRef<[u8]>) {
        self.write(name, content);
        let in_a_minute = SystemTime::now() + Duration::from_mins(1);
        set_modified(&self.file(name), in_a_minute);
    }

    #[track_caller]
    pub fn remove(&self, name: &str) {
        fs::remove_file(self.file(name)).expect("a file can be removed");
    }

    pub fn remove_if_there(&self, name: &str) {
        let _ = fs::remove_file(self.file(name));
    }

    /// Takes the path of the directory, which differs from run to run, out of a text.
    pub fn without_path(&self, text: &str) -> String {
        text.replace(&*self.path().to_string_lossy(), "[root]")
    }
}

#[track_caller]
pub fn set_modified(path: &Path, time: SystemTime) {
    let file = File::options().append(true).open(path).expect("a file");
    file.set_modified(time).expect("its time can be set");
}

/// Calls `look` until it answers; what is late only fails after a time that no machine needs.
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let patience = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(answer) = look() {
            return answer;
        }
        assert!(Instant::now() < patience, "still waiting until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs `work` on a thread, so that a hang fails the test instead of stopping it for ever.
#[track_caller]
pub fn within_patience<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(work()));
    receiver
        .recv_timeout(Duration::from_mins(1))
        .expect("the call neither hangs nor panics")
}
