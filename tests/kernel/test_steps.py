"""The steps of a proof and the fields of a file, each where it alone is wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpverify import kernel
from dpverify.certificate import digest
from dpverify.kernel import (
    CONSTANT,
    HYPOTHESES,
    LINEAR,
    TINY,
    Germ,
    Interval,
    Model,
    Phase,
    Problem,
    Proof,
    Reader,
    Rejected,
    Slope,
    interval,
    power_of_t,
)
from tests.kernel.test_edges import EMPTY
from tests.kernel.test_forgeries import forged, grid, problem
from tests.kernel.test_guards import bounded

VALLEY = "exp(-Max(6-3*r,r-2))"
"""The losses for shifts of at most 1 reach from -3 to 1."""


def upper(text: str, bound: str, theorem: str, n: int = 60, **changes: Any) -> None:
    """The proof that the loss for shifts of at most 1 is at most a bound."""
    a = theorem == "Theorem A"
    steps = {
        "cover": grid("1/64", "16", n),
        "shifts": [["0", "1/2", "1"]] * n if a else None,
        "phases": None,
        "phase_shifts": None,
        "ahead": grid("1/64", "65/64", n) if a else None,
        **changes,
    }
    Proof(problem(text), {**EMPTY, "supremum": steps}).upper(Fraction(bound), theorem)


def test_losses_of_either_sign_are_bounded() -> None:
    upper(VALLEY, "18/5", "Theorem A")
    upper(VALLEY, "8/5", "Theorem 3")
    for bound in ("2", "14/5"):
        with pytest.raises(Rejected, match="not shown below"):
            upper(VALLEY, bound, "Theorem A")
    with pytest.raises(Rejected, match="not shown below"):
        upper(VALLEY, "4/5", "Theorem 3")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"shifts": [["0", "1"]] * 59}, "does not match its cover"),
        ({"shifts": [["0", "1"]] * 61}, "does not match its cover"),
        ({"shifts": {"0": ["0", "1"]}}, "does not match its cover"),
        ({"shifts": None}, "does not match its cover"),
        ({"shifts": [["0", "1"]] * 59 + [["0", "1/2"]]}, "does not reach"),
        ({"shifts": [["0", "1"]] * 59 + [["1/2", "1"]]}, "does not reach"),
        ({"ahead": grid("1/64", "1", 60)}, "does not reach"),
        ({"ahead": grid("1/63", "65/64", 60)}, "does not reach"),
        ({"cover": grid("1/64", "15", 60)}, "does not reach"),
        ({"phase_shifts": []}, "does not match its cover"),
        ({"phase_shifts": [["0", "1"]]}, "without a phase"),
    ],
)
def test_the_longest_shift_does_not_stand_for_all(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        upper("exp(-2*r)", "21/10", "Theorem A", **changes)


def test_theorem_3_needs_the_longest_shift_everywhere() -> None:
    upper("exp(-2*r)", "21/10", "Theorem 3")
    with pytest.raises(Rejected, match="longest shift alone"):
        upper("exp(-2*r)", "21/10", "Theorem 3", phase_shifts=[])


def test_a_rise_in_the_tail_is_seen() -> None:
    """Up to 16 the loss is above -1/5; behind it falls for ever."""
    with pytest.raises(Rejected, match="rise in the tail"):
        upper("exp(r**6/10**8)", "1/2", "Theorem A")


WITNESS = {"near": "box", "box": ["1", "2"], "shift": "1"}


@pytest.mark.parametrize(
    ("text", "witness", "bound", "why"),
    [
        ("exp(-r)", {"shift": "2"}, "2", "not within the sensitivity"),
        ("exp(-r)", {"shift": "0"}, "0", "not within the sensitivity"),
        ("exp(-r)", {"shift": "-1"}, "1", "not within the sensitivity"),
        ("exp(-r)", {"near": "nowhere"}, "1", "neither a box nor a limit"),
        ("exp(-r)", {"box": ["1", "1"]}, "1", "open box"),
        ("exp(-r)", {}, "11/10", "does not reach"),
        ("exp(-r)", {"near": "zero"}, "11/10", "does not reach"),
        ("exp(-r)", {"near": "infinity"}, "11/10", "does not reach"),
        (VALLEY, {"box": ["1/4", "1/2"]}, "31/10", "does not reach"),
        (VALLEY, {"box": ["1", "3"]}, "1", "does not reach"),
        (VALLEY, {"box": ["3", "4"]}, "2", "does not reach"),
        ("exp(-r)", {"shift": "1/2"}, "1", "does not reach"),
    ],
)
def test_a_witness_that_is_none(text: str, witness: dict[str, Any], bound: str, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        Proof(problem(text), {**EMPTY, "witness": {**WITNESS, **witness}}).lower(Fraction(bound))


def test_a_witness_of_either_sign() -> None:
    for text, witness, bound in (
        ("exp(-r)", {}, "999/1000"),
        ("exp(-r)", {"near": "zero"}, "999/1000"),
        ("exp(-r)", {"near": "infinity"}, "1"),
        (VALLEY, {"box": ["1/4", "1/2"]}, "2999/1000"),
        (VALLEY, {"box": ["3", "4"]}, "999/1000"),
        (VALLEY, {"box": ["1", "3"]}, "0"),
    ):
        Proof(problem(text), {**EMPTY, "witness": {**WITNESS, **witness}}).lower(Fraction(bound))


@pytest.mark.parametrize(
    "value",
    [
        "2/4",
        "-0",
        "01",
        "+1",
        "1/1",
        "1/0",
        "0/1",
        "1.5",
        "1e3",
        " 1",
        "",
        "\u0663",
        "1" * 2001,
        1,
        None,
        [],
        True,
        "-",
    ],
)
def test_a_rational_is_written_in_one_way(value: Any) -> None:
    with pytest.raises(Rejected, match="not a rational"):
        kernel.rational(value, "x")
    assert kernel.rational("-2/3", "x") == Fraction(-2, 3)


@pytest.mark.parametrize("order", [0, 25, -1, True, "6", None, 6.0])
def test_an_order_is_a_small_number(order: Any) -> None:
    with pytest.raises(Rejected, match="order is not an integer"):
        kernel.germ({"radius": "2", "order": order}, "zero")


@pytest.mark.parametrize("radius", ["0", "-1", 2, None])
def test_a_radius_is_positive(radius: Any) -> None:
    with pytest.raises(Rejected, match="radius"):
        kernel.germ({"radius": radius, "order": 6}, "zero")
    assert kernel.germ({"radius": "2", "order": 24}, "zero") == (2, 24) and kernel.germ(
        {"radius": "2", "order": 1}, "x"
    )


def resealed(data: bytes, change: Callable[[Any], None]) -> bytes:
    certificate = json.loads(data)
    change(certificate)
    certificate["digest"] = digest(certificate)
    return json.dumps(certificate).encode()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda c: c.update(format="another"), "format or version"),
        (lambda c: c.update(version=2), "format or version"),
        (lambda c: c.update(version=True), "format or version"),
        (lambda c: c["program"].update(name=1), "described by texts"),
        (lambda c: c["program"].update(version=None), "described by texts"),
        (lambda c: c["claim"].update(parameters=[]), "parameters is not an object"),
        (lambda c: c["claim"].update(parameters=None), "parameters is not an object"),
        (lambda c: c["claim"].update(closed_form="delta"), "closed form without an epsilon"),
        (lambda c: c["claim"].update(verdict="private"), "do not fit the verdict"),
        (lambda c: c["claim"].update(theorem="Theorem 3"), "do not fit the verdict"),
        (lambda c: c["claim"].update(epsilon={"lower": "0", "upper": "1"}), "do not fit the verdict"),
        (lambda c: c["claim"]["hypotheses"].update(decreasing="maybe"), "status of decreasing is unknown"),
        (lambda c: c["claim"]["hypotheses"].update(integrable="undecided"), "no hypothesis of a density"),
        (lambda c: c["claim"].update(tail_log_ratio={"lower": "1", "upper": "2"}), "does not hold the limit"),
        (lambda c: c["claim"].update(generator=None), "not a text"),
        (lambda c: c["proof"].update(phase={"turns": True, "frequency": "0", "cover": None, "peak": None}), "phase"),
        (lambda c: c.update(assumptions=None), "list of assumptions"),
        (lambda c: c.update(assumptions=[kernel.ERFC_LEMMA]), "list of assumptions"),
    ],
)
def test_a_field_that_is_wrong(change: Callable[[Any], None], why: str) -> None:
    whole = forged("r**(-9)", "invalid", {"integrable": "refuted"})
    assert kernel.check_bytes(whole)
    with pytest.raises(Rejected, match=why):
        kernel.check_bytes(resealed(whole, change))


def test_a_parameter_delta_and_a_closed_form() -> None:
    named = bounded("exp(-r)", "11/10", "Theorem 3", closed_form="delta", parameters={"delta": "1"})
    with pytest.raises(Rejected, match="delta is a parameter"):
        kernel.check_bytes(named)
    for form, accepted in (("delta", True), ("delta+1", False), ("-delta", False), ("delta*11/10", True)):
        data = bounded("exp(-r)", "11/10", "Theorem 3", closed_form=form)
        if accepted:
            assert kernel.check_bytes(data)
        else:
            with pytest.raises(Rejected, match="closed form is not in"):
                kernel.check_bytes(data)


@pytest.mark.parametrize("name", ["positive", "finite_at_zero", "integrable", "tail_ratio_bounded", "decreasing"])
def test_every_hypothesis_of_a_theorem_is_needed(name: str) -> None:
    statuses = {**dict.fromkeys(HYPOTHESES, "proved"), name: "undecided"}
    with pytest.raises(Rejected, match="needs hypotheses"):
        kernel.check_bytes(bounded("exp(-r)", "11/10", "Theorem 3", hypotheses=statuses))


def test_a_lower_bound_is_checked() -> None:
    assert kernel.check_bytes(bounded("exp(-r)", "11/10", "Theorem 3", epsilon={"lower": "99/100", "upper": "11/10"}))
    with pytest.raises(Rejected, match="does not reach the lower bound"):
        kernel.check_bytes(bounded("exp(-r)", "11/10", "Theorem 3", epsilon={"lower": "101/100", "upper": "11/10"}))


@pytest.mark.parametrize("verdict", ["invalid", "not_private"])
@pytest.mark.parametrize(("text", "kind"), [("exp(-r)*Max(0,1-r)", "vanishes"), ("exp(-r)*(1-r)", "negative")])
def test_noise_that_vanishes_is_valid_and_negative_noise_is_not(verdict: str, text: str, kind: str) -> None:
    hypotheses = {"positive": "refuted"} | ({"integrable": "proved"} if kind == "vanishes" else {})
    sign = {"kind": kind, "box": ["2", "3"], "positive": ["1/4", "1/2"]}
    data = forged(text, verdict, hypotheses, cover=grid("1/1024", "16", 60), sign=sign)
    if (verdict, kind) in {("invalid", "negative"), ("not_private", "vanishes")}:
        assert kernel.check_bytes(data)
        return
    with pytest.raises(Rejected):
        kernel.check_bytes(data)


def test_lemmas_are_found_in_branches_and_conditions() -> None:
    for text in (
        "Piecewise((erfc(r), r < 1), (1, True))",
        "Piecewise((1, erfc(r) < 1/2), (2, True))",
        "1+exp(erfc(r))",
    ):
        assert "erfc" in kernel.kinds(Reader(text, {}).tree())
    assert "matern" in kernel.kinds(Reader("Piecewise((1, not (r < 0 or besselk(0,r) < 1)), (2, True))", {}).tree())


def test_the_program_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad, none = (tmp_path / name for name in ("good.json", "bad.json", "none.json"))
    good.write_bytes(forged("r**(-9)", "invalid", {"integrable": "refuted"}))
    bad.write_bytes(forged("exp(-r)", "invalid", {"integrable": "refuted"}))
    assert kernel.main([]) == 2 and "usage" in capsys.readouterr().err
    assert kernel.main([str(good)]) == 0 and "proved invalid: f(y) = r**(-9), d = 1" in capsys.readouterr().out
    good.write_bytes(resealed(good.read_bytes(), lambda c: c["claim"].update(scale="2")))
    assert kernel.main([str(good)]) == 0 and "Delta/sigma = 1/2" in capsys.readouterr().out
    assert kernel.main([str(bad), str(good)]) == 1
    said = capsys.readouterr()
    assert "rejected" in said.err and "proved" in said.out
    assert kernel.main([str(none), str(bad)]) == 2 and "cannot be read" in capsys.readouterr().err
    gallery = Path(__file__).parents[2] / "certificates" / "multivariate-laplace-d2.json"
    assert kernel.main([str(gallery)]) == 0 and "assuming besselk" in capsys.readouterr().out


G: dict[str, Callable[[float], float]] = {
    "exp(-3*r-9*cos(2*r))": lambda r: 3 * r + 9 * math.cos(2 * r),
    "exp(-r-8*Abs(sin(2*r)))": lambda r: r + 8 * abs(math.sin(2 * r)),
    "exp(-9*r-floor(5+4*cos(2*r)))": lambda r: 9 * r + math.floor(5 + 4 * math.cos(2 * r)),
}


@pytest.mark.parametrize("text", sorted(G))
@pytest.mark.parametrize(
    ("at", "width", "low", "high"),
    [
        ("0", "1", "1", "1"),
        ("1/2", "2", "0", "1/2"),
        ("1", "1/10", "0", "3"),
        ("2", "1/9", "1/2", "5/2"),
        ("3", "3", "2", "2"),
    ],
)
@pytest.mark.parametrize("frequency", [Fraction(1, 2), Fraction(1), Fraction(2)])
def test_wide_cells_and_shifts(text: str, at: str, width: str, low: str, high: str, frequency: Fraction) -> None:
    p, g = problem(text), G[text]
    p.oscillates(Phase(False, frequency, Fraction(0), Fraction(0)))
    start, end, first, last = Fraction(at), Fraction(at) + Fraction(width), Fraction(low), Fraction(high)
    germ = p.tail(start, end)
    one, every = p.phased_loss(germ, last), list(p.phased_losses(germ, first, last)) if first < last else []
    for i in range(1, 40):
        r = (float(start) + float(end - start) * i / 40) / float(frequency) + 20 * math.pi
        assert float(one.lo) - 1e-9 <= g(r + float(last)) - g(r) <= float(one.hi) + 1e-9
        for j in range(1, 20):
            loss = g(r + float(first) + float(last - first) * j / 20) - g(r)
            assert all(float(x.lo) - 1e-9 <= loss <= float(x.hi) + 1e-9 for x in every)


def test_boxes_overlap_the_tail() -> None:
    """A shift leads from the boxes into the tail, and from the chart at zero into the boxes."""
    p = Problem(Reader("exp(-r)", {}).tree(), 1, Fraction(1, 3), (Fraction(1, 64), 6), (Fraction(16), 6))
    limit = p.limit_at_zero()
    assert Fraction(limit.lo) <= Fraction(1, 3) <= Fraction(limit.hi)
    assert Fraction(limit.hi) - Fraction(limit.lo) < Fraction(1, 10**30)
    assert Fraction(1, 3) <= Fraction(p.loss_near_zero()) < Fraction(1, 3) + Fraction(1, 10**20)


A_HAIR = Fraction(1, 10**65)
"""Less than the last of the sixty digits of a decimal."""


def third(**steps: Any) -> Proof:
    """f = e^-r, whose loss for the shift 1/3 is 1/3 everywhere."""
    tree = Reader("exp(-r)", {}).tree()
    p = Problem(tree, 1, Fraction(1, 3), (Fraction(1, 64), 6), (Fraction(16), 6))
    return Proof(p, {**EMPTY, **steps})


@pytest.mark.parametrize("theorem", ["Theorem 3", "Theorem A"])
def test_bounds_hold_to_the_last_digit(theorem: str) -> None:
    cover, a = grid("1/64", "16", 3), theorem == "Theorem A"
    shifts, ahead = ([["0", "1/3"]] * 3, ["1/64", "67/192"]) if a else (None, None)
    whole = {"cover": cover, "shifts": shifts, "ahead": ahead, "phases": None, "phase_shifts": None}
    if not a:
        third(supremum=whole).upper(Fraction(1, 3) + Fraction(1, 10**9), theorem)
    for short in (A_HAIR, Fraction(1, 10**20)):
        with pytest.raises(Rejected, match="not shown below"):
            third(supremum=whole).upper(Fraction(1, 3) - short, theorem)


def test_a_bound_is_not_rounded_upwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """f = e^-r, whose loss for the shift 1 is found as 1 exactly but near zero."""
    cover = {"cover": grid("1/64", "17", 3), "shifts": None, "ahead": None, "phases": None, "phase_shifts": None}
    tree = Reader("exp(-r)", {}).tree()
    proof = Proof(Problem(tree, 1, Fraction(1), (Fraction(1, 64), 6), (Fraction(16), 6)), {**EMPTY, "supremum": cover})
    monkeypatch.setattr(proof.problem, "loss_near_zero", lambda: Decimal(0))
    proof.upper(Fraction(1), "Theorem 3")
    with pytest.raises(Rejected, match="not shown below"):
        proof.upper(1 - A_HAIR, "Theorem 3")


def test_slopes_in_the_shift_bound_the_loss() -> None:
    """3 h for 0 <= h <= 8 from slopes in [-1, 3], and -h/3 for 1/8 <= h <= 1/4 from slopes in [-1, 1/2]."""
    for slopes, loss, low, high in (
        (Interval(Decimal(-1), Decimal(3)), lambda h: interval(3 * h), Fraction(0), Fraction(8)),
        (Interval(Decimal(-1), Decimal("0.5")), lambda h: interval(-h / 3), Fraction(1, 8), Fraction(1, 4)),
    ):
        (found,) = kernel.enclosures(slopes, loss, low, high)
        for h in (low, high):
            assert Fraction(found.lo) <= Fraction(loss(h).hi) and Fraction(loss(h).lo) <= Fraction(found.hi)


def test_a_sweep_of_shifts_goes_as_many_phases_further_as_its_frequency_says() -> None:
    """g = 17 r/20 + sin(3 r - 5/2)/3 rises but for phases 3 r in (5.09, 6.19): up to six radians after a shift of 2."""
    p = problem("exp(-17*r/20-sin(3*r-5/2)/3)")
    p.oscillates(Phase(False, Fraction(3), Fraction(0), Fraction(0)))
    g = lambda r: 17 * r / 20 + math.sin(3 * r - 2.5) / 3  # noqa: E731
    found = list(p.phased_losses(p.tail(Fraction(0), Fraction(1, 100)), Fraction(0), Fraction(2)))
    for i in range(101):
        r, h = 20 * math.pi + 0.001, 1.5 + i / 200
        assert all(float(x.lo) - 1e-9 <= g(r + h) - g(r) <= float(x.hi) + 1e-9 for x in found)


@pytest.mark.parametrize("witness", [{}, {"near": "zero"}, {"near": "infinity"}])
def test_witnesses_hold_to_the_last_digit(witness: dict[str, Any]) -> None:
    proof = third(witness={**WITNESS, "shift": "1/3", **witness})
    proof.lower(Fraction(1, 3) - Fraction(1, 10**9))
    with pytest.raises(Rejected, match="does not reach"):
        proof.lower(Fraction(1, 3) + A_HAIR)


def test_limits_hold_to_the_last_digit() -> None:
    for low, high in ((Fraction(1, 3) + A_HAIR, Fraction(1)), (Fraction(0), Fraction(1, 3) - A_HAIR)):
        with pytest.raises(Rejected, match="does not hold the limit"):
            third().limsup(low, high)


@pytest.mark.parametrize(
    ("low", "high", "inside"),
    [("1/3", "1/3", True), ("0", "1/3", True), ("1/3", "1", True), ("0", "1/4", False), ("1/2", "1", False)],
)
def test_a_closed_form_lies_between_the_bounds(low: str, high: str, inside: bool) -> None:
    if inside:
        closed("1/3", low, high)
        return
    with pytest.raises(Rejected, match="closed form"):
        closed("1/3", low, high)


@pytest.mark.parametrize(
    ("form", "digits"),
    [
        ("1/3", "3" * 70),
        ("log(2)", "6931471805599453094172321214581765680755001343602552541206800094933936"),
        ("pi/10", "3141592653589793238462643383279502884197169399375105820974944592307816"),
    ],
)
def test_a_closed_form_lies_between_to_the_last_digit(form: str, digits: str) -> None:
    """The value is in [0.digits, 0.digits + 1e-70], and beyond every bound that cuts this off."""
    value, hair = Fraction(int(digits), 10**70), Fraction(1, 10**65)
    closed(form, str(value - Fraction(1, 10**55)), str(value + Fraction(1, 10**55)))
    for low, high in ((value + hair, Fraction(1)), (Fraction(0), value - hair)):
        with pytest.raises(Rejected, match="closed form"):
            closed(form, str(low), str(high))


def closed(form: str, low: str, high: str) -> None:
    """Check a claim of bounds that are taken for shown, and of a closed form."""
    claim = json.loads(bounded("exp(-r)", "11/10", "Theorem 3"))["claim"]
    claim["epsilon"] = {"lower": low, "upper": high}
    proof, tree = Vouching(problem("exp(-r)"), EMPTY), Reader(form, {}, radial=False).tree()
    kernel.check_verdict(claim, dict.fromkeys(HYPOTHESES, "proved"), proof, tree)


class Vouching(Proof):
    """A proof whose bounds are taken for shown."""

    def upper(self, bound: Fraction, theorem: str) -> None: ...

    def lower(self, bound: Fraction) -> None: ...


def slope(low: int, high: int, du: tuple[int, int] = (-1, 1)) -> Slope:
    return Slope(Interval(Decimal(low), Decimal(high)), Interval(Decimal(du[0]), Decimal(du[1])))


def test_a_rise_is_shown_by_boxes_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = Proof(problem("exp(-r)"), {**EMPTY, "rise": ["1", "2"]})
    for first, last, rises in (((0, 1), (2, 3), True), ((0, 2), (1, 3), False), ((0, 3), (1, 2), False)):
        boxes = iter((slope(*first), slope(*last)))
        monkeypatch.setattr(proof.problem, "on_box", lambda a, b, boxes=boxes: next(boxes))
        if rises:
            proof.decreasing("refuted")
            continue
        with pytest.raises(Rejected, match="not shown to rise"):
            proof.decreasing("refuted")


def test_a_fall_across_a_radius_is_shown_by_slopes_or_by_boxes_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = Proof(problem("exp(-r)"), EMPTY)
    for across, before, after, falls in (
        (slope(0, 1, (-2, -1)), (0, 1), (2, 3), True),
        (slope(0, 1, (-2, 0)), (0, 1), (2, 3), True),
        (slope(0, 1, (-2, 1)), (2, 3), (0, 1), True),
        (slope(0, 1, (-2, 1)), (1, 3), (0, 1), True),
        (slope(0, 1, (-2, 1)), (1, 3), (0, 2), False),
        (slope(0, 1, (-2, 1)), (0, 1), (2, 3), False),
        (slope(0, 1, (1, 2)), (0, 2), (1, 1), False),
    ):
        boxes = iter((across, slope(*before), slope(*after)))
        monkeypatch.setattr(proof.problem, "on_box", lambda a, b, boxes=boxes: next(boxes))
        assert proof.falls_across(Fraction(1)) is falls


def oscillating(frequency: str = "1") -> Proof:
    phase = {"turns": True, "frequency": frequency, "cover": ["0", "1", "2"], "peak": None}
    return Proof(problem("exp(-r)"), {**EMPTY, "phase": phase})


def model(proof: Proof, low: str, high: str) -> Model:
    return Model(proof.cells[0], {CONSTANT: Interval(Decimal(low), Decimal(high))})


def test_a_loss_whose_growth_has_no_sign_is_not_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its leading coefficient may be positive, or 0 beside a square root that grows."""
    for low, high, holds in (("-2", "-1", True), ("-1", "1", False), ("-1", "0", False), ("1", "2", False)):
        proof = Proof(problem("exp(-r)"), EMPTY)
        growth = {LINEAR: Interval(Decimal(low), Decimal(high)), power_of_t(Fraction(1, 2)): 1}
        loss = Model(proof.problem.infinity, growth)
        monkeypatch.setattr(proof.problem, "far_loss", lambda germ, loss=loss: loss)
        if holds:
            proof.tail_bounded()
            continue
        with pytest.raises(Rejected, match="not shown bounded"):
            proof.tail_bounded()


