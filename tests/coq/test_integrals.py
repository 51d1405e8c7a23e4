"""Integrals by Taylor's formula: how they are cut, and coqc's opinion of true bounds and of others."""

from __future__ import annotations

import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.enclosures.ball import precision
from dpverify.export.coq import library
from dpverify.export.coq.expression import ONE, VAR, Expr, integer
from dpverify.export.coq.generator import NotCovered, constructor, expression, tree
from dpverify.export.coq.quadrature import DEGREES, halvings, quadrature
from dpverify.export.coq.text import arguments

LOW, HIGH, ROOM = Fraction(1, 4), Fraction(3, 2), Fraction(1, 10**12)
DECAY = Expr("Exp", (Expr("Opp", (VAR,)),))
INTEGRANDS: dict[str, tuple[Expr, Any]] = {
    "products": (expression(tree("exp(-y/2)*(1+r+y**3)", {})), lambda r: mpmath.exp(-(r**2) / 2) * (1 + r + r**6)),
    "quotients": (expression(tree("(1+y/3)**-5", {})), lambda r: (1 + r**2 / 3) ** -5),
    "powers": (expression(tree("(1+y)**(-7/3)", {})), lambda r: (1 + r**2) ** (-mpmath.mpf(7) / 3)),
    "roots": (expression(tree("exp(-sqrt(1+y))", {})), lambda r: mpmath.exp(-mpmath.sqrt(1 + r**2))),
    "logarithms": (expression(tree("log(2+y)-log(1+r)", {})), lambda r: mpmath.log(2 + r**2) - mpmath.log(1 + r)),
    "waves": (expression(tree("sin(2*r)*cos(y)", {})), lambda r: mpmath.sin(2 * r) * mpmath.cos(r**2)),
    "pi": (expression(tree("exp(-pi*r)", {})), lambda r: mpmath.exp(-mpmath.pi * r)),
    "soft": (Expr("Soft", (VAR,)), lambda r: mpmath.log(1 + mpmath.exp(r))),
    "logistic": (Expr("Mul", (Expr("Logi", (VAR,)), DECAY)), lambda r: mpmath.exp(-r) / (1 + mpmath.exp(-r))),
}


def enclosed(function: Any, room: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of its integral, so far from it."""
    with mpmath.workdps(40):
        value = mpmath.quad(function, [mpmath.mpf(1) / 4, mpmath.mpf(3) / 2])
        near = Fraction(int(mpmath.floor(value * 2**100)), 2**100)
    return near - room, near + room


def lemma(e: Expr, low: Fraction, high: Fraction, end: str = "Qed.") -> str:
    how = quadrature(e, LOW, HIGH, ROOM).arguments(constructor(e))
    bounds = f"{low.numerator} / {low.denominator} <= RInt (ev {constructor(e)}) (1 / 4) (6 / 4)"
    return (
        f"Goal {bounds} <= {high.numerator} / {high.denominator}.\n"
        f"Proof. apply (integral_within {how} 1 6 4 {arguments(low)} {arguments(high)}). "
        f"vm_cast_no_check (eq_refl true). {end}\n"
    )


@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
@pytest.mark.campaign
def test_coqc_accepts_integrals_and_refuses_others(tmp_path: Path) -> None:
    text = f"{library.HEAD}{library.REQUIRE}\nImport Library.\n"
    with precision(150):
        for e, function in INTEGRANDS.values():
            low, high = enclosed(function, ROOM)
            text += lemma(e, low, high)
            text += lemma(e, high, high + ROOM, "Fail Qed.\nAbort.")
            text += lemma(e, low - ROOM, low, "Fail Qed.\nAbort.")
    (tmp_path / "integrals.v").write_text(text)
    done = library.run(tmp_path, "integrals.v", None, "-R", str(library.compiled()), "Dpverify")
    assert isinstance(done, subprocess.CompletedProcess) and done.returncode == 0, done.stderr[-500:]


@pytest.mark.parametrize("name", INTEGRANDS)
def test_a_quadrature_leaves_no_more_than_half_of_the_room(name: str) -> None:
    """Its tolerance, over the degree and one, is that of both halves of a part for each unit of length."""
    e, _ = INTEGRANDS[name]
    with precision(150):
        found = quadrature(e, LOW, HIGH, ROOM)
        assert found.degree in DEGREES
        assert 2 * found.tolerance * (HIGH - LOW) / (found.degree + 2) <= ROOM / 2
        needed = halvings(e, LOW, HIGH, found.degree, found.tolerance, float("inf"))
        assert needed is not None and needed[1] < found.fuel


def test_a_smaller_room_needs_more_halvings() -> None:
    e, _ = INTEGRANDS["quotients"]
    with precision(150):
        rough = halvings(e, LOW, HIGH, 9, Fraction(1, 10**3), float("inf"))
        fine = halvings(e, LOW, HIGH, 9, Fraction(1, 10**15), float("inf"))
    assert rough is not None and fine is not None and rough[1] < fine[1] and rough[0] < fine[0]


def test_a_pole_has_no_quadrature() -> None:
    pole = Expr("Inv", (Expr("Sub", (VAR, ONE)),))
    with precision(150), pytest.raises(NotCovered, match="Taylor polynomial"):
        quadrature(pole, LOW, HIGH, ROOM)
    with precision(150):
        assert quadrature(integer(1), LOW, HIGH, ROOM).fuel == 2
