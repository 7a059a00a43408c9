//! Compiles `config/prompt_slots` into the library.

fn main() {
    prompt_slots_build::Embed::new("config/prompt_slots")
        .root_env("EVEROS_ROOT")
        .home_dir(".everos")
        .run();
}
