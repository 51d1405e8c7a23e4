"""Tsallis' q-Gaussian with q > 1: an algebraic tail."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """Student t's, whose loss is largest where its two radii are reciprocal."""
    return ClosedForm(
        epsilon="2/(q-1)*asinh(delta*sqrt(q-1)/2)",
        attained_at="c = (delta + sqrt(delta**2 + 4/(q-1)))/2",
    )


FAMILY = Family(
    name="q_gaussian",
    title="q-Gaussian (Tsallis)",
    text="(1+(q-1)*y)**(-1/(q-1))",
    parameters=(ParameterSpec("q", Fraction(3, 2), "1 < q < 1 + 2/d", "entropic index"),),
    closed_form=closed_form,
    private_when="always where it is a density: 1 < q < 1 + 2/d",
    source="Tsallis (1988); stationary point as for Student t",
    notes="It is Pearson type VII with m = 1/(q-1), in another scale.",
    mass="pi**(d/2)*(q-1)**(-d/2)*gamma(1/(q-1)-d/2)/gamma(1/(q-1))",
    keywords=(
        "Tsallis",
        "Student t",
    ),
)
