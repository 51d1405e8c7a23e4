"""A bound of g'(s) = s E_s[V^-2] over all s >= R, from the steepness u(v) = -v p'(v)/p(v) beyond some v1.

E_s is the mean under the law of V tilted by v^(-d) exp(-s^2/(2 v^2)), q its density; N and Z are the
integrals of v^(-d-2) and of v^(-d) against that exponential and p, split at v1 into N0 + N1 and Z0 + Z1;
E1 is the mean given V > v1, and m1 = N1/Z1 = E1[V^-2]. Then s g'(s) <= s^2 N0/Z1 + s^2 m1, and:

1. s^2 N0/Z1 falls on [R, oo) if R^2 (v1^-2 - m1(R)) >= 2: its logarithmic slope in s is at most
   2/s - s (v1^-2 - m1(s)), and m1 falls.
2. Integrating (v q)' over v > v1 gives s^2 m1 = d - 1 + E1[u] - c, where c >= 0 comes from v1. So if u <= C
   there, s^2 m1 <= d - 1 + C.
3. Let u0 <= u <= D v^2, u0 > max(0, 3 - d). Integrating (v^3 q)' gives E1[V^2 u] = s^2 + (3 - d) E1[V^2] + beta(s),
   beta(s) = v1^(3-d) exp(-s^2/(2 v1^2)) p(v1) / Z1(s), which falls, as in 1. As E1[V^2] <= E1[V^2 u]/u0,
   E1[V^2 u] <= gamma (s^2 + beta), gamma = 1 for d >= 3, else 1/(1 - (3-d)/u0). By Cauchy and Schwarz
   E1[u]^2 <= E1[u^2] <= D E1[V^2 u], so s^2 m1 <= d - 1 + s sqrt(D gamma (1 + beta/s^2)).
4. Let u = D v^2 + 1 - d + c, D > 0, b = sqrt(D), |c| <= M v^h and c <= M1 v^h with 0 <= h < 2, u >= D0 v^2 > 0, and
   v1^2 < R/b. With psi = (s/v - b v)/(s/v + b v), (s/v - b v)^2 = (v q'/q + 1 + c) psi. Integrating (v psi q)', whose
   term at v1 has the sign that helps, with v psi' = psi^2 - 1: W = E1[(s/V - b V)^2] <= 1 + E1[c psi]. As psi^2 <=
   (s/v - b v)^2/(4 s b) and E1[V^4] <= E1[V^2 u]/D0 <= s^2 Q, Q = gamma (1 + beta/s^2)/D0, by Cauchy and Schwarz
   W <= 1 + M (s^2 Q)^(h/4) sqrt(W/(4 s b)), which bounds W; and the bound of W/s falls. Now W = s^2 m1 + D E1[V^2] -
   2 s b and s^2 m1 <= E1[c] + D E1[V^2], so s^2 m1 <= s b + (W + E1[c])/2, where E1[c] <= M1 (s^2 Q)^(h/4) if
   M1 > 0, else M1 v1^h. The bound of m1 s falls with that of W, of W/s, or of E1[c]/s; for M1 < 0 < h - 1 it need
   not, and then 0 stands for M1 v1^h.

The boundary terms at infinity vanish: v^(1-d) p in 2 and v^(3-d) p in 3 fall like a power, p in 4 like exp(-D v^2/3).

The other way round, let p(v) <= exp(-K v^2) for all large v, say v > v_K, and 0 < K' < K. As s^2/(2 v^2) + K' v^2 >=
s sqrt(2 K'), the integral over v > v_K is at most exp(-s sqrt(2 K')) times that of v^(-d) exp(-(K - K') v^2), which is
finite; that over v < v_K is O(exp(-c s^2)), c > 0. So liminf g(s)/s >= sqrt(2 K). Since g(delta + n delta) <=
g(delta) + n sup phi, sup phi >= delta sqrt(2 K): infinite if -log p(v)/v^2 tends to infinity.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from dpverify.asymptotics import Model
from dpverify.asymptotics.germ import Span, power_of_t
from dpverify.enclosures import Undecided, exact
from dpverify.enclosures.irrational import Irrational
from dpverify.findings import Reason
from dpverify.mixtures.ends import SQUARE, End
from dpverify.mixtures.potential import MixedPotential
from dpverify.mixtures.quadrature import Quadrature

SPLITS = (1, 2, 3, 4, 6, 8)
LOGARITHMS = Fraction(1, 8), Fraction(1, 2), Fraction(3, 4)  # powers that outgrow the logarithms beside v^h


def slope_limit(infinity: End) -> arb:
    """sqrt(2 K), a lower bound of liminf g(s)/s, where log p(v) ~ -K v^2; 0 for heavier tails."""
    if infinity.log is None:
        return arb.pos_inf()
    lead, coefficient = infinity.log.leading()
    return (-2 * coefficient).sqrt() if lead == SQUARE and coefficient < 0 else arb(0)


def slope_bound(potential: MixedPotential, reach: Fraction) -> arb:
    """An upper bound of g' on [reach, oo): the best over a few places v1 to split; raises Undecided."""
    failure: Undecided | None = None
    best = arb.pos_inf()
    middle = -potential.mean(reach).log() / 2  # log of the usual size of V at r = reach
    for split in SPLITS:
        cut = _dyadic(middle - arb(2).log() * split / 2)
        try:
            bound = _bound(potential.quadrature, reach, cut).upper()
        except Undecided as error:
            failure = failure or error
            continue
        if bound < best:
            best = bound
    if not best.is_finite():
        raise failure or Undecided(Reason.SLOPE_NOT_BOUNDED())
    return best


