//! A template can ask for anything; it gets an error, soon, and without much memory.

use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use minijinja::{Value, context};
use prompt_slots_core::{Compiled, Format, Limits, Strictness};

/// Templates that ask for too much; `long` is a text of 100 kB, `many` a list of 10 000 numbers.
const HOSTILE: &[&str] = &[
    // Widths, counts and precisions.
    "{{ [1]|tojson(indent=1000000000) }}",
    "{{ [1]|tojson(indent=9223372036854775807) }}",
    "{{ [[[[1]]]]|tojson(indent=long) ~ [[[many]]]|tojson(indent=long) }}",
    "{{ 'a'|indent(1000000000, true) }}",
    "{{ 'a'|indent(9223372036854775807, true) }}",
    "{{ many|join('\n')|indent(1000) }}",
    "{{ 'a'|center(1000000000) }}",
    "{{ 'a'|center(9223372036854775807) }}",
    "{{ [1]|batch(1000000000, 'x')|list }}",
    "{{ [1]|batch(9223372036854775807, 'x')|list }}",
    "{{ [1]|slice(1000000000)|list }}",
    "{{ [1]|slice(9223372036854775807, 'x')|list }}",
    "{{ [1]|batch(0)|list }}",
    "{{ [1]|slice(0)|list }}",
    "{{ [1]|batch(-1)|list }}",
    "{{ 1.5|round(2147483647) }}",
    "{{ 1.5|round(-2147483648) }}",
    "{{ 15|round(-2147483648, 'floor') }}",
    "{{ 1.5|round(-9223372036854775808, 'ceil') }}",
    "{{ 1e300|round(300, 'ceil') }}",
    "{{ '%1000000000d'|format(1) }}",
    "{{ '%-1000000000s'|format('a') }}",
    "{{ '%.1000000000f'|format(1) }}",
    "{{ '%(a)99999999999999999999d'|format(a=1) }}",
    "{{ '%*d'|format(1000000000, 1) }}",
    "{{ ('%10000d' * 10000)|format(1) }}",
    "{{ long|truncate(10, true, long, 0) }}",
    "{{ long|truncate(-1) }}",
    // What one argument multiplies with another, or with the items; none of these renders.
    "{{ (long|trim('b' * 99999 ~ 'a')).x.y }}",
    "{{ long.strip('b' * 99999 ~ 'a').x.y }}",
    "{{ long.rstrip('b' * 99999 ~ 'a').x.y }}",
    "{{ many|map(attribute='a.' * 100000 ~ 'a', default=0)|sum }}",
    "{{ many|sort(attribute='0,' * 100000 ~ '0') }}",
    "{{ many|groupby('0.' * 100000 ~ '0') }}",
    "{{ many|selectattr('0.' * 100000 ~ '0')|list }}",
    "{{ many|unique(attribute='0.' * 100000 ~ '0')|list }}",
    // Keys that take long to hash, and indexes that count the characters of a text.
    "{% set d = {'a': 1, 'b': 2} %}{% set x = range(90000)|list %}{% for i in range(1000) %}{% if d[x] is defined %}{% endif %}{% endfor %}",
    "{% set d = {'a': 1} %}{% set x = 'a' * 400000 %}{% for i in range(9000) %}{% if d[x] is defined %}{% endif %}{% endfor %}",
    "{% set x = range(90000)|list %}{% for i in range(9000) %}{% if {x: 1, 'b': 2} %}{% endif %}{% endfor %}",
    "{% set x = range(90000)|list %}{% for i in range(9000) %}{% if dict({x: 1}) %}{% endif %}{% endfor %}",
    "{% set x = range(90000)|list %}{% for i in range(9000) %}{% if {'a': 1, (1, x): 1} %}{% endif %}{% endfor %}",
    "{% set d = {'a': 1} %}{% for i in range(9000) %}{% if d[range(90000)] %}{% endif %}{% endfor %}",
    "{% set d = {'a': 1} %}{% for i in range(9000) %}{% if d[{'a': [many]}] %}{% endif %}{% endfor %}",
    "{% set x = 'a' * 400000 %}{{ many|map(attribute=x, default=0)|sum }}",
    "{{ many|map(attribute=many, default=0)|sum }}",
    "{% set d = {'a': 1} %}{% set x = range(90000)|list %}{% for i in range(9000) %}{% if x is in d %}{% endif %}{% endfor %}",
    "{% set x = '\u{e9}' * 400000 %}{% for i in range(3000) %}{% if x[399999] %}{% endif %}{% endfor %}",
    "{% set x = '\u{e9}' * 400000 %}{% for i in range(3000) %}{% if x[-1] %}{% endif %}{% endfor %}",
    "{% set x = '\u{e9}' * 400000 %}{% for i in range(3000) %}{% if [x][0][i - 1] %}{% endif %}{% endfor %}",
    "{{ texts|map(attribute=-1)|join }}",
    "{{ texts|max }}",
    "{% set x = 'a' * 400000 %}{% for i in range(9999) %}{% if [x, x, x, x, x, x, x, x, x]|max %}{% endif %}{% endfor %}",
    // Comparisons of what the template made; a filter pays for them.
    "{% set x = range(90000)|list %}{% for i in range(9000) %}{% if x == [1] or many == x %}{% endif %}{% endfor %}{{ long * 99 }}",
    "{% set x = [range(90000)|list] %}{% for i in range(9000) %}{% if x[0] in x or x[0] < twins[0][0] %}{% endif %}{% endfor %}{{ long * 99 }}",
    "{% set x = 'a' * 400000 %}{% for i in range(9000) %}{% if long in [x] or long < long or long in long == x %}{% endif %}{% endfor %}{{ long * 99 }}",
    "{% set x = range(90000)|list %}{% for i in range(99999) %}{% if x in {'a': 1} %}{% endif %}{% endfor %}",
    "{% set x = 'a' * 400000 %}{% for i in range(99999) %}{% if x in {'a': 1} %}{% endif %}{% endfor %}",
    // Lists that grow, and what changes, again and again.
    "{% set ns = namespace(a=[1, 2, 3]) %}{% for i in range(20000) %}{% set ns.a = ns.a + [1, 2, 3] %}{% endfor %}{{ ns.a|length }}",
    "{% set ns = namespace(a=[1]) %}{% for i in range(20000) %}{% set ns.a = [1, 2, 3] + (ns.a if i else []) %}{% endfor %}{{ ns.a|length }}",
    "{% set x = range(90000)|list %}{% set z = range(90000)|list %}{% for i in range(9000) %}{% if loop.changed(x if i % 2 else z) %}{% endif %}{% endfor %}",
    "{% for i in range(9000) %}{% if loop.changed(1, [many]) %}{% endif %}{% endfor %}",
    // What Python does not compare.
    "{{ long < 1 }}",
    "{{ 1 < 2 < long }}",
    "{{ many < long }}",
    "{{ none < none }}",
    "{{ 1 in long }}",
    "{{ long in 1 }}",
    "{{ 1 < 2 in 3 }}",
    // Numbers.
    "{{ range(1000000000) }}",
    "{{ range(9223372036854775807)|list }}",
    "{{ range(-9223372036854775808, 9223372036854775807)|length }}",
    "{{ range(0, 10, 0) }}",
    "{{ range(10000000000000000000000) }}",
    "{{ 2 ** 1000000000 }}",
    "{{ 10 ** 10 ** 10 }}",
    "{{ 1e308|int }}",
    "{{ ('9' * 1000)|int }}",
    "{{ 'zz'|int(base=99) }}",
    // Texts that grow.
    "{{ 'a' * 1000000000 }}",
    "{{ 1000000000 * 'a' }}",
    "{{ 'a' * 9223372036854775807 }}",
    "{{ (long * 1000)|length }}{{ (long * 1000)|length }}",
    "{{ long|replace('a', long) }}",
    "{{ long|replace('', long) }}",
    "{{ many|join(long) }}",
    "{{ many|map('string')|map('replace', '', long)|list }}",
    "{{ (long|e * 100)|e|replace('a', long) }}",
    "{% set ns = namespace(s='aaaa') %}{% for i in range(100) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s|length }}",
    "{% set ns = namespace(s='aaaa') %}{% for i in range(100) %}{% set ns.s = ns.s|replace('a', 'aa') %}{% endfor %}{{ ns.s|length }}",
    "{% set ns = namespace(s='<') %}{% for i in range(100) %}{% set ns.s = [ns.s, ns.s]|tojson %}{% endfor %}{{ ns.s|length }}",
    "{% set ns = namespace(s='%s%s') %}{% for i in range(100) %}{% set ns.s = ns.s|format(ns.s, ns.s) %}{% endfor %}{{ ns.s|length }}",
    "{% for i in range(100000) %}{% for j in range(100000) %}{{ i }}{% endfor %}{% endfor %}",
    // Lists that grow, and lists that nest.
    "{{ (many * 100000)|list }}",
    "{{ (many * 100000)|sum }}",
    "{{ (many * 100000)|sort }}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = ns.l|batch(1)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100) %}{% set ns.l = ns.l|batch(3, ns.l)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100) %}{% set ns.l = [1]|slice(3, ns.l)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = ns.l|groupby(0, default=0) %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = [{}]|groupby('a', default=ns.l) %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = [nope]|map('default', ns.l)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = [{}]|map(attribute='a', default=ns.l)|list %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(100000) %}{% set ns.l = dict(a=ns.l) %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = dict(a=ns.l, b=ns.l) %}{% endfor %}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|tojson }}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|string }}",
    "{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l|join }}",
    "{% set ns = namespace(l=1) %}{% set ns.l = ns %}{{ ns }}",
    "{% set ns = namespace(l=1) %}{% set ns.l = ns %}{{ ns|tojson }}",
    // Calls that never end.
    "{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}",
    "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    // What is not there.
    "{{ debug() }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ cycler.__init__.__globals__ }}",
    "{{ lipsum() }}",
    "{{ 'a'|attr('upper') }}",
    "{{ 'मेरा नाम'|wordcount }}",
    // One value of everything that was ever tried; `texts` holds 100 000 times the text of 100 kB.
    "{{ 'a' * 20000000000 }}",
    "{{ [1] * 20000000000 }}",
    "{{ many * 20000000000 }}",
    "{{ (1, 2) * 20000000000 }}",
    "{{ texts|join }}",
    "{{ texts|join(long) }}",
    "{{ ''.join(texts) }}",
    "{{ texts|tojson }}",
    "{{ texts }}",
    "{{ texts ~ '' }}",
    "{{ texts|string|length }}",
    "{{ texts|map('upper')|list|length }}",
    "{{ texts|map('e')|join|length }}",
    "{{ long.split('') }}",
    "{{ long.replace('', long) }}",
    "{{ long.join(long) }}",
    "{{ long.join(many) }}",
    "{% for t in texts %}{% for c in t.replace('a', 'b') %}{% endfor %}{% endfor %}",
    "{% for t in texts %}{{ t.split('a') }}{% endfor %}",
    "{{ 99999999999999999999999999999999999999999999 }}",
    "{{ 340282366920938463463374607431768211455 + 1 }}",
    "{{ -170141183460469231731687303715884105727 - 2 }}",
    "{{ 9999999999999999999 * 9999999999999999999999 }}",
    "{{ 2 ** 128 }}",
    "{{ 1 // 0 }}",
    "{{ 1 % 0 }}",
    "{% for i in many %}{{ loop.cycle() }}{% endfor %}",
    "{{ many[::-9223372036854775808] }}",
    "{% include \"/etc/passwd\" %}",
    "{% import \"/etc/passwd\" as x %}",
    "{% extends \"/etc/passwd\" %}",
    "{{ self }}",
    "{{ self() }}",
    "{{ ''.__class__ }}",
    "{{ ''['__class__'] }}",
    "{% set s = 'aaaa' %}{% for i in range(100000) %}{% set s = s ~ s %}{{ s }}{% endfor %}",
    "{% macro m(s) %}{{ m(s ~ s) }}{% endmacro %}{{ m(long) }}",
    "{% macro m(s) %}{{ s }}{{ s }}{% endmacro %}{{ m(m(m(m(m(m(m(m(m(m(long)))))))))) }}",
    "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}",
    "{% set ns = namespace() %}{% set ns.me = ns %}",
    "{% set a = namespace() %}{% set b = namespace() %}{% set a.x = b %}{% set b.x = a %}",
];

