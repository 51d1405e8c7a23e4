"""An f that rises somewhere (Theorem E): other ways to the supremum over shifts, laws, and forged certificates."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import dpverify
from dpverify.enclosures.lowering import lower
from dpverify.errors import DpverifyError
from dpverify.generators import Generator
from dpverify.kernel import Rejected
from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.intervals import Interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections import charts
from dpverify.kernel.sections.panels import Noise
from dpverify.kernel.sections.shifts import Slopes
from dpverify.profiles.result import Enclosed
from dpverify.profiles.scale import smallest_scale
from dpverify.prover.problem import Problem
from dpverify.prover.profile import Profile, Rising
from tests.profiles.test_must_fail import read, refusal

HALF = Fraction(1, 2)
Radial = Callable[[mp.mpf], mp.mpf]
CASES: tuple[tuple[str, Radial, str, str, tuple[float, ...]], ...] = (
    ("exp(-Abs(r - 2))", lambda r: mp.exp(-abs(r - 2)), "1/2", "3", (2.5, 2.69, 2.6931471805599453, 2.7, 3)),
    ("exp(-(r - 4)**2)", lambda r: mp.exp(-((r - 4) ** 2)), "1/2", "6", (1, 4, 4.17, 4.1734568254, 4.2, 6)),
    ("y*exp(-y)", lambda r: r * r * mp.exp(-r * r), "1/2", "3", (0.5, 1.3, 1.36391141833, 1.4, 3)),
    ("(1/10 + y)/(1 + y**2)**2", lambda r: (mp.mpf("0.1") + r * r) / (1 + r**4) ** 2, "1", "1/3", (0.1, 0.3, 1 / 3)),
)


@pytest.mark.parametrize(
    ("text", "f", "epsilon", "shift", "shifts"),
    [pytest.param(*case, marks=pytest.mark.campaign if k < 2 else pytest.mark.slow) for k, case in enumerate(CASES)],
    ids=[case[0] for case in CASES],
)
def test_quadrature_at_many_shifts(text: str, f: Radial, epsilon: str, shift: str, shifts: tuple[float, ...]) -> None:
    """No shift has a larger divergence, and that at the worst of them is reached, nearly."""
    found = dpverify.profile(text, sensitivity=shift, epsilon=epsilon)
    assert found.verdict == "proved" and found.theorem == "Theorem E"
    delta = found.points[0].delta
    assert delta.upper - delta.lower <= delta.lower / 10**9
    values = [float(_quadrature(f, epsilon, t)) for t in shifts]
    assert max(values) <= float(delta.upper) * (1 + 1e-9)
    assert max(values) >= float(delta.lower) * (1 - 1e-9)


def _quadrature(f: Radial, epsilon: str, t: float) -> mp.mpf:
    """Between the zeros of f(|x|) - e^eps f(|x - t|), which a grid and bisection find, and the kinks of f."""
    growth = math.exp(Fraction(epsilon))

    def over(x: float) -> float:
        return float(f(mp.mpf(abs(x))) - growth * f(mp.mpf(abs(x - t))))

    grid = [-12.01 + k / 20 for k in range(600)]
    signs = [over(x) > 0 for x in grid]
    ends = {-300.0, 300.0, -2.0, 0.0, 2.0, 4.0, -4.0, t, t - 2, t + 2, t - 4, t + 4}
    for (a, b), (p, q) in zip(pairwise(grid), pairwise(signs), strict=True):
        if p != q:
            for _ in range(60):
                m = (a + b) / 2
                a, b = (m, b) if (over(m) > 0) == p else (a, m)
            ends.add(a)
    with mp.workdps(20):
        whole = 2 * mp.quad(f, [0, 1, 2, 4, 6, 10, 40, 300, mp.inf])
        part = mp.quad(lambda x: max(0, f(abs(x)) - growth * f(abs(x - t))), sorted(ends))
        return part / whole


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("text", ["1/(exp(r) + exp(-r))", "exp(-y)", "1/(1 + y)**2"])
def test_theorem_e_agrees_with_theorem_b_where_f_falls(text: str) -> None:
    problem = Problem(lower(Generator(text, 1).expression), 1, Fraction(3, 2))
    one, other = (kind(problem, None).at(HALF, Fraction(1, 10**9)) for kind in (Profile, Rising))
    assert other.worst is not None and [x.shift for x in other.worst.anchors] == [Fraction(3, 2)]
    assert one.lower <= other.upper and other.lower <= one.upper
    assert other.upper - other.lower <= other.lower / 10**9


@pytest.mark.campaign
def test_beyond_the_worst_shift_nothing_is_added_and_short_of_it_something_is_missing() -> None:
    node = lower(Generator("exp(-Abs(r - 2))", 1).expression)
    short, there, beyond = (
        Rising(Problem(node, 1, Fraction(s)), None).at(HALF, Fraction(1, 10**5)) for s in ("5/2", "27/10", "31/10")
    )
    assert short.upper < there.lower
    assert there.lower <= beyond.upper and beyond.lower <= there.upper


@pytest.mark.slow
def test_at_the_pure_epsilon_and_beyond_nothing_is_left() -> None:
    ring = dpverify.profile("exp(-Abs(r - 2))", epsilon=["11/10", "2"])
    assert [(p.delta.lower, p.delta.upper) for p in ring.points] == [(0, 0), (0, 0)]


def test_measures_of_one_pair_are_not_read_off_a_supremum_over_pairs() -> None:
    found = dpverify.profile("exp(-(r - 1)**2)", renyi="2", tradeoff="1/4")
    assert {m.verdict for m in found.measures} == {"undecided"}


@pytest.mark.campaign
def test_the_smallest_scale() -> None:
    noise = Generator("exp(-(r - 1)**2)", 1)
    found = smallest_scale(noise, epsilon="1", delta="1/100")
    assert found.theorem == "Theorem E" and found.upper - found.lower <= found.lower / 10**9
    coarser = [dpverify.profile(noise, scale=s, epsilon="1").points[0].delta for s in (Fraction(1), found.upper * 2)]
    assert coarser[0].lower > Fraction(1, 100) > coarser[1].upper


@pytest.mark.slow
def test_what_a_search_sees_of_delta_is_a_lower_bound_that_is_next_to_it() -> None:
    """H at the shift that floats name: by quadrature there is no larger one."""
    text, f, epsilon, shift, shifts = CASES[0]
    prover = Rising(Problem(lower(Generator(text, 1).expression), 1, Fraction(shift)), None)
    low, high = prover.about(Fraction(epsilon), Fraction(1, 10**6))
    best = max(float(_quadrature(f, epsilon, t)) for t in shifts)
    assert float(low) <= best * (1 + 1e-9) and float(high) >= best * (1 - 1e-9) and high - low <= low / 10**5


@pytest.mark.campaign
def test_a_composition_holds_the_divergence_of_every_two_shifts() -> None:
    grid = {"curve": True, "step": "1", "until": "1/10"}
    part = dpverify.profile("exp(-(r - 1)**2)", scale=2, **grid, certificate=True)
    both = dpverify.compose([(part.certificate, 2)], epsilon="1", certificate=True)
    delta = both.points[0].delta
    x = np.arange(-12, 12, 0.02) + 0.01
    density = lambda t: np.exp(-((np.abs(x - t) / 2 - 1) ** 2))  # noqa: E731
    p, shifts = density(0), (0.25, 0.5, 0.75, 1)
    exact = max(
        float(np.maximum(0, np.outer(p, p) - math.e * np.outer(density(t), density(u))).sum() / p.sum() ** 2)
        for t in shifts
        for u in shifts
    )
    assert delta.lower <= exact + 1e-6 and exact - 1e-6 <= delta.upper
    assert dpverify.check(both.certificate)


# Forged certificates


def shell() -> tuple[dict[str, Any], dict[str, Any]]:
    certificate = copy.deepcopy(read("shell"))
    return certificate, certificate["proof"]["profile"]["points"][0]


@pytest.mark.slow
@pytest.mark.parametrize("end", ["lower", "upper"])
def test_a_bound_off_by_one_part_in_a_billion(end: str) -> None:
    certificate, _ = shell()
    delta = certificate["claim"]["points"][0]["delta"]
    part = Fraction(1, 10**9) * (1 if end == "lower" else -1)
    middle = (Fraction(delta["lower"]) + Fraction(delta["upper"])) / 2
    delta["lower"], delta["upper"] = map(str, sorted(middle * (1 + k * part) for k in (1, 2)))
    assert refusal(certificate) == "K161"


@pytest.mark.slow
def test_a_cell_of_shifts_left_out() -> None:
    for k in (0, 1):
        certificate, step = shell()
        del step["cells"][k], step["shifts"][k]
        assert refusal(certificate) in {"K235", "steps", "K239", "K234"}
        certificate, step = shell()
        del step["cells"][k]
        assert refusal(certificate) == "steps"


@pytest.mark.slow
def test_two_cells_taken_for_one() -> None:
    certificate, step = shell()
    del step["cells"][0], step["shifts"][1]
    assert refusal(certificate) in {"K161", "K235"}


def test_shifts_that_end_before_the_longest() -> None:
    certificate, step = shell()
    step["anchors"][0]["shift"] = step["shifts"][-1] = "999999999/1000000000"
    assert refusal(certificate) == "steps"


@pytest.mark.slow
def test_a_worst_shift_that_is_not_the_worst() -> None:
    """H is enclosed at a shorter shift, where it is smaller: slopes carry the bound upward from there."""
    certificate, step = shell()
    step["anchors"][0]["shift"] = step["shifts"][-2]
    assert refusal(certificate) in {"K161", "K233", "steps"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ahead", "back"])
@pytest.mark.parametrize("letters", ["ef", "fe"])
def test_a_letter_that_is_not_so(name: str, letters: str) -> None:
    certificate, step = shell()
    cell = next(c for c in step["cells"] if letters[0] in c[name])
    cell[name] = cell[name].replace(letters[0], letters[1], 1)
    assert refusal(certificate) == "K235"


def test_a_stretch_that_is_left_out() -> None:
    certificate, step = shell()
    step["anchors"][0]["right"].pop()
    step["anchors"][0]["right_sets"] = step["anchors"][0]["right_sets"][:-1]
    assert refusal(certificate) == "steps"


@pytest.mark.slow
def test_a_jump_that_is_not_named() -> None:
    certificate = read("rising-jump")
    assert certificate["proof"]["profile"]["points"][0]["jumps"] == ["1"]
    certificate["proof"]["profile"]["points"][0]["jumps"] = []
    assert refusal(certificate) == "K235"


def test_jumps_where_the_letters_change_are_named_though_no_piece_adds_anything() -> None:
    """At t = 1/2 both losses exceed eps on (1, 6/5) and neither does elsewhere; of the jumps, psi(2) - psi(1) is -1 at
    1, psi(3/2) - psi(1) is 1/2 at 6/5, and 0 at 8/5."""
    for section in SECTIONS:
        load_section(section)
    text = "Piecewise((1, r<1),(1/10, r<6/5),(2, r<8/5),(3/2, r<3),(3/2*exp(3-r), True))"
    near, far = (Fraction(1, 1024), 6), (Fraction(10), 6)
    noise = Noise(charts.Problem(Reader(text, {}).tree(), 1, HALF, near, far), 12, Fraction(1))
    cell = {"marks": ["0", "1", "6/5", "8/5", "3", "13/4", "18/5", "10"], "ahead": "efeeeee", "back": "efeeeee"}
    shifts = (HALF - Fraction(1, 1000), HALF + Fraction(1, 1000))
    named = [Fraction(1), Fraction(6, 5), Fraction(8, 5)]
    rate = Slopes(noise, named).on_cell(shifts, cell)
    assert rate.lo <= -HALF <= rate.hi and rate.hi - rate.lo < 1 / 50
    for jumps in ([], named[:1], named[1:]):
        with pytest.raises(Rejected, match="continuous"):
            Slopes(noise, jumps).on_cell(shifts, cell)


@pytest.mark.parametrize(("before", "after"), [(Fraction(1), Fraction(11, 10)), (Fraction(11, 10), Fraction(1))])
@pytest.mark.parametrize("shifts", [(Fraction(1, 2), Fraction(2)), (Fraction(1, 8), Fraction(1, 4))])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(2, 5)])
def test_a_jump_adds_no_more_than_it_is_high(
    before: Fraction, after: Fraction, shifts: tuple[Fraction, Fraction], epsilon: Fraction
) -> None:
    """However much F varies at the places that the shifts reach: psi lies between 0 and e^eps (F(j+) - F(j-))."""
    for section in SECTIONS:
        load_section(section)
    text = f"Piecewise(({before}*exp(-r/2), r<1),({after}*exp(-r/2), True))"
    near, far = (Fraction(1, 1024), 6), (Fraction(10), 6)
    noise = Noise(charts.Problem(Reader(text, {}).tree(), 1, Fraction(2), near, far), 12, epsilon)
    added = Slopes(noise, [Fraction(1)]).jump(Fraction(1), shifts)

    def f(r: float) -> float:
        return float(before if r < 1 else after) * math.exp(-r / 2)

    u, v = (math.exp(epsilon - 1 / 2) * float(x) for x in (before, after))
    assert added.hi - added.lo <= 2 * abs(v - u) + 1e-12
    for t in np.linspace(float(shifts[0]), float(shifts[1]), 50):
        psi = [max(0.0, f(x) - u) - max(0.0, f(x) - v) for x in (1 + t, abs(1 - t))]
        assert float(added.lo) - 1e-12 <= psi[0] - psi[1] <= float(added.hi) + 1e-12


def jumping(text: str, *jumps: str) -> Slopes:
    for section in SECTIONS:
        load_section(section)
    problem = charts.Problem(Reader(text, {}).tree(), 1, Fraction(2), (Fraction(1, 1024), 6), (Fraction(10), 6))
    return Slopes(Noise(problem, 12, Fraction(0)), [Fraction(j) for j in jumps])


@pytest.mark.parametrize(("before", "after"), [((1, 2), (0, 0)), ((0, 0), (1, 2)), ((1, 4), (2, 3))])
def test_a_jump_whose_height_is_known_roughly(
    before: tuple[int, int], after: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ahead F is 9 or more, so that psi is F(j+) - F(j-), whichever these are; back it is nothing."""
    slopes = jumping("Piecewise((exp(-99), r<1),(9, r<5),(9*exp(5-r), True))", "1")
    ends = {True: Interval(*map(Decimal, after)), False: Interval(*map(Decimal, before))}
    monkeypatch.setattr(slopes, "height", lambda r, above=None: ends[above])
    added = slopes.jump(Fraction(1), (Fraction(1, 2), Fraction(3, 4)))
    least, most = after[0] - before[1], after[1] - before[0]
    assert added.lo <= least + Fraction(1, 10**40) and most - Fraction(1, 10**40) <= added.hi


