"""A certificate read by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from functools import cache
from typing import Any

from dpverify.api import check, verify
from dpverify.certificate import serialise
from dpverify.classroom.exercise import Answers, Exercise, Field, Finding, Grade
from dpverify.classroom.judging import enclosed, number
from dpverify.serialise import digest

GENERATOR, TOLERANCE = "(1+y)**(-2)", "1/3"


@cache
def certificate() -> Mapping[str, Any]:
    """The certificate in hand: epsilon between 1.924 and 2.343."""
    found = verify(GENERATOR, tolerance=TOLERANCE).certificate
    assert found is not None
    return found


def claiming(upper: Fraction) -> dict[str, Any]:
    """The same proof under another claim, its digest made anew."""
    forged: dict[str, Any] = deepcopy(dict(certificate()))
    forged["claim"]["epsilon"]["upper"] = str(upper)
    del forged["digest"]
    return {**forged, "digest": digest(forged)}


def _bench() -> str:
    return json.dumps(json.loads(serialise(certificate())), indent=1)


def _grade(answers: Answers) -> Grade:
    r, far = number(answers, "radius", "the radius"), number(answers, "far", "R")
    claimed = {end: Fraction(certificate()["claim"]["epsilon"][end]) for end in ("lower", "upper")}
    low, _ = enclosed("2*log((1+(r+1)**2)/(1+r**2))", {"r": r})
    enough = Finding(low >= claimed["lower"], f"the loss at r = {r} is at least {float(low):.6f}")
    allowed, _ = enclosed("exp(u/2)-1", {"u": claimed["upper"]})
    fits = far >= 1 and 3 / far <= allowed
    least = fits and not 3 / (far - 1) <= allowed if far > 1 else fits
    said = f"3/R = {float(3 / far):.4f}, and {float(allowed):.4f} is allowed" if far else "R is 0"
    tail = Finding(far.denominator == 1 and least, said + ("" if least or not fits else "; a smaller R would do"))
    upper = number(answers, "upper", "the claim")
    report = check(claiming(upper))
    wrong = not report.accepted and report.code == "K27" and claimed["lower"] < upper
    kernel = "the kernel accepts it" if report.accepted else f"the kernel: {report.refusal()}"
    true_claim, _ = enclosed("4*log((1+sqrt(5))/2)", {})
    honest = upper >= true_claim
    told = kernel if honest else f"{kernel}; but ε is larger than {upper}"
    return Grade((enough, tail, Finding(wrong and honest, f"{upper}: {told}")))


BY_HAND = Exercise(
    name="by-hand",
    title="Read a certificate by hand",
    text=r"""
Take a certificate for f = `(1+y)**(-2)` at Δ = σ = 1 that claims 1.924 ≤ ε ≤ 2.343 (show it below). The loss is

$$\phi(r) = 2\,\log\,q(r)$$

$$q(r) = 1 + \frac{2r+1}{1+r^2}$$

1. The **witness**: name a rational radius r at which the loss is at least 1.924.
2. The **tail**: for $r \ge R \ge 1$ we have $q - 1 \le 3/R$, and $\phi \le 2.343$ needs $q - 1 \le e^{1.1715} - 1$.
   Which is the least integer R beyond which that does?
3. The **boxes**: ε is smaller than 2.343 in truth, but this proof does not say how much. Name a claim ε ≤ u that is
   **true** and that the kernel refuses all the same, with this very proof: it replays, it does not search.
""",
    fields=(
        Field("radius", "r", "a rational"),
        Field("far", "R", "an integer"),
        Field("upper", "u", "a rational below 2.343"),
    ),
    grader=_grade,
    hint=r"q is largest where $1 - r - r^2 = 0$, and there it is $1 + (1 + \sqrt{5})/2$.",
    solution=r"""
The root of $1 - r - r^2$ is 0.618, and r = 5/8 will do. $3/R \le 1.968$ first holds at R = 2. At the root q is the
square of the golden ratio, so ε is about 1.92485: u = 2 is true, and refused, since on the box from 59/128 to 99/128
the mean value form with this width shows no more. Narrower boxes prove it: ask `verify` for a smaller tolerance.
""",
    right={"radius": "5/8", "far": "2", "upper": "2"},
    links=(("tutorial/reading-a-certificate", "A certificate line by line"),),
    bench=_bench,
    bench_label="Show the certificate",
)
