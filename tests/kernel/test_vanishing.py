"""f that comes near zero far out (K190): which sums of waves do, how far away it does not, and what must be refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.independence import far_on_torus, rank, sum_of_waves, vanishes_far_out
from dpverify.kernel.sections.torus import Torus
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import walk

for section in SECTIONS:
    load_section(section)

ONE, ROOT = [["1", "0", "1"]], [["2", "0", "1"]]
TWO = "2+sin(r)+cos(sqrt(2)*r)"


def proof(text: str, rows: Sequence[Sequence[int]], lines: Any = (ONE, ROOT), **more: Any) -> Any:
    """Rows of multiples of the base phases, in the order of the waves' numbers; `chirps` are numbers of waves."""
    tree = Reader(text, {}).tree()
    problem = Problem(tree, 1, Fraction(more.get("shift", 1)), (Fraction(1, 64), 6), (Fraction(16), 6))
    waves = sorted({n.number for n in walk(tree) if n.kind in ("sin", "cos")})
    chirps = [{"wave": str(waves[i]), "factor": "1"} for i in more.get("chirps", ())]
    given = {str(waves[i]): list(row) for i, row in enumerate(rows)}
    step = {"lines": list(lines), "chirps": chirps, "waves": given, "cells": ".", "peak": more.get("peak")}
    return SimpleNamespace(problem=problem, tail=Torus(problem, Steps({"torus": step})))


def factor(found: Any) -> int:
    """Which factor of the tree has the waves."""
    tree = found.problem.tree
    parts = list(tree.args) if tree.kind == "mul" else [tree]
    return max(i for i, part in enumerate(parts) if any(n.kind in ("sin", "cos") for n in walk(part)))


def vanishing(found: Any, shift: str = "1") -> None:
    vanishes_far_out(found, {"factor": factor(found), "shift": shift})


@pytest.mark.parametrize(
    "text",
    [
        f"exp(-r)*({TWO})",
        f"exp(-r)*({TWO})**(1/2)",
        f"exp(-r)*({TWO})**3",
        f"exp(-y)*({TWO})",  # the other factor's logarithm falls ahead without a bound, which only helps
        f"({TWO})/(1+r)**3",
        "exp(-r)*(3+2*sin(r)-cos(sqrt(2)*r))",
        "exp(-r)*(5/2-2*sin(r)-cos(sqrt(2)*r)/2)",
    ],
)
def test_a_sum_of_waves_that_comes_near_zero(text: str) -> None:
    vanishing(proof(text, [(1, 0), (0, 1)]))
    vanishing(proof(text, [(1, 0), (0, 1)]), "1/1000")


def test_one_wave_or_three_and_rows_that_are_no_unit_vectors() -> None:
    vanishing(proof("exp(-r)*(1+sin(r))", [(1,)], [ONE]))
    vanishing(proof("exp(-r)*(2+sin(r)+sin(r+sqrt(2)*r))", [(1, 0), (1, 1)]))
    vanishing(proof("exp(-r)*(2+sin(r)+sin(r-sqrt(2)*r))", [(1, 0), (1, -1)]))


def refused(why: str, work: Callable[[], Any]) -> None:
    with pytest.raises(Rejected, match=why or None):
        work()


@pytest.mark.parametrize("shift", ["0", "-1/2", "1001/1000"])
def test_the_shift_lies_within_the_sensitivity(shift: str) -> None:
    refused("within the sensitivity", lambda: vanishing(proof(f"exp(-r)*({TWO})", [(1, 0), (0, 1)]), shift))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"exp(-r)*({TWO}+1/1000)", "as large as its waves"),
        (f"exp(-r)*({TWO}-1/1000)", "as large as its waves"),
        ("exp(-r)*(3+sin(r)+cos(sqrt(2)*r))", "as large as its waves"),
        ("exp(-r)*(2-sin(r)*cos(sqrt(2)*r))", ""),
        ("exp(-r)*(2+sin(r)+cos(sqrt(2)*r)*exp(-r))", ""),
        (f"exp(-r)*({TWO})**(-1)", ""),
        (f"exp(-r)*({TWO})**(-1/2)", ""),
        (f"exp(-r)*({TWO})**0", "no sum of waves"),
        (f"exp(-r)*exp({TWO})", ""),
    ],
)
def test_what_does_not_come_near_zero(text: str, why: str) -> None:
    """2 + sin + cos + 1/1000 stays away from it, and so do an inverse and a power that is 1."""
    refused(why, lambda: vanishing(proof(text, [(1, 0), (0, 1)])))


