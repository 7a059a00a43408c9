//! Uses its slots as a program does: by name, and one by its handle.

prompt_slots::bundle!();

fn main() {
    let loader = loader();
    for name in std::env::args().skip(1) {
        println!("{:?}", loader.load(&name).expect("a valid name"));
    }
    println!("{} slots", BUNDLE.names().len());
}
