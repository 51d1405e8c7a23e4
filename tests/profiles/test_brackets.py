"""Steps of f at radii that are not rational, in space (K540): beside integrals by mpmath, forged, and found."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.kernel.intervals import interval
from dpverify.kernel.sections.brackets import between
from dpverify.kernel.sections.panels import Spheres
from dpverify.prover.breaks import breaks
from dpverify.prover.profile.boundary import JUMP, Boundary
from tests.profiles.panel import noise, number, refused
from tests.profiles.test_brinks import NAME, cosine, share
from tests.profiles.test_by_nodes import problem
from tests.profiles.test_must_fail import read, refusal
from tests.profiles.test_panels import _profile

Q = Fraction
A, B, LOW, HIGH = Q(5, 4), Q(3, 2), Q(141421356, 10**8), Q(141421357, 10**8)
TEXT = "exp(-floor(y))"


def weighed(d: int, value: Any) -> Any:
    """The integral of r^(d-1) f times a share over the panel, on which f is e^-1 up to the root of 2, then e^-2."""
    part = lambda r: r ** (d - 1) * mp.exp(-mp.floor(r * r)) * value(r)  # noqa: E731
    return mp.quad(part, [number(A), mp.sqrt(2), number(B)])


@pytest.mark.parametrize("d", [2, 3, 5, 30])
def test_what_lies_between_costs_at_least_its_part_of_p_and_little_more(d: int) -> None:
    with mp.workdps(30):
        whole = weighed(d, lambda r: 1)
        found = between(noise(TEXT, d=d), A, B, LOW, HIGH, interval(Q(str(whole))))
        truth = weighed(d, lambda r: share(cosine(r, number(LOW)), d) - share(cosine(r, number(HIGH)), d))
        assert found.lo == 0 and 0 < truth <= number(found.hi) < truth * 20 ** (1 if d < 30 else 3)


def test_on_a_narrow_panel_it_is_a_share_of_what_the_panel_weighs() -> None:
    """The shell between the two radii is far thicker than the panel, whose spheres it cuts in thin strips."""
    a, b = A, A + Q(1, 10**6)
    with mp.workdps(30):
        for d, part in ((3, "1.001"), (5, "1.1")):
            strip = lambda r, d=d: share(cosine(r, number(LOW)), d) - share(cosine(r, number(HIGH)), d)  # noqa: E731
            weight, truth = (
                mp.quad(lambda r, d=d, v=v: r ** (d - 1) * mp.exp(-1) * v(r), [number(a), number(b)])
                for v in (lambda r: 1, strip)
            )
            found = between(noise(TEXT, d=d), a, b, LOW, HIGH, interval(Q(str(weight))))
            assert truth <= number(found.hi) < truth * mp.mpf(part)


def test_on_the_shell_f_is_what_it_is_at_most_on_the_panel() -> None:
    """In the plane f falls by e^5 on the panel, and the part of p there exceeds the shell times the least f."""
    with mp.workdps(30):
        f = lambda r: mp.exp(-20 * r)  # noqa: E731
        strip = lambda r: share(cosine(r, number(LOW)), 2) - share(cosine(r, number(HIGH)), 2)  # noqa: E731
        weight, truth = (mp.quad(lambda r, v=v: r * f(r) * v(r), [number(A), number(B)]) for v in (lambda r: 1, strip))
        shell = (number(HIGH) ** 2 - number(LOW) ** 2) / 2
        found = between(noise("exp(-20*r)", d=2), A, B, LOW, HIGH, interval(Q(str(weight))))
        assert shell * f(number(B)) * 2 < truth <= number(found.hi) <= shell * f(number(A)) * (1 + mp.mpf(10) ** -9)


def test_a_step_between_two_radii_costs_that_besides() -> None:
    """On spheres within the root of 2 f falls from e^-1 there to e^-2; S' is beyond the upper radius."""
    n = noise(TEXT, d=3)
    value, cost = Spheres(n).step(Q(5, 4), Q(11, 8), [LOW, HIGH])
    same, none = Spheres(n).step(Q(5, 4), Q(11, 8), [HIGH])
    assert (value.lo, value.hi) == (same.lo, same.hi)
    assert 0 < cost.hi < Q(1, 10**8) < none.hi  # the loss just inside of the upper radius is 1 already
    _, low = Spheres(n).step(Q(5, 4), Q(11, 8), [LOW])
    assert low.hi > Q(1, 10**2)


