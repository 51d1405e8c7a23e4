"""The profile in infinite dimension: V is a function of the path, so delta(eps) is the mean over V of the Gaussian's.

For X = V Z in a Hilbert space the law of large numbers gives V from X, and from X + u as well, so whoever sees the
release knows V: delta(eps) = E_V[h(Delta / (sigma V))], h(s) = Phi(s/2 - eps/s) - e^eps Phi(-s/2 - eps/s) (Balle and
Wang 2018).  h rises with s.  Atoms are summed; a density is integrated between two radii by Arb, and beyond them h
lies between 0 and 1, and between its limits: near 0 and for large V by monotony, against the law's own mass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import acb, arb

from dpverify.enclosures import Undecided, exact, fraction_above, fraction_below, precision
from dpverify.enclosures.integrand import Cases, complex_value, panels
from dpverify.enclosures.lowering import lower
from dpverify.errors import InputError
from dpverify.findings import Part, Reason
from dpverify.integration import integral
from dpverify.mixtures import Mixing
from dpverify.mixtures.law import Atoms, Density
from dpverify.profiles.result import Enclosed, Point, Profile, rounded
from dpverify.prover.breaks import breaks
from dpverify.prover.cover import octaves
from dpverify.prover.problem import Problem
from dpverify.prover.profile.generator import RadialWeight

THEOREM = "Theorem C"
BITS = 200


def infinite(
    generator: object,
    mixing: str | Mixing | None,
    shift: Fraction,
    asked: tuple[tuple[Fraction, ...], tuple[Fraction, ...]],
    tolerance: Fraction,
    progress: Callable[[str, int], None],
    parameters: Mapping[str, object],
) -> Profile:
    """The points asked for of the mixture X = V Z in a Hilbert space.

    Raises InputError without a mixing law, and where eps is asked for.
    """
    if mixing is None or generator is not None:
        raise InputError("--dimension infinity is for Gaussian scale mixtures: give --mixing LAW and no generator")
    if asked[1]:
        raise InputError("in infinite dimension delta is enclosed at a given epsilon, not the other way round")
    law = mixing if isinstance(mixing, Mixing) else Mixing(str(mixing), parameters)
    bound = "".join(f", {name} = {value}" for name, value in law.parameters.items())
    about = {"V": law.text, "with": f"infinite dimension{bound}, Delta/sigma = {shift}"}

    def concluded(verdict: str, points: tuple[Point, ...], reason: str) -> Profile:
        return Profile(verdict, points, reason, THEOREM if points else "", (), about)  # type: ignore[arg-type]

    refusal = _refusal(law) if isinstance(law.law, Density) else None
    if refusal is not None:
        return concluded(*refusal)
    points = []
    try:
        for epsilon in asked[0]:
            points.append(Point(epsilon, _delta(law, shift, epsilon, tolerance, progress)))
    except Undecided as error:
        return concluded("undecided", (), f"Undecided: {error}.")
    said = "; ".join(f"delta({p.epsilon}) = {p.delta.decimal}" for p in points if isinstance(p.delta, Enclosed))
    return concluded("proved", tuple(points), f"{said}.")


def _refusal(law: Mixing) -> tuple[str, tuple[Point, ...], str] | None:
    """What there is to say where the density is not proved to be one."""
    from dpverify.mixtures.examine import examine

    with precision(BITS):
        found = examine(law, lambda: None)
    if found.defect is not None:
        return "invalid", (), f"Not a mixing law: {found.defect}."
    return None if found.valid else ("undecided", (), f"Undecided: {found.failure}.")


def _delta(
    law: Mixing, shift: Fraction, epsilon: Fraction, tolerance: Fraction, progress: Callable[[str, int], None]
) -> Enclosed:
    """Two quotients, until they are as near as is asked."""
    wide = failure = Undecided(Reason.DELTA_NOT_ENCLOSED(epsilon=epsilon))
    for attempt in range(3):
        with precision(BITS * 2**attempt + 4 * len(str(1 // tolerance))):
            progress("the mean over V", attempt)
            try:
                over, under = _mean(law, shift, epsilon, tolerance / 2 ** (8 * attempt + 3))
            except Undecided as error:
                failure = error
                continue
            value = over / under
            low, high = fraction_below(value.lower().max(arb(0))), fraction_above(value.upper())
            if high - low <= tolerance * low * 9 / 10:
                digits = len(str(1 // tolerance)) + 2
                return Enclosed(rounded(low, digits, False), min(Fraction(1), rounded(high, digits, True)))
            failure = wide
    raise failure


def _mean(law: Mixing, shift: Fraction, epsilon: Fraction, tolerance: Fraction) -> tuple[arb, arb]:
    """E[h] and E[1] for the law as written, which need not be normalised."""
    s, e = arb(exact(shift)), arb(exact(epsilon))
    if isinstance(law.law, Atoms):
        over = under = arb(0)
        for weight, value in law.law.pairs:
            w, v = (_number(lower(x)) for x in (weight, value))
            over, under = over + w * gaussian(acb(s / v), e).real, under + w
        return over, under
    return _Integrals(law.law, s, e, tolerance).both()


def _number(node: object) -> arb:
    return complex_value(node, acb(1), False, {}).real  # type: ignore[arg-type]


def gaussian(s: acb, epsilon: arb) -> acb:
    """h(s) = Phi(s/2 - eps/s) - e^eps Phi(-s/2 - eps/s), analytic for Re s > 0."""
    root = arb(2).sqrt()
    first, second = (epsilon / s - s / 2) / root, (epsilon / s + s / 2) / root
    return (first.erfc() - epsilon.exp() * second.erfc()) / 2


class _Integrals:
    """Integrals over a density of V: between two ends by Arb, and beyond them by models."""

    def __init__(self, law: Density, s: arb, epsilon: arb, tolerance: Fraction) -> None:
        self.node, self.s, self.epsilon = lower(law.expression), s, epsilon
        self.tolerance = arb(exact(tolerance))
        problem = Problem(self.node, 1, Fraction(1))
        self.radial = RadialWeight(problem, breaks(self.node, Fraction(1, 2**40), Fraction(2**40)))

    def both(self) -> tuple[arb, arb]:
        inner, outer = self._end(False), self._end(True)
        marks = octaves(inner[0], outer[0], [b for b in self.radial.breaks if inner[0] < b < outer[0]])
        under = over = arb(0)
        for a, b, settled in panels(self.node, marks):
            if settled is None:
                raise Undecided(Reason.MIXING_CHANGES())
            over = over + self._panel(a, b, settled, True)
            under = under + self._panel(a, b, settled, False)
        near, far = (gaussian(acb(self.s / arb(exact(x))), self.epsilon).real for x in (inner[0], outer[0]))
        # h falls as v grows: between h(near) and 1 within, between 0 and h(far) beyond
        over = over + inner[1] * near.union(arb(1)) + outer[1] * arb(0).union(far)
        return over, under + inner[1] + outer[1]

    def _end(self, outward: bool) -> tuple[Fraction, arb]:
        """A radius beyond, or within, which V has little mass, and that mass."""
        for rung in range(1, 400):
            x = Fraction(2) ** (rung if outward else -rung)
            try:
                mass = self.radial.outer(x) if outward else self.radial.inner(x)
            except Undecided:
                continue
            if mass.upper() < self.tolerance**2:
                return x, mass
        raise Undecided(Reason.MIXING_MASS_AT_END())

    def _panel(self, a: Fraction, b: Fraction, settled: Cases, weighted: bool) -> arb:
        size = arb(exact(self.radial.size)).exp()

        def integrand(v: acb, analytic: bool) -> acb:
            if not v.real > 0:
                return acb(arb.nan())
            p = complex_value(self.node, v, analytic, settled) / size
            return p * gaussian(acb(self.s) / v, self.epsilon) if weighted else p

        value = integral(integrand, arb(exact(a)), arb(exact(b)), rel_tol=self.tolerance, abs_tol=self.tolerance**2)
        if not value.real.is_finite():
            raise Undecided(Reason.NOT_ENCLOSED(what=Part.MEAN_OVER_V))
        return value.real
