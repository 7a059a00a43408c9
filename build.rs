//! Compiles `config/prompt_slots` into the library.

fn main() {
    let slots = prompt_slots_build::Embed::new("config/prompt_slots")
        .root_env("EVEROS_ROOT")
        .home_dir(".everos");
    // Whoever depends on this crate can't change its slots, so warnings are left to `check`.
    if slots.generate().is_err() {
        slots.run();
    }
}
