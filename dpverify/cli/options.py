"""What several commands read and write in the same way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dpverify.cli.verify import _integer as integer
from dpverify.cli.verify import _parameters as parameters
from dpverify.errors import InputError

if TYPE_CHECKING:
    from dpverify.calibration import NoScale
    from dpverify.results import Result

EXIT_STATUS = {"not_private": 1, "unreachable": 1, "invalid": 3, "undecided": 4}

__all__ = ["integer", "parameters", "refused", "save"]


def refused(refusal: NoScale, as_json: bool) -> int:
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
