"""Integrals against a mixing law, panel by panel (K200-K204), against mpmath's quadrature; and what is no law."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import Interval, hull, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.tilted import Law, Panel, beyond, expansion, law, moments, nothing

pytestmark = pytest.mark.slow

for section in SECTIONS:
    load_section(section)

NEAR, FAR = (Fraction(1, 64), 8), (Fraction(20), 8)
SCALES = [Fraction(9**k, 8 ** (k + 1)) for k in range(40)]
MARKS = list(map(str, SCALES))
CUBE = "r**5*(1+r**2)**(-6)"
CUT = "Piecewise((0, r < 1/2), ((r-1/2)*(4-r), r < 4), (0, True))"


def cube(v: Any) -> Any:
    return v**5 * (1 + v**2) ** -6


def problem(text: str = CUBE, d: int = 3) -> Problem:
    return Problem(Reader(text, {}).tree(), d, Fraction(1), NEAR, FAR)


def number(x: Any) -> Any:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(str(x))


def holds(found: Interval, value: Any, width: Any) -> None:
    assert number(found.lo) - mp.mpf(10) ** -20 <= value <= number(found.hi) + mp.mpf(10) ** -20
    assert number(found.hi) - number(found.lo) <= width


def truth(p: Callable[[Any], Any], d: int, k: int, s: Any, low: Any, high: Any) -> Any:
    """The integral of t^k e^(-s^2 t) v^-d p(v) dv, t = 1/(2 v^2)."""
    t = lambda v: 1 / (2 * v * v)  # noqa: E731
    inside = [x for x in map(number, SCALES[4::7]) if low < x < high]
    return mp.quad(lambda v: t(v) ** k * mp.exp(-s * s * t(v)) * v**-d * p(v), [low, *inside, high])


def moment(j: int, beta: Any) -> Any:
    """By parts, from m_0 = (1 - e^(-2 beta))/beta on."""
    if not beta:
        return mp.mpf(2) / (j + 1) if j % 2 == 0 else mp.mpf(0)
    end = mp.exp(-2 * beta)
    found = (1 - end) / beta
    for k in range(1, j + 1):
        found = (k * found - end + (-1) ** k) / beta
    return found


@pytest.mark.parametrize("beta", ["0", "1/1000", "1/2", "1", "3", "20", "80"])
def test_the_moments_of_an_exponential(beta: str) -> None:
    at = Fraction(beta)
    found = moments(interval(at), 14)
    assert len(found) == 15
    with mp.workdps(150):
        assert abs(moment(3, mp.mpf(2)) - mp.quad(lambda x: x**3 * mp.exp(-2 * (1 + x)), [-1, 0, 1])) < 1e-30
        for j, m in enumerate(found):
            exact = moment(j, number(at))
            assert number(m.lo) <= exact <= number(m.hi)
            assert j > 4 or number(m.hi) - number(m.lo) <= abs(exact) / 10 + mp.mpf(10) ** -6


@pytest.mark.parametrize(("low", "high"), [("1/3", "2/3"), ("0", "1/10"), ("5", "6"), ("1/7", "1/7"), ("40", "44")])
def test_moments_hold_for_all_of_an_interval_and_their_own_rounding(low: str, high: str) -> None:
    a, b = Fraction(low), Fraction(high)
    found = moments(hull(interval(a), interval(b)), 8)
    with mp.workdps(150):
        for k in range(5):
            for j, m in enumerate(found):
                assert number(m.lo) <= moment(j, number(a + (b - a) * k / 4)) <= number(m.hi)


@pytest.mark.parametrize("beta", ["0", "3", "17"])
def test_the_integrals_of_a_polynomial_and_its_last_term(beta: str) -> None:
    """q = 3 - x + 2 x^2 + 5 x^3, the last as a remainder would be, on the t of 1/2 < v < 1: c = 5/4, h = 3/4."""
    terms = [interval(x) for x in (3, -1, 2, 5)]
    y = Fraction(beta)
    found = Panel(HALF, Fraction(1), terms).integrals(interval(y))
    with mp.workdps(60):
        c, h = mp.mpf(5) / 4, mp.mpf(3) / 4
        q = lambda x: 3 - x + 2 * x**2 + 5 * x**3  # noqa: E731
        for k, ours in enumerate(found):
            t = lambda x: c + h * x  # noqa: E731
            exact = h * mp.quad(lambda x: t(x) ** k * mp.exp(-number(y) * t(x)) * q(x), [-1, 0, 1])
            assert abs(number(ours.lo) - exact) + abs(number(ours.hi) - exact) < 1e-2 * abs(exact) + 1e-9


HALF = Fraction(1, 2)


@pytest.mark.parametrize("beta", [(-1, 1), (79, 81), (81, 82)])
def test_moments_of_what_grows_or_is_too_steep_are_refused(beta: tuple[int, int]) -> None:
    with pytest.raises(Rejected, match="too wide for its radius"):
        moments(hull(interval(beta[0]), interval(beta[1])), 4)


@pytest.mark.parametrize("d", [1, 2, 3, 6])
@pytest.mark.parametrize("s", ["0", "1/2", "3"])
def test_the_integrals_over_a_panel(d: int, s: str) -> None:
    low, high = Fraction(1), Fraction(17, 16)
    found = expansion(problem(d=d), 12, low, high).integrals(interval(Fraction(s) ** 2))
    with mp.workdps(25):
        for k, x in enumerate(found):
            exact = truth(cube, d, k, number(Fraction(s)), number(low), number(high))
            holds(x, exact, exact * mp.mpf(10) ** -8)


@pytest.mark.parametrize("text", ["exp(-r)*(1-r)", "-exp(-r)", "exp(-Abs(r-9/8))", "Max(1,r*8/9)", "floor(r+7/8)"])
def test_a_panel_where_p_is_negative_or_not_smooth_is_refused(text: str) -> None:
    with pytest.raises(Rejected, match=r"smooth|negative|floor"):
        expansion(problem(text), 12, Fraction(1), Fraction(5, 4))


def test_p_may_be_shown_not_negative_by_its_values_on_a_box() -> None:
    """(r - 1)^2 touches 0 inside of the panel."""
    found = expansion(problem("(r-9/8)**2"), 6, Fraction(1), Fraction(5, 4)).integrals(interval(0))[0]
    with mp.workdps(25):
        exact = truth(lambda v: (v - mp.mpf(9) / 8) ** 2, 3, 0, mp.mpf(0), mp.mpf(1), mp.mpf("1.25"))
        holds(found, exact, exact / 10)


# Beyond the panels.  v (log p)' = 5 - 12 v^2/(1 + v^2)


@pytest.mark.parametrize("d", [1, 3])
def test_what_lies_beyond_at_the_centre(d: int) -> None:
    a = Fraction(1, 8)
    found = beyond(problem(d=d), a, "zero")
    with mp.workdps(25):
        for k in range(3):
            n = d + 2 * k
            exact = truth(cube, d, k, mp.mpf(0), mp.mpf(0), number(a)) if n < 6 else None
            if exact is None:
                assert found[k].lo == 0 and not found[k].hi.is_finite()
                continue
            assert number(found[k].lo) <= exact <= number(found[k].hi)
            size = number(a) ** (1 - n) * cube(number(a)) / 2**k
            for end, rate in ((found[k].lo, 6 - n), (found[k].hi, 6 - n - mp.mpf(12) / 65)):
                assert abs(number(end) * rate / size - 1) < 0.01


@pytest.mark.parametrize("d", [1, 3])
def test_what_lies_beyond_in_the_tail(d: int) -> None:
    found = beyond(problem("r**2*(1+r)**(-9)", d=d), Fraction(20), "infinity")
    p = lambda v: v**2 * (1 + v) ** -9  # noqa: E731
    with mp.workdps(25):
        for k in range(3):
            n = d + 2 * k
            exact = mp.quad(lambda v: (2 * v * v) ** -k * v**-d * p(v), [20, 40, 100, 1000, mp.inf])
            assert number(found[k].lo) <= exact <= number(found[k].hi)
            size = mp.mpf(20) ** (1 - n) * p(mp.mpf(20)) / 2**k
            for end, rate in ((found[k].lo, n + 6), (found[k].hi, n - 3 + mp.mpf(180) / 21)):
                assert abs(number(end) * rate / size - 1) < 0.03


def test_what_is_not_integrable_beyond_is_refused() -> None:
    for text, d, side, at in (
        ("exp(-r)", 1, "zero", "1/8"),
        ("r**2*exp(-r)", 3, "zero", "1/8"),
        ("r", 2, "infinity", "20"),
    ):
        with pytest.raises(Rejected, match="not shown integrable"):
            beyond(problem(text, d), Fraction(at), side)
    assert beyond(problem("r**3*exp(-r)", 3), Fraction(1, 8), "zero")[0].finite()


def test_where_a_law_has_nothing() -> None:
    for at, side in (("49/100", "zero"), ("1/4", "zero"), ("41/10", "infinity"), ("5", "infinity")):
        assert all(x.lo == x.hi == 0 for x in nothing(problem(CUT), Fraction(at), side))
    for at, side in (("51/100", "zero"), ("399/100", "infinity")):
        with pytest.raises(Rejected):
            nothing(problem(CUT), Fraction(at), side)
    with pytest.raises(Rejected, match="not shown to be 0"):
        nothing(problem(), Fraction(1, 8), "zero")


# A law


def given(**changed: Any) -> dict[str, Any]:
    return {"order": 7, "marks": MARKS, "ends": {"zero": "power", "infinity": "power"}} | changed


@pytest.fixture(scope="module")
def cubic() -> Law:
    return law(problem(), given())


@pytest.mark.parametrize("s", ["0", "1/4", "2", "7/2"])
def test_integrals_over_all_scales(cubic: Law, s: str) -> None:
    found = cubic.at(Fraction(s), 0, len(MARKS) - 1)
    with mp.workdps(25):
        for k in range(3):
            if s == "0" and k == 2:
                continue
            exact = truth(cube, 3, k, number(Fraction(s)), mp.mpf(0), mp.inf)
            inner = truth(cube, 3, 0, mp.mpf(0), mp.mpf(0), mp.mpf("0.125")) * (32**k if s != "0" else 1)
            holds(found[k], exact, exact * (mp.mpf(10) ** -4 if s != "0" else mp.mpf(1) / 12) + 2 * inner)


def test_a_window_of_the_panels(cubic: Law) -> None:
    """Over v > marks[12] to marks[20]: what is larger is between its mass times e^-.. and 1."""
    s, first, last = Fraction(3), 12, 20
    found = cubic.at(s, first, last, beyond=False)
    low, cut = (number(Fraction(MARKS[i])) for i in (first, last))
    with mp.workdps(25):
        decay = mp.exp(-9 / (2 * cut**2))
        for k in range(3):
            inside = truth(cube, 3, k, mp.mpf(3), low, cut)
            above = truth(cube, 3, k, mp.mpf(0), cut, mp.inf)
            assert abs(number(found[k].lo) / (inside + above * decay) - 1) < 1e-3
            assert abs(number(found[k].hi) / (inside + above) - 1) < 1e-3
        whole = cubic.at(s, first, last)
        top = 1 / (2 * low**2)
        below = truth(cube, 3, 0, mp.mpf(0), mp.mpf(0), low)
        for k in range(3):
            assert abs(number(whole[k].lo) / number(found[k].lo) - 1) < mp.mpf(10) ** -20
            added = number(whole[k].hi) - number(found[k].hi)
            assert abs(added / (below * top**k * mp.exp(-9 * top)) - 1) < 1e-3
            assert truth(cube, 3, k, mp.mpf(3), mp.mpf(0), low) <= added


def test_smaller_scales_where_the_radius_is_small(cubic: Law) -> None:
    """For s^2 T < k t^k e^(-s^2 t) is not largest at T: the integral of t^k q times e^(-s^2 T) then."""
    first, s = 16, Fraction(1, 2)
    found = cubic.inside(s, first)
    low = number(Fraction(MARKS[first]))
    with mp.workdps(25):
        top = 1 / (2 * low**2)
        assert top / 4 < 1
        for k in (1,):
            integral = truth(cube, 3, k, mp.mpf(0), mp.mpf(0), low)
            assert 1 <= number(found[k].hi) / (integral * mp.exp(-top / 4)) < 1.1
            assert truth(cube, 3, k, mp.mpf("0.5"), mp.mpf(0), low) <= number(found[k].hi)
        none = cubic.inside(Fraction(0), first)
        assert abs(number(none[0].lo) / truth(cube, 3, 0, mp.mpf(0), mp.mpf(0), low) - 1) < 1e-2


@pytest.mark.parametrize(("first", "last"), [(3, 3), (4, 3), (-1, 3), (0, len(MARKS))])
def test_windows_that_there_are_not(cubic: Law, first: int, last: int) -> None:
    with pytest.raises(Rejected, match="panels that there are not"):
        cubic.at(Fraction(1), first, last)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"marks": ["1"]}, "increasing scales"),
        ({"marks": ["1", "1"]}, "increasing scales"),
        ({"marks": ["1", "3", "2"]}, "increasing scales"),
        ({"marks": ["3", "1", "2"]}, "increasing scales"),
        ({"marks": ["0", "1"]}, "increasing scales"),
        ({"marks": ["-1", "1"]}, "increasing scales"),
        ({"order": 25}, "order"),
        ({"order": 0}, "order"),
        ({"ends": {"zero": "power"}}, "ends"),
        ({"ends": {"zero": "power", "infinity": "other"}}, "names no rule"),
        ({"ends": {"zero": "nothing", "infinity": "power"}}, "not shown to be 0"),
    ],
)
def test_what_is_no_law(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        law(problem(), given(**changed))


def test_a_law_between_two_scales() -> None:
    """(v - 1/2)(4 - v) between 1/2 and 4, in the plane."""
    marks = ["1/4", "1/2", "9/16", "5/8", "3/4", "1", "3/2", "2", "5/2", "3", "7/2", "4", "5"]
    found = law(problem(CUT, 2), {"order": 7, "marks": marks, "ends": {"zero": "nothing", "infinity": "nothing"}})
    with mp.workdps(25):
        p = lambda v: (v - mp.mpf(1) / 2) * (4 - v)  # noqa: E731
        for k, x in enumerate(found.at(Fraction(1), 0, 12)):
            exact = truth(p, 2, k, mp.mpf(1), mp.mpf("0.5"), mp.mpf(4))
            holds(x, exact, exact / 1000)
