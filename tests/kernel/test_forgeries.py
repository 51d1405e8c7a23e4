"""Forged certificates and steps, one for each way in which a checker of such proofs can be fooled."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from dpverify import kernel
from dpverify.certificate import digest
from dpverify.certificate.seal import by_section
from dpverify.kernel import RULES, SECTIONS, Rejected, certificate
from dpverify.kernel.intervals import interval
from dpverify.kernel.reader import Reader
from dpverify.kernel.rules import Ledger
from dpverify.kernel.sections import hypotheses, refutations
from dpverify.kernel.sections.charts import Problem
from dpverify.kernel.sections.epsilon import HYPOTHESES
from dpverify.kernel.sections.falling import falls_by_slopes
from dpverify.kernel.sections.hypotheses import REFUTED, Proof
from dpverify.kernel.sections.models import CONSTANT, Model
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.theorem_a import on_box, on_cell
from dpverify.kernel.sections.waves import Phases, falls_on_phases
from dpverify.kernel.steps import Steps

for section in SECTIONS:
    certificate.load_section(section)

PROVED = dict.fromkeys(HYPOTHESES, "proved")
CENTRE: dict[str, Any] = {"integrable": {"diverges": "centre"}}
SLOPES: dict[str, Any] = {"drops": [], "phase_drops": None}


def grid(a: str, b: str, n: int) -> list[str]:
    low, high = Fraction(a), Fraction(b)
    return [str(low + (high - low) * k / n) for k in range(n + 1)]


def sealed(claim: Mapping[str, Any], proof: Mapping[str, Any], listed: Any = None) -> dict[str, Any]:
    """A certificate with the rules and assumptions that its replay finds (all, where it fails), and a fresh digest."""
    whole: dict[str, Any] = {
        "format": "dpverify-certificate",
        "version": 2,
        "program": {"name": "forger", "version": "1"},
        "claim": dict(claim),
        "proof": dict(proof),
        "assumptions": [],
    }
    if listed is None:
        ledger = Ledger()
        try:
            whole["assumptions"] = certificate.replay(claim, proof, ledger)
            listed = by_section(ledger.used)
        except Exception:  # whatever it is: the check itself has to refuse it in its own way
            listed = by_section(set(RULES))
    whole["rules"] = listed
    return resealed(whole)


def resealed(whole: Any, change: Callable[[Any], Any] = lambda c: None) -> dict[str, Any]:
    """A copy of a certificate with a change, and with a fresh digest."""
    whole = json.loads(json.dumps(whole))
    change(whole)
    whole["digest"] = digest(whole)
    return whole  # type: ignore[no-any-return]


def data(whole: Any) -> bytes:
    return json.dumps(whole).encode()


def claim_of(text: str, verdict: str, hypotheses: dict[str, str], delta: str = "1", **more: Any) -> dict[str, Any]:
    return {
        "generator": text,
        "parameters": {},
        "dimension": 1,
        "sensitivity": delta,
        "scale": "1",
        "verdict": verdict,
        "epsilon": None,
        "closed_form": None,
        "tail_log_ratio": None,
        "hypotheses": {**dict.fromkeys(HYPOTHESES, "undecided"), "defined": "proved", **hypotheses},
        "theorem": None,
        **more,
    }


def steps_of(hypotheses: Mapping[str, str], **proof: Any) -> dict[str, Any]:
    """The steps given, and the plainest ones of those that the hypotheses call for besides."""
    steps: dict[str, Any] = {
        "zero": {"radius": "1/1024", "order": 6},
        "infinity": {"radius": "16", "order": 6},
    }
    if hypotheses.get("decreasing") == "proved":
        steps["decreasing"] = SLOPES
    if hypotheses.get("integrable") == "proved":
        positive = hypotheses.get("positive") == "proved"
        steps["integrable"] = {"tail": "logs", "boxes": "logs" if positive else "values"}
    if hypotheses.get("integrable") == "refuted":
        steps["integrable"] = {"diverges": "tail"}
    return {**steps, **proof}


def forged(text: str, verdict: str, hypotheses: dict[str, str], delta: str = "1", **proof: Any) -> bytes:
    """A certificate of a verdict without an epsilon, with a fresh digest."""
    return data(sealed(claim_of(text, verdict, hypotheses, delta), steps_of(hypotheses, **proof)))


def refused(whole: bytes, code: str, why: str | None = None) -> None:
    """The kernel refuses the bytes, in one line, by that rule (or for that other cause)."""
    with pytest.raises(Rejected, match=why) as refusal:
        kernel.check_bytes(whole)
    assert refusal.value.code in code.split("|"), (refusal.value.code, str(refusal.value))
    assert len(str(refusal.value).splitlines()) == 1


def problem(text: str, radius: int = 16, delta: Fraction = Fraction(1)) -> Problem:
    tree = Reader(text, {"d": Fraction(1)}).tree()
    return Problem(tree, 1, delta, (Fraction(1, 64), 6), (Fraction(radius), 6))


def needs_of(text: str) -> list[Any]:
    """What the operations of a text ask, beyond what its form shows."""
    reader = Reader(text, {})
    reader.tree()
    return reader.needs


def proof_of(text: str, radius: int = 16, **steps: Any) -> Proof:
    """The steps of one proof, to be replayed one by one; no ledger is set, so that every rule may be used."""
    return Proof(problem(text, radius), Steps(steps))


def attempts(hypothesis: str, status: str, text: str, **steps: Any) -> list[dict[str, Any]]:
    """The steps of one hypothesis in every way that leaves open which rule shows it."""
    if "sign" in steps:
        return [{**steps, "sign": step} for step in signs(text, **steps["sign"])]
    ways: dict[tuple[str, str], list[dict[str, Any]]] = {
        ("decreasing", "proved"): [{"decreasing": "form"}, {"decreasing": SLOPES}],
        ("integrable", "refuted"): [{"integrable": {"diverges": end}} for end in ("centre", "tail")],
        ("integrable", "proved"): [
            {"integrable": {"tail": tail, "boxes": boxes}}
            for tail in ("logs", "values")
            for boxes in ("logs", "values")
        ],
    }
    return [{**way, **steps} for way in ways.get((hypothesis, status), [{}])]


def signs(text: str, kind: str, box: Any = ("1", "2"), positive: Any = ("1/3", "1/2")) -> list[dict[str, Any]]:
    step: dict[str, Any] = {"kind": kind}
    if kind == "centre":
        return [step]
    step["box"] = list(box)
    if kind == "negative":
        return [{**step, "by": by} for by in ("value", "factors")]
    step["positive"] = list(positive)
    tree = Reader(text, {}).tree()
    factors = len(tree.args) if tree.kind == "mul" else 1
    return [step] if kind == "vanishes" else [{**step, "factor": i} for i in range(factors)]


def replayed(proof: Proof, hypothesis: str, status: str) -> object:
    """One hypothesis, proved or refuted by the steps of the proof."""
    return (hypotheses.PROVED if status == "proved" else REFUTED)[hypothesis](proof)


def touches(text: str, a: Fraction, b: Fraction) -> bool:
    """Whether f is shown to touch zero between two radii, by any of its factors."""
    for step in signs(text, "touches", (str(a), str(b)), ("1/3", "1/2")):
        p = proof_of(text)
        p.problem.on_box = lambda a, b: Slope(None, None)  # type: ignore[assignment, method-assign]
        try:
            refutations.touches(p, step)
            return True
        except Rejected:
            continue
    return False


def letters(p: Problem, marks: list[str], shifts: list[list[str]], bound: str) -> list[str]:
    """For each box and interval of shifts the rule by which the loss is shown below the bound, if there is one."""
    most, points, words = Fraction(bound), [Fraction(x) for x in marks], []
    for box, hs in zip(pairwise(points), shifts, strict=False):
        word = ""
        for pair in pairwise(map(Fraction, hs)):
            for letter in "rmh":
                try:
                    loss = on_box(p, letter, box, pair, points)
                except Rejected:
                    continue
                if -most <= loss.lo and loss.hi <= most:
                    break
            word += letter
        words.append(word)
    return words


def oscillating(p: Problem, turns: bool, frequency: Fraction = Fraction(1)) -> Proof:
    """A proof whose tail is examined by phases, so that single cells of it can be."""
    cover = ["0", "2"] if turns else ["0", "7"]
    phase = {"turns": turns, "frequency": str(frequency), "cover": cover, "peak": "0"}
    return Proof(p, Steps({"phase": phase}))


@pytest.mark.slow
def test_an_iterated_logarithm_is_not_positive_before_its_root() -> None:
    """log log r < 0 for 1 < r < e, so f < 0 on (8/5, e), where a model from 3/2 on was believed."""
    text = "r**(-1/2)*Piecewise((exp(-r), log(log(Max(r,11/10))) > 0), (exp(-r), r < 8/5), (-exp(-r), True))"
    claimed = {"positive": "proved", "integrable": "proved", "finite_at_zero": "refuted"}
    cover = grid("1/1024", "3/2", 60)
    for order in (3, 6, 12):
        end = {"radius": "3/2", "order": order}
        for ats in ((None, None), (None, "2"), ("2", "3")):
            steps = [{"at": at} for at in ats]
            whole = forged(text, "not_private", claimed, "1/100", infinity=end, cover=cover, defined=steps)
            words = "radius is too small|isolated, but|not shown analytic|not shown to have a value"
            refused(whole, "K6|K8|K10|K13", words)
    assert len(needs_of(text)) == 2
    p = Problem(Reader(text, {}).tree(), 1, Fraction(1, 100), (Fraction(1, 1024), 6), (Fraction(3, 2), 6))
    with pytest.raises(Rejected, match="radius is too small"):
        p.far(p.infinity)


@pytest.mark.parametrize("low", [Fraction(1, 2), Fraction(29, 10), Fraction(6)])
def test_the_integer_part_has_no_phase_modulo_two_pi(low: Fraction) -> None:
    """Whatever the phase of r modulo 2 pi, r - floor(r) is anything in [0, 1)."""
    h, width = Fraction(1, 1000), Fraction(1, 100)
    proof = oscillating(problem("exp(-200*r-2*(r-floor(r))*(1-cos(44*r)))"), turns=False)
    assert isinstance(proof.tail, Phases)
    germ, shown = proof.tail.germ(low, low + width), []
    for word in "rmh":
        try:
            shown.append(on_cell(proof, word, germ, Fraction(0), h))
        except Rejected:
            continue
    assert shown

    def g(r: float) -> float:
        return 200 * r + 2 * (r - math.floor(r)) * (1 - math.cos(44 * r))

    for k in range(10, 4000):
        r = float(low + width / 2) + 2 * math.pi * k
        loss = g(r + float(h)) - g(r)
        assert all(x.lo <= loss + 1e-6 and loss - 1e-6 <= x.hi for x in shown), r


@pytest.mark.slow
def test_a_single_phase_is_no_witness() -> None:
    """floor(r) + floor(-r) + 1 is 1 at integers, which carry no probability, and 0 elsewhere."""
    claimed = {**PROVED, "tail_ratio_bounded": "refuted", "decreasing": "undecided"}
    phase = {"turns": True, "frequency": "1", "cover": ["0", "1/2", "1", "3/2", "2"]}
    text = "exp(-2*r-r*(floor(r)+floor(-r)+1))"
    for peak in ("1/2", "0"):
        whole = forged(
            text,
            "not_private",
            claimed,
            "1/2",
            zero={"radius": "1/16", "order": 6},
            infinity={"radius": "8", "order": 6},
            phase={**phase, "peak": peak},
            cover=grid("1/16", "12", 400),
        )
        refused(whole, "K47", "not shown unbounded")


def staircase(text: str, radius: int) -> Proof:
    phase = {"turns": True, "frequency": "1", "cover": grid("0", "2", 8), "peak": "0"}
    cover = ["1/64", *grid("1/8", str(radius + 2), 8 * (radius + 2) - 1)]
    return proof_of(text, radius, phase=phase, cover=cover)


def ways_of_falling(proof: Proof) -> list[list[str]]:
    """Every choice of the phases, a whole or a half, at which a drop is named."""
    marks = [str(germ.phase.low) for germ in proof.tail.cells]
    return [[], marks, *([m] for m in marks), ["0", "1"], ["0", "1/2", "1", "3/2"]]


@pytest.mark.slow
def test_a_rise_where_two_cells_of_phases_meet_is_not_called_falling() -> None:
    """Jumps at integers: downwards as far as the boxes reach, upwards from r = 23 on."""
    rising = staircase("exp(-40*r+floor(r)*Max(-2,1-66000*exp(-r/2)))", 20)
    assert all(rising.problem.far(cell).du.span().hi < 0 for cell in rising.tail.cells)
    marks = [str(x) for x in {rising.boxes()[0][0], *(b for _, b in rising.boxes())}]
    for drops in ([], marks, [m for m in marks if "/" not in m]):
        for phase_drops in ways_of_falling(rising):
            with pytest.raises(Rejected):
                falls_by_slopes(rising, {"drops": drops, "phase_drops": phase_drops})


def falls(proof: Proof) -> bool:
    """Whether any choice of drops shows that f falls in the tail."""
    assert isinstance(proof.tail, Phases)
    for phase_drops in ways_of_falling(proof):
        try:
            falls_on_phases(proof.tail, phase_drops)
            return True
        except Rejected:
            continue
    return False


@pytest.mark.parametrize(
    "text", ["exp(-3*r+floor(r))", "exp(-4*r+floor(2*r)/9)", "exp(-9*r)*(3+floor(r)-r)", "exp(-3*r-floor(-r))"]
)
def test_jumps_upwards_at_infinity_are_seen(text: str) -> None:
    assert not falls(staircase(text, 20))


@pytest.mark.parametrize("text", ["exp(-floor(r))", "exp(-r)", "exp(-r-floor(r))", "exp(-9*r)*(3-floor(r)+r)"])
def test_jumps_downwards_at_infinity_are_no_rise(text: str) -> None:
    assert falls(staircase(text, 20))


@pytest.mark.slow
def test_an_integral_on_the_borderline_of_three_logarithms_is_not_called_infinite() -> None:
    """With w = log log log r the integral is that of exp(-sqrt(w)) dw, which converges."""
    log = "log(20+r)"
    text = f"exp(-sqrt(log(log({log}))))/((20+r)*{log}*log({log}))"
    cover = ["1/1024", "1/64", "1", "8", "64"]

    def whole(text: str, order: int) -> bytes:
        return forged(
            text,
            "invalid",
            {"integrable": "refuted"},
            infinity={"radius": "64", "order": order},
            cover=cover,
            defined=[{"at": None}] * len(needs_of(text)),
        )

    for order in (3, 6):
        refused(whole(text, order), "K23", "borderline")
    diverges = f"1/((20+r)*{log}*log({log}))"
    assert kernel.check_bytes(whole(diverges, 6)).claim["verdict"] == "invalid"


def chain(*points: tuple[str, str, int]) -> list[str]:
    """Grids one after another, each point once."""
    return sorted({x for part in points for x in grid(*part)}, key=Fraction)


@pytest.mark.slow
def test_a_zero_that_is_jumped_over_is_not_touched() -> None:
    """The clamped sign of r - 1 has no branch and finite values, and is never near zero: f is 1 or 9 times e^-r."""
    sign = "Max(-1,Min(1,(r-1)*((r-1)**2)**(-1/2)))"
    ends = {"zero": {"radius": "1/16", "order": 6}, "cover": grid("1/16", "16", 81)}
    claimed = {"positive": "refuted", "integrable": "proved"}
    for factor in (0, 1):
        for at in (None, "2"):
            touch = {"kind": "touches", "box": ["1/2", "3/2"], "positive": ["2", "3"], "factor": factor}
            whole = forged(f"exp(-r)*(2*{sign}+1)**2", "not_private", claimed, **ends, sign=touch, defined=[{"at": at}])
            refused(whole, "K6|K8|K43")
            p = Proof(problem(f"exp(-r)*(2*{sign}+1)**2"), Steps({"sign": touch}))
            with pytest.raises(Rejected, match=r"touch zero|power of a modulus"):
                REFUTED["positive"](p)
    touch = {"kind": "touches", "box": ["1/2", "3/2"], "positive": ["2", "3"], "factor": 1}
    checked = kernel.check_bytes(forged("exp(-r)*(r-1)**2", "not_private", claimed, **ends, sign=touch))
    assert checked.claim["verdict"] == "not_private"


@pytest.mark.slow
def test_a_jump_at_a_pole_where_two_boxes_meet_is_not_called_falling() -> None:
    """exp(Min(1/(r-1), 0)) falls from 1/e to 0 before 1, is 1 behind it, and has neither a branch nor a floor."""
    cover = chain(("1/64", "1", 130), ("1", "2", 20), ("2", "16", 40))
    jumps_up = proof_of("exp(-r/10)*(1+exp(Min(1/(r-1),0)))", cover=cover)
    assert all(jumps_up.problem.on_box(a, b).du.hi <= 0 for a, b in jumps_up.boxes())
    with pytest.raises(Rejected, match=r"fall across 1$|divides by zero"):
        falls_by_slopes(jumps_up, SLOPES)
    with pytest.raises(Rejected, match=r"continuous at 1$|divides by zero"):
        falls_by_slopes(jumps_up, {**SLOPES, "drops": ["1"]})


def test_a_jump_where_the_chart_at_zero_ends_is_seen() -> None:
    """The floor falls from 1 to 0 right behind 1/64, so that f rises there by the factor e^3."""
    cover = chain(("1/64", "1", 64), ("1", "16", 60))
    rises = proof_of("exp(-r/10-3*floor(Max(1/2,3/2-32*r)))", cover=cover)
    drops = proof_of("exp(-r/10+3*floor(Max(1/2,3/2-32*r)))", cover=cover)
    for proof in (rises, drops):  # the floor is 1 on all of the chart at zero, and 0 in the tail
        p = proof.problem
        p.known["zero"] = Slope(None, Model(p.zero, {CONSTANT: Fraction(-1, 10)}))
        p.known["covered"] = [Slope(None, interval(Fraction(-1, 10)))] * len(proof.boxes())
    for named in ([], ["1/64"]):
        with pytest.raises(Rejected, match=r"fall across 1/64|continuous at 1/64"):
            falls_by_slopes(rises, {**SLOPES, "drops": named})
    falls_by_slopes(drops, {**SLOPES, "drops": ["1/64"]})


@pytest.mark.parametrize("text", ["1/w**(-1/2)", "w*w**(-5/2)", "0*w**(-1/3)", "exp(-w**(-1/2))"])
def test_a_negative_power_of_zero_is_no_value(text: str) -> None:
    """Infinity times zero, or its inverse, would be 0, and f be defined where it is not."""
    for w in ("Max(0,1-r)", "0"):
        with pytest.raises(Rejected, match=r"divides by zero|no proved sign"):
            problem(f"exp(-r)*(1+{text.replace('w', w)})").on_box(Fraction(2), Fraction(3))
    assert problem("exp(-r-sqrt(Max(0,1-r)))").on_box(Fraction(2), Fraction(3)).du.hi == -1
