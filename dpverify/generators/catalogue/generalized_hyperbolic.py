"""The generalised hyperbolic family: for p >= 1/2 the supremum is a limit, not attained.

With s = sqrt(1 + r^2), (s^p K_p(s))' = -s^p K_(p-1)(s) (DLMF 10.29.4), so g'(r) = (r/s) h(s) with
h = K_(p-1)/K_p. As K_p(s) is the integral of exp(-s cosh t) cosh(p t) over t > 0 (DLMF 10.32.9), h(s)
is the mean of cosh((p-1) t)/cosh(p t) under weights that move towards t = 0 as s grows. For p >= 1/2
that quotient does not increase in t, so h rises to 1, g is convex, and its slope tends to 1. For
p < 1/2, h exceeds 1, the slope passes its limit, and no closed form is known.
"""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    if parameters["p"] < Fraction(1, 2):
        return None
    return ClosedForm(
        epsilon="delta",
        attained_at="the limit c -> oo, not attained",
    )


FAMILY = Family(
    name="generalized_hyperbolic",
    title="Generalised hyperbolic",
    text="(1+y)**(p/2)*besselk(p, sqrt(1+y))",
    parameters=(ParameterSpec("p", Fraction(1, 2), "a rational from -100 to 100", "order of the Bessel function"),),
    closed_form=closed_form,
    private_when="always; closed form for p >= 1/2",
    source="Barndorff-Nielsen (1977); McNeil, Frey and Embrechts (2005), section 3.2",
    notes="g is convex with slope tending to 1 for p >= 1/2; for p = 1/2 it is sqrt(1 + r^2) up to a constant.",
    mass="(2*pi)**(d/2)*besselk(p+d/2, 1)",
    keywords=(
        "GH",
        "generalised hyperbolic",
    ),
)
