//! Files that change while a program runs. The clock is the real one; nothing here asserts how long something takes.

use std::fs;
use std::time::{Duration, SystemTime};

use prompt_slots::{Override, PromptLoader, Reload};

use crate::support::{AppDir, eventually, greeter, set_modified};

/// The shortest interval: every call looks.
const ALWAYS: Reload = Reload::Every(Duration::ZERO);

fn says(text: &str) -> String {
    format!("template: '{text} {{{{ name }}}}, {{{{ tone }}}}'\n")
}

#[track_caller]
fn first_word(loader: &PromptLoader) -> String {
    let template = loader.load("greeting").unwrap().unwrap();
    template.split(' ').next().unwrap().to_owned()
}

#[track_caller]
fn wait_for(loader: &PromptLoader, word: &str) {
    eventually(&format!("the template starts with {word}"), || {
        (first_word(loader) == word).then_some(())
    });
}

#[test]
fn an_edit_is_seen_after_the_interval_by_whoever_calls_and_not_before() {
    let dir = AppDir::new();
    dir.write_settled("greeting.yaml", says("one"));
    let soon = greeter()
        .app_dir(dir.path())
        .reload(Reload::Every(Duration::from_millis(20)))
        .build();
    let late = greeter()
        .app_dir(dir.path())
        .reload(Reload::Every(Duration::from_hours(1)))
        .build();
    let never = greeter().app_dir(dir.path()).build();
    for loader in [&soon, &late, &never] {
        assert_eq!(first_word(loader), "one");
    }
    dir.write_settled("greeting.yaml", says("second"));
    wait_for(&soon, "second");
    assert_eq!(first_word(&late), "one");
    assert_eq!(first_word(&never), "one");
    late.refresh();
    assert_eq!(first_word(&late), "second");
}

#[test]
fn a_longest_interval_is_no_overflow() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", says("one"));
    let loader = greeter()
        .app_dir(dir.path())
        .reload(Reload::Every(Duration::MAX))
        .build();
    assert_eq!(first_word(&loader), "one");
    assert_eq!(first_word(&loader), "one");
}

#[test]
fn save_after_save_is_seen_whether_in_place_or_by_rename() {
    let dir = AppDir::new();
    dir.write_settled("greeting.yaml", says("start"));
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    wait_for(&loader, "start");
    for save in ["a", "b", "c", "d"] {
        dir.write_settled("new", says(save));
        fs::rename(dir.file("new"), dir.file("greeting.yaml")).unwrap();
        wait_for(&loader, save);
        let in_place = format!("in-place-{save}");
        dir.write_settled("greeting.yaml", says(&in_place));
        wait_for(&loader, &in_place);
    }
}

#[test]
fn a_deleted_override_returns_the_default_and_a_new_one_comes_into_force() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    for _ in 0..3 {
        assert_eq!(first_word(&loader), "Say");
        dir.write_settled("greeting.yaml", says("one"));
        wait_for(&loader, "one");
        dir.remove("greeting.yaml");
    }
}

#[test]
fn a_directory_that_appears_after_the_start_is_found() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.file("later")).reload(ALWAYS).build();
    assert_eq!(first_word(&loader), "Say");
    fs::create_dir(dir.file("later")).unwrap();
    dir.write("later/greeting.yaml", says("one"));
    wait_for(&loader, "one");
}

#[test]
fn a_fresh_file_waits_until_it_was_left_alone() {
    let dir = AppDir::new();
    dir.write_settled("greeting.yaml", says("one"));
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    assert_eq!(first_word(&loader), "one");
    // A time a little ahead stands for a writer that does not stop: two looks never see the same.
    for step in 0..20 {
        dir.write("greeting.yaml", says("two"));
        set_modified(
            &dir.file("greeting.yaml"),
            SystemTime::now() + Duration::from_mins(1 + step),
        );
        assert_eq!(first_word(&loader), "one");
    }
    wait_for(&loader, "two");
}

