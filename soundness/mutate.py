"""Nasty changes to certificates: of the claim, of the proof's steps, of types, and of bytes."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from dpverify.certificate import digest
from dpverify.certificate.seal import by_section
from dpverify.kernel import SECTIONS
from dpverify.kernel import certificate as kernel
from dpverify.kernel.rules import RULES, Ledger, Rejected
from dpverify.kernel.sections.charts import Subject
from soundness.corpus import FAST, Certificate, without_value

Path = tuple[Any, ...]
NASTY: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**63, 0.5, 1e300, float("nan"), float("inf"), [], {}, [[]], "", " ", "\u0663"),
    *("0", "1", "-1", "1/0", "0/1", "2/4", "-0", "+1", "1/-2", "-1/2", "1e5", "1E-5", "0.5", ".5", "1.", "1_0", "01"),
    *("nan", "inf", "-inf", "Infinity", "NaN", "0x10", "\uff11", "1/1", "1\n", " 1", "1/10000000000", "9" * 400),
    *("1/" + "9" * 400, "9" * 2500, "proved", "refuted", "undecided", "private", "Theorem 3", "Theorem A", "zero"),
    *("infinity", "box", "negative", "vanishes", "centre", "\ud800", "\x00", "\x1b[31m", "K1", "K999", "core"),
    *("form", "logs", "values", "value", "factors", "touches", "tail", "models", "slopes", "r", "m", "h", "rmh"),
)
FACTORS = ("exp(-y/1000000)", "exp(-y)", "(1+r)**(-1/1000)", "(1+y)", "(2+cos(r))", "r", "1/r", "(2+floor(r)-r)", "0")
PARTS = (
    *("log(-1)", "1/(r-r)", "sqrt(1-r)", "1/floor(r)", "(r-1)**0", "1/(r-2)", "log(cos(r)-2)", "1/Max(0,1-r)"),
    *("log(r)", "sqrt(r-1)", "Piecewise((1, r < 1))", "gamma(-2)", "besselk(1,-r)", "1/(Abs(r)-r)", "1/(1/(r-1))"),
)
FUNCTIONS = ("exp", "log", "sqrt", "floor", "cos", "sin", "Abs", "cosh", "tanh", "erfc", "asinh")
JUMPS = ("(1+exp(-r)*(r > 1))", "Piecewise((1, r < 300), (1/2, True))", "Piecewise((1, r > 1/9000), (9, True))")


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """The places in a certificate."""
    if at:
        yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths(inner, (*at, key))


def look(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def put(certificate: Certificate, path: Path, value: Any) -> None:
    look(certificate, path[:-1])[path[-1]] = value


def number(text: Any) -> Fraction | None:
    exact = isinstance(text, str) and re.fullmatch(r"-?[0-9]{1,500}(/[1-9][0-9]{0,499})?", text)
    return Fraction(text) if exact else None


def near(rnd: random.Random, value: Fraction) -> Fraction:
    """A number near another, by a relative change from 1/10 down to 1e-15, or of another size."""
    if rnd.random() < 0.15:
        return value * rnd.choice((2, 10, 1000, Fraction(1, 2), Fraction(1, 1000), -1)) + rnd.choice((0, 0, 1, -1))
    change = Fraction(rnd.choice((-1, 1)), 10 ** rnd.randint(1, 15))
    return value * (1 + change) if value else change


def shifted_number(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    where = [p for p in paths(c) if p[0] in ("claim", "proof") and number(look(c, p)) is not None]
    path = rnd.choice(where)
    put(c, path, str(near(rnd, number(look(c, path)) or Fraction(0))))


def tighter_epsilon(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    field = "epsilon" if c["claim"]["epsilon"] else "tail_log_ratio"
    if c["claim"][field] is None:
        c["claim"]["epsilon"], c["claim"]["theorem"] = (
            {"lower": "0", "upper": "10"},
            rnd.choice(("Theorem 3", "Theorem A")),
        )
        return
    low, high = (Fraction(c["claim"][field][k]) for k in ("lower", "upper"))
    step = (high - low) * Fraction(rnd.randint(-30, 30), 10) + rnd.choice((0, Fraction(1, 10 ** rnd.randint(1, 13))))
    if rnd.random() < 0.6:
        c["claim"][field]["upper"] = str(high - step)
        c["claim"][field]["lower"] = str(min(low, high - step)) if rnd.random() < 0.8 else str(low)
    else:
        c["claim"][field]["lower"] = str(low + step)
        c["claim"][field]["upper"] = str(max(high, low + step)) if rnd.random() < 0.8 else str(high)
    c["claim"]["closed_form"] = None if rnd.random() < 0.7 else c["claim"]["closed_form"]


def another_problem(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    claim = c["claim"]
    what = rnd.randrange(5)
    if what == 0:
        claim["dimension"] = rnd.choice((1, 2, 3, 4, 7, 100, 10**6))
    elif what in (1, 2):
        key = rnd.choice(("sensitivity", "scale"))
        claim[key] = str(abs(near(rnd, Fraction(claim[key]))))
    elif what == 3 and claim["parameters"]:
        key = rnd.choice(list(claim["parameters"]))
        claim["parameters"][key] = str(near(rnd, Fraction(claim["parameters"][key])))
    else:
        claim["parameters"][rnd.choice(("x", "nu", "y", "r", "pi", "delta", "d", "\u03bd"))] = "3"
    reform(rnd, claim, 0.5)


def reform(rnd: random.Random, claim: Certificate, share: float) -> None:
    """Leave out the closed form, where there may be one, as often as the share says."""
    if "closed_form" in claim and rnd.random() < share:
        claim["closed_form"] = None


def another_generator(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    field = "mixing" if "mixing" in c["claim"] else "generator"
    text = c["claim"][field]
    numbers = list(re.finditer(r"[0-9]+", text))
    what = rnd.randrange(8)
    if what == 0:
        other = rnd.choice(others)["claim"]
        text, c["claim"]["parameters"] = other[field], dict(other["parameters"])
    elif what == 1 and numbers:
        at = rnd.choice(numbers)
        text = f"{text[: at.start()]}{max(0, int(at.group()) + rnd.choice((-2, -1, 1, 2, 10)))}{text[at.end() :]}"
    elif what == 2:
        text = f"({text})*{rnd.choice(FACTORS)}"
    elif what == 3:
        text = f"({text})+{rnd.choice(FACTORS)}"
    elif what == 4:
        text = f"({text})*{rnd.choice(JUMPS)}"
    elif what == 7:
        part = rnd.choice(PARTS)
        text = rnd.choice((f"({text})+0*{part}", f"({text})*({part})**0", f"({text})*(1+exp({part}))/(1+exp({part}))"))
    elif what == 5:
        text = re.sub(rnd.choice(("exp", "log", "sqrt", "cos", "floor")), rnd.choice(FUNCTIONS), text, count=1)
    else:
        at_sign = rnd.choice([m.start() for m in re.finditer(r"[-+*/<]", text)] or [0])
        text = text[:at_sign] + rnd.choice("-+*/<>,.") + text[at_sign + 1 :]
    c["claim"][field] = text if field == "generator" else re.sub(r"\b[ry]\b", "v", text)
    reform(rnd, c["claim"], 0.7)


def other_words(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    claim = c["claim"]
    what = rnd.randrange(4)
    if what == 0:
        claim["verdict"] = rnd.choice(("private", "not_private", "invalid"))
    elif what == 1:
        claim["theorem"] = rnd.choice(("Theorem 3", "Theorem A", None))
    elif what == 2:
        claim["closed_form"] = rnd.choice((None, "delta", "2*delta", "log(2)", "delta**2", "sqrt(2)*delta", "1/0"))
    name = rnd.choice(list(claim["hypotheses"]))
    if what == 3 or rnd.random() < 0.3:
        claim["hypotheses"][name] = rnd.choice(("proved", "refuted", "undecided"))
    if claim["verdict"] == "private" and claim["epsilon"] is None:
        claim["epsilon"], claim["theorem"] = {"lower": "0", "upper": "1000"}, rnd.choice(("Theorem 3", "Theorem A"))
        claim["hypotheses"] = dict.fromkeys(claim["hypotheses"], "proved")
    elif claim["verdict"] != "private" and rnd.random() < 0.8:
        claim["epsilon"] = claim["theorem"] = claim["closed_form"] = None


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


def nasty(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    path = rnd.choice(list(paths(c)))
    value = rnd.choice(NASTY)
    put(c, path, value if rnd.random() < 0.8 else [look(c, path)])


def fields(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    path = rnd.choice([p for p in paths(c) if isinstance(p[-1], str)])
    if rnd.random() < 0.6:
        del look(c, path[:-1])[path[-1]]
    else:
        look(c, path[:-1])[rnd.choice(("extra", path[-1].upper(), path[-1] + " ", "shift", "box"))] = look(c, path)


def other_points(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Other bounds of a delta or an eps, by much or by little, at the same eps or at another."""
    claim, what = c["claim"], rnd.randrange(8)
    k = rnd.randrange(len(claim["points"]))
    delta = claim["points"][k]["delta"]
    low, high = (Fraction(delta[end]) for end in ("lower", "upper"))
    if what < 3:
        step = (high - low) * Fraction(rnd.randint(-30, 30), 10) + high * Fraction(rnd.choice((0, 1)), 10**11)
        ends = sorted((low + step, high + step)) if what else (max(low + step, high - step), max(low + step, high))
        claim["points"][k]["delta"] = {"lower": str(ends[0]), "upper": str(ends[1])}
    elif what == 3:
        claim["points"][k]["epsilon"] = str(abs(near(rnd, Fraction(claim["points"][k]["epsilon"]))))
    elif what == 4:
        claim["points"].append({"epsilon": str(Fraction(rnd.randint(0, 30), 10)), "delta": dict(delta)})
        if "profile" in c["proof"]:
            c["proof"]["profile"]["points"].append(rnd.choice(("pure", *c["proof"]["profile"]["points"])))
    elif what == 5:
        other = copy.deepcopy(rnd.choice(claim["points"]))
        claim["points"].append(other)
        if "profile" in c["proof"]:
            c["proof"]["profile"]["points"].append(copy.deepcopy(rnd.choice(c["proof"]["profile"]["points"])))
    else:
        ends = sorted(Fraction(rnd.choice(claim["points"])["epsilon"]) for _ in range(2))
        target = rnd.choice((low, high, near(rnd, high), Fraction(0)))
        quantile = {"delta": str(target), "epsilon": {"lower": str(ends[0]), "upper": str(ends[1])}}
        claim["quantiles"] = [*claim["quantiles"], quantile] if rnd.random() < 0.5 else [quantile]


