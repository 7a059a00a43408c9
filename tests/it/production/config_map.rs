//! Mounted `ConfigMaps`, which change by one rename of a link, and links of dotfile managers.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicUsize, Ordering};

use prompt_slots::OverrideState;

use super::{live_greeter, short_or_long, wait_until_served, while_running};
use crate::support::AppDir;

fn template(version: usize) -> String {
    format!("v{version:06} {{{{ name }}}} {{{{ tone }}}}")
}

/// Publishes a version as a kubelet does: a new directory, a link to it renamed over the old link, the old one deleted.
fn publish(dir: &AppDir, version: usize, is_settled: bool) {
    fs::create_dir(dir.file(&format!("..v{version}"))).unwrap();
    let file = format!("..v{version}/greeting.yaml");
    let content = format!("template: '{}'\n", template(version));
    if is_settled {
        dir.write_settled(&file, content);
    } else {
        dir.write(&file, content);
    }
    symlink(format!("..v{version}"), dir.file("..data_tmp")).unwrap();
    fs::rename(dir.file("..data_tmp"), dir.file("..data")).unwrap();
    if version > 0 {
        fs::remove_dir_all(dir.file(&format!("..v{}", version - 1))).unwrap();
    }
}

#[test]
fn every_swap_is_seen_by_all_readers_and_none_of_them_ever_gets_an_error_or_an_older_version() {
    let dir = AppDir::new();
    publish(&dir, 0, true);
    symlink("..data/greeting.yaml", dir.file("greeting.yaml")).unwrap();
    let loader = live_greeter(&dir);
    let newest = AtomicUsize::new(0);
    let rounds = short_or_long(200, 2000);
    let read = || {
        let before = newest.load(Ordering::SeqCst);
        let text = loader.load("greeting").unwrap().unwrap();
        let version: usize = text[1..7].parse().unwrap();
        assert_eq!(text, *template(version));
        assert!(version >= before, "{version} after {before}");
        newest.fetch_max(version, Ordering::SeqCst);
        assert_eq!(loader.names().unwrap(), ["greeting"]);
    };
    while_running(&[&read, &read, &read, &read], || {
        for version in 1..=rounds {
            // A kubelet's files are fresh, and have to settle; so that the test ends, only some are here.
            publish(&dir, version, version % 20 != 0);
            wait_until_served(&loader, "greeting", &template(version));
        }
    });
    println!("config map: {rounds} swaps, all seen");
    assert_eq!(loader.findings(), []);
    let files = loader.overrides().unwrap();
    let shown: Vec<_> = files.iter().map(|file| (&*file.file, file.state)).collect();
    assert_eq!(shown, [("greeting.yaml", OverrideState::InForce)]);
}

#[test]
fn a_key_that_is_taken_out_of_the_map_returns_the_default() {
    let dir = AppDir::new();
    publish(&dir, 0, true);
    symlink("..data/greeting.yaml", dir.file("greeting.yaml")).unwrap();
    let loader = live_greeter(&dir);
    wait_until_served(&loader, "greeting", &template(0));
    dir.remove("greeting.yaml");
    crate::support::eventually("the default is back", || {
        let text = loader.load("greeting").unwrap().unwrap();
        text.starts_with("Say hello").then_some(())
    });
}

#[test]
fn a_link_of_a_dotfile_manager_is_followed_and_so_are_its_changes() {
    let (dir, repository) = (AppDir::new(), AppDir::new());
    let write = |version| {
        let content = format!("template: '{}'\n", template(version));
        repository.write_settled("prompts-greeting.yml", content);
    };
    write(0);
    let target = repository.file("prompts-greeting.yml");
    symlink(&target, dir.file("greeting.yaml")).unwrap();
    let loader = live_greeter(&dir);
    wait_until_served(&loader, "greeting", &template(0));
    for version in 1..4 {
        write(version);
        wait_until_served(&loader, "greeting", &template(version));
    }
    let origin = loader.overrides().unwrap();
    assert_eq!(origin[0].file, "greeting.yaml");
}
