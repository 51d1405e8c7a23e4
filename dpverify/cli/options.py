"""What several commands read and write in the same way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.cli.verify import _parameters as parameters
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.calibration import Refusal
    from dpverify.results import Result

EXIT_STATUS = {"not_private": 1, "unreachable": 1, "invalid": 3, "undecided": 4}

__all__ = ["integer", "parameters", "refused", "require_suffix", "save", "wrote"]


def integer(text: str, option: str = "--dimension") -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise InputError(f"{option}: {text[:40]!r} is not a positive integer")
    return int(text)


def require_suffix(path: Path, suffixes: set[str]) -> None:
    """Refuse a file of a kind that cannot be written, or in a folder that is not there, before long work."""
    if path.suffix.lower() not in suffixes:
        raise InputError(f"{path}: the file's name must end in {', '.join(sorted(suffixes))}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")


def wrote(path: Path) -> None:
    from dpverify.report.words import printable

    click.echo(f"wrote {printable(str(path))}")


def refused(refusal: Refusal, as_json: bool) -> int:
    """Say why there is no scale, in one line; with --json, as an object too. Returns the exit status."""
    line = " ".join(str(refusal).split())
    if as_json:
        click.echo(json.dumps({"verdict": refusal.verdict, "scale": None, "epsilon": None, "reason": line}))
    click.echo(f"dpverify: {line}".encode("ascii", "backslashreplace").decode(), err=True)
    return EXIT_STATUS[refusal.verdict]


def save(result: Result, path: Path | None) -> None:
    """Write a result's certificate, where a file is asked for."""
    if path is None:
        return
    try:
        result.save(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
