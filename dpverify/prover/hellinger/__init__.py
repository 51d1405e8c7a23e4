"""Hellinger integrals, of p^L q^(1-L) over space, for the longest shift of an f that does not rise.

integrand   p^L q^(1-L) at two radii, on points and on complex balls
ends        what lies far out and about the centres; orders from which on the integral is infinite
line        the integral in one dimension
space       the same in more, in the coordinates of ellipses about both centres
divergence  Renyi divergences, as narrow as is asked
"""

from dpverify.prover.hellinger.divergence import Orders
from dpverify.prover.hellinger.ends import infinite
from dpverify.prover.hellinger.integrand import Tilt

__all__ = ["Orders", "Tilt", "infinite"]
