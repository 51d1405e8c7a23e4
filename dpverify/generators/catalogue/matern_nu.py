"""Matern of any smoothness, as a density."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """g is convex from nu = 1/2 on, with limit slope 1; below it is concave, and the loss largest at the centre."""
    p = parameters["nu"]
    if p <= 0:
        return None
    if p >= Fraction(1, 2):
        where = "every c >= delta" if p == Fraction(1, 2) else "the limit c -> oo, not attained"
        return ClosedForm(epsilon="delta", attained_at=where)
    return ClosedForm(
        epsilon="log(2**(nu-1)*gamma(nu))-log(delta**nu*besselk(nu, delta))",
        attained_at="c = delta",
    )


FAMILY = Family(
    name="matern_nu",
    title="Matern, smoothness nu",
    text="r**nu*besselk(nu, r)",
    parameters=(ParameterSpec("nu", Fraction(1), "0 < nu <= 100", "smoothness"),),
    closed_form=closed_form,
    private_when="for nu > 0; for nu = 0 there is a pole at the centre",
    source="Rasmussen and Williams (2006), section 4.2, for the shape",
    notes="(r^nu K_nu)' = -r^nu K_(nu-1); g is convex for nu >= 1/2, else concave. As variance_gamma: lam = nu + d/2.",
    mass="(2*pi)**(d/2)*2**(nu+d/2-1)*gamma(nu+d/2)",
    keywords=("Whittle-Matern",),
)