def test_f_falls_on_every_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slopes of both signs on one box, and falling ones everywhere else."""
    p = problem("exp(-r)*(2+cos(r)/9)")  # whose form tells nothing
    proof = Proof(p, {**EMPTY, "cover": grid("1/64", "16", 3)})
    falling, either = Interval(Decimal(-2), Decimal(-1)), Interval(Decimal(-2), Decimal(1))
    monkeypatch.setattr(proof, "falls_in_tail", lambda: True)
    for start in (either, Interval(Decimal("0.5"), Decimal("0.5"))):
        monkeypatch.setattr(p, "near_zero", lambda start=start: Slope(None, Model(p.zero, {CONSTANT: start})))
        with pytest.raises(Rejected, match="not shown to fall at an end"):
            proof.decreasing("proved")
    monkeypatch.setattr(p, "near_zero", lambda: Slope(None, Model(p.zero, {CONSTANT: falling})))
    for at in (None, 0, 1, 2):
        slopes = iter([either if i == at else falling for i in range(3)])
        monkeypatch.setattr(p, "on_box", lambda a, b, slopes=slopes: Slope(None, next(slopes)))
        if at is None:
            proof.decreasing("proved")
            continue
        with pytest.raises(Rejected, match="not shown to fall on"):
            proof.decreasing("proved")


@pytest.mark.parametrize("side", [1, -1])
def test_losses_for_every_shift_are_bounded_on_both_sides(monkeypatch: pytest.MonkeyPatch, side: int) -> None:
    steps = {"cover": grid("1/64", "16", 1), "shifts": [["0", "1/3"]], "ahead": ["1/64", "67/192"]}
    proof = third(supremum={**steps, "phases": None, "phase_shifts": None})
    for far, holds in (("1", True), ("3", False)):
        loss = Interval(*sorted(Decimal(side) * Decimal(x) for x in ("-0.5", far)))
        monkeypatch.setattr(proof.problem, "losses", lambda a, b, low, high, cuts, loss=loss: iter([loss]))
        if holds:
            proof.upper(Fraction(2), "Theorem A")
            continue
        with pytest.raises(Rejected, match="for every shift"):
            proof.upper(Fraction(2), "Theorem A")


def test_a_tail_falls_on_every_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = oscillating()
    falling, rising = model(proof, "-2", "-1"), model(proof, "-1", "1")
    for first, last, across, falls in (
        (falling, falling, falling, True),
        (rising, falling, falling, False),
        (falling, rising, falling, False),
        (falling, falling, rising, False),
    ):
        slopes = {proof.cells[0]: first, proof.cells[1]: last}
        far = lambda germ, slopes=slopes, across=across: Slope(across, slopes.get(germ, across))  # noqa: E731
        monkeypatch.setattr(proof.problem, "far", far)
        monkeypatch.setattr(proof, "drops", lambda x: False)
        assert proof.falls_in_tail() is falls


def test_a_drop_is_larger_than_what_the_slopes_make_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slopes of log f of -5 at the least: g rises by at most 5 h on the way."""
    proof = oscillating("2")
    slopes = (model(proof, "-3", "1"), model(proof, "-5", "2")), (model(proof, "-5", "2"), model(proof, "-3", "1"))
    for order in slopes:
        for rise, drops in ((("6", "7"), True), (("4", "7"), False), (("-6", "7"), False), (("-2", "4"), False)):
            on = {(-TINY, Fraction(0)): order[0], (Fraction(0), TINY): order[1]}
            loss = Interval(*(Decimal(x) * Decimal("1e-40") / 2 for x in rise))

            def far(germ: Germ, on: dict[Any, Model] = on) -> Slope:
                return Slope(None, on[germ.phase.low, germ.phase.high])  # type: ignore[union-attr]

            def phased_loss(germ: Germ, h: Fraction, loss: Interval = loss) -> Interval:
                assert germ.phase is not None and germ.phase.high == 0 and h == TINY / 2
                return loss

            monkeypatch.setattr(proof.problem, "far", far)
            monkeypatch.setattr(proof.problem, "phased_loss", phased_loss)
            assert proof.drops(Fraction(0)) is drops


