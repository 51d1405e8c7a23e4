"""The plot of a result in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from dpverify.show.plots.certificate import picture_of
from dpverify.show.plots.text import lines
from dpverify.show.terminal import width

if TYPE_CHECKING:
    from dpverify.results import Result


def tell_loss(result: Result) -> None:
    """Draw the privacy loss of a proved result; of any other say that there is nothing to draw."""
    found = result.certificate
    picture = picture_of(found["claim"], found["proof"]) if found is not None else None
    if picture is None:
        click.echo("\n  nothing is drawn: there is no certificate, or floating point cannot show it")
        return
    braille = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    click.echo("\n".join(["", *lines(picture, width(), braille)]))
