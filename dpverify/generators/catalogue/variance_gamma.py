"""The variance gamma family: a Gaussian with a gamma variance."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """By p = lam - d/2 > 0: g is convex from p = 1/2 on, with limit slope alpha, and concave below."""
    p = parameters["lam"] - Fraction(dimension, 2)
    if p <= 0:
        return None
    if p >= Fraction(1, 2):
        where = "every c >= delta" if p == Fraction(1, 2) else "the limit c -> oo, not attained"
        return ClosedForm(epsilon="alpha*delta", attained_at=where)
    return ClosedForm(
        epsilon="log(2**(lam-d/2-1)*gamma(lam-d/2))-log((alpha*delta)**(lam-d/2)*besselk(lam-d/2, alpha*delta))",
        attained_at="c = delta",
    )


FAMILY = Family(
    name="variance_gamma",
    title="Symmetric variance gamma",
    text="y**((lam-d/2)/2)*besselk(lam-d/2, alpha*sqrt(y))",
    parameters=(
        ParameterSpec("lam", Fraction(2), "lam > 0", "shape of the variance"),
        ParameterSpec("alpha", Fraction(1), "alpha > 0", "tail rate"),
    ),
    closed_form=closed_form,
    private_when="for lam > d/2; else the density has a pole at its centre",
    source="Madan and Seneta (1990); McNeil, Frey and Embrechts (2005), section 3.2",
    notes="With p = lam - d/2, g' = alpha K_(p-1)/K_p (alpha r), which for p >= 1/2 rises to alpha, else falls.",
    mass="(2*pi)**(d/2)*2**(lam-1)*gamma(lam)*alpha**(-lam-d/2)",
    mixing="v**(2*lam-1)*exp(-alpha**2*v**2/2)",
    keywords=(
        "generalised hyperbolic",
        "generalised Laplace",
        "Bessel function distribution",
    ),
)
