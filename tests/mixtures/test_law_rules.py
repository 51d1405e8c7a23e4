"""Tails, suprema, witnesses and refutations of mixtures (K209-K215), each at its edge, and what must be refused."""

from __future__ import annotations

import copy
import json
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import mixtures
from dpverify.kernel.sections.mixtures import (
    at_least,
    at_most,
    at_radius,
    by_curvature,
    by_rise,
    by_slopes,
    by_taylor,
    check,
    far_out,
    integrable,
    not_private,
    said,
    tail,
)
from tests.mixtures.student import GALLERY, MARKS, UNIT, D, Proved, Q, Student, law_of

FINE = [str(2**n * (1 + Q(k, 16))) for n in range(4) for k in range(16)] + ["16"]


@pytest.mark.parametrize(
    ("text", "split", "constant", "square", "why"),
    [
        ("v**(-4)", "1", "43/10", "0", None),
        ("v**(-4)", "16", "4", "0", None),
        ("v**(-4)", "1", "399/100", "0", "slowly enough on"),
        ("v**(-4)", "16", "399/100", "0", "in the tail"),
        ("v**(-4)", "3/5", "5", "0", "no point of the cover"),
        ("exp(-v**2)", "1", "80", "2", None),
        ("exp(-v**2)", "1", "80", "1", "slowly enough on"),
        ("exp(-v**2)", "16", "0", "199/100", "in the tail"),
        ("Piecewise((v**(-4), v < 2), (2*v**(-4), True))", "1", "43/10", "0", None),
        ("Piecewise((v**(-4), v < 2), (v**(-4)/2, True))", "1", "43/10", "0", "across"),
        ("Piecewise((v**(-4), v < 2), (v**(-4)/2, True))", "2", "43/10", "0", None),
        ("exp(-v**3)", "16", "0", "500", "in the tail"),
    ],
)
def test_how_steeply_a_law_falls(text: str, split: str, constant: str, square: str, why: str | None) -> None:
    proof, given = Proved(text, FINE), (Q(split), Q(constant), Q(square))
    if why is None:
        mixtures.steepness(proof, *given)  # type: ignore[arg-type]
        return
    with pytest.raises(Rejected, match=why):
        mixtures.steepness(proof, *given)  # type: ignore[arg-type]


class Marked(Student):
    """Integrals beyond and inside of the split, as they are given."""

    def __init__(self, z1: str, n1: str, n0: str) -> None:
        super().__init__()
        both = {"at": (interval(Q(z1)), interval(Q(n1)), interval(0)), "inside": (interval(0), interval(Q(n0)))}
        self.law = SimpleNamespace(
            marks=[Q(1), Q(3), Q(4)],
            at=lambda radius, index, last, beyond: both["at"] if (index, last, beyond) == (1, 2, False) else None,
            inside=lambda radius, index: both["inside"],
        )

    def named(self, radius: Fraction) -> tuple[int, int]:
        return 0, 2


@pytest.mark.parametrize(
    ("z1", "n1", "n0", "radius", "constant", "square"),
    [
        ("2", "1/100", "1/1000", "5", "4", "0"),
        ("2", "1/100", "0", "5", "4", "3"),
        ("2", "1/100", "1/1000", "4", "-9", "3"),
        ("3", "0", "1/2", "4", "-3", "1/4"),
        ("2", "1/100", "1/1000", "16/5", "-2", "3"),
        ("2", "1/20", "0", "10", "4", "0"),
    ],
)
def test_the_slope_of_g_in_the_tail(z1: str, n1: str, n0: str, radius: str, constant: str, square: str) -> None:
    """The split is 3: T = 1/18."""
    given = {"split": "3", "constant": constant, "square": square}
    proof = Proved("v**(-4)", MARKS)
    mixtures_steep, mixtures.steepness = mixtures.steepness, lambda *known: None
    try:
        found = float(tail(proof, Marked(z1, n1, n0), Q(radius), given))  # type: ignore[arg-type]
    finally:
        mixtures.steepness = mixtures_steep
    e, k, r = (D + 1 + float(Q(constant))) / 2, float(Q(square)), float(Q(radius))
    first = (e + np.sqrt(e * e + k * r * r)) / r if e >= 0 else np.sqrt(k)
    assert abs(found - first - 2 * r * float(Q(n0)) / float(Q(z1))) < 1e-12


