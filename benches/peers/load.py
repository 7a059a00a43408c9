"""A loader of the same rules in Python, as one might write it: default, then the operator's file, key by key.

usage: load.py DEFAULT.yaml OVERRIDE.yaml
"""

import sys

import yaml


def merge(below, above):
    merged = dict(below)
    for key, value in above.items():
        both_maps = isinstance(value, dict) and isinstance(below.get(key), dict)
        merged[key] = merge(below[key], value) if both_maps else value
    return merged


def load(default_path, override_path):
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with open(default_path, encoding="utf-8") as file:
        slot = yaml.load(file, loader) or {}
    try:
        with open(override_path, encoding="utf-8") as file:
            slot = merge(slot, yaml.load(file, loader) or {})
    except FileNotFoundError:
        pass
    if not isinstance(slot.get("enabled", False), bool):
        sys.exit("enabled must be true or false")
    template = slot.get("template")
    if not isinstance(template, str):
        sys.exit("template must be text")
    return template if slot.get("enabled") and template.strip() else None


text = load(*sys.argv[1:])
if text is None:
    sys.exit(3)
sys.stdout.write(text)
