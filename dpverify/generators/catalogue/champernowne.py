"""Champernowne's law, between the hyperbolic secant and the logistic."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """For lam >= 0, where g is convex with limit slope 1."""
    if parameters["lam"] < 0:
        return None
    return ClosedForm(epsilon="delta", attained_at="the limit c -> oo, not attained")


FAMILY = Family(
    name="champernowne",
    title="Champernowne",
    text="1/(cosh(r)+lam)",
    parameters=(ParameterSpec("lam", Fraction(1, 2), "lam > -1", "shape"),),
    closed_form=closed_form,
    private_when="always; closed form for lam >= 0",
    source="Champernowne (1952); epsilon from the convex potential",
    notes="g' rises to 1 for lam >= 0, past it for lam < 0; lam = 0 is the hyperbolic secant, lam = 1 the logistic.",
    keywords=("Perks",),
)
