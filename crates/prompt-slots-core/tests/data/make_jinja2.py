"""Writes jinja2.json: what Python's Jinja2 3.1, at its defaults, makes of every case in jinja2_cases.py.

Run it after a change of the cases, in an environment that has `jinja2==3.1.*`:

    python make_jinja2.py

A case that Jinja2 refuses gets `null` for its output: the engine must refuse it too.
"""

import json
from pathlib import Path

import jinja2

from jinja2_cases import CASES

assert jinja2.__version__.startswith("3.1."), jinja2.__version__


def rows():
    env = jinja2.Environment()
    for group, cases in CASES.items():
        for number, case in enumerate(cases, 1):
            template, values = case if isinstance(case, tuple) else (case, {})
            # The engine gets the values as JSON, so Jinja2 does too.
            values = json.loads(json.dumps(values))
            try:
                output = env.from_string(template).render(values)
            except Exception:
                output = None
            # The address of an object is not the same twice: such a case tests nothing.
            assert " at 0x" not in (output or ""), template
            yield {"name": f"{group} {number}", "template": template, "input": values, "output": output}


def main():
    lines = ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows())
    Path(__file__).with_name("jinja2.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")


main()
