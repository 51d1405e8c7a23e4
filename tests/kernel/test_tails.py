"""What lies beyond the panels of a profile: tails below a power, and an f that is cut."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections import charts
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.shifts import left_out

for section in SECTIONS:
    load_section(section)


def _noise(text: str, tail: tuple[str, Fraction] | None = None, dimension: int = 1) -> Noise:
    near, far = (Fraction(1, 64), 6), (Fraction(2), 6)
    problem = charts.Problem(Reader(text, {}).tree(), dimension, Fraction(1), near, far)
    return Noise(problem, 12, Fraction(1, 2), tail)


@pytest.mark.slow
@pytest.mark.parametrize(("power", "radius"), [("3", 40), ("7/2", 100), ("4", 200)])
def test_a_tail_below_a_power_contains_the_integral(power: str, radius: int) -> None:
    """At least as large, and no hundred times larger, though waves leave no bound of r (log f)'."""
    noise = _noise("(1 + r)**(-4)*(3 + cos(r))", ("power", Fraction(power)))
    found = noise.beyond(Fraction(radius), True)
    x = np.linspace(radius, radius + 20_000, 4_000_001)
    y = (1 + x) ** -4.0 * (3 + np.cos(x))
    whole = float(np.sum((y[1:] + y[:-1]) / 2) * (x[1] - x[0]))
    assert found.lo == 0 and whole <= float(found.hi) <= 100 * whole


@pytest.mark.parametrize(
    ("text", "power", "dimension"),
    [
        ("(1 + r)**(-4)*(3 + cos(r))", "5", 1),  # r^5 f grows
        ("(1 + r)**(-4)*(3 + cos(r))", "3", 3),  # not integrable in space
        ("(1 + r)**(-4)*(3 + cos(r))", "1", 1),  # nor on the line
        ("(1 + r)**(-4)*(3 + cos(r))", "-2", 1),
        ("(1 + r)**(-4)*(3 + cos(r))", "1/2", 1),
        ("1/(1 + r)", "2", 1),
    ],
)
def test_a_power_that_does_not_bound_f_is_refused(text: str, power: str, dimension: int) -> None:
    with pytest.raises(Rejected) as refused:
        _noise(text, ("power", Fraction(power)), dimension).beyond(Fraction(30), True)
    assert refused.value.code == "K291"


@pytest.mark.parametrize("radius", [3, 7, 11])
def test_a_tail_that_is_a_power_is_bounded_to_the_last_digit(radius: int) -> None:
    """r^-4 has the integral R^-3/3: rounded down, the bound would lie below it."""
    found = _noise("1/y**2", ("power", Fraction(4))).beyond(Fraction(radius), True)
    truth = Fraction(1, 3 * radius**3)
    assert truth <= Fraction(found.hi) <= truth * (1 + Fraction(1, 10**20))


@pytest.mark.parametrize("radius", ["0", "-40"])
def test_a_tail_begins_at_a_positive_radius(radius: str) -> None:
    with pytest.raises(Rejected, match="no positive radius"):
        _noise("(1 + r)**(-4)*(3 + cos(r))", ("power", Fraction(3))).beyond(Fraction(radius), True)


def test_the_integral_beyond_a_cut_is_counted_twice_over() -> None:
    """2 (1 + e^eps) times that of F from R on, here of exp(-r), which is known."""
    noise = _noise("exp(-r)")
    found = left_out(noise, Fraction(10))
    truth = 2 * (1 + math.exp(0.5)) * math.exp(-10)
    assert truth <= float(found.hi) <= 1.2 * truth
    assert found.lo == 0


STEPS = (
    ("Piecewise((2*exp(-r), r <= 3), (exp(-r), True))", "3", True),
    ("Piecewise((exp(-r), r < 3), (2*exp(-r), True))", "3", True),
    ("exp(-r)*(2-floor(2*r))", "1/2", False),
    ("Piecewise((2*exp(-r), r < 1/2), (exp(-r), True))", "1/2", False),
    ("exp(-r-floor(2*r))", "1/2", False),
)


@pytest.mark.parametrize(("text", "radius", "outward"), STEPS)
def test_an_end_that_begins_at_a_jump_is_refused(text: str, radius: str, outward: bool) -> None:
    """f at the radius itself would be that of the other side, twice or half as large as the integral needs it."""
    at = Fraction(radius)
    with pytest.raises(Rejected, match="integrable power"):
        _noise(text).beyond(at, outward)
    beyond = at * Fraction(101, 100) if outward else at * Fraction(99, 100)
    found = _noise(text).beyond(beyond, outward)
    height = math.exp(-3.03) * (2 if "2*exp(-r), True" in text else 1)
    inside = (1 - math.exp(-0.495)) * (2 if text.startswith("Piecewise((2") or "(2-floor" in text else 1)
    assert float(found.lo) <= (height if outward else inside) <= float(found.hi)


def test_an_end_that_begins_at_a_jump_holds_where_f_there_is_that_of_its_own_side() -> None:
    """ceil(2 r) is 1 up to the radius 1/2 itself: the integral of 2 e^-r over (0, 1/2) is 2 - 2 e^(-1/2)."""
    found = _noise("exp(-r)*(3-ceil(2*r))").beyond(Fraction(1, 2), False)
    assert float(found.lo) <= 2 - 2 * math.exp(-0.5) <= float(found.hi)
