"""Losses by heights that boxes have in common: beside mpmath, and what their rule must refuse."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.sections.windows import in_a_window, with_windows
from dpverify.serialise import digest
from tests.kernel.problems import on_charts
from tests.kernel.test_models import inside

Q = Fraction
VALLEY = Path(__file__).parents[2] / "certificates" / "narrow-valley.json"


def g(r: Fraction) -> Any:
    x = mpmath.mpf(r.numerator) / r.denominator
    return x - mpmath.log((x - 1) ** 2 + mpmath.mpf("1e-3"))


@pytest.mark.parametrize("seed", range(8))
def test_the_loss_in_a_window_is_within(seed: int) -> None:
    rnd = random.Random(seed)
    problem = on_charts("exp(-r)*((r-1)**2+1/1000)")
    near = sorted({Q(1, 64), Q(3), *(1 + Q(rnd.randint(-99, 99), 100 * 2 ** rnd.randint(0, 7)) for _ in range(12))})
    with_windows(problem, [str(q) for a, b in pairwise(near) for q in (a, (a + b) / 2)] + ["3"])
    a = Q(rnd.randint(1, 60), 32)
    b, low = a + Q(1, rnd.randint(8, 60)), Q(rnd.randint(0, 8), 16)
    high = low + Q(rnd.randint(1, 8), 16)
    found = in_a_window(problem, a, b, low, high, [])
    with mpmath.workdps(30):
        for _ in range(40):
            r = a + (b - a) * Q(rnd.randint(1, 999), 1000)
            h = low + (high - low) * Q(rnd.randint(0, 1000), 1000)
            assert inside(found, g(r + h) - g(r))


@pytest.mark.parametrize("marks", [["1/2", "1"], ["1/2", "2"], ["3/4", "3"], [], None])
def test_radii_ahead_that_no_box_covers_are_refused(marks: list[str] | None) -> None:
    problem = on_charts("exp(-r)*((r-1)**2+1/1000)")
    if marks:
        with_windows(problem, marks)
    with pytest.raises(Rejected, match="does not cover"):
        in_a_window(problem, Q(5, 8), Q(1), Q(0) if marks != ["1/2", "1"] else Q(1, 4), Q(5, 4), [])


@pytest.mark.parametrize("marks", [[], ["1"], ["2", "1"], ["1", "1"], ["0", "1"], ["-1", "1"]])
def test_boxes_that_do_not_follow_one_another_are_refused(marks: list[str]) -> None:
    with pytest.raises(Rejected):
        with_windows(on_charts("exp(-r)"), marks)


def lowered(epsilon: dict[str, str]) -> None:
    epsilon["upper"] = str(Q(epsilon["lower"]) - Q(1, 100))


def sealed(c: dict[str, Any]) -> bytes:
    c["digest"] = digest(c)
    return json.dumps(c).encode()


FORGERIES: list[tuple[str, Callable[[dict[str, Any]], None]]] = [
    ("a lower epsilon", lambda c: lowered(c["claim"]["epsilon"])),
    ("a deeper valley", lambda c: c["claim"].update(generator="exp(-r)*((r-1)**2+1/100000000)")),
    ("a valley further on", lambda c: c["claim"].update(generator="exp(-r)*((r-3/2)**2+1/10000000)")),
    ("no windows", lambda c: c["proof"]["supremum"].pop("windows")),
    ("windows that end early", lambda c: c["proof"]["supremum"]["windows"].pop()),
    ("windows that begin late", lambda c: c["proof"]["supremum"]["windows"].pop(0)),
    ("windows in reverse", lambda c: c["proof"]["supremum"]["windows"].reverse()),
    ("windows beside no rule", lambda c: c["proof"]["supremum"].update(
        rules=[w.replace("w", "h") for w in c["proof"]["supremum"]["rules"]])),
    ("a longer shift", lambda c: c["claim"].update(sensitivity="2")),
]  # fmt: skip


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize("change", [change for _, change in FORGERIES], ids=[name for name, _ in FORGERIES])
def test_forged_windows_are_refused(change: Callable[[dict[str, Any]], None]) -> None:
    c = json.loads(VALLEY.read_text())
    assert check_bytes(sealed(copy.deepcopy(c)))
    change(c)
    with pytest.raises(Rejected):
        check_bytes(sealed(c))
