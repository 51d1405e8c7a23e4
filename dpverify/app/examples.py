"""The worked examples of the explorer: what to look at, and what to try."""

from __future__ import annotations

from dataclasses import dataclass, field

REACHES = (5, 10, 20, 50, 100, 1000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True)
class Example:
    """A generator with its settings, and a few sentences; `reach` is how far out the curves are drawn."""

    name: str
    title: str
    generator: str
    text: str
    dimension: int = 1
    parameters: dict[str, str] = field(default_factory=dict)
    reach: int = 20


EXAMPLES = (
    Example(
        "k-norm",
        "The K-norm family: a constant loss",
        "exp(-sqrt(y))",
        "g(r) = r is a straight line, so the loss g(r + δ) − g(r) is δ at every radius: ε = Δ/σ in every dimension. "
        "Move Δ and σ: only their quotient matters. Move d: nothing happens.",
        dimension=3,
    ),
    Example(
        "student-t",
        "Student t: one hump, one stationary point",
        "(1+y/nu)**(-(nu+d)/2)",
        "g(r) = (ν + d)/2 · log(1 + r²/ν) is first convex, then concave. The loss is largest where g′(c) = g′(c − δ), "
        "that is at c(c − δ) = ν, and tends to 0 in the tail. Raise d at a fixed ν: the hump grows like d.",
        dimension=2,
        parameters={"nu": "3"},
    ),
    Example(
        "gaussian",
        "The Gaussian fails: the loss is a line that never ends",
        "exp(-y/2)",
        "g(r) = r²/2 gives the loss δr + δ²/2. It has no bound, so no ε will do, however large σ is. The ratio looks "
        "harmless near the centre; the tail alone decides whether a noise is private.",
    ),
    Example(
        "multivariate-laplace",
        "The multivariate Laplace: a pole from two dimensions on",
        "(y/2)**((2-d)/4)*besselk((2-d)/2, sqrt(2*y))",
        "In one dimension this is the Laplace law, and private. From d = 2 on f has a pole at the centre, and the loss "
        "is infinite at c = δ, though the tail is as tame as before. Move d from 2 to 1.",
        dimension=2,
    ),
    Example(
        "slow-divergence",
        "Slow divergence: a plot that looks bounded",
        "exp(-sqrt(y)*log(log(16+y)))",
        "The loss seems to level off. Draw it further out: it grows like log log r, from 2.3 at r = 50 to 3.4 at "
        "r = 1,000,000, and never stops. No plot can tell such growth from a limit; the model at infinity proves that "
        "there is no bound.",
        reach=50,
    ),
    Example(
        "far-out",
        "A feature far out",
        "exp(-sqrt(y))*(1+2/(1+exp(5*(r-1000))))",
        "Near the centre this is the K-norm's noise, with the loss δ. At r = 1000 f falls to a third within a short "
        "way, and there the loss is nearly δ + log 3. Draw the curve up to r = 100, and then up to 10,000.",
        reach=100,
    ),
    Example(
        "oscillation",
        "Oscillation: a tail ratio without a limit",
        "exp(-sqrt(y))*(3+sin(r))",
        "The loss goes up and down for ever. It has no limit, but a limit superior, and that is what counts. Set Δ to "
        "6.28, about one period: the waves nearly cancel, and ε is nearly Δ.",
        dimension=2,
        reach=50,
    ),
)


def by_name() -> dict[str, Example]:
    """The worked examples by the names that `dpverify explore --example` takes."""
    return {example.name: example for example in EXAMPLES}
