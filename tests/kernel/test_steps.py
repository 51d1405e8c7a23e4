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
from dpverify.certificate.seal import by_section
from dpverify.kernel import RULES, Rejected
from dpverify.kernel.intervals import Interval, interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.rules import BROUGHT
from dpverify.kernel.sections import ends as ends_of_f
from dpverify.kernel.sections import refutations, theorem_3, theorem_a
from dpverify.kernel.sections.charts import LEMMAS, Problem, Subject, chart
from dpverify.kernel.sections.closed_forms import closed_form
from dpverify.kernel.sections.ends import BOUNDED, limsup, tail_ratio_bounded
from dpverify.kernel.sections.epsilon import HYPOTHESES, THEOREMS
from dpverify.kernel.sections.falling import falls_by_slopes
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.increments import limit_at_zero
from dpverify.kernel.sections.models import CONSTANT, LINEAR, Germ, Model, power_of_t
from dpverify.kernel.sections.near_zero import loss_near_zero
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.theorem_3 import NEAR_ZERO, climb_from_zero
from dpverify.kernel.sections.waves import TINY, Phases, falls_on_phases
from dpverify.kernel.sections.witness import at_least
from dpverify.kernel.steps import Steps, rational
from dpverify.kernel.tree import walk
from tests.kernel.test_forgeries import (
    CENTRE,
    SLOPES,
    data,
    forged,
    grid,
    letters,
    problem,
    proof_of,
    refused,
    replayed,
    resealed,
    sealed,
    signs,
)
from tests.kernel.test_forgeries import oscillating as by_phases
from tests.kernel.test_guards import bounded

VALLEY = "exp(-Max(6-3*r,r-2))"
"""The losses for shifts of at most 1 reach from -3 to 1."""


def supremum(p: Problem, theorem: str, bound: str, n: int = 60, **changes: Any) -> dict[str, Any]:
    """The step that bounds the loss for shifts of at most delta, on n boxes."""
    marks = grid("1/64", "16", n)
    if theorem == "Theorem 3":
        near = "models" if p.near_zero().du.span().finite() is False else "slopes"
        return {"cover": marks, "near_zero": near, **changes}
    shifts = [["0", str(p.delta / 2), str(p.delta)]] * n
    step = {"cover": marks, "cuts": [], "shifts": shifts, "ahead": grid("1/64", str(p.r0 + p.delta), n), **changes}
    if "rules" not in changes:
        fits = isinstance(step["shifts"], list) and len(step["shifts"]) == n
        step["rules"] = letters(p, marks, step["shifts"] if fits else shifts, bound)
    return step


def at_most(proof: Proof, bound: Fraction, theorem: str) -> None:
    THEOREMS[theorem][0](proof, bound)


def upper(text: str, bound: str, theorem: str, n: int = 60, **changes: Any) -> None:
    """The proof that the loss for shifts of at most 1 is at most a bound."""
    step = supremum(problem(text), theorem, bound, n, **changes)
    at_most(proof_of(text, supremum=step), Fraction(bound), theorem)


@pytest.mark.slow
def test_losses_of_either_sign_are_bounded() -> None:
    upper(VALLEY, "18/5", "Theorem A")
    upper(VALLEY, "8/5", "Theorem 3")
    for bound in ("2", "14/5"):
        with pytest.raises(Rejected, match="not shown below"):
            upper(VALLEY, bound, "Theorem A")
    with pytest.raises(Rejected, match="not shown below"):
        upper(VALLEY, "4/5", "Theorem 3")


