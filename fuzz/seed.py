"""Fills corpus/ with small inputs: the rows of the conformance tables, the slots of config/, docs/ and tests/, and overrides."""

import json
import re
from pathlib import Path

HERE = Path(__file__).parent
DATA = HERE.parent / "crates/prompt-slots-core/tests/data"


def templates(name):
    return [row["template"].encode() for row in json.loads((DATA / name).read_text())]


def slots():
    guide = (HERE.parent / "docs/slot-format.md").read_text()
    examples = re.findall(r"^```yaml.*?\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    paths = [path for folder in ["config", "tests/slots"] for path in sorted(HERE.parent.glob(f"{folder}/**/*.yaml"))]
    return [slot.encode() for slot in examples] + [path.read_bytes() for path in paths]


# Overrides of the bundled slot `episode_extract`, each good over its default.
OVERRIDES = [
    "",
    "enabled: true\n",
    "enabled: true # on\nllm:\n  # reviewed\n  model: large\n  temperature: 0\n  stop: [END]\n  extra: {a: false, b: {c: 1}}\n",
    "llm: {max_tokens: null, seed: 7, top_p: 1, extra: {b: 0}}\ndescription: null\noutput_schema: null\n",
    "template: |\n  Sum up.\n\n  {{ memcell.text }}\n",
    "template: 'Sum up {memcell[text]}'\ntemplate_format: f-string\nenabled: false\n",
    "template: 'Sum up {{ memcell.text }} for {{ who }}'\nvariables: {who: {description: x, default: Ada}}\n",
    "template_edits:\n  - find: at most eight sentences\n    replace: at most six sentences\n  - {find: '  - Add', replace: '  - Never add'}\n",
    "template_prepend: |\n  First.\ntemplate_append: 'Last.'\n",
    "variables: {memcell: {description: a piece}}\nx-team: [a, {b: null}]\n",
    "validation:\n  test_cases:\n    - name: own\n      input: {memcell: {text: 'Ada: hi'}}\n      prompt: {contains: ['Ada: hi']}\n",
    "based_on: BASE\nllm: &a {model: x}\nx-a: *a\n",
]
# Old defaults of the same slot, as `rebase` reads them.
BASES = [
    "",
    "*rdescription: old\n",
    "4r  Material.\n@+  - One more.\nA-\n",
    "@r  - Write in at most ten sentences.\n",
    "Qr  model: large\nRr  temperature: 0\n",
    "=enabled: true\ntemplate: |\n  Sum up.\n\n  {{ memcell.text }}\n  Go.\nvariables: {memcell: y, who: {description: z, default: Ada}}\nllm: {model: large}\n",
    "=template: '{memcell}'\ntemplate_format: f-string\nvariables: {memcell: y}\n",
]


def pairs(lefts, rights):
    return [left + b"\xff" + right for left in lefts for right in rights]


def overrides():
    """Returns the overrides, and whole copies of the default's text and settings."""
    default = (HERE.parent / "config/prompt_slots/episode_extract.yaml").read_text()
    text = default[default.index("template: |") : default.index("template_format:")]
    settings = default[default.index("llm:") : default.index("# Every override")]
    return [over.encode() for over in [*OVERRIDES, text, text.replace("eight", "six"), settings]]


SEEDS = {
    "jinja": templates("jinja2.json"),
    "fstring": templates("fstring.json"),
    "slot_yaml": slots(),
    "merge": pairs(overrides(), [over.encode() for over in OVERRIDES]),
    "rebase": pairs(overrides(), [base.encode() for base in BASES]),
}
for target, seeds in SEEDS.items():
    corpus = HERE / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        (corpus / f"seed-{number:03}").write_bytes(seed)
    print(f"{target}: {len(seeds)} seeds")
