"""Barron's general robust loss, as a density."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """For a = 1, where g is convex with limit slope 1."""
    if parameters["a"] != 1:
        return None
    return ClosedForm(epsilon="delta", attained_at="the limit c -> oo, not attained")


FAMILY = Family(
    name="barron",
    title="Barron's general robust loss",
    text="exp(-Abs(a-2)/a*((1+y/Abs(a-2))**(a/2)-1))",
    parameters=(ParameterSpec("a", Fraction(1), "a > 0 and a is not 2; for a <= 0 it is no density", "shape"),),
    closed_form=closed_form,
    private_when="for 0 < a <= 1; beyond, the loss is unbounded in the tail",
    source="Barron (2019)",
    notes="a = 1 is Charbonnier's; a -> 2 the Gaussian; for a < 1 the potential's slope has a peak.",
    keywords=("robust loss",),
)
