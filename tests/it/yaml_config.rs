//! Plain YAML configuration by category and name.

use std::sync::Arc;

use prompt_slots::{Error, ErrorKind, Mapping, YamlConfigLoader};

use crate::support::AppDir;

/// A root with two categories, one in a directory of another name.
struct Config {
    root: AppDir,
    loader: YamlConfigLoader,
}

impl Config {
    #[track_caller]
    fn new() -> Self {
        let root = AppDir::new();
        for dir in ["models", "custom_dir"] {
            std::fs::create_dir(root.file(dir)).unwrap();
        }
        root.write("models/small.yaml", "size: 1\n");
        root.write("models/large.yaml", "size: 2\n");
        root.write("custom_dir/first.yaml", "size: 3\n");
        let loader = YamlConfigLoader::new(root.path())
            .with_categories([("models", None), ("alphas", Some("custom_dir"))]);
        Self { root, loader }
    }

    #[track_caller]
    fn find(&self, category: &str, name: &str) -> Arc<Mapping> {
        self.loader.find(category, name).unwrap()
    }

    #[track_caller]
    fn refusal(&self, category: &str, name: &str) -> Error {
        self.loader.find(category, name).unwrap_err()
    }
}

/// Returns the number under `size`.
fn size(mapping: &Mapping) -> Option<i64> {
    mapping.get("size")?.as_i64()
}

#[test]
fn a_category_is_the_directory_of_its_name() {
    let config = Config::new();
    assert_eq!(size(&config.find("models", "small")), Some(1));
}

#[test]
fn a_category_may_have_a_directory_of_another_name() {
    let config = Config::new();
    assert_eq!(size(&config.find("alphas", "first")), Some(3));
}

#[test]
fn categories_are_given_at_construction_or_later_and_listed_sorted() {
    let mut config = Config::new();
    assert_eq!(config.loader.categories(), ["alphas", "models"]);
    config.loader.register_category("betas", Some("custom_dir"));
    assert_eq!(config.loader.categories(), ["alphas", "betas", "models"]);
    assert_eq!(size(&config.find("betas", "first")), Some(3));
}

#[test]
fn an_unknown_category_is_an_error_that_lists_the_known_ones() {
    let error = Config::new().refusal("model", "small");
    assert_eq!(error.kind(), ErrorKind::NotRegistered);
    let text = error.to_string();
    assert!(
        text.contains("not registered") && text.contains("alphas, models"),
        "{text}"
    );
}

#[test]
fn a_missing_file_is_an_error_of_its_own_kind() {
    let error = Config::new().refusal("models", "smal");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(
        error.to_string().contains("did you mean `small`?"),
        "{error}"
    );
}

#[test]
fn a_root_that_is_a_list_or_a_scalar_must_be_a_mapping() {
    let config = Config::new();
    for (content, got) in [
        ("- a\n- b\n", "a list"),
        ("text\n", "a single value"),
        ("42\n", "a single value"),
    ] {
        config.root.write("models/odd.yaml", content);
        let error = config.refusal("models", "odd");
        assert_eq!(error.kind(), ErrorKind::NotAMapping, "{error}");
        assert!(
            error
                .to_string()
                .contains(&format!("must be a mapping, got {got}")),
            "{error}"
        );
    }
}

#[test]
fn an_empty_file_is_an_empty_mapping() {
    let config = Config::new();
    for (name, content) in [
        ("empty", ""),
        ("comment", "# nothing\n"),
        ("marker", "---\n"),
    ] {
        config.root.write(&format!("models/{name}.yaml"), content);
        assert!(config.find("models", name).is_empty(), "{content:?}");
    }
}

#[test]
fn a_list_is_the_sorted_stems_of_the_yaml_files() {
    let config = Config::new();
    for stray in ["notes.txt", "old.yml", ".hidden.yaml", "small.yaml~"] {
        config.root.write(&format!("models/{stray}"), "");
    }
    assert_eq!(config.loader.list("models").unwrap(), ["large", "small"]);
    config.root.write("models/small-2.yaml", "");
    assert_eq!(
        config.loader.list("models").unwrap(),
        ["large", "small", "small-2"]
    );
}

#[test]
fn a_list_of_an_unknown_category_is_an_error() {
    let error = Config::new().loader.list("nothing").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotRegistered);
}

#[test]
fn a_list_of_a_missing_directory_is_empty() {
    let mut config = Config::new();
    config.loader.register_category("later", None);
    assert_eq!(config.loader.list("later").unwrap(), [""; 0]);
}

#[test]
fn what_is_found_twice_is_the_same() {
    let config = Config::new();
    let first = config.find("models", "small");
    assert!(Arc::ptr_eq(&first, &config.find("models", "small")));
    assert!(!Arc::ptr_eq(&first, &config.find("models", "large")));
}

#[test]
fn an_edit_is_unseen_until_a_refresh() {
    let config = Config::new();
    let first = config.find("models", "small");
    config.root.write("models/small.yaml", "size: 9\n");
    assert!(Arc::ptr_eq(&first, &config.find("models", "small")));
    config.loader.refresh();
    assert_eq!(size(&config.find("models", "small")), Some(9));
    assert_eq!(size(&first), Some(1));
}

#[test]
fn a_refresh_of_one_entry_leaves_its_sibling() {
    let config = Config::new();
    let (small, large) = (
        config.find("models", "small"),
        config.find("models", "large"),
    );
    config.loader.refresh_entry("models", "small").unwrap();
    assert!(!Arc::ptr_eq(&small, &config.find("models", "small")));
    assert!(Arc::ptr_eq(&large, &config.find("models", "large")));
}

#[test]
fn a_refresh_of_one_category_leaves_the_others() {
    let config = Config::new();
    let (small, first) = (
        config.find("models", "small"),
        config.find("alphas", "first"),
    );
    config.loader.refresh_category("models").unwrap();
    assert!(!Arc::ptr_eq(&small, &config.find("models", "small")));
    assert!(Arc::ptr_eq(&first, &config.find("alphas", "first")));
}
