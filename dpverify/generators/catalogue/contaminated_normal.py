"""The contaminated normal: two Gaussians."""

from fractions import Fraction

from dpverify.generators.catalogue.family import Family, ParameterSpec, no_closed_form

FAMILY = Family(
    name="contaminated_normal",
    title="Contaminated normal",
    text="(1-p)*exp(-y/2)+p*s**(-d)*exp(-y/(2*s**2))",
    parameters=(
        ParameterSpec("p", Fraction(1, 10), "0 < p < 1", "share of the wide part"),
        ParameterSpec("s", Fraction(3), "s > 1", "its scale"),
    ),
    closed_form=no_closed_form,
    private_when="never: the tail is that of the wider Gaussian",
    source="Tukey (1960)",
    notes="Private in the (epsilon, delta) sense only.",
    mass="(2*pi)**(d/2)",
    mixing="1-p: 1, p: s",
    keywords=(
        "Gaussian mixture",
        "epsilon-contaminated",
    ),
)