@pytest.mark.sampled(stay=6)
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
        ({"phase_shifts": []}, "has no field"),
        ({"phases": ["0", "2"], "phase_shifts": [["0", "1"]], "phase_rules": ["r"]}, "no frequency"),
        ({"phases": ["0", "2"]}, "no frequency"),
        ({"phase_drops": []}, "no frequency"),
        ({"rules": ["rr"] * 59}, "do not match its cover"),
        ({"rules": ["rr"] * 59 + ["r"]}, "do not match its cover"),
        ({"rules": ["rr"] * 59 + ["rx"]}, "do not match its cover"),
        ({"rules": "r" * 60}, "do not match its cover"),
        ({"rules": None}, "do not match its cover"),
        ({"rules": [["r", "r"]] * 60}, "do not match its cover"),
        ({"cuts": ["15"]}, "not increasing"),
        ({"cuts": ["18", "17"]}, "not increasing"),
        ({"near_zero": "slopes"}, "unknown field"),
    ],
)
def test_the_longest_shift_does_not_stand_for_all(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        upper("exp(-2*r)", "21/10", "Theorem A", **changes)


def test_theorem_3_needs_the_longest_shift_everywhere() -> None:
    upper("exp(-2*r)", "21/10", "Theorem 3")
    for more in ({"phase_shifts": []}, {"shifts": [["0", "1"]] * 60}, {"ahead": ["1/64", "2"]}, {"rules": []}):
        with pytest.raises(Rejected, match="unknown field"):
            upper("exp(-2*r)", "21/10", "Theorem 3", **more)
    for near in ("rising", None, 1, ["slopes"]):
        with pytest.raises(Rejected, match="names no rule"):
            upper("exp(-2*r)", "21/10", "Theorem 3", near_zero=near)
    with pytest.raises(Rejected, match="no frequency"):
        upper("exp(-2*r)", "21/10", "Theorem 3", phases=["0", "2"])


@pytest.mark.slow
def test_a_rise_in_the_tail_is_seen() -> None:
    """Up to 16 the loss is above -1/5; behind it falls for ever."""
    with pytest.raises(Rejected, match="not shown to fall in the tail"):
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
    for given in witnesses(witness):
        with pytest.raises(Rejected, match=why):
            at_least(proof_of(text, witness=given), Fraction(bound))


def witnesses(changes: dict[str, Any]) -> list[dict[str, Any]]:
    """The witness with its changes; one in a limit has neither a box nor a shift."""
    given = {**WITNESS, **changes}
    limits = given["near"] in ("zero", "infinity")
    return [{**given, "box": None, "shift": None} if limits else given]


@pytest.mark.parametrize("near", ["zero", "infinity"])
@pytest.mark.parametrize("more", ({"box": ["1", "2"]}, {"shift": "1"}, {"box": []}, {"shift": "0"}))
def test_a_limit_has_no_box(near: str, more: Any) -> None:
    with pytest.raises(Rejected, match="has a box or a shift"):
        step = {"near": near, "box": None, "shift": None, **more}
        at_least(proof_of("exp(-r)", witness=step), Fraction(1, 2))


@pytest.mark.parametrize(
    ("text", "witness", "bound"),
    (
        ("exp(-r)", {}, "999/1000"),
        ("exp(-r)", {"near": "zero"}, "999/1000"),
        ("exp(-r)", {"near": "infinity"}, "1"),
        (VALLEY, {"box": ["1/4", "1/2"]}, "2999/1000"),
        (VALLEY, {"box": ["3", "4"]}, "999/1000"),
        (VALLEY, {"box": ["1", "3"]}, "0"),
    ),
)
def test_a_witness_of_either_sign(text: Any, witness: Any, bound: str) -> None:
    at_least(proof_of(text, witness=witnesses(witness)[0]), Fraction(bound))


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
        rational(value, "x")
    assert rational("-2/3", "x") == Fraction(-2, 3)


@pytest.mark.parametrize("order", [0, 25, -1, True, "6", None, 6.0])
def test_an_order_is_a_small_number(order: Any) -> None:
    with pytest.raises(Rejected, match="order is not an integer"):
        chart({"radius": "2", "order": order}, "zero")


@pytest.mark.parametrize("radius", ["0", "-1", 2, None])
def test_a_radius_is_positive(radius: Any) -> None:
    with pytest.raises(Rejected, match="radius"):
        chart({"radius": radius, "order": 6}, "zero")
    assert chart({"radius": "2", "order": 24}, "zero") == (2, 24) and chart({"radius": "2", "order": 1}, "x")


ONE_TO_TWO = {"lower": "1", "upper": "2"}


def every(whole: Any) -> None:
    whole["rules"] = by_section(set(RULES))


@pytest.mark.sampled(stay=5)
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda c: c.update(format="another"), "not a dpverify certificate"),
        (lambda c: c.update(version=3), "version is unknown"),
        (lambda c: c.update(version=True), "version is unknown"),
        (lambda c: c.update(version="2"), "version is unknown"),
        (lambda c: c.update(version=0), "version is unknown"),
        (lambda c: c.update(version=1), "dpverify upgrade"),
        (lambda c: c["program"].update(name=1), "described by texts"),
        (lambda c: c["program"].update(version=None), "described by texts"),
        (lambda c: c["claim"].update(parameters=[]), "parameters is not an object"),
        (lambda c: c["claim"].update(parameters=None), "parameters is not an object"),
        (lambda c: c["claim"].update(closed_form="delta"), "closed form without an epsilon"),
        (lambda c: c["claim"].update(verdict="private"), "do not fit the verdict"),
        (lambda c: c["claim"].update(theorem="Theorem 3"), "do not fit the verdict"),
        (lambda c: c["claim"].update(epsilon={"lower": "0", "upper": "1"}), "do not fit the verdict"),
        (lambda c: c["claim"]["hypotheses"].update(decreasing="maybe"), "status of a hypothesis is unknown"),
        (lambda c: c["claim"]["hypotheses"].update(integrable="undecided"), "no hypothesis of a density"),
        (lambda c: (every(c), c["claim"].update(tail_log_ratio=ONE_TO_TWO)), "does not hold the limit"),
        (lambda c: c["claim"].update(tail_log_ratio={"lower": "1", "upper": "2"}), "K32, which it does not list"),
        (lambda c: c["claim"].update(generator=None), "not a text"),
        (lambda c: c["proof"].update(phase={"turns": True, "frequency": "0", "cover": None, "peak": None}), "phase"),
        (lambda c: c["proof"].update(phase=None), "phase"),
        (lambda c: c.update(assumptions=None), "list of assumptions"),
        (lambda c: c.update(assumptions=["erfc: a lemma"]), "list of assumptions"),
    ],
)
def test_a_field_that_is_wrong(change: Callable[[Any], None], why: str) -> None:
    whole = forged("r**(-9)", "invalid", {"integrable": "refuted"}, **CENTRE)
    assert kernel.check_bytes(whole)
    with pytest.raises(Rejected, match=why):
        kernel.check_bytes(data(resealed(json.loads(whole), change)))


