"""Huber's least favourable law: a Gaussian with the tail of Laplace's."""

from fractions import Fraction

from dpverify.generators.catalogue.family import ClosedForm, Family, ParameterSpec


def closed_form(dimension: int, parameters: dict[str, Fraction]) -> ClosedForm | None:
    """g is convex, and straight of slope k from r = k on."""
    return ClosedForm(epsilon="k*delta", attained_at="every c >= k + delta")


FAMILY = Family(
    name="huber",
    title="Huber",
    text="Piecewise((exp(-y/2), r <= k), (exp(k**2/2-k*r), True))",
    parameters=(ParameterSpec("k", Fraction(1), "k > 0", "radius at which the tail begins"),),
    closed_form=closed_form,
    private_when="always",
    source="Huber (1964); epsilon from the convex potential",
    notes="g'(r) = min(r, k).",
    mass="(2*pi)**(d/2)*gammainc(d/2, k**2/2)+2*pi**(d/2)/gamma(d/2)*exp(k**2/2)*k**(-d)*gamma(d)*gammaincc(d, k**2)",
    keywords=(
        "robust loss",
        "least favourable",
    ),
)
