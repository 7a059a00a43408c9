"""Fills corpus/ with small inputs: the rows of the conformance tables, and the slots of config/, docs/ and tests/."""

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


SEEDS = {"jinja": templates("jinja2.json"), "fstring": templates("fstring.json"), "slot_yaml": slots()}
for target, seeds in SEEDS.items():
    corpus = HERE / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        (corpus / f"seed-{number:03}").write_bytes(seed)
    print(f"{target}: {len(seeds)} seeds")
