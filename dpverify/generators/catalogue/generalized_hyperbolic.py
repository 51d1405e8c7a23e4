"""The generalised hyperbolic family."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    if parameters["p"] != Fraction(1, 2):
        return None
    return ClosedForm(
        epsilon="delta",
        attained_at="the limit c -> oo, not attained",
    )


FAMILY = Family(
    name="generalized_hyperbolic",
    title="Generalised hyperbolic",
    text="(1+y)**(p/2)*besselk(p, sqrt(1+y))",
    parameters=(ParameterSpec("p", Fraction(1, 2), "any rational", "order of the Bessel function"),),
    closed_form=closed_form,
    private_when="always; closed form for p >= 1/2",
    source="Barndorff-Nielsen (1977); McNeil, Frey and Embrechts (2005), section 3.2",
    notes="For p = 1/2 it is exp(-sqrt(1+y)) up to a constant.",
)