def test_limits_of_every_cell_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = oscillating()
    for first, last, low, high, holds in (
        (("1", "2"), ("1", "3"), "1", "3", True),
        (("1", "2"), ("1", "3"), "1", "5/2", False),
        (("1", "3"), ("1", "2"), "1", "5/2", False),
        (("1", "2"), ("1", "3"), "3/2", "3", False),
    ):
        losses = {proof.cells[0]: model(proof, *first), proof.cells[1]: model(proof, *last)}
        peak = model(proof, "1", "2")
        monkeypatch.setattr(proof.problem, "far_loss", lambda germ, losses=losses, peak=peak: losses.get(germ, peak))
        if holds:
            proof.limsup(Fraction(low), Fraction(high))
            continue
        with pytest.raises(Rejected, match="does not hold the limit"):
            proof.limsup(Fraction(low), Fraction(high))


def test_the_tail_is_integrable_and_bounded_on_every_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = oscillating()
    one, other = proof.cells
    near = proof.problem.near_zero().u
    monkeypatch.setattr(proof.problem, "far_value_integrable", lambda: False)
    monkeypatch.setattr(proof.problem, "far", lambda germ: Slope(germ, germ))
    monkeypatch.setattr(proof, "all_positive", lambda: None)
    for signs, converges in (((1, 1), True), ((1, -1), False), ((-1, 1), False), ((-1, -1), False)):
        known = {one: signs[0], other: signs[1], near: 1}
        monkeypatch.setattr(proof.problem, "integral", lambda log, dimension, known=known: known[log])
        if converges:
            proof.integrable("proved")
        else:
            with pytest.raises(Rejected, match="not shown integrable in the tail"):
                proof.integrable("proved")
    for growing in (one, other):
        losses = {growing: Model(growing, {LINEAR: 1})}
        constant = Model(one, {CONSTANT: 1})
        monkeypatch.setattr(proof.problem, "far_loss", lambda germ, losses=losses: losses.get(germ, constant))
        with pytest.raises(Rejected, match="not shown bounded"):
            proof.tail_ratio_bounded("proved")


