"""Section 3: the exponential mechanism (Proposition 3.1) and the remarks after it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import acb, arb

from dpverify.theorems.claim import Claim, Correction, Effort, Near, Quotation, Refuted
from dpverify.theorems.tools.balls import ball, show

PAPER = "awan-2019:"


def _block(power: Fraction, k: int) -> arb:
    """The integral of (1 + b)^-power from 2^k - 1 to 2^(k+1) - 1, by certified quadrature."""
    return acb.integral(lambda b, _: (-ball(power) * (1 + b).log()).exp(), 2**k - 1, 2 ** (k + 1) - 1).real


def check_exponential(formula: Any, effort: Effort) -> str:
    """formula = (k, normalisable): weights exp(eps xi / (k Delta)) with Delta = 1; and when they can be normalised."""
    k, normalisable = formula
    count, worst = 0, arb(0)
    steps = list(product((-1, 0, 1), repeat=3))
    for epsilon, heavy, xi in product((arb("0.5"), arb(2)), range(3), steps[:: effort.pick(5, 1)]):
        base = [arb(10**6) if i == heavy else arb(1) for i in range(3)]
        for step in steps:
            neighbour = tuple(a + b for a, b in zip(xi, step, strict=True))
            logs = [[epsilon / ball(Fraction(k)) * v for v in row] for row in (xi, neighbour)]
            sums = [sum((w * u.exp() for w, u in zip(base, row, strict=True)), arb(0)) for row in logs]
            shift = (sums[1] / sums[0]).log()
            count += 1
            for one, two in zip(*logs, strict=True):
                loss = (one - two + shift) / epsilon
                worst = loss if loss > worst else worst
                if loss > 1 + arb("1e-9"):
                    raise Refuted(
                        f"xi = {xi}, neighbour xi + {step}, Delta = 1, a base measure with one point of weight 1e6, "
                        f"eps = {show(epsilon)}: the loss is {show(loss)} eps."
                    )
    if worst < arb("0.9999"):
        raise Refuted(f"the loss nowhere exceeds {show(worst)} eps: the factor is larger than it need be.")
    grid = ((2, "1/2"), (2, "1"), (4, "1/2"), (3, "1/2"), (2, "51/100"), (2, "49/100"), (4, "1/4"), ("4/3", "1/2"))
    for decay, rate in ((Fraction(d), Fraction(r)) for d, r in grid):
        first, second, third = (_block(decay * rate, j) for j in (4, 5, 6))
        finite = bool(second < first and third < second)  # blocks of a power are geometric
        if normalisable(decay, rate) != finite:
            raise Refuted(
                f"Lebesgue measure on R, xi(b) = -{decay} log(1 + |b|), Delta = 1, eps = {2 * rate}: exp(xi) is "
                f"integrable, exp(eps xi / (2 Delta)) = (1 + |b|)^-{decay * rate} is {'' if finite else 'not '}(dyadic "
                f"parts {show(first)}, {show(second)}, {show(third)})."
            )
    return (
        f"{count} pairs of objectives (balls), the largest loss {show(worst)} eps; {len(grid)} integrals by dyadic "
        "parts"
    )


EXPONENTIAL = Claim(
    id=PAPER + "proposition-3.1",
    place="Proposition 3.1",
    statement="The exponential mechanism with objective xi of sensitivity Delta is epsilon-DP.",
    quotation=Quotation(
        "If int exp(xi_X(b)) d nu(b) < oo for all X in X^n, then the collection of probability measures with densities "
        "f_X (with respect to nu) satisfying f_X(b) proportional to exp[(eps / (2 Delta_xi)) xi_X(b)] satisfies "
        "eps-DP.",
        note="in the paper nu is finite and xi bounded above, where both integrals are finite",
    ),
    printed="integral exp(xi_X) d nu < oo; f_X(b) ~ exp((eps / (2 Delta)) xi_X(b))",
    hypotheses="|xi_X - xi_X'| <= Delta < oo; exp(xi_X) integrable",
    check=check_exponential,
    formula=(2, lambda decay, rate: decay > 1),
    near=(
        Near((1, lambda decay, rate: decay * rate > 1), "without the factor 2"),
        Near((Fraction(99, 50), lambda decay, rate: decay * rate > 1), "1.98 in place of 2"),
        Near((2, lambda decay, rate: decay * rate >= 1), "integrability with its boundary"),
        Near((2, lambda decay, rate: 2 * decay * rate > 1), "the integrability of exp(eps xi/Delta)"),
    ),
    strength="verified",
    correction=Correction(
        "the hypothesis is integral exp((eps/(2 Delta)) xi_X) d nu < oo (which follows from the printed one where nu "
        "is finite and xi bounded above, as in the paper's own mechanisms); conclusion and factor 2 stand",
        (2, lambda decay, rate: decay * rate > 1),
        "None: without it there is no mechanism to speak of.",
        "Check that the density you sample can be normalised, not exp(xi).",
        "verified",
        "slip",
    ),
)


def check_instance(multiple: Any, effort: Effort) -> str:
    """With xi = log f_X, Delta = eps, the privacy parameter multiple * eps must give f_X back."""
    laws = [(1, 1, 2), (1, 3, 4), (2, 2, 5), (1, 1, 1), (1, 5, 10)]
    worst = arb(0)
    for law in laws[: effort.pick(3, 5)]:
        f = [arb(x) / sum(law) for x in law]
        power = ball(Fraction(multiple) / 2)  # (multiple eps)/(2 Delta) with Delta = eps
        weights = [(x.log() * power).exp() for x in f]
        for true, weight in zip(f, weights, strict=True):
            gap = abs(weight / sum(weights, arb(0)) - true)
            if gap > arb("1e-9"):
                raise Refuted(
                    f"f = {law}/{sum(law)}, objective log f of sensitivity eps: with the parameter {multiple} eps the "
                    f"mechanism gives {show(weight / sum(weights, arb(0)))} where f is {show(true)}."
                )
            worst = gap if gap > worst else worst
    return (
        f"{effort.pick(3, 5)} laws on three points, equal up to {show(worst.upper())}; exp(k eps log f/(2 eps)) = "
        "f^(k/2)"
    )


INSTANCE = Claim(
    id=PAPER + "section-3-instance",
    place="Section 3, after Proposition 3.1",
    statement="Every DP mechanism is an exponential mechanism whose objective is its log-density.",
    quotation=Quotation(
        "a DP mechanism can be expressed as an instantiation of the exponential mechanism, by taking the objective "
        "function to be the log-density of the mechanism"
    ),
    printed="xi_X = log f_X, of sensitivity eps: f_X ~ exp((eps / (2 Delta)) xi_X)",
    hypotheses="a mechanism that is epsilon-DP, with positive densities",
    check=check_instance,
    formula=1,
    near=(
        Near(Fraction(101, 50), "the parameter 2.02 eps"),
        Near(4, "the parameter 4 eps"),
        Near(Fraction(1, 2), "the parameter eps/2"),
    ),
    strength="verified",
    correction=Correction(
        "the same law with the privacy parameter 2 eps (Proposition 3.1 then promises 2 eps where eps holds)",
        2,
        "None: the promise becomes weaker than the truth.",
        "Do not read the epsilon of a mechanism off its representation as an exponential mechanism.",
        "verified",
        "ambiguous",
    ),
)


def check_location(factor: Any, effort: Effort) -> str:
    """Laplace location family: density exp(-(eps/(factor Delta)) |b - x|), |x - x'| <= Delta = 1; sharpness too."""
    worst, count = Fraction(0), 0
    for x, b in product((Fraction(0), Fraction(1, 3), Fraction(1)), (Fraction(k, 6) for k in range(-30, 31))):
        loss = (abs(b - x) - abs(b)) / Fraction(factor)  # in units of eps: the constants agree, by translation
        worst, count = max(worst, loss), count + 1
        if loss > 1:
            raise Refuted(f"b = {b}, x = 0 against x = {x}, Delta = 1: the loss is {loss} eps.")
    if worst < 1:
        raise Refuted(f"no loss exceeds {worst} eps, attained at b = -5: a smaller factor is private.")
    cyclic = effort.pick(5, 9)
    sums = {
        sum(Fraction(1, 2 ** min((b - x) % cyclic, (x - b) % cyclic)) for b in range(cyclic)) for x in range(cyclic)
    }
    if len(sums) != 1:
        raise Refuted("the normalising constant of a location family depends on the location.")
    return f"{count} losses, exact, the largest {worst} eps; on the circle of {cyclic} points the constants agree"


LOCATION = Claim(
    id=PAPER + "section-3-location",
    place="Section 3, after Proposition 3.1",
    statement="For location families the factor 2 of the exponential mechanism can be removed.",
    quotation=Quotation(
        "the factor of 2 in the exponential mechanism can sometimes be removed (e.g., location families)"
    ),
    printed="f_X ~ exp((eps / Delta) xi_X)",
    hypotheses="the normalising constant does not depend on X",
    check=check_location,
    formula=1,
    near=(
        Near(Fraction(99, 100), "1 % beyond"),
        Near(Fraction(1, 2), "a further factor 2"),
        Near(2, "that the factor 2 is needed"),
    ),
    strength="verified",
)
CLAIMS = (EXPONENTIAL, INSTANCE, LOCATION)
