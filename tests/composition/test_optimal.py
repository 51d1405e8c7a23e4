"""Optimal composition against sums over all outcomes of randomised response, and laws that it obeys."""

from __future__ import annotations

import copy
import json
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import exp, prod
from pathlib import Path
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpverify
from dpverify import kernel
from dpverify.certificate import digest
from dpverify.composition import optimal
from dpverify.errors import InputError
from dpverify.kernel import certificate as kernel_certificate
from dpverify.kernel.sections.accepted import ACCEPTED, accepted
from dpverify.kernel.sections.charts import LEMMAS

GALLERY = Path(__file__).parents[2] / "certificates"
LAPLACE, STUDENT = str(GALLERY / "laplace-d1.json"), str(GALLERY / "student-t-nu3-d1.json")


def outcomes(epsilons: list[float], epsilon: float) -> float:
    """The hockey-stick divergence of a product of randomised responses, outcome by outcome."""
    total = 0.0
    for signs in product((1, -1), repeat=len(epsilons)):
        p = prod(exp(e if s > 0 else 0) / (1 + exp(e)) for s, e in zip(signs, epsilons, strict=True))
        q = prod(exp(0 if s > 0 else e) / (1 + exp(e)) for s, e in zip(signs, epsilons, strict=True))
        total += max(0.0, p - exp(epsilon) * q)
    return total


rationals = st.fractions(min_value=Fraction(1, 50), max_value=2, max_denominator=50)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(rationals, min_size=1, max_size=6), st.fractions(min_value=0, max_value=5, max_denominator=20))
def test_it_is_the_divergence_of_randomised_responses(epsilons: list[Fraction], epsilon: Fraction) -> None:
    times = {e: epsilons.count(e) for e in epsilons}
    low, high = optimal.delta(times, epsilon)
    expected = outcomes([float(e) for e in epsilons], float(epsilon))
    assert float(low) - 1e-13 <= expected <= float(high) + 1e-13 and high - low < Fraction(1, 10**60)


def test_one_release_is_itself() -> None:
    """A single e is (0, (e^e - 1)/(e^e + 1))-private at worst, and delta is 0 from its epsilon on."""
    assert optimal.delta({Fraction(1): 1}, Fraction(1)) == (0, 0)
    low, high = optimal.delta({Fraction(1): 1}, Fraction(0))
    assert float(low) <= (exp(1) - 1) / (exp(1) + 1) + 1e-15 and (exp(1) - 1) / (exp(1) + 1) - 1e-15 <= float(high)


def test_another_order_agrees_and_repeating_is_listing() -> None:
    first = dpverify.compose([(LAPLACE, 2), STUDENT], epsilon="2").points
    assert first == dpverify.compose([STUDENT, (LAPLACE, 2)], epsilon="2").points
    assert first == dpverify.compose([LAPLACE, STUDENT, LAPLACE], epsilon="2").points


def test_it_beats_basic_and_advanced_composition() -> None:
    """100 releases of 1/10 at delta = 1e-6: Dwork, Rothblum and Vadhan (2010) give sqrt(2 k log(1/delta)) e + ..."""
    from math import log, sqrt

    result = dpverify.verify("laplace", sensitivity="1/10")
    assert result.certificate is not None
    found = dpverify.compose([(result.certificate, 100)], delta="1e-6").points[0].epsilon
    advanced = sqrt(2 * 100 * log(1e6)) * 0.1 + 100 * 0.1 * (exp(0.1) - 1)
    assert found.upper < Fraction(advanced) < 10


def test_eps_of_delta_inverts_delta_of_eps() -> None:
    found = dpverify.compose([(LAPLACE, 20)], delta="1/1000").points[0].epsilon
    assert found.upper - found.lower <= found.upper / 10**9
    low, high = (dpverify.compose([(LAPLACE, 20)], epsilon=e).points[0].delta for e in (found.lower, found.upper))
    assert low.upper >= Fraction(1, 1000) >= high.lower


def certificate() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GALLERY / "composition" / "laplace-and-student-t.json").read_text())
    return found


def refusal(forged: dict[str, Any]) -> str:
    try:
        kernel.check_bytes(json.dumps({**forged, "digest": digest(forged)}).encode())
    except kernel.Rejected as error:
        return error.code
    return ""


@pytest.mark.sampled(stay=2)
@pytest.mark.parametrize("path", sorted((GALLERY / "composition").glob("*.json")), ids=lambda p: p.stem)
def test_the_gallery_is_accepted(path: Path) -> None:
    assert not kernel.check_bytes(path.read_bytes()).assumptions


