"""Noise whose density touches 0 (K544): delta against quadrature, what the patches cost, and forged patches refused."""

from __future__ import annotations

import copy
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import pytest

import dpverify
from dpverify.kernel import Rejected
from dpverify.kernel import certificate as kernel
from dpverify.kernel.sections import charts, patches, profiles
from dpverify.kernel.sections.profiles import opened
from dpverify.kernel.steps import Steps
from tests.profiles.test_must_fail import read as certificate
from tests.profiles.test_must_fail import refusal

TOUCHED = "(r - 1)**2*exp(-r)"
PATCH = {"box": ["9/10", "11/10"], "height": "1/1000"}
ABOUT = dict.fromkeys(charts.CLAIM) | {"sensitivity": "1", "scale": "1", "parameters": {}}


def on_the_line(f: Any, zero: str, epsilon: float, shift: float) -> mp.mpf:
    """The integral of (p - e^eps q)_+ at one shift, between the sign changes that a fine grid shows."""
    with mp.workdps(20):
        s, c, growth = mp.mpf(shift), mp.mpf(zero), mp.exp(epsilon)

        def gain(x: mp.mpf) -> mp.mpf:
            return f(abs(x)) - growth * f(abs(x - s))

        grid = [mp.mpf(k) / 64 + mp.mpf(1) / 1009 for k in range(-64 * 20, 64 * 20)]
        crossed = [ends for ends in pairwise(grid) if gain(ends[0]) * gain(ends[1]) < 0]
        changes = [mp.findroot(gain, ends, solver="anderson") for ends in crossed]
        marks = sorted({mp.mpf(-60), *changes, -c, c, s - c, s + c, mp.mpf(0), s, mp.mpf(60)})
        total = sum(max(mp.mpf(0), mp.quad(gain, ends)) for ends in pairwise(marks))
        return total / (2 * mp.quad(f, [0, c, 60]))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("text", "f", "zero", "epsilon"),
    [
        (TOUCHED, lambda r: (r - 1) ** 2 * mp.exp(-r), "1", "1"),
        (TOUCHED, lambda r: (r - 1) ** 2 * mp.exp(-r), "1", "1/2"),
        ("Abs(r - 2)*exp(-r)", lambda r: abs(r - 2) * mp.exp(-r), "2", "1"),
    ],
)
def test_delta_where_f_touches_zero_on_the_line(text: str, f: Any, zero: str, epsilon: str) -> None:
    found = dpverify.profile(text, epsilon=epsilon, tolerance="1e-6").points[0].delta
    exact = on_the_line(f, zero, float(Fraction(epsilon)), 1.0)
    low, high = (mp.mpf(x.numerator) / x.denominator for x in (found.lower, found.upper))
    assert found.upper - found.lower <= found.lower / 10**6
    assert low <= exact * (1 + mp.mpf("1e-12")) and exact * (1 - mp.mpf("1e-12")) <= high


@pytest.mark.slow
def test_a_certificate_about_a_zero_is_as_narrow_as_any() -> None:
    """The patches' jumps add to H' no more than they are high, though F takes all its values where shifts lead."""
    found = dpverify.profile("(1-y)**2*exp(-y)", epsilon="1/2", certificate=True)
    assert found.certificate is not None
    ends = [Fraction(x) for x in found.certificate["claim"]["points"][0]["delta"].values()]
    exact = on_the_line(lambda r: (1 - r * r) ** 2 * mp.exp(-r * r), "1", 0.5, 1.0)
    assert ends[1] - ends[0] <= ends[0] / 10**9
    low, high = (mp.mpf(x.numerator) / x.denominator for x in ends)
    assert low <= exact * (1 + mp.mpf("1e-12")) and exact * (1 - mp.mpf("1e-12")) <= high


@pytest.mark.slow
def test_an_f_that_is_0_at_its_centre_and_elsewhere() -> None:
    """The centre needs no patch, the other zero does; the cover of boxes is made for the kernel, which has to see that
    f is positive beside both."""
    found = dpverify.profile("r*exp(-r)*(1-r)**2", epsilon="1/2", certificate=True)
    assert found.certificate is not None
    assert len(found.certificate["proof"]["patches"]) == 1
    ends = [Fraction(x) for x in found.certificate["claim"]["points"][0]["delta"].values()]
    exact = on_the_line(lambda r: r * mp.exp(-r) * (1 - r) ** 2, "1", 0.5, 1.0)
    assert ends[1] - ends[0] <= ends[0] / 10**8
    low, high = (mp.mpf(x.numerator) / x.denominator for x in ends)
    assert low <= exact * (1 + mp.mpf("1e-12")) and exact * (1 - mp.mpf("1e-12")) <= high
    assert refusal(found.certificate) == ""


def subject(text: str = TOUCHED, dimension: int = 3) -> charts.Subject:
    kernel.load_section("guards")
    return charts.Subject({**ABOUT, "generator": text, "dimension": dimension})


