"""What is still undecided: plausible generators of many shapes, each with a limit, counted by the reason.

python -m soundness.unseen --seed 1 --count 200
python -m soundness.unseen --seed 1 --count 200 --maker typed
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from dpverify.deadline import OutOfTime, deadline
from soundness import shards, typed
from soundness.differential import searched

NUMBERS = ("1", "2", "3", "1/2", "1/3", "3/4", "5", "7/2", "1/10", "20", "sqrt(2)", "pi/3", "2/7")
POTENTIALS = (
    *("{a}*r", "{a}*sqrt({b}+y)", "{a}*log(1+{b}*y)", "{a}*log1p({b}*r)", "r**(3/4)", "{a}*r**(1/3)", "asinh({a}*r)"),
    *("r*atan({a}*r)", "r*tanh({a}*r)", "r*erf({a}*r)"),
    *("{a}*r*log1p(r)/(1+log1p(r))", "y/({a}+r)", "log(cosh({a}*r))"),
    *("Min({a}*r,{b}*y)", "Max({a}*r,{b}*r+1/2)", "Abs(r-{b})"),
    *("{a}*r+Abs(r-{b})/2", "{a}*r+tanh(r-{b})", "acosh(1+{a}*r)"),
    *("lambertw({a}*y)", "r-lambertw(r)/2"),
    *("r*lambertw(1+r)/(1+lambertw({a}*r))", "-log(erfc({a}*r))", "loggamma(2+{a}*r)"),
    *("Piecewise(({a}*y/2, r<{b}),({a}*{b}*r-{a}*{b}**2/2, True))", "-log(besselk({h},1+r))", "{a}*r+cos({b}*r)/4"),
    *("{a}*r+sin(y)/5", "2*r+{a}*floor(r)", "{a}*r+frac(r)/3"),
    *("ceil({a}*r)", "floor(sqrt(r))+{a}*r", "y", "r*log1p(r)"),
    *("{a}*(1+y)**(1/3)", "(1+{a}*r**3)**(1/3)"),
    *("expm1(log1p({a}*r)/2)", "sqrt(1+sqrt(1+{a}*y))", "r/(1+exp(-{a}*r))"),
)
FACTORS = (
    *("(1+{a}*r)", "(1+y)**(-{a})", "(1+exp(-{a}*r))"),
    *("(2+cos({a}*r))", "(2+sin({a}*r)/(1+r))", "(3+cos(y)+sin({a}*r))"),
    *("(2+tanh(r-{b}))", "(1-tanh({a}*r)/2)", "(1-tanh({a}*r))"),
    *("(1-erf({a}*r))", "(2-erf(r-{b}))", "(pi/2-atan({a}*r))"),
    *("(pi/2-atan({a}*r))**{n}", "(1-r/sqrt(1+y))", "(1-r/(1+r))**{n}"),
    *("log(1+exp(-{a}*r))", "log1p({a}*exp(-r))", "log1p(1/(1+{a}*y))"),
    *("(sqrt(1+y)-r)", "(sqrt({b}+y)-r)**{n}", "(1-exp(-{a}/(1+r)))"),
    *("sin({a}/({a}+r))", "(log(2+r)-log(1+r))", "-expm1(-{a}/(1+y))"),
    *("(1+frac(r))", "(1+frac({a}*r)/2)", "(1+floor({a}*r))"),
    *("(2-frac(r))", "1/(1+ceil({a}*r))", "(2+floor(cos({a}*r)))", "(1+floor(sqrt(r)))"),
    *("(y-2*{a}*r+{a}**2+1/{n}00)", "(y-2*{a}*r+{a}**2)", "(1+(r-{a})**{n}/(1+y)**{n})"),
    *("Abs(cos(r))", "(1+Abs(cos({a}*r)))", "(1+cos(r)**2*exp(-r))"),
    *("besselk({h},{b}+r)", "gammaincc({h},{a}*r)", "erfc({a}*r)"),
    *("(1+besselk(0,1+r))", "exp(-r)*besseli(0,{a}*r/2)", "(2+atan({a}*r-3))"),
    *("(2+sin(log(1+r)))", "(2+cos(sqrt({b}+y)))", "(2+cos(r)*exp(-{a}*r))"),
    *("(1+tanh({a}*r)**2)", "exp(tanh({a}*r))", "exp(-erf({a}*r))"),
    *("exp(sin({a}*r)/(1+r))", "Max(1,2-r)"),
    *("Min(1,{a}/(1+y))", "Piecewise((2, r<{b}),(1, True))", "Piecewise((1+1/{n}, r<{b}),(1, True))"),
)
DIMENSIONS = (1, 2, 2, 3, 3, 4, 5, 7, 10, 20, 50)
SENSITIVITIES = ("1", "1", "1", "1", "1/2", "2", "1/10", "5", "1/1000000", "1/1000", "100", "1000000", "sqrt(2)")


def filled(rnd: random.Random, text: str) -> str:
    for name, choices in (("a", NUMBERS), ("b", NUMBERS), ("n", ("2", "3", "4", "5")), ("h", ("1/2", "1", "1/3", "2"))):
        while "{" + name + "}" in text:
            number = rnd.choice(choices)
            text = text.replace("{" + name + "}", number if re.fullmatch(r"\d+", number) else f"({number})", 1)
    return text


def generator(rnd: random.Random) -> str:
    """A random f that somebody might type."""
    u, v = filled(rnd, rnd.choice(POTENTIALS)), filled(rnd, rnd.choice(POTENTIALS))
    p, q = filled(rnd, rnd.choice(FACTORS)), filled(rnd, rnd.choice(FACTORS))
    n, a = rnd.randint(2, 5), filled(rnd, "{a}")
    return rnd.choice(
        (
            *(f"exp(-({u}))",) * 2,
            *(f"exp(-({u}))*{p}",) * 4,
            *(f"exp(-r)*{p}",) * 3,
            f"exp(-{a}*({u}))*{p}*{q}",
            f"(1+{u})**(-d-{n})",
            f"(1+{u})**(-d-{n})*{p}",
            f"{p}*(1+y)**(-(d+{n})/2)",
            f"{p}**{n}",
            f"exp(-({u}))+{a}*exp(-({v}))",
            f"exp(-Max({u},{v}))",
            f"exp(-log1p({u})-{v})",
            f"log1p(exp(-({u})))",
            f"1/cosh({u})",
            f"exp(-({u})-tanh({v}))",
        )
    )


def cases(seed: int, number: int, count: int) -> list[tuple[str, int, str]]:
    rnd = random.Random(f"unseen {seed}/{number}")
    return [(generator(rnd), rnd.choice(DIMENSIONS), rnd.choice(SENSITIVITIES)) for _ in range(count)]


MAKERS = {"joined": cases, "typed": typed.cases}
"""Parts joined at random, and the field's formulas with numbers put into them."""


