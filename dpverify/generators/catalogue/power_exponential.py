"""The power exponential (Subbotin, Kotz-type) family."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """epsilon and where the loss is largest (see `Family`); None where it is not private or not known."""
    if parameters["beta"] > Fraction(1, 2):
        return None
    return ClosedForm(
        epsilon="delta**(2*beta)",
        attained_at="every c >= delta" if parameters["beta"] == Fraction(1, 2) else "c = delta",
    )


FAMILY = Family(
    name="power_exponential",
    title="Power exponential",
    text="exp(-y**beta)",
    parameters=(ParameterSpec("beta", Fraction(1, 2), "beta > 0", "half the power of r"),),
    closed_form=closed_form,
    private_when="for beta <= 1/2; beyond, the loss is unbounded in the tail",
    source="Gomez, Gomez-Villegas and Marin (1998); epsilon from the concave potential",
    notes="g(r) = r^(2 beta) is concave for beta <= 1/2, so the loss is largest at c = delta; linear for beta = 1/2.",
    mass="pi**(d/2)*gamma(d/(2*beta))/(gamma(d/2)*beta)",
    keywords=(
        "generalised Gaussian",
        "Subbotin",
        "exponential power",
    ),
)
