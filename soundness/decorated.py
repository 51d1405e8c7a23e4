"""Generators with parts that do not matter: such as vanish, cancel, are never chosen or never bind.

python -m soundness.decorated --seed 1 --count 200

A part has a value everywhere, in all but single radii, or on some radii alone, and stands in one generator that is
proved without it.  What is counted: proved by the prover and refused by the kernel, which must be none; and proved
private, or not private, though soundness/raw.py finds radii at which the text as typed has no value, or with another
epsilon than without the part, which must be none.
"""

from __future__ import annotations

import functools
import random
import re
import sys
import time
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import click

from dpverify.deadline import OutOfTime, deadline
from soundness import raw, shards
from soundness.unseen import filled

F = (
    *("exp(-r)", "exp(-2*r)*(1+r)", "(1+y)**-3", "exp(-sqrt(2+y))", "exp(-sqrt(2+y))+exp(-r)/3"),
    *("exp(-r)*(2+cos(r))", "exp(-floor(r))", "exp(-Max(r,2*r-1))", "exp(-r)*(2+tanh(r-1))", "1/(1+r+y)**3"),
    *("exp(-r)/(1+exp(-r))**2", "exp(-r)*(1+frac(r))", "exp(-r-cos(r)/3)", "1/cosh(r)", "exp(-sqrt(1+y))*(1+1/(1+r))"),
)
"""Generators that are proved, each in one second."""
INNER = (
    *("r-{a}", "y-{a}*r", "y-{a}", "log({a}*r)", "1-cos({a}*r)", "sin({a}*r)", "cos({a}*r)-1/3", "sqrt(1+{a}*r)-2"),
    *("log(1+log(1+{a}*y))-1/2", "exp(-{a}*r)-1/2", "atan(r)-{a}/9", "Abs(r-{a})", "tanh(r)-{a}/9", "(r-{a})**2"),
    *(
        "(r-{a})*(r-{b})",
        "r-{a}-r+{a}",
        "floor(r)-{a}",
        "Max(0,r-{a})",
        "1+r",
        "2+cos(r)",
        "1+y",
        "exp(-r)",
        "{a}+r**3",
    ),
    *("r**(3/4)-{a}", "asinh(r)-{a}/3", "erf(r)-1/2", "lambertw(r)-1/2", "y+cos(r)-{a}", "r*log(1+r)-{a}", "frac(r)"),
)
"""What is 0 nowhere, at single radii or on intervals."""
PARTS = (
    *("1/({u})", "1/({u})", "log(({u})**2)", "log({u})", "sqrt({u})", "({u})**(-3)", "({u})**0", "1/(1/({u}))"),
    *("1/log(({u})**2)", "exp(1/({u}))", "tanh(1/({u}))", "cos(1/({u}))", "({u})", "({u})/({u})", "1/log({u})"),
    *("sign({u})", "Piecewise((1,({u})<0),(2,({u})>0))", "exp(-1/({u})**2)", "atan(1/({u}))", "1/(2+cos(1/({u})))"),
)
NOTHING = ("0*{p}", "({p})-({p})", "0*{p}*exp(-r)", "0*cos({p})", "{p}*0", "0*Abs({p})", "0*exp({p})", "0*({p})**2")
ONE = (
    *("({p})**0", "({p})/({p})", "exp({p})*exp(-({p}))", "2**(0*{p})", "(1+0*{p})", "exp(0*{p})", "cos(0*{p})"),
    *("Min(1,2+exp({p}))", "Max(1,-exp({p}))", "Max(1,tanh({p}))", "(2+cos({p}))/(2+cos({p}))", "Min(1,2+({p})**2)"),
    *(
        "(3+tanh({p}))/(3+tanh({p}))",
        "Piecewise((1,r>0),({p},True))",
        "Piecewise((1,0*{p}<1),(2,True))",
        "(1/(1+0*{p}))",
    ),
    *("Piecewise((1,({p})**2>=0),(3,True))", "Heaviside(1+exp({p}))", "sign(1+({p})**2)", "floor(1+0*{p})"),
    *("Min(1,1+exp({p}))", "Max(1,1-exp({p}))", "(1+({p})**2)/(1+({p})**2)", "log(exp(1+0*{p}))", "Min(1,3+cos({p}))"),
)
AROUND = (
    *("({f})+{z}", "({f})*{o}", "({f})*{o}", "({f})/{o}", "1/(1/({f})+{z})", "Piecewise(({f},{z}<1),(1,True))"),
    *("({f})*(1+{z})", "exp(log({f})+{z})", "({f})**{o}", "Max({f},{z})", "Min({f},({f})*(1+{o}))", "({f})*exp({z})"),
    *("Min({f},({f})+exp({p}))", "Max({f},({f})-exp({p}))", "({f})+{z}*{o}", "Piecewise(({f},r>0),({p},True))"),
    *("Piecewise((({f})*{o},r<3),(({f})+{z},True))", "Piecewise(({f},1+{z}>r-r),({p},True))", "sqrt(({f})**2+{z})"),
    *("Piecewise((2,({z}>1)&(r<2)),({f},True))", "Max({f},-exp({p}))", "Min({f},({f})+({p})**2)", "({f})*{o}*{o}"),
)


