//! Compiles `prompts` into the program, and `drafts` into a bundle of its own.

fn main() {
    prompt_slots_build::Embed::new("prompts")
        .root_env("CONSUMER_ROOT")
        .home_dir(".consumer")
        .enabled_by_default()
        .run();
    prompt_slots_build::Embed::new("drafts, \"odd\" #1 é")
        .out_file("drafts.rs")
        .run();
}
