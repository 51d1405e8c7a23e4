"""The hyperbolic family: the supremum is a limit, not attained."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    return ClosedForm(
        epsilon="alpha*delta",
        attained_at="the limit c -> oo, not attained",
    )


FAMILY = Family(
    name="hyperbolic",
    title="Symmetric hyperbolic",
    text="exp(-alpha*sqrt(1+y))",
    parameters=(ParameterSpec("alpha", Fraction(1), "alpha > 0", "tail rate"),),
    closed_form=closed_form,
    private_when="always where it is a density: alpha > 0",
    source="Barndorff-Nielsen (1977); epsilon from the convex potential",
    notes="g(r) = alpha sqrt(1 + r^2) is convex with slope tending to alpha.",
    mass="(2*pi/alpha)**(d/2)*besselk((d+1)/2, alpha)*sqrt(2*alpha/pi)",
    keywords=("generalised hyperbolic with lambda = (d+1)/2",),
)
