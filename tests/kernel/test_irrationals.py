"""Constants of models that are known exactly (K490): beside mpmath; what cancels, what is compared, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as Q
from typing import Any

import mpmath
import pytest

import dpverify.certificate.possible  # noqa: F401  which loads every section
from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import Interval
from dpverify.kernel.rules import BROUGHT, LEDGER, Ledger
from dpverify.kernel.sections.centre import NearCentre
from dpverify.kernel.sections.constants import PI as SURELY_PI
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.far_boxes import scales, values
from dpverify.kernel.sections.irrationals import LONGEST, MOST, PRIMES, Irrational, factors_of, fits, is_short
from dpverify.kernel.sections.irrationals import constant as exactly
from dpverify.kernel.sections.models import CONSTANT, EXACT_UP_TO, EXACTLY, Germ, Model, constant, power_of_t
from dpverify.kernel.steps import Steps
from tests.kernel.problems import on_charts, tree
from tests.kernel.test_cancelling import epsilon, forged
from tests.kernel.test_models import mp
from tests.kernel.test_towers import far, inside, typed

M = mpmath
HALF = Q(1, 2)
GERM = Germ(Q(16), 6)


def root(n: Q | int, p: Q = HALF) -> Any:
    return exactly("power", Q(n), p)


def log(n: Q | int) -> Any:
    return exactly("log", Q(n))


PI: Any = far("pi").terms[CONSTANT]

NUMBERS: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
    (lambda: root(2), lambda: M.sqrt(2)),
    (lambda: root(Q(2, 3), Q(-1, 3)), lambda: M.root(M.mpf(3) / 2, 3)),
    (lambda: root(1000003, Q(7, 5)), lambda: M.mpf(1000003) ** (M.mpf(7) / 5)),
    (lambda: log(Q(20, 37)), lambda: M.log(M.mpf(20) / 37)),
    (lambda: exactly("exp", Q(-3, 2)), lambda: M.exp(-1.5)),
    (lambda: PI, lambda: +M.pi),
    (lambda: PI.power(HALF), lambda: M.sqrt(M.pi)),
    (lambda: PI.inverse() * root(2), lambda: M.sqrt(2) / M.pi),
    (lambda: (root(2) + 1) * (root(3) - log(2)), lambda: (1 + M.sqrt(2)) * (M.sqrt(3) - M.log(2))),
    (lambda: (root(2) + 1).inverse(), lambda: 1 / (1 + M.sqrt(2))),
    (lambda: (root(2) + 1).power(HALF), lambda: M.sqrt(1 + M.sqrt(2))),
    (lambda: (root(2) * 3).inverse(), lambda: 1 / (3 * M.sqrt(2))),
    (lambda: (root(2) * 4).power(HALF), lambda: 2 * M.root(2, 4)),
    (lambda: Q(1, 3) - root(6) * 5, lambda: M.mpf(1) / 3 - 5 * M.sqrt(6)),
]


@pytest.mark.parametrize("k", range(len(NUMBERS)))
def test_the_number_is_inside(k: int) -> None:
    found, truth = (NUMBERS[k][0](), NUMBERS[k][1])
    with M.workdps(60):
        assert (
            found.lo < found.hi
            and inside(found, truth())
            and mp(found.hi) - mp(found.lo) < M.mpf(10) ** -50 * abs(truth())
        )


@pytest.mark.parametrize(
    ("found", "number"),
    [
        (lambda: root(2) * root(2), 2),
        (lambda: root(8) - root(2) * 2, 0),
        (lambda: root(HALF) * 2 - root(2), 0),
        (lambda: root(6) - root(2) * root(3), 0),
        (lambda: root(12, Q(2, 3)).power(Q(3)), 144),
        (lambda: root(Q(3, 5)).inverse() * root(Q(3, 5)), 1),
        (lambda: log(8) - log(2) * 3, 0),
        (lambda: log(Q(2, 3)) + log(Q(3, 2)), 0),
        (lambda: exactly("exp", Q(1, 3)).power(Q(3)) * exactly("exp", Q(-1)), 1),
        (lambda: PI * PI.inverse(), 1),
        (lambda: (root(2) * HALF).power(HALF).power(Q(4)), HALF),
        (lambda: (root(2) - 1) * (root(2) + 1), 1),
    ],
)
def test_what_cancels_is_a_rational(found: Callable[[], Any], number: Q | int) -> None:
    assert not isinstance(found(), Interval) and found() == number


@pytest.mark.parametrize("prime", PRIMES)
def test_small_primes_are_looked_for(prime: int) -> None:
    assert root(prime**3) - root(prime) * prime == 0 and log(prime**2) - log(prime) * 2 == 0
    assert factors_of(Q(1, prime)) == [(prime, -1)] and factors_of(Q(1)) == []


def test_they_are_compared_by_their_values() -> None:
    assert 1 < root(2) < Q(3, 2) and root(2) >= root(2) and not root(2) > root(2) and root(2) <= root(3)
    assert not root(2) < root(2) and root(2) <= root(2) and root(2) + 1 > root(2) and not root(2) > root(2) + 1
    assert not root(3) < root(2) and Q(3, 2) >= root(2) and log(2) <= Q(7, 10)
    assert root(2) != Q(141421356, 10**8) and root(2) == root(HALF) * 2 and hash(root(2)) == hash(root(HALF) * 2)
    assert sorted([root(3), 2, root(2), Q(3, 2)]) == [root(2), Q(3, 2), root(3), 2]


def test_the_same_number_written_otherwise_is_not_compared() -> None:
    """37^2 has no factor that is looked for, so that its root is not seen to be 37."""
    hidden = root(37**2)
    for compare in (lambda: hidden > 37, lambda: hidden < 37, lambda: hidden >= 37, lambda: hidden <= 37):
        with pytest.raises(Rejected, match="too close"):
            compare()
    with pytest.raises(Rejected, match="too close"):
        Model(GERM, {power_of_t(hidden): Q(1), power_of_t(37): Q(-1)})


def test_what_is_long_is_an_interval() -> None:
    terms = [root(n) for n in (2, 3, 5, 7, 11)][: MOST + 1]
    most = sum(terms[:-1], Q(0))
    assert isinstance(most, Irrational) and not isinstance(most + terms[-1], Irrational)
    assert isinstance(root(2) * Q(2) ** (LONGEST - 8), Irrational)
    assert not isinstance(root(2) * Q(2) ** LONGEST, Irrational)
    assert not isinstance(root(Q(2) ** LONGEST + 1), Irrational)
    both = root(2) * Q(2) ** LONGEST + root(3)
    assert not isinstance(both, Irrational) and both.lo < both.hi
    together, long = (root(2) * Q(2) ** (LONGEST - 8) + root(3)) * Q(2) ** 9, most + terms[-1]
    assert not isinstance(together, Irrational) and together.lo < together.hi and long.lo < long.hi
    assert is_short(Q(2) ** (LONGEST - 2)) and not is_short(Q(2) ** (LONGEST - 1))
    assert fits(Q(2), Q(LONGEST)) and not fits(Q(2), Q(LONGEST + 1)) and not fits(Q(2), Q(1, 2**LONGEST))
    assert not isinstance(root(2).power(Q(LONGEST + 1)), Irrational)


def test_what_is_a_rational_is_no_constant_of_its_own() -> None:
    """log 1, e^0 and roots of 0 are intervals as they were; e^-1 is a number."""
    assert log(1).lo == log(1).hi == 0 and exactly("exp", Q(0)).lo == 1 and root(0).hi == 0
    assert isinstance(exactly("exp", Q(-1)), Irrational) and isinstance(exactly("exp", Q(1)), Irrational)
    assert isinstance(log(HALF), Irrational) and isinstance(root(HALF), Irrational)


def test_of_what_is_negative_there_is_none() -> None:
    for function in (root, log, lambda number: root(-number).__neg__().power(HALF)):
        with pytest.raises(Rejected):
            function(Q(-2))


def test_models_of_many_terms_and_of_old_files_have_intervals() -> None:
    """The rule is entered where it is listed, or nothing is, and models are of few terms."""
    assert isinstance(constant(GERM, "power", Q(2), HALF), Irrational)
    assert not isinstance(constant(Germ(Q(16), EXACT_UP_TO + 1), "power", Q(2), HALF), Irrational)
    token = LEDGER.set(Ledger(frozenset({"K12"})))
    try:
        assert not isinstance(constant(GERM, "power", Q(2), HALF), Irrational)
    finally:
        LEDGER.reset(token)


FUNCTIONS: list[tuple[str, Callable[[Any], Any], int]] = [
    ("exp(-sqrt(2)*(r-3))+exp(-sqrt(2)*(r+3))", lambda r: 2 * M.cosh(3 * M.sqrt(2)) * M.exp(-M.sqrt(2) * r), 1),
    ("2**(-r)*3**(r/2)", lambda r: M.exp(r * (M.log(3) / 2 - M.log(2))), 1),
    ("exp(-r**(1/sqrt(2)))*r**pi", lambda r: M.exp(-(r ** (1 / M.sqrt(2)))) * r**M.pi, 1),
    ("sqrt(2*y)-r*sqrt(2)+r**log(2)", lambda r: r ** M.log(2), 1),
    ("log(5*r**sqrt(3))-log(5)", lambda r: M.sqrt(3) * M.log(r), 1),
    ("log(log(r)**e)", lambda r: M.e * M.log(M.log(r)), 1),
    ("exp(pi*log(log(r)))/log(r)**3", lambda r: M.log(r) ** (M.pi - 3), 1),
    ("exp(-sqrt(1+2*y)+sqrt(2)*r)", lambda r: M.exp(-M.sqrt(1 + 2 * r * r) + M.sqrt(2) * r), 7),
]


@pytest.mark.parametrize(("text", "truth", "terms"), FUNCTIONS)
def test_models_with_them_hold_every_value(text: str, truth: Callable[[Any], Any], terms: int) -> None:
    found = Evaluation(GERM.radius()).value(tree(text))
    assert len(found.terms) <= terms
    with M.workdps(60):
        for r in (16, 17, 40, 300):
            assert inside(found.span(), truth(M.mpf(r)))


@pytest.mark.parametrize(("text", "truth"), [(text, truth) for text, truth, _ in FUNCTIONS[2:6]])
def test_their_values_on_a_box_far_out(text: str, truth: Callable[[Any], Any]) -> None:
    """A box of some width, and one of next to none, on which its value is known to many digits."""
    model = Evaluation(GERM.radius()).value(tree(text))
    for digits in (0, 40):
        found = values(model, scales(Q(20), 20 + Q(1, 10**digits)))
        with M.workdps(60):
            width = M.mpf(10) ** -digits
            assert inside(found, truth(M.mpf(20))) and inside(found, truth(20 + width / 2))
            assert mp(found.hi) - mp(found.lo) < width * abs(truth(M.mpf(20)))


def test_constants_are_intervals_where_the_section_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BROUGHT, EXACTLY)
    assert constant(GERM, "pi", SURELY_PI) is SURELY_PI
    for function, args, truth in (("exp", (), M.e), ("power", (HALF,), M.mpf(1))):
        found = constant(GERM, function, Q(1), *args)
        assert type(found) is Interval and inside(found, truth)


@pytest.mark.parametrize("text", ["exp(-r**sqrt(2))", "exp(-r)*(1+r**sqrt(3))"])
def test_a_series_at_the_centre_has_no_irrational_powers(text: str) -> None:
    with pytest.raises(Rejected, match="other terms than powers of r"):
        NearCentre(on_charts(text), Steps({"series": {"radius": "1/2", "order": EXACT_UP_TO}}))


# epsilon is sqrt(2): f is exp(-sqrt(2) r) times a number from 3 on, and flat before; and 1, at r = 0, as r^(1/sqrt(2))
# is concave.
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("irrational-rates", epsilon(upper="1414/1000")),
        ("irrational-rates", epsilon(lower="1415/1000")),
        ("irrational-rates", typed("exp(-sqrt(3)*Abs(r-3))+exp(-sqrt(3)*(r+3))")),
        ("irrational-rates", typed("exp(-sqrt(2)*Abs(r-3))-exp(-sqrt(2)*(r+3))")),
        ("irrational-rates", typed("exp(-sqrt(2)*Abs(r-3))+exp(sqrt(2)*(r+3))")),
        ("irrational-rates", lambda c: c["rules"].pop("irrationals")),
        ("irrational-exponent", epsilon(upper="999/1000")),
        ("irrational-exponent", epsilon(lower="1001/1000")),
        ("irrational-exponent", typed("exp(-r**sqrt(2))")),
        ("irrational-exponent", typed("exp(-2*r**(1/sqrt(2)))")),
        ("irrational-exponent", typed("exp(r**(1/sqrt(2)))")),
        ("irrational-exponent", lambda c: c["rules"].pop("irrationals")),
    ],
)
def test_forgeries_fail(name: str, change: Callable[[dict[str, Any]], None]) -> None:
    with pytest.raises(Rejected):
        check_bytes(forged(name, change))
