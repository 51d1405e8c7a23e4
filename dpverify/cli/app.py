"""The `dpverify` command: its group, and how errors end.

Status 1 means a verdict ("not private", "does not hold"), so nothing else may end with it: neither a
broken pipe nor a failure of the program itself.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from importlib import import_module
from typing import NoReturn

import click

from dpverify.cli.suggestions import extra, suggestion
from dpverify.errors import DpverifyError
from dpverify.version import __version__

BAD_INPUT, FAILED, INTERRUPTED, CLOSED_PIPE = 2, 70, 130, 141
COMMANDS = (
    *("audit", "bundle", "calibrate", "check", "classroom", "compare", "compose", "curve", "equivalence", "explore"),
    *("export", "families", "figure", "ledger", "profile", "recognise", "release", "report", "reproduce", "schema"),
    *("sensitivity", "theorems", "upgrade", "verify"),
)


class Commands(click.Group):
    """The commands, of which only the one that is run is loaded."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names; each has a module of its name."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, loaded; None for what is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"dpverify.cli.{cmd_name}"), cmd_name)
        return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    no_args_is_help=False,
)
@click.version_option(__version__, prog_name="dpverify")
def app() -> None:
    """Prove the exact epsilon of elliptical noise, or that there is none.

    \b
    dpverify verify "exp(-sqrt(y))" --dimension 3 --certificate laplace.json
    dpverify check laplace.json
    """


def main() -> None:
    """Run the command; every failure is one line on standard error and an exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = app.main(standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        words = sys.argv[1:]
        usage = " ".join(["dpverify", *_asked(words), "--help"])
        _fail(f"{error.format_message().rstrip('.')}{suggestion(error, words)}; see `{usage}`", BAD_INPUT)
    except (click.ClickException, DpverifyError) as error:
        _fail(str(error), BAD_INPUT)
    except (KeyboardInterrupt, click.Abort):
        _fail("interrupted", INTERRUPTED)
    except (BrokenPipeError, SystemExit) as error:
        if isinstance(error, SystemExit) and error.code == 0:
            raise  # what the shell completes with is written
        # Click and Rich turn a closed pipe into SystemExit(1); nothing else exits by itself here.
        _discard_output()
        sys.exit(CLOSED_PIPE)
    except OSError as error:
        _discard_output()
        _fail(f"{error.filename or 'the output'}: {error.strerror}", BAD_INPUT)
    except ModuleNotFoundError as error:
        which = extra(str(error.name), sys.argv[1:])
        _fail(f"this needs {error.name}, which is not installed: pip install 'dpverify[{which}]'", BAD_INPUT)
    except Exception as error:
        _fail(f"the program failed, and nothing is proved ({_where(error)}); please report it", FAILED)
    sys.exit(status if isinstance(status, int) else 0)


def _asked(words: list[str]) -> list[str]:
    """The command that was asked for, and the one within it."""
    group: click.Command = app
    found: list[str] = []
    for word in words:
        inner = group.get_command(click.Context(group), word) if isinstance(group, click.Group) else None
        if inner is None:
            break
        group = inner
        found.append(word)
    return found


def _where(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}: " if frames else ""
    return f"{place}{type(error).__name__}: {str(error)[:200]}"


def _discard_output() -> None:
    """What could not be written must not be tried again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fail(message: str, status: int) -> NoReturn:
    line = " ".join(message.split())
    click.echo(f"dpverify: {line}".encode("ascii", "backslashreplace").decode(), err=True)
    sys.exit(status)