#[test]
fn a_time_in_the_future_counts_once_two_looks_agree() {
    let dir = AppDir::new();
    let tomorrow = SystemTime::now() + Duration::from_hours(24);
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    // At first there is no file at all; then one that comes from a clock that is ahead.
    assert_eq!(first_word(&loader), "Say");
    for word in ["one", "three"] {
        dir.write("greeting.yaml", says(word));
        set_modified(&dir.file("greeting.yaml"), tomorrow);
        wait_for(&loader, word);
    }
    dir.remove("greeting.yaml");
    assert_eq!(first_word(&loader), "Say");
}

#[test]
fn an_emptied_file_is_not_taken_at_once() {
    let dir = AppDir::new();
    dir.write_settled("greeting.yaml", says("one"));
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    assert_eq!(first_word(&loader), "one");
    dir.write("greeting.yaml", "");
    let second_ago = SystemTime::now() - Duration::from_secs(1);
    set_modified(&dir.file("greeting.yaml"), second_ago);
    let seen = first_word(&loader);
    // A machine that stood still for seconds has seen an emptied file, and may take it.
    if second_ago
        .elapsed()
        .is_ok_and(|age| age < Duration::from_secs(4))
    {
        assert_eq!(seen, "one");
    }
    dir.write_settled("greeting.yaml", says("two"));
    wait_for(&loader, "two");
    dir.write_settled("greeting.yaml", "");
    wait_for(&loader, "Say");
}

#[test]
fn a_torn_write_is_never_served() {
    const MARK: &str = "and that is the end";
    let dir = AppDir::new();
    let whole = |round: usize| {
        let filler = "line of text\n    ".repeat(200);
        format!("template: |\n    {round} {{{{ name }}}} {{{{ tone }}}}\n    {filler}{MARK}\n")
    };
    dir.write_settled("greeting.yaml", whole(0));
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    let check = |loader: &PromptLoader| {
        let text = loader.load("greeting").unwrap().unwrap();
        assert!(
            text.trim_end().ends_with(MARK),
            "a torn template was served: …{:?}",
            text.get(text.len() - 40..)
        );
        text
    };
    check(&loader);
    for round in 1..=50 {
        let content = whole(round);
        let (head, tail) = content.split_at(content.len() * (round % 10) / 10);
        dir.write("greeting.yaml", head);
        // However slow this machine is, the writer is not done yet.
        set_modified(
            &dir.file("greeting.yaml"),
            SystemTime::now() + Duration::from_mins(1),
        );
        check(&loader);
        dir.write("greeting.yaml", head.to_owned() + tail);
        check(&loader);
    }
    eventually("the last write is served", || {
        check(&loader).starts_with("50 ").then_some(())
    });
}

#[test]
fn a_broken_edit_keeps_the_last_good_version_and_its_repair_is_seen() {
    let dir = AppDir::new();
    dir.write_settled("greeting.yaml", says("good"));
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    assert_eq!(first_word(&loader), "good");
    dir.write_settled("greeting.yaml", "template: '{{ nobody }}'\n");
    eventually("the broken edit is noticed", || {
        assert_eq!(first_word(&loader), "good");
        (!loader.findings().is_empty()).then_some(())
    });
    dir.write_settled("greeting.yaml", says("better"));
    wait_for(&loader, "better");
    assert_eq!(loader.findings(), []);
}

#[test]
fn after_an_error_the_first_call_finds_the_repair_however_long_the_interval_is() {
    let dir = AppDir::new();
    dir.write_settled("greeting.yaml", "templte: x\n");
    let loader = greeter()
        .app_dir(dir.path())
        .reload(Reload::Every(Duration::from_hours(1)))
        .build();
    loader.load("greeting").unwrap_err();
    loader.load("greeting").unwrap_err();
    dir.write_settled("greeting.yaml", says("good"));
    assert_eq!(first_word(&loader), "good");
    dir.write_settled("greeting.yaml", says("later"));
    assert_eq!(first_word(&loader), "good");
}

