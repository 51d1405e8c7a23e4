"""Kotz type: a power of y in front makes a hole or a pole at the centre."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """For n = 1 and s <= 1/2, where g = a r^(2s) is concave."""
    if parameters["n"] != 1 or parameters["s"] > Fraction(1, 2):
        return None
    return ClosedForm(
        epsilon="a*delta**(2*s)",
        attained_at="every c >= delta" if parameters["s"] == Fraction(1, 2) else "c = delta",
    )


FAMILY = Family(
    name="kotz",
    title="Kotz type",
    text="y**(n-1)*exp(-a*y**s)",
    parameters=(
        ParameterSpec("n", Fraction(1), "n > 1 - d/2, or it is no density", "power in front, plus 1"),
        ParameterSpec("a", Fraction(1), "a > 0", "rate"),
        ParameterSpec("s", Fraction(1, 2), "s > 0", "half the power of r"),
    ),
    closed_form=closed_form,
    private_when="for n = 1 and s <= 1/2; for n < 1 there is a pole at the centre, for n > 1 f vanishes there",
    source="Fang, Kotz and Ng (1990), section 3.2",
    notes="For n = 1 it is the power exponential; for n = s = 1 the Gaussian.",
    mass="pi**(d/2)*gamma((d/2+n-1)/s)/(gamma(d/2)*s*a**((d/2+n-1)/s))",
    keywords=(
        "Kotz-type",
        "generalised Gaussian",
    ),
)