def steps(*listed: Any) -> Steps:
    chart = {"radius": "1/8", "order": 6}
    return Steps({"zero": chart, "infinity": {"radius": "64", "order": 6}, "patches": list(listed)})


def change(text: str, c: Fraction, a: Fraction, b: Fraction, d: int) -> mp.mpf:
    f = mp.mpf(c.numerator) / c.denominator
    g = {TOUCHED: lambda r: (r - 1) ** 2 * mp.exp(-r), "Abs(r - 1)*exp(-r)": lambda r: abs(r - 1) * mp.exp(-r)}[text]
    ends = [mp.mpf(x.numerator) / x.denominator for x in (a, b)]
    return mp.quad(lambda r: r ** (d - 1) * abs(g(r) - f), [ends[0], 1, ends[1]])


@pytest.mark.parametrize("text", [TOUCHED, "Abs(r - 1)*exp(-r)"])
@pytest.mark.parametrize("dimension", [1, 3])
@pytest.mark.parametrize("height", ["1/1000", "2"])
def test_what_is_lost_is_no_less_than_the_integral(text: str, dimension: int, height: str) -> None:
    about = subject(text, dimension)
    lost = patches.patched(about, steps({**PATCH, "height": height})).lost
    exact = change(text, Fraction(height), Fraction(9, 10), Fraction(11, 10), dimension)
    assert (
        exact <= float(lost.lo) <= float(lost.hi) <= max(float(Fraction(height)), 0.11) * 1.1**dimension * 0.2 * 1.001
    )


def test_all_patches_count() -> None:
    other = {"box": ["2", "3"], "height": "1/2"}
    one, two = (patches.patched(subject(), steps(*listed)).lost.lo for listed in ([other], [PATCH, other]))
    both = patches.patched(subject(), steps(PATCH)).lost.lo + one
    assert float(two) == pytest.approx(float(both), rel=1e-15)


def test_h_is_the_number_on_its_patch_and_f_elsewhere() -> None:
    about = subject()
    patches.patched(about, steps(PATCH))
    p = charts.Problem(about.tree, 3, Fraction(1), (Fraction(1, 8), 6), (Fraction(64), 6))
    assert float(p.value_on_box(Fraction(95, 100), Fraction(99, 100)).hi) == 0.001
    at = p.value_on_box(Fraction(2), Fraction(2) + Fraction(1, 10**9))
    assert float(at.lo) == pytest.approx(float(mp.exp(-2)), rel=1e-6)


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        (TOUCHED, []),
        (TOUCHED, [{**PATCH, "height": "0"}]),
        (TOUCHED, [{**PATCH, "height": "-1"}]),
        (TOUCHED, [PATCH, PATCH]),
        (TOUCHED, [PATCH, {"box": ["1", "2"], "height": "1"}]),
        (TOUCHED, [{"box": ["2", "3"], "height": "1"}, PATCH]),
        (TOUCHED, [{**PATCH, "box": ["11/10", "9/10"]}]),
        (TOUCHED, [{**PATCH, "box": ["0", "9/10"]}]),
        (TOUCHED, [{**PATCH, "box": ["1", "1"]}]),
        (TOUCHED, [{"box": [str(k), str(k + 1)], "height": "1"} for k in range(1, 102)]),
        ("(r - 1)*exp(-r)", [PATCH]),
        ("exp(-r)/Abs(r - 1)**(1/2)", [PATCH]),
        ("exp(-r)*(r - 1)**2/(r - 1)", [PATCH]),
        ("sqrt(r - 1)*exp(-r)", [PATCH]),
    ],
)
def test_patches_that_are_refused(text: str, listed: list[Any]) -> None:
    with pytest.raises(Rejected):
        patches.patched(subject(text), steps(*listed))


def test_what_the_text_needs_its_guards_meet() -> None:
    """sqrt(r - 1) has a value throughout the patch, and none below 1 but where a guard keeps it from there."""
    patch = {"box": ["2", "3"], "height": "1/3"}
    for text, met in (
        ("sqrt(r - 1)*exp(-r)", False),
        ("Piecewise((sqrt(r - 1)*exp(-r), r > 1/2), (exp(-r), True))", False),
        ("Piecewise((sqrt(r - 1)*exp(-r), r > 1), (exp(-r), True))", True),
    ):
        if met:
            assert patches.patched(subject(text), steps(patch)).lost.lo > 0
        else:
            with pytest.raises(Rejected, match="its guards do not meet"):
                patches.patched(subject(text), steps(patch))


def test_a_patch_has_a_box_and_a_height_and_nothing_else() -> None:
    for listed in ({**PATCH, "more": "0"}, {"box": PATCH["box"]}, {"height": "1"}, ["9/10", "11/10"]):
        with pytest.raises(Rejected, match=r"^patch "):
            patches.patched(subject(), steps(listed))