@pytest.mark.slow
def test_a_parameter_delta_and_a_closed_form() -> None:
    named = bounded("exp(-r)", "11/10", "Theorem 3", closed_form="delta", parameters={"delta": "1"})
    refused(named, "claim", "parameter's name")
    wide = bounded("exp(-r)", "11/10", "Theorem 3", closed_form="delta")
    refused(wide, "K33", "too wide for a closed form")
    narrow = {"lower": "99999999999/100000000000", "upper": "100000000001/100000000000"}
    for form, accepted in (("delta", True), ("delta+1", False), ("-delta", False), ("delta*11/10", False),
                           ("delta*100000000001/100000000000", True)):  # fmt: skip
        whole = bounded("exp(-r)", "100000000001/100000000000", "Theorem 3", closed_form=form, epsilon=narrow)
        claim = json.loads(whole)
        claim["proof"]["witness"] = {"near": "infinity", "box": None, "shift": None}
        whole = data(sealed(claim["claim"], claim["proof"]))
        if accepted:
            assert kernel.check_bytes(whole)
        else:
            refused(whole, "K33", "closed form is not in")


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
    for step in signs(text, kind, ["2", "3"], ["1/4", "1/2"]):
        cover = {"cover": grid("1/1024", "16", 60)} if kind == "vanishes" else {}
        for boundary in ("logs", "values") if kind == "vanishes" else ("",):
            integral = {"integrable": {"tail": boundary, "boxes": "values"}} if boundary else {}
            whole = forged(text, verdict, hypotheses, **cover, **integral, sign=step)
            if (verdict, kind) in {("invalid", "negative"), ("not_private", "vanishes")} and boundary != "logs":
                assert kernel.check_bytes(whole)
                continue
            with pytest.raises(Rejected):
                kernel.check_bytes(whole)