def test_the_loss_near_zero_is_that_of_the_whole_chart() -> None:
    for text, loss in (
        ("exp(-y)", lambda r: 2 * r + 1),
        ("exp(-r)", lambda r: 1.0),
        ("exp(-sqrt(1+y))", lambda r: math.sqrt(1 + (1 + r) ** 2) - math.sqrt(1 + r * r)),
        ("exp(-3*r+y)", lambda r: 2 - 2 * r),
        ("exp(-sqrt(r))", lambda r: math.sqrt(1 + r) - math.sqrt(r)),
    ):
        for r0 in (Fraction(1, 4), Fraction(1, 50)):
            p = Problem(Reader(text, {}).tree(), 1, Fraction(1), (r0, 6), (Fraction(16), 6))
            most = max(loss(float(r0) * k / 50) for k in range(1, 51))
            assert most - 1e-12 <= float(p.loss_near_zero()) <= most + 2 * float(r0) + 0.3 * (text == "exp(-sqrt(r))")


def test_the_branch_where_a_shift_leads_is_read_there() -> None:
    """From (1, 2) by 1: e^-r before, e^-2 behind, where floor is exact; from (1, 3/2) by 1/2 both are the first."""
    p = problem("Piecewise((exp(-r), r < 2), (exp(-floor(r)), True))")
    loss = p.loss(Fraction(1), Fraction(2), Fraction(1))
    assert -1e-9 <= float(loss.lo) <= 0 and 1 <= float(loss.hi) <= 1 + 1e-9
    loss = p.loss(Fraction(1), Fraction(3, 2), Fraction(1, 2))
    assert abs(float(loss.lo) - 0.5) + abs(float(loss.hi) - 0.5) < 1e-9
    loss = problem("Piecewise((exp(-floor(r)), r < 2), (exp(-r), True))").loss(Fraction(1), Fraction(2), Fraction(1))
    assert 1 - 1e-9 <= float(loss.lo) <= 1 and 2 <= float(loss.hi) <= 2 + 1e-9


