"""Section 1.3.4: the exponential mechanism."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from dpverify.theorems.claim import Claim, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

QUOTED = Quotation(r"P_D(\omega) \propto \exp \left\{ -\frac{\alpha}{2\Delta_g} g(\omega, \omega_D) \right\}")
METRIC_QUOTED = Quotation(
    r"Note that if  $g$  is a metric then it suffices to take $$\Delta_g \geq \sup_{D \sim D'} g(\omega_D, \omega_{D'})"
)


def check_exponential(rate: Any, effort: Effort) -> str:
    """Weights exp(-rate(alpha, Delta) g) on three groups of points, over all g with values 0 and Delta."""
    count, nearest = 0, arb(0)
    for alpha, delta in product((Fraction(1, 2), Fraction(2)), (Fraction(1), Fraction(3))):
        for copies in product((1, 10**6), repeat=3):  # points of the same g
            for one, two in product(product(range(2), repeat=3), repeat=2):
                weight = [(-ball(rate(alpha, delta) * delta) * x).exp() for x in range(2)]
                z, y = (sum((c * weight[x] for c, x in zip(copies, g, strict=True)), arb(0)) for g in (one, two))
                for x, w in zip(one, two, strict=True):
                    loss = (weight[x] / weight[w] * y / z).log() / ball(alpha)
                    count += 1
                    if loss > 1 + arb("1e-12"):
                        raise Refuted(
                            f"Delta = {delta}, alpha = {alpha}, g = {one} and {two} times Delta at {copies} points: "
                            f"the loss is {show(loss)} alpha."
                        )
                    nearest = loss if loss > nearest else nearest
    if not nearest > arb("0.999"):
        raise Refuted(f"over {count} losses the largest is {show(nearest)} alpha: more noise than is needed.")
    return f"{count} losses on up to three million points (balls), the largest {show(nearest)} alpha"


def check_metric(formula: Any, effort: Effort) -> str:
    """formula = (which g are admitted, factor): |g(w, a) - g(w, b)| against factor g(a, b), g on three points."""
    admits, factor = formula
    count = 0
    for sides in product(range(1, effort.pick(5, 8)), repeat=3):
        longest = max(sides)
        if not admits(longest, sum(sides) - longest):
            continue
        g = {(0, 1): sides[0], (0, 2): sides[1], (1, 2): sides[2]}
        count += 1
        for a, b, w in product(range(3), repeat=3):
            one, two, own = (0 if i == j else g[min(i, j), max(i, j)] for i, j in ((w, a), (w, b), (a, b)))
            if abs(one - two) > factor * own:
                raise Refuted(
                    f"distances {sides}: g(omega, .) changes by {abs(one - two)} between points at distance {own}."
                )
    return f"{count} integer metrics on three points, exact"


CLAIMS = (
    Claim(
        id="hall-2012:proposition-1.3.5",
        place="Proposition 1.3.5",
        quotation=QUOTED,
        statement="The exponential mechanism: exp(-alpha g/(2 Delta_g)) is alpha-DP.",
        printed="P_D(omega) ~ exp(-(alpha/(2 Delta_g)) g(omega, omega_D))",
        hypotheses="Delta_g bounds |g(omega, omega_D) - g(omega, omega_D')|; the weights can be normalised",
        check=check_exponential,
        formula=lambda alpha, delta: alpha / (2 * delta),
        near=(
            Near(lambda alpha, delta: alpha / delta, "without the factor 2"),
            Near(lambda alpha, delta: alpha / (2 * delta) * 101 / 100, "the rate 1 % larger"),
            Near(lambda alpha, delta: alpha / (2 * delta) * 99 / 100, "the rate 1 % smaller"),
            Near(lambda alpha, delta: alpha / 2, "without Delta_g"),
        ),
        strength="verified",
        argument="noise.txt",
    ),
    Claim(
        id="hall-2012:section-1.3.4-metric",
        place="Section 1.3.4",
        quotation=METRIC_QUOTED,
        statement="For a metric g it suffices that Delta_g bounds g(omega_D, omega_D').",
        printed="Delta_g >= sup g(omega_D, omega_D')",
        hypotheses="g a metric",
        check=check_metric,
        formula=(lambda longest, others: longest <= others, 1),
        near=(
            Near((lambda longest, others: True, 1), "for any symmetric g"),
            Near((lambda longest, others: longest <= 2 * others, 1), "for a triangle inequality up to a factor 2"),
            Near((lambda longest, others: longest <= others, Fraction(99, 100)), "Delta_g 1 % smaller"),
        ),
        strength="verified",
        argument="noise.txt",
    ),
)
