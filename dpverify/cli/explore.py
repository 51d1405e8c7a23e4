"""`dpverify explore`: a local page with a generator's curves, verdict and proof."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import click

from dpverify.cli.options import integer
from dpverify.errors import InputError


@click.command()
@click.option("--example", metavar="NAME", help="Begin with a worked example; see --list.")
@click.option("--list", "listed", is_flag=True, help="List the worked examples.")
@click.option("--port", metavar="N", default="0", help="Port on this machine.  [default: a free one]")
@click.option("--no-browser", is_flag=True, help="Print the address only.")
def explore(example: str | None, listed: bool, port: str, no_browser: bool) -> int:
    """Open the explorer in the browser.

    Type a generator or pick a family, move the sliders, and see f, its potential g, the ratio and the
    privacy loss, with the verdict and its proof. The page is served on this machine alone, and asks
    nothing of the network. Ctrl-C ends it.

    \b
    dpverify explore
    dpverify explore --list
    dpverify explore --example student-t

    Exit status: 0 ended by Ctrl-C, 2 bad input.
    """
    from dpverify.app.examples import by_name

    examples = by_name()
    if listed:
        for found in examples.values():
            click.echo(f"{found.name:<22}{found.title}")
        return 0
    if example is not None and example not in examples:
        raise InputError(f"--example: there is no {example[:40]!r}; `dpverify explore --list` shows them all")
    number = integer(port, "--port")
    if number > 65535:
        raise InputError(f"--port: {number} is no port; leave it out for a free one")
    from dpverify.app.server import serve

    def opened(address: str) -> None:
        click.echo(f"The explorer is at {address} (Ctrl-C ends it)")
        if not no_browser:
            import webbrowser

            webbrowser.open(address)

    with suppress(KeyboardInterrupt):
        serve(example, number, opened)
    sys.stdout.flush()
    os._exit(0)  # threads of marimo's sessions would hold the process for minutes
