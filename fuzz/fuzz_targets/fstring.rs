//! Any text is an f-string template or findings that point into it, and the escaped text gives itself back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prompt_slots_core::{
    Compiled, Format, Limits, Strictness, Value, placeholders_of_other_format, to_values,
};

fuzz_target!(|source: &str| {
    match Compiled::new(Format::FString, source, &Limits::DEFAULT) {
        Ok(compiled) => {
            let names = compiled.free_names().iter().map(|name| (&name.name, 1));
            let values = names.collect::<std::collections::BTreeMap<_, _>>();
            let rendered = compiled.render(&to_values(&values), Strictness::Strict);
            rendered.expect("all names have a value");
        }
        Err(errors) => {
            for range in errors.iter().filter_map(|err| err.range.clone()) {
                assert!(source.get(range).is_some(), "a range cuts a character");
            }
        }
    }
    let doubled = source.replace('{', "{{").replace('}', "}}");
    let compiled = Compiled::new(Format::FString, &doubled, &Limits::DEFAULT);
    let rendered = compiled.map(|text| text.render(&Value::from(()), Strictness::Strict));
    assert_eq!(rendered, Ok(Ok(source.to_owned())));
    for format in Format::ALL {
        let _ = placeholders_of_other_format(source, format);
    }
});
