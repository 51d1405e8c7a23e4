"""Pearson type VII: an algebraic tail of any integrable order."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    return ClosedForm(
        epsilon="2*m*asinh(delta/2)",
        attained_at="c = (delta + sqrt(delta**2 + 4))/2",
    )


FAMILY = Family(
    name="pearson_vii",
    title="Pearson type VII",
    text="(1+y)**(-m)",
    parameters=(ParameterSpec("m", None, "m > d/2, or it is no density", "tail order"),),
    closed_form=closed_form,
    private_when="always where it is a density: m > d/2",
    source="Fang, Kotz and Ng (1990), section 3.3; stationary point as for Student t",
    notes="The stationary point solves c (c - delta) = 1, whatever m is.",
    mass="pi**(d/2)*gamma(m-d/2)/gamma(m)",
    keywords=("multivariate Pearson",),
)