def test_a_foreign_digest_a_missing_part_and_one_too_many() -> None:
    forged = certificate()
    forged["claim"]["parts"][0]["digest"] = "0" * 64
    assert refusal(forged) == "K170"
    forged = certificate()
    names = [p["digest"] for p in forged["claim"]["parts"]]
    parts = forged["proof"]["parts"]
    parts[names[0]], parts[names[1]] = parts[names[1]], parts[names[0]]
    assert refusal(forged) == "K170"
    forged = certificate()
    del forged["claim"]["parts"][1]
    assert refusal(forged) == "steps"
    forged = certificate()
    del forged["proof"]["parts"][names[0]]
    assert refusal(forged) == "K170"


def test_an_epsilon_that_a_part_does_not_prove_and_a_part_that_does_not_hold() -> None:
    forged = certificate()
    part = forged["claim"]["parts"][0]
    part["epsilon"] = str(Fraction(part["epsilon"]) * 99 / 100)
    assert refusal(forged) == "K170"
    forged = certificate()
    inner = forged["proof"]["parts"][part["digest"]]
    inner["claim"]["epsilon"] = {end: str(Fraction(x) * 99 / 100) for end, x in inner["claim"]["epsilon"].items()}
    assert refusal(forged)


@pytest.mark.parametrize("times", [1, 4, 6])
def test_another_number_of_releases(times: int) -> None:
    forged = certificate()
    forged["claim"]["parts"][0]["times"] = times
    assert refusal(forged)


def test_delta_lowered_by_one_part_in_a_billion() -> None:
    forged = certificate()
    delta = forged["claim"]["points"][0]["delta"]
    delta["upper"] = str(Fraction(delta["lower"]) * (1 - Fraction(1, 10**9)))
    delta["lower"] = "0"
    assert refusal(forged) == "K171"


def test_what_cannot_be_composed(tmp_path: Path) -> None:
    refuted = str(GALLERY / "gaussian-d1.json")
    for releases in ([], [refuted], [str(tmp_path / "none.json")], [(LAPLACE, 0)], [(LAPLACE, 10**6)]):
        with pytest.raises(InputError):
            dpverify.compose(releases, epsilon="1")  # type: ignore[arg-type]
    broken = tmp_path / "broken.json"
    broken.write_text(Path(LAPLACE).read_text().replace('"dimension": 1', '"dimension": 2'))
    with pytest.raises(InputError, match="does not hold"):
        dpverify.compose([str(broken)], epsilon="1")


def test_an_epsilon_for_the_delta_nothing() -> None:
    """Beyond the sum of all epsilons delta is 0 at every eps, so that none of these is the least."""
    forged = certificate()
    nothing = {"lower": "0", "upper": "0"}
    forged["claim"]["points"].append({"epsilon": "100", "delta": nothing})
    assert not refusal(forged)
    forged["claim"]["quantiles"] = [{"delta": "0", "epsilon": {"lower": "100", "upper": "100"}}]
    forged["rules"]["profiles"] = ["K162"]
    assert refusal(forged) == "K162"


@pytest.mark.sweep
def test_most_releases_are_no_hang() -> None:
    """Shares follow from the one before; each by itself would take hours for the most releases there may be."""
    (_, low, high) = composed({Fraction(1, 1000): 100_000}, Fraction(3, 2))
    with mpmath.workdps(30):
        n, e = 100_000, mpmath.mpf(1) / 1000
        scale = mpmath.sqrt(n) * e / (2 * mpmath.cosh(e / 2))  # of a normal law with the same mean and variance
        mean = n * e * mpmath.tanh(e / 2)
        about = mpmath.quad(lambda x: mpmath.npdf(x, mean, 2 * scale) * (1 - mpmath.exp(1.5 - x)), [1.5, 2, 3, 5, 9])
    assert low <= high <= low * (1 + Decimal("1e-40"))
    assert abs(float(low) - float(about)) < 1e-3 * float(about)


def composed(times: dict[Fraction, int], epsilon: Fraction) -> tuple[Any, ...]:
    kernel.certificate.load_section("composition")
    section = sys.modules["dpverify.kernel.sections.composition"]
    return (times, *section.composed(times, epsilon))  # type: ignore[attr-defined]


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.lists(rationals, min_size=1, max_size=6), st.fractions(min_value=0, max_value=5, max_denominator=20))
def test_the_kernels_sum_is_the_divergence_too(epsilons: list[Fraction], epsilon: Fraction) -> None:
    _, low, high = composed({e: epsilons.count(e) for e in epsilons}, epsilon)
    expected = outcomes([float(e) for e in epsilons], float(epsilon))
    assert float(low) - 1e-13 <= expected <= float(high) + 1e-13 and high - low < Decimal("1e-50")