def shard(
    seed: int, number: int, count: int, limit: float = 10.0, confront: bool = True, maker: str = "joined"
) -> dict[str, Any]:
    return {"rows": [row(*case, limit, confront) for case in MAKERS[maker](seed, number, count)]}


def row(text: str, d: int, sensitivity: str, limit: float, confront: bool) -> dict[str, Any]:
    """What became of one generator, within `limit` seconds of the processor."""
    from dpverify import InputError, verify

    found: dict[str, Any] = {"text": text, "d": d, "sensitivity": sensitivity, "wrong": None}
    started = time.process_time()
    try:
        with deadline(limit, of_work=True):
            result = verify(text, dimension=d, sensitivity=sensitivity)
    except OutOfTime:
        return {**found, "verdict": "undecided", "reason": "time", "seconds": limit}
    except InputError as error:
        return {**found, "verdict": "not read", "reason": str(error), "seconds": 0.0}
    except Exception as error:  # a finding, which is not to end the campaign
        return {**found, "verdict": "undecided", "reason": "", "wrong": f"it broke: {error!r}", "seconds": limit}
    found |= {"verdict": result.verdict, "seconds": round(time.process_time() - started, 2)}
    found["reason"] = result.reason if result.verdict == "undecided" else ""
    if result.epsilon is not None:
        found["epsilon"] = [float(result.epsilon.lower), float(result.epsilon.upper)]
    if confront and result.verdict != "undecided":
        found["wrong"] = searched(result, text, d, Fraction(result.sensitivity / result.scale))
    return found


def cause(reason: str) -> str:
    """The reason without its numbers, so that like ones are counted together."""
    return re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "#", reason)[:110]


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the generators.")
@click.option("--count", default=200, show_default=True, help="How many generators.")
@click.option("--jobs", default=1, show_default=True, help="Processes.")
@click.option("--limit", default=10.0, show_default=True, help="Seconds of processor time of a proof.")
@click.option("--confront/--no-confront", default=True, help="Whether a plain search confronts what is decided.")
@click.option("--maker", type=click.Choice(sorted(MAKERS)), default="joined", show_default=True, help="Of what shapes.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, limit: float, confront: bool, maker: str, log: Path | None) -> None:
    """Prove random generators, search against each proof, and count what is undecided by its cause."""
    import functools

    work = functools.partial(shard, limit=limit, confront=confront, maker=maker)
    rows = [x for f in shards.run(work, seed=seed, count=count, size=10, jobs=jobs, log=log) for x in f["rows"]]
    for verdict, n in Counter(x["verdict"] for x in rows).most_common():
        print(f"{n:6d}  {verdict}")
    wrong = [x for x in rows if x["wrong"]]
    open_questions = [x for x in rows if x["verdict"] == "undecided"]
    print("undecided, by cause:")
    for reason, n in Counter(cause(x["reason"]) for x in open_questions).most_common():
        print(f"{n:6d}  {reason}")
    for title, some in (("undecided", open_questions), ("wrong, or not searched to the end", wrong)):
        print(f"{title}:")
        for x in some:
            print(f"  {x['text']}, d = {x['d']}, Delta = {x['sensitivity']}: {x['wrong'] or x['reason']}")
    sys.exit(any(not x["wrong"].startswith("the search does not end") for x in wrong))


if __name__ == "__main__":
    main()
