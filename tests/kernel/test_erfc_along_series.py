"""erfc and its logarithm along a power series, against mpmath, and exponentials known beside a series."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath as mp
import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import Interval, hull, interval
from dpverify.kernel.rules import LEDGER, Ledger
from dpverify.kernel.sections import erfc
from dpverify.kernel.sections.erfc import about_each, log_erfc, log_erfc_of_interval
from dpverify.kernel.sections.exponentials import sum_of_exponentials
from dpverify.kernel.sections.jets import Jet, Series, panel
from dpverify.serialise import digest

ORDER = 8


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    with mp.workdps(60):
        yield


def holds(found: Interval, value: Any, slack: str = "1e-40") -> bool:
    low, high = mp.mpf(str(found.lo)), mp.mpf(str(found.hi))
    return bool(low - mp.mpf(slack) <= value <= high + mp.mpf(slack))


def width(x: Interval) -> float:
    return float(x.hi - x.lo)


@pytest.mark.parametrize("at", ["-9", "-1/2", "0", "2", "17/2"])
def test_coefficients_are_those_of_erfc(at: str) -> None:
    """Along x(t) = a + 2 t + t^2/3, of the logarithm and of what it is the logarithm of."""
    a = Fraction(at)
    x = Series([interval(c) for c in (a, 2, Fraction(1, 3), *[0] * (ORDER - 2))])
    along = lambda t: mp.erfc(mp.mpf(a.numerator) / a.denominator + 2 * t + t * t / 3)  # noqa: E731
    found = log_erfc(x)
    logs, values = (mp.taylor(f, 0, ORDER) for f in (lambda t: mp.log(along(t)), along))
    for c, expected in zip(found.c, logs, strict=True):
        assert holds(c, expected, "1e-25")
        assert width(c) < 1e-15
    for c, expected in zip(found.exp().c, values, strict=True):
        assert holds(c, expected, "1e-25")
        assert width(c) < 1e-15


@pytest.mark.parametrize(("middle", "times"), [("-2", 1.3), ("3/2", 4)])
def test_on_a_panel_coefficients_hold_about_each_point(middle: str, times: float) -> None:
    """erfc itself by its own slope is known better on a panel than as the exponential of its logarithm."""
    m, h = Fraction(middle), Fraction(1, 5)
    log = log_erfc(panel(ORDER, [m, h]).whole)
    found, worse = log.exp(), Series(log.c).exp()
    for place in (-1, 0, 1):
        at = mp.mpf((m + place * h).numerator) / (m + place * h).denominator
        for k, expected in enumerate(mp.taylor(mp.erfc, at, ORDER)):
            expected *= mp.mpf(1) / 5**k
            assert holds(found.c[k], expected, "1e-25")
            assert holds(worse.c[k], expected, "1e-25")
    assert width(found.c[ORDER]) * times < width(worse.c[ORDER])


def test_what_is_known_of_an_exponential_is_kept_beside_numbers_alone() -> None:
    two = Series([interval(2), *[interval(0)] * ORDER])
    x = panel(ORDER, [Fraction(1), Fraction(1, 4)]).whole
    log = log_erfc(x)
    for moved in (log + two, two + log, log + 2, log - (-two)):
        expected = log.exp() * interval(2).exp()
        assert [(c.lo, c.hi) for c in moved.exp().c] == [(c.lo, c.hi) for c in expected.c]
    for other in (log + x, x + log, log * 2, -log, log + log):
        assert other.raised is None
        assert [(c.lo, c.hi) for c in other.exp().c] == [(c.lo, c.hi) for c in Series(other.c).exp().c]
    for slope in ((0, 1), (-1, 0), (1, 1)):
        unsteady = Series([interval(2), hull(*map(interval, slope)), *[interval(0)] * (ORDER - 1)])
        assert (log + unsteady).raised is None
    assert two.raised is None and (two + two).raised is None


def test_a_number_less_an_error_function() -> None:
    """log(3 - erfc(x)), which a model of noise with erf in it asks for."""
    given = [Fraction(-1, 2), Fraction(1, 8)]
    logs = [Jet(*(log_erfc(s) for s in (j.middle, j.whole))) for j in [panel(ORDER, given)]]
    for whole, log in ((False, logs[0].middle), (True, logs[0].whole)):
        three = Series([interval(3).log(), *[interval(0)] * ORDER])
        sign, found = sum_of_exponentials([(1, three), (-1, log)])
        assert sign == 1
        for place in (-1, 0, 1) if whole else (0,):
            at = mp.mpf(-1) / 2 + mp.mpf(place) / 8
            for k, expected in enumerate(mp.taylor(lambda t: mp.log(3 - mp.erfc(t)), at, ORDER)):
                assert holds(found.c[k], expected / mp.mpf(8) ** k, "1e-25")
    assert width(found.c[ORDER]) < 1e-6


def test_an_exponential_is_found_once() -> None:
    jet = panel(ORDER, [Fraction(1), Fraction(1, 2)])
    first = jet.exp()
    assert jet.exp() is first
    assert holds(first.middle.c[0], mp.e) and holds(first.whole.c[1], mp.exp(mp.mpf("1.2")) / 2)


FAR = [("-9", "1/4"), ("-1/3", "1/2"), ("3", "1/4"), ("75/4", "1/4"), ("35", "1"), ("150", "2")]


PLAIN = frozenset({"K87", "K88", "K89", "K150", "K151"})


def listed(numbers: frozenset[str], x: Series) -> tuple[Series, set[str]]:
    """log erfc along a series where these rules are listed, and those that it took."""
    ledger = Ledger(numbers | PLAIN)
    token = LEDGER.set(ledger)
    try:
        return log_erfc(x), ledger.used
    finally:
        LEDGER.reset(token)


@pytest.mark.parametrize(("middle", "half"), FAR)
def test_coefficients_by_those_about_the_ends(middle: str, half: str) -> None:
    """K531 alone, along r and along a curve, about points of the panel; far out it grows less than the hazard's."""
    m, h = Fraction(middle), Fraction(half)
    for bend in (Fraction(0), h / 5):
        x = panel(ORDER, [m, h, bend]).whole
        alone, both = about_each(x, log_erfc_of_interval(x.c[0])), log_erfc(x)
        for place in (-1, Fraction(-1, 3), 0, 1):
            at, rate, bent = (
                mp.mpf(Fraction(c).numerator) / Fraction(c).denominator
                for c in (m + h * place + bend * place**2, h + 2 * bend * place, bend)
            )
            truth = mp.taylor(
                lambda t, at=at, rate=rate, bent=bent: mp.log(mp.erfc(at + rate * t + bent * t * t)), 0, 5
            )
            for k, expected in enumerate(truth):
                assert holds(alone.c[k], expected, "1e-25")
                assert holds(both.c[k], expected, "1e-25")
    hazard, _ = listed(frozenset(), panel(ORDER, [m, h]).whole)
    closer = log_erfc(panel(ORDER, [m, h]).whole)
    assert all(width(a) <= width(b) for a, b in zip(closer.c, hazard.c, strict=True))
    if m > 10:
        assert width(closer.c[ORDER]) * 10**10 < width(hazard.c[ORDER])


