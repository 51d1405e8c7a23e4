"""When two elliptical laws are equivalent and when one output tells them apart, decided from their spectra.

E(mu_1, C, psi) and E(mu_2, C, psi) are equivalent if mu_1 - mu_2 lies in the Cameron-Martin space of C, and orthogonal
otherwise (Reimherr and Awan 2019, Theorem 2; claims reimherr-awan-2019:theorem-2 and section-3-multiple). With
eigenvalues c_n of C and coordinates d_n of the difference that is the convergence of the sum of d_n^2/c_n, whose
value is the squared norm: the sensitivity that every finite set of functionals is charged with (Corollary 1).

Two Gaussian laws with the same eigenvectors and eigenvalues a_n, b_n are equivalent if the sum of (b_n/a_n - 1)^2 is
finite, and orthogonal otherwise (Kakutani 1948; Feldman 1958; Hajek 1958). A mixing law absorbs a factor: where b_n/a_n
tends to L and the sum of (b_n/(L a_n) - 1)^2 is finite, X = V Z and X' = V' Z' are as the laws of sqrt(a) V are:
what is left is to compare V with sqrt(L) V (Lemma 1). Otherwise they are orthogonal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from flint import arb, fmpq

from dpverify.asymptotics import CONSTANT, Germ, Model
from dpverify.enclosures import Slope, Undecided, fraction_above, fraction_below, precision
from dpverify.errors import InputError
from dpverify.findings import Part, Reason
from dpverify.language.expression import Number
from dpverify.mechanisms.spectra.series import BITS, ORDER, STARTS, Summed, Terms, summed
from dpverify.mechanisms.spectra.spectra import Spectrum
from dpverify.mixtures import Mixing
from dpverify.mixtures.canonical import EVERYWHERE, NotCanonical, canonical
from dpverify.mixtures.constants import sign
from dpverify.mixtures.examine import examine
from dpverify.mixtures.law import Atoms, Density
from dpverify.profiles.result import Enclosed, rounded
from dpverify.shown import Shown

Verdict = Literal["equivalent", "orthogonal", "neither", "undecided"]
DIGITS = 17


@dataclass(frozen=True, slots=True)
class Equivalence(Shown):
    """What is decided of two elliptical laws.

    norm       the Cameron-Martin norm of the difference of the means, where it is finite and enclosed
    distance   the total variation distance of two Gaussian laws of one covariance: no test does better
    reason     why, in one line
    """

    verdict: Verdict
    reason: str
    norm: Enclosed | None
    distance: Enclosed | None
    about: Mapping[str, str]

    def __repr__(self) -> str:
        return f"<Equivalence {self.verdict}: {self.reason}>"

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}"

    def to_json(self) -> dict[str, Any]:
        """Plain data; every number exact."""
        return {
            "verdict": self.verdict,
            "norm": None if self.norm is None else self.norm.to_json(),
            "distance": None if self.distance is None else self.distance.to_json(),
            "reason": self.reason,
            "about": dict(self.about),
        }


def equivalence(
    eigenvalues: str,
    difference: str | None = None,
    *,
    other: str | None = None,
    mixing: str | Mixing | None = None,
    parameters: Mapping[str, object] | None = None,
) -> Equivalence:
    """Decide whether two elliptical laws in infinite dimension are equivalent, orthogonal or neither.

    Args:
        eigenvalues: those of C, a formula in n = 1, 2, ..., positive for all n, such as "n**-2".
        difference: the coordinates of mu_1 - mu_2 in the eigenvectors of C, such as "n**-3"; None for 0.
        other: the eigenvalues of the second law's C, with the same eigenvectors; None for the same C.
        mixing: the law of V > 0 in X = V Z, for both; None for Gaussian laws. It counts only where `other` is given.
        parameters: the names in the formulas, by name, exact.

    Returns:
        An Equivalence: decided by exact exponents and balls, "undecided" where these do not settle it.

    Raises:
        InputError: for text outside the language, and for eigenvalues that are not positive.

    Source: Reimherr and Awan (2019), Theorem 2 and Section 3.

    >>> equivalence("n**-2", "n**-3").verdict
    'equivalent'
    """
    if difference is None and other is None:
        raise InputError("give the difference of the means, another spectrum, or both")
    c = Spectrum(eigenvalues, "the eigenvalues", parameters)
    d = None if difference is None else Spectrum(difference, "the difference", parameters)
    b = None if other is None else Spectrum(other, "the other eigenvalues", parameters)
    law = mixing if mixing is None or isinstance(mixing, Mixing) else Mixing(mixing)
    given = (("eigenvalues", c), ("difference", d), ("other", b))
    if law is not None and isinstance(law.law, Density):
        with precision(BITS):
            defect = examine(law, lambda: None).defect
        if defect is not None:
            raise InputError(f"the mixing law: {defect}")
    unused = sorted(set(parameters or {}) - {name for x in (c, d, b) if x is not None for name in x.used})
    if unused:
        raise InputError(f"no formula has a name {unused[0][:40]!r} to be given a value")
    about = {name: x.text for name, x in given if x is not None} | ({"mixing": law.text} if law else {})
    try:
        with precision(BITS):
            for spectrum in (c, b):
                _require_positive(spectrum)
            larger = _larger_space(c)
            shape = ("equivalent", "") if b is None else _covariances(c, b, law)
            mean = None if d is None else summed(cameron_martin(c, d))
    except Undecided as error:
        return Equivalence("undecided", f"Undecided: {error}.", None, None, about)
    return _concluded((shape[0], f"{larger}{shape[1]}"), mean, gaussian=law is None and b is None, about=about)


def _concluded(shape: tuple[str, str], mean: Summed | None, gaussian: bool, about: Mapping[str, str]) -> Equivalence:
    verdict, words = shape
    sentences = [words.strip()] if words else []
    norm = distance = None
    if mean is not None:
        if mean.converges and mean.total is not None:
            root = mean.total.max(arb(0)).sqrt()
            norm = _enclosed(root)
            distance = _enclosed((root / (2 * arb(2).sqrt())).erf()) if gaussian else None
        what = "converges" if mean.converges else "diverges"
        where = "in" if mean.converges else "not in"
        sentences.append(
            f"The sum of d_n^2/c_n {what}{_follow(mean)}: the difference is {where} the Cameron-Martin space"
            + (f", with norm {norm.decimal}" if norm else "")
            + "."
        )
        if not mean.converges:
            verdict = "orthogonal"
    return Equivalence(verdict, " ".join(sentences), norm, distance, about)  # type: ignore[arg-type]


def _enclosed(x: arb) -> Enclosed:
    return Enclosed(rounded(fraction_below(x), DIGITS, False), rounded(fraction_above(x), DIGITS, True))


def _follow(found: Summed) -> str:
    """How the terms behave, as an aside."""
    return {"": "", "0": " (its terms are 0)"}.get(found.like, f" (its terms are like {found.like})")


def cameron_martin(c: Spectrum, d: Spectrum) -> Terms:
    """d_n^2/c_n."""

    def log(germ: Germ) -> Any:
        below, above = c.far(germ), d.far(germ)
        if above.vanishes():
            return None
        return above.log()[1] * fmpq(2) - below.log()[1]

    def value(germ: Germ) -> Model:
        above = d.far(germ).value().u
        found: Model = above * above * c.far(germ).value().u.inverse()
        return found

    return Terms(lambda n: d.at(n) ** 2 / c.at(n), log, value)


def discrepancy(a: Spectrum, b: Spectrum, limit: fmpq | arb) -> Terms:
    """(b_n/(L a_n) - 1)^2."""

    def off(germ: Germ) -> Any:
        return b.far(germ).value() * a.far(germ).value().inverse() * (1 / limit) - 1

    def log(germ: Germ) -> Any:
        w: Slope = off(germ)
        if not w.u.terms:
            return None
        sign = w.u.sign()
        if sign not in (1, -1):
            raise Undecided(Reason.NOT_SETTLED(what=Part.QUOTIENT_ABOVE_LIMIT))
        return (w if sign == 1 else -w).log() * fmpq(2)

    def value(germ: Germ) -> Model:
        w: Model = off(germ).u
        return w * w

    return Terms(lambda n: (b.at(n) / (a.at(n) * limit) - 1) ** 2, log, value)


def _larger_space(c: Spectrum) -> str:
    """What there is to say where the trace is infinite: the coordinates still have a law, and the same criterion."""
    try:
        trace = summed(Terms(c.at, lambda germ: c.far(germ).log()[1], lambda germ: c.far(germ).value().u), False)
    except Undecided:
        return ""
    return "" if trace.converges else "The eigenvalues are not summable: the law lives in a larger space than l2. "


def _require_positive(spectrum: Spectrum | None) -> None:
    """Raise InputError where an eigenvalue is not positive, Undecided where that is not shown for all n."""
    if spectrum is None:
        return
    failure = Undecided(Reason.HAVE_NO_MODEL(what=Part.EIGENVALUES))
    for start in STARTS:
        if not spectrum.at(start - 1) > 0:
            raise InputError(f"{spectrum.name} must be positive, and at n = {start - 1} are not shown to be")
        try:
            sign = spectrum.far(Germ(Fraction(start), ORDER)).log()[0]
        except Undecided as error:
            failure = error
            continue
        if sign != 1:
            raise InputError(f"{spectrum.name} must be positive, and are negative far out")
        for n in range(1, start):
            if not spectrum.at(n) > 0:
                raise InputError(f"{spectrum.name} must be positive, and at n = {n} are not shown to be")
        return
    raise failure


def _covariances(a: Spectrum, b: Spectrum, law: Mixing | None) -> tuple[str, str]:
    """The verdict for two covariances, and why."""
    limit = _limit(a, b)
    if limit is None:
        return "orthogonal", "The quotient of the eigenvalues tends to 0 or to infinity."
    unscaled = not isinstance(limit, arb) and limit == 1
    if law is None and not unscaled:
        shown = str(limit) if not isinstance(limit, arb) else limit.str(6, radius=False)
        if isinstance(limit, arb) and limit.contains(1):
            raise Undecided(Reason.QUOTIENT_TOO_CLOSE())
        return "orthogonal", f"The quotient of the eigenvalues tends to {shown}, and not to 1."
    if isinstance(limit, arb):
        raise Undecided(Reason.QUOTIENT_NOT_RATIONAL())
    found = summed(discrepancy(a, b, limit), enclosed=False)
    quotient = "b_n/a_n" if limit == 1 else f"b_n/({limit} a_n)"
    words = f"The sum of ({quotient} - 1)^2 {'converges' if found.converges else 'diverges'}{_follow(found)}."
    if not found.converges:
        return "orthogonal", words
    if limit == 1:
        return "equivalent", words
    assert law is not None
    verdict, why = _absorbed(law, Fraction(int(limit.p), int(limit.q)))
    return verdict, f"{words} {why}"


def _limit(a: Spectrum, b: Spectrum) -> fmpq | arb | None:
    """What b_n/a_n tends to, exact where the models keep it so; None for 0 and infinity."""
    failure = Undecided(Reason.HAVE_NO_MODEL(what=Part.QUOTIENTS))
    for start in STARTS:
        germ = Germ(Fraction(start), ORDER)
        try:
            log = b.far(germ).log()[1].u - a.far(germ).log()[1].u
            if log.grows():
                if not (log.leading()[1] > 0 or log.leading()[1] < 0):
                    raise Undecided(Reason.NOT_SETTLED(what=Part.LIMIT_OF_QUOTIENT))
                return None
            quotient = b.far(germ).value().u * a.far(germ).value().u.inverse()
            limit = quotient.limit()
            if quotient.leading()[0] != CONSTANT:
                return None
            return limit  # type: ignore[no-any-return]
        except Undecided as error:
            failure = error
    raise failure


def _absorbed(law: Mixing, factor: Fraction) -> tuple[str, str]:
    """V and sqrt(factor) V, compared by their atoms."""
    if isinstance(law.law, Density) and _everywhere(law):
        return "equivalent", f"V^2 and {factor} V^2 both have densities that are positive everywhere."
    if not isinstance(law.law, Atoms) or not all(isinstance(value, Number) for _, value in law.law.pairs):
        raise Undecided(Reason.LAWS_NOT_COMPARED(factor=factor))
    first = {value.value**2 for _, value in law.law.pairs if isinstance(value, Number)}
    second = {factor * x for x in first}
    common = first & second
    if not common:
        return "orthogonal", f"V^2 and {factor} V^2 have no value in common."
    if first == second:
        return "equivalent", f"V^2 and {factor} V^2 have the same values."
    return "neither", f"V^2 and {factor} V^2 share some values and not others."


def _everywhere(law: Mixing) -> bool:
    """Whether V is shown to have a density that is positive on all of (0, oo)."""
    assert isinstance(law.law, Density)
    try:
        terms = canonical(law.law.expression)
    except NotCanonical:
        return False
    positive = bool(terms) and all(t.interval == EVERYWHERE and sign(t.factor) == 1 for t in terms)
    return positive and examine(law, lambda: None).valid


def is_member(eigenvalues: str, difference: str) -> bool:
    """Whether the difference is in the Cameron-Martin space; raises Undecided."""
    return summed(cameron_martin(Spectrum(eigenvalues), Spectrum(difference)), enclosed=False).converges