def test_a_drop_that_falls_short_by_a_hair_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """5 h with h = 1e-40/3 has no last digit: its first sixty are less."""
    proof = oscillating("3")
    steep = model(proof, "-5", "1")
    monkeypatch.setattr(proof.problem, "far", lambda germ: Slope(None, steep))
    for loss, drops in ((Fraction(5, 3 * 10**40) - A_HAIR / 10**60, False), (Fraction(17, 10**41), True)):
        shown = Interval(interval(loss).lo, Decimal(1))
        monkeypatch.setattr(proof.problem, "phased_loss", lambda germ, h, shown=shown: shown)
        assert proof.drops(Fraction(0)) is drops


def test_losses_on_boxes_hold_their_ends() -> None:
    """2 r h + h^2 for f = e^-y, with ends and shifts of thirds, and the same beside a jump."""
    p, third = problem("exp(-y)"), Fraction(1, 3)
    for a, b, h in ((third, 2 * third, Fraction(1)), (Fraction(1, 7), third, third)):
        loss, losses = p.loss(a, b, h), list(p.losses(a, b, Fraction(0), h))
        assert Fraction(loss.lo) <= 2 * a * h + h * h and 2 * b * h + h * h <= Fraction(loss.hi)
        assert all(Fraction(x.lo) <= 0 and 2 * b * h + h * h <= Fraction(x.hi) for x in losses)
        value = problem("r*floor(r+1)").value_on_box(a, b)
        assert Fraction(value.lo) <= a and b <= Fraction(value.hi)


