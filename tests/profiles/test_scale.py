"""The smallest scale for (eps, delta), against closed forms."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.profiles.scale import NoScale, smallest_scale
from tests.profiles import references
from tests.profiles.test_closed_forms import holds


@pytest.mark.slow
def test_the_gaussian_of_balle_and_wang_beats_the_classical_scale() -> None:
    found = smallest_scale(Generator("gaussian", 1), epsilon="1/2", delta="1e-6")
    with mp.workdps(40):
        exact = mp.findroot(lambda s: references.gaussian("0.5", 1 / s) - mp.mpf(10) ** -6, mp.mpf(8))
    assert holds(found.scale, exact) and found.scale.upper - found.scale.lower <= found.scale.upper / 10**9
    assert found.meets.upper <= Fraction(1, 10**6) <= found.fails.lower
    assert found.classical is not None and found.classical > 1.3 * float(found.scale.upper)


@pytest.mark.parametrize(("epsilon", "delta"), [("1/1000", "1e-300"), ("50", "1e-10"), ("1000000", "1e-10")])
def test_a_gaussian_of_which_floats_see_no_delta(epsilon: str, delta: str) -> None:
    found = smallest_scale(Generator("gaussian", 1), epsilon=epsilon, delta=delta)
    e, target = Fraction(epsilon), Fraction(delta)
    with mp.workdps(700):
        at = [
            references.gaussian(mp.mpf(e.numerator) / e.denominator, mp.mpf(s.denominator) / s.numerator)
            for s in (found.lower, found.upper)
        ]
        assert at[0] >= mp.mpf(target.numerator) / target.denominator >= at[1]
    if e < 1:
        classical = mp.sqrt(2 * mp.log(1.25 / mp.mpf(delta))) / float(e)
        assert found.classical == pytest.approx(float(classical), rel=1e-12)
    else:
        assert found.classical is None


@pytest.mark.slow
def test_laplace_by_its_closed_form() -> None:
    found = smallest_scale(Generator("laplace", 1), epsilon="1/2", delta="1/1000", sensitivity="3")
    with mp.workdps(40):
        exact = 3 / (mp.mpf("0.5") - 2 * mp.log(1 - mp.mpf("0.001")))
    assert holds(found.scale, exact) and found.classical is None


@pytest.mark.slow
def test_what_has_no_scale() -> None:
    with pytest.raises(NoScale, match=r"no scale is proved: integrable"):
        smallest_scale(Generator("1/(1 + r)", 2), epsilon="1", delta="1e-3")
    for epsilon, delta in (("-1", "1e-3"), ("1", "0"), ("1", "1")):
        with pytest.raises(InputError):
            smallest_scale(Generator("gaussian", 1), epsilon=epsilon, delta=delta)