def test_a_height_without_a_last_digit_costs_no_less_than_it_is() -> None:
    """On a patch as long as 1, on the line and by far higher than f, that is all that it costs."""
    lost = patches.patched(subject(dimension=1), steps({"box": ["2", "3"], "height": "2/3"})).lost
    assert Fraction(2, 3) <= Fraction(lost.lo) <= Fraction(lost.hi) < Fraction(2, 3) + Fraction(1, 10**30)


def claimed(**proof: Any) -> tuple[dict[str, Any], Steps]:
    """A claim of one f, and the steps that say of it where it is patched or cut."""
    claim = {"generator": "Piecewise((exp(-r), r < 8), (0, True))", "parameters": {}, "dimension": 1}
    charts_of = {"zero": {"radius": "1/8", "order": 6}, "infinity": {"radius": "64", "order": 6}}
    return {**claim, "sensitivity": "1", "scale": "1"}, Steps({**charts_of, **proof})


def test_f_is_cut_or_patched_and_not_both() -> None:
    """Each alone says what of f it changes; what both change nobody counts."""
    cut, listed = {"radius": "7", "end": "8", "height": "1/100"}, [{"box": ["1", "2"], "height": "1/2"}]
    for section in ("guards", "support", "patches"):
        kernel.load_section(section)
    assert opened(*claimed())[2] is None
    assert opened(*claimed(cut=cut))[2].end == 8
    patched = opened(*claimed(patches=listed))[2]
    assert isinstance(patched, patches.Patched) and patched.end is None
    with pytest.raises(Rejected, match="f is cut and patched"):
        opened(*claimed(cut=cut, patches=listed))


def test_an_f_that_is_patched_has_no_atom(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no radius from which on it is 0, and no point of it an infinite loss."""
    profile = {"order": 1, "mass": ["1/2", "1", "2", "3", "4", "64"], "points": ["any"]}
    claim, given = claimed(patches=[{"box": ["1", "2"], "height": "1/2"}], profile=profile, atom={"panels": []})
    point = {"epsilon": "1", "delta": {"lower": "0", "upper": "1"}}
    claim |= {"generator": "exp(-r)", "theorem": "Theorem B", "points": [point]}
    monkeypatch.setitem(profiles.WAYS, "Theorem B", ((), "Theorem 3", lambda *_: (Decimal(0), Decimal(1))))
    about, proof, cut = opened(claim, given)
    ((low, high),) = profiles.bounds(about, proof, claim, cut)
    assert low == 0 and high > 1  # as the patch may change it
    with pytest.raises(Rejected, match="has no atom"):
        profiles.bounds(about, proof, claim | {"infinite": "0"}, cut)


def read() -> dict[str, Any]:
    return certificate("touched-at-a-radius")


@pytest.mark.slow
def test_the_certificate_holds_and_forged_ones_do_not() -> None:
    assert read()["rules"]["patches"] == ["K544"] and not refusal(read())
    wide = copy.deepcopy(read())
    wide["proof"]["patches"][0]["box"] = ["1/2", "3/2"]
    high = copy.deepcopy(read())
    high["proof"]["patches"][0]["height"] = "1"
    none = copy.deepcopy(read())
    del none["proof"]["patches"]
    small = copy.deepcopy(read())
    small["claim"]["points"][0]["delta"] = {"lower": "0", "upper": "1/5"}
    unlisted = copy.deepcopy(read())
    del unlisted["rules"]["patches"]
    assert all(map(refusal, (wide, high, none, small)))
    assert refusal(unlisted) == "rules"


@pytest.mark.slow
def test_no_atom_no_pair_and_no_cut_beside_patches() -> None:
    atom = read()
    atom["claim"]["infinite"] = "0"
    atom["proof"]["atom"] = {"panels": [["1/4", "1/2"]]}
    pair = read()
    pair["claim"]["pair"] = {"shift": "1", "lower": ["0"]}
    cut = read()
    cut["proof"]["cut"] = {"radius": "1", "end": "1", "height": "1"}
    assert refusal(atom) and refusal(pair) == "steps" and refusal(cut)


@pytest.mark.sweep
def test_no_measure_of_h_is_said_to_be_one_of_f() -> None:
    """What rests on all losses is that of f, and is left open; a largest loss there is not."""
    found = dpverify.profile(TOUCHED, renyi=["1/2", "2", "infinity"], zcdp=True, gdp=True, tradeoff="1/20", timeout=20)
    verdicts = {(m.name, str(m.at)): m.verdict for m in found.measures}
    largest = [m for m in found.measures if m.name not in {"renyi", "rho", "mu", "error"}]
    assert set(verdicts.values()) <= {"undecided", "refuted"}
    assert all(m.verdict == "refuted" for m in largest if "infin" in m.name)
    assert sum(v == "refuted" for v in verdicts.values()) <= 1