def test_the_scaled_function_about_a_point() -> None:
    """Each coefficient of e^(x^2) erfc(x), which alternate."""
    for at in ("-2", "0", "4", "19"):
        x = interval(Fraction(at)).lo
        for k, c in enumerate(erfc.scaled_erfc(x, 9)):
            with mp.workdps(90):
                truth = mp.taylor(lambda t: mp.exp(t * t) * mp.erfc(t), mp.mpf(at), k)[k]
            assert holds(c, truth, "1e-28") and (-1) ** k * c.lo > 0
            assert width(c) < 1e-30
    assert len(erfc.scaled_erfc(x, 1)) == 1


def test_it_is_asked_on_panels_alone_and_where_it_is_listed() -> None:
    wide, thin = panel(ORDER, [Fraction(20), Fraction(1, 8)]), panel(ORDER, [Fraction(20), Fraction(1, 10**7)])
    asked = [listed(frozenset({"K531"}), x)[1] for x in (wide.whole, wide.middle, thin.whole)]
    assert ["K531" in used for used in asked] == [True, False, False]
    assert "K531" not in listed(frozenset({"K253"}), wide.whole)[1]


GALLERY = Path(__file__).resolve().parents[2] / "certificates" / "profiles" / "scaled-error-function.json"


def changed(change: Callable[[dict[str, Any]], None]) -> bytes:
    certificate = json.loads(GALLERY.read_text())
    change(certificate)
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


def test_a_certificate() -> None:
    assert check_bytes(GALLERY.read_bytes())
    assert "K531" in json.loads(GALLERY.read_text())["rules"]["erfc"]


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c["claim"].update(generator="exp(y)*erfc(r)*exp(-r*101/100)"),
        lambda c: c["claim"].update(generator="exp(y)*erfc(r*101/100)*exp(-r)"),
        lambda c: c["claim"]["points"][0]["delta"].update(upper=c["claim"]["points"][0]["delta"]["lower"]),
        lambda c: c["claim"]["points"][0]["delta"].update(lower=c["claim"]["points"][0]["delta"]["upper"]),
        lambda c: c["rules"]["erfc"].remove("K531"),  # by the hazard alone the bounds are too wide
        lambda c: c["rules"]["erfc"].remove("K88"),
        lambda c: c["rules"].pop("erfc"),
    ],
)
def test_forged_certificates_are_refused(change: Callable[[dict[str, Any]], None]) -> None:
    with pytest.raises(Rejected):
        check_bytes(changed(change))
