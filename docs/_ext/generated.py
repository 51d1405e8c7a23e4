"""What the reference takes from the program: the certificate's schema, the catalogue, the examples of --help."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from dpverify.generators import Family, families

SCHEMA = "certificate/certificate-2.schema.json"


class CertificateFormat(SphinxDirective):
    """`{certificate-format}`: every field of the schema, in its order."""

    def run(self) -> list[nodes.Node]:
        schema = json.loads(files("dpverify").joinpath(SCHEMA).read_text())
        lines = [*_list(_fields(schema, "")), "where", "", *_list(_definitions(schema["$defs"]))]
        return self.parse_text_to_nodes("\n".join(lines))


class FamilyCatalogue(SphinxDirective):
    """`{family-catalogue}`: a section for each family of the catalogue."""

    def run(self) -> list[nodes.Node]:
        lines = [line for family in families().values() for line in _section(family)]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def _list(rows: Iterator[tuple[str, str, str]]) -> list[str]:
    """A definition list, which a phone can show: field, its values, what it holds."""
    return [line for name, values, text in rows for line in (name, f": {values}{'. ' if text else ''}{text}", "")]


def _fields(schema: dict[str, Any], prefix: str) -> Iterator[tuple[str, str, str]]:
    for name, value in schema.get("properties", {}).items():
        yield f"`{prefix}{name}`", _values(value), value.get("description", "")
        rows = (row for inner in _objects(value) for row in _fields(inner, f"{prefix}{name}."))
        yield from dict.fromkeys(rows)


def _objects(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The forms of a value that have fields: itself, its alternatives, what it is a list of."""
    return [value, *value.get("oneOf", []), value.get("items", {})]


def _definitions(definitions: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for name, value in definitions.items():
        yield f"*{name}*", _values(value), value.get("description", "")
        yield from _fields(value, f"{name}.")


def _values(value: dict[str, Any]) -> str:
    """What a value may be, in words."""
    if "oneOf" in value:
        return " or ".join(dict.fromkeys(_values(choice) for choice in value["oneOf"]))
    if "$ref" in value:
        return f"*{value['$ref'].rpartition('/')[2]}*"
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    if "enum" in value:
        return ", ".join(f"`{json.dumps(choice)}`" for choice in value["enum"])
    kind = value.get("type", "any")
    kinds = [kind] if isinstance(kind, str) else kind
    words = " or ".join({"string": "text", "array": "list"}.get(k, k) for k in kinds)
    if value.get("items"):
        words += f" of {_values(value['items'])}"
    if isinstance(value.get("additionalProperties"), dict):
        words += f", name to {_values(value['additionalProperties'])}"
    if "pattern" in value:
        words += f" `{value['pattern']}`"
    limits = [f"{word} {value[key]:,}" for key, word in LIMITS.items() if key in value]
    return ", ".join([words, *limits])


LIMITS = {
    "minimum": "at least",
    "maximum": "at most",
    "minItems": "entries at least",
    "maxItems": "entries at most",
    "maxLength": "characters at most",
}


def _section(family: Family) -> list[str]:
    defaults = {p.name: p.default for p in family.parameters if p.default is not None}
    complete = len(defaults) == len(family.parameters)
    form = family.closed_form(1, defaults) if complete else None
    rows = [("generator", f"`{family.text}`"), ("private", family.private_when)]
    for p in family.parameters:
        default = f", default {p.default}" if p.default is not None else ""
        rows.append((f"`{p.name}`", f"{p.meaning}; `{p.condition}`{default}"))
    if form is not None:
        rows += [("$\\varepsilon$", f"`{form.epsilon}`, $\\delta = \\Delta/\\sigma$"), ("largest at", form.attained_at)]
    if family.mass:
        rows.append(("mass", f"`{family.mass}`, the integral of f over $\\mathbb R^d$"))
    if family.keywords:
        rows.append(("known as", ", ".join(family.keywords)))
    rows += [("notes", family.notes), ("source", family.source)]
    table = [f"| {name} | {text if '`' in text else text.replace('*', chr(92) + '*')} |" for name, text in rows]
    title = family.name.replace("_", chr(92) + "_")
    return [f"## {family.title} ({title})", "", "| | |", "| --- | --- |", *table, ""]


EXAMPLE = re.compile(r"^dpverify ")


def examples_as_code(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """The examples of a command's help, which sphinx-click sets as lines of text, as a block of code."""
    found, at = [line for line in lines if EXAMPLE.match(line.removeprefix("| "))], 0
    if not found:
        return
    at = lines.index(found[0])
    lines[:] = [line for line in lines if line not in found]
    block = [".. code-block:: console", "", *(f"   $ {line.removeprefix('| ')}" for line in found), ""]
    lines[at:at] = ["", *block]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("certificate-format", CertificateFormat)
    app.add_directive("family-catalogue", FamilyCatalogue)
    app.connect("sphinx-click-process-description", examples_as_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
