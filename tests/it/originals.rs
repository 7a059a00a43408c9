//! What is compiled in is what lies in `config/prompt_slots`.

use std::fs;

use prompt_slots::BUNDLE;

#[test]
fn the_embedded_files_are_those_on_disk_and_none_is_missing() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/config/prompt_slots");
    let mut on_disk = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let original = BUNDLE
            .original(&name)
            .unwrap_or_else(|| panic!("{} is not compiled in", path.display()));
        assert!(
            original.as_bytes() == fs::read(&path).unwrap(),
            "{} has changed since it was compiled in",
            path.display()
        );
        on_disk.push(name);
    }
    on_disk.sort();
    assert_eq!(on_disk, BUNDLE.names().collect::<Vec<_>>());
}

#[test]
fn a_bundle_knows_the_originals_of_its_own_slots_only() {
    for name in [
        "",
        "nobody",
        "episode_extract.yaml",
        "../Cargo",
        "EPISODE_EXTRACT",
    ] {
        assert_eq!(BUNDLE.original(name), None, "{name}");
    }
}
