"""The command line in this process: `dpverify` with its arguments, and what a shell would see of it.

A process of its own takes half a second to start; tests/cli/test_processes.py starts one for each command and
compares it with what `run` tells.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from flint import ctx

from dpverify.cli import app

USUAL_BITS = 53


@dataclass(frozen=True)
class Done:
    """A command that has ended: its exit status, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str, cwd: Path | None = None, **environment: str) -> Done:
    """Run `dpverify` with these arguments in a folder, 80 columns wide; its output is no terminal's."""
    ctx.prec = USUAL_BITS
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "80", **environment}),
        mock.patch.object(sys, "argv", ["dpverify", *map(str, arguments)]),
        mock.patch.object(app, "_discard_output"),  # it closes the file of standard output, which is ours
        redirect_stdout(out),
        redirect_stderr(err),
        chdir(cwd) if cwd is not None else nullcontext(),
    ):
        try:
            app.main()
            status: object = 0
        except SystemExit as end:
            status = end.code
    written = (stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]
    return Done(status if isinstance(status, int) else int(status is not None), *written)