def test_a_jump_whose_shifts_lead_across_others() -> None:
    """F is 1/2, 2 and 1/4 ahead: psi is 0, F(1+) - F(1-) = 1 and 0; back it is 1."""
    slopes = jumping(
        "Piecewise((1, r<3/4),(1/2, r<1),(3/2, r<7/5),(1/2, r<8/5),(2, r<9/5),(1/4, r<3),(exp(3-r)/4, True))",
        *("3/4", "1", "7/5", "8/5", "9/5", "3"),
    )
    added = slopes.jump(Fraction(1), (Fraction(1, 2), Fraction(19, 20)))
    assert Fraction(-1, 2) - Fraction(1, 10**9) <= added.lo <= Fraction(-1, 2)
    assert Fraction(1, 2) <= added.hi <= Fraction(1, 2) + Fraction(1, 10**9)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("Piecewise((r**(-1/4)/2, r<1),(r**(-3), True))", Fraction(-1, 2), Fraction(1, 2)),  # psi(oo) = 1/2
        ("Piecewise((r, r<1),(2*r**(-3), True))", Fraction(-1), Fraction(1)),  # psi(0) = 0
        ("Piecewise((r**2/2, r<1),(2*r**(-3), True))", Fraction(-3, 2), Fraction(3, 2)),
    ],
)
def test_a_jump_where_a_shift_leads_to_a_pole_or_a_zero_at_the_centre(
    text: str, least: Fraction, most: Fraction
) -> None:
    added = jumping(text, "1").jump(Fraction(1), (Fraction(1, 2), Fraction(3, 2)))
    slack = Fraction(1, 10**9)
    assert least - slack <= added.lo <= added.hi <= most + slack


