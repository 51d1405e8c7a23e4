"""Renyi divergences by integrals of their own (K553-K559, K561): quadratures, closed forms, and forged ones."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from fractions import Fraction as Q
from functools import cache
from itertools import product
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import directions, renyi, units
from dpverify.kernel.sections.charts import CLAIM, Subject, charted
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.steps import Steps
from dpverify.profiles.cells import by_integrals
from dpverify.profiles.result import Enclosed
from tests.profiles.test_must_fail import read, refusal

TEXTS: dict[str, Any] = {
    "exp(-r)": lambda r: mp.exp(-r),
    "(1+y/3)**(-(3+d)/2)": lambda r: (1 + r * r / 3) ** -3,
    "exp(-sqrt(r))": lambda r: mp.exp(-mp.sqrt(r)),
    "exp(-r**3)": lambda r: mp.exp(-(r**3)),
}
CHARTS = {"zero": {"radius": "1/64", "order": 8}, "infinity": {"radius": "64", "order": 8}}


def number(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


def holds(found: Interval, value: Any, wide: float = 1e-6) -> bool:
    """Whether the value lies within, to the digits of a quadrature, and the bounds are not far apart."""
    low, high = mp.mpf(str(found.lo)), mp.mpf(str(found.hi))
    slack = abs(value) * mp.mpf("1e-12")
    return bool(low - slack <= value <= high + slack and high - low <= wide * abs(value))


@cache
def proof_of(text: str, d: int = 2, shift: str = "1") -> Proof:
    for section in SECTIONS:
        load_section(section)
    about = {"generator": text, "parameters": {}, "dimension": d, "sensitivity": shift, "scale": "1"}
    subject = Subject(dict.fromkeys(CLAIM) | about)
    steps = Steps(CHARTS)
    return Proof(charted(steps, subject), steps)


def cells_of(text: str, d: int, order: Fraction, half: int = 10) -> renyi.Cells:
    return renyi.Cells(Noise(proof_of(text, d).problem, 2 * half, Q(0)), order)


def density(d: int) -> Any:
    """That of the coordinate at 0; at the cosine of an angle it is sin^(d-3) times as large."""
    return mp.gamma(mp.mpf(d) / 2) / mp.sqrt(mp.pi) / mp.gamma(mp.mpf(d - 1) / 2)


def by_quadrature(text: str, d: int, order: Fraction, radii: Any, cosines: Any) -> Any:
    """The integral of r^(d-1) f^L f(b)^(1-L) over a cell, in the angle, for a shift of 1."""
    f, power, share = TEXTS[text], number(order), density(d)

    def at(r: Any, angle: Any) -> Any:
        c = mp.cos(angle)
        b = mp.sqrt(max(r * r + 1 - 2 * r * c, mp.mpf(0)))
        return r ** (d - 1) * f(r) ** power * f(b) ** (1 - power) * share * mp.sin(angle) ** (d - 2)

    ends = [mp.acos(number(c)) for c in reversed(cosines)]
    return mp.quad(at, [number(x) for x in radii], ends, method="gauss-legendre")


@pytest.mark.parametrize("d", [2, 3, 4, 9, 50])
@pytest.mark.parametrize(
    ("low", "high"),
    [(Q(-1), Q(1)), (Q(1, 2), Q(1)), (Q(-1), Q(-3, 4)), (Q(0), Q(1, 2)), (Q(-7, 8), Q(-3, 4)), (Q(1023, 1024), Q(1))],
)
def test_moments_of_directions(d: int, low: Fraction, high: Fraction) -> None:
    found = directions.moments(d, low, high, 12)
    assert len(found) == 12
    with mp.workdps(40):
        g, k = number(low + high) / 2, number(high - low) / 2
        every = mp.mpf(str(found[0].hi))
        values = [density(d) / every * x for x in of_powers(d, g, k, mp.acos(number(high)), mp.acos(number(low)))]
        for value, x in zip(values, found, strict=True):
            least, most, slack = mp.mpf(str(x.lo)) / every, mp.mpf(str(x.hi)) / every, mp.mpf("1e-25")
            assert least - slack <= value <= most + slack
            assert most - least <= mp.mpf("1e-12")


@cache
def gauss() -> list[tuple[Any, Any]]:
    """The 96 nodes of Gauss and Legendre, and their weights, beside which powers of a sine are smooth."""
    return mp.calculus.quadrature.GaussLegendre(mp.mp).calc_nodes(6, 140)


def of_powers(d: int, g: Any, k: Any, first: Any, last: Any) -> list[Any]:
    """The integrals of ((cos a - g)/k)^j sin^(d-2) a between two angles, all at the same nodes."""
    found, half = [mp.mpf(0)] * 12, (last - first) / 2
    for x, weight in gauss():
        cosine, sine = mp.cos_sin((first + last) / 2 + half * x)
        part, t = half * weight * sine ** (d - 2), (cosine - g) / k
        for j in range(12):
            found[j] += part
            part *= t
    return found


def test_directions_beyond_the_sphere() -> None:
    for low, high in ((Q(-2), Q(0)), (Q(0), Q(3, 2)), (Q(1, 2), Q(1, 2)), (Q(1, 2), Q(1, 4))):
        with pytest.raises(Rejected):
            directions.moments(3, low, high, 4)


def test_the_mean_of_powers_beside_rationals() -> None:
    """Exactly, in rationals: the mean over t of the sum of g_n (P - Q t)^n, at a few x."""
    g = [Q((-1) ** n, n + 1) for n in range(6)]
    p, q = (Q(1, 3), Q(-1, 6)), (Q(1, 4), Q(-1, 5))
    t = [Q(1, j + 1) for j in range(6)]  # t uniform on [0, 1]
    sums, error, unit = units.mean_of_powers([interval(x) for x in g], p, q, [interval(x) for x in t])
    scale = Fraction(unit.lo)
    for x in (Q(-1), Q(-2, 7), Q(0), Q(1, 2), Q(1)):
        first, second = x * (p[0] + p[1] * x), q[0] + q[1] * x
        exact = sum(
            g[n] * binomial(n, j) * first ** (n - j) * (-second) ** j * t[j] for n in range(6) for j in range(n + 1)
        )
        found = sum(c * x**k for k, c in enumerate(sums)) * scale
        assert abs(found - exact) <= error * scale <= Q(1, 10**33)


def binomial(n: int, k: int) -> int:
    return int(mp.binomial(n, k))


@pytest.mark.parametrize("size", [Q(1, 10**200), Q(1), Q(10**200)])
def test_numbers_of_any_size_have_a_unit_of_theirs(size: Fraction) -> None:
    sums, error, unit = units.mean_of_powers([interval(size), interval(0)], (Q(1, 2), Q(0)), (Q(1, 2), Q(0)), [
        interval(1), interval(0)])  # fmt: skip
    assert abs(sums[0] * Fraction(unit.lo) - size) <= error * Fraction(unit.hi) <= size / 10**30


def test_polynomials_that_leave_the_unit_interval_have_no_mean() -> None:
    one = [interval(1)] * 3
    with pytest.raises(Rejected):
        units.mean_of_powers(one, (Q(1, 2), Q(1, 4)), (Q(1, 4), Q(1, 100)), one)
    with pytest.raises(Rejected):
        units.mean_of_powers(one, (Q(1, 2), Q(0)), (Q(1, 2), Q(0)), one[:2])


@pytest.mark.parametrize("order", [Q(2), Q(1, 3)])
@pytest.mark.parametrize(
    ("text", "d", "radii", "cosines"),
    [
        ("exp(-r)", 2, (Q(2), Q(9, 4)), (Q(0), Q(1, 2))),
        ("exp(-r)", 3, (Q(0), Q(1, 8)), (Q(-1), Q(1))),
        ("exp(-r)", 10, (Q(3, 4), Q(13, 16)), (Q(1, 2), Q(3, 4))),
        ("(1+y/3)**(-(3+d)/2)", 3, (Q(7, 8), Q(9, 8)), (Q(3, 4), Q(1))),
        ("exp(-r**3)", 5, (Q(1, 2), Q(9, 16)), (Q(-1), Q(-3, 4))),
    ],
)
def test_a_cell_in_space(text: str, d: int, radii: Any, cosines: Any, order: Fraction) -> None:
    """By series and by bounds, beside a quadrature."""
    cells = cells_of(text, d, order)
    weight = cells.weight(radii)
    value = by_quadrature(text, d, order, radii, cosines)
    assert holds(cells.in_space(weight, radii, cosines), value)
    assert holds(cells.bounded(weight, radii, cosines, cells.moments(cosines)[0]), value, 10)


@pytest.mark.parametrize("order", [Q(2), Q(1, 3)])
@pytest.mark.parametrize(("a", "b"), [(Q(0), Q(1, 2)), (Q(1, 2), Q(1)), (Q(1), Q(3, 2))])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_panel_on_the_line(a: Fraction, b: Fraction, side: int, order: Fraction) -> None:
    cells, power = cells_of("exp(-r)", 1, order), number(order)
    value = mp.quad(lambda r: mp.exp(-power * r - (1 - power) * abs(r - side)), [number(a), number(b)]) / 2
    weight = cells.weight((a, b))
    assert holds(cells.on_line(weight, (a, b), side), value)
    assert holds(cells.bounded(weight, (a, b), (Q(side), Q(side)), interval(Q(1, 2))), value, 10)


def test_a_panel_across_the_shift() -> None:
    cells = cells_of("exp(-r)", 1, Q(2))
    with pytest.raises(Rejected, match="across the shift"):
        cells.on_line(cells.weight((Q(1, 2), Q(3, 2))), (Q(1, 2), Q(3, 2)), 1)


@pytest.mark.parametrize(
    ("text", "d", "order"), [(x, d, o) for x, d, o in product(TEXTS, (1, 3), (Q(2), Q(1, 3))) if x != "exp(-sqrt(r))"]
)
def test_what_is_left_beyond_the_last_panel(text: str, d: int, order: Fraction) -> None:
    """No less than the integral over the outside, by a quadrature over the directions that are the worst."""
    noise = Noise(proof_of(text, d).problem, 12, Q(0))
    f, power, last = TEXTS[text], number(order), 70
    found = mp.mpf(str(renyi.beyond(noise, order, Q(last)).hi))
    across = [1, -1] if d == 1 else [mp.mpf(k) / 4 for k in range(-4, 5)]

    def mean(r: Any) -> Any:
        return max(f(mp.sqrt(r * r + 1 - 2 * r * c)) ** (1 - power) for c in across)

    least = min(mean(mp.mpf(last)), mean(mp.mpf(last + 1)))
    value = mp.quad(lambda r: r ** (d - 1) * f(r) ** power, [last, last + 1]) * least
    assert 0 < value <= found


def test_a_tail_within_the_shift() -> None:
    noise = Noise(proof_of("exp(-r)", 2).problem, 12, Q(0))
    for order in (Q(2), Q(1, 2)):
        with pytest.raises(Rejected, match="shift"):
            renyi.beyond(noise, order, Q(1))


@pytest.mark.parametrize("order", [Q(2), Q(1, 2)])
@pytest.mark.parametrize("d", [1, 3])
def test_the_centre(d: int, order: Fraction) -> None:
    """Between the least and the largest of the other factor, times a quadrature of the weight."""
    proof, power, radius = proof_of("exp(-sqrt(r))", d), number(order), Q(1, 100)
    cells = renyi.Cells(Noise(proof.problem, 12, Q(0)), order)
    found = renyi.centre(proof, cells, order, 6, radius)
    f, r = TEXTS["exp(-sqrt(r))"], number(radius)
    weight = mp.quad(lambda x: x ** (d - 1) * f(x) ** power, mp.linspace(0, r, 5))
    ends = sorted(f(1 + k * r) ** (1 - power) * weight for k in (-1, 1))
    assert mp.mpf(str(found.lo)) <= ends[0]
    assert ends[1] <= mp.mpf(str(found.hi)) <= 2 * ends[0]
    with pytest.raises(Rejected, match="shift"):
        renyi.centre(proof, cells, order, 6, Q(1))


def laplace(order: Any) -> Any:
    """Mironov (2017), for Delta/b = 1."""
    x = mp.mpf(order.numerator) / order.denominator
    return mp.log(x / (2 * x - 1) * mp.exp(x - 1) + (x - 1) / (2 * x - 1) * mp.exp(-x)) / (x - 1)


@pytest.mark.parametrize("order", [Q(1, 3), Q(3, 2), Q(2), Q(12), pytest.param(Q(40), marks=pytest.mark.sweep)])
def test_laplace_noise_has_its_closed_form(order: Fraction) -> None:
    found = dpverify.profile("laplace", renyi=str(order), certificate=True)
    (measure,) = found.measures
    assert measure.certified
    assert measure.value is not None
    low, high = number(measure.value.lower), number(measure.value.upper)
    assert low <= laplace(order) <= high <= low * (1 + mp.mpf("1e-9"))
    assert len(found.points) == 1


def in_the_plane() -> dict[str, Any]:
    """The order 2 of a t in the plane, as the gallery has it."""
    return read("student-t-renyi")


def test_a_t_in_the_plane_beside_a_quadrature() -> None:
    """Of what is periodic the mean over 64 angles is that over all, to 30 digits."""
    (measure,) = in_the_plane()["claim"]["measures"]
    cosines = [mp.cos(2 * mp.pi * k / 64) for k in range(64)]

    def f(y: Any) -> Any:
        return (1 + y / 3) ** mp.mpf("-2.5")

    def ring(r: Any) -> Any:
        return r * f(r * r) ** 2 * sum(1 / f(r * r + 1 - 2 * r * c) for c in cosines) / 64

    with mp.workdps(20):
        z = mp.quad(lambda r: r * f(r * r), [0, mp.inf])
        value = mp.log(mp.quad(ring, [0, 1, 4, 20, mp.inf]) / z)
    low, high = (number(Q(measure["value"][end])) for end in ("lower", "upper"))
    assert low <= value * (1 + mp.mpf("1e-12"))
    assert value * (1 - mp.mpf("1e-12")) <= high <= low * (1 + mp.mpf("1e-9"))


def short(step: Any, _: Any) -> None:
    for name in ("marks", "directions", "sets"):
        step[name].pop()


def wide(step: Any) -> int:
    """A panel of more cells than one."""
    return next(k for k, x in enumerate(step["sets"]) if len(x) > 1)


def coarse(step: Any, _: Any) -> None:
    k = wide(step)
    step["directions"][k].pop()
    step["sets"][k] = step["sets"][k][1:]


def inward(end: str, way: int) -> Any:
    def change(_: Any, certificate: Any) -> None:
        value = certificate["claim"]["measures"][0]["value"]
        value[end] = str(Q(value[end]) * (1 + way * Q(1, 10**8)))

    return change


FORGED: dict[str, Any] = {
    "a panel dropped at the end": short,
    "a panel's cells dropped": lambda s, _: s["sets"].pop(),
    "a cell dropped": lambda s, _: s["sets"].__setitem__(wide(s), s["sets"][wide(s)][1:]),
    "two cells in one": coarse,
    "cuts that do not rise": lambda s, _: s["directions"][wide(s)].append(s["directions"][wide(s)][0]),
    "a cut beyond the sphere": lambda s, _: s["directions"][wide(s)].__setitem__(-1, "3/2"),
    "a letter that is none": lambda s, _: s["sets"].__setitem__(0, "f" * len(s["sets"][0])),
    "bounds for series": lambda s, _: s["sets"].__setitem__(wide(s), "b" * len(s["sets"][wide(s)])),
    "another order": lambda s, _: s.__setitem__("at", "5/2"),
    "the order 1": lambda s, _: s.__setitem__("at", "1"),
    "an order that is too large": lambda s, _: s.__setitem__("at", "1001"),
    "series that are too short": lambda s, _: s.__setitem__("order", 1),
    "a mass without its tail": lambda s, _: s["mass"].__delitem__(slice(1, None)),
    "no integral": lambda _, c: c["proof"]["measures"].__setitem__("integrals", []),
    "an integral twice": lambda s, c: c["proof"]["measures"]["integrals"].append(deepcopy(s)),
    "one that no claim needs": lambda s, c: c["proof"]["measures"]["integrals"].append({**deepcopy(s), "at": "3"}),
    "a tail that no claim needs": lambda _, c: c["proof"]["measures"].__setitem__("tail", {}),
    "orders that no claim needs": lambda _, c: c["proof"]["measures"].__setitem__("orders", ["2"]),
    "lower moved inward": inward("lower", 1),
    "upper moved inward": inward("upper", -1),
}
"""What is changed of a certificate of the t in the plane: its integral's step, or the whole."""


