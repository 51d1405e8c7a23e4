"""The Gaussian: private for no epsilon."""

from dpverify.generators.catalogue.family import Family, no_closed_form

FAMILY = Family(
    name="gaussian",
    title="Gaussian",
    text="exp(-y/2)",
    parameters=(),
    closed_form=no_closed_form,
    private_when="never: the loss delta r + delta^2/2 grows without bound",
    source="Reimherr and Awan (2019), Example 5",
    notes="Private in the (epsilon, delta) sense only.",
    mass="(2*pi)**(d/2)",
    mixing="1: 1",
    keywords=(
        "normal",
        "symmetric stable with alpha = 2",
    ),
)