def test_the_climb_from_zero_is_rounded_upwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slopes of 1 at the most near zero, and of -1e-70 at the least one shift ahead."""
    p = problem("exp(-r)")
    near = Slope(Model(p.zero, {CONSTANT: 5}), Model(p.zero, {CONSTANT: Interval(Decimal(-1), Decimal(1))}))
    ahead = Slope(interval(0), Interval(Decimal("-1e-70"), Decimal(0)))
    monkeypatch.setattr(p, "near_zero", lambda: near)
    monkeypatch.setattr(p, "on_box", lambda a, b: ahead)
    monkeypatch.setattr(p, "limit_at_zero", lambda: interval(0))
    exact = (1 + Fraction(1, 10**70)) / 64
    assert exact <= Fraction(p.loss_near_zero()) <= exact + Fraction(1, 10**50)


def test_the_loss_is_bounded_on_every_cell_of_the_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = {
        "cover": grid("1/64", "32", 3),
        "shifts": None,
        "phases": ["0", "1", "2"],
        "phase_shifts": None,
        "ahead": None,
    }
    for losses, holds in ((("1", "1"), True), (("1", "3"), False), (("3", "1"), False)):
        proof = oscillating()
        proof.steps["supremum"] = steps
        known = iter(Interval(Decimal(0), Decimal(x)) for x in losses)
        monkeypatch.setattr(proof.problem, "phased_loss", lambda germ, h, known=known: next(known))
        if holds:
            proof.upper(Fraction(2), "Theorem 3")
            continue
        with pytest.raises(Rejected, match="in the tail"):
            proof.upper(Fraction(2), "Theorem 3")


def test_a_jump_within_a_hair_of_a_box_belongs_to_it() -> None:
    """f is e^-5 on one side of the jump, and 1 on the other."""
    hair, h = f"1/{10**65}", Fraction(1, 10)
    for text, low in (
        (f"Piecewise((exp(-5), r < 1/3+{hair}), (1, True))", -5),
        (f"Piecewise((1, r < 2/3-{hair}), (exp(-5), True))", 0),
    ):
        losses = list(problem(text).losses(Fraction(1, 3), Fraction(2, 3), Fraction(0), h))
        assert all(x.lo <= low and (low or x.hi >= 5) for x in losses)
    text = f"Piecewise((exp(-5), r < 2/3-{hair}), (1, True))"
    assert all(x.lo <= -5 for x in problem(text).losses(Fraction(1, 3), Fraction(2, 3), Fraction(0), h))


def test_a_shift_from_or_to_a_negative_power_of_zero_is_refused() -> None:
    for text in (
        "exp(-r)*(1+Max(0,r-3)**(-1/2))",
        "exp(-r)*(1+Max(0,3-r)**(-1/2))",
        "exp(-r)*(1+1/Max(0,r-3)**(-1/2))",
    ):
        with pytest.raises(Rejected):
            problem(text).loss(Fraction(1), Fraction(2), Fraction(5, 2))


def test_bounds_hold_where_the_loss_is_exact_or_of_one_sign() -> None:
    for theorem in ("Theorem 3", "Theorem A"):
        with pytest.raises(Rejected, match="not shown below"):
            upper("exp(-r)", str(1 - A_HAIR), theorem, 3)
    upper("exp(Min(3*r,60-r))", "7/2", "Theorem A")
    with pytest.raises(Rejected, match="for every shift"):
        upper("exp(Min(3*r,60-r))", "2", "Theorem A")


def test_the_limit_at_zero_is_beyond_a_jump_at_the_sensitivity() -> None:
    """g(1+) - g(0+) = 1 + log 2, where g jumps at 1; from the left it is 1."""
    p = problem("Piecewise((exp(-r), r < 1), (exp(-r)/2, True))")
    limit = p.limit_at_zero()
    assert p.delta == 1 and abs(float(limit.lo) - 1 - math.log(2)) < 1e-12 > abs(float(limit.hi) - 1 - math.log(2))


def test_f_that_rises_by_its_form_does_not_fall() -> None:
    proof = Proof(problem("2-exp(-r)"), {**EMPTY, "cover": grid("1/64", "16", 3)})
    with pytest.raises(Rejected, match="not shown to fall"):
        proof.decreasing("proved")


def test_f_falls_across_every_end_of_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first one, where the chart at zero ends, to the last one."""
    proof = Proof(problem("exp(-r)*(2+floor(cos(r)))"), {**EMPTY, "cover": ["1/64", "1", "5", "16"]})
    falling = Interval(Decimal(-2), Decimal(-1))
    monkeypatch.setattr(proof, "falls_in_tail", lambda: True)
    monkeypatch.setattr(proof.problem, "near_zero", lambda: Slope(None, Model(proof.problem.zero, {CONSTANT: falling})))
    monkeypatch.setattr(proof.problem, "on_box", lambda a, b: Slope(None, falling))
    seen: list[Fraction] = []
    monkeypatch.setattr(proof, "falls_across", lambda x: bool(seen.append(x) or True))
    proof.decreasing("proved")
    assert seen == [Fraction(1, 64), 1, 5, 16]


