"""A sampler in floating point, broken by one output.

Source: Mironov (2012), "On significance of the least significant bits for differential privacy".
"""

from __future__ import annotations

import math
import random

from dpverify.classroom.exercise import Answers, Exercise, Field, Finding, Grade
from dpverify.errors import InputError

BITS, SHOWN, MOST = 53, 8, 4096


def draw(truth: float) -> float:
    """Laplace noise as textbooks sample it, added to the true answer."""
    noise = -math.log(random.randrange(1, 2**BITS) / 2**BITS)
    return truth + noise if random.getrandbits(1) else truth - noise


def sources(output: float, truth: float) -> int | None:
    """How many of the sampler's 2^53 uniform numbers give this output; None if there are more than can be tried.

    Rounding leaves an interval of possible noises, the logarithm's own error included, and with it a few numbers, each
    of which is tried.
    """
    found = 0
    for sign in (1, -1):
        noise = sign * (output - truth)
        slack = 2 * math.ulp(output) + 2 * math.ulp(truth) + 4 * math.ulp(noise)
        if noise + slack < 0:
            continue
        high = min(2**BITS - 1, math.ceil(math.ldexp(math.exp(-(noise - slack)), BITS)) + 4)
        low = max(1, math.floor(math.ldexp(math.exp(-(noise + slack)), BITS)) - 4)
        if high - low > MOST:
            return None
        found += sum(truth - sign * math.log(k / 2**BITS) == output for k in range(low, high + 1))
    return found


def _bench() -> str:
    rows = [f"{draw(0.0)!r:>24}  {draw(1.0)!r:>24}" for _ in range(SHOWN)]
    return "\n".join([f"{'true answer 0':>24}  {'true answer 1':>24}", *rows])


def _grade(answers: Answers) -> Grade:
    try:
        output = float(answers["output"])
    except ValueError:
        raise InputError("the output is a decimal, with all its digits") from None
    if not math.isfinite(output) or abs(output) > 30:
        raise InputError("the output is to lie between -30 and 30")
    ways = {truth: sources(output, float(truth)) for truth in (0, 1)}
    if None in ways.values():
        return Grade((Finding(False, f"too many uniform numbers lead to {output!r}; take one that is nearer to 0"),))
    told = f"{ways[0]} of 2^53 uniform numbers give {output!r} where the true answer is 0, {ways[1]} where it is 1"
    return Grade((Finding((ways[0] == 0) != (ways[1] == 0), told),))


SAMPLER = Exercise(
    name="sampler",
    title="Break a sampler",
    text=r"""
Laplace noise is private on paper: f = `exp(-sqrt(y))` has ε = Δ/σ. As textbooks sample it, in floating point,

`truth ± (-math.log(k / 2**53))` with k a random integer,

it is not. The true answer is 0 or 1, so Δ = 1. Find an output that is possible for one of the two and **impossible**
for the other: whoever sees it knows the answer, and no ε holds. Every digit counts, the last one too.
""",
    fields=(Field("output", "an output, with all its digits"),),
    grader=_grade,
    hint=r"""Draw a few outputs. With the true answer 0 the output is a logarithm itself; 1 plus a logarithm has been
rounded once more, so it lies on a coarser grid near 0 and misses most of those.""",
    solution=r"""
Nearly every small output of the true answer 0 will do, and many of the other: near 0 doubles lie dense, and 1 − noise
leaves only multiples of $2^{-53}$ or so among them; conversely there are sums that no logarithm hits. An audit finds
this too. A cure is to sample exactly, and to round after adding, on a grid that does not depend on the data.
""",
    right={"output": repr(-math.log(1 - 2.0**-20))},
    links=(("explanation/exact-sampler", "An exact sampler"), ("explanation/what-an-audit-says", "What an audit says")),
    bench=_bench,
    bench_label="Draw outputs",
)
