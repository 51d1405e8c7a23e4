"""atan, pi/2 - atan and Lambert's W, rule by rule: exact terms, both ends of a range, and what is not to be shown."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import INF, NEAR, Interval, hull, interval
from dpverify.kernel.reader import FUNCTIONS
from dpverify.kernel.sections import inverse
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.inverse import ATAN, COMPLEMENT, LAMBERT, complement_point, lambert_far, power_series
from dpverify.kernel.sections.jets import panel
from dpverify.kernel.sections.models import Germ, Model, power_of_t
from dpverify.kernel.sections.smooth import Smooth
from dpverify.kernel.tree import Node, never_negative
from tests.kernel.problems import on_charts, tree

Q, HALF = Fraction, Fraction(1, 2)


def number(x: Any) -> Any:
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(str(x))


def holds(found: Interval, exact: Any, width: float, slack: float = 1e-50) -> None:
    assert number(found.lo) - slack <= exact <= number(found.hi) + slack
    assert number(found.hi) - number(found.lo) <= width


def acot(x: Any) -> Any:
    return mp.pi / 2 - mp.atan(x)


@pytest.mark.parametrize(("order", "last"), [(1, (-1, 0)), (2, (0, 1)), (3, (0, 1)), (5, (-1, 0))])
def test_the_series_of_atan_has_a_rest_within_its_next_term(order: int, last: tuple[int, int]) -> None:
    """1/t - 1/(3 t^3) + ... and theta times the next term, theta in [0, 1]."""
    found = power_series(Germ(Q(4), order).radius(-1)).terms
    n = order // 2 + 1
    exact: dict[Any, Any] = {power_of_t(-1 - 2 * k): Q((-1) ** k, 2 * k + 1) for k in range(n)}
    rest = found.pop(power_of_t(-1 - 2 * n))
    assert found == exact
    low, high = (interval(Q(x, 2 * n + 1)) for x in last)
    assert (rest.lo, rest.hi) == (low.lo, high.hi)


def test_the_series_of_atan_is_taken_on_any_interval() -> None:
    with mp.workdps(70):
        for low, high in (("0", "1/20"), ("0", "1/2"), ("1/3", "1/2")):
            found = inverse.small_atan(hull(interval(Q(low)), interval(Q(high))))
            assert found.lo <= 0 or number(found.lo) <= mp.atan(number(Q(low)))
            assert number(found.hi) >= mp.atan(number(Q(high)))
        for at in ("1/10", "1/20", "3/4", "-5", "1000"):
            holds(inverse.atan_point(interval(Q(at)).lo), mp.atan(number(interval(Q(at)).lo)), 1e-57, 1e-58)


@pytest.mark.parametrize("x", ["-Infinity", "Infinity", "0", "-1", "1", "1.5", "2", "1e40", "-1e40"])
def test_atan_and_its_complement_at_points(x: str) -> None:
    with mp.workdps(170):
        at = Decimal(x)
        whole = mp.pi / 2 if at == INF else -mp.pi / 2 if at == -INF else mp.atan(number(at))
        holds(inverse.atan_point(at), whole, 1e-57, 0)
        holds(complement_point(at), mp.pi / 2 - whole, 1e-57 if at < 2 else 1e-57 * float(mp.pi / 2 - whole), 0)


@pytest.mark.parametrize(("f", "truth"), [(ATAN, mp.atan), (COMPLEMENT, acot)])
def test_increments_across_the_line(f: Smooth, truth: Callable[[Any], Any]) -> None:
    """Also where 1 + u v is not positive, and the increment is no atan of one number."""
    with mp.workdps(70):
        for u, v in ((-2, 3), (-1, 1), (1, 3), (3, -1), (-5, -2)):
            found = f.increment(interval(u), interval(v), interval(v - u))
            holds(found, truth(v) - truth(u), 1e-55)


@pytest.mark.parametrize(("f", "truth"), [(ATAN, mp.atan), (COMPLEMENT, acot)])
def test_slopes_and_series_over_other_rings(f: Any, truth: Callable[[Any], Any]) -> None:
    germ = Germ(Q(10), 8)
    with mp.workdps(40):
        for x, near in ((germ.radius(-1) + 2, 2 + 1 / mp.mpf(12)), (germ.radius(), mp.mpf(12))):
            found = f.slope_model(x)
            assert number(found.span().lo) <= mp.diff(truth, near) <= number(found.span().hi)
        for m, c in f.slope_model(germ.radius()).terms.items():
            if m == power_of_t(-2):
                assert c == (1 if f is ATAN else -1)
        at = panel(4, (Q(2), Q(1, 4), Q(1, 16))).middle
        for c, exact in zip(f.of(at).c, mp.taylor(lambda s: truth(2 + s / 4 + s * s / 16), 0, 3), strict=False):
            holds(c, exact, 1e-25, 1e-12)


@pytest.mark.parametrize(
    ("f", "sign", "limit"), [(ATAN, 1, HALF), (ATAN, -1, -HALF), (COMPLEMENT, 1, Q(0)), (COMPLEMENT, -1, Q(1))]
)
def test_far_out_each_tends_to_its_limit_from_its_side(f: Smooth, sign: int, limit: Fraction) -> None:
    """limit - 1/x + 1/(3 x^3) for atan, limit + 1/x - ... for its complement; the limits in units of pi."""
    x = Germ(Q(10), 4).radius() * sign
    found = f.model(x)
    side = -1 if f is ATAN else 1
    assert found.terms[power_of_t(-1)] == side * sign and found.terms[power_of_t(-3)] == Q(-side * sign, 3)
    with mp.workdps(50):
        holds(found.limit(), number(limit) * mp.pi, 1e-45)


def test_near_zero_each_is_a_series_and_near_a_number_it_has_its_value() -> None:
    w = Germ(Q(10), 4).radius(-1)
    with mp.workdps(50):
        for series, side, limit in ((ATAN, 1, 0), (COMPLEMENT, -1, mp.pi / 2)):
            near = series.model(w)
            assert near.terms[power_of_t(-1)] == side and near.terms[power_of_t(-3)] == Q(-side, 3)
            holds(near.limit(), limit, 1e-45)
        of: list[tuple[Smooth, Any]] = [(ATAN, mp.atan), (COMPLEMENT, acot), (LAMBERT, lambda x: mp.lambertw(x).real)]
        for f, truth in of:
            for c in (1, 2, 3):
                holds(f.model(w + c).limit(), truth(mp.mpf(c)), 1e-45)
        assert LAMBERT.model(w).limit().hi == 0 == LAMBERT.model(w).limit().lo


def test_what_grows_in_no_proved_direction_has_no_limit() -> None:
    x = Model(Germ(Q(10), 4), {power_of_t(1): Interval(Decimal(-1), Decimal(1))})
    for f in (ATAN, COMPLEMENT):
        with pytest.raises(Rejected):
            f.model(x)


class Led(Context):
    """Newton's steps led to a given place: what they find is not to be believed."""

    def __init__(self, to: Decimal) -> None:
        super().__init__(NEAR.prec, NEAR.rounding, NEAR.Emin, NEAR.Emax, traps=[])
        self.steps = [-to]

    def ln(self, a: Any, /) -> Decimal:
        return Decimal(0)

    def divide(self, a: Any, b: Any, /) -> Decimal:
        return self.steps.pop() if self.steps else Decimal(0)


