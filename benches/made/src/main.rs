fn main(){ let a: Vec<String> = std::env::args().collect(); prompt_slots_made::write(a[1].as_ref(), a[2].parse().unwrap()).unwrap(); }
