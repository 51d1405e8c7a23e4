"""The Matern-type family (1 + r) exp(-r)."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    return ClosedForm(
        epsilon="delta",
        attained_at="the limit c -> oo, not attained",
    )


FAMILY = Family(
    name="matern",
    title="Matern-type, smoothness 3/2",
    text="(1+sqrt(y))*exp(-sqrt(y))",
    parameters=(),
    closed_form=closed_form,
    private_when="always",
    source="Rasmussen and Williams (2006), section 4.2, for the shape; epsilon from the convex potential",
    notes="g'(r) = r/(1 + r) increases to 1.",
    mass="2*pi**(d/2)*gamma(d)*(1+d)/gamma(d/2)",
)
