"""What several commands read and write in the same way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.calibration import Refusal

EXIT_STATUS = {"not_private": 1, "unreachable": 1, "invalid": 3, "undecided": 4}

RESERVED = {"self", "text", "dimension"}  # Generator's own arguments


def complete_family(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """What the shell offers for a generator: the names of the families."""
    from dpverify.generators import families

    return [name for name in families() if name.startswith(incomplete)]


def integer(text: str, option: str = "--dimension") -> int:
    """A non-negative integer of at most nine digits; raises InputError that names the option."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise InputError(f"{option}: {text[:40]!r} is not a positive integer")
    return int(text)


def parameters(given: tuple[str, ...]) -> dict[str, object]:
    """The parameters NAME=Q of repeated --param options, as texts."""
    found: dict[str, object] = {}
    for item in given:
        name, equals, value = item.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise InputError(f"--param: {item[:40]!r} is not of the form NAME=Q, such as nu=5/2")
        if name in found:
            raise InputError(f"--param: {name[:40]} is given twice")
        if name in RESERVED:
            raise InputError(f"--param: the name {name} is taken; call the parameter something else")
        found[name] = value
    return found


def require_suffix(path: Path, suffixes: set[str]) -> None:
    """Refuse a file of a kind that cannot be written, or in a folder that is not there, before long work."""
    if path.suffix.lower() not in suffixes:
        raise InputError(f"{path}: the file's name must end in {', '.join(sorted(suffixes))}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")


def wrote(path: Path) -> None:
    """Say that a file has been written."""
    from dpverify.show.words import printable

    click.echo(f"wrote {printable(str(path))}")


def refused(refusal: Refusal, as_json: bool) -> int:
    """Say why there is no scale, in one line; with --json, as an object too. Returns the exit status."""
    line = " ".join(str(refusal).split())
    if as_json:
        click.echo(json.dumps({"verdict": refusal.verdict, "scale": None, "epsilon": None, "reason": line}))
    click.echo(f"dpverify: {line}".encode("ascii", "backslashreplace").decode(), err=True)
    return EXIT_STATUS[refusal.verdict]