/// Templates that are too long to write out.
fn generated() -> Vec<String> {
    let wrap = |inner: String| format!("{{{{ {inner} }}}}");
    let mut made = vec![
        "{{".repeat(1 << 19),
        "{{ a }}".repeat(150_000),
        "x".repeat((1 << 20) + 1),
    ];
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{1:", "}"),
        ("-(", ")"),
        ("[not (", ")]"),
        ("long|e|d(", ")"),
    ] {
        made.push(wrap(format!(
            "{}1{}",
            open.repeat(100_000),
            close.repeat(100_000)
        )));
        made.push(wrap(format!(
            "{}1{}",
            open.repeat(1_000),
            close.repeat(1_000)
        )));
    }
    for chain in ["-", "not ", "- -", "not -", "(", "["] {
        made.extend([1_000, 8_000, 100_000].map(|size| wrap(format!("{}1", chain.repeat(size)))));
    }
    let links = [
        "+ 1",
        "- 1",
        "* 1",
        "** 1",
        "~ 1",
        ".a",
        "[0]",
        "[0:]",
        "|e",
        "|e|upper",
        ".upper()",
        "if 1 else 1",
        "and 1",
        "or 1",
        "== 1",
        "in 1",
        "is odd",
        "()",
        ".a[0]|e + 1",
        "~ 1|e if 1 else 1",
    ];
    for chain in links {
        made.extend([400, 2_000, 60_000].map(|size| wrap(format!("long {}", chain.repeat(size)))));
    }
    made.extend(
        [400, 2_000, 60_000]
            .map(|size| format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}x".repeat(size))),
    );
    for (open, close) in [
        ("{% if 1 %}", "{% endif %}"),
        ("{% for i in many %}", "{% endfor %}"),
        ("{% with %}", "{% endwith %}"),
    ] {
        made.extend([100, 5_000].map(|size| open.repeat(size) + &close.repeat(size)));
    }
    for operand in ["many<1,", "many[long],", "1 in many,"] {
        made.push(format!("{{{{ [{}] }}}}", operand.repeat(1_400)).repeat(60));
    }
    made.extend(doubled());
    if !cfg!(debug_assertions) {
        // Their time is bounded, by what optimised code does in a second.
        made.extend(compared());
    }
    made
}

