"""Slopes of waves (K350, K351): beside closed forms, and in what each rule has to refuse."""

from __future__ import annotations

import copy
import json
from fractions import Fraction as Q
from pathlib import Path
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.sections.lipschitz import at_most_by_slopes
from dpverify.kernel.sections.steep_phases import steep_on_phases
from dpverify.kernel.sections.steep_torus import steep_on_torus
from tests.kernel.problems import in_phases, proven

GALLERY = Path(__file__).parents[2] / "certificates"
RISING_TO_THREE = "exp(-2*r-sin(r)*r/(1+r))"
"""g' = 2 + cos(r) r/(1+r) + sin(r)/(1+r)^2, which is below 2.97 up to r = 23 and comes near 3 far out."""
BOXES = ["1/64", *(str(Q(k, 8)) for k in range(1, 185))]
WITHOUT_LOSSES = dict.fromkeys(("cover", "cuts", "shifts", "rules", "ahead", "charts", "windows"))
PHASES = [str(Q(k, 2)) for k in range(15)]


def bounded(text: str, bound: str, **step: Any) -> None:
    proof = in_phases(text, turns=False)
    at_most_by_slopes(proof, {"slopes": BOXES, "power": "1", "phases": PHASES, **step}, Q(bound))


def test_the_steepest_slope_is_a_limit_far_out() -> None:
    bounded(RISING_TO_THREE, "301/100")
    bounded(RISING_TO_THREE, "301/100", power="7")
    with pytest.raises(Rejected, match="cell of phases") as refused:
        bounded(RISING_TO_THREE, "297/100")
    assert refused.value.code == "K350"


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"phases": PHASES[:-3]}, "does not reach"),
        ({"phases": PHASES[1:]}, "does not reach"),
        ({"phases": [*PHASES[:5], *PHASES[3:]]}, "not increasing"),
        ({"slopes": BOXES[:-10]}, "does not reach"),
        ({"tree": "."}, "not bounded"),
        ({"shifts": []}, "unknown field"),
    ],
)
def test_what_is_no_cover(step: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        bounded(RISING_TO_THREE, "301/100", **step)


def test_a_tail_of_phases_needs_cells() -> None:
    proof = in_phases(RISING_TO_THREE, turns=False)
    with pytest.raises(Rejected, match="in the tail are not bounded"):
        at_most_by_slopes(proof, {"slopes": BOXES, "power": "1"}, Q(9))


def test_slopes_on_cells_do_not_see_a_jump_between_them() -> None:
    """g = 4 r/3 - floor(r)/3 has slopes of 4/3 between whole radii, and falls by 1/3 at each."""
    proof = in_phases("exp(-r-frac(r)/3)", turns=True)
    with pytest.raises(Rejected) as refused:
        steep_on_phases(proof, proof.problem, ["0", "1", "2"], Q(100))
    assert refused.value.code == "K350"


def test_on_a_torus_cells_of_one_phase_are_none() -> None:
    proof = in_phases(RISING_TO_THREE, turns=False)
    with pytest.raises(Rejected, match="no phases"):
        steep_on_torus(proof, proof.problem, ".", Q(9))


def forged(name: str, changes: dict[str, Any], epsilon: dict[str, str] | None = None) -> None:
    certificate = copy.deepcopy(json.loads((GALLERY / f"{name}.json").read_text()))
    step = {**certificate["proof"]["supremum"], **changes}
    certificate["proof"]["supremum"] = {key: value for key, value in step.items() if value is not None}
    certificate["claim"]["epsilon"] |= epsilon or {}
    proven(certificate)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"tree": "."}, "not shown so small"),
        ({"tree": "a.*"}, "letter of its own|not shown so small"),
        ({"tree": "a.."}, "not shown so small"),
        ({"tree": "z.."}, "axis that is not there"),
        ({"tree": "a."}, "ends too early"),
        ({"tree": None}, "not bounded"),
        ({"tree": None, "phases": ["0", "7"]}, "no frequency|not bounded|unknown field|not listed"),
        ({"power": "2"}, "of f itself"),
    ],
)
def test_forged_slopes_on_a_torus(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        forged("short-shift-and-free-waves", changes)


def test_less_than_the_steepest_slope_of_two_waves() -> None:
    """1.99234671 is the largest of 1 - (cos a + sqrt(2)/3 cos b)/(2 + sin a + sin(b)/3)."""
    with pytest.raises(Rejected, match="not shown"):
        forged("short-shift-and-free-waves", {}, {"lower": "0", "upper": "19923/10000000000"})


def test_slopes_of_a_chirp_have_no_bound() -> None:
    with pytest.raises(Rejected, match="without chirps"):
        forged("chirp", {**WITHOUT_LOSSES, "slopes": ["1/100000000", "1000000"], "power": "1", "tree": "."})


def test_less_than_the_steepest_slope_at_a_kink() -> None:
    """At r = 3 pi/10, where |cos(5 r)| turns, g' jumps from 5 + 11 r/(1+r^2) > 10.49 to what is smaller."""
    with pytest.raises(Rejected, match="not shown"):
        forged("short-shift-and-kinks", {}, {"lower": "0", "upper": "1049/100000000"})