@pytest.mark.parametrize("what", FORGED)
def test_what_is_forged_is_refused(what: str) -> None:
    certificate = in_the_plane()
    FORGED[what](certificate["proof"]["measures"]["integrals"][0], certificate)
    assert refusal(certificate)


def test_what_is_not_forged_is_accepted() -> None:
    assert refusal(in_the_plane()) == ""


def test_a_generator_whose_tail_is_fatter_than_is_claimed() -> None:
    """An integral of another generator says nothing of this one."""
    certificate = in_the_plane()
    certificate["claim"]["parameters"]["nu"] = "4"
    assert refusal(certificate)


def test_divergences_that_the_checker_does_not_follow_are_left_out() -> None:
    """A divergence that is 0, and a tail that is no power's."""
    proof = proof_of("exp(-r)", 1)
    marks = [*(str(Q(k, 2)) for k in range(17)), *(str(k) for k in range(9, 49))]
    known = Enclosed(Q(6, 10), Q(7, 10))
    assert by_integrals(proof, [(Q(2), Enclosed(Q(0), Q(1)))], marks) == ([], [])
    wave = proof_of("exp(-r)*(2+cos(r))", 1)
    assert by_integrals(wave, [(Q(1), known), (Q(2), known)], marks) == ([], [])
    ((order, low, high),), (step,) = by_integrals(proof, [(Q(2), known)], marks)
    assert order == 2
    assert low <= Q(str(laplace(Q(2)))[:15]) + Q(1, 10**12)
    assert high >= Q(str(laplace(Q(2)))[:15]) - Q(1, 10**12)
    assert step["marks"][0] == "0"
