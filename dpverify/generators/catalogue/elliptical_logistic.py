"""The elliptical logistic, in y: its tail is the Gaussian's."""

from dpverify.generators.catalogue.family import Family, no_closed_form

FAMILY = Family(
    name="elliptical_logistic",
    title="Elliptical logistic",
    text="exp(-y)/(1+exp(-y))**2",
    parameters=(),
    closed_form=no_closed_form,
    private_when="never: the tail is that of exp(-y)",
    source="Fang, Kotz and Ng (1990), section 3.5",
    notes="Private in the (epsilon, delta) sense only; radial_logistic is private.",
    keywords=("logistic",),
)
