"""The normal inverse Gaussian: generalised hyperbolic of order -1/2."""

from fractions import Fraction

from dpverify.generators.catalogue.family import Family, ParameterSpec, no_closed_form

FAMILY = Family(
    name="nig",
    title="Symmetric normal inverse Gaussian (NIG)",
    text="(1+y)**(-(d+1)/4)*besselk((d+1)/2, alpha*sqrt(1+y))",
    parameters=(ParameterSpec("alpha", Fraction(1), "alpha > 0", "tail rate"),),
    closed_form=no_closed_form,
    private_when="always",
    source="Barndorff-Nielsen (1997); McNeil, Frey and Embrechts (2005), section 3.2",
    notes="The slope of the potential rises past its limit alpha; no closed form is known.",
    mass="(2*pi/alpha)**(d/2)*besselk(1/2, alpha)",
    mixing="v**(-2)*exp(-alpha**2*v**2/2-1/(2*v**2))",
    keywords=(
        "NIG",
        "normal inverse Gaussian",
        "generalised hyperbolic",
    ),
)
