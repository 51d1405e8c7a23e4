"""Changes of what a certificate claims: its numbers, problem, generator and words."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Sequence
from fractions import Fraction

from soundness.corpus import Certificate
from soundness.reach import look, near, number, paths, put

FACTORS = ("exp(-y/1000000)", "exp(-y)", "(1+r)**(-1/1000)", "(1+y)", "(2+cos(r))", "r", "1/r", "(2+floor(r)-r)", "0")
PARTS = (
    *("log(-1)", "1/(r-r)", "sqrt(1-r)", "1/floor(r)", "(r-1)**0", "1/(r-2)", "log(cos(r)-2)", "1/Max(0,1-r)"),
    *("log(r)", "sqrt(r-1)", "Piecewise((1, r < 1))", "gamma(-2)", "besselk(1,-r)", "1/(Abs(r)-r)", "1/(1/(r-1))"),
)
FUNCTIONS = ("exp", "log", "sqrt", "floor", "cos", "sin", "Abs", "cosh", "tanh", "erfc", "asinh")
JUMPS = ("(1+exp(-r)*(r > 1))", "Piecewise((1, r < 300), (1/2, True))", "Piecewise((1, r > 1/9000), (9, True))")


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
