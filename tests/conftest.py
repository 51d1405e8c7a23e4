"""What holds for every test."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from flint import ctx
from hypothesis import HealthCheck, settings

from tests.command import USUAL_BITS

# Workers share the cores: threads of linear algebra would spin. NumPy reads this when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Nothing is timed: on a busy machine an example may take any time.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

OUTSIDE = {
    *("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.system"),
    *("socket.connect", "socket.bind", "socket.getaddrinfo"),
}
"""What Python tells its auditors when a process is started or a connection opened."""
_quick: list[str] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event in OUTSIDE and _quick:
        raise RuntimeError(f"{event} in a quick test; mark it: {_quick[-1]}")


sys.addaudithook(_watch)


SPREAD = {"sampled": "slow", "swept": "sweep"}
"""Marks of tests of which some cases stay in their tier, and the tier of the others."""
DEAREST = frozenset(Path(__file__).with_name("dearest.txt").read_text("utf-8").splitlines())
"""The longest cases of tests that have others, which are campaigns."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The cases of a test with a mark of SPREAD that stay are evenly spread; one that is asked for by name stays."""
    for item in items:
        if item.nodeid in DEAREST:
            item.add_marker("campaign")
    for mark, tier in SPREAD.items():
        marked = [item for item in items if item.get_closest_marker(mark) and not item.get_closest_marker("campaign")]
        for _, group in groupby(marked, lambda item: item.nodeid.partition("[")[0]):
            cases = list(group)
            stay = cases[0].get_closest_marker(mark).kwargs["stay"]  # type: ignore[union-attr]
            for k, case in enumerate(cases):
                if k * stay // len(cases) == (k - 1) * stay // len(cases):
                    case.add_marker(tier)


def pytest_collection() -> None:
    """The tests collected, and what they import, stay to the end: no collection of garbage walks them."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Arb's precision is global: each test begins with the usual one, whatever another has left."""
    ctx.prec = USUAL_BITS


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A test without a mark of these starts no process and opens no connection; if it does, it fails."""
    if not any(item.get_closest_marker(name) for name in ("slow", "sweep", "campaign")):
        _quick.append(item.nodeid)
    try:
        return (yield)
    finally:
        _quick.clear()
