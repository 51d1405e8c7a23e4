"""What an option that no command has was probably meant to be."""

from __future__ import annotations

import re
from difflib import get_close_matches

import click


def suggestion(error: click.UsageError) -> str:
    """A half sentence for the first unknown option in an error's message; "" where nothing comes near."""
    found = re.search(r"--([A-Za-z][\w-]*)(?:[ =]([^\s)]+))?", error.format_message())
    if found is None or error.ctx is None:
        return ""
    name, value = found[1], found[2] or "..."
    options = [o for p in error.ctx.command.params for o in p.opts if o.startswith("--")]
    if f"--{name}" in options:
        return ""
    longer = [o for o in options if o.startswith(f"--{name}")]
    close = longer or get_close_matches(f"--{name}", options, 1, 0.75)
    if close:
        return f"; did you mean {close[0]}?"
    if "--param" in options and name.isidentifier():
        return f"; a parameter is given as --param {name}={value}"
    return ""
