//! Writes the slots of each size, and the tables that find them.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use prompt_slots_build::Embed;
use prompt_slots_made as made;

const SIZES: [usize; 4] = [2, 20, 1_000, 10_000];

fn main() -> Result<(), Box<dyn Error>> {
    let out_dir = env::var("OUT_DIR")?;
    let out = Path::new(&out_dir);
    for size in SIZES {
        let slots = out.join(format!("slots_{size}"));
        made::write(&slots, size)?;
        // By its whole path, which is also what cargo watches.
        Embed::new(slots.display().to_string())
            .out_file(format!("bundle_{size}.rs"))
            .generate_in(out, out, "tables")?;
        let templates = out.join(format!("templates_{size}"));
        fs::create_dir_all(&templates)?;
        for index in 0..size {
            fs::write(templates.join(made::name(index)), made::template(index))?;
        }
        minijinja_embed::embed_templates!(templates.display().to_string(), &[][..], size);
        backdate(&slots)?;
        backdate(&templates)?;
        fs::write(out.join(format!("tables_{size}.rs")), tables(size)?)?;
    }
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// Makes what was just written old: both peers tell cargo to watch it, and it would be newer than this very run.
fn backdate(dir: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(dir)? {
        fs::File::open(entry?.path())?.set_modified(SystemTime::UNIX_EPOCH)?;
    }
    fs::File::open(dir)?.set_modified(SystemTime::UNIX_EPOCH)
}

/// Writes the texts, and the ways to find one by its name.
fn tables(size: usize) -> Result<String, std::fmt::Error> {
    let mut code = format!(
        "pub mod bundle {{ prompt_slots::bundle!(\"bundle_{size}.rs\"); }}
        pub static DIR: include_dir::Dir = include_dir::include_dir!(\"$OUT_DIR/slots_{size}\");
        pub fn embed(env: &mut minijinja::Environment<'static>) {{ minijinja_embed::load_templates!(*env, \"{size}\"); }}\n"
    );
    let mut map = phf_codegen::Map::new();
    let (mut names, mut texts, mut handles, mut arms) =
        (String::new(), String::new(), String::new(), String::new());
    for index in 0..size {
        let name = made::name(index);
        writeln!(names, "{name:?},")?;
        writeln!(texts, "{:?},", made::template(index))?;
        writeln!(handles, "&bundle::slots::{},", name.to_uppercase())?;
        writeln!(arms, "{name:?} => {index},")?;
        map.entry(name, format!("TEXTS[{index}]"));
    }
    writeln!(code, "pub static NAMES: [&str; {size}] = [{names}];")?;
    writeln!(code, "pub static TEXTS: [&str; {size}] = [{texts}];")?;
    writeln!(
        code,
        "pub static HANDLES: [&prompt_slots::Handle; {size}] = [{handles}];"
    )?;
    writeln!(
        code,
        "pub static PHF: phf::Map<&'static str, &'static str> = {};",
        map.build()
    )?;
    writeln!(
        code,
        "pub fn by_match(name: &str) -> Option<&'static str> {{ TEXTS.get(match name {{ {arms} _ => return None }}).copied() }}"
    )?;
    Ok(code)
}