@pytest.mark.parametrize(
    "other",
    [
        "exp(y/4)",
        "exp(r**(3/2)/100)",
        "exp((atan(2)+atan(3)-3*pi/4)*y)",
        "exp(y)",
        "exp(r*log(1+r))",
        "r**r",
        "exp(exp(r))",
    ],
)
def test_the_other_factors_do_not_rise_without_a_bound_over_a_shift(other: str) -> None:
    """f(r + s) might be as large as f(r) for the growth of what stands beside the waves."""
    refused("not shown bounded", lambda: vanishing(proof(f"{other}*({TWO})", [(1, 0), (0, 1)])))


def test_every_other_factor_counts() -> None:
    """Whatever stands before or after the waves in the product."""
    seen = set()
    for rest in ("exp(y)*(1+r)*(1+y)", "(1+r)**r*(1+exp(y))", "(1+exp(y))*(2+r)*exp(-r)", "(1+exp(y))*sqrt(1+exp(-r))"):
        found = proof(f"{rest}*({TWO})", [(1, 0), (0, 1)])
        refused("not shown bounded", lambda found=found: vanishing(found))
        seen.add(factor(found) < len(found.problem.tree.args) - 1)
    assert True in seen


def test_what_names_no_factor_or_more_than_is_asked_is_refused() -> None:
    found = proof(f"exp(-r)*({TWO})", [(1, 0), (0, 1)])
    good = {"factor": factor(found), "shift": "1"}
    for wrong in ({"factor": 2}, {"factor": -1}, {"more": 1}, {"shift": None}):
        refused("vanishing", lambda wrong=wrong: vanishes_far_out(found, good | wrong))
    refused("vanishing", lambda: vanishes_far_out(found, {"shift": "1"}))
    vanishing(proof(TWO, [(1, 0), (0, 1)]))


def test_what_is_negative_beside_the_waves_is_refused() -> None:
    refused("not shown bounded", lambda: vanishing(proof(f"-exp(-r)*({TWO})", [(1, 0), (0, 1)])))


def test_other_factors_whose_increments_are_bounded() -> None:
    for other in ("exp(r)", "(1+r)**5", "exp(-r)/(1+r)", "exp(-r*log(1+r))"):
        vanishing(proof(f"{other}*({TWO})", [(1, 0), (0, 1)]))


def test_the_factor_is_zero_a_shift_away_too() -> None:
    """1 + sin(2 pi r) has the period 1: where it is near zero it is so a shift of 1 away, and not one of 1/2."""
    found = proof("exp(-r)*(1+sin(2*pi*r))", [(1,)], [[["1", "1", "2"]]])
    refused("not shown positive a shift away", lambda: vanishing(found, "1"))
    vanishing(found, "1/2")


def test_phases_that_hang_together() -> None:
    """2 + sin r + cos r is never near zero, nor is 2 + sin r + sin 2 r."""
    refused("hang together", lambda: vanishing(proof("exp(-r)*(2+sin(r)+cos(r))", [(1,), (1,)], [ONE])))
    refused("hang together", lambda: vanishing(proof("exp(-r)*(2+sin(r)+sin(2*r))", [(1,), (2,)], [ONE])))
    double = [["1", "0", "2"]]
    hanging = "exp(-r)*(2+sin(r)+sin(2*r))"
    refused("not linearly independent", lambda: vanishing(proof(hanging, [(1, 0), (0, 1)], [ONE, double])))


def test_every_wave_of_the_factor_is_a_sum_of_lines() -> None:
    refused("no sum of lines", lambda: vanishing(proof(f"exp(-r)*({TWO})", [(1, 0)])))
    chirped = proof("exp(-r)*(2+sin(r)+sin(y))", [(1, 0), (0, 1)], [ONE], chirps=[1])
    refused("no sum of lines", lambda: vanishing(chirped))


