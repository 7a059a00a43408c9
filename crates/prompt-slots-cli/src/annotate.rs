//! A slot as YAML with comments: it reads back to the slot, and a person reads what is known of each key.

use prompt_slots::{Data, printable};

/// The lines of a template that are shown, if it has many more.
const SHOWN: usize = 8;

/// How many lines more are not worth a cut.
const SLACK: usize = 4;

/// The most characters of a value in a comment.
const BRIEF: usize = 50;

/// YAML that is written key by key, in the order of a slot file.
pub(crate) struct Annotated {
    out: String,
    /// The sections that are open.
    open: Vec<String>,
}

impl Annotated {
    pub(crate) fn new() -> Self {
        Self {
            out: String::new(),
            open: Vec::new(),
        }
    }

    pub(crate) fn finish(self) -> String {
        self.out
    }

    /// Writes a line that is about no key.
    pub(crate) fn comment(&mut self, text: &str) {
        self.comments(0, &[text.to_owned()]);
    }

    /// Writes a key with its value, below comments on it.
    pub(crate) fn value(&mut self, path: &str, value: &Data, comments: &[String]) {
        let (name, indent) = self.enter(path);
        self.comments(indent, comments);
        let yaml = Data::map([(name.as_str(), value.clone())]).to_yaml();
        for line in yaml.lines() {
            if !line.is_empty() {
                self.out.push_str(&" ".repeat(indent));
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
    }

    /// Writes a key whose value is long text: its first lines, and how many more there are.
    pub(crate) fn folded(&mut self, path: &str, value: &Data, comments: &[String]) {
        let lines: Vec<&str> = match value {
            Data::Text(text) => text.split_inclusive('\n').collect(),
            _ => Vec::new(),
        };
        if lines.len() <= SHOWN + SLACK {
            return self.value(path, value, comments);
        }
        let (shown, rest) = lines.split_at(SHOWN);
        self.value(path, &Data::from(shown.concat().as_str()), comments);
        self.comment(&format!("… {} more lines: --full shows them", rest.len()));
    }

    /// Writes that a layer took a key back.
    pub(crate) fn taken_back(&mut self, path: &str, comments: &[String]) {
        self.separate();
        let mut lines = vec![format!("{path} is taken back with null")];
        lines.extend(comments.iter().map(|comment| format!("  {comment}")));
        self.comments(0, &lines);
    }

    /// Opens the sections around a key; returns its own name and its indentation.
    fn enter(&mut self, path: &str) -> (String, usize) {
        let (sections, name) = split(path);
        let known = self.open.iter().zip(&sections).take_while(|(a, b)| a == b);
        let mut depth = known.count();
        if depth == 0 {
            self.separate();
        }
        self.open.truncate(depth);
        for section in sections.into_iter().skip(depth) {
            self.out.push_str(&"  ".repeat(depth));
            self.out.push_str(section);
            self.out.push_str(":\n");
            self.open.push(section.to_owned());
            depth += 1;
        }
        (name.to_owned(), 2 * depth)
    }

    /// Writes an empty line, unless there is one: behind a text that ends with empty lines it would be one more of them.
    fn separate(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn comments(&mut self, indent: usize, comments: &[String]) {
        for comment in comments {
            self.out.push_str(&" ".repeat(indent));
            self.out.push_str("# ");
            self.out.push_str(&printable(comment));
            self.out.push('\n');
        }
    }
}

/// Splits a key path into the sections around the key, and its name, which may hold dots.
fn split(path: &str) -> (Vec<&str>, &str) {
    for sections in [
        vec!["llm", "extra"],
        vec!["llm"],
        vec!["variables"],
        vec!["validation"],
    ] {
        let prefix = sections.join(".") + ".";
        if let Some(name) = path.strip_prefix(&prefix) {
            return (sections, name);
        }
    }
    (Vec::new(), path)
}

/// Returns a value on one short line; text is in quotes.
pub(crate) fn brief(value: &Data) -> String {
    let Data::Text(text) = value else {
        return cut(&value.to_json().to_string());
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = cut(lines.next().unwrap_or_default().trim());
    match lines.count() {
        0 => format!("\"{first}\""),
        1 => format!("\"{first}\" and 1 more line"),
        rest => format!("\"{first}\" and {rest} more lines"),
    }
}

fn cut(text: &str) -> String {
    let mut chars = text.chars();
    let mut short: String = chars.by_ref().take(BRIEF).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}
