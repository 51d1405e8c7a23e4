"""What holds for every test."""

from __future__ import annotations

from flint import ctx
from pytest import Item

USUAL_BITS = 53


def pytest_runtest_setup(item: Item) -> None:
    """Arb's precision is global: each test begins with the usual one, whatever another has left."""
    ctx.prec = USUAL_BITS
