"""What a proof takes on trust: lemmas that the checker does not re-derive, each with its source."""

from __future__ import annotations

from dpverify.enclosures.lowering import Node, kinds

BESSEL_LEMMA = (
    "besselk: for x > 0 and real p, K_p(x) is the integral of exp(-x cosh t) cosh(p t) over t > 0 (DLMF 10.32.9), "
    "with the error of its trapezoidal rule (Trefethen and Weideman 2014, Theorem 5.1), its asymptotic series with "
    "remainder below the first term left out from order |p| - 1/2 on (DLMF 10.40.2, 10.40(ii)), its derivative "
    "(DLMF 10.29.2, 10.29.4) and its limiting form at zero (DLMF 10.30.2, 10.31.2)"
)

ERFC_LEMMA = (
    "erfc: for x > 0, erfc(x) is exp(-x^2)/(x sqrt(pi)) times its asymptotic series, with remainder below the first "
    "term left out and of its sign (DLMF 7.12.1, 7.12(i)); erf(x) is its series of positive terms (DLMF 7.6.2); "
    "exp(-x^2)/erfc(x) increases on the whole line (DLMF 7.8)"
)
LEMMAS = {"matern": BESSEL_LEMMA, "erfc": ERFC_LEMMA}


def assumptions_of(node: Node) -> tuple[str, ...]:
    """The lemmas that any proof about this generator uses; none for elementary ones."""
    used = kinds(node)
    return tuple(lemma for kind, lemma in LEMMAS.items() if kind in used)