def led(monkeypatch: pytest.MonkeyPatch, to: Decimal, x: Decimal) -> Interval:
    monkeypatch.setattr(inverse, "NEAR", Led(to))
    kept: Any = vars(inverse.lambert_point)["__wrapped__"]
    kept.cache_clear()
    try:
        return inverse.lambert_point(x)
    finally:
        kept.cache_clear()


@pytest.mark.parametrize("w", ["0.5", "-0.5", "1.25", "3.75"])
def test_what_newtons_steps_find_is_shown_or_refused(monkeypatch: pytest.MonkeyPatch, w: str) -> None:
    """From a e^a <= x on, both sides of it as they are rounded, up to x <= b e^b; beyond either nothing is known."""
    middle, reach = Decimal(w), abs(Decimal(w)).scaleb(-50)
    ends = [Interval(end, end) for end in (NEAR.subtract(middle, reach), NEAR.add(middle, reach))]
    below, above = (end * end.exp() for end in ends)
    assert below.lo < below.hi < above.lo < above.hi
    for x in (below.hi, above.lo):
        found = led(monkeypatch, middle, x)
        assert (found.lo, found.hi) == (ends[0].lo, ends[1].hi)
    for x in (below.lo, above.hi, below.lo - reach, above.hi + reach, below.lo - Decimal("0.01")):
        with pytest.raises(Rejected, match="not known closely"):
            led(monkeypatch, middle, x)