def test_lemmas_are_found_in_branches_and_conditions(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("erfc", "matern"):
        monkeypatch.setitem(LEMMAS, kind, f"{kind}: what a section takes on trust")
    for text in (
        "Piecewise((erfc(r), r < 1), (1, True))",
        "Piecewise((1, erfc(r) < 1/2), (2, True))",
        "1+exp(erfc(r))",
    ):
        assert "erfc" in kinds(text)
    assert "matern" in kinds("Piecewise((1, not (r < 0 or besselk(0,r) < 1)), (2, True))")


def kinds(text: str) -> set[str]:
    claim = json.loads(forged(text, "invalid", {}))["claim"]
    subject = Subject(claim)
    found = {node.kind for node in walk(subject.reader.roots(subject.tree))}
    lemmas = [name for name in LEMMAS if name in found]
    assert [lemma.split(":")[0] for lemma in subject.assumptions()] == lemmas
    return found


@pytest.mark.slow
def test_the_program_says_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad, none = (tmp_path / name for name in ("good.json", "bad.json", "none.json"))
    good.write_bytes(forged("r**(-9)", "invalid", {"integrable": "refuted"}, **CENTRE))
    bad.write_bytes(forged("exp(-r)", "invalid", {"integrable": "refuted"}))
    assert kernel.main([]) == 2 and "usage" in capsys.readouterr().err
    assert kernel.main([str(good)]) == 0 and "proved invalid: f(y) = r**(-9), d = 1" in capsys.readouterr().out
    good.write_bytes(data(resealed(json.loads(good.read_bytes()), lambda c: c["claim"].update(scale="2"))))
    assert kernel.main([str(good)]) == 0 and "Delta/sigma = 1/2" in capsys.readouterr().out
    assert kernel.main([str(bad), str(good)]) == 1
    said = capsys.readouterr()
    assert "rejected" in said.err and "proved" in said.out
    assert kernel.main([str(none), str(bad)]) == 2 and "cannot be read" in capsys.readouterr().err
    gallery = Path(__file__).parents[2] / "certificates" / "multivariate-laplace-d2.json"
    assert kernel.main([str(gallery)]) == 0 and "assuming" not in capsys.readouterr().out
    monkeypatch.setitem(LEMMAS, "matern", "besselk: what a section takes on trust")
    whole = resealed(json.loads(gallery.read_bytes()), lambda c: c.update(assumptions=[LEMMAS["matern"]]))
    good.write_bytes(data(whole))
    assert kernel.main([str(good)]) == 0 and "assuming besselk: what" in capsys.readouterr().out


G: dict[str, Callable[[float], float]] = {
    "exp(-3*r-9*cos(2*r))": lambda r: 3 * r + 9 * math.cos(2 * r),
    "exp(-r-8*Abs(sin(2*r)))": lambda r: r + 8 * abs(math.sin(2 * r)),
    "exp(-9*r-floor(5+4*cos(2*r)))": lambda r: 9 * r + math.floor(5 + 4 * math.cos(2 * r)),
}


@pytest.mark.slow
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
    g, proof = G[text], by_phases(problem(text), False, frequency)
    tail = proof.tail
    assert isinstance(tail, Phases)
    start, end, first, last = Fraction(at), Fraction(at) + Fraction(width), Fraction(low), Fraction(high)
    germ, every = tail.germ(start, end), []
    one = tail.loss(germ, last)
    for word in "rmh" if first < last else "":
        try:
            every.append(theorem_a.on_cell(proof, word, germ, first, last))
        except Rejected as refusal:
            assert word != "h", refusal
    for i in range(1, 40):
        r = (float(start) + float(end - start) * i / 40) / float(frequency) + 20 * math.pi
        assert float(one.lo) - 1e-9 <= g(r + float(last)) - g(r) <= float(one.hi) + 1e-9
        for j in range(1, 20):
            loss = g(r + float(first) + float(last - first) * j / 20) - g(r)
            assert all(float(x.lo) - 1e-9 <= loss <= float(x.hi) + 1e-9 for x in every)


def test_boxes_overlap_the_tail() -> None:
    """A shift leads from the boxes into the tail, and from the chart at zero into the boxes."""
    p = Problem(Reader("exp(-r)", {}).tree(), 1, Fraction(1, 3), (Fraction(1, 64), 6), (Fraction(16), 6))
    limit = limit_at_zero(p)
    assert Fraction(limit.lo) <= Fraction(1, 3) <= Fraction(limit.hi)
    assert Fraction(limit.hi) - Fraction(limit.lo) < Fraction(1, 10**30)
    assert Fraction(1, 3) <= Fraction(climb_from_zero(p)) < Fraction(1, 3) + Fraction(1, 10**20)
    assert Fraction(1, 3) + p.r0 <= Fraction(loss_near_zero(p)) < Fraction(1, 3) + p.r0 + Fraction(1, 10**20)


A_HAIR = Fraction(1, 10**65)
"""Less than the last of the sixty digits of a decimal."""


def third(**steps: Any) -> Proof:
    """f = e^-r, whose loss for the shift 1/3 is 1/3 everywhere."""
    tree = Reader("exp(-r)", {}).tree()
    p = Problem(tree, 1, Fraction(1, 3), (Fraction(1, 64), 6), (Fraction(16), 6))
    return Proof(p, Steps(steps))


@pytest.mark.parametrize("theorem", ["Theorem 3", "Theorem A"])
def test_bounds_hold_to_the_last_digit(theorem: str) -> None:
    for word in "r" if theorem == "Theorem 3" else "rmh":
        whole = supremum(third().problem, theorem, "1/3", 3)
        if theorem == "Theorem A":
            whole |= {"shifts": [["0", "1/3"]] * 3, "ahead": ["1/64", "67/192"], "rules": [word] * 3}
        else:
            at_most(third(supremum=whole), Fraction(1, 3) + Fraction(1, 10**9), theorem)
        for short in (A_HAIR, Fraction(1, 10**20)):
            with pytest.raises(Rejected, match="not shown below"):
                at_most(third(supremum=whole), Fraction(1, 3) - short, theorem)


def test_a_bound_is_not_rounded_upwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """f = e^-r, whose loss for the shift 1 is found as 1 exactly but near zero."""
    proof = proof_of("exp(-r)", supremum={"cover": grid("1/64", "17", 3), "near_zero": "models"})
    monkeypatch.setitem(NEAR_ZERO, "models", lambda p: Decimal(0))
    at_most(proof, Fraction(1), "Theorem 3")
    with pytest.raises(Rejected, match="not shown below"):
        at_most(proof, 1 - A_HAIR, "Theorem 3")


@pytest.mark.parametrize(
    ("slopes", "loss", "low", "high"),
    (
        (Interval(Decimal(-1), Decimal(3)), lambda h: interval(3 * h), Fraction(0), Fraction(8)),
        (Interval(Decimal(-1), Decimal("0.5")), lambda h: interval(-h / 3), Fraction(1, 8), Fraction(1, 4)),
    ),
)
def test_slopes_in_the_shift_bound_the_loss(slopes: Any, loss: Any, low: Any, high: Any) -> None:
    """3 h for 0 <= h <= 8 from slopes in [-1, 3], and -h/3 for 1/8 <= h <= 1/4 from slopes in [-1, 1/2]."""
    found = theorem_a.mean_in_shift(slopes, loss, low, high)
    with pytest.raises(Rejected, match="not shown monotone"):
        theorem_a.rising(slopes, loss, low, high)
    for h in (low, high):
        assert Fraction(found.lo) <= Fraction(loss(h).hi) and Fraction(loss(h).lo) <= Fraction(found.hi)


def test_a_sweep_of_shifts_goes_as_many_phases_further_as_its_frequency_says() -> None:
    """g = 17 r/20 + sin(3 r - 5/2)/3 rises but for phases 3 r in (5.09, 6.19): up to six radians after a shift of 2."""
    proof = by_phases(problem("exp(-17*r/20-sin(3*r-5/2)/3)"), False, Fraction(3))
    g = lambda r: 17 * r / 20 + math.sin(3 * r - 2.5) / 3  # noqa: E731
    assert isinstance(proof.tail, Phases)
    found, cell = [], proof.tail.germ(Fraction(0), Fraction(1, 100))
    for word in "rmh":
        try:
            found.append(theorem_a.on_cell(proof, word, cell, Fraction(0), Fraction(2)))
        except Rejected as refusal:
            assert word == "r", refusal
    for i in range(101):
        r, h = 20 * math.pi + 0.001, 1.5 + i / 200
        assert all(float(x.lo) - 1e-9 <= g(r + h) - g(r) <= float(x.hi) + 1e-9 for x in found)


@pytest.mark.parametrize("witness", [{}, {"near": "zero"}, {"near": "infinity"}])
def test_witnesses_hold_to_the_last_digit(witness: dict[str, Any]) -> None:
    proof = third(witness=witnesses({"shift": "1/3", **witness})[0])
    at_least(proof, Fraction(1, 3) - Fraction(1, 10**9))
    with pytest.raises(Rejected, match="does not reach"):
        at_least(proof, Fraction(1, 3) + A_HAIR)


@pytest.mark.parametrize(
    ("low", "high"), [(Fraction(1, 3) + A_HAIR, Fraction(1)), (Fraction(0), Fraction(1, 3) - A_HAIR)]
)
def test_limits_hold_to_the_last_digit(low: Any, high: Any) -> None:
    with pytest.raises(Rejected, match="does not hold the limit"):
        limsup(third(), low, high)


@pytest.mark.parametrize(
    ("low", "high", "inside"),
    [
        ("1/3", "1/3", True),
        ("333333333/1000000000", "1/3", True),
        ("1/3", "333333334/1000000000", True),
        ("333333333/1000000000", "333333333/1000000000", False),
        ("333333334/1000000000", "333333335/1000000000", False),
        ("0", "1/3", False),
        ("1/3", "1", False),
        ("0", "1/4", False),
        ("1/2", "1", False),
    ],
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
    width = Fraction(1, 10**9)
    for low, high in ((value + hair, value + width), (value - width, value - hair)):
        with pytest.raises(Rejected, match="closed form is not in"):
            closed(form, str(low), str(high))


def closed(form: str, low: str, high: str) -> None:
    """Check a closed form against bounds."""
    reader = Reader(form, {}, radial=False)
    closed_form(reader, reader.tree(), Fraction(low), Fraction(high))


def slope(low: int, high: int, du: tuple[int, int] = (-1, 1)) -> Slope:
    return Slope(Interval(Decimal(low), Decimal(high)), Interval(Decimal(du[0]), Decimal(du[1])))


def test_a_rise_is_shown_by_boxes_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = proof_of("exp(-r)", rise=["1", "2"])
    for first, last, rises in (((0, 1), (2, 3), True), ((0, 2), (1, 3), False), ((0, 3), (1, 2), False)):
        boxes = iter((slope(*first), slope(*last)))
        monkeypatch.setattr(proof.problem, "on_box", lambda a, b, boxes=boxes: next(boxes))
        if rises:
            replayed(proof, "decreasing", "refuted")
            continue
        with pytest.raises(Rejected, match="not shown to rise"):
            replayed(proof, "decreasing", "refuted")


@pytest.mark.parametrize(
    ("across", "before", "after", "falls"),
    (
        (slope(0, 1, (-2, -1)), (0, 1), (2, 3), True),
        (slope(0, 1, (-2, 0)), (0, 1), (2, 3), True),
        (slope(0, 1, (-2, 1)), (2, 3), (0, 1), True),
        (slope(0, 1, (-2, 1)), (1, 3), (0, 1), True),
        (slope(0, 1, (-2, 1)), (1, 3), (0, 2), False),
        (slope(0, 1, (-2, 1)), (0, 1), (2, 3), False),
        (slope(0, 1, (1, 2)), (0, 2), (1, 1), False),
    ),
)
def test_a_fall_across_a_radius_is_shown_by_slopes_or_by_boxes_apart(
    monkeypatch: pytest.MonkeyPatch, across: Any, before: Any, after: Any, falls: bool
) -> None:
    shown = False
    for drops in ([], ["1/64"]):
        proof = proof_of("exp(-r)*(2+floor(cos(r)))", cover=["1/64", "16"])
        p = proof.problem
        p.known["zero"] = Slope(None, Model(p.zero, {CONSTANT: Fraction(-1)}))
        p.known["covered"] = [Slope(None, interval(-1))]
        steep = interval(-1)  # across the other end of the boxes
        far = {Fraction(1, 64): [slope(*before), slope(*after)] if drops else [across]}
        boxes = iter(far[Fraction(1, 64)])

        def on_box(a: Fraction, b: Fraction, boxes: Any = boxes, steep: Any = steep) -> Slope:
            return next(boxes) if a < 1 else Slope(None, steep)

        def not_continuous(p: Problem, x: Fraction) -> None:
            raise Rejected(f"down at {x}")

        monkeypatch.setattr(p, "on_box", on_box)
        monkeypatch.setattr(proof.tail, "falls", lambda step: None)
        monkeypatch.setitem(BROUGHT, "continuity where charts meet", not_continuous)
        try:
            falls_by_slopes(proof, {**SLOPES, "drops": drops})
            shown = True
        except Rejected as refusal:
            assert "across 1/64" in str(refusal) or "down at 1/64" in str(refusal)
    assert shown is falls


def oscillating(frequency: str = "1", **steps: Any) -> Proof:
    phase = {"turns": True, "frequency": frequency, "cover": ["0", "1", "2"], "peak": "0"}
    return proof_of("exp(-r)", phase=phase, **steps)


def model(proof: Proof, low: str, high: str) -> Model:
    return Model(proof.tail.cells[0], {CONSTANT: Interval(Decimal(low), Decimal(high))})


def test_a_loss_whose_growth_has_no_sign_is_not_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its leading coefficient may be positive, or 0 beside a square root that grows."""
    for low, high, holds in (("-2", "-1", True), ("-1", "1", False), ("-1", "0", False), ("1", "2", False)):
        proof = proof_of("exp(-r)")
        growth = {LINEAR: Interval(Decimal(low), Decimal(high)), power_of_t(Fraction(1, 2)): 1}
        loss = Model(proof.problem.infinity, growth)
        monkeypatch.setattr(proof.problem, "far_loss", lambda germ, loss=loss: loss)
        if holds:
            tail_ratio_bounded(proof)
            continue
        with pytest.raises(Rejected, match="not shown bounded"):
            tail_ratio_bounded(proof)


def test_f_falls_on_every_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slopes of both signs on one box, and falling ones everywhere else."""
    p = problem("exp(-r)*(2+cos(r)/9)")  # whose form tells nothing
    proof = Proof(p, Steps({"cover": grid("1/64", "16", 3), "decreasing": SLOPES}))
    falling, either = Interval(Decimal(-2), Decimal(-1)), Interval(Decimal(-2), Decimal(1))
    monkeypatch.setattr(proof.tail, "falls", lambda step: None)
    for start in (either, Interval(Decimal("0.5"), Decimal("0.5"))):
        monkeypatch.setattr(p, "near_zero", lambda start=start: Slope(None, Model(p.zero, {CONSTANT: start})))
        with pytest.raises(Rejected, match="not shown to fall near zero"):
            replayed(proof, "decreasing", "proved")
    monkeypatch.setattr(p, "near_zero", lambda: Slope(None, Model(p.zero, {CONSTANT: falling})))
    for at in (None, 0, 1, 2):
        slopes = iter([either if i == at else falling for i in range(3)])
        monkeypatch.setattr(p, "on_box", lambda a, b, slopes=slopes: Slope(None, next(slopes)))
        p.known.clear()
        if at is None:
            replayed(proof, "decreasing", "proved")
            continue
        with pytest.raises(Rejected, match="not shown to fall on"):
            replayed(proof, "decreasing", "proved")


@pytest.mark.parametrize("side", [1, -1])
def test_losses_for_every_shift_are_bounded_on_both_sides(monkeypatch: pytest.MonkeyPatch, side: int) -> None:
    steps = {"cover": grid("1/64", "16", 1), "cuts": [], "shifts": [["0", "1/3"]], "ahead": ["1/64", "67/192"]}
    proof = third(supremum={**steps, "rules": ["r"]})
    for far, holds in (("1", True), ("3", False)):
        loss = Interval(*sorted(Decimal(side) * Decimal(x) for x in ("-0.5", far)))
        monkeypatch.setattr(theorem_a, "on_box", lambda p, word, box, hs, marks, loss=loss: loss)
        if holds:
            at_most(proof, Fraction(2), "Theorem A")
            continue
        with pytest.raises(Rejected, match="for every shift"):
            at_most(proof, Fraction(2), "Theorem A")


def test_a_bound_on_every_shift_is_not_rounded_upwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loss of 1/3 that is enclosed to the last digit alone is not shown to be at most 1/3."""
    steps = {"cover": grid("1/64", "16", 1), "cuts": [], "shifts": [["0", "1/3"]], "ahead": ["1/64", "67/192"]}
    proof = third(supremum={**steps, "rules": ["r"], "tail_shifts": ["0", "1/3"]})
    monkeypatch.setattr(theorem_a, "bounds_before", lambda p, step, boxes: [])
    for loss in (interval(Fraction(1, 3)), -interval(Fraction(1, 3))):
        monkeypatch.setattr(theorem_a, "in_tail", lambda p, step, loss=loss: [loss])
        with pytest.raises(Rejected, match="for every shift"):
            at_most(proof, Fraction(1, 3), "Theorem A")


def test_a_tail_falls_on_every_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = oscillating()
    falling, rising = model(proof, "-2", "-1"), model(proof, "-1", "1")
    for first, last, across, falls in (
        (falling, falling, falling, True),
        (rising, falling, falling, False),
        (falling, rising, falling, False),
        (falling, falling, rising, False),
    ):
        cells = proof.tail.cells
        slopes = {cells[0]: first, cells[1]: last}
        far = lambda germ, slopes=slopes, across=across: Slope(across, slopes.get(germ, across))  # noqa: E731
        monkeypatch.setattr(proof.problem, "far", far)
        assert falls_in_tail(proof, []) is falls


def falls_in_tail(proof: Proof, drops: list[str]) -> bool:
    assert isinstance(proof.tail, Phases)
    try:
        falls_on_phases(proof.tail, drops)
    except Rejected as refusal:
        assert refusal.code == "K54"
        return False
    return True


def test_a_drop_is_larger_than_what_the_slopes_make_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slopes of log f of -5 at the least: g rises by at most 5 h on the way."""
    proof = oscillating("2")
    slopes = (model(proof, "-3", "1"), model(proof, "-5", "2")), (model(proof, "-5", "2"), model(proof, "-3", "1"))
    for order in slopes:
        for rise, drops in ((("6", "7"), True), (("4", "7"), False), (("-6", "7"), False), (("-2", "4"), False)):
            on = {(-TINY, Fraction(0)): order[0], (Fraction(0), TINY): order[1]}
            loss = Interval(*(Decimal(x) * Decimal("1e-40") / 2 for x in rise))

            def far(germ: Germ, on: dict[Any, Model] = on) -> Slope:
                ends = germ.phase.low, germ.phase.high
                return Slope(None, on.get(ends, model(proof, "-2", "-1")))

            def loss_of(germ: Germ, h: Fraction, loss: Interval = loss) -> Interval:
                assert germ.phase is not None and germ.phase.high == 0 and h == TINY / 2
                return loss

            monkeypatch.setattr(proof.problem, "far", far)
            monkeypatch.setattr(proof.tail, "loss", loss_of)
            assert falls_in_tail(proof, ["0"]) is drops


def test_limits_of_every_cell_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    for first, last, low, high, holds in (
        (("1", "2"), ("1", "3"), "1", "3", True),
        (("1", "2"), ("1", "3"), "1", "5/2", False),
        (("1", "3"), ("1", "2"), "1", "5/2", False),
        (("1", "2"), ("1", "3"), "3/2", "3", False),
    ):
        proof = oscillating(limsup={"phases": ["0", "1", "2"]})
        monkeypatch.setattr(proof.tail, "cover", lambda name, points, cells=proof.tail.cells: cells)
        losses = dict(zip(proof.tail.cells, (model(proof, *first), model(proof, *last)), strict=True))
        peak = model(proof, "1", "2")
        monkeypatch.setattr(proof.problem, "far_loss", lambda germ, losses=losses, peak=peak: losses.get(germ, peak))
        if holds:
            limsup(proof, Fraction(low), Fraction(high))
            continue
        with pytest.raises(Rejected, match="does not hold the limit"):
            limsup(proof, Fraction(low), Fraction(high))


def test_the_tail_is_integrable_and_bounded_on_every_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = oscillating(integrable={"tail": "logs", "boxes": "logs"})
    one, other = proof.tail.cells
    near = proof.problem.near_zero().u
    monkeypatch.setattr(proof.problem, "far", lambda germ: Slope(germ, germ))
    monkeypatch.setitem(BOUNDED, "logs", lambda proof: None)
    for ends, converges in (((1, 1), True), ((1, -1), False), ((-1, 1), False), ((-1, -1), False)):
        known = {one: ends[0], other: ends[1], near: 1}
        monkeypatch.setattr(ends_of_f, "integral", lambda log, dimension, known=known: known[log])
        if converges:
            replayed(proof, "integrable", "proved")
        else:
            with pytest.raises(Rejected, match="not shown integrable in the tail"):
                replayed(proof, "integrable", "proved")
    for growing in (one, other):
        losses = {growing: Model(growing, {LINEAR: 1})}
        constant = Model(one, {CONSTANT: 1})
        monkeypatch.setattr(proof.problem, "far_loss", lambda germ, losses=losses: losses.get(germ, constant))
        with pytest.raises(Rejected, match="not shown bounded"):
            replayed(proof, "tail_ratio_bounded", "proved")


@pytest.mark.parametrize(
    ("text", "loss"),
    (
        ("exp(-y)", lambda r: 2 * r + 1),
        ("exp(-r)", lambda r: 1.0),
        ("exp(-sqrt(1+y))", lambda r: math.sqrt(1 + (1 + r) ** 2) - math.sqrt(1 + r * r)),
        ("exp(-3*r+y)", lambda r: 2 - 2 * r),
        ("exp(-sqrt(r))", lambda r: math.sqrt(1 + r) - math.sqrt(r)),
    ),
)
def test_the_loss_near_zero_is_that_of_the_whole_chart(text: str, loss: Any) -> None:
    for r0 in (Fraction(1, 4), Fraction(1, 50)):
        p = Problem(Reader(text, {}).tree(), 1, Fraction(1), (r0, 6), (Fraction(16), 6))
        most = max(loss(float(r0) * k / 50) for k in range(1, 51))
        bounds = [loss_near_zero(p)]
        if p.near_zero().du.span().finite():
            bounds.append(climb_from_zero(p))
        assert all(most - 1e-12 <= float(bound) for bound in bounds)
        assert float(min(bounds)) <= most + 2 * float(r0) + 0.3 * (text == "exp(-sqrt(r))")


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
    flat = model(proof, "-2", "-1")
    hair = lambda germ: germ.phase.high - germ.phase.low == TINY  # noqa: E731
    monkeypatch.setattr(proof.problem, "far", lambda germ: Slope(None, steep if hair(germ) else flat))
    for loss, drops in ((Fraction(5, 3 * 10**40) - A_HAIR / 10**60, False), (Fraction(17, 10**41), True)):
        shown = Interval(interval(loss).lo, Decimal(1))
        monkeypatch.setattr(proof.tail, "loss", lambda germ, h, shown=shown: shown)
        assert falls_in_tail(proof, ["0"]) is drops


def test_losses_on_boxes_hold_their_ends() -> None:
    """2 r h + h^2 for f = e^-y, with ends and shifts of thirds, and the same beside a jump."""
    p, third = problem("exp(-y)"), Fraction(1, 3)
    for a, b, h in ((third, 2 * third, Fraction(1)), (Fraction(1, 7), third, third)):
        loss = p.loss(a, b, h)
        losses = [theorem_a.on_box(p, word, (a, b), (Fraction(0), h), []) for word in "rmh"]
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
    monkeypatch.setattr(theorem_3, "limit_at_zero", lambda p: interval(0))
    exact = (1 + Fraction(1, 10**70)) / 64
    assert exact <= Fraction(climb_from_zero(p)) <= exact + Fraction(1, 10**50)


def test_the_loss_is_bounded_on_every_cell_of_the_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    for losses, holds in ((("1", "1"), True), (("1", "3"), False), (("3", "1"), False)):
        steps = {"cover": grid("1/64", "32", 3), "near_zero": "slopes", "phases": ["0", "1", "2"]}
        proof = oscillating(supremum=steps)
        known = iter(Interval(Decimal(0), Decimal(x)) for x in losses)
        monkeypatch.setattr(proof.tail, "loss", lambda germ, h, known=known: next(known))
        if holds:
            at_most(proof, Fraction(2), "Theorem 3")
            continue
        with pytest.raises(Rejected, match="in the tail"):
            at_most(proof, Fraction(2), "Theorem 3")


def test_a_jump_within_a_hair_of_a_box_belongs_to_it() -> None:
    """f is e^-5 on one side of the jump, and 1 on the other."""
    hair, h = f"1/{10**65}", Fraction(1, 10)

    def losses(text: str) -> list[Interval]:
        found = []
        for word in "rmh":
            try:
                box, shifts = (Fraction(1, 3), Fraction(2, 3)), (Fraction(0), h)
                found.append(theorem_a.on_box(problem(text), word, box, shifts, []))
            except Rejected as refusal:
                assert word != "h", refusal
        return found

    for text, low in (
        (f"Piecewise((exp(-5), r < 1/3+{hair}), (1, True))", -5),
        (f"Piecewise((1, r < 2/3-{hair}), (exp(-5), True))", 0),
    ):
        assert all(x.lo <= low and (low or x.hi >= 5) for x in losses(text))
    text = f"Piecewise((exp(-5), r < 2/3-{hair}), (1, True))"
    assert all(x.lo <= -5 for x in losses(text))


@pytest.mark.parametrize(
    "text",
    (
        "exp(-r)*(1+Max(0,r-3)**(-1/2))",
        "exp(-r)*(1+Max(0,3-r)**(-1/2))",
        "exp(-r)*(1+1/Max(0,r-3)**(-1/2))",
    ),
)
def test_a_shift_from_or_to_a_negative_power_of_zero_is_refused(text: str) -> None:
    with pytest.raises(Rejected):
        problem(text).loss(Fraction(1), Fraction(2), Fraction(5, 2))


@pytest.mark.slow
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
    limit = limit_at_zero(p)
    assert p.delta == 1 and abs(float(limit.lo) - 1 - math.log(2)) < 1e-12 > abs(float(limit.hi) - 1 - math.log(2))


@pytest.mark.parametrize("how", ("form", SLOPES))
def test_f_that_rises_by_its_form_does_not_fall(how: Any) -> None:
    proof = proof_of("2-exp(-r)", cover=grid("1/64", "16", 3), decreasing=how)
    with pytest.raises(Rejected, match=r"not shown to fall|form does not show"):
        replayed(proof, "decreasing", "proved")


def test_f_falls_across_every_end_of_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first one, where the chart at zero ends, to the last one."""
    marks = ["1/64", "1", "5", "16"]
    for rising in (None, *map(Fraction, marks)):
        proof = proof_of("exp(-r)*(2+floor(cos(r)))", cover=marks, decreasing=SLOPES)
        p, falling, either = proof.problem, interval(-1), Interval(Decimal(-2), Decimal(1))
        monkeypatch.setattr(proof.tail, "falls", lambda step: None)
        monkeypatch.setattr(p, "near_zero", lambda p=p: Slope(None, Model(p.zero, {CONSTANT: interval(-1)})))
        p.known["covered"] = [Slope(None, falling)] * 3
        seen: list[Fraction] = []

        def on_box(a: Fraction, b: Fraction, seen: Any = seen, rising: Any = rising, falling: Any = falling,
                   either: Any = either) -> Slope:  # fmt: skip
            seen.append((a + b) / 2)
            return Slope(None, either if seen[-1] == rising else falling)

        monkeypatch.setattr(p, "on_box", on_box)
        if rising is None:
            replayed(proof, "decreasing", "proved")
            assert sorted(seen) == [Fraction(1, 64), 1, 5, 16]
            continue
        with pytest.raises(Rejected, match="not shown to fall across"):
            replayed(proof, "decreasing", "proved")


@pytest.mark.parametrize("drops", [["3/2"], ["1/128"], ["17"], ["1", "3/2"], "1", None, [1]])
def test_a_drop_is_named_where_boxes_meet(drops: Any) -> None:
    step = {"drops": drops, "phase_drops": None}
    proof = proof_of("exp(-r-floor(r))", cover=["1/64", *map(str, range(1, 17))], decreasing=step)
    proof.problem.known["covered"] = [Slope(None, interval(-1))] * 16
    proof.tail.falls = lambda step: None  # type: ignore[method-assign]
    with pytest.raises(Rejected, match=r"where no charts meet|not a list|not a rational"):
        replayed(proof, "decreasing", "proved")


@pytest.mark.parametrize("cover", [["1", "2"], ["1/2", "1", "2"], ["1/100", "2"], ["0", "1"], ["0", "199/100"]])
def test_phases_are_covered_from_nought_to_a_whole_period(cover: list[str]) -> None:
    phase = {"turns": True, "frequency": "1", "cover": cover, "peak": "0"}
    with pytest.raises(Rejected, match="does not reach"):
        proof_of("exp(-r)", phase=phase)


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
        refutations.tail_by_values(proof_of("(r-24)**(-2)"))
    refutations.tail_by_values(proof_of("(r+24)**(-2)"))
