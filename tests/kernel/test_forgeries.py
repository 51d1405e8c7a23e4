"""Forged certificates and steps, one for each way in which a checker of such proofs can be fooled."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import pytest

from dpverify import kernel
from dpverify.certificate import digest
from dpverify.kernel import HYPOTHESES, Phase, Problem, Proof, Reader, Rejected

PROVED = dict.fromkeys(HYPOTHESES, "proved")


def grid(a: str, b: str, n: int) -> list[str]:
    low, high = Fraction(a), Fraction(b)
    return [str(low + (high - low) * k / n) for k in range(n + 1)]


def forged(text: str, verdict: str, hypotheses: dict[str, str], delta: str = "1", **proof: Any) -> bytes:
    """A certificate of a verdict without an epsilon, with a fresh digest."""
    certificate: dict[str, Any] = {
        "format": "dpverify-certificate",
        "version": 1,
        "program": {"name": "forger", "version": "1"},
        "claim": {
            "generator": text,
            "parameters": {},
            "dimension": 1,
            "sensitivity": delta,
            "scale": "1",
            "verdict": verdict,
            "epsilon": None,
            "closed_form": None,
            "tail_log_ratio": None,
            "hypotheses": {**dict.fromkeys(HYPOTHESES, "undecided"), **hypotheses},
            "theorem": None,
        },
        "proof": {
            "zero": {"radius": "1/1024", "order": 6},
            "infinity": {"radius": "16", "order": 6},
            "phase": None,
            "cover": None,
            "supremum": None,
            "witness": None,
            "sign": None,
            "rise": None,
            **proof,
        },
        "assumptions": [],
    }
    certificate["digest"] = digest(certificate)
    return json.dumps(certificate).encode()


def problem(text: str, turns: bool | None = None, radius: int = 16, delta: Fraction = Fraction(1)) -> Problem:
    tree = Reader(text, {"d": Fraction(1)}).tree()
    result = Problem(tree, 1, delta, (Fraction(1, 64), 6), (Fraction(radius), 6))
    if turns is not None:
        result.oscillates(Phase(turns, Fraction(1), Fraction(0), Fraction(0)))
    return result


def test_an_iterated_logarithm_is_not_positive_before_its_root() -> None:
    """log log r < 0 for 1 < r < e, so f < 0 on (8/5, e), where a model from 3/2 on was believed."""
    text = "r**(-1/2)*Piecewise((exp(-r), log(log(Max(r,11/10))) > 0), (exp(-r), r < 8/5), (-exp(-r), True))"
    claimed = {"positive": "proved", "integrable": "proved", "finite_at_zero": "refuted"}
    for order in (3, 6, 12):
        end = {"radius": "3/2", "order": order}
        with pytest.raises(Rejected, match="radius is too small"):
            kernel.check_bytes(
                forged(text, "not_private", claimed, "1/100", infinity=end, cover=grid("1/1024", "3/2", 60))
            )


@pytest.mark.parametrize("low", [Fraction(1, 2), Fraction(29, 10), Fraction(6)])
def test_the_integer_part_has_no_phase_modulo_two_pi(low: Fraction) -> None:
    """Whatever the phase of r modulo 2 pi, r - floor(r) is anything in [0, 1)."""
    h, width = Fraction(1, 1000), Fraction(1, 100)
    p = problem("exp(-200*r-2*(r-floor(r))*(1-cos(44*r)))", turns=False)
    shown = list(p.phased_losses(p.tail(low, low + width), Fraction(0), h))

    def g(r: float) -> float:
        return 200 * r + 2 * (r - math.floor(r)) * (1 - math.cos(44 * r))

    for k in range(10, 4000):
        r = float(low + width / 2) + 2 * math.pi * k
        loss = g(r + float(h)) - g(r)
        assert all(x.lo <= loss + 1e-6 and loss - 1e-6 <= x.hi for x in shown), r


def test_a_single_phase_is_no_witness() -> None:
    """floor(r) + floor(-r) + 1 is 1 at integers, which carry no probability, and 0 elsewhere."""
    claimed = {**PROVED, "tail_ratio_bounded": "refuted", "decreasing": "undecided"}
    phase = {"turns": True, "frequency": "1", "cover": ["0", "1/2", "1", "3/2", "2"]}
    for text, peak in [("exp(-2*r-r*(floor(r)+floor(-r)+1))", "1/2"), ("exp(-2*r-r*(floor(r)+floor(-r)+1))", "0")]:
        with pytest.raises(Rejected, match="not shown unbounded"):
            kernel.check_bytes(
                forged(
                    text,
                    "not_private",
                    claimed,
                    "1/2",
                    zero={"radius": "1/16", "order": 6},
                    infinity={"radius": "8", "order": 6},
                    phase={**phase, "peak": peak},
                    cover=grid("1/16", "12", 400),
                )
            )


def staircase(text: str, radius: int) -> Proof:
    steps = {
        "phase": {"turns": True, "frequency": "1", "cover": grid("0", "2", 8), "peak": None},
        "cover": ["1/64", *grid("1/8", str(radius + 2), 8 * (radius + 2) - 1)],
    }
    return Proof(problem(text, radius=radius), steps)


def test_a_rise_where_two_cells_of_phases_meet_is_not_called_falling() -> None:
    """Jumps at integers: downwards as far as the boxes reach, upwards from r = 23 on."""
    rising = staircase("exp(-40*r+floor(r)*Max(-2,1-66000*exp(-r/2)))", 20)
    assert all(rising.problem.far(cell).du.span().hi < 0 for cell in rising.cells)
    with pytest.raises(Rejected):
        rising.decreasing("proved")


@pytest.mark.parametrize(
    "text", ["exp(-3*r+floor(r))", "exp(-4*r+floor(2*r)/9)", "exp(-9*r)*(3+floor(r)-r)", "exp(-3*r-floor(-r))"]
)
def test_jumps_upwards_at_infinity_are_seen(text: str) -> None:
    assert not staircase(text, 20).falls_in_tail()


@pytest.mark.parametrize("text", ["exp(-floor(r))", "exp(-r)", "exp(-r-floor(r))", "exp(-9*r)*(3-floor(r)+r)"])
def test_jumps_downwards_at_infinity_are_no_rise(text: str) -> None:
    assert staircase(text, 20).falls_in_tail()


def test_an_integral_on_the_borderline_of_three_logarithms_is_not_called_infinite() -> None:
    """With w = log log log r the integral is that of exp(-sqrt(w)) dw, which converges."""
    log = "log(20+r)"
    text = f"exp(-sqrt(log(log({log}))))/((20+r)*{log}*log({log}))"
    for order in (3, 6):
        with pytest.raises(Rejected, match="borderline"):
            kernel.check_bytes(
                forged(text, "invalid", {"integrable": "refuted"}, infinity={"radius": "64", "order": order})
            )
    diverges = f"1/((20+r)*{log}*log({log}))"
    claim = kernel.check_bytes(
        forged(diverges, "invalid", {"integrable": "refuted"}, infinity={"radius": "64", "order": 6})
    )
    assert claim["verdict"] == "invalid"


def chain(*points: tuple[str, str, int]) -> list[str]:
    """Grids one after another, each point once."""
    return sorted({x for part in points for x in grid(*part)}, key=Fraction)


def test_a_zero_that_is_jumped_over_is_not_touched() -> None:
    """The clamped sign of r - 1 has no branch and finite values, and is never near zero: f is 1 or 9 times e^-r."""
    sign = "Max(-1,Min(1,(r-1)*((r-1)**2)**(-1/2)))"
    ends = {"zero": {"radius": "1/16", "order": 6}, "cover": grid("1/16", "16", 81)}
    touch = {"kind": "touches", "box": ["1/2", "3/2"], "positive": ["2", "3"]}
    claimed = {"positive": "refuted", "integrable": "proved"}
    with pytest.raises(Rejected, match="touch zero"):
        kernel.check_bytes(forged(f"exp(-r)*(2*{sign}+1)**2", "not_private", claimed, **ends, sign=touch))
    claim = kernel.check_bytes(forged("exp(-r)*(r-1)**2", "not_private", claimed, **ends, sign=touch))
    assert claim["verdict"] == "not_private"


def test_a_jump_at_a_pole_where_two_boxes_meet_is_not_called_falling() -> None:
    """exp(Min(1/(r-1), 0)) falls from 1/e to 0 before 1, is 1 behind it, and has neither a branch nor a floor."""
    cover = chain(("1/64", "1", 130), ("1", "2", 20), ("2", "16", 40))
    steps = {"phase": None, "cover": cover}
    jumps_up = Proof(problem("exp(-r/10)*(1+exp(Min(1/(r-1),0)))"), steps)
    assert all(jumps_up.problem.on_box(a, b).du.hi <= 0 for a, b in jumps_up.boxes())
    with pytest.raises(Rejected, match=r"fall at 1$"):
        jumps_up.decreasing("proved")


def test_a_jump_where_the_chart_at_zero_ends_is_seen() -> None:
    """The floor falls from 1 to 0 right behind 1/64, so that f rises there by the factor e^3."""
    steps = {"phase": None, "cover": chain(("1/64", "1", 64), ("1", "16", 60))}
    assert not Proof(problem("exp(-r/10-3*floor(Max(1/2,3/2-32*r)))"), steps).falls_across(Fraction(1, 64))
    assert Proof(problem("exp(-r/10+3*floor(Max(1/2,3/2-32*r)))"), steps).falls_across(Fraction(1, 64))


@pytest.mark.parametrize("text", ["1/w**(-1/2)", "w*w**(-5/2)", "0*w**(-1/3)", "exp(-w**(-1/2))"])
def test_a_negative_power_of_zero_is_no_value(text: str) -> None:
    """Infinity times zero, or its inverse, would be 0, and f be defined where it is not."""
    for w in ("Max(0,1-r)", "0"):
        with pytest.raises(Rejected, match="divides by zero"):
            problem(f"exp(-r)*(1+{text.replace('w', w)})").on_box(Fraction(2), Fraction(3))
    assert problem("exp(-r-sqrt(Max(0,1-r)))").on_box(Fraction(2), Fraction(3)).du.hi == -1
