"""Section 6.1: the covariance of the simulations, and the rescaling of the records."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb

from dpverify.mechanisms.components.principal_components import rescale
from dpverify.theorems.awan_2019.section_4_components import energy, projection
from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

PAPER = "awan-2019:"


def check_nuclear(formula: Any, effort: Effort) -> str:
    """formula = (p, order): C_ii = i^-p has a finite trace; E|V(t) - V(s)|^2 falls like |t - s|^order, p - 1 <= 2."""
    p, order = Fraction(formula[0]), Fraction(formula[1])
    terms = effort.pick(2000, 20000)
    if p <= 1:
        partial = sum((ball(p) * -arb(i).log()).exp() for i in range(1, terms + 1))
        raise Refuted(f"the sum of i^-{p} reaches {show(partial)} at {terms} terms and diverges: C is not nuclear.")
    total, slopes = ball(p).zeta(), []
    for j in (4, 5, 6):
        rows = []
        for h in (arb(2) ** -j, arb(2) ** -(j + 1)):  # |e_i(t) - e_i(s)|^2 <= 8 sin^2(pi f h) at frequency f = i // 2
            body = sum(
                (ball(p) * -arb(i).log()).exp() * 8 * (arb.pi() * (i // 2) * h).sin() ** 2 for i in range(1, terms + 1)
            )
            tail = 8 * (ball(1 - p) * arb(terms).log()).exp() / ball(p - 1)
            rows.append(body + arb(0, tail.upper()))
        slopes.append((rows[0] / rows[1]).log() / arb(2).log())
    if not all(slope > ball(order) for slope in slopes):
        raise Refuted(
            f"C_ii = i^-{p}: halving |t - s| lowers the bound of E|V(t) - V(s)|^2 with the orders "
            f"{', '.join(map(show, slopes))}."
        )
    return (
        f"trace {show(total)}; a bound of E|V(t) - V(s)|^2 falls with the orders {', '.join(map(show, slopes))} as |t "
        "- s| halves; a positive order makes Gaussian paths continuous (Kolmogorov, cited)"
    )


COVARIANCE = Claim(
    id=PAPER + "section-6.1-covariance",
    place="Section 6.1",
    statement="The diagonal covariance of the simulations is nuclear, with continuous paths.",
    quotation=Quotation("We chose C, to be a diagonal matrix with C_ii = i^-3, which forces the V_i to be continuous."),
    printed="C_ii = i^-3",
    hypotheses="Fourier basis; order 3/2 of the mean square increments is enough by far",
    check=check_nuclear,
    formula=(3, Fraction(3, 2)),
    near=(
        Near((1, 0), "C_ii = 1/i"),
        Near((2, Fraction(3, 2)), "C_ii = i^-2, of order 1"),
        Near((3, Fraction(101, 50)), "an order above 2"),
        Near(
            (Fraction(297, 100), Fraction(3, 2)),
            "C_ii = i^-2.97",
            passes="paths are continuous for every power above 1",
        ),
    ),
    strength="verified",
)


def check_rescaling(scale: Any, effort: Effort) -> str:
    """scale(largest norm, bound): the factor for all records; the objective must change by 1 at most per record."""
    count, worst = 0, Fraction(0)
    for n in effort.pick((10,), (2, 10, 100)):
        for outlier in (Fraction(1, 2), Fraction(1), Fraction(10), Fraction(100)):
            bound = Fraction(100)  # known beforehand; records are multiples of e1, P the projection on e1
            one, two = [Fraction(1)] * n, [Fraction(1)] * (n - 1) + [outlier]
            p = projection(((1, 0, 0),))
            values = []
            for records in (one, two):
                factor = Fraction(scale(max(records), bound))
                scaled = [(factor * r, Fraction(0), Fraction(0)) for r in records]
                if any(r[0] > 1 for r in scaled):
                    raise Refuted(f"n = {n}, a record of norm {outlier}: a scaled record has norm {max(scaled)[0]}.")
                values.append(sum((energy(p, r) for r in scaled), Fraction(0)))
            change = abs(values[0] - values[1])
            count, worst = count + 1, max(worst, change)
            if change > 1:
                raise Refuted(
                    f"n = {n} records e1, one replaced by {outlier} e1: scaled by the data's largest norm, the "
                    f"objective changes by {show(change)}, and Delta = 1 was assumed."
                )
    return f"{count} pairs of databases, exact: the objective changes by at most {show(worst)}"


RESCALING = Claim(
    id=PAPER + "section-6.1-rescaling",
    place="Section 6.1",
    statement="The simulated records are rescaled to norm below 1.",
    quotation=Quotation("Note that for each scenario we re-scale the X_i so that ||X_i||^2 < 1 for i = 1, ..., n."),
    printed="X_i is divided so that ||X_i||^2 < 1; Delta = 1 all the same",
    hypotheses="read with the largest norm of the data as divisor",
    check=check_rescaling,
    formula=lambda largest, bound: 1 / largest,
    near=(
        Near(lambda largest, bound: 1 / largest**2 if largest > 1 else 1, "its square"),
        Near(lambda largest, bound: Fraction(101, 100) / bound, "a known bound that is 1 % too small"),
        Near(lambda largest, bound: Fraction(1, 10), "no bound at all"),
    ),
    strength="verified",
    correction=Correction(
        "divide by a bound known beforehand (or each record by its own norm)",
        rescale,
        "Possibly: the paper's simulations harm nobody; who scales real data by their own largest norm has a "
        "sensitivity of order n, not 1.",
        "Clip each record to a bound fixed before seeing the data.",
        "verified",
        "ambiguous",
    ),
)
CLAIMS = (COVARIANCE, RESCALING)