def test_heights_beside_the_centre() -> None:
    """Of r on (0, b), and of r^(-1/4), whether the model at the centre reaches as far or not."""
    rising, falling = jumping("r*exp(-r)"), jumping("r**(-1/4)*exp(-r)")
    for b in (Fraction(1, 4096), Fraction(1, 1024), Fraction(1, 8)):
        e, x = math.exp(-float(b)), float(b)
        found, other = rising.heights(Fraction(0), b), falling.heights(Fraction(0), b)
        assert found.lo == 0 and x * e <= found.hi <= x * 1.01
        assert not other.hi.is_finite() and x ** (-1 / 4) * e * 0.8 <= other.lo <= x ** (-1 / 4) * e * (1 + 1e-12)


@pytest.mark.slow
def test_a_kink_close_to_the_centre_and_a_jump_that_shifts_lead_there_from() -> None:
    """delta is at least the divergence at the longest shift, by a sum on a grid; and hardly other than that of an f
    whose kink is closer still."""
    text = "Max(r,{})*Piecewise((1,r<1),(2,True))*exp(-r)"
    near, farther = (dpverify.profile(text.format(k), epsilon="1/10").points[0].delta for k in ("1/5000", "1/20000"))
    assert near.upper - near.lower <= near.lower / 10**8
    assert abs(near.lower - farther.upper) < Fraction(1, 10**5)
    x = np.arange(-40, 40, 1e-4) + 3.7e-5
    f = np.maximum(np.abs(x), 1 / 5000) * np.where(np.abs(x) < 1, 1, 2) * np.exp(-np.abs(x))
    shifted = np.roll(f, 10**4)
    exact = np.maximum(f - math.exp(0.1) * shifted, 0).sum() / f.sum()
    assert float(near.upper) >= exact - 1e-4