/// Lists and texts that grow to twice their size in each of many steps.
fn doubled() -> Vec<String> {
    let mut made = Vec::new();
    let steps = [
        "{% set l = [l, l] %}",
        "{% set l = (l, l) %}",
        "{% set l = {'a': l, 'b': l} %}",
        "{% set l = {l: l} %}",
        "{% set l = l + l %}",
        "{% set l = dict(a=l, b=l) %}",
        "{% set l = l|batch(2, l)|list %}",
        "{% set l = {'a': l, 'b': l}.values()|list %}",
        "{% set l = l.get('a', l) + l.get('b', l) %}",
    ];
    let uses = [
        "{{ l }}",
        "{{ l|length }}",
        "{{ l == l }}",
        "{% for x in l %}{{ x }}{% endfor %}",
        "{{ {l: 1} }}",
        "{{ l|tojson }}",
        "",
    ];
    for step in steps {
        made.extend(
            uses.map(|used| format!("{{% set l = [1] %}}{}{used}{{{{ l }}}}", step.repeat(50))),
        );
    }
    for step in [
        "{% set s = s ~ s %}",
        "{% set s %}{{ s }}{{ s }}{% endset %}",
        "{% set s = s|replace('a', 'aa') %}",
        "{% set s = [s, s]|join %}",
        "{% set s = s * 9 %}",
        "{% set s = s.replace('a', 'aa') %}",
    ] {
        made.push(format!(
            "{{% set s = 'aaaa' %}}{}{{{{ s }}}}",
            step.repeat(60)
        ));
    }
    made
}

