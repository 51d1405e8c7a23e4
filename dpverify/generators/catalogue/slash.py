"""Slash: a Gaussian over a power of a uniform number."""

from fractions import Fraction

from dpverify.generators.catalogue.family import Family, ParameterSpec, no_closed_form

FAMILY = Family(
    name="slash",
    title="Slash",
    text="y**(-(q+d)/2)*gammainc((q+d)/2, y/2)",
    parameters=(ParameterSpec("q", Fraction(1), "q > 0, and (q+d)/2 at most 50", "power of the tail, beyond d"),),
    closed_form=no_closed_form,
    private_when="always: any q > 0, in every dimension",
    source="Rogers and Tukey (1972); Wang and Genton (2006)",
    notes="Z/U^(1/q), U uniform on (0, 1); the tail falls as r^-(q+d). No closed form is known.",
    mass="(2*pi)**(d/2)*2/(q*2**((q+d)/2)*gamma((q+d)/2))",
    mixing="Piecewise((0, v < 1), (v**(-q-1), True))",
    keywords=("Gaussian scale mixture",),
)
