"""The densities 1/(1 + |z|^g) of smooth sensitivity."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """For g = 2, which is Cauchy's."""
    if parameters["g"] != 2:
        return None
    return ClosedForm(
        epsilon="2*asinh(delta/2)",
        attained_at="c = (delta + sqrt(delta**2 + 4))/2",
    )


FAMILY = Family(
    name="smooth_sensitivity",
    title="Smooth sensitivity, 1/(1+|z|^g)",
    text="1/(1+r**g)",
    parameters=(ParameterSpec("g", Fraction(2), "g > d, or it is no density", "power of the tail"),),
    closed_form=closed_form,
    private_when="always where it is a density: g > d",
    source="Nissim, Raskhodnikova and Smith (2007), Lemma 2.7",
    notes="g'(r) = g r^(g-1)/(1 + r^g); for g = 2 and d = 1 it is the Cauchy density.",
    mass="2*pi**(d/2)/gamma(d/2)*pi/(g*sin(pi*d/g))",
    keywords=(
        "Nissim",
        "admissible noise",
        "Cauchy",
    ),
)