def test_more_points_than_can_be_summed() -> None:
    forged = certificate()
    forged["claim"]["parts"][0]["times"] = 10_000
    forged["claim"]["points"] *= 200
    assert refusal(forged) == "limits"


def test_a_part_named_often_is_replayed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    forged = certificate()
    first = forged["claim"]["parts"][0]
    count = first["times"]
    forged["claim"]["parts"] = [*forged["claim"]["parts"][1:], *({**first, "times": 1} for _ in range(count))]
    assert not refusal(forged)
    section = sys.modules["dpverify.kernel.sections.composition"]
    replayed: list[str] = []
    check = section.accepted  # type: ignore[attr-defined]
    monkeypatch.setattr(section, "accepted", lambda c: (replayed.append(c["digest"]), check(c))[1])
    assert not refusal(forged)
    assert len(replayed) == len(set(replayed)) == len(forged["proof"]["parts"])


def test_what_a_part_assumes_the_composition_assumes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEMMAS, "exp", "exp: what a section takes on trust")
    forged = certificate()
    parts = forged["proof"]["parts"]
    for part in forged["claim"]["parts"]:
        inner = parts.pop(part["digest"])
        inner["assumptions"] = ["exp: what a section takes on trust"] if "exp" in inner["claim"]["generator"] else []
        part["digest"] = inner["digest"] = digest(inner)
        parts[inner["digest"]] = inner
    assert refusal(forged) == "claim"
    forged["assumptions"] = ["exp: what a section takes on trust"]
    assert not refusal(forged)


@pytest.mark.sweep
def test_a_mixture_composes_by_its_epsilon() -> None:
    """Its epsilon, three times, beside all outcomes of randomised response; a mixture without one is refused."""
    mixture = GALLERY / "mixtures" / "gaussian-tail.json"
    found = dpverify.compose([(mixture, 3)], epsilon=5, certificate=True)
    assert found.certificate is not None and found.certificate["claim"]["kind"] == "composition"
    truth = outcomes([float(Fraction(json.loads(mixture.read_text())["claim"]["epsilon"]["upper"]))] * 3, 5)
    delta = found.points[0].delta
    assert float(delta.lower) <= truth * (1 + 1e-9) and truth <= float(delta.upper) * (1 + 1e-9)
    with pytest.raises(InputError):
        dpverify.compose([mixture.with_name("infinite-moment.json")], epsilon=1)
    beside = dpverify.compose([GALLERY / "profiles" / "laplace-d1.json", mixture], epsilon=1, certificate=True)
    assert beside.certificate is not None


def test_a_certified_composition_replays_each_part_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = list(certificate()["proof"]["parts"].values())
    replayed: list[str] = []
    replay = kernel_certificate.replay

    def counted(claim: Any, *others: Any) -> list[str]:
        replayed.append(json.dumps(claim, sort_keys=True))
        return replay(claim, *others)

    monkeypatch.setattr(kernel_certificate, "replay", counted)
    found = dpverify.compose([(part, 2) for part in parts], epsilon="1/2", certificate=True)
    assert found.certificate is not None
    for part in parts:
        assert replayed.count(json.dumps(part["claim"], sort_keys=True)) == 1
    assert ACCEPTED.get() is None


def test_what_bears_an_accepted_digest_is_not_taken_for_it() -> None:
    part = next(iter(certificate()["proof"]["parts"].values()))
    token = ACCEPTED.set({})
    try:
        assert accepted(part).digest == part["digest"]
        forged = copy.deepcopy(part)
        forged["claim"]["epsilon"]["upper"] = "0"
        with pytest.raises(kernel_certificate.Rejected) as refused:
            accepted(forged)
        assert refused.value.code == "digest"
    finally:
        ACCEPTED.reset(token)


def test_very_many_releases() -> None:
    n, e, at = 5000, Fraction(1, 10), Fraction(60)
    low, high = optimal.delta({e: n}, at)
    with mpmath.workdps(60):
        p, step, loss = 1 / (1 + mpmath.exp(-mpmath.mpf(1) / 10)), mpmath.mpf(1) / 10, mpmath.mpf(60)
        share, true = p**n, mpmath.mpf(0)
        for k in range((n - 600) // 2):
            true += share * (1 - mpmath.exp(loss - step * (n - 2 * k)))
            share = share * (n - k) / (k + 1) * (1 - p) / p
        bounds = [mpmath.mpf(x.numerator) / x.denominator for x in (low, high)]
        assert bounds[0] <= true * (1 + mpmath.mpf("1e-40")) and true * (1 - mpmath.mpf("1e-40")) <= bounds[1]
        assert bounds[1] - bounds[0] <= true * mpmath.mpf("1e-60")
