"""Changes of the steps of a proof: its boxes, ends, rules, hypotheses and witnesses, and parts of other proofs."""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dpverify.kernel import SECTIONS
from dpverify.kernel.rules import RULES
from dpverify.kernel.sections.charts import Subject
from soundness.corpus import Certificate, without_value
from soundness.of_claim import PARTS, shifted_number, tighter_epsilon
from soundness.reach import look, near, number, paths, put


def other_boxes(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    lists = [p for p in paths(c["proof"]) if isinstance(look(c["proof"], p), list) and len(look(c["proof"], p)) > 1]
    if not lists:
        return shifted_number(rnd, c, others)
    points = look(c["proof"], rnd.choice(lists))
    i, what = rnd.randrange(len(points)), rnd.randrange(7)
    if what == 0:
        del points[i]
    elif what == 1:
        points.insert(i, copy.deepcopy(points[i]))
    elif what == 2:
        j = rnd.randrange(len(points))
        points[i], points[j] = points[j], points[i]
    elif what == 3 and isinstance(points[i], str):
        points[i] = str(near(rnd, number(points[i]) or Fraction(0)))
    elif what == 4:
        del points[1:-1]
    elif what == 5:
        points[:] = points[:: rnd.randint(2, 5)] + points[-1:]
    elif all(isinstance(p, str) for p in points[:1]):
        points.insert(0, str((number(points[0]) or Fraction(1)) - rnd.choice((1, Fraction(1, 10**6)))))


def other_ends(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    end = c["proof"][rnd.choice(("zero", "infinity"))]
    if rnd.random() < 0.5:
        end["order"] = rnd.choice((1, 2, 3, 4, 6, 8, 12, 24, 25, 0, -1))
    else:
        end["radius"] = str(Fraction(end["radius"]) * Fraction(2) ** rnd.randint(-12, 12))


def other_ways(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Nodes evaluated in another way than they were, on a kind of chart."""
    for _ in range(rnd.choice((1, 1, 2, 6))):
        ways = c["proof"].setdefault("ways", {}).setdefault(rnd.choice(("zero", "boxes", "infinity")), {})
        number = str(rnd.randint(0, 24))
        if number in ways and rnd.random() < 0.5:
            del ways[number]
        else:
            ways[number] = rnd.choice(("logs", "value", "value", "logs", "", "log"))


def other_rules(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Another list of rules, which is left as it is."""
    listed = c["rules"]
    section, what = rnd.choice(list(listed)), rnd.randrange(7)
    numbers = listed[section]
    if what == 0:
        del numbers[rnd.randrange(len(numbers))]
    elif what == 1:
        numbers.append(rnd.choice(list(RULES)))
    elif what == 2:
        numbers.append(rnd.choice(numbers))
    elif what == 3:
        listed[rnd.choice(("core", *SECTIONS))] = listed.pop(section)
    elif what == 4:
        del listed[section]
    elif what == 5:
        listed[rnd.choice(SECTIONS)] = [rnd.choice(list(RULES))]
    else:
        c["rules"] = copy.deepcopy(rnd.choice(others)["rules"])


def other_defined(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Needs met by another rule, of a text with more needs; or the claim that one is not met."""
    claim, proof = c["claim"], c["proof"]
    if claim["hypotheses"]["defined"] == "refuted":
        step = proof["undefined"]
        if rnd.random() < 0.4:
            step["need"] = rnd.choice((0, 1, 2, 3, -1, True))
        else:
            a = Fraction(rnd.randint(1, 60), rnd.choice((1, 7, 10)))
            step["box"] = [str(a), str(a + Fraction(1, 10 ** rnd.randint(0, 9)))]
        return
    if rnd.random() < 0.3:
        a = Fraction(rnd.randint(1, 60), rnd.choice((1, 7, 10)))
        c["proof"] = {"undefined": {"need": rnd.randint(0, 2), "box": [str(a), str(a + 1)]}}
        same = {key: claim[key] for key in ("generator", "parameters", "dimension", "sensitivity", "scale")}
        claim |= {**without_value(""), **same}
    if rnd.random() < 0.8:
        part = rnd.choice(PARTS)
        texts = ("({0})+0*{1}", "({0})*({1})**0", "Max(({0}),({0})*0*{1})", "({0})*(2+cos({1}))/(2+cos({1}))")
        claim["generator"] = rnd.choice(texts).format(claim["generator"], part)
    if "undefined" not in c["proof"]:
        count = needs(claim)
        radii = [None, None, "1", "2", "1/2", "7/5", "100"]
        proof["defined"] = [{"at": rnd.choice(radii)} for _ in range(count)]


def needs(claim: Certificate) -> int:
    try:
        return len(Subject(claim).reader.needs)
    except Exception:
        return 1


WORDS: dict[str, Sequence[Any]] = {
    "decreasing": ("form", {"drops": [], "phase_drops": None}, {"drops": ["2"], "phase_drops": []}),
    "integrable": (
        *({"tail": t, "boxes": b} for t in ("logs", "values") for b in ("logs", "values")),
        *({"diverges": e} for e in ("tail", "centre")),
    ),
    "sign": (
        *({"kind": "negative", "box": ["1", "2"], "by": by} for by in ("value", "factors")),
        {"kind": "centre"},
        {"kind": "vanishes", "box": ["1", "2"], "positive": ["1/2", "1"]},
        *({"kind": "touches", "box": ["1/2", "3/2"], "positive": ["2", "3"], "factor": i} for i in (0, 1, 2)),
    ),
    "rise": (["1", "2"], ["1/2", "9/2"], ["9/10", "11/10"]),
    "limsup": ({}, {"phases": ["0", "7"]}, {"phases": ["0", "1/2", "1", "3/2", "2"]}),
}


def other_steps(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """A hypothesis by another rule, a step left out, or one that is not needed."""
    proof, what = c["proof"], rnd.randrange(6)
    if what < 3:
        name = rnd.choice([n for n in WORDS if n in proof] or list(WORDS))
        proof[name] = copy.deepcopy(rnd.choice(WORDS[name]))
        if name == "sign" and rnd.random() < 0.5:
            a = Fraction(rnd.randint(1, 60), rnd.choice((1, 7, 10)))
            proof[name]["box"] = [str(a), str(a + Fraction(1, 10 ** rnd.randint(0, 9)))]
    elif what == 3 and "supremum" in proof and "rules" in proof["supremum"]:
        step = proof["supremum"]
        field = "phase_rules" if "phase_rules" in step and rnd.random() < 0.5 else "rules"
        step[field] = ["".join(rnd.choice((letter, *"rmh")) for letter in word) for word in step[field]]
    elif what == 3 and "supremum" in proof:
        proof["supremum"]["near_zero"] = rnd.choice(("models", "slopes"))
    elif what == 4:
        del proof[rnd.choice(list(proof))]
    else:
        name, step = rnd.choice([item for o in others for item in o["proof"].items() if item[0] not in proof])
        proof[name] = copy.deepcopy(step)


def other_witness(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    a = Fraction(rnd.randint(0, 300), rnd.choice((1, 7, 100)))
    shift = rnd.choice((c["claim"]["sensitivity"], "1/2", "1", "2", "0", "-1"))
    c["proof"]["witness"] = {
        "near": (near := rnd.choice(("box", "box", "zero", "infinity"))),
        "box": [str(a), str(a + Fraction(1, 10 ** rnd.randint(0, 9)))] if near == "box" else None,
        "shift": shift if near == "box" else None,
    }
    tighter_epsilon(rnd, c, others)


def other_phase(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    phase = c["proof"].get("phase")
    if phase is None:
        donors = [o for o in others if "phase" in o["proof"]]
        c["proof"]["phase"] = copy.deepcopy(rnd.choice(donors)["proof"]["phase"])
        return
    what = rnd.randrange(4)
    if what == 0:
        phase["turns"] = not phase["turns"]
    elif what == 1:
        phase["frequency"] = rnd.choice(
            ("1/2", "1", "2", "3", "6", "1/3", str(near(rnd, Fraction(phase["frequency"]))))
        )
    elif what == 2:
        phase["peak"] = str(Fraction(rnd.randint(-5, 70), 10))
    else:
        phase["cover"] = phase["cover"][: rnd.randint(1, len(phase["cover"]))]


def swapped(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    other = copy.deepcopy(rnd.choice(others))
    if rnd.random() < 0.3:
        c["proof"] = other["proof"]
    else:
        key = rnd.choice(list(c["proof"]))
        c["proof"][key] = other["proof"][rnd.choice((key, key, rnd.choice(list(other["proof"]))))]


def within(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Two parts of one proof exchanged."""
    where = [p for p in paths(c) if p[0] in ("claim", "proof")]
    a, b = rnd.choice(where), rnd.choice(where)
    if a[: len(b)] != b and b[: len(a)] != a:
        x, y = copy.deepcopy(look(c, a)), copy.deepcopy(look(c, b))
        put(c, a, y)
        put(c, b, x)
