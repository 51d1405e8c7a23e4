"""What moments of the loss bound beyond the end of a profile, against quadrature and by the laws of its lemmas."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.certificate import load_section
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.sections import profiles
from dpverify.kernel.sections.moments import Bound, Tail, heights, noise_of, tail
from dpverify.kernel.steps import Steps
from tests.profiles.test_must_fail import read

ONE = Bound(Fraction(1, 3), Fraction(3, 2), Fraction(2, 5), Fraction(7), interval(Fraction(5, 4)))
OTHER = Bound(Fraction(2), Fraction(1, 2), Fraction(1, 10), Fraction(9, 2), interval(Fraction(1, 7)))
LAST = Fraction(3, 2)


def number(x: object) -> mpmath.mpf:
    return mpmath.mpf(str(x))


def exact(q: Fraction) -> mpmath.mpf:
    return mpmath.mpf(q.numerator) / q.denominator


def holds(found: Interval, truth: mpmath.mpf) -> bool:
    """Whether the upper end is the truth, but for the rounding, and no less."""
    return bool(truth <= number(found.hi) <= truth * (1 + mpmath.mpf(10) ** -25))


def log_moment(b: Bound, k: mpmath.mpf) -> mpmath.mpf:
    """m + the largest k (a + c sqrt(G)) - t G over G >= 0, where its slope in sqrt(G) is 0."""
    root = k * exact(b.c) / (2 * exact(b.t))
    return number(b.m.lo) + k * (exact(b.a) + exact(b.c) * root) - exact(b.t) * root**2


@pytest.fixture(autouse=True)
def many_digits() -> object:
    with mpmath.workdps(90):
        yield


@pytest.mark.parametrize("b", [ONE, OTHER])
@pytest.mark.parametrize("k", [Fraction(1, 2), Fraction(1), Fraction(4), Fraction(31, 3)])
def test_the_moment_of_a_loss_below_a_root(b: Bound, k: Fraction) -> None:
    assert holds(b.log_moment(k), log_moment(b, exact(k)))


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(2), Fraction(5), Fraction(12)])
def test_the_divergence_is_the_least_of_the_bounds(order: Fraction) -> None:
    k = exact(order) - 1
    each = [log_moment(b, k) / k for b in (ONE, OTHER)]
    assert holds(Tail([ONE, OTHER], LAST).divergence(order), min(each))
    assert holds(Tail([ONE], LAST).divergence(order), each[0])
    assert Tail([ONE, OTHER], LAST).divergence(order).lo == 0


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(3), Fraction(6)])
def test_a_share_bounds_that_of_every_larger_order(order: Fraction) -> None:
    tail = Tail([ONE, OTHER], LAST)
    share = number(tail.share(order).hi)
    for more in (0, Fraction(1, 100), 1, 7, 100, 10**6):
        larger = order + more
        assert number(tail.divergence(Fraction(larger)).hi) / exact(Fraction(larger)) <= share * (
            1 + mpmath.mpf(10) ** -25
        )
    k = exact(order) - 1
    at_once = [
        number(b.m.lo) / (k * (k + 1)) + exact(b.a) / (k + 1) + exact(b.c) ** 2 / (4 * exact(b.t)) for b in (ONE, OTHER)
    ]
    assert holds(tail.share(order), min(at_once))


def test_a_share_takes_no_profit_of_a_negative_mass() -> None:
    """m/(k (k + 1)) rises with k for m < 0: the bound for all larger orders has 0 in its place."""
    negative = Bound(Fraction(1), Fraction(1), Fraction(1), Fraction(1), interval(Fraction(-5)))
    assert holds(Tail([negative], LAST).share(Fraction(2)), mpmath.mpf(1) / 2 + mpmath.mpf(1) / 4)


@pytest.mark.parametrize("order", [Fraction(3, 2), Fraction(4)])
def test_the_integral_beyond_the_last_point(order: Fraction) -> None:
    def integral(b: Bound) -> mpmath.mpf:
        size, k, n = mpmath.exp(log_moment(b, exact(b.k))), exact(b.k), exact(order)
        density = lambda x: mpmath.exp(-k * x) * (mpmath.exp((n - 1) * x) + mpmath.exp(-n * x))  # noqa: E731
        return size * mpmath.quad(density, [exact(LAST), 3, 10, 40, mpmath.inf])

    each = [integral(b) for b in (ONE, OTHER)]
    for bounds, truth in (([ONE], each[0]), ([ONE, OTHER], min(each))):
        found = number(Tail(bounds, LAST).moment(order).hi)
        assert abs(found / truth - 1) < mpmath.mpf(10) ** -12


def test_an_order_that_no_bound_reaches_is_refused() -> None:
    """E e^(k l) says nothing of E e^((L - 1) l) for L - 1 >= k."""
    assert Tail([ONE, OTHER], LAST).moment(Fraction(51, 10)).hi > 0
    for order in (Fraction(8), Fraction(9)):
        with pytest.raises(Rejected):
            Tail([ONE, OTHER], LAST).moment(order)


# The bounds themselves, for f = exp(-r^(5/4)) on the line, s = 1/2: phi = (r + s)^(5/4) - r^(5/4), G = r^(5/4)


def proof() -> Any:
    certificate = read("lighter-than-exponential")
    for section in certificate["rules"]:
        if section != "core":
            load_section(section)
    return profiles.opened(certificate["claim"], Steps(certificate["proof"]))[1]


RADII = ["1/64", "1/4", "1/2", "1", "3/2", "2", "3", "4", "6", "8"]
TOP, FIRST = Fraction(1, 2**24), Fraction(1, 1024)


def share(t: str, **changed: Any) -> dict[str, Any]:
    return {"t": t, "order": 2, "marks": RADII} | changed


def step(**changed: Any) -> dict[str, Any]:
    marks = [str(FIRST * Fraction(3, 2) ** k) for k in range(41)]
    bound = {"a": "7/10", "c": "7/10", "t": "1/2", "k": "8"}
    return {"top": str(TOP), "marks": marks, "bounds": [bound], "masses": [share("0"), share("1/2")]} | changed


def bounds(**changed: str) -> dict[str, Any]:
    return {"bounds": [step()["bounds"][0] | changed]}


def test_a_bound_of_the_loss_and_its_moment() -> None:
    """m = log E e^(t G) with G = T + r^(5/4), at least what it is and with what the panels leave open."""
    (found,) = tail(proof(), LAST, step()).bounds
    assert (found.a, found.c, found.t, found.k) == (Fraction(7, 10), Fraction(7, 10), Fraction(1, 2), 8)
    power = mpmath.mpf(5) / 4
    exact_m = mpmath.log(
        mpmath.quad(lambda r: mpmath.exp(-(r**power) / 2), [0, 1, 4, 20, 80])
        / mpmath.quad(lambda r: mpmath.exp(-(r**power)), [0, 1, 4, 20, 80])
    ) + exact(TOP * Fraction(1, 2))
    assert number(found.m.lo) <= exact_m <= number(found.m.hi)
    assert found.m.hi - found.m.lo < 1


def test_masses_of_a_certificate_are_narrow() -> None:
    """The integral of e^(-c r^(5/4)) is that of c = 1 times c^(-4/5)."""
    given = read("lighter-than-exponential")["proof"]["measures"]["tail"]["masses"]
    found = heights(proof(), given)
    assert len(found) == len(given) - 1
    for t, x in found.items():
        truth = -mpmath.log(1 - exact(t)) * 4 / 5
        assert number(x.lo) <= truth <= number(x.hi) and x.hi - x.lo < Fraction(1, 10)


def test_a_share_counts_the_largest_mass_that_there_may_be() -> None:
    wide = Bound(Fraction(1), Fraction(1), Fraction(1), Fraction(1), Interval(interval(1).lo, interval(2).hi))
    assert holds(Tail([wide], LAST).share(Fraction(2)), mpmath.mpf(7) / 4)
    assert holds(Tail([wide], LAST).divergence(Fraction(2)), mpmath.mpf(13) / 4)


def test_g_counts_with_its_least_value_on_each_box() -> None:
    """phi <= 0.43 + 3 sqrt(G) holds; of phi from 1/4 to 1 at most 2.8 is known, more than 0.43 + 3 sqrt(G(1/4))."""
    fine = [FIRST * Fraction(21, 20) ** k for k in range(200)]
    marks = [str(Fraction(int(x * 2**20), 2**20)) for x in fine]
    given = bounds(a="43/100", c="3")
    assert tail(proof(), LAST, step(marks=marks, **given)).bounds
    coarse = [x for x in marks if not Fraction(1, 4) < Fraction(x) < 1]
    refused("at most a . c sqrt", marks=coarse, **given)


def test_orders_are_even() -> None:
    """Of an odd remainder the integral over a panel is not known by its sign."""
    assert [noise_of(proof(), Fraction(1, 2), n).order for n in (1, 2, 3)] == [2, 4, 6]


@pytest.mark.slow
def test_masses_are_logarithms_of_shares_of_z() -> None:
    found = heights(proof(), [share("0", order=4), share("1/3", order=4), share("1/2", order=4)])
    power = mpmath.mpf(5) / 4
    assert sorted(found) == [Fraction(1, 3), Fraction(1, 2)]
    for t, x in found.items():
        ratio = mpmath.quad(lambda r: mpmath.exp(-(1 - exact(t)) * r**power), [0, 1, 4, 20, 80])
        ratio /= mpmath.quad(lambda r: mpmath.exp(-(r**power)), [0, 1, 4, 20, 80])
        assert number(x.lo) <= mpmath.log(ratio) <= number(x.hi)


def refused(why: str, **changed: Any) -> None:
    with pytest.raises(Rejected, match=why):
        tail(proof(), LAST, step(**changed))


@pytest.mark.parametrize(
    "masses",
    [
        [share("0")],
        [share("1/2")],
        [share("1/2"), share("1/3")],
        [share("0"), share("-1/2")],
        [share("0"), share("1")],
        [share("0"), share("3/2")],
        [share("0"), share("1/2"), share("1/2")],
        [share("0"), share("1/2", more=1)],
        [share("0"), {"t": "1/2", "order": 2}],
        [share("0"), share("1/2", order=0)],
        [share("0"), share("1/2", order=25)],
        [],
        None,
        {"0": 1, "1": 1},
    ],
)
def test_what_is_no_list_of_shares(masses: Any) -> None:
    """t < 0 would make (k c)^2/(4 t) negative."""
    with pytest.raises(Rejected):
        heights(proof(), masses)


def test_marks_rise_from_a_positive_radius_and_leave_none_out() -> None:
    marks = step()["marks"]
    for wrong in ([], marks[:1], marks[::-1], [*marks[:5], marks[4], *marks[5:]], [*marks, marks[3]], ["0", *marks]):
        refused("do not rise", marks=wrong)
    refused("at most a . c sqrt", marks=[marks[0], marks[-1]])  # one box on which nothing is known
    refused("at most a . c sqrt", marks=marks[20:])  # within the first mark phi is g at it and a shift


def test_the_top_lies_above_log_f_at_the_centre() -> None:
    assert tail(proof(), LAST, step(top="0")).bounds
    refused("top is not shown", top="-1/1000000000000")
    refused("top is not shown", top="-1/1000")
    assert tail(proof(), LAST, step(top="1/1000")).bounds


def test_phi_is_at_most_a_and_c_roots() -> None:
    """At 0 phi is 0.42 and G is 0; far out phi/sqrt(G) tends to (5/8) r^(-3/8), at the last mark about 0.05."""
    assert tail(proof(), LAST, step(**bounds(c="3/5"))).bounds
    refused("at most a . c sqrt", **bounds(a="2/5"))
    refused("at most a . c sqrt", **bounds(a="1/2", c="1/20"))
    refused("large enough in the tail", marks=step()["marks"][:20], **bounds(a="9", c="1/20"))
    refused("no mass, or a sign", **bounds(a="-1/100", c="9"))
    refused("no mass, or a sign", **bounds(c="-7/10"))
    refused("no mass, or a sign", **bounds(c="0"))
    refused("no mass, or a sign", **bounds(k="0"))
    refused("no mass, or a sign", **bounds(k="-8"))
    refused("no mass, or a sign", **bounds(t="1/3"))
    refused("no mass, or a sign", **bounds(t="0"))


def test_in_the_tail_phi_is_at_most_c_roots_of_g() -> None:
    """phi^2/G falls; with the top at 4, G is r^(5/4) + 4: at the last mark it is what c^2 has to reach."""
    marks = step()["marks"][:20]
    last, power = exact(Fraction(marks[-1])), mpmath.mpf(5) / 4
    for top, more in ((0, 1.02), (4, 8)):  # the model of what is divided is rough so near the centre
        root = ((last + mpmath.mpf(1) / 2) ** power - last**power) / mpmath.sqrt(last**power + top)
        below, above = (str(Fraction(round(root * 10**6 * x), 10**6)) for x in (0.999, more))
        (found,) = tail(proof(), LAST, step(top=str(top), marks=marks, **bounds(a="9", c=above))).bounds
        refused("large enough in the tail", top=str(top), marks=marks, **bounds(a="9", c=below))
        mass = heights(proof(), step()["masses"])[Fraction(1, 2)]
        assert abs(number(found.m.lo) - number(mass.lo) - mpmath.mpf(top) / 2) < mpmath.mpf(10) ** -30


def test_within_the_first_mark_the_loss_is_at_most_the_top_and_g_beyond_it() -> None:
    """T + (1/1024 + 1/2)^(5/4), just beyond."""
    most = (mpmath.mpf(1) / 1024 + mpmath.mpf(1) / 2) ** (mpmath.mpf(5) / 4) + 1
    for x, fits in ((1.0001, True), (0.9999, False)):
        given = {"top": "1", **bounds(a=str(Fraction(round(most * 10**6 * x), 10**6)), c="9")}
        if fits:
            assert tail(proof(), LAST, step(**given)).bounds
        else:
            refused("at most a . c sqrt", **given)


def test_every_bound_is_one_and_every_mass_is_used() -> None:
    refused("short list", bounds=[])
    refused("short list", bounds=None)
    refused("short list", bounds={"a": 1})
    refused("short list", bounds=[step()["bounds"][0]] * 61)
    refused("tail.bound", bounds=[step()["bounds"][0] | {"more": "1"}])
    refused("no bound uses", masses=[share("0"), share("1/2"), share("1/3")])
    refused("at most a . c sqrt", bounds=[*step()["bounds"], step()["bounds"][0] | {"a": "2/5"}])
