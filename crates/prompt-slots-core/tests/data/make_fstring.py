#!/usr/bin/env python3
"""Writes fstring.json: what Python's str.format makes of templates that both sides should read alike.

Each row has a template and its inputs, and either the text that Python renders or the error that it raises. Rows with
"stricter" are accepted by Python and refused here on purpose; they have no output.

Run it as `python3 make_fstring.py > fstring.json`; the output does not depend on the version of Python (3.8 or later).
"""

import json
import sys

# Text that must come out as it went in.
VALUES = {
    "empty": "",
    "plain": "hello",
    "braces": "{a} {{b}} {0} }{",
    "jinja": "{{ a }}{% if b %}{# c #}",
    "percent": "%s %(a)s %%",
    "dollar": "$a ${a}",
    "backslash": "\\n \\u0041 \\\\",
    "lines": "one\ntwo\r\nthree\n",
    "json": '{"ok": true, "list": [1, {"a": null}]}',
    "accents": "caf\u00e9 na\u00efve \u0130\u0131",
    "chinese": "\u8bb0\u5fc6\u63d0\u53d6",
    "emoji": "\U0001f469\u200d\U0001f4bb ok",
    "controls": "\u0000\u0001\u001b[31m\u007f\u0085\u2028\ufeff",
    "markup": "<b>&amp;\"'</b>",
    "zero": 0,
    "one": 1,
    "negative": -17,
    "big": 2**63 - 1,
    "small": -(2**63),
    "unsigned": 2**64 - 1,
}

ACCEPTED = [
    ("", {}),
    ("plain text", {}),
    ("{{", {}),
    ("}}", {}),
    ("{{}}", {}),
    ("}}{{", {}),
    ("{{{{", {}),
    ("{{{{}}}}", {}),
    ("{{a}}", {"a": "x"}),
    ("{{ a }}", {"a": "x"}),
    ("{{{a}}}", {"a": "x"}),
    ("{{{{{a}}}}}", {"a": "x"}),
    ("{a}}}", {"a": "x"}),
    ("{{{a}", {"a": "x"}),
    ("}}{a}{{", {"a": "x"}),
    ("{a}{b}", {"a": "x", "b": "y"}),
    ("{a}{a}{a}", {"a": "x"}),
    ("{b} before {a}", {"a": "x", "b": "y"}),
    ("{_}{__}{_1}{A9_z}", {"_": 1, "__": 2, "_1": 3, "A9_z": 4}),
    ("{class} {None} {self}", {"class": "c", "None": "n", "self": "s"}),
    ('{{"ok": {a}}}', {"a": 1}),
    ('{{"ok": {{"a": {a}, "b": [{b}]}}}}', {"a": 1, "b": 2}),
    ('{{\n  "summary": "...",\n  "people": [{{"name": "{a}"}}]\n}}\n', {"a": "Ann"}),
    ("{a}", {"a": "{b}", "b": "never"}),
    ("{a}{b}", {"a": "{", "b": "}"}),
    ("trailing newline\n", {}),
    ("\n\n{a}\n\n", {"a": "\n"}),
    ("tab\t{a}\r\nend", {"a": "\t"}),
    ("%s {a} $b \\n", {"a": "%d"}),
    ("{{%raw%}}{a}{{%endraw%}}", {"a": "x"}),
    ("{{# {a} #}}", {"a": "x"}),
    ("\u4f60\u597d\uff0c{a}\u3002{{\u8bf4\u660e}}", {"a": "\u5c0f\u660e"}),
    ("\U0001f600{a}\U0001f600", {"a": "\U0001f680"}),
    ("{a} is unused b", {"a": "x", "b": "not used"}),
]

REFUSED = [
    "{", "}", "{}", "{0}", "{1}{0}", "a { b", "a } b", "{a", "a}", "{a}}", "{{a}", "{{}", "{}}", "}{", "{{{", "}}}",
    '{"ok": true}', '{"ok": {a}}', '{\n  "ok": [1, 2]\n}', "{'ok': 1}", "{1; 2; 3}", "{ a }", "{a }", "{ a}", "{a\n}",
    "{a b}", "{a-b}", "{a.b}", "{a[b]}", "{a!}", "{a!x}", "{a!rr}", "{a:{b}", "{a:>5", "{a[0}", "{a[}",
    "{a.}", "{a:q}", "{missing}", "{a}{missing}", "{A}", "{,}", "{%if a%}", "{#a#}", "{{{{a}", "{{a}}}", "{a{a}}",
    "{ {a} }", '{"a": {"b": {"c": 1}}}', "{$a}", "{@a}", "{a|b}", "{a,b}", "{-a}", "{a}{", "{a}}{{", "{\u00a0a}",
]

STRICTER = [
    "{a[0]}", "{a!r}", "{a!s}", "{a:}", "{a:>5}", "{a:s}", "{a:{b}}", "{a.__class__}", "{a.upper}", "{a!s:>5}",
]


def attempt(template, values):
    try:
        return {"output": template.format(**values)}
    except (KeyError, IndexError, ValueError, AttributeError, TypeError) as error:
        return {"error": type(error).__name__}


def row(template, values, **more):
    return {"template": template, "values": values, **attempt(template, values), **more}


def main():
    rows = [row("[{a}] and {{a}}", {"a": value}) for value in VALUES.values()]
    rows += [row(template, values) for template, values in ACCEPTED]
    assert all("output" in r for r in rows), [r for r in rows if "output" not in r]

    refused = [row(template, {"a": "x", "b": "y"}) for template in REFUSED]
    assert all("error" in r for r in refused), [r for r in refused if "error" not in r]

    stricter = [row(template, {"a": "x", "b": "5"}) for template in STRICTER]
    assert all(r.pop("output", None) is not None for r in stricter)
    for r in stricter:
        r["stricter"] = True

    lines = (json.dumps(r) for r in rows + refused + stricter)
    sys.stdout.write("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
