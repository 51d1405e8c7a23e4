"""Pearson type II: inside a ball alone."""

from fractions import Fraction

from dpverify.generators.catalogue.family import Family, ParameterSpec, no_closed_form

FAMILY = Family(
    name="pearson_ii",
    title="Pearson type II",
    text="Piecewise(((1-y)**m, y < 1), (0, True))",
    parameters=(ParameterSpec("m", Fraction(1), "m > -1", "power of 1 - y"),),
    closed_form=no_closed_form,
    private_when="never: f is 0 beyond r = 1, and the shifted law is not",
    source="Fang, Kotz and Ng (1990), section 3.4",
    notes="m = 0 is the uniform law on the ball, m = 1, 2, 3 Epanechnikov's, the biweight and the triweight.",
    mass="pi**(d/2)*gamma(m+1)/gamma(m+1+d/2)",
    keywords=(
        "Epanechnikov",
        "biweight",
        "triweight",
        "uniform on a ball",
        "compact support",
    ),
)