def decorated(rnd: random.Random) -> tuple[str, str]:
    """A generator, and the same with a part that does not matter."""

    def part(text: str) -> str:
        if "{p}" in text:
            p = rnd.choice(PARTS).format(u=filled(rnd, rnd.choice(INNER)))
            text = text.replace("{p}", p if re.fullmatch(r"\w+\([^()]*\)", p) else f"({p})")
        return text

    f = rnd.choice(F)
    text = rnd.choice(AROUND).replace("{f}", f)
    while "{z}" in text or "{o}" in text:
        text = text.replace("{z}", part(rnd.choice(NOTHING)), 1)
        text = text.replace("{o}", part(rnd.choice(ONE)), 1)
    return f, part(text)


@cache
def plainly(f: str) -> tuple[Fraction, Fraction]:
    """The ends of the epsilon without the part."""
    from dpverify import verify

    found = verify(f, dimension=2).epsilon
    assert found is not None
    return found.lower, found.upper


def row(f: str, text: str, limit: float) -> dict[str, Any]:
    """What became of one generator, within `limit` seconds of the processor, and what is wrong with that."""
    from dpverify import InputError, verify

    found: dict[str, Any] = {"text": text, "refused": False, "wrong": "", "reason": ""}
    started = time.process_time()
    try:
        with deadline(limit, of_work=True):
            result = verify(text, dimension=2)
    except OutOfTime:
        return {**found, "verdict": "undecided", "reason": "time", "seconds": limit}
    except InputError as error:
        return {**found, "verdict": "not read", "reason": str(error), "seconds": 0.0}
    found |= {"verdict": result.verdict, "seconds": round(time.process_time() - started, 2)}
    if result.verdict == "undecided":
        reason = str(result.reason)
        return {**found, "reason": reason, "refused": "checker did not accept" in reason}
    names = {"d": Fraction(2)}
    gap = raw.missing(text, names)
    if result.verdict == "invalid":
        step = (result.certificate or {}).get("proof", {}).get("undefined")
        if gap is None and step:
            gap = raw.missing(text, names, (Fraction(step["box"][0]), Fraction(step["box"][1])))
        known = gap is not None or result.hypotheses.defined.status != "refuted"
        return {**found, "wrong": "" if known else "it has a value at each radius tried"}
    if gap is not None:
        return {**found, "wrong": f"it has no value about {float(gap)}"}
    if result.epsilon is None:
        return found
    low, high = plainly(f)
    apart = result.epsilon.lower > high or result.epsilon.upper < low
    return {**found, "wrong": f"epsilon is another than without the part: {result.epsilon}" if apart else ""}


def shard(seed: int, number: int, count: int, limit: float = 10.0) -> dict[str, Any]:
    rnd = random.Random(f"decorated {seed}/{number}")
    return {"rows": [row(*decorated(rnd), limit) for _ in range(count)]}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the generators.")
@click.option("--count", default=200, show_default=True, help="How many generators.")
@click.option("--jobs", default=1, show_default=True, help="Processes.")
@click.option("--limit", default=10.0, show_default=True, help="Seconds of processor time of a proof.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, limit: float, log: Path | None) -> None:
    """Prove decorated generators; none may be proved and refused, or proved and wrong."""
    work = functools.partial(shard, limit=limit)
    rows = [x for f in shards.run(work, seed=seed, count=count, size=10, jobs=jobs, log=log) for x in f["rows"]]
    for verdict, n in Counter(x["verdict"] for x in rows).most_common():
        print(f"{n:6d}  {verdict}")
    refused, wrong = [x for x in rows if x["refused"]], [x for x in rows if x["wrong"]]
    undecided = [x for x in rows if x["verdict"] == "undecided" and not x["refused"]]
    for title, some in (("undecided", undecided), ("proved and refused", refused), ("wrong", wrong)):
        print(f"{len(some)} {title}:")
        for x in some:
            print(f"  {x['text']}: {x['wrong'] or x['reason']}")
    sys.exit(bool(refused or wrong))


if __name__ == "__main__":
    main()
