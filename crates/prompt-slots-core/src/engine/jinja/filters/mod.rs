//! The filters that a template may use: those of Jinja2 whose text can be given alike, and `split`.
//!
//! Left out, so that a template which uses them is refused: `attr`, `forceescape`, `pprint`, `random`, `striptags`,
//! `urlize`, `wordwrap`, `xmlattr`.

mod convert;
mod json;
mod lists;
mod mapped;
pub(super) mod methods;
mod numbers;
pub(super) mod printf;
mod sorted;
mod text;

use minijinja::{Error, Value};

use super::call::{Builtin, Call, VARIADIC};
use super::{relation, subscript};

/// Makes the entry of one filter.
const fn filter(
    name: &'static str,
    parameters: &'static [&'static str],
    run: fn(&mut Call) -> Result<Value, Error>,
) -> Builtin {
    Builtin {
        name,
        parameters,
        run,
    }
}

/// The filters that are put into a template.
pub(in super::super) const SPLICED: [&Builtin; 6] =
    [SLICED, INDEXED, KEY, COMPARED, ADDED, WEIGHED];

/// What values go through before a slice is taken of them; no template can name it.
const SLICED: &Builtin = &filter("sliced", &["value"], lists::sliced);

/// What values go through before a subscript; no template can name it.
const INDEXED: &Builtin = &filter("indexed", &["value"], subscript::indexed);

/// What keys of maps go through; no template can name it.
const KEY: &Builtin = &filter("key", &["value"], subscript::key);

/// What chains of comparisons go through; no template can name it.
const COMPARED: &Builtin = &filter("compared", VARIADIC, relation::compared);

/// What sums that may be lists go through; no template can name it.
const ADDED: &Builtin = &filter("added", &["value"], lists::added);

/// What arguments of `loop.changed` go through; no template can name it.
const WEIGHED: &Builtin = &filter("weighed", &["value"], relation::weighed);

/// Every filter, with the names that Jinja2 gives its parameters.
pub(in super::super) const TABLE: &[Builtin; 47] = &[
    filter("abs", &["x"], numbers::abs),
    filter("batch", &["value", "linecount", "fill_with"], lists::batch),
    filter("capitalize", &["s"], text::capitalize),
    filter("center", &["value", "width"], text::center),
    filter("count", &["obj"], lists::length),
    filter(
        "d",
        &["value", "default_value", "boolean"],
        convert::default,
    ),
    filter(
        "default",
        &["value", "default_value", "boolean"],
        convert::default,
    ),
    filter(
        "dictsort",
        &["value", "case_sensitive", "by", "reverse"],
        sorted::dictsort,
    ),
    filter("e", &["s"], convert::escape),
    filter("escape", &["s"], convert::escape),
    filter(
        "filesizeformat",
        &["value", "binary"],
        numbers::filesizeformat,
    ),
    filter("first", &["seq"], lists::first),
    filter("float", &["value", "default"], numbers::float),
    filter("format", VARIADIC, printf::format),
    filter(
        "groupby",
        &["value", "attribute", "default", "case_sensitive"],
        sorted::groupby,
    ),
    filter("indent", &["s", "width", "first", "blank"], text::indent),
    filter("int", &["value", "default", "base"], numbers::int),
    filter("items", &["value"], lists::items),
    filter("join", &["value", "d", "attribute"], lists::join),
    filter("last", &["seq"], lists::last),
    filter("length", &["obj"], lists::length),
    filter("list", &["value"], lists::list),
    filter("lower", &["s"], text::lower),
    filter("map", VARIADIC, mapped::map),
    filter(
        "max",
        &["value", "case_sensitive", "attribute"],
        sorted::max,
    ),
    filter(
        "min",
        &["value", "case_sensitive", "attribute"],
        sorted::min,
    ),
    filter("reject", VARIADIC, mapped::reject),
    filter("rejectattr", VARIADIC, mapped::rejectattr),
    filter("replace", &["s", "old", "new", "count"], text::replace),
    filter("reverse", &["value"], lists::reverse),
    filter("round", &["value", "precision", "method"], numbers::round),
    filter("safe", &["value"], convert::safe),
    filter("select", VARIADIC, mapped::select),
    filter("selectattr", VARIADIC, mapped::selectattr),
    filter("slice", &["value", "slices", "fill_with"], lists::slice),
    filter(
        "sort",
        &["value", "reverse", "case_sensitive", "attribute"],
        sorted::sort,
    ),
    filter("split", &["s", "sep", "maxsplit"], text::split),
    filter("string", &["object"], convert::string),
    filter("sum", &["iterable", "attribute", "start"], lists::sum),
    filter("title", &["s"], text::title),
    filter("tojson", &["value", "indent"], json::tojson),
    filter("trim", &["value", "chars"], text::trim),
    filter(
        "truncate",
        &["s", "length", "killwords", "end", "leeway"],
        text::truncate,
    ),
    filter(
        "unique",
        &["value", "case_sensitive", "attribute"],
        sorted::unique,
    ),
    filter("upper", &["s"], text::upper),
    filter("urlencode", &["value"], convert::urlencode),
    filter("wordcount", &["s"], text::wordcount),
];
