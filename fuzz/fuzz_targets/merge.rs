//! An override of the app and one of a call, laid over a bundled slot: the laws of `tests/it/merge_properties.rs`, for texts.
//!
//! The input is both texts, with a byte between them that no text has.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use prompt_slots::{BUNDLE, Layer, Limits, Override, PromptLoader, Slot, SlotText};

const NAME: &str = "episode_extract";

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let mut texts = bytes.splitn(2, |byte| *byte == 0xff).map(str::from_utf8);
    let (Some(Ok(app)), Ok(runtime)) = (texts.next(), texts.next().unwrap_or(Ok(""))) else {
        return Corpus::Reject;
    };
    let loader = PromptLoader::builder().app_memory([(NAME, app)]).build();
    match (loader.load(NAME), loader.resolve(NAME, &Override::new())) {
        (Ok(text), Ok(slot)) => {
            assert_eq!(text, slot.template());
            check(&slot, &[app, ""]);
        }
        (Err(error), Err(_)) => {
            let _ = format!("{error} {:#?}", error.findings());
        }
        (loaded, resolved) => panic!("{loaded:?}, but {resolved:?}"),
    }
    let over = match Override::from_yaml(runtime) {
        Ok(over) if !over.is_empty() => over,
        _ => return Corpus::Keep,
    };
    match loader.resolve(NAME, &over) {
        Ok(slot) => {
            let again = loader
                .resolve(NAME, &over)
                .expect("the same is as good twice");
            assert_eq!(again.fingerprint(), slot.fingerprint());
            check(&slot, &[app, runtime]);
        }
        Err(error) => {
            let _ = format!("{error} {:#?}", error.findings());
        }
    }
    Corpus::Keep
});

fn check(slot: &Slot, overrides: &[&str; 2]) {
    let bundled = BUNDLE.original(NAME).expect("the slot is bundled");
    let texts = [bundled, overrides[0], overrides[1]];
    let mut layers = Layer::ALL.into_iter().zip(texts).map(|(layer, text)| {
        let text = SlotText::read(text.as_bytes(), layer, &Limits::DEFAULT);
        (layer, text.expect("a layer of a valid slot is valid"))
    });
    let layers: [(Layer, SlotText); 3] = std::array::from_fn(|_| layers.next().expect("a layer"));
    for explained in slot.explain().keys {
        let key = explained.key.as_str();
        assert_eq!(slot.origin(key).as_ref(), Some(&explained.origin), "{key}");
        let highest = layers
            .iter()
            .rev()
            .find(|(layer, text)| says(*layer, text, key));
        assert_eq!(
            highest.map(|(layer, _)| *layer),
            Some(explained.origin.layer),
            "{key}"
        );
    }
    // Written out, a slot is the same one, over nothing.
    let yaml = slot.to_data().to_yaml();
    let loader = PromptLoader::builder()
        .app_memory([("alone", yaml.as_str())])
        .build();
    match loader.resolve("alone", &Override::new()) {
        Ok(again) => {
            assert_eq!(again.fingerprint(), slot.fingerprint(), "{yaml}");
            assert_eq!(again.to_data(), slot.to_data(), "{yaml}");
            assert_eq!(again.template(), slot.template(), "{yaml}");
        }
        Err(error) => panic!("{error}\n{:#?}\n{yaml}", error.findings()),
    }
}

/// Tells whether a layer sets a key, or an attribute of the variable that it names.
fn says(layer: Layer, text: &SlotText, key: &str) -> bool {
    let leaves = text.leaves();
    let says = |key: &str| leaves.iter().any(|(leaf, _)| leaf == key);
    let attribute = |leaf: &str| {
        let rest = leaf
            .strip_prefix(key)
            .and_then(|rest| rest.strip_prefix('.'));
        rest.is_some_and(|rest| ["description", "default", "required"].contains(&rest))
    };
    says(key)
        || key.starts_with("variables.") && leaves.iter().any(|(leaf, _)| attribute(leaf))
        // A text for one call switches the slot on.
        || key == "enabled" && layer == Layer::Runtime && says("template")
}
