"""What (eps, delta) certificates there are: a table of generators that `verify` decides, each in several dimensions,
beside delta by quadrature of the density itself.

python -m soundness.surveyed --limit 30
"""

from __future__ import annotations

import functools
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from dpverify.deadline import OutOfTime, deadline
from soundness import shards

Floats = NDArray[np.float64]
Radial = Callable[[Floats], Floats]

TABLE: tuple[tuple[str, Radial, tuple[float, ...]], ...] = (
    ("exp(-r)", lambda r: np.exp(-r), ()),
    ("exp(-sqrt(1+y))", lambda r: np.exp(-np.sqrt(1 + r * r)), ()),
    ("exp(-r)*(2+cos(r))", lambda r: np.exp(-r) * (2 + np.cos(r)), ()),
    ("exp(-r)*(3+2*sin(3*r))", lambda r: np.exp(-r) * (3 + 2 * np.sin(3 * r)), ()),
    ("exp(-r)*(2+sin(y))", lambda r: np.exp(-r) * (2 + np.sin(r * r)), ()),
    ("exp(-r)*(2+sin(log(1+r)))", lambda r: np.exp(-r) * (2 + np.sin(np.log1p(r))), ()),
    ("exp(-r)*(2-erf(r-3/4))", lambda r: np.exp(-r) * (2 - erf(r - 0.75)), ()),
    ("exp(-r)*(2+erf(r-3))", lambda r: np.exp(-r) * (2 + erf(r - 3)), ()),
    ("exp(-r)*(1-r/sqrt(1+y))", lambda r: np.exp(-r) * (1 - r / np.sqrt(1 + r * r)), ()),
    ("(1+r)*exp(-r)", lambda r: (1 + r) * np.exp(-r), ()),
    ("(1+y)*exp(-r)", lambda r: (1 + r * r) * np.exp(-r), ()),
    ("y*exp(-r)", lambda r: r * r * np.exp(-r), ()),
    ("exp(-y/2)*(1+y)", lambda r: np.exp(-r * r / 2) * (1 + r * r), ()),
    ("exp(-(r-1)**2)", lambda r: np.exp(-((r - 1) ** 2)), ()),
    ("exp(-Abs(r-1))", lambda r: np.exp(-np.abs(r - 1)), (1,)),
    ("exp(-Abs(r-2))", lambda r: np.exp(-np.abs(r - 2)), (2,)),
    ("exp(-Abs(r-1))+exp(-r)", lambda r: np.exp(-np.abs(r - 1)) + np.exp(-r), (1,)),
    ("exp(-floor(r))", lambda r: np.exp(-np.floor(r)), tuple(range(1, 40))),
    ("exp(-r)*(1+floor(r))", lambda r: np.exp(-r) * (1 + np.floor(r)), tuple(range(1, 40))),
    ("Piecewise((1, r < 1), (2*exp(-r), True))", lambda r: np.where(r < 1, 1, 2 * np.exp(-r)), (1,)),
    ("Piecewise((exp(-r), r < 1), (2*exp(-r), True))", lambda r: np.where(r < 1, 1, 2) * np.exp(-r), (1,)),
    ("Piecewise((1, r < 1), (0, True))", lambda r: np.where(r < 1, 1.0, 0.0), (1,)),
    ("Piecewise((1-r/2, r < 1), (0, True))", lambda r: np.where(r < 1, 1 - r / 2, 0.0), (1,)),
    ("Piecewise((1+r, r < 1), (0, True))", lambda r: np.where(r < 1, 1 + r, 0.0), (1,)),
    ("Max(0, 1-y)", lambda r: np.maximum(0, 1 - r * r), (1,)),
    ("1/(1+y)**8", lambda r: (1 + r * r) ** -8.0, ()),
    ("(2+cos(r))/(1+y)**7", lambda r: (2 + np.cos(r)) * (1 + r * r) ** -7.0, ()),
    ("(1+y/2)/(1+y)**8", lambda r: (1 + r * r / 2) * (1 + r * r) ** -8.0, ()),
)
"""f as text, the same over NumPy's arrays, and where it has no derivative; in no dimension is there much beyond FAR."""
DIMENSIONS, SHIFTS = (1, 2, 3, 10), 8
FAR, NEAR, ROUGHLY = 60.0, 2e-3, 1e-2
"""Up to where a density is summed; how near quadratures are to each other and to the truth, relative to delta: twice
as far where the integrand has steps that the angles do not meet."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
ANGLES = 1200


def divergence(f: Radial, d: int, epsilon: float, t: float, breaks: tuple[float, ...] = ()) -> float:
    """The integral of (p(x) - e^eps p(x - t))_+, sphere by sphere, by Gauss and Legendre and equal angles."""
    places = (b + s for b in (0.0, *breaks) for s in (-t, 0, t))
    cuts = sorted({*np.linspace(0, 8, 97), *np.linspace(8, FAR, 105), *(abs(x) for x in places if abs(x) < FAR)})
    boxes = [(a, b) for a, b in pairwise(cuts) if b - a > 1e-12]
    r = np.concatenate([(a + b) / 2 + (b - a) / 2 * NODES for a, b in boxes])
    w = np.concatenate([(b - a) / 2 * WEIGHTS for a, b in boxes]) * r ** (d - 1)
    if d == 1:
        cosines, share = np.array([-1.0, 1.0]), np.array([0.5, 0.5])
    else:
        angle = (np.arange(ANGLES) + 0.5) * np.pi / ANGLES
        cosines, share = np.cos(angle), np.sin(angle) ** (d - 2)
    total, whole, growth = 0.0, float(w @ f(r)), np.exp(epsilon)
    for part in np.array_split(np.arange(len(r)), 1 + len(r) * len(cosines) // 10**6):
        there = np.sqrt(np.maximum(0, r[part, None] ** 2 + t * t - 2 * t * r[part, None] * cosines))
        gain = np.maximum(0, f(r[part])[:, None] - growth * f(there))
        total += float(w[part] @ (gain @ share))
    return total / float(share.sum()) / whole


def truth(text: str, d: int, epsilon: float) -> float:
    """About delta(eps) for shifts up to 1: the largest divergence at some of these."""
    f, breaks = next((f, breaks) for known, f, breaks in TABLE if known == text)
    return max(divergence(f, d, epsilon, k / SHIFTS, breaks) for k in range(1, SHIFTS + 1))


def row(text: str, d: int, epsilon: str, limit: float) -> dict[str, Any]:
    """What `profile` makes of it in so many seconds of the processor, and whether that contradicts the quadrature."""
    from dpverify import check, profile

    found: dict[str, Any] = {"text": text, "d": d, "epsilon": epsilon, "wrong": None, "reason": ""}
    started = time.process_time()
    try:
        with deadline(limit, of_work=True):
            result = profile(text, dimension=d, epsilon=epsilon, certificate=True)
    except OutOfTime:
        return {**found, "outcome": "out of time", "seconds": limit}
    except Exception as error:  # a finding, which is not to end the survey
        return {**found, "outcome": "broke", "wrong": repr(error)}
    found |= {"seconds": round(time.process_time() - started, 1), "reason": result.reason}
    if result.verdict != "proved":
        return {**found, "outcome": "undecided"}
    delta, about = result.points[0].delta, truth(text, d, float(Fraction(epsilon)))
    assert not isinstance(delta, Fraction)
    off = ROUGHLY if d > 1 else NEAR
    if float(delta.lower) * (1 - off) > about or float(delta.upper) * (1 + off) < about:
        found["wrong"] = f"from {float(delta.lower):.9g} to {float(delta.upper):.9g}, by quadrature {about:.9g}"
    if result.certificate is None:
        return {**found, "outcome": "no certificate"}
    started = time.process_time()
    assert check(result.certificate)
    ends = [Fraction(result.certificate["claim"]["points"][0]["delta"][x]) for x in ("lower", "upper")]
    narrow = ends[1] - ends[0] <= ends[0] / 10**9
    return {**found, "outcome": "narrow" if narrow else "wide", "replay": round(time.process_time() - started, 2)}


def shard(seed: int, number: int, count: int, limit: float, epsilon: str) -> dict[str, Any]:
    cases = [(text, d) for text, _, _ in TABLE for d in DIMENSIONS]
    return {"rows": [row(*case, epsilon, limit) for case in cases[number * count : (number + 1) * count]]}


@click.command()
@click.option("--epsilon", default="1/2", show_default=True, help="At which eps delta is asked for.")
@click.option("--limit", default=30.0, show_default=True, help="Seconds of processor time of a profile.")
@click.option("--jobs", default=1, show_default=True, help="Processes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(epsilon: str, limit: float, jobs: int, log: Path | None) -> None:
    """Ask for a certificate of delta(eps) of every generator of the table, and confront it with a quadrature."""
    work = functools.partial(shard, limit=limit, epsilon=epsilon)
    count = len(TABLE) * len(DIMENSIONS)
    rows = [x for f in shards.run(work, seed=1, count=count, size=1, jobs=jobs, log=log) for x in f["rows"]]
    for outcome, n in Counter(x["outcome"] for x in rows).most_common():
        print(f"{n:6d}  {outcome}")
    for x in rows:
        if x["outcome"] != "narrow" or x["wrong"] or x.get("replay", 0) > 2:
            print(f"  {x['text']}, d = {x['d']}: {x['outcome']}, {x['wrong'] or x['reason']} {x.get('replay', '')}")
    sys.exit(any(x["wrong"] for x in rows))


if __name__ == "__main__":
    main()