@pytest.mark.parametrize(
    ("z1", "n1", "radius", "changed", "why"),
    [
        ("-1", "0", "5", {}, "radius is too small"),
        ("2", "1/4", "100", {}, "radius is too small"),
        ("2", "1/100", "3", {}, "radius is too small"),
        ("2", "1/100", "5", {"split": "2"}, "no end of a panel"),
        ("2", "1/100", "5", {"square": "-1"}, "no end of a panel"),
        ("2", "1/100", "5", {"more": "0"}, "tail"),
    ],
)
def test_a_tail_that_is_refused(
    z1: str, n1: str, radius: str, changed: dict[str, str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixtures, "steepness", lambda *known: None)
    given = {"split": "3", "constant": "4", "square": "0"} | changed
    with pytest.raises(Rejected, match=why):
        tail(Proved("v**9", MARKS), Marked(z1, n1, "0"), Q(radius), given)  # type: ignore[arg-type]


def test_the_slope_of_g_in_the_tail_for_all_that_is_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixtures, "steepness", lambda *known: None)
    given, wide = {"split": "3", "constant": "4", "square": "1"}, Interval(Decimal("0.5"), Decimal(2))

    def known(z1: Interval, n1: Interval, n0: Interval) -> Any:
        f = Marked("1", "0", "0")
        f.law.at = lambda *args, **more: (z1, n1, interval(0))
        f.law.inside = lambda *args: (interval(0), n0)
        return tail(Proved("v**(-4)", MARKS), f, Q(5), given)  # type: ignore[arg-type]

    point = Interval(Decimal("0.001"), Decimal("0.002"))
    most = known(wide, point, point)
    assert Q(most) >= Q(known(interval(Q(1, 2)), interval(0), interval(Q(2, 1000)))) - UNIT
    for refused in ((Interval(Decimal(-1), Decimal(1)), interval(0)), (wide, Interval(Decimal(0), Decimal("0.1")))):
        with pytest.raises(Rejected):
            known(*refused, point)


def test_the_tail_asks_how_steeply_the_law_falls() -> None:
    given = {"split": "3", "constant": "1", "square": "0"}
    with pytest.raises(Rejected, match="slowly enough"):
        tail(Proved("v**(-4)", ["1/16", "3", "16"]), Marked("2", "1/100", "0"), Q(5), given)  # type: ignore[arg-type]


# The supremum: phi_1 of Student's t with these nu and d is at most g(r + 1) - g(r) at its largest, about 1.9.

WHOLE: dict[str, Any] = {"cover": ["0", "1/2", "1", "3/2", "2", "4", "8"], "rules": "rrsctr", "tail": {}}


def bounded(bound: str, slope: str = "1/2", **changed: Any) -> None:
    kept, mixtures.tail = mixtures.tail, lambda *given: Decimal(float(Q(slope)))
    try:
        at_most(None, Student("1/2"), WHOLE | changed, Q(bound))  # type: ignore[arg-type]
    finally:
        mixtures.tail = kept


def largest() -> Fraction:
    f, named = Student("1/2"), {"r": by_rise, "s": by_slopes, "c": by_curvature, "t": by_taylor}
    marks = [Q(m) for m in WHOLE["cover"]]
    return max(Q(named[w](f, a, b)) for w, (a, b) in zip(WHOLE["rules"], pairwise(marks), strict=True))


def test_the_supremum_is_at_most_the_largest_bound() -> None:
    top, unit = largest(), Q(1, 10**40)
    bounded(str(top + unit))
    with pytest.raises(Rejected, match=r"not shown below .* on "):
        bounded(str(top - unit))
    bounded(str(top + unit), str(2 * (top - Q(1, 10**12))))
    with pytest.raises(Rejected, match="in the tail"):
        bounded(str(top + unit), str(2 * (top + Q(1, 10**12))))


def test_bounds_hold_to_the_last_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    """1/3 lies between two decimals: a loss at most the lower is below it, and at least the upper above."""
    third, given = interval(Q(1, 3)), {"cover": ["0", "1"], "rules": "r", "tail": {}}
    for box, far, holds in ((third.lo, third.lo, True), (third.hi, third.lo, False), (third.lo, third.hi, False)):
        monkeypatch.setattr(mixtures, "BOXES", {"r": lambda *args, box=box: box})
        monkeypatch.setattr(mixtures, "tail", lambda *args, far=far: far)
        if holds:
            at_most(None, Student("1"), given, Q(1, 3))  # type: ignore[arg-type]
            continue
        with pytest.raises(Rejected, match="not shown below"):
            at_most(None, Student("1"), given, Q(1, 3))  # type: ignore[arg-type]
    f, witness = Student(), {"radius": "1", "rate": None}
    for value, bound, holds in (
        ((third.hi, Decimal(1)), Q(1, 3), True),
        ((third.lo, Decimal(1)), Q(1, 3), False),
        ((Decimal(-1), Decimal(1)), Q(0), True),
        ((Decimal("0.5"), Decimal(1)), Q(3, 4), False),
    ):
        f.loss = lambda r, value=value: Interval(*value)  # type: ignore[method-assign]
        if holds:
            at_least(None, f, witness, bound)  # type: ignore[arg-type]
            continue
        with pytest.raises(Rejected, match="does not reach"):
            at_least(None, f, witness, bound)  # type: ignore[arg-type]


