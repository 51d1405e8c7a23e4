"""JSON Schemas (draft 2020-12): of what every command prints with `--json`, and of the files that are written."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from dpverify.errors import InputError

FILES = {
    "certificate": ("certificate", "certificate-2.schema.json"),
    "certificate-kinds": ("certificate", "certificate-2-kinds.schema.json"),
}
"""Certificates of an epsilon; and of a profile, a composition or a mixture, whose schema refers to the first."""
PARTS = {"sensitivity-evidence": "evidence", "bundle-manifest": "manifest", "audit-file": "audit_report"}
"""Other files, and the definitions that are theirs."""
SHARED = {
    *("result", "formula", "calibration", "calibration_at_delta", "checked", "evidence", "manifest", "points"),
    *("audit_report", "audit_curve", "rational", "ends", "enclosure"),
}


def names() -> list[str]:
    """What there is a schema of: the commands with `--json`, and the files."""
    return [*sorted(set(_output()["$defs"]) - SHARED), *PARTS, *FILES]


def schema(name: str) -> dict[str, Any]:
    """The schema of a command's output or of a file, with all that it refers to; raises InputError for another name."""
    if name in FILES:
        folder, file = FILES[name]
        return _read(folder, file)
    output = _output()
    if name not in names():
        raise InputError(f"there is no schema of {name!r}; there is: {', '.join(names())}")
    inner = PARTS.get(name, name)
    title = f"dpverify: {name}"
    head = {"$schema": output["$schema"], "$id": f"https://dpverify.invalid/{name}.schema.json", "title": title}
    return {**head, "$ref": f"#/$defs/{inner}", "$defs": _needed(inner, output["$defs"])}


def _output() -> dict[str, Any]:
    return _read("schemas", "output.schema.json")


def _read(folder: str, file: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files("dpverify").joinpath(folder, file).read_text(encoding="utf-8"))
    return found


def _needed(name: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """A definition, and those that it refers to, in the file's order."""
    wanted, left = set[str](), [name]
    while left:
        here = left.pop()
        if here not in wanted:
            wanted.add(here)
            left += _references(definitions[here])
    return {key: value for key, value in definitions.items() if key in wanted}


def _references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"].rpartition("/")[2]] if isinstance(value.get("$ref"), str) else []
        return own + [name for inner in value.values() for name in _references(inner)]
    return [name for inner in value for name in _references(inner)] if isinstance(value, list) else []
