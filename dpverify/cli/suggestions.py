"""What was probably meant by an option that no command has, and which extra has a package that is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import pairwise

import click

EXTRAS = {
    "audit": ("joblib", "numpy", "scipy"),
    "parquet": ("pyarrow",),
    "report": ("jinja2", "latex2mathml", "markupsafe", "matplotlib"),
    "pdf": ("typst",),
    "mechanisms": ("arviz_stats",),
    "symbolic": ("sympy",),
    "systems": ("dp_accounting", "opendp"),
    "app": ("marimo", "starlette", "uvicorn"),
}
"""The packages of each extra, the smaller extras first where a package is in several."""
OF_COMMANDS = {name: name for name in ("audit", "report", "theorems")} | {"reproduce": "mechanisms", "explore": "app"}
"""Commands that need more than one package of an extra: naming the first that is missing would not be the end of it."""


def extra(missing: str, arguments: Sequence[str]) -> str:
    """The smallest extra that serves for a package that is missing in this command; "all" where none is known."""
    command = next((word for word in arguments if not word.startswith("-")), "")
    package = missing.partition(".")[0]
    return OF_COMMANDS.get(command) or next((name for name, has in EXTRAS.items() if package in has), "all")


PICTURES = (".png", ".svg", ".pdf", ".csv")


def after_plot(arguments: Sequence[str]) -> str:
    """The file that is named where --plot takes none, or ""."""
    return next(
        (file for word, file in pairwise(arguments) if word == "--plot" and file.lower().endswith(PICTURES)), ""
    )


def suggestion(error: click.UsageError, arguments: Sequence[str]) -> str:
    """A half sentence for the first unknown option in an error's message, or else in the arguments of the command.

    "" where nothing comes near.
    """
    if error.ctx is None:
        return ""
    options = [o for p in error.ctx.command.params for o in p.opts if o.startswith("--")]
    if file := after_plot(arguments):
        return f"; a picture is written by -o {file}" if "--output" in options else "; pictures: `dpverify report`"
    typed = f"{error.format_message()} {' '.join(arguments)}"
    found = re.finditer(r"(?<!\S)\W?--([A-Za-z][\w-]*)(?:[ =]([^\s)]+))?", typed)
    unknown = next((match for match in found if f"--{match[1]}" not in (*options, "--help")), None)
    if unknown is None:
        return ""
    name, value = unknown[1], unknown[2] or "..."
    longer = [o for o in options if o.startswith(f"--{name}")]
    close = longer or get_close_matches(f"--{name}", options, 1, 0.75)
    if close:
        return f"; did you mean {close[0]}?"
    from dpverify.language.parser import RESERVED

    if "--param" in options and name.isidentifier() and name not in RESERVED:
        return f"; a parameter is given as --param {name}={value}"
    return ""