def test_a_steep_box_counts_with_its_ends() -> None:
    """u = 4 on a box from 2 to 4, by slopes between -2 and -1: at most 8, and at least 2, is all that is known."""
    proof = Proved("v**(-4)", ["1/16", "2", "4", "16"])
    mixtures.steepness(proof, Q(16), Q(4), Q(0))  # type: ignore[arg-type]
    proof.given = [(Q(2), Q(4))]
    mixtures.steepness(proof, Q(2), Q(8), Q(0))  # type: ignore[arg-type]
    for constant, square in (("799/100", "0"), ("4", "99/100")):
        with pytest.raises(Rejected, match="slowly enough on"):
            mixtures.steepness(proof, Q(2), Q(constant), Q(square))  # type: ignore[arg-type]
    mixtures.steepness(proof, Q(2), Q(4), Q(1))  # type: ignore[arg-type]


def test_the_law_of_a_mixture_is_integrable() -> None:
    with pytest.raises(Rejected, match="integrable in the tail"):
        mixtures.mixing_law(Proved("v/(1+v)", MARKS))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"cover": ["1/4", "1/2", "1", "3/2", "2", "4", "8"]}, "does not"),
        ({"cover": ["-1", "1/2", "1", "3/2", "2", "4", "8"]}, "begin at 0"),
        ({"rules": "rrsct"}, "match its cover"),
        ({"rules": "rrsctx"}, "match its cover"),
        ({"rules": list("rrsctr")}, "match its cover"),
        ({"more": "0"}, "supremum"),
    ],
)
def test_what_does_not_cover_the_radii(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        bounded("9", **changed)


@pytest.mark.parametrize(
    ("radius", "rate", "bound", "why"),
    [
        ("1", None, "0", None),
        ("1", None, "1", None),
        ("1", None, "2", "does not reach"),
        (None, "1/4", "7/10", None),
        (None, "1/4", "3/4", "does not reach"),
        (None, None, "0", "neither a radius nor a rate"),
        ("1", "1/4", "0", "neither a radius nor a rate"),
        ("-1", None, "0", "no radius"),
        ("0", None, "0", None),
    ],
)
def test_a_witness_reaches_its_bound(radius: str | None, rate: str | None, bound: str, why: str | None) -> None:
    proof, given = Proved("exp(-v**2/4)", MARKS), {"radius": radius, "rate": rate}
    if why is None:
        at_least(proof, Student(), given, Q(bound))  # type: ignore[arg-type]
        return
    with pytest.raises(Rejected, match=why):
        at_least(proof, Student(), given, Q(bound))  # type: ignore[arg-type]


def test_a_witness_reaches_its_bound_to_the_last_digit() -> None:
    value, unit = at_radius(Student(), Q(1)), Q(1, 10**50)  # type: ignore[arg-type]
    proof, given = Proved("exp(-v**2/4)", MARKS), {"radius": "1", "rate": None}
    at_least(proof, Student(), given, Q(value.lo) - unit)  # type: ignore[arg-type]
    with pytest.raises(Rejected, match="does not reach"):
        at_least(proof, Student(), given, Q(value.hi) + unit)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "rate", "holds"),
    [
        ("exp(-v**2)", "99/100", True),
        ("exp(-v**2)", "1", False),
        ("exp(-v**2)", "2", False),
        ("exp(-v**2)", "0", False),
        ("exp(-v**2)", "-1", False),
        ("exp(-v**2)*v", "1", True),
        ("exp(-v**3)", "100", True),
        ("exp(-v)", "1/100", False),
    ],
)
def test_how_far_out_a_gaussian_tail_shows_a_loss(text: str, rate: str, holds: bool) -> None:
    proof = Proved(text, MARKS)
    if not holds and rate != "1":
        with pytest.raises(Rejected, match="fall so fast"):
            far_out(proof, Q(rate))  # type: ignore[arg-type]
    elif holds:
        found = far_out(proof, Q(rate))  # type: ignore[arg-type]
        assert abs(float(found.lo) - np.sqrt(2 * float(Q(rate)))) < 1e-12


@pytest.mark.parametrize(
    ("text", "holds"), [("v**(-1)", False), ("v**(-2)", True), ("v", False), ("1/(v*log(1+v))", False)]
)
def test_a_law_is_integrable_in_the_tail(text: str, holds: bool) -> None:
    if holds:
        integrable(law_of(text))
        return
    with pytest.raises(Rejected, match="integrable in the tail"):
        integrable(law_of(text))