@pytest.mark.parametrize("cover", [["1", "2"], ["1/2", "1", "2"], ["1/100", "2"], ["0", "1"], ["0", "199/100"]])
def test_phases_are_covered_from_nought_to_a_whole_period(cover: list[str]) -> None:
    phase = {"turns": True, "frequency": "1", "cover": cover, "peak": None}
    with pytest.raises(Rejected, match="does not reach"):
        Proof(problem("exp(-r)"), {**EMPTY, "phase": phase})


def test_the_chart_at_zero_reaches_to_its_radius() -> None:
    """log f = -r on (0, 1/64], and -r on [16, oo)."""
    p = problem("exp(-r)")
    near, far = p.near_zero().u.span(), p.far(p.infinity).u.span()
    assert Fraction(near.lo) <= -p.r0 <= Fraction(near.lo) + Fraction(1, 10**50)
    assert Fraction(far.hi) >= -p.r1 >= Fraction(far.hi) - Fraction(1, 10**50)


def test_values_in_the_tail_are_bounded_from_its_radius_on() -> None:
    """(r - 24)^-2 falls like r^-2, but has a pole beyond 16."""
    p = problem("(r-24)**(-2)")
    assert p.r1 == 16
    with pytest.raises(Rejected):
        p.far_value_integrable()
    assert problem("(r+24)**(-2)").far_value_integrable()
