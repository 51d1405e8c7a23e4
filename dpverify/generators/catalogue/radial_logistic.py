"""The logistic density of the radius: its loss is largest in the limit."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """g is convex with limit slope 1."""
    return ClosedForm(epsilon="delta", attained_at="the limit c -> oo, not attained")


FAMILY = Family(
    name="radial_logistic",
    title="Logistic in the radius",
    text="exp(-r)/(1+exp(-r))**2",
    parameters=(),
    closed_form=closed_form,
    private_when="always",
    source="Epsilon from the convex potential r + 2 log(1 + exp(-r))",
    notes="g'(r) = tanh(r/2) rises to 1; up to a factor it is 1/cosh(r/2)^2.",
    keywords=("logistic",),
)