def test_two_radii_rise_and_the_spheres_are_about_0() -> None:
    named = Spheres(noise(TEXT, d=3))
    for radii in ([HIGH, LOW], [LOW, LOW], [LOW, HIGH, Q(2)], []):
        refused(lambda radii=radii: named.step(Q(5, 4), Q(11, 8), radii), "two that rise")
    refused(lambda: named.step(Q(5, 4), Q(11, 8), [LOW, Q(19, 8)]), "leaves the sphere")
    flat = Spheres(noise("exp(-floor(y/2))", d=3, shift="3/2"))
    refused(lambda: flat.step(Q(0), Q(1, 16), [LOW, Q(3, 2)]), "spheres about 0")


@pytest.mark.parametrize("d", [2, 3])
def test_what_a_step_lies_beyond_is_a_radius(d: int) -> None:
    """Of exp(-r) more is left at -r than anywhere: a step from there on would cost next to nothing."""
    named, high = Spheres(noise("exp(-r)", d=d)), Q(17, 8)
    for low in (Q(1, 10**25) - high, -Q(1), Q(0)):
        refused(lambda low=low: named.step(Q(5, 4), Q(11, 8), [low, high]), "no radius")
    _, cost = named.step(Q(5, 4), Q(11, 8), [Q(1, 10**25), high])
    assert cost.hi > Q(1, 100)


def stairs(d: int) -> Any:
    """delta(1/2) of e^-floor(y): S is where the square of |x - u| has a larger whole part than that of |x|."""

    def part(n: int) -> Any:
        a, b = mp.sqrt(n), mp.sqrt(n + 1)
        kinks = [x for x in (abs(b - 1), abs(a - 1)) if a < x < b]
        ahead = lambda r: r ** (d - 1) * share(cosine(r, b), d)  # noqa: E731
        inside = lambda r: r ** (d - 1) * share(-cosine(r, a), d) if n else mp.mpf(0)  # noqa: E731
        marks = [a or mp.mpf(10) ** -15, *kinks, b]
        return mp.exp(-n) * (mp.quad(ahead, marks) - mp.exp(0.5) * mp.quad(inside, marks))

    mass = sum(mp.exp(-n) * (mp.sqrt(n + 1) ** d - mp.sqrt(n) ** d) / d for n in range(80))
    return sum(part(n) for n in range(45)) / mass


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 3])
def test_steps_at_roots_of_whole_numbers(d: int) -> None:
    found = dpverify.profile(TEXT, epsilon="1/2", dimension=d, certificate=True)
    (point,) = found.points
    with mp.workdps(15):
        truth = stairs(d)
        assert abs(number(point.delta.lower) / truth - 1) < 3e-9
    assert point.delta.upper - point.delta.lower <= point.delta.lower / 10**9
    assert found.certificate is not None and "brackets" in found.certificate["rules"]


def test_forged_radii_and_a_rule_that_is_not_listed() -> None:
    certificate = read(NAME)
    (point,) = certificate["proof"]["profile"]["points"]
    pairs = [k for k, x in enumerate(point["boundaries"]) if len(x) == 2 and point["sets"][k] == "s"]
    for change, code in ((lambda x: x[::-1], "steps"), (lambda x: x[:1], "K161"), (lambda x: [x[0], x[0]], "steps")):
        forged = read(NAME)
        (how,) = forged["proof"]["profile"]["points"]
        how["boundaries"][pairs[0]] = change(how["boundaries"][pairs[0]])
        assert refusal(forged) in (code, "steps")
    unlisted = read(NAME)
    del unlisted["rules"]["brackets"]
    assert refusal(unlisted) == "rules"


def test_levels_that_are_reached_at_no_rational_radius_are_soon_left() -> None:
    """Of the first 4000 whole numbers 63 are squares; 4 y/9 is one at each 3/2."""
    node = problem(TEXT, 2, Q(1)).node
    assert breaks(node, Q(1, 2**40), Q(2**40)) == [Q(k) for k in range(1, 64)]
    assert breaks(problem("exp(-floor(4*y/9))", 2, Q(1)).node, Q(1, 2**40), Q(8)) == [Q(3 * k, 2) for k in range(1, 6)]


def test_a_step_at_a_bracket_has_both_ends_of_it() -> None:
    profile = _profile(TEXT, 3)
    boundary = Boundary(profile.radial(), Q(1, 2), 40)
    pair = next(x for x in profile.brackets if float(x[0]) == pytest.approx(2**0.5))
    state = boundary.state(1.2)
    assert state.kind == JUMP and boundary.around(state.segment) == pair and pair[0] ** 2 < 2 < pair[1] ** 2
    assert boundary.around(profile.radial().breaks.index(pair[0])) == pair
    assert boundary.around(profile.radial().breaks.index(Q(2))) == (Q(2),)
