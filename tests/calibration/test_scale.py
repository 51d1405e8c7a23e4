"""Calibration inverts verify: known scales lie between the two that are proved; laws; refusals."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import jsonschema
import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpverify
from dpverify import InputError, Refusal, calibrate, check, verify
from dpverify.calibration.jumps import jump_at
from dpverify.calibration.restate import lowered
from dpverify.calibration.scale import Calibration
from dpverify.numerals import simplest_between
from tests.strategies import rationals

few = settings(max_examples=2, deadline=None)
WITHIN = Fraction(1, 10**9)


def real(q: Fraction) -> mpmath.mpf:
    return mpmath.mpf(q.numerator) / q.denominator


def encloses(found: Calibration, scale: mpmath.mpf) -> bool:
    return bool(real(found.lower) <= scale <= real(found.upper))


def is_proved(found: Calibration) -> None:
    """What a stranger would check: both certificates, what they claim, and how close the scales are."""
    assert 0 < found.lower < found.upper <= (1 + WITHIN) * found.lower
    for result, scale in ((found.meets, found.upper), (found.fails, found.lower)):
        report = check(result.certificate or {})
        assert report.accepted, report.message
        assert report.claim is not None
        assert Fraction(report.claim["scale"]) == scale
        assert Fraction(report.claim["sensitivity"]) == result.sensitivity
        ends = report.claim["epsilon"]
        if result is found.meets:
            assert Fraction(ends["upper"]) <= found.target
        else:
            assert Fraction(ends["lower"]) > found.target


def student_t_scale(nu: Fraction, d: int, target: Fraction) -> mpmath.mpf:
    """The scale at Delta = 1, from Example 6 of Reimherr and Awan (2019) by bisection in log delta."""

    def epsilon(delta: mpmath.mpf) -> mpmath.mpf:
        c = (delta + mpmath.sqrt(delta**2 + 4 * real(nu))) / 2
        far = c * c / real(nu)
        near = (real(nu) / c) ** 2 / real(nu)  # c (c - delta) = nu
        return (real(nu) + d) / 2 * (mpmath.log1p(far) - mpmath.log1p(near))

    low, high = mpmath.mpf(-800), mpmath.mpf(800)
    for _ in range(200):
        middle = (low + high) / 2
        if epsilon(mpmath.exp(middle)) <= real(target):
            low = middle
        else:
            high = middle
    return mpmath.exp(-low)


@pytest.mark.slow
@few
@given(rationals("1/5", "40"), st.integers(1, 500), rationals("1/20", "8"), rationals("1/9", "9"))
def test_student_t_by_its_closed_form(nu: Fraction, d: int, target: Fraction, sensitivity: Fraction) -> None:
    found = calibrate("student_t", epsilon=target, dimension=d, parameters={"nu": nu}, sensitivity=sensitivity)
    with mpmath.workdps(60):
        assert encloses(found, student_t_scale(nu, d, target) * real(sensitivity))
    is_proved(found)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["1e-9", "1e-6", "300"])
def test_student_t_at_extreme_targets(target: str) -> None:
    found = calibrate("student_t", epsilon=target, parameters={"nu": 3}, dimension=2)
    with mpmath.workdps(60):
        assert encloses(found, student_t_scale(Fraction(3), 2, Fraction(target)))
    is_proved(found)


@pytest.mark.slow
@few
@given(rationals("1/50", "50"), rationals("1/9", "9"), st.integers(1, 40))
def test_the_k_norm_needs_delta_over_epsilon(target: Fraction, sensitivity: Fraction, d: int) -> None:
    found = calibrate("exp(-sqrt(y))", epsilon=target, sensitivity=sensitivity, dimension=d)
    assert found.lower < sensitivity / target <= found.upper
    is_proved(found)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["1e-9", "1e-6", "1e3"])
def test_the_k_norm_at_extreme_targets(target: str) -> None:
    found = calibrate("laplace", epsilon=target)
    assert found.lower < 1 / Fraction(target) <= found.upper
    is_proved(found)


@pytest.mark.slow
@pytest.mark.parametrize(("beta", "target"), [("2/5", "1/1000000000"), ("2/5", "7"), ("1/10", "1/100"), ("1/4", "30")])
def test_stretched_exponentials(beta: str, target: str) -> None:
    """epsilon = delta^(2 beta) for beta <= 1/2."""
    found = calibrate("exp(-y**beta)", epsilon=target, parameters={"beta": beta})
    with mpmath.workdps(40):
        assert encloses(found, real(Fraction(target)) ** (-1 / (2 * real(Fraction(beta)))))
    is_proved(found)


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("target", ["1", "3/2", "2", "5", "29/10"])
def test_a_staircase_jumps_at_its_answer(target: str) -> None:
    """epsilon(delta) = ceil(delta), so the smallest scale is 1/floor(target), met exactly there."""
    found = calibrate("exp(-floor(r))", epsilon=target)
    assert found.lower < Fraction(1, math.floor(Fraction(target))) <= found.upper
    is_proved(found)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["7/10", "1", "4"])
def test_a_jump_is_paid_once(target: str) -> None:
    """epsilon = delta + log 2."""
    found = calibrate("Piecewise((2*exp(-sqrt(y)), y < 4), (exp(-sqrt(y)), True))", epsilon=target)
    with mpmath.workdps(40):
        assert encloses(found, 1 / (real(Fraction(target)) - mpmath.log(2)))
    is_proved(found)


@pytest.mark.slow
def test_a_limit_that_is_not_attained_meets_its_target() -> None:
    """exp(-sqrt(4+y)): epsilon(delta) = delta, approached as c -> oo."""
    found = calibrate("exp(-sqrt(4+y))", epsilon="1/2", dimension=3)
    assert found.lower < 2 <= found.upper
    is_proved(found)


@pytest.mark.slow
def test_a_generator_that_rises_is_calibrated_by_theorem_a() -> None:
    """(2+3y) exp(-r): the tail slope of g is 1 and the largest, so epsilon(delta) = delta."""
    found = calibrate("(2+3*y)*exp(-sqrt(y))", epsilon="1/3")
    assert found.meets.theorem == "Theorem A"
    assert found.lower < 3 <= found.upper
    is_proved(found)


STRETCHED = {  # f(a^2 y), so that r becomes a r
    "exp(-sqrt(1+y))": "exp(-sqrt(1+a**2*y))",
    "(1+y)**(-2)": "(1+a**2*y)**(-2)",
    "exp(-y)+exp(-sqrt(y))": "exp(-a**2*y)+exp(-a*r)",
    "(1+r)**(-7)": "(1+a*r)**(-7)",
    "exp(-log(2+y)**2)": "exp(-log(2+a**2*y)**2)",
}
SMOOTH = st.sampled_from(sorted(STRETCHED))


def overlap(one: Calibration, other: Calibration, factor: Fraction = Fraction(1)) -> bool:
    return max(one.lower * factor, other.lower) <= min(one.upper * factor, other.upper)


@pytest.mark.campaign
@few
@given(SMOOTH, rationals("1/10", "4"), rationals("1/100", "100", 100), rationals("1/3", "3"), rationals("1/3", "3"))
def test_a_factor_changes_nothing_a_stretch_and_the_units_scale(
    text: str, target: Fraction, k: Fraction, a: Fraction, sensitivity: Fraction
) -> None:
    """k f(a^2 y) at sensitivity Delta needs a Delta times the scale of f at sensitivity 1."""
    found = calibrate(f"({k})*({STRETCHED[text]})", epsilon=target, parameters={"a": a}, sensitivity=sensitivity)
    assert overlap(calibrate(text, epsilon=target), found, a * sensitivity)


@pytest.mark.slow
@few
@given(SMOOTH, rationals("1/10", "2"), rationals("1/100", "1", 100))
def test_verify_agrees_on_either_side_and_a_looser_target_needs_no_larger_scale(
    text: str, target: Fraction, more: Fraction
) -> None:
    found = calibrate(text, epsilon=target)
    scales = found.upper * 1001 / 1000, found.lower * 999 / 1000
    above, below = (verify(text, scale=scale).epsilon for scale in scales)
    assert above is not None and above.upper <= target
    assert below is not None and below.lower > target
    assert calibrate(text, epsilon=target + more).lower <= found.upper


@pytest.mark.parametrize(
    ("text", "arguments", "verdict"),
    [
        ("gaussian", {}, "not_private"),
        ("exp(-sqrt(y)*log(1+log(1+y)))", {}, "not_private"),
        ("multivariate_laplace", {"dimension": 2}, "not_private"),
        ("1/(1+r)", {}, "invalid"),
        ("exp(-r)*(1-2*r)", {}, "invalid"),
    ],
)
def test_a_family_private_for_no_epsilon_is_refused(text: str, arguments: dict[str, int], verdict: str) -> None:
    with pytest.raises(Refusal) as refusal:
        calibrate(text, epsilon=1, **arguments)  # type: ignore[arg-type]
    assert refusal.value.verdict == verdict
    assert "\n" not in str(refusal.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "target", "radius"),
    [
        ("exp(-floor(r))", "1/2", "1"),
        ("exp(-floor(r))", "99999/100000", "1"),
        ("Piecewise((2*exp(-sqrt(y)), y < 4), (exp(-sqrt(y)), True))", "693147/1000000", "2"),
        ("Piecewise((2*exp(-sqrt(y)), y < 4), (exp(-sqrt(y)), True))", "1e-6", "2"),
        ("Piecewise((exp(-r), r <= 7/3), (exp(-2*r), True))", "2", "7/3"),
    ],
)
def test_a_target_below_a_jump_is_refused_with_the_bound(text: str, target: str, radius: str) -> None:
    with pytest.raises(Refusal, match=f"r = {radius}, so epsilon >= ") as refusal:
        calibrate(text, epsilon=target)
    assert refusal.value.verdict == "unreachable"
    bound = Fraction(str(refusal.value).partition("epsilon >= ")[2].split()[0])
    size = {"1": 1.0, "2": math.log(2), "7/3": 7 / 3}[radius]
    assert Fraction(target) < bound and abs(bound - Fraction(size)) < Fraction(1, 10**9)
    assert verify(text, scale=10**6).epsilon.lower >= bound - Fraction(1, 10**9)  # type: ignore[union-attr]


def test_a_jump_is_never_overstated() -> None:
    with mpmath.workdps(60):
        text = dpverify.Generator("Piecewise((2*exp(-sqrt(y)), y < 4), (exp(-sqrt(y)), True))")
        size = jump_at(text, Fraction(2))
        assert mpmath.log(2) - mpmath.mpf(10) ** -30 < real(size) <= mpmath.log(2)
    assert jump_at(text, Fraction(3)) == 0
    assert jump_at(dpverify.Generator("exp(-Max(r, 2))"), Fraction(2)) == 0


@pytest.mark.parametrize("target", [0, -1, "-1/3", "0.0"])
def test_a_target_that_is_not_positive_is_bad_input(target: object) -> None:
    with pytest.raises(InputError, match="target"):
        calibrate("laplace", epsilon=target)


@pytest.mark.parametrize(
    "arguments",
    [{"epsilon": 0.5}, {"epsilon": "x"}, {"epsilon": 1, "sensitivity": 0}, {"epsilon": 1, "parameters": {"nu": 3}}],
)
def test_bad_input(arguments: dict[str, object]) -> None:
    with pytest.raises(InputError):
        calibrate("laplace", **arguments)  # type: ignore[arg-type]


def test_nothing_is_returned_that_the_kernel_does_not_accept(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpverify.kernel import Rejected, certificate

    def refuse(*replayed: object) -> None:
        raise Rejected("step 3")

    monkeypatch.setattr(certificate, "replay", refuse)
    with pytest.raises(Refusal, match="does not accept") as refusal:
        calibrate("laplace", epsilon="1/2")
    assert refusal.value.verdict == "undecided"


@pytest.mark.slow
def test_an_upper_end_is_lowered_only_as_far_as_the_kernel_follows() -> None:
    result = verify("exp(-floor(r))")
    exact = lowered(result, Fraction(1))
    assert exact is not None and exact.epsilon is not None and exact.epsilon.upper == 1
    assert check(exact.certificate or {}).accepted
    assert lowered(verify("student_t", parameters={"nu": 3}), Fraction(113923620007, 10**11)) is None
    assert lowered(result, Fraction(1, 2)) is None


@pytest.mark.slow
def test_what_is_told_in_json() -> None:
    rational = {"type": "string", "pattern": r"^[0-9]+(/[0-9]+)?$"}
    ends = {"type": "object", "required": ["lower", "upper"], "properties": {"lower": rational, "upper": rational}}
    schema = {
        "type": "object",
        "required": ["verdict", "scale", "epsilon", "target", "sensitivity", "theorem", "assumptions", "reason"],
        "properties": {
            "verdict": {"const": "private"},
            "scale": ends,
            "epsilon": ends,
            "epsilon_at_lower": ends,
            "target": rational,
            "sensitivity": rational,
            "dimension": {"const": 2},
            "parameters": {"const": {"nu": "3"}},
            "assumptions": {"const": []},
        },
    }
    data = calibrate("student_t", epsilon="3/4", dimension=2, parameters={"nu": 3}, sensitivity="5/2").to_json()
    jsonschema.validate(data, schema)
    assert (data["target"], data["sensitivity"]) == ("3/4", "5/2")
    assert Fraction(data["epsilon"]["upper"]) <= Fraction(3, 4) < Fraction(data["epsilon_at_lower"]["lower"])


def test_what_either_proof_rests_on_is_told() -> None:
    found = calibrate("laplace", epsilon=1)
    resting = replace(found, fails=replace(found.fails, assumptions=("a lemma",)))
    assert found.to_json()["assumptions"] == []
    assert resting.to_json()["assumptions"] == ["a lemma"]


@pytest.mark.slow
@given(rationals("1/1000", "1000", 1000), rationals("1/1000", "10", 1000))
def test_the_simplest_rational_between(low: Fraction, width: Fraction) -> None:
    found = simplest_between(low, low + width)
    assert low <= found <= low + width
    smaller = range(1, found.denominator)
    assert all(math.ceil(low * q) > (low + width) * q for q in smaller)
