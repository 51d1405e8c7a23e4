"""delta(eps) and eps(delta) of one release, enclosed: Theorem B, spheres around the centre, Taylor panels.

series      truncated power series over balls: a function on a panel
generator   log f along a series, and the ends of the half-line
caps        F_d, the share of a sphere below a height
pieces      sums of integrals, refined where they are least known
even        fewer panels for the same sum, for a checker
mass        the normalisation
boundary    where the loss is eps, found in floats and written down as polynomials
majorants   coefficients of logarithms and powers of a square and a number
vanishing   logarithms of what vanishes with a part of it
cuts        where panels of spheres are cut
spheres     delta(eps) in two dimensions and more
line        delta(eps) in one
duals       log f and its slope on real and complex balls
by_nodes    integrals by Gauss's nodes, where no certificate is asked for
caps_by_nodes  the same of caps, over the true boundary
carried     the boundary by the form of f
anywhere    the same for an f that may rise
slope       how the divergence changes with the shift, for such an f
shifts      the worst of all shifts
layers      the divergence at one shift for such an f, in two dimensions and more
turning     how it changes with the shift there
space       the worst of all shifts there
divergence  the quotient, between two rationals
inverse     eps(delta)
cut         an f that is 0 beyond some radius
atom        how much of its loss is infinite
"""

from dpverify.prover.profile.divergence import NOTHING, TINY, Divergence, Profile
from dpverify.prover.profile.inverse import nearly, quantile
from dpverify.prover.profile.shifts import RISING, Rising
from dpverify.prover.profile.space import RisingInSpace, rising

__all__ = [
    "NOTHING",
    "RISING",
    "TINY",
    "Divergence",
    "Profile",
    "Rising",
    "RisingInSpace",
    "nearly",
    "quantile",
    "rising",
]