def test_a_chirp_beside_the_factor_does_no_harm() -> None:
    """Its factor's logarithm has bounded increments, and its phase is a base phase that the waves leave alone."""
    tree = Reader("exp(-r)*(1+sin(r))*(3+sin(y))", {}).tree()
    kinds = [n.args[0] for n in sorted(walk(tree), key=lambda n: n.number) if n.kind == "sin"]
    rows = [(0, 1) if any(x.kind == "pow" for x in walk(argument)) else (1, 0) for argument in kinds]
    found = proof("exp(-r)*(1+sin(r))*(3+sin(y))", rows, [ONE], chirps=[rows.index((0, 1))])
    factors = list(found.problem.tree.args)
    for i, part in enumerate(factors):
        if part.kind != "add":
            continue
        chirps = any(n.kind == "pow" for n in walk(part))
        step = {"factor": i, "shift": "1"}
        if chirps:
            refused("", lambda step=step: vanishes_far_out(found, step))


def test_a_sum_of_waves_is_as_large_as_their_sizes() -> None:
    tree = Reader("6+3*sin(r)-2*cos(2*r)+sin(r/2)", {}).tree()
    sizes, waves = sum_of_waves(tree)
    assert sorted(sizes) == [1, 2, 3]
    assert {wave.kind for wave in waves} == {"sin", "cos"} and len(waves) == 3
    with mpmath.workdps(20):
        for text in ("7+3*sin(r)-2*cos(2*r)+sin(r/2)", "5+3*sin(r)-2*cos(2*r)+sin(r/2)"):
            refused("as large as its waves", lambda text=text: sum_of_waves(Reader(text, {}).tree()))
    for text in ("1+sin(r)+cos(sqrt(2)*r)*exp(-r)", "1+sin(r)+exp(-r)", "1+sin(r)+r*cos(r)"):
        refused("as large as its waves", lambda text=text: sum_of_waves(Reader(text, {}).tree()))
    refused("no sum of waves", lambda: sum_of_waves(Reader("3*sin(r)", {}).tree()))


def test_the_rank_counts_rows_that_are_no_sums_of_others() -> None:
    def of(*rows: Sequence[int]) -> int:
        return rank([[Fraction(x) for x in row] for row in rows])

    assert of((0, 1), (1, 0)) == of((0, 1), (2, 3)) == 2
    assert of((1, 2), (2, 4)) == of((0, 2), (0, -3)) == of((0, 0), (0, 1)) == 1
    assert of((1, 2, 3), (4, 5, 6), (7, 8, 9)) == 2
    assert of((2, 1, 1), (4, 1, 3), (2, 0, 1)) == 3


@pytest.mark.parametrize(("peak", "shift", "box", "why"), [
    (["1", "1"], "1", None, ""),
    (["1"], "1", None, "no point of the torus"),
    (["1", "1", "1"], "1", None, "no point of the torus"),
    (None, "1", None, "no point of the torus"),
    (["1", "1"], "1001/1000", None, "within the sensitivity"),
    (["1", "1"], "1/10000000000000000000000000000000000000000", None, "within the sensitivity"),
    (["1", "1"], "0", None, "within the sensitivity"),
    (["1", "1"], "1", ["1", "2"], "has a box"),
])  # fmt: skip
def test_the_loss_at_a_point_of_the_torus(peak: Any, shift: str, box: Any, why: str) -> None:
    """Of e^-r (3 + sin r + cos(sqrt(2) r)): at the phases (1, 1) and the shift 1 it is 1 less a difference of logs."""
    found = proof("exp(-r)*(3+sin(r)+cos(sqrt(2)*r))", [(1, 0), (0, 1)], peak=peak)
    step = {"shift": shift, "box": box}
    if why:
        refused(why, lambda: far_on_torus(found, step))
        return
    loss = far_on_torus(found, step)
    with mpmath.workdps(80):
        tiny = mpmath.mpf(10) ** -40
        for x, y, h in product((1, 1 + tiny), (1, 1 + tiny), (1 - tiny, 1)):
            here = mpmath.log(3 + mpmath.sin(x) + mpmath.cos(y))
            ahead = mpmath.log(3 + mpmath.sin(x + h) + mpmath.cos(y + mpmath.sqrt(2) * h))
            assert mpmath.mpf(str(loss.lo)) <= h + here - ahead <= mpmath.mpf(str(loss.hi))
        assert loss.hi - loss.lo < Fraction(1, 10**39)


def test_a_proof_without_a_torus_names_no_point_of_one() -> None:
    plain = SimpleNamespace(problem=proof("exp(-r)*(1+sin(r))", [(1,)], [ONE]).problem, tail=None)
    refused("no torus", lambda: vanishes_far_out(plain, {"factor": 0, "shift": "1"}))
    refused("has a box", lambda: far_on_torus(plain, {"shift": "1", "box": None}))
