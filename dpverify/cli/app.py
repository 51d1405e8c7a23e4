"""The `dpverify` command: its group, and how errors end."""

from __future__ import annotations

import os
import sys

import click

from dpverify import __version__
from dpverify.cli.check import check
from dpverify.cli.families import families
from dpverify.cli.figure import figure
from dpverify.cli.verify import verify
from dpverify.errors import DpverifyError

BAD_INPUT, INTERRUPTED = 2, 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.version_option(__version__, prog_name="dpverify")
def app() -> None:
    """Prove the exact epsilon of elliptical noise, or that there is none.

    \b
    dpverify verify "exp(-sqrt(y))" --dimension 3 --certificate laplace.json
    dpverify check laplace.json
    """


for command in (verify, check, families, figure):
    app.add_command(command)


def main() -> None:
    """Run the command; every failure is one line on standard error and an exit status."""
    try:
        status = app.main(standalone_mode=False)
    except click.ClickException as error:
        _fail(error.format_message(), error.exit_code or BAD_INPUT)
    except DpverifyError as error:
        _fail(str(error), BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str, status: int) -> None:
    line = " ".join(message.split())
    click.echo(f"dpverify: {line}".encode("ascii", "backslashreplace").decode(), err=True)
    sys.exit(status)