def test_the_other_branch_of_lamberts_function_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with mp.workdps(60):
        lower = Decimal(mp.nstr(mp.lambertw(mp.mpf("-0.2"), -1).real, 55))
    with pytest.raises(Rejected, match="not known closely"):
        led(monkeypatch, lower, Decimal("-0.2"))


@pytest.mark.parametrize(
    "x",
    ["1e999", "1e-999", "-1e-999", "1e-1000", "7e-1000", "3e-1050", "9e998", "-0.36787944117144228", "-0.3", "1", "0"],
)
def test_lamberts_function_as_far_as_it_is_taken(x: str) -> None:
    with mp.workdps(2200):
        exact = mp.lambertw(mp.mpf(x)).real
        found = inverse.lambert_point(Decimal(x))
        assert number(found.lo) <= exact <= number(found.hi)
        assert number(found.hi) - number(found.lo) <= abs(exact) * mp.mpf(10) ** -48


@pytest.mark.parametrize("x", ["Infinity", "1e1000", "-1e-1000", "-0.3678794411714424", "-0.3678794411714423", "-1"])
def test_lamberts_function_too_far_out_or_too_near_its_end(x: str) -> None:
    with pytest.raises(Rejected) as refusal:
        inverse.lambert_point(Decimal(x))
    assert refusal.value.code == "limits"


def test_lamberts_function_and_its_slope_on_boxes() -> None:
    def truth(x: Any) -> Any:
        return mp.lambertw(x).real

    with mp.workdps(60):
        for low, high in (("-1/3", "5"), ("0", "1"), ("2", "7")):
            box = hull(interval(Q(low)), interval(Q(high)))
            ends = [number(Q(x)) for x in (low, high)]
            value, slope = LAMBERT.value(box), LAMBERT.slope(box)
            for found, exact in ((value.lo, truth(ends[0])), (value.hi, truth(ends[1]))):
                assert abs(number(found) - exact) < 1e-40
            for found, at in ((slope.hi, ends[0]), (slope.lo, ends[1])):
                assert abs(number(found) - 1 / (at + mp.exp(truth(at)))) < 1e-40
        endless = LAMBERT.of(Interval(Decimal("0.5"), INF))
        assert endless.hi == INF and abs(number(endless.lo) - truth(mp.mpf("0.5"))) < 1e-40
    with pytest.raises(Rejected):
        LAMBERT.slope(hull(interval(Q(-1, 2)), interval(1)))
    with pytest.raises(Rejected, match="unbounded"):
        LAMBERT.of(Interval(Decimal("-0.1"), INF))


def at(model: Model, t: Any) -> tuple[Any, Any]:
    """What a model says at t: the sum of its terms' ends."""
    low = high = mp.mpf(0)
    for (_, a, b, c, e), k in model.terms.items():
        m = t**a * mp.log(t) ** b * mp.log(mp.log(t)) ** c * (mp.log(mp.log(mp.log(t))) ** e if e else 1)
        ends = sorted(number(x) * m for x in (interval(k).lo, interval(k).hi))
        low, high = low + ends[0], high + ends[1]
    return low, high


@pytest.mark.parametrize(("t", "radius"), [("3", "14/5"), ("5", "3"), ("1e6", "100"), ("1e30", "1e20")])
def test_lamberts_function_far_out(t: str, radius: str) -> None:
    """L - log L + theta log L/L, theta from 0 to 6/5; and its slope W/(x (1 + W))."""
    with mp.workdps(40):
        x, where = Germ(Q(radius), 30).radius(), mp.mpf(t)
        low, high = at(lambert_far(x), where)
        far, w = mp.log(where), mp.lambertw(where).real
        assert low - 1e-30 <= w <= high + 1e-30
        assert abs(low - (far - mp.log(far))) < 1e-25
        assert abs(high - low - mp.mpf("1.2") * mp.log(far) / far) < 1e-25


def test_the_slope_of_lamberts_function_far_out() -> None:
    """1/t (1 - 1/W + ...): of that the first two terms are told from those of 1 - 2/W."""
    with mp.workdps(40):
        slope, where = LAMBERT.large_slope(Germ(Q(10) ** 200, 6).radius()), mp.mpf(10) ** 300
        w = mp.lambertw(where).real
        low, high = at(slope, where)
        assert low <= w / (where * (1 + w)) <= high
        assert high < 1 / where and low > (1 - 2 / w) / where