def test_a_change_of_formula_close_to_the_centre() -> None:
    """Where a chart that begins beyond it does not tell whether f tends to 0, one that begins before it does."""
    found = dpverify.verify("Piecewise((r, r<1/5000),(2, r<1),(2*exp(1-r),True))")
    assert found.verdict == "not_private"
    assert dict(found.hypotheses.items())["positive"].status == "refuted"


def test_the_longest_shift_for_the_worst() -> None:
    """A certificate of Theorem B, whose f falls, about a ring: the theorem does not hold."""
    certificate = read("ring")
    certificate["claim"]["theorem"] = "Theorem B"
    assert refusal(certificate) != ""


@pytest.mark.slow
def test_measures_from_a_supremum_over_shifts() -> None:
    certificate, _ = shell()
    certificate["claim"]["measures"] = [
        {"name": "Renyi divergence", "at": "2", "value": {"lower": "0", "upper": "100"}}
    ]
    assert refusal(certificate) == "claim"


def test_a_pure_epsilon_that_is_too_small() -> None:
    certificate = read("ring")
    del certificate["claim"]["points"][0]
    certificate["proof"]["profile"].update(points=[{"pure": "29/10"}])
    assert refusal(certificate) == "K340"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "dimension", "scale", "pure"),
    [
        ("exp(-Abs(r-2))", 1, 1, "1"),
        ("exp(-Abs(r-2))", 2, 3, "1/3"),
        ("exp(-Piecewise(((r-2)**2/2, Abs(r-2)<1), (Abs(r-2)-1/2, True)))", 1, 1, "1"),
        ("exp(-Max(r, 2-r)/3)", 3, 1, "1/3"),
    ],
)
def test_delta_is_exactly_0_from_the_pure_epsilon_on(text: str, dimension: int, scale: int, pure: str) -> None:
    """At the pure epsilon no loss exceeds it, and the certificate says so; the last bit below it some do."""
    found = dpverify.profile(text, dimension=dimension, scale=scale, epsilon=(pure, "7"), certificate=True)
    assert all(isinstance(p.delta, Enclosed) and p.delta.upper == 0 for p in found.points)
    assert "exactly" in found.reason
    assert found.certificate is not None and dpverify.check(found.certificate)
    claimed = [point["delta"] for point in found.certificate["claim"]["points"]]
    assert claimed == [{"lower": "0", "upper": "0"}] * 2
    below = json.loads(json.dumps(found.certificate))
    below["claim"]["points"][0]["epsilon"] = str(Fraction(pure) - Fraction(1, 10**40))
    assert refusal(below) == "K340"


