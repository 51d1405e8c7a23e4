"""The elliptical K-norm ("Laplace") family: the loss is the same everywhere."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    return ClosedForm(
        epsilon="delta",
        attained_at="every c >= delta",
    )


FAMILY = Family(
    name="laplace",
    title="Elliptical K-norm (l2, Laplace)",
    text="exp(-sqrt(y))",
    parameters=(),
    closed_form=closed_form,
    private_when="always, in every dimension",
    source="Reimherr and Awan (2019), Example 4; Chaudhuri and Monteleoni (2009)",
    notes="g(r) = r, so g(r + delta) - g(r) = delta for every r.",
    mass="2*pi**(d/2)*gamma(d)/gamma(d/2)",
    keywords=(
        "K-norm",
        "elliptical Laplace",
        "exponential",
    ),
)
