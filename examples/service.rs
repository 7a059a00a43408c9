//! A service whose prompts change while it runs: files are looked at again by whoever calls after the interval.
//!
//! It edits an override under a running loader and shows what each call gets, a broken edit included.

use std::error::Error;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use prompt_slots::{PromptLoader, Reload, Severity};

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::temp_dir().join(format!("prompt-slots-service-{}", std::process::id()));
    fs::create_dir_all(root.join("prompt_slots"))?;
    let file = root.join("prompt_slots/episode_extract.yaml");

    let interval = Duration::from_millis(50);
    let loader = PromptLoader::builder()
        .root(&root)
        .reload(Reload::Every(interval))
        .build();

    // All that is wrong is told at start-up, not with the first request.
    loader.check_all()?;

    let edits = [
        (
            "a first override",
            "enabled: true\ntemplate_append: Be brief.\n",
        ),
        (
            "a better one",
            "enabled: true\ntemplate_append: Be very brief.\n",
        ),
        (
            "a broken one: the last good version stays",
            "enabled: true\ntemplate_append: [Be\n",
        ),
        (
            "the repair",
            "enabled: true\ntemplate_append: Be brief again.\n",
        ),
    ];
    for (what, yaml) in edits {
        fs::write(&file, yaml)?;
        // A file counts as written when it was left alone for a moment; here it pretends that it was.
        fs::File::options()
            .append(true)
            .open(&file)?
            .set_modified(SystemTime::now() - Duration::from_secs(1))?;
        sleep(2 * interval);
        let prompt = loader
            .load("episode_extract")?
            .ok_or("the override enables the slot")?;
        println!("{what}: ...{:?}", prompt.lines().last().unwrap_or_default());
        for finding in loader
            .findings()
            .iter()
            .filter(|finding| finding.severity == Severity::Error)
        {
            println!("  not in force: {finding}");
        }
    }
    fs::remove_dir_all(&root)?;
    Ok(())
}
