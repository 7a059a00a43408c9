//! Greets, classifies and types, with prompts that are compiled in and can be overridden.

use std::error::Error;

use prompt_slots::Override;
use serde_free::User;

mod prompts {
    //! The program's own slots.
    prompt_slots::bundle!();
}

mod drafts {
    //! A second bundle in one crate.
    prompt_slots::bundle!("drafts.rs");
}

mod serde_free {
    //! Values without a derive: a map is as good as a struct.
    use std::collections::BTreeMap;

    pub type User = BTreeMap<&'static str, &'static str>;
}

fn main() -> Result<(), Box<dyn Error>> {
    let loader = prompts::loader();

    let greeting = prompts::slots::GREETING.resolve(&loader, &Override::new())?;
    let user = User::from([("name", "Ana")]);
    let vars = prompts::slots::greeting::Vars::new(&user).tone("calm");
    print!("{}", greeting.render(&vars)?.unwrap_or_default());
    println!("[{} {:?}]", greeting.name(), greeting.llm().model());

    let frugal = Override::new().model("tiny").append("Reply at once.");
    let classify = prompts::slots::CLASSIFY.resolve(&loader, &frugal)?;
    let vars = prompts::slots::classify::Vars::new("my {card} was refused");
    print!("{}", classify.render(&vars)?.unwrap_or_default());
    println!(
        "[{} {:?} {:?}]",
        classify.name(),
        classify.llm().model(),
        classify.llm().max_tokens()
    );

    let typing = prompts::slots::TYPE.resolve(&loader, &Override::new())?;
    let vars = prompts::slots::r#type::Vars::new(["haiku", "list"]).new_("milk, eggs");
    println!("{}", typing.render(&vars)?.unwrap_or_default());

    let names = prompts::slots::BUNDLE.resolve(&loader, &Override::new())?;
    let vars = prompts::slots::bundle::Vars::new(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    println!("{}", names.render(&vars.u8(15))?.unwrap_or_default());

    let drafts = drafts::loader();
    println!(
        "{}",
        drafts::slots::_2ND_TRY
            .load(&drafts)?
            .unwrap_or_else(|| unreachable!("it is enabled"))
    );
    println!("{:?}", drafts.root().app_dir);
    println!("{}", drafts::slots::_2ND_TRY.load(&loader).unwrap_err());
    println!("{}", prompts::BUNDLE.names().collect::<Vec<_>>().join(" "));
    Ok(())
}
