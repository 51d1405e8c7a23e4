"""Equivalence of elliptical laws: series against sums that are known, and everything that must not be decided."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from math import erf, exp, log, pi, sqrt

import mpmath
import pytest

from dpverify.errors import InputError
from dpverify.mechanisms import equivalence
from dpverify.mechanisms.spectra.equivalent import is_member
from tests.command import run

ZETA_3 = 1.2020569031595942
SUMS = {  # c_n, d_n: the sum of d_n^2/c_n
    ("n**-2", "n**-3"): pi**4 / 90,
    ("1", "n**-1"): pi**2 / 6,
    ("n", "n**-1"): ZETA_3,
    ("exp(-n)", "exp(-n)"): 1 / (exp(1) - 1),
    ("exp(-n)", "exp(-n/2)*2**(-n/2)"): 1.0,
    ("1", "1/sqrt(n*(n+1))"): 1.0,
    ("n**2", "sqrt(n)*exp(-n/2)"): -log(1 - exp(-1)),
    ("1", "1/sqrt(4*n**2-1)"): 0.5,
}


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize("spectra", SUMS)
def test_the_norm_is_enclosed(spectra: tuple[str, str]) -> None:
    found = equivalence(*spectra)
    assert found.verdict == "equivalent" and found.norm is not None and found.distance is not None
    norm = sqrt(SUMS[spectra])
    assert found.norm.lower <= Fraction(norm * (1 + 1e-14)) and found.norm.upper >= Fraction(norm * (1 - 1e-14))
    assert found.norm.upper - found.norm.lower < Fraction(1, 10**9)
    assert float(found.distance.upper) == pytest.approx(erf(norm / sqrt(8)), rel=1e-12)


@pytest.mark.slow
def test_slow_series_are_enclosed_too() -> None:
    """The sum of 1/(n log(n+1)^2), against a partial sum and the integral that follows it."""
    total, last = 0.0, 100_000
    for n in range(1, last):
        total += 1 / (n * log(n + 1) ** 2)
    low, high = total + 1 / log(last + 1), total + 1 / log(last - 1)
    found = equivalence("n", "1/log(n+1)").norm
    assert found is not None and float(found.lower) ** 2 <= high and float(found.upper) ** 2 >= low
    assert found.upper - found.lower < Fraction(1, 1000)


BORDER = [  # at the border of convergence, decided by a power, a logarithm, a logarithm of a logarithm
    ("n**-2", "n**(-3/2)", False),
    ("n**-2", "n**(-151/100)", True),
    ("n**-2", "n**(-3/2)/log(n+1)", True),
    ("n**-2", "n**(-3/2)/sqrt(log(n+1))", False),
    ("n**-2", "n**(-3/2)/sqrt(log(n+2))/log(log(n+2))", True),
    ("n**-2", "n**(-3/2)/sqrt(log(n+2)*log(log(n+2)))", False),
    ("exp(-n)", "n**-9", False),
    ("exp(-n)", "exp(-n/2)/n", True),
    ("exp(-sqrt(n))", "exp(-sqrt(n)/2)", False),
    ("exp(-sqrt(n))", "exp(-0.51*sqrt(n))", True),
    ("n**-2", "0", True),
    ("n**-2", "1", False),
]


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize(("c", "d", "member"), BORDER)
def test_membership_is_decided_exactly(c: str, d: str, member: bool) -> None:
    assert is_member(c, d) is member


TWO = [  # Kakutani: the sum of (b/a - 1)^2
    ("n**-2", "n**-2", None, "equivalent"),
    ("n**-2", "n**-2 + n**-3", None, "equivalent"),
    ("n**-2", "n**-2 + n**(-5/2)", None, "orthogonal"),
    ("n**-2", "n**-2 + n**(-5/2)/log(n+1)", None, "equivalent"),
    ("n**-2", "2*n**-2", None, "orthogonal"),
    ("n**-2", "n**-3", None, "orthogonal"),
    ("n**-2", "4*n**-2", "1: 1, 1: 2", "neither"),
    ("n**-2", "4*n**-2", "1: 1", "orthogonal"),
    ("n**-2", "2*n**-2", "1: 1, 1: 2", "orthogonal"),
    ("n**-2", "4*n**-2", "v*exp(-v)", "undecided"),
    ("n**-2", "2*n**-2 + n**-3", "v**(-6)*exp(-5/(2*v**2))", "equivalent"),
    ("n**-2", "2*n**-2 + n**(-5/2)", "v**(-6)*exp(-5/(2*v**2))", "orthogonal"),
    ("n**-2", "2*n**-2", "v*exp(-v**2)", "equivalent"),
    ("n**-2", "2*n**-2", "Piecewise((1, v < 1), (0, True))", "undecided"),
    ("n**-2", "n**-2 + n**-3", "v*exp(-v)", "equivalent"),
]


@pytest.mark.sampled(stay=5)
@pytest.mark.parametrize(("a", "b", "law", "verdict"), TWO)
def test_two_covariances(a: str, b: str, law: str | None, verdict: str) -> None:
    assert equivalence(a, other=b, mixing=law).verdict == verdict


def test_a_difference_of_the_means_makes_neither_orthogonal() -> None:
    found = equivalence("n**-2", "n**-1", other="4*n**-2", mixing="1: 1, 1: 2")
    assert found.verdict == "orthogonal"


@pytest.mark.parametrize("difference", ["sin(n)/n**3", "n**-3*(2+cos(n))"])
def test_what_oscillates_is_not_decided(difference: str) -> None:
    assert equivalence("n**-2", difference).verdict in ("undecided", "equivalent")


def test_what_oscillates_is_never_called_equivalent_where_it_is_not() -> None:
    assert equivalence("n**-2", "(2+cos(n))/n").verdict in ("undecided", "orthogonal")
    assert equivalence("n**-2", other="n**-2*(2+cos(n))").verdict in ("undecided", "orthogonal")


REFUSED = [
    ("-n**-2", "n**-3", "positive"),
    ("(n-3)**2", "n**-3", "n = 3"),
    ("n**-2", "1/(n-2)", "n = 2"),
    ("n**-2", "log(n-1)", "n = 1"),
    ("n**-2", "n**-3 + 0*log(n-5)", "n = 1"),
    ("n**-2", "y", "written in n"),
    ("n**-s", "n", "not bound"),
    ("n**-2", "gamma(n)", "not taken"),
    ("n**-2", "floor(n/2)/n**4", "not taken"),
    ("n**-2", "Piecewise((1, n < 10**9), (n**-3, True))", "not taken"),
    ("n**-2", "Max(n**-3, n**-4)", "not taken"),
    ("__import__('os')", "n", "the eigenvalues"),
    ("n**-2", "", "formula in n"),
]


@pytest.mark.parametrize(("c", "d", "words"), REFUSED)
def test_texts_without_a_value_at_some_n_are_refused(c: str, d: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        equivalence(c, d)
    assert "\n" not in str(caught.value)


def test_a_zero_far_out_is_not_overlooked() -> None:
    assert equivalence("(n - 10**6)**2/n**4", "n**-3").verdict == "undecided"
    assert equivalence("n**-2", "1/(n - 10**6)/n").verdict == "undecided"


@pytest.mark.parametrize("law", ["exp(v**2)", "-v*exp(-v)", "1/v"])
def test_what_is_no_law_of_v_is_refused(law: str) -> None:
    with pytest.raises(InputError, match="the mixing law"):
        equivalence("n**-2", other="2*n**-2", mixing=law)


def test_a_name_without_use_is_refused() -> None:
    with pytest.raises(InputError, match="'s'"):
        equivalence("n**-2", "n**-3", parameters={"s": 1})


@pytest.mark.slow
def test_verdicts_are_those_of_membership() -> None:
    for c, d, member in BORDER[:4] + BORDER[6:]:
        assert equivalence(c, d).verdict == ("equivalent" if member else "orthogonal")


def test_the_command() -> None:
    done = run("equivalence", "--eigenvalues", "n**-a", "--difference", "n**-3", "--param", "a=2", "--json")
    found = json.loads(done.stdout)
    assert done.returncode == 0 and found["verdict"] == "equivalent"
    assert Fraction(found["norm"]["lower"]) <= Fraction(pi**2 / sqrt(90)) <= Fraction(found["norm"]["upper"])
    assert run("equivalence", "--eigenvalues", "n**-2", "--difference", "n**-1").returncode == 1
    refused = run("equivalence", "--eigenvalues", "n**-2")
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1


@pytest.mark.slow
def test_powers_logarithms_and_exponentials_follow_the_textbook_rule() -> None:
    """The sum of exp(-r n^(1/2)) n^-s (log n)^-t is finite where r > 0; or r = 0 and s > 1; or s = 1 and t > 1."""
    rng = random.Random(3)
    for _ in range(15):
        r, s, t = rng.choice((-1, 0, 0, 0, 1)), Fraction(rng.choice((9, 10, 10, 10, 11)), 10), rng.choice((0, 1, 2, 3))
        c, half = Fraction(rng.randint(0, 4), 2), Fraction(r, 2)
        difference = f"exp(-({half})*sqrt(n)) * n**(-({(s + c) / 2})) * (log(n + 1) + 1/n)**(-({Fraction(t, 2)}))"
        assert is_member(f"(n + 3/n)**(-({c}))", difference) is (r > 0 or (r == 0 and (s > 1 or (s == 1 and t > 1))))


@pytest.mark.slow
def test_norms_agree_with_sums_that_are_accelerated() -> None:
    """Rational functions against mpmath's nsum, which knows nothing of ours."""
    for c, d, term in (
        ("n**2/(n**4+1)", "1/(n**2+n)", lambda n: (n**4 + 1) / n**2 / (n**2 + n) ** 2),
        ("1/(2*n+1)", "n**-3 - n**-4/2", lambda n: (n**-3 - n**-4 / 2) ** 2 * (2 * n + 1)),
        ("exp(-n/2)", "exp(-n)*n", lambda n: mpmath.exp(-1.5 * n) * n**2),
    ):
        found = equivalence(c, d).norm
        assert found is not None
        exact = mpmath.sqrt(mpmath.nsum(lambda n, term=term: term(mpmath.mpf(n)), [1, mpmath.inf]))
        assert abs(float(found.lower) - exact) < 1e-12 and float(found.upper) >= exact * (1 - 1e-14)
        assert float(found.lower) <= exact * (1 + 1e-14)
