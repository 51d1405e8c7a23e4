"""The hyperbolic secant family."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    return ClosedForm(
        epsilon="delta",
        attained_at="the limit c -> oo, not attained",
    )


FAMILY = Family(
    name="sech",
    title="Hyperbolic secant",
    text="1/cosh(sqrt(y))",
    parameters=(),
    closed_form=closed_form,
    private_when="always",
    source="Epsilon from the convex potential log cosh r",
    notes="g(r) = log cosh r is convex with slope tanh r tending to 1.",
    keywords=("log-cosh",),
)
