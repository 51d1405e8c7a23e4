"""A question as others take it: the command for it, the Python for it, and the part of an address that carries it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

if TYPE_CHECKING:
    from dpverify.app.views import Question


def command(question: Question) -> str:
    """The shell command that asks the same and writes the certificate."""
    parts = ["dpverify", "verify", question.generator.text, "--dimension", str(question.generator.dimension)]
    for name, value in question.generator.parameters.items():
        parts += ["--param", f"{name}={value}"]
    parts += ["--sensitivity", str(question.sensitivity), "--scale", str(question.scale)]
    return shlex.join([*parts, "--certificate", question.file])


def python(question: Question) -> str:
    """The Python that asks the same."""
    given = {name: str(value) for name, value in question.generator.parameters.items()}
    lines = [
        "import dpverify",
        "",
        "result = dpverify.verify(",
        f"    {question.generator.text!r},",
        f"    dimension={question.generator.dimension},",
        *([f"    parameters={given!r},"] if given else []),
        f"    sensitivity={str(question.sensitivity)!r},",
        f"    scale={str(question.scale)!r},",
        ")",
        "print(result)",
        f"result.save({question.file!r})",
    ]
    return "\n".join(lines)


def link(question: Question) -> str:
    """The question as a query: f, d, Delta, sigma, and each parameter as p.NAME."""
    plain = question.to_json()
    pairs = [("f", plain["generator"]), ("d", str(plain["dimension"]))]
    pairs += [("Delta", plain["sensitivity"]), ("sigma", plain["scale"])]
    return urlencode([*pairs, *((f"p.{name}", value) for name, value in plain["parameters"].items())])


def carried(query: str) -> Mapping[str, str]:
    """What a link carries, as text: nothing of it is trusted."""
    return dict(parse_qsl(query))
