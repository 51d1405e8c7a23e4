"""Sections 2 and 3: differential privacy by densities, and the exponential mechanism."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Refuted
from dpverify.theorems.tools.finite import events as all_events
from dpverify.theorems.tools.finite import excess, laws, mass


def check_metric(distance: Any, effort: Effort) -> str:
    """Symmetric, zero on the diagonal alone, and subadditive on all triples of databases."""
    databases = list(product(range(2), repeat=effort.pick(3, 4)))
    for x, y, z in product(databases, repeat=3):
        if distance(x, y) != distance(y, x) or (distance(x, y) == 0) != (x == y):
            raise Refuted(f"the distance of {x} and {y} is not that of a metric.")
        if distance(x, z) > distance(x, y) + distance(y, z):
            raise Refuted(f"the triangle inequality fails at {x}, {y}, {z}.")
    return f"all {len(databases) ** 3} triples of databases; a sum of discrete metrics is one for every n"


def check_densities(criterion: Any, effort: Effort) -> str:
    """criterion(p, q, e^eps) against the definition, over every event; base measure (p + q)/2."""
    count = 0
    grain = effort.pick(4, 7)
    for ratio in (Fraction(2), Fraction(3, 2)):
        for p, q in product(laws(3, grain), repeat=2):
            private = all(mass(p, a) <= ratio * mass(q, a) for a in all_events(3))
            count += 1
            if criterion(p, q, ratio) != private:
                raise Refuted(
                    f"P = {[str(x) for x in p]}, Q = {[str(x) for x in q]}, e^eps = {ratio}: by events it is "
                    f"{'private' if private else 'not private'}, by the criterion not so."
                )
    return (
        f"{count} pairs of laws on three points against all events, exact; the general case integrates the inequality"
    )


def check_exponential(formula: Any, effort: Effort) -> str:
    """formula = (k, normalisable): weights exp(eps xi / (k Delta)), e^(eps/2) = 2; and when they can be normalised."""
    k, normalisable = formula
    base_of = {1: Fraction(4), 2: Fraction(2)}  # e^(eps/k)
    count = 0
    for xi in product(range(-1, 2), repeat=3):
        for step in product(range(-1, 2), repeat=3):
            for base in product((1, 5), repeat=effort.pick(1, 3)):
                weight = (*base, 1, 1)[:3]
                one = [base_of[k] ** x * w for x, w in zip(xi, weight, strict=True)]
                two = [base_of[k] ** (x + s) * w for x, s, w in zip(xi, step, weight, strict=True)]
                p, q = [x / sum(one) for x in one], [x / sum(two) for x in two]
                count += 1
                if excess(p, q, Fraction(4)) > 0:
                    raise Refuted(
                        f"xi = {xi} and {tuple(x + s for x, s in zip(xi, step, strict=True))}, base weights {weight}, "
                        "Delta = 1, "
                        f"e^eps = 4: the ratio of probabilities reaches {show_ratio(p, q)}."
                    )
    for decay, rate in ((Fraction(2), Fraction(1, 2)), (Fraction(2), Fraction(1)), (Fraction(4), Fraction(1, 2))):
        finite = decay * rate > 1  # the integral over R of (1 + |b|)^-(decay rate)
        if normalisable(decay, rate) and not finite:
            raise Refuted(
                f"Lebesgue measure on R, xi(b) = -{decay} log(1 + |b|), Delta = 1, eps = {2 * rate}: exp(xi) is "
                "integrable, but "
                f"exp(eps xi / (2 Delta)) = (1 + |b|)^-{decay * rate} is not, and there is no such mechanism."
            )
        if finite and not normalisable(decay, rate):
            raise Refuted(f"(1 + |b|)^-{decay * rate} is integrable.")
    return f"{count} pairs of objectives on three points, exact; integrability by the exponent of (1 + |b|)"


def show_ratio(p: list[Fraction], q: list[Fraction]) -> str:
    return str(max(a / b for a, b in zip(p, q, strict=True)))


CLAIMS = (
    Claim(
        id="awan-2019:definition-2.1",
        place="Definition 2.1",
        statement="The number of differing records is a metric on databases.",
        printed="delta(X, Y) = #{i : X_i != Y_i}",
        hypotheses="databases of equal length",
        check=check_metric,
        formula=lambda x, y: sum(a != b for a, b in zip(x, y, strict=True)),
        near=(Near(lambda x, y: sum(a != b for a, b in zip(x, y, strict=True)) ** 2, "its square"),),
        strength="proved",
    ),
    Claim(
        id="awan-2019:proposition-2.3",
        place="Proposition 2.3",
        statement="A mechanism is epsilon-DP exactly when densities for a common base measure satisfy the inequality "
        "almost "
        "everywhere.",
        printed="f_X(b) <= f_X'(b) exp(eps), nu-almost everywhere",
        hypotheses="adjacent X, X'; nu dominates all mu_X",
        check=check_densities,
        formula=lambda p, q, ratio: all(a <= ratio * b for a, b in zip(p, q, strict=True)),
        near=(Near(lambda p, q, ratio: max(p) <= ratio * max(q), "comparing the largest densities only"),),
        strength="verified",
    ),
    Claim(
        id="awan-2019:proposition-3.1",
        place="Proposition 3.1",
        statement="The exponential mechanism with objective xi of sensitivity Delta is epsilon-DP.",
        printed="integral exp(xi_X) d nu < oo; f_X(b) ~ exp((eps / (2 Delta)) xi_X(b))",
        hypotheses="|xi_X - xi_X'| <= Delta < oo; exp(xi_X) integrable",
        check=check_exponential,
        formula=(2, lambda decay, rate: decay > 1),
        near=(Near((1, lambda decay, rate: decay * rate > 1), "without the factor 2"),),
        strength="verified",
        correction=Correction(
            "the hypothesis is integral exp((eps/(2 Delta)) xi_X) d nu < oo, and Delta > 0 (for finite nu and xi "
            "bounded above "
            "it holds); the conclusion and its factor 2 stand",
            (2, lambda decay, rate: decay * rate > 1),
            "None directly: the mechanism does not exist. A Markov chain run on it all the same has no stationary "
            "law, and "
            "its output no guarantee.",
            "Check that the density you sample can be normalised, not exp(xi).",
            "verified",
        ),
    ),
)