def _dyadic(x: arb) -> Fraction:
    if not x.is_finite():
        raise Undecided(Reason.V_NOT_KNOWN())
    return Fraction(int((x * 16).mid().floor().fmpq().p), 16)


def _bound(quadrature: Quadrature, reach: Fraction, cut: Fraction) -> arb:
    """The bound that splits at v1 = e^cut."""
    d = quadrature.dimension
    end = quadrature.end_beyond(cut, at_zero=False)
    if end.steepness is None:
        raise Undecided(Reason.P_VANISHES_IN_TAIL())
    s, v1 = exact(reach), arb(exact(cut)).exp()
    z1 = quadrature.integral(reach, 0, low=cut)
    m1 = quadrature.integral(reach, 2, low=cut) / z1
    if not s * s * (1 / (v1 * v1) - m1) >= 2:
        raise Undecided(Reason.RADIUS_TOO_SMALL_FOR_TAIL())
    inner = quadrature.integral(reach, 2, high=cut).abs_upper() / z1 * (s * s)
    u = end.span()
    if u.high.is_finite():
        if not u.low > 1 - d:
            raise Undecided(Reason.P_FALLS_TOO_SLOWLY())
        return (inner + u.high + (d - 1)).max(arb(0)) / s
    per_square = end.per_square()
    if not (per_square.low >= 0 and per_square.high.is_finite() and u.low > max(0, 3 - d)):
        raise Undecided(Reason.MIXING_UNSTEADY())
    beta = (v1.log() * (3 - d) - s * s / (2 * v1 * v1)).exp() * quadrature.density(cut) / z1
    gamma = arb(1) if d >= 3 else 1 / (1 - (3 - d) / u.low)
    spread = gamma * (1 + beta / (s * s))
    bound = (inner + (d - 1)) / s + (per_square.high * spread).sqrt()
    try:
        gaussian = _gaussian(end.steepness, d)
    except Undecided:
        return bound
    if gaussian is None or not per_square.low > 0:
        return bound
    rate, power, rest = gaussian
    b = arb(rate).sqrt()
    if not (rest.low.is_finite() and rest.high.is_finite() and v1 * v1 * b < s):
        return bound
    size = (spread / per_square.low * (s * s)) ** (arb(power) / 4)
    half = rest.x.abs_upper() * size / (4 * (b * s).sqrt())
    w = (half + (half * half + 1).sqrt()) ** 2
    most = rest.high.upper()
    mean = most * size if most > 0 else most * v1 ** arb(power) if power <= 1 else arb(0)
    return bound.min(b + (inner + (w + mean) / 2).max(arb(0)) / s)


def _gaussian(steepness: Model, d: int) -> tuple[fmpq, fmpq, Span] | None:
    """D, h and the values of (u - D v^2 + d - 1) / v^h, where D is a positive rational and h < 2."""
    rate = steepness.terms.get(SQUARE)
    if not isinstance(rate, fmpq) or rate <= 0:
        return None
    rest = steepness - Model(steepness.germ, {SQUARE: rate}) + (d - 1)
    lead = rest.leading()[0]
    if lead[0] > 0 or isinstance(lead[1], Irrational):
        return None
    power = max(Fraction(0), Fraction(lead[1])) if lead[0] == 0 else Fraction(0)
    for more in (Fraction(0),) if lead <= power_of_t(power) else LOGARITHMS:
        if power + more >= 2:
            continue
        try:
            span = (rest * Model(steepness.germ, {power_of_t(-power - more): fmpq(1)})).span()
        except Undecided:
            continue  # this power outgrows them further out only
        return rate, exact(power + more), span
    return None
