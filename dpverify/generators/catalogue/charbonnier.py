"""Pseudo-Huber: a smooth Huber."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """g is convex with limit slope k."""
    return ClosedForm(epsilon="k*delta", attained_at="the limit c -> oo, not attained")


FAMILY = Family(
    name="charbonnier",
    title="Charbonnier (pseudo-Huber)",
    text="exp(-k**2*(sqrt(1+y/k**2)-1))",
    parameters=(ParameterSpec("k", Fraction(1), "k > 0", "tail rate"),),
    closed_form=closed_form,
    private_when="always",
    source="Charbonnier, Blanc-Feraud, Aubert and Barlaud (1997); epsilon from the convex potential",
    notes="g'(r) = r/sqrt(1 + r^2/k^2) rises to k; up to scale and factor it is the symmetric hyperbolic law.",
    mass="k**d*exp(k**2)*(2*pi/k**2)**(d/2)*besselk((d+1)/2, k**2)*sqrt(2*k**2/pi)",
    keywords=(
        "pseudo-Huber",
        "robust loss",
    ),
)
