"""The Renyi divergence of order 1 by an integral of its own (K572-K574), and rho where it is that (K575): closed forms,
quadratures, and forged ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from fractions import Fraction as Q
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import Interval, hull, interval
from dpverify.kernel.sections import kullback, measures, suprema
from dpverify.kernel.sections.panels import Noise
from dpverify.profiles.cells import by_integrals
from dpverify.profiles.result import Enclosed
from tests.profiles.test_must_fail import read, refusal
from tests.profiles.test_renyi_integrals import number, proof_of

HALVES = [*(str(Q(k, 4)) for k in range(33)), *(str(k) for k in range(9, 49))]


def bounds(found: Interval) -> tuple[Any, Any]:
    return mp.mpf(str(found.lo)), mp.mpf(str(found.hi))


def losses_of(text: str, d: int = 1, half: int = 8) -> kullback.Losses:
    return kullback.Losses(Noise(proof_of(text, d).problem, 2 * half, Q(0)))


def in_three_dimensions() -> Any:
    """Of e^-r, for a shift of 1: the mean of |x - u| over a sphere is r + 1/(3 r) beyond 1, and 1 + r^2/3 within."""

    def ring(r: Any) -> Any:
        return r * r * mp.exp(-r) * ((1 + r * r / 3 if r < 1 else r + 1 / (3 * r)) - r) / 2

    return mp.quad(ring, [0, 1, 10, mp.inf])


@pytest.mark.parametrize(
    ("text", "d", "exact"),
    [
        ("exp(-r)", 1, lambda: mp.exp(-1)),
        ("exp(-r)", 3, in_three_dimensions),
        ("exp(-y)", 2, lambda: mp.mpf(1)),
        ("exp(-y)", 7, lambda: mp.mpf(1)),
    ],
)
def test_means_that_have_closed_forms(text: str, d: int, exact: Callable[[], Any]) -> None:
    """That of |x - u|^2 - |x|^2 is 1."""
    value = exact()
    about = Q(str(mp.nstr(value, 12)))
    ((order, low, high),), _ = by_integrals(proof_of(text, d), [(Q(1), Enclosed(about, about))], HALVES)
    assert order == 1
    assert number(low) * (1 - mp.mpf("1e-13")) <= value <= number(high) * (1 + mp.mpf("1e-13"))
    assert high <= low * (1 + Q(1, 10**9))


def certified(text: str, d: int) -> tuple[Any, Any]:
    """The bounds that a certificate has."""
    found = dpverify.profile(text, renyi="1", dimension=d, certificate=True)
    (measure,) = found.measures
    assert measure.certified
    assert measure.value is not None
    assert len(found.points) == 1
    return number(measure.value.lower), number(measure.value.upper)


def test_a_fourth_power() -> None:
    """The mean of |x - 1|^4 - |x|^4 is 1 + 6 E x^2."""
    low, high = certified("exp(-y**2)", 1)
    value = 1 + 6 * mp.gamma(mp.mpf(3) / 4) / mp.gamma(mp.mpf(1) / 4)
    assert low <= value <= high <= low * (1 + mp.mpf("1e-9"))


def test_a_power_in_the_plane_beside_a_quadrature() -> None:
    """Of what is periodic the mean over 64 angles is that over all."""
    cosines = [mp.cos(2 * mp.pi * k / 64) for k in range(64)]

    def ring(r: Any) -> Any:
        mean = sum(mp.log(1 + (r * r + 1 - 2 * r * c) / 3) for c in cosines) / 64
        return r * (1 + r * r / 3) ** -3 * 3 * (mean - mp.log(1 + r * r / 3))

    with mp.workdps(20):
        ends = [0, 1, 4, 20, 400, mp.inf]
        value = mp.quad(ring, ends) / mp.quad(lambda r: r * (1 + r * r / 3) ** -3, ends)
    low, high = certified("(1+y/3)**(-3)", 2)
    assert low * (1 - mp.mpf("1e-11")) <= value <= high * (1 + mp.mpf("1e-11"))
    assert high <= low * (1 + mp.mpf("1e-9"))


@pytest.mark.parametrize("radius", [Q(64), Q(99)])
@pytest.mark.parametrize("share", [Q(1, 4), Q(1)])
def test_what_lies_beyond(radius: Fraction, share: Fraction) -> None:
    """Of e^-|x|: q is e^(1 - |x|) at most, and p^(1 + h) q^-h e^(h - |x|); K153 bounds the integral of e^-r beyond R by
    R/(R - 1) times what it is."""
    noise = Noise(proof_of("exp(-r)", 1).problem, 16, Q(0))
    low, high = bounds(kullback.losses_beyond(noise, share, radius))
    r, h, slack = number(radius), number(share), 1 + mp.mpf("1e-6")
    least, most = mp.exp(1 - r) * (r - 1) / (r - 2), mp.exp(h - r) / h * r / (r - 1)
    assert mp.exp(-1) * least <= -low <= mp.mpf(3) / 8 * least * slack
    assert most <= high * slack
    assert high <= most * slack


@pytest.mark.parametrize("radius", [Q(1, 2**16), Q(1, 2**24)])
def test_what_lies_within(radius: Fraction) -> None:
    proof, share = proof_of("exp(-sqrt(r))", 1), Q(1, 4)
    low, high = bounds(kullback.losses_within(proof, losses_of("exp(-sqrt(r))"), share, 8, radius))

    def at(r: Any) -> Any:
        f, g = mp.exp(-mp.sqrt(r)), mp.sqrt(r)
        return f * ((mp.sqrt(1 + r) + mp.sqrt(1 - r)) / 2 - g)

    value = number(radius) * mp.quad(lambda v: 2 * v * at(number(radius) * v * v), [0, 1])
    assert low <= value <= high
    assert high - low <= 6 * mp.sqrt(number(radius)) * value


def test_a_pole_within() -> None:
    """Of r^-1/4, but for a factor next to 1: the integrals are powers of R, of which that of log(R/r)/4 is 4/9, and the
    bound of it for h = 1/4 12/11 times as large."""
    text, radius = "y**(-1/8)*exp(-r)", Q(1, 2**24)
    found = kullback.losses_within(proof_of(text, 1), losses_of(text), Q(1, 4), 8, radius)
    low, high = bounds(found)
    size = number(radius) ** (mp.mpf(3) / 4)
    about = size * (mp.log(1 / number(radius)) / 3 + mp.mpf(4) / 3)
    slack = 1 + mp.mpf("1e-5")
    assert low <= about <= low * slack
    rise = size * mp.mpf(4) / 9
    assert about + rise * 12 / 11 / slack <= high <= (about + rise * 12 / 11) * slack


def test_what_lies_within_a_step() -> None:
    """Of e^-floor(r), where f is 1: within half the shift of 1 b is in the first step on the right and in the second
    on the left."""
    text = "exp(-floor(r))"
    low, high = bounds(kullback.losses_within(proof_of(text, 1), losses_of(text), Q(1, 4), 8, Q(1, 2)))
    assert abs(low) < mp.mpf("1e-30")
    assert abs(high - mp.mpf(1) / 2) < mp.mpf("1e-30")


def of_laplace() -> Any:
    """The step of e^-|x|, whose last panel but one ends before there is a model of the tail."""
    about = Enclosed(Q(3, 10), Q(4, 10))
    _, (step,) = by_integrals(proof_of("exp(-r)", 1), [(Q(1), about)], HALVES)
    return step


def test_what_a_step_may_say(monkeypatch: pytest.MonkeyPatch) -> None:
    proof, step = proof_of("exp(-r)", 1), of_laplace()
    for change in ({}, {"share": "1"}):
        at, found = kullback.mean_loss(proof, {**step, **change})
        assert at == "1"
        low, high = bounds(found)
        assert low <= mp.exp(-1) <= high <= low * (1 + mp.mpf("1e-9"))
    too_many, none = "too many for such an order", "not an integer from 1 to 24"
    orders = [({"order": 24}, too_many), ({"order": 25}, none), ({"order": 0}, none)]
    shares = [({"share": share}, "not between 0 and 1") for share in ("0", "5/4", "-1")]
    for forged, why in [*orders, *shares, ({"extra": "0"}, "extra")]:
        with pytest.raises(Rejected, match=why):
            kullback.mean_loss(proof, {**step, **forged})
    seen = list[int]()
    monkeypatch.setattr(kullback, "Noise", lambda p, order, *_: seen.append(order) or Noise(p, order, Q(0)))
    kullback.mean_loss(proof, step)
    assert seen == [2 * step["order"]]
    for z in (interval(0), Interval(interval(-1).lo, interval(1).hi)):
        monkeypatch.setattr(kullback, "mass", lambda *_, z=z: z)
        with pytest.raises(Rejected, match="not shown positive"):
            kullback.mean_loss(proof, step)


def test_a_centre_does_not_reach_as_far_as_the_shift() -> None:
    proof = proof_of("exp(-sqrt(r))", 1)
    with pytest.raises(Rejected, match="as far as the shift"):
        kullback.losses_within(proof, losses_of("exp(-sqrt(r))"), Q(1, 4), 8, Q(1))


def step_of(certificate: Any) -> Any:
    return certificate["proof"]["measures"]["integrals"][0]


def short(certificate: Any) -> None:
    """A third of them, as the last ones alone hardly count."""
    few = len(step_of(certificate)["sets"]) // 3
    for name in ("marks", "directions", "sets"):
        del step_of(certificate)[name][-few:]


def later(certificate: Any) -> None:
    for name in ("marks", "directions", "sets"):
        step_of(certificate)[name].pop(0)


def inward(end: str, way: int) -> Callable[[Any], None]:
    def change(certificate: Any) -> None:
        value = certificate["claim"]["measures"][0]["value"]
        value[end] = str(Q(value[end]) * (1 + way * Q(1, 10**8)))

    return change


FORGED: dict[str, Callable[[Any], None]] = {
    "panels dropped at the end": short,
    "a panel dropped at the start": later,
    "a panel's cells dropped": lambda c: step_of(c)["sets"].pop(),
    "a cell dropped": lambda c: step_of(c)["sets"].__setitem__(0, "s"),
    "no share": lambda c: step_of(c).pop("share"),
    "a share of 0": lambda c: step_of(c).__setitem__("share", "0"),
    "a negative share": lambda c: step_of(c).__setitem__("share", "-1/4"),
    "a share that is too large": lambda c: step_of(c).__setitem__("share", "5/4"),
    "another order": lambda c: step_of(c).__setitem__("at", "2"),
    "an integral twice": lambda c: c["proof"]["measures"]["integrals"].append(dict(step_of(c))),
    "a reach beside it that no claim needs": lambda c: c["proof"]["measures"].__setitem__("beside", "1/4"),
    "a mass without its tail": lambda c: step_of(c)["mass"].__delitem__(slice(1, None)),
    "lower moved inward": inward("lower", 1),
    "upper moved inward": inward("upper", -1),
}


def test_a_steep_centre() -> None:
    """As the gallery has it: between the two for a quadrature, and accepted."""
    certificate = read("mean-of-the-loss")
    (measure,) = certificate["claim"]["measures"]
    low, high = (number(Q(measure["value"][end])) for end in ("lower", "upper"))
    with mp.workdps(20):
        # x = (v + w^2)^2 about 0 and 1, where the roots bend
        def at(x: Any) -> Any:
            return mp.exp(-mp.sqrt(abs(x))) * (mp.sqrt(abs(x - 1)) - mp.sqrt(abs(x))) / 4

        def bent(a: int, way: int, size: Any) -> Any:
            return mp.quad(lambda v: 4 * v**3 * at(a + way * v**4), [0, size / 2, size])

        half, far = mp.root(mp.mpf(1) / 2, 4), mp.mpf(9)
        value = bent(0, -1, far) + bent(0, 1, half) + bent(1, -1, half) + bent(1, 1, far)
    assert low <= value * (1 + mp.mpf("1e-11"))
    assert value * (1 - mp.mpf("1e-11")) <= high <= low * (1 + mp.mpf("1e-9"))
    assert refusal(certificate) == ""


@pytest.mark.parametrize("what", FORGED)
def test_what_is_forged_is_refused(what: str) -> None:
    certificate = read("mean-of-the-loss")
    FORGED[what](certificate)
    assert refusal(certificate)


# K575

LAWS = ({1: Q(3, 4), -1: Q(1, 4)}, {1: Q(1, 2), 0: Q(1, 4), -1: Q(1, 4)}, {3: Q(9, 10), 0: Q(1, 20), -3: Q(1, 20)})


def moment(law: dict[int, Fraction], k: Any) -> Any:
    return sum(number(p) * mp.exp(k * x) for x, p in law.items())


def divergence(law: dict[int, Fraction], order: Any) -> Any:
    if order == 1:
        return sum(number(p) * x for x, p in law.items())
    return mp.log(moment(law, order - 1)) / (order - 1)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("j", [Q(1, 2), Q(1, 8)])
def test_orders_beside_1_are_bounded_by_the_variance(
    monkeypatch: pytest.MonkeyPatch, law: dict[int, Fraction], j: Fraction
) -> None:
    """For laws of the loss that are not tilted to be pairs, the first by far and the others so that K does not fall
    below 0."""

    def known(_: Any, order: Fraction) -> Interval:
        value = divergence(law, number(order))
        return hull(*(interval(Q(str(mp.nstr(value * (1 + k * mp.mpf("1e-9")), 30)))) for k in (-1, 1)))

    monkeypatch.setattr(suprema, "renyi", known)
    with mp.workdps(30):
        first = known(None, Q(1))
        most = mp.mpf(str(suprema.beside_one(None, first, j)))  # type: ignore[arg-type]
        shares = [divergence(law, 1 + number(j) * k / 32) / (1 + number(j) * k / 32) for k in range(33)]
        assert max(shares) <= most
        mean = divergence(law, mp.mpf(1))
        spread = [sum(number(p) * (x - mean) ** 2 * mp.exp(k * x) for x, p in law.items()) for k in (0, number(j))]
        assert most <= max(mean, (mean + number(j) * max(spread) / 2) / (1 + number(j))) * (1 + number(j) ** 2 * 3 / 4)


@pytest.mark.parametrize("law", [*LAWS, {1: Q(1, 4), -1: Q(3, 4)}, {1: Q(3, 5), -1: Q(2, 5)}])
def test_of_divergences_known_roughly_the_worse_ends_count(
    monkeypatch: pytest.MonkeyPatch, law: dict[int, Fraction]
) -> None:
    """Every divergence to a thousandth: of V the larger of both bounds, each by the ends that make it larger."""
    j = mp.mpf(1) / 4
    with mp.workdps(40):
        values = {1 + k * j: Q(str(mp.nstr(divergence(law, 1 + k * j), 30))) for k in (-1, 1, 2)}

    def known(_: Any, order: Fraction) -> Interval:
        value = values[number(order)]
        return hull(interval(value - Q(1, 1000)), interval(value + Q(1, 1000)))

    monkeypatch.setattr(suprema, "renyi", known)
    with mp.workdps(40):
        mean = divergence(law, 1)
        c = mean + mp.mpf(1) / 1000

        def m(k: int, way: int) -> Any:
            """e^(k j D), as large as it may be, or as small."""
            value = number(values[1 + k * j]) + way * (1 if k > 0 else -1) * mp.mpf(1) / 1000
            return mp.exp(k * j * value)

        less, more = mp.exp(-c * j), mp.exp(c * j)
        spread = max(less * m(1, 1) + more * m(-1, 1) - 2, less * m(2, 1) + more - 2 * m(1, -1)) / j**2
        expected = max(c, (c + j * spread / 2) / (1 + j))
        first = hull(*(interval(Q(str(mp.nstr(mean + way * mp.mpf(1) / 1000, 30)))) for way in (-1, 1)))
        found = mp.mpf(str(suprema.beside_one(None, first, Q(1, 4))))  # type: ignore[arg-type]
        assert expected - mp.mpf("1e-25") < found < expected + mp.mpf("1e-16")


def test_a_divergence_counts_at_its_own_order(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {Q(1): Q(1, 10), Q(2): Q(1, 2), Q(3): Q(1, 2)}
    monkeypatch.setattr(suprema, "renyi", lambda _, order: interval(known[order]))
    monkeypatch.setattr(suprema, "beside_one", lambda *_: interval(Q(3, 10)).hi)
    h: Any = SimpleNamespace(levels=[Q(0), Q(1, 2)], tail=None, needs_end=lambda: None)
    assert suprema.rho(h, ["1", "2", "3"]).lo == interval(Q(1, 4)).lo
    near = (interval(Q(3, 10)), Q(1))
    assert suprema.rho(h, ["1", "2", "3"], near).lo == interval(Q(3, 10)).lo


def test_how_many_orders_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suprema, "renyi", lambda *_: interval(Q(1, 2)))
    h: Any = SimpleNamespace(levels=[Q(0), Q(1, 2)], tail=None, needs_end=lambda: None)
    many = [str(Q(k)) for k in range(1, 202)]
    assert suprema.rho(h, many[:200]).lo == interval(Q(1, 2)).lo
    with pytest.raises(Rejected, match="rise from 1 on"):
        suprema.rho(h, many)


@pytest.mark.parametrize("j", [Q(0), Q(1), Q(-1, 2), Q(5, 4)])
def test_a_reach_is_between_0_and_1(j: Fraction) -> None:
    with pytest.raises(Rejected, match="between 0 and 1"):
        suprema.beside_one(None, interval(1), j)  # type: ignore[arg-type]


def test_rho_rests_on_the_orders_beside_what_is_bounded() -> None:
    """Orders that begin later than the reach, or that are another profile's, do not show it."""
    certificate = read("laplace-rho")
    value = certificate["claim"]["measures"][0]["value"]
    low, high = number(Q(value["lower"])), number(Q(value["upper"]))
    assert low <= mp.exp(-1) <= high <= low * (1 + mp.mpf("1e-9"))
    step = certificate["proof"]["measures"]
    for change in (
        {"beside": str(Q(step["beside"]) / 2)},
        {"orders": [step["orders"][0], *step["orders"][2:]]},
        {"orders": ["1", *step["orders"]]},
        {"integrals": []},
        {"integrals": [{**step["integrals"][0], "at": "2"}]},
    ):
        forged = read("laplace-rho")
        forged["proof"]["measures"] |= change
        assert refusal(forged), change
    for name in ("integrals", "beside"):
        forged = read("laplace-rho")
        del forged["proof"]["measures"][name]
        assert refusal(forged), name


