//! Derived templates: edits, additions, and where each byte came from.

use prompt_slots_core::{Derived, EditError};
use proptest::prelude::*;

const BASE: &str = "You are a writer.\nAnswer in a neutral tone, with all details.\n\nName people, places and dates.\n";

/// Returns the error of an edit of `BASE` that can't be made, with its hint.
#[track_caller]
fn refused(find: &str) -> String {
    let mut derived = Derived::new(BASE, ());
    let error = derived
        .edit(find, "x", ())
        .expect_err("the edit is refused");
    assert_eq!(derived.text(), BASE, "a refused edit changes nothing");
    format!("{error}\n{}", error.hint().unwrap_or_default())
}

#[test]
fn an_edit_replaces_the_one_occurrence() {
    let mut derived = Derived::new(BASE, "bundled");
    derived.edit("in a neutral tone", "warmly", "app").unwrap();
    let at = derived.text().find("warmly").unwrap();
    assert_eq!(derived.text(), BASE.replace("in a neutral tone", "warmly"));
    assert_eq!(derived.locate(at - 1), ("bundled", at - 1));
    assert_eq!(derived.locate(at + 2), ("app", 2));
    assert_eq!(
        derived.locate(at + "warmly".len()),
        ("bundled", at + "in a neutral tone".len())
    );
}

#[test]
fn an_edit_may_span_parts_and_empty_the_text() {
    let mut derived = Derived::new("one", "a");
    derived.append("two", "b");
    derived.edit("e\nt", "-", "c").unwrap();
    assert_eq!(derived.text(), "on-wo");
    assert_eq!(
        [0, 1, 2, 3, 4].map(|at| derived.locate(at)),
        [("a", 0), ("a", 1), ("c", 0), ("b", 1), ("b", 2)]
    );
    derived.edit("on-wo", "", "d").unwrap();
    assert_eq!(derived.text(), "");
    assert_eq!(derived.locate(0), ("a", 0));
}

#[test]
fn an_edit_that_can_not_be_made_says_why() {
    insta::assert_snapshot!(refused(""), @r"
    `find` is empty
    quote the words to replace
    ");
    insta::assert_snapshot!(refused("in a natural tone"), @r"
    the text of `find` is not in the template
    the nearest is line 2: `Answer in a neutral tone, with all details.`
    ");
    insta::assert_snapshot!(refused("IN A NEUTRAL TONE"), @r"
    the text of `find` is not in the template
    the nearest is line 2: `Answer in a neutral tone, with all details.`
    ");
    insta::assert_snapshot!(refused("You are a writer.\nAnswer in a friendly tone"), @r"
    the text of `find` is not in the template
    the nearest is line 2: `Answer in a neutral tone, with all details.`
    ");
    insta::assert_snapshot!(refused("nothing like it: zzz"), @"the text of `find` is not in the template");
    insta::assert_snapshot!(refused("a"), @r"
    the text of `find` is in the template 10 times, in lines 1, 2, 4
    quote more of the text around it
    ");
    insta::assert_snapshot!(refused("details.\n\n\nName"), @r"
    the text of `find` is not in the template
    the nearest is line 2: `Answer in a neutral tone, with all details.`
    ");
}

#[test]
fn an_ambiguous_edit_lists_the_first_lines() {
    let mut derived = Derived::new("x\n".repeat(100), ());
    let error = derived.edit("x", "y", ()).unwrap_err();
    insta::assert_snapshot!(error, @"the text of `find` is in the template 100 times, in lines 1, 2, 3, 4, 5 ..");
    let error = Derived::new("a, a", ()).edit("a", "y", ()).unwrap_err();
    insta::assert_snapshot!(error, @"the text of `find` is in the template 2 times, in line 1");
}

#[test]
fn occurrences_are_counted_without_overlap() {
    let mut derived = Derived::new("aaa", ());
    derived.edit("aa", "b", ()).unwrap();
    assert_eq!(derived.text(), "ba");
}

#[test]
fn additions_stand_on_lines_of_their_own() {
    let with = |base: &str, text: &str| {
        let (mut before, mut behind) = (Derived::new(base, ()), Derived::new(base, ()));
        before.prepend(text, ());
        behind.append(text, ());
        (before.text().to_owned(), behind.text().to_owned())
    };
    let texts = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(with("base", "new"), texts("new\nbase", "base\nnew"));
    assert_eq!(with("base\n", "new\n"), texts("new\nbase\n", "base\nnew\n"));
    assert_eq!(with("\nbase", "\nnew"), texts("\nnew\nbase", "\nbase\nnew"));
    assert_eq!(with("base", ""), texts("base", "base"));
    assert_eq!(with("", "new"), texts("new", "new"));
}

#[test]
fn the_newline_between_belongs_to_the_addition() {
    let mut derived = Derived::new("base", "bundled");
    derived.prepend("top", "app");
    derived.append("end", "runtime");
    assert_eq!(derived.text(), "top\nbase\nend");
    assert_eq!(derived.locate(3), ("app", 3));
    assert_eq!(derived.locate(4), ("bundled", 0));
    assert_eq!(derived.locate(8), ("runtime", 0));
    assert_eq!(derived.locate(9), ("runtime", 0));
    assert_eq!(derived.locate(99), ("runtime", 3));
}

#[test]
fn a_large_text_is_searched_in_linear_time() {
    let base =
        "lorem ipsum dolor sit amet ".repeat(1 << 15) + "\n" + &"short line\n".repeat(1 << 14);
    let find = "lorem ipsum, dolor\n".repeat(1 << 15);
    let error = Derived::new(base, ()).edit(&find, "", ()).unwrap_err();
    assert!(
        matches!(
            error,
            EditError::NotFound {
                nearest: Some((1, _))
            }
        ),
        "{error:?}"
    );
}

/// A change to a derived text: an edit of the characters from `.0` to `.1`, or an addition.
#[derive(Debug, Clone)]
enum Change {
    Edit(usize, usize, String),
    Prepend(String),
    Append(String),
}

fn change() -> impl Strategy<Value = Change> {
    let text = "[a-zé\n]{0,6}";
    prop_oneof![
        (0..20_usize, 1..6_usize, text).prop_map(|(at, len, text)| Change::Edit(at, len, text)),
        text.prop_map(Change::Prepend),
        text.prop_map(Change::Append),
    ]
}

proptest! {
    #[test]
    fn every_character_is_where_locate_says(base in "[A-Zé\n]{0,20}", changes in prop::collection::vec(change(), 0..8)) {
        let mut sources = vec![base.clone()];
        let mut derived = Derived::new(base, 0);
        for change in changes {
            let tag = sources.len();
            let source = match change {
                Change::Edit(at, len, text) => {
                    let find: String = derived.text().chars().skip(at).take(len).collect();
                    let before = derived.text().to_owned();
                    if derived.edit(&find, &text, tag).is_err() {
                        continue;
                    }
                    prop_assert_eq!(derived.text(), before.replace(&find, &text));
                    text
                }
                Change::Prepend(text) => {
                    derived.prepend(&text, tag);
                    text
                }
                Change::Append(text) => {
                    derived.append(&text, tag);
                    text
                }
            };
            sources.push(source);
        }
        for (at, c) in derived.text().char_indices() {
            let (tag, offset) = derived.locate(at);
            let came_from = sources[tag].get(offset..).and_then(|rest| rest.chars().next());
            // A newline that joins two parts is in neither source.
            let joins = c == '\n' && (offset == 0 || offset == sources[tag].len());
            prop_assert!(came_from == Some(c) || joins, "{c:?} at {at}, {came_from:?} at {offset} of {tag}");
        }
    }
}
