"""The Cauchy family: Student t with one degree of freedom."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    return ClosedForm(
        epsilon="(1+d)*asinh(delta/2)",
        attained_at="c = (delta + sqrt(delta**2 + 4))/2",
    )


FAMILY = Family(
    name="cauchy",
    title="Multivariate Cauchy",
    text="(1+y)**(-(1+d)/2)",
    parameters=(),
    closed_form=closed_form,
    private_when="always",
    source="Reimherr and Awan (2019), Example 6, its computation carried to nu = 1",
    notes="The stationary point solves c (c - delta) = 1.",
    mass="pi**((d+1)/2)/gamma((d+1)/2)",
    mixing="v**(-2)*exp(-1/(2*v**2))",
    keywords=(
        "symmetric stable with alpha = 1",
        "Lorentz",
    ),
)