/// Comparisons of large values, over and over; `twins` are two texts and two lists in a list that are alike.
fn compared() -> Vec<String> {
    let conditions = [
        "twins[0] == twins[1]",
        "twins[0] < twins[1]",
        "twins[0] is lt twins[1]",
        "twins[0] in [twins[1]]",
        "twins|sort",
        "twins|max",
        "twins|select('eq', twins[1])|list",
        "loop.changed(twins[loop.index % 2])",
        "{twins: 1}",
        "twins[0][0][1:] == twins[1][0][1:]",
        "twins[0][0][1:] == twins[0][0]",
        "twins[0][0][:-1][-1]",
        "text[0] == text[1]",
        "text[0] is upper",
        "text[0][-1]",
        "text|unique|list",
        "text[0].split(text[1])",
        "'x'.replace(text[0], text[1])",
        "'x'|indent(text[1])",
        "'x'.strip(text[0])",
    ];
    let repeat = |condition| {
        let test = format!("{{% if {condition} %}}{{% endif %}}").repeat(10);
        format!(
            "{{% for i in range(100000) %}}{{% for j in range(99) %}}{test}{{% endfor %}}{{% endfor %}}"
        )
    };
    conditions.map(repeat).to_vec()
}

/// Set in the child process, which is what the templates may stop.
const CHILD: &str = "PROMPT_SLOTS_TEST_CHILD";
const MOST_MEMORY: u64 = 200 << 20;

