"""Random generators: the prover (Arb), the kernel (decimal) and a plain search must agree.

python -m soundness.differential --seed 1 --count 1000 --jobs 2
python -m soundness.differential --seed 2 --count 1000 --jobs 2 --newer
"""

from __future__ import annotations

import functools
import random
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import mpmath

from dpverify.deadline import OutOfTime, deadline
from soundness import raw, shards
from soundness.plain import DIGITS, Function, beside_jumps, exact, function, largest_loss

LIMIT, SEARCHED = 5, 30
"""Seconds of processor time of a proof, and of a search against it."""


def constant(rnd: random.Random) -> str:
    return rnd.choice(("1", "2", "3", "1/2", "1/3", "3/4", "1/10", "5", "7/2", "20"))


NEWER = (
    *(
        "atan(({a})*r)",
        "({a})*atan(r)",
        "lambertw(({a})*r)",
        "({a})*lambertw({b}+y)",
        "loggamma(2+({a})*r)",
        "r-frac(r)",
    ),
    *("log1p(({a})*y)", "expm1(Min(r,{b}))", "acosh(1+({a})*r)", "ceil(({a})*r)", "({a})*r+frac(r)/4", "Abs(r-{b})"),
    *("({a})*r+sign(r-{b})", "r+Abs(r-{b})", "-log(gammaincc(1/2,({a})*r))", "r-log(besseli(0,r))/2", "frac(({a})*r)"),
    *("expm1(log1p(({a})*r))", "r*atan(({a})*r)", "-log(besselk({b},1+r))", "-log(erfc(({a})*r))", "sqrt(acosh(1+y))"),
)
"""Potentials of the functions that the language had last."""
FACTORS = (
    *(
        "gammaincc({a},r)",
        "gammainc({a},1+r)",
        "gammainc({a},({b})*r)",
        "(1+atan(r-{b}))",
        "(2+atan(r))",
        "besselk({a},1+r)",
    ),
    *(
        "exp(-r)*besseli({b},r)",
        "exp(-2*r)*besseli(0,({a})*r)",
        "1/gamma(1+r)",
        "gamma(1+1/(1+({a})*r))",
        "(3+sign(r-{b}))",
    ),
    *("(1+lambertw(r))", "exp(-lambertw(({a})*y))", "(2-frac(({a})*r))", "log1p(exp(-({a})*r))", "(1+Abs(r-{b}))"),
    *("-expm1(-({a})*y)/y", "(1+acosh(1+r))", "(1+loggamma(2+({a})*r))", "1/(1+ceil(({a})*r))", "erfc(atan(r))"),
)


def rising(rnd: random.Random, depth: int, newer: bool = False) -> str:
    """A potential: mostly rising, at most like y; half of them of the newer functions, where these are asked for."""
    a, b = constant(rnd), constant(rnd)
    if newer and rnd.random() < 0.5:
        return f"({rnd.choice(NEWER).format(a=a, b=b)})"
    if depth and rnd.random() < 0.35:
        u, v = rising(rnd, depth - 1, newer), rising(rnd, depth - 1, newer)
        return rnd.choice((f"({u}+{v})", f"Max({u},{v})", f"Min({u},{v})", f"sqrt(1+{u})", f"log(1+{u})", f"({a})*{u}"))
    plain = (
        f"({a})*r",
        f"({a})*sqrt({b}+y)",
        f"({a})*log(1+({b})*y)",
        f"r**({rnd.choice(('1/2', '3/4', '5/4', '1/3'))})",
    )
    odd = (f"floor(({a})*r)", f"({a})*r+cos(({b})*r)/4", f"asinh(({a})*r)", f"({a})*r*log(1+log(1+r))", "y/8")
    return f"({rnd.choice(plain if rnd.random() < 0.75 else odd)})"


