"""The multivariate Laplace: private in one dimension only."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    if dimension != 1:
        return None
    return ClosedForm(
        epsilon="sqrt(2)*delta",
        attained_at="every c >= delta",
    )


FAMILY = Family(
    name="multivariate_laplace",
    title="Multivariate (Gaussian-mixture) Laplace",
    text="(y/2)**((2-d)/4)*besselk((2-d)/2, sqrt(2*y))",
    parameters=(),
    closed_form=closed_form,
    private_when="only for d = 1; for d >= 2 the density has a pole at its centre",
    source="Reimherr and Awan (2019), Example 3; Kotz, Kozubowski and Podgorski (2001), chapter 5",
    notes="For d = 1 it is exp(-sqrt(2 y)) up to a constant. In every d the tail ratio tends to exp(sqrt(2) delta).",
    mass="(2*pi)**(d/2)/2",
    mixing="v*exp(-v**2)",
    keywords=(
        "symmetric Laplace",
        "Linnik with alpha = 2",
        "variance gamma with lam = 1",
    ),
)