@pytest.mark.parametrize("radius", ["2", "5/2", "27/10"])
def test_lamberts_function_is_not_far_out_before_e(radius: str) -> None:
    with pytest.raises(Rejected, match="too small for lambertw"):
        lambert_far(Germ(Q(radius), 6).radius())


READ: dict[str, Callable[[Any], Any]] = {
    "2+lambertw(1/(1+r))": lambda r: 2 + mp.lambertw(1 / (1 + r)).real,
    "9+atan(1/(1+r))": lambda r: 9 + mp.atan(1 / (1 + r)),
    "9+atan(sqrt(1+r))": lambda r: 9 + mp.atan(mp.sqrt(1 + r)),
    "9+atan(2)": lambda r: 9 + mp.atan(2),
    "90+r**2*atan(r)-pi**3/2": lambda r: 90 + r**2 * mp.atan(r) - mp.pi**3 / 2,
    "90+pi*atan(r)-pi**2/2": lambda r: 90 + mp.pi * mp.atan(r) - mp.pi**2 / 2,
    "90+pi**2*atan(r)-pi**3/2": lambda r: 90 + mp.pi**2 * mp.atan(r) - mp.pi**3 / 2,
    "90+(1+r)**2*atan(r)-pi**3/2": lambda r: 90 + (1 + r) ** 2 * mp.atan(r) - mp.pi**3 / 2,
    "90+atan(r)*atan(2*r)-pi/2": lambda r: 90 + mp.atan(r) * mp.atan(2 * r) - mp.pi / 2,
    "90+r*atan(r)-pi/2": lambda r: 90 + r * mp.atan(r) - mp.pi / 2,
    "90+atan(r)*exp(r)-pi/2": lambda r: 90 + mp.atan(r) * mp.exp(r) - mp.pi / 2,
    "90+exp(pi)*atan(r)-pi/2": lambda r: 90 + mp.exp(mp.pi) * mp.atan(r) - mp.pi / 2,
    "90+exp(r)*atan(2*r)-pi/2*exp(r)": lambda r: 90 + mp.exp(r) * (mp.atan(2 * r) - mp.pi / 2),
    "90+atan(r)-pi/2": lambda r: 90 + mp.atan(r) - mp.pi / 2,
    "90-3*atan(r)-3*pi/2": lambda r: 90 - 3 * mp.atan(r) - 3 * mp.pi / 2,
    "lambertw(exp(-r))": lambda r: mp.lambertw(mp.exp(-r)).real,
    "exp(-lambertw(r*exp(-r)))": lambda r: mp.exp(-mp.lambertw(r * mp.exp(-r)).real),
    "1/log(2-lambertw(-exp(-1-r)))": lambda r: 1 / mp.log(2 - mp.lambertw(-mp.exp(-1 - r)).real),
}


@pytest.mark.parametrize("text", READ)
def test_sums_and_reciprocals_are_read_as_what_they_are(text: str) -> None:
    with mp.workdps(40):
        for r in ("1/3", "5/2"):
            found = on_charts(text).at_radius(interval(Q(r)))
            holds(found, mp.log(READ[text](number(Q(r)))), 1e-15, 1e-30)


def test_lamberts_function_of_what_is_negative_has_no_logarithm() -> None:
    """W has the sign of its argument; that of -W is log|x| - W."""
    at_one = Evaluation(interval(1))
    sign, log = at_one.log(tree("lambertw(-exp(-1-r))"))
    with mp.workdps(40):
        holds(log, mp.log(-mp.lambertw(-mp.exp(-2)).real), 1e-15, 1e-30)
    assert sign == -1
    with pytest.raises(Rejected):
        on_charts("lambertw(-exp(-1-r))").at_radius(interval(1))


def test_lamberts_function_is_defined_from_its_end_on() -> None:
    of = FUNCTIONS["lambertw"].of
    assert of is not None
    with mp.workdps(70):
        for value in (Q(-1, 4), Q(0), Q(3)):
            found = Evaluation(interval(1)).value(of(Node("num", value)))
            holds(found, number(value) + mp.exp(-1), 1e-40)


def test_what_is_never_negative_by_its_form() -> None:
    for name in ("atan", "lambertw"):
        assert never_negative(tree(f"{name}(y)")) and not never_negative(tree(f"{name}(r-1)"))