#[test]
fn hostile_templates_end_as_errors_soon_in_little_memory_on_a_small_stack() {
    if std::env::var_os(CHILD).is_some() {
        return run_all();
    }
    let exe = std::env::current_exe().unwrap();
    let mut command = if cfg!(unix) {
        // What goes wrong must not take the machine with it.
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "ulimit -v 2000000; exec \"$@\"", "sh"])
            .arg(exe);
        shell
    } else {
        Command::new(exe)
    };
    let name =
        "jinja_limits::hostile_templates_end_as_errors_soon_in_little_memory_on_a_small_stack";
    let output = command
        .args(["--exact", name, "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    println!("{report}");
    let last: Vec<_> = report.lines().rev().take(3).collect();
    assert!(
        output.status.success(),
        "{}: {last:#?}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

fn run_all() {
    let long = Value::from("a".repeat(100_000));
    let texts = Value::from(vec![long.clone(); 100_000]);
    let list = || vec![(0..30_000).collect::<Vec<_>>()];
    let values = context! {
        long, texts,
        many => (0..10_000).collect::<Vec<_>>(),
        twins => vec![list(), list()],
        text => vec!["\u{e9}".repeat(250_000), "\u{e9}".repeat(250_000)],
    };
    let templates = HOSTILE
        .iter()
        .map(|template| (*template).to_owned())
        .chain(generated());
    let mut wrong = Vec::new();
    for template in templates {
        let name: String = template.chars().take(150).collect();
        println!("{name}");
        forget_peak();
        let (sender, receiver) = mpsc::channel();
        let (values, start) = (values.clone(), Instant::now());
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        thread
            .spawn(move || sender.send(render(&template, &values)))
            .unwrap();
        // Optimised code takes some milliseconds; this is what slow machines do in debug builds.
        let rendered = receiver.recv_timeout(Duration::from_mins(1));
        let (time, peak) = (start.elapsed(), peak());
        println!("  {} ms, {} MB", time.as_millis(), peak.unwrap_or(0) >> 20);
        match rendered {
            Ok(Err(_)) if peak.is_none_or(|peak| peak < MOST_MEMORY) => {}
            Ok(rendered) => wrong.push(format!(
                "{name}: {:?}, {peak:?} bytes",
                rendered.map(|text| text.len())
            )),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn render(template: &str, values: &Value) -> Result<String, String> {
    let compiled = Compiled::new(Format::Jinja2, template, &Limits::DEFAULT)
        .map_err(|errors| format!("{errors:?}"))?;
    compiled
        .render(values, Strictness::SemiStrict)
        .map_err(|error| error.message)
}

/// Makes the system forget how much memory the process ever had.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Returns the most memory that the process had, in bytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}