def test_what_is_no_integral_of_order_1() -> None:
    assert not any(map(measures.at_one, (None, "1", ["at"], {"at": 1}, {"at": "2"}, {})))


# Closer points


def gaussian(mu: Any, e: Any) -> Any:
    return mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu)


@pytest.mark.sweep
def test_errors_and_mu_of_laplace_noise_as_close_as_is_asked() -> None:
    """delta(eps) = 1 - e^((eps - 1)/2).  mu is the largest that any eps asks for, which is that of 0; the least type II
    error at x is the largest of 1 - delta(eps) - e^eps x."""
    found = dpverify.profile("laplace", gdp=True, tradeoff="1/20", certificate=True)
    error, mu = ((number(m.value.lower), number(m.value.upper)) for m in found.measures if m.value)
    assert all(m.certified for m in found.measures)

    def asked(e: Any) -> Any:
        delta = 1 - mp.exp((e - 1) / 2)
        return mp.findroot(lambda m: gaussian(m, e) - delta, (mp.mpf("0.9"), mp.mpf("1.1")), solver="anderson")

    with mp.workdps(30):
        value = asked(mp.mpf(0))
        assert all(asked(mp.mpf(k) / 16) < value for k in range(1, 16))
        assert mu[0] <= value <= mu[1] <= mu[0] * (1 + mp.mpf("1e-9"))
        x = mp.mpf(1) / 20
        best = max(mp.exp((e - 1) / 2) - mp.exp(e) * x for e in (mp.mpf(0), mp.mpf(1)))
        assert error[0] <= best <= error[1] <= error[0] * (1 + mp.mpf("1e-9"))