REFUTED: list[tuple[str, dict[str, Any], int, str | None]] = [
    ("v*exp(-v)", {"by": "pole", "zero": "logs"}, 2, None),
    ("v*exp(-v)", {"by": "pole", "zero": "logs"}, 1, "is not shown infinite"),
    ("v*exp(-v)", {"by": "pole", "zero": "nothing"}, 2, "no pole there"),
    ("v*exp(-v)", {"by": "tail", "zero": "logs"}, 2, "minus infinity"),
    ("v*exp(-v**2)", {"by": "tail", "zero": "logs"}, 2, "minus infinity"),
    ("v*exp(v**3)", {"by": "tail", "zero": "logs"}, 2, "integrable in the tail"),
    ("v*exp(-v**3)", {"by": "tail", "zero": "logs"}, 2, None),
    ("v*exp(-v**3)", {"by": "tail", "zero": "nothing"}, 2, "to be 0 towards zero"),
    ("v*exp(-v**3)", {"by": "bound", "zero": "logs"}, 2, "to be 0 towards infinity"),
    ("v/(1+v)", {"by": "pole", "zero": "logs"}, 2, "integrable in the tail"),
    ("1/v*exp(-v)", {"by": "pole", "zero": "logs"}, 2, "integrable at the centre"),
    ("(v-1)*exp(-v)", {"by": "pole", "zero": "logs"}, 2, "nowhere negative"),
    ("v*exp(-v)/(v-1)**2", {"by": "pole", "zero": "logs"}, 2, "nowhere negative"),
    ("v*exp(-v)", {"by": "other", "zero": "logs"}, 2, "names no rule"),
    ("v*exp(-v)", {"by": "pole", "zero": "other"}, 2, "names no rule"),
    ("v*exp(-v)", {"by": "pole", "zero": "logs", "more": "0"}, 2, "refutation"),
    ("v*exp(-v)", {"by": "pole", "zero": "logs", "positive": ["1", "1"]}, 2, "positive"),
    ("Piecewise((v, v < 4), (0, True))", {"by": "bound", "zero": "logs"}, 1, None),
    (
        "Piecewise((v, v < 4), (0, True))",
        {"by": "bound", "zero": "logs", "positive": ["4", "5"]},
        1,
        "positive anywhere",
    ),
    (
        "Piecewise((v, v < 4), (0, True))",
        {"by": "bound", "zero": "logs", "positive": ["3", "5"]},
        1,
        "positive anywhere",
    ),
    ("Piecewise((0, v < 1), (exp(-v**3), True))", {"by": "tail", "zero": "nothing"}, 1, None),
]


@pytest.mark.parametrize(("text", "step", "dimension", "why"), REFUTED)
def test_refutations_by_the_law(text: str, step: dict[str, Any], dimension: int, why: str | None) -> None:
    proof, given = Proved(text, MARKS, dimension), {"positive": ["3/2", "7/4"]} | step
    if why is None:
        not_private(proof, given)  # type: ignore[arg-type]
        return
    with pytest.raises(Rejected, match=why):
        not_private(proof, given)  # type: ignore[arg-type]


def stored(name: str) -> Any:
    return json.loads((GALLERY / f"{name}.json").read_text())


PHASE = {"turns": True, "frequency": "1", "cover": ["0", "2"], "peak": "0"}
WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"more": "0"}, {}, "claim"),
    ({"theorem": "Theorem A"}, {}, "theorem"),
    ({"verdict": "not_private"}, {}, "do not fit the verdict"),
    ({"verdict": "not_private", "epsilon": None}, {}, "do not fit the verdict"),
    ({"verdict": "not_private", "theorem": None}, {}, "do not fit the verdict"),
    ({"verdict": "undecided", "epsilon": None, "theorem": None}, {}, "do not fit the verdict"),
    ({}, {"phase": PHASE}, "one tail"),
]


@pytest.mark.parametrize(("claim", "proof", "why"), WRONG)
def test_a_claim_of_a_mixture_that_does_not_fit(claim: dict[str, Any], proof: dict[str, Any], why: str) -> None:
    known = stored("gaussian-tail")
    with pytest.raises(Rejected, match=why):
        check(known["claim"] | claim, copy.deepcopy(known["proof"]) | proof)


def test_the_claim_of_a_mixture_in_one_line() -> None:
    claim = stored("gaussian-tail")["claim"] | {"sensitivity": "3", "scale": "2"}
    assert "Delta/sigma = 3/2" in said(claim)