#[test]
fn what_was_read_while_it_was_written_is_looked_at_again_soon_however_long_the_interval_is() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", says("half"));
    let loader = greeter()
        .app_dir(dir.path())
        .reload(Reload::Every(Duration::from_hours(1)))
        .build();
    // The first reference does not wait.
    assert_eq!(first_word(&loader), "half");
    dir.write_settled("greeting.yaml", says("whole"));
    wait_for(&loader, "whole");
}

#[test]
fn a_refresh_takes_no_file_that_is_still_being_written() {
    let dir = AppDir::new();
    dir.write_settled("greeting.yaml", says("one"));
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    assert_eq!(first_word(&loader), "one");
    for step in 0..20 {
        dir.write("greeting.yaml", says("two"));
        let ahead = SystemTime::now() + Duration::from_mins(1 + step);
        set_modified(&dir.file("greeting.yaml"), ahead);
        loader.refresh();
        assert_eq!(first_word(&loader), "one");
    }
    wait_for(&loader, "two");
}

#[test]
fn a_clock_that_jumps_back_hides_no_edit() {
    let dir = AppDir::new();
    dir.write("greeting.yaml", says("now"));
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    assert_eq!(first_word(&loader), "now");
    for years in [1, 30, 56] {
        let word = format!("{years}-years-ago");
        dir.write("greeting.yaml", says(&word));
        let then = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 365 * (56 - years));
        set_modified(&dir.file("greeting.yaml"), then);
        wait_for(&loader, &word);
    }
}

#[cfg(unix)]
#[test]
fn an_edit_in_place_is_seen_even_where_its_length_and_its_time_were_made_to_stay() {
    let dir = AppDir::new();
    dir.write_settled("greeting.yaml", says("one"));
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    assert_eq!(first_word(&loader), "one");
    let file = dir.file("greeting.yaml");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    eventually("the clock of the file system went on", || {
        dir.write("greeting.yaml", says("two"));
        set_modified(&file, time);
        (first_word(&loader) == "two").then_some(())
    });
}

#[test]
fn a_slot_of_the_directory_alone_comes_changes_and_goes() {
    let dir = AppDir::new();
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    for word in ["one", "second"] {
        dir.write_settled("own.yaml", format!("enabled: true\ntemplate: {word}\n"));
        eventually("the slot says its word", || {
            (loader.load("own").unwrap().as_deref() == Some(word)).then_some(())
        });
    }
    dir.remove("own.yaml");
    assert_eq!(loader.load("own").unwrap(), None);
    assert!(loader.resolve("own", &Override::new()).is_err());
}

#[cfg(unix)]
#[test]
fn every_swap_of_a_config_map_is_seen() {
    use std::os::unix::fs::symlink;
    let dir = AppDir::new();
    let publish = |version: usize| {
        let name = format!("..v{version}");
        fs::create_dir(dir.file(&name)).unwrap();
        dir.write_settled(
            &format!("{name}/greeting.yaml"),
            says(&format!("v{version}")),
        );
        symlink(&name, dir.file("..data_tmp")).unwrap();
        fs::rename(dir.file("..data_tmp"), dir.file("..data")).unwrap();
        if version > 0 {
            fs::remove_dir_all(dir.file(&format!("..v{}", version - 1))).unwrap();
        }
    };
    publish(0);
    symlink("..data/greeting.yaml", dir.file("greeting.yaml")).unwrap();
    let loader = greeter().app_dir(dir.path()).reload(ALWAYS).build();
    assert_eq!(first_word(&loader), "v0");
    for version in 1..=5 {
        publish(version);
        wait_for(&loader, &format!("v{version}"));
    }
    assert_eq!(loader.findings(), []);
}

#[test]
fn a_first_override_that_is_still_being_written_is_waited_for_after_a_refresh_too() {
    let dir = AppDir::new();
    let loader = greeter()
        .app_dir(dir.path())
        .reload(Reload::Every(Duration::from_millis(5)))
        .build();
    let default = first_word(&loader);
    loader.refresh();
    dir.write_unsettled("greeting.yaml", says("half"));
    assert_eq!(first_word(&loader), default);
    dir.write_settled("greeting.yaml", says("whole"));
    wait_for(&loader, "whole");
}