def generator(rnd: random.Random, newer: bool = False) -> str:
    """A random f, mostly decreasing, sometimes anything."""
    u, v, a = rising(rnd, 2, newer), rising(rnd, 1, newer), constant(rnd)
    shapes: tuple[str, ...] = (
        *(f"exp(-{u})",) * 4,
        *(f"(1+{u})**(-({a})-{rnd.randint(1, 6)})",) * 2,
        f"exp(-{u})+({a})*exp(-{v})",
        f"exp(-{u})*(1+{v})",
        f"exp(-{u})*(2+cos(({a})*r))",
        f"Max(exp(-{u}),({a})*exp(-{v}))",
        f"Piecewise((({a})*exp(-{u}), r < {rnd.randint(1, 5)}), (exp(-{u}), True))",
        f"r**(-1/{rnd.randint(3, 30)})*exp(-{u})",
        f"exp(-{u})*({a}-{v})",
        f"1/(1+{u})",
    )
    if newer and rnd.random() < 0.4:
        factor = rnd.choice(FACTORS).format(a=a, b=constant(rnd))
        shapes = (f"exp(-{u})*{factor}", f"{factor}", f"exp(-r)*({a}+{factor})", f"exp(-{u})+exp(-{v})*{factor}")
    f = rnd.choice(shapes)
    if rnd.random() < 0.1:  # sometimes with a part that may have no value, and does not matter else
        part = rnd.choice(PARTS).format(v)
        f = rnd.choice((f"({f})+0*{part}", f"({f})*({part})**0", f"({f})*(1+exp({part}))/(1+exp({part}))"))
    return f


PARTS = (
    *("log({}-3)", "1/({})", "sqrt(4-{})", "1/floor({})", "log(cos({})-2)", "1/(1+{})", "log(1+{})", "1/(r-2)"),
    *("1/Max(0,r-{})", "({}-1)**0", "1/(1/({}))", "Piecewise((1, {} < 3))", "1/(Abs({})-Abs({}))".replace("{}", "{0}")),
)


def disagreement(result: Any, f: Function, delta: Fraction) -> str | None:
    """What a plain search finds against a proved verdict; None where it finds nothing."""
    d = result.generator.dimension
    gap = raw.missing(result.generator.text, {"d": Fraction(d)})
    if result.hypotheses.defined.status == "refuted":
        if gap is None:  # farther out than is searched, or in a small interval: there alone where it is said to be
            names = {"d": Fraction(d)}
            low, high = map(Fraction, result.certificate["proof"]["undefined"]["box"])
            gap = raw.missing(result.generator.text, names, (low, high))
        return "it is said to have no value somewhere, but it has" if gap is None else None
    if gap is not None:
        return f"it has no value about {mpmath.nstr(gap, 10)}, but is called {result.verdict}"
    if result.verdict == "private":
        epsilon = result.epsilon
        beside = beside_jumps(result.generator.text, {"d": Fraction(d)}, delta)
        worst = largest_loss(f, delta, pairs=beside)
        if worst > exact(epsilon.upper) + mpmath.mpf(10) ** -25 * (1 + worst):
            return f"a loss of {mpmath.nstr(worst, 20)} is above upper = {mpmath.nstr(exact(epsilon.upper), 20)}"
        limits = [mpmath.mpf(10) ** k for k in (3, 5, 8, 12)]
        best = max(worst, largest_loss(f, delta, limits), witnessed(result, f, delta))
        if exact(epsilon.lower) > best + mpmath.mpf("0.02") * (1 + best):
            return (
                f"lower = {mpmath.nstr(exact(epsilon.lower), 20)} is far above any loss found, {mpmath.nstr(best, 20)}"
            )
    if result.verdict == "not_private":
        radii = [mpmath.mpf(10) ** k for k in range(-60, 1, 4)] + [mpmath.mpf(k) / 3 for k in range(1, 30)]
        radii += [mpmath.mpf(10) ** k * (1 + mpmath.mpf(j) / 97) for k in range(1, 7) for j in range(8)]
        losses = [largest_loss(f, delta, [r]) for r in radii]
        if max(losses) < 1 and not losses[0] > losses[4] > losses[8] and not grows(f, delta):
            return f"no loss found is above {mpmath.nstr(max(losses), 6)}, though it is called unbounded"
    if result.verdict == "invalid":
        radii = [mpmath.mpf(k) / 7 for k in range(1, 700)] + [mpmath.mpf(10) ** k for k in range(2, 80)]
        negative = any(f(r) < 0 for r in radii)
        heavy = [mpmath.mpf(10) ** k for k in (-2000, -30, -10, 10, 30, 2000)]
        mass = max(f(r) * r**d for r in heavy)
        step = result.certificate["proof"].get("integrable") or {}
        if "radius" in step and peaks(f, step["radius"]["box"]):
            return None
        if not negative and mass < mpmath.mpf("1e-8"):
            return "neither a negative value nor a heavy end is found"
    return None


def peaks(f: Function, box: list[str]) -> bool:
    """Whether the largest |f| about a place of a box grows beyond all bounds as one looks closer."""
    low, high = (exact(Fraction(x)) for x in box)
    for _ in range(40):
        radii = [low + (high - low) * mpmath.mpf(k) / 16 for k in range(17)]
        at = max(radii, key=lambda r: abs(f(r)))
        low, high = at - (high - low) / 12, at + (high - low) / 12
    return bool(abs(f(at)) > mpmath.mpf(10) ** 15)