@pytest.mark.slow
def test_delta_is_exactly_0_at_the_upper_end_of_an_epsilon_that_is_not_known_exactly() -> None:
    text = "exp(-Abs(r-2)-r**2/(1+r**2)/7)"
    epsilon = dpverify.verify(text).epsilon
    assert epsilon is not None and epsilon.lower < epsilon.upper
    at_the_end = dpverify.profile(text, epsilon=str(epsilon.upper), certificate=True)
    assert at_the_end.delta(str(epsilon.upper)).upper == 0
    assert at_the_end.certificate is not None and dpverify.check(at_the_end.certificate)


def test_there_is_no_export_to_coq() -> None:
    from dpverify.export.coq import profile

    with pytest.raises(DpverifyError, match="not shown to fall"):
        profile.export(read("shell"), None, True)


@pytest.mark.parametrize(
    ("text", "f"),
    [
        ("exp(-r)*(1+sqrt(r))", lambda r: mp.exp(-r) * (1 + mp.sqrt(r))),
        ("exp(-y)*(2-sqrt(r)+2*r)", lambda r: mp.exp(-r * r) * (2 - mp.sqrt(r) + 2 * r)),
    ],
)
def test_a_cusp_at_the_centre_from_which_f_rises_or_falls(text: str, f: Radial) -> None:
    """With a slope that is infinite there; the worst shift is the longest, where a quadrature gives the divergence."""
    problem = Problem(lower(Generator(text, 1).expression), 1, Fraction(1))
    delta = Rising(problem, None).at(HALF, Fraction(1, 10**6))
    with mp.workdps(20):

        def gain(x: mp.mpf) -> mp.mpf:
            return max(mp.mpf(0), f(abs(x)) - mp.exp(0.5) * f(abs(x - 1)))

        edges = [x / 8 for x in range(-24, 17)]
        signs = [gain(x) > 0 for x in edges]
        roots = [
            mp.findroot(lambda x: mp.log(f(abs(x)) / f(abs(x - 1))) - 0.5, (a, b), solver="anderson")
            for a, b, p, q in zip(edges, edges[1:], signs, signs[1:], strict=False)
            if p != q
        ]
        exact = mp.quad(gain, [-20, -8, -4, *sorted([-2, -1, 0, 1, 2, *roots]), 4, 8, 20])
        exact /= 2 * mp.quad(f, [0, 0.25, 1, 2, 4, 8, 20])
    assert float(delta.lower) * (1 - 1e-6) < exact < float(delta.upper) * (1 + 1e-6)