def other_panels(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Other sets on the panels of a profile, other panels, boundaries and joints."""
    step = c["proof"]["profile"]
    k, what = rnd.randrange(len(step["points"])), rnd.randrange(9)
    point = step["points"][k]
    if what == 0 or not isinstance(point, dict):
        step["points"][k] = rnd.choice(("pure", copy.deepcopy(rnd.choice(step["points"]))))
        return
    if what == 1:
        step["order"] = rnd.choice((1, 2, 3, 4, 5, 7, 12))
        return
    side = rnd.choice(("left", "right")) if "left" in point else "marks"
    sets = f"{side}_sets" if "left" in point else "sets"
    marks = point[side] if rnd.random() < 0.8 else step["mass"]
    i = rnd.randrange(len(point[sets]))
    if what in (2, 3):
        word = rnd.choice("ef" if "left" in point else "efcs")
        point[sets] = point[sets][:i] + word + point[sets][i + 1 :]
        if "boundaries" in point:
            given = {"e": [], "f": [], "s": [str(Fraction(rnd.randint(1, 60), 20))]}
            point["boundaries"][i] = given.get(word, rnd.choice(point["boundaries"]))
    elif what == 4:
        j = rnd.randrange(1, len(marks) - 1)
        marks[j] = str(near(rnd, Fraction(marks[j])))
    elif what == 5:
        j = rnd.choice((0, len(marks) - 1, rnd.randrange(len(marks))))
        del marks[j]
        if marks is point[side]:
            point[sets] = point[sets][:j] + point[sets][j + 1 :]
            if "boundaries" in point:
                del point["boundaries"][min(j, len(point["boundaries"]) - 1)]
    elif what == 6 and point.get("boundaries"):
        boundary = rnd.choice([b for b in point["boundaries"] if b])
        j = rnd.choice((0, rnd.randrange(len(boundary))))
        boundary[j] = str(near(rnd, Fraction(boundary[j])))
    elif what == 7 and point.get("joints"):
        joint = rnd.choice(point["joints"])
        if rnd.random() < 0.5:
            point["joints"].remove(joint)
        else:
            joint["rules"] = "".join(rnd.choice("tc") for _ in joint["rules"])
    else:
        marks.append(str(Fraction(marks[-1]) * 2))
        if marks is point[side]:
            point[sets] += rnd.choice("ef")
            point.get("boundaries", []).append([])


def other_parts(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """A composition of other parts, or of parts that are themselves changed and sealed anew."""
    listed, given, what = c["claim"]["parts"], c["proof"]["parts"], rnd.randrange(6)
    part = rnd.choice(listed)
    if what == 0:
        part["times"] = rnd.choice((1, 2, part["times"] + 1, part["times"] - 1, 0, 30))
    elif what == 1 and "sampling" in part:
        rate = rnd.choice(("1/2", "1/10", "99/100", "1", "0"))
        part["sampling"] = rnd.choice((None, {"kind": rnd.choice(("poisson", "fixed")), "rate": rate}))
    elif what == 1:
        part["epsilon"] = str(near(rnd, Fraction(part["epsilon"])))
    elif what == 2:
        listed.append(dict(part)) if rnd.random() < 0.5 else listed.remove(part)
    else:
        old = part["digest"]
        inner = copy.deepcopy(given[old]) if what < 5 else copy.deepcopy(rnd.choice(others))
        if what < 5:
            CHANGES[rnd.choice(list(WEIGHTS))](rnd, inner, others)
            refreshed(inner)
        inner["digest"] = digest(inner)
        given[inner["digest"]] = inner
        for other in listed:
            if other["digest"] == old:
                other["digest"] = inner["digest"]
        if rnd.random() < 0.9:
            given.pop(old, None)
        claimed = inner["claim"].get("epsilon")
        if claimed and rnd.random() < 0.5:
            part["epsilon"] = claimed["upper"]


def other_panels_of_law(rnd: random.Random, law: Any) -> None:
    """Marks moved or left out, another order, another end."""
    marks, what = law["marks"], rnd.randrange(5)
    i = rnd.choice((0, -1, rnd.randrange(len(marks))))
    if what == 0:
        law["ends"][rnd.choice(("zero", "infinity"))] = rnd.choice(("power", "nothing"))
    elif what == 1:
        law["order"] = rnd.choice((1, 2, 4, 9, 20))
    elif what == 2:
        marks[i] = str(near(rnd, Fraction(marks[i])))
    elif what == 3:
        del marks[i]
    else:
        marks[:] = marks[: rnd.randrange(2, len(marks) + 1)]


def other_law(rnd: random.Random, c: Certificate, others: Sequence[Certificate]) -> None:
    """Other panels of a mixing law, other radii at which they count, other rules of the boxes, another end or tail."""
    proof, what = c["proof"], rnd.randrange(8)
    if "law" not in proof:
        step = proof["refutation"]
        step[rnd.choice(("by", "zero"))] = rnd.choice(("pole", "tail", "bound", "logs", "nothing"))
        return
    if "supremum" not in proof:
        other_panels_of_law(rnd, proof["law"])
        return
    law, supremum = proof["law"], proof["supremum"]
    marks = rnd.choice((law["marks"], supremum["cover"], proof["cover"]))
    i = rnd.randrange(len(marks))
    if what == 0:
        law["ends"][rnd.choice(("zero", "infinity"))] = rnd.choice(("power", "nothing", "exponential"))
    elif what == 1:
        law["order"] = rnd.choice((1, 2, 4, 9, 20))
    elif what == 2:
        marks[i] = str(near(rnd, Fraction(marks[i])))
    elif what == 3:
        del marks[i]
        if marks is supremum["cover"]:
            supremum["rules"] = supremum["rules"][:i] + supremum["rules"][i + 1 :]
    elif what == 4:
        pair = proof["windows"][rnd.choice(list(proof["windows"]))]
        pair[rnd.randrange(2)] += rnd.choice((-20, -1, 1, 20))
    elif what == 5:
        k = rnd.randrange(len(supremum["rules"]))
        supremum["rules"] = supremum["rules"][:k] + rnd.choice("rsct") + supremum["rules"][k + 1 :]
    elif what == 6:
        tail = supremum["tail"]
        key = rnd.choice(list(tail))
        tail[key] = rnd.choice((str(near(rnd, Fraction(tail[key]))), "0", rnd.choice(law["marks"])))
    else:
        proof["witness"] = rnd.choice(
            (
                {"radius": rnd.choice(list(proof["windows"])), "rate": None},
                {"radius": None, "rate": str(near(rnd, Fraction(1, 2)))},
            )
        )


CHANGES: dict[str, Callable[[random.Random, Certificate, Sequence[Certificate]], None]] = {
    "a number shifted": shifted_number,
    "epsilon moved": tighter_epsilon,
    "another problem": another_problem,
    "another generator": another_generator,
    "other words": other_words,
    "other boxes": other_boxes,
    "other ends": other_ends,
    "other ways": other_ways,
    "other rules": other_rules,
    "other needs": other_defined,
    "other steps": other_steps,
    "another witness": other_witness,
    "another phase": other_phase,
    "parts of another proof": swapped,
    "parts exchanged": within,
    "a nasty value": nasty,
    "fields": fields,
    "other points": other_points,
    "other panels": other_panels,
    "other parts": other_parts,
    "other law": other_law,
}
WEIGHTS = dict(zip(CHANGES, (3, 3, 2, 3, 2, 3, 2, 1, 1, 3, 2, 2, 1, 2, 1, 2, 1), strict=False))
OF_KINDS = {
    "profile": ("other points", "other panels"),
    "composition": ("other points", "other parts"),
    "releases": ("other points", "other parts"),
    "mixture profile": ("other points", "another generator", "other law"),
    "mixture": ("epsilon moved", "another generator", "other law"),
}
"""The changes of claims of another kind than that of an epsilon: twice as often as all others."""


def bytewise(rnd: random.Random, data: bytes) -> bytes:
    """A few bytes altered, cut out, doubled or moved."""
    raw = bytearray(data)
    for _ in range(rnd.choice((1, 1, 2, 5))):
        i = rnd.randrange(len(raw))
        j = min(len(raw), i + rnd.randint(1, 12))
        what = rnd.randrange(5)
        if what == 0:
            raw[i] ^= 1 << rnd.randrange(8)
        elif what == 1:
            raw[i] = rnd.choice(b'0123456789-/".[]{},: eE\\\xff\x00')
        elif what == 2:
            del raw[i:j]
        elif what == 3:
            raw[i:i] = raw[i:j]
        else:
            at = rnd.randrange(len(raw))
            raw[at:at] = raw[i:j]
        raw = raw or bytearray(b" ")
    return bytes(raw)


def mutant(
    rnd: random.Random, certificates: Sequence[Certificate], weights: Sequence[float] | None = None
) -> tuple[str, Certificate, bytes]:
    """The kind of change, the certificate before it, and the bytes after it, with a fresh digest where they parse."""
    weights = weights or [10 if i < FAST else 1 for i in range(len(certificates))]
    original = rnd.choices(certificates, weights)[0]
    if rnd.random() < 0.15:
        data = bytewise(rnd, json.dumps(original).encode())
        if rnd.random() < 0.3:
            return "bytes", original, data
        try:
            changed = json.loads(data)
            return "bytes, fresh digest", original, sealed(changed)
        except (ValueError, RecursionError):
            return "bytes", original, data
    changed = copy.deepcopy(original)
    count = rnd.choice((1, 1, 1, 2, 3))
    names: list[str] = rnd.choices(list(WEIGHTS), list(WEIGHTS.values()), k=count)
    if "kind" in original["claim"]:
        own = OF_KINDS[original["claim"]["kind"]]
        names = [rnd.choice(own) if rnd.random() < 2 / 3 else name for name in names]
    for name in names:
        try:
            CHANGES[name](rnd, changed, certificates)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError, ArithmeticError):
            break  # an earlier change took away what this one needs
    if "other rules" not in names and rnd.random() < 0.85:
        refreshed(changed)
    return names[0], original, sealed(changed)


def refreshed(certificate: Any) -> None:
    """List the rules that the changed proof enters, up to its end or to where it fails, and what it assumes, so
    that what fails is no list; a certificate that cannot be replayed at all is left as it is."""
    ledger = Ledger()
    try:
        certificate["assumptions"] = kernel.replay(certificate["claim"], certificate["proof"], ledger)
    except (Rejected, ArithmeticError, RecursionError, ValueError):
        pass
    except Exception:
        return  # the kernel is asked again by whoever judges the mutant
    if ledger.used and isinstance(certificate, dict):
        certificate["rules"] = by_section(ledger.used)


def sealed(certificate: Any) -> bytes:
    """The certificate's bytes, its digest made to fit, so that the real checks are tried."""
    if isinstance(certificate, dict):
        certificate["digest"] = digest(certificate)
    return json.dumps(certificate).encode()