def witnessed(result: Any, f: Function, delta: Fraction) -> Any:
    """The largest loss found where the certificate says that it is attained, or near the limit that it names."""
    witness = result.certificate["proof"]["witness"]
    if witness["near"] != "box":
        return largest_loss(f, delta, [mpmath.mpf(10) ** -k for k in (6, 9, 12, 20)])
    low, high = (exact(Fraction(x)) for x in witness["box"])
    radii = [low + (high - low) * mpmath.mpf(k) / 8 for k in range(1, 8)]
    return largest_loss(f, Fraction(witness["shift"]), radii)


def grows(f: Function, delta: Fraction) -> bool:
    """Slow divergence shows in the largest losses beside radii of ever more digits, over many phases."""
    highest = []
    for k in (2, 30, 400, 4000):
        with mpmath.workdps(k + DIGITS):
            beside = [mpmath.mpf(10) ** k + mpmath.mpf(j) * 5 / 7 for j in range(60)]
            highest.append(largest_loss(f, delta, beside))
    return highest == sorted(set(highest))


def searched(result: Any, text: str, d: int, delta: Fraction) -> str | None:
    """What a plain search finds, or that it takes too long."""
    try:
        with deadline(SEARCHED, of_work=True), mpmath.workdps(DIGITS):
            return disagreement(result, function(text, {"d": Fraction(d)}), delta)
    except OutOfTime:
        return SLOW
    except (mpmath.libmp.libhyper.NoConvergence, OverflowError, raw.TooLarge) as error:
        return f"{SLOW} ({type(error).__name__})"


SLOW = "the search does not end"


def shard(seed: int, number: int, count: int, newer: bool = False) -> dict[str, Any]:
    from dpverify import kernel, verify
    from dpverify.certificate import serialise

    rnd = random.Random(f"{seed}/{number}")
    verdicts: Counter[str] = Counter()
    wrong, open_questions = [], []
    for _ in range(count):
        text, d, delta = generator(rnd, newer), rnd.randint(1, 4), Fraction(rnd.choice(("1/4", "1", "5/2")))
        try:
            with deadline(LIMIT, of_work=True):  # which `verify` takes for a limit of its own
                result = verify(text, dimension=d, sensitivity=delta, tolerance="1/1000")
        except OutOfTime:  # at its very end
            verdicts["undecided"] += 1
            continue
        verdicts[result.verdict] += 1
        if result.verdict == "undecided":
            why = result.reason.replace("the time limit of the work around it", f"{LIMIT} s of the processor")
            open_questions.append(f"{text}, d = {d}, delta = {delta}: {why}")
            continue
        case = f"{text}, d = {d}, delta = {delta}, {result.verdict}"
        try:
            assert result.certificate is not None
            claim = kernel.check_bytes(serialise(result.certificate)).claim
            verdicts["accepted by the kernel"] += 1
            if claim["verdict"] != result.verdict:
                wrong.append(f"{case}: the kernel proved {claim['verdict']}")
        except kernel.Rejected as error:
            verdicts["not accepted by the kernel"] += 1
            open_questions.append(f"{case}: {error}")
        found = searched(result, text, d, delta)
        if found and found.startswith(SLOW):
            verdicts[SLOW] += 1
            open_questions.append(f"{case}: {found}")
        elif found:
            wrong.append(f"{case}: {found}")
    return {"verdicts": verdicts, "wrong": wrong, "open": open_questions}


@click.command()
@click.option("--seed", default=1, show_default=True, help="Seed of the generators.")
@click.option("--count", default=1000, show_default=True, help="How many generators.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
@click.option("--newer", is_flag=True, help="Draw the newer functions of the language too.")
@click.option("--log", type=click.Path(path_type=Path), default=None, help="Findings, a line a shard; resumes from it.")
def main(seed: int, count: int, jobs: int, newer: bool, log: Path | None) -> None:
    """Prove random generators, replay each proof in the kernel, and search against it."""
    work = functools.partial(shard, newer=True) if newer else shard
    found = shards.run(work, seed=seed, count=count, size=10, jobs=jobs, log=log)
    for name, n in sum((Counter(f["verdicts"]) for f in found), Counter[str]()).most_common():
        print(f"{n:6d}  {name}")
    for title in ("open", "wrong"):
        print(f"{title}:", *[line for f in found for line in f[title]], sep="\n  ")
    sys.exit(any(f["wrong"] for f in found))


if __name__ == "__main__":
    main()
