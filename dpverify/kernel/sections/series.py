"""How large a monomial of a model is, and powers and logarithms of models by Taylor's series."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import D0, INF, ONE, Interval, add_up, interval
from ..rules import BROUGHT, brought, require, rule
from .models import CONSTANT, SCALES, Germ, Known, Model, coefficient, constant, power_of_t
from .models import quotient, raised

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..intervals import Coefficient
    from .models import Exponent, Exponents


@rule("K10")
def size_of_monomial(germ: Germ, m: Exponents) -> Interval:
    """Monomials are monotone.

    Lemma.  With u = d log m / d log t, a sum of terms each of which keeps its sign: if at R
    the leading term outweighs all terms of the other sign, it does so at every t >= R, since
    these, divided by it, are largest at R.  So m is monotone on [R, oo) and its values lie in
    (0, m(R)] or [m(R), oo).
    """
    if m[0] and not all(isinstance(p, (int, Fraction, Known)) for p, _ in m[0].terms):
        return brought("the size of what outgrows powers")(germ, m)  # type: ignore[no-any-return]
    if m == power_of_t(m[1]) and not isinstance(m[1], Known):
        size = germ.start.power(Fraction(m[1]))
        return Interval(size.lo, INF) if m[1] > 0 else Interval(D0, size.hi)
    parts = logarithm(germ, m)
    fastest, sign = parts[0][2], 1 if parts[0][0] > 0 else -1
    against = [(x, speed) for x, _, speed in parts[1:] if x * sign < 0]
    weights = [fastest * (parts[0][0] * sign), *(speed * (x * sign) for x, speed in against)]
    slope: Interval = add_up(weights)
    require(slope.lo >= 0, "a monomial of a model is not monotone from its radius on")
    size = add_up(u * x for x, u, _ in parts).exp()
    return Interval(size.lo, INF) if sign > 0 else Interval(D0, size.hi)


def logarithm(germ: Germ, m: Exponents) -> list[tuple[Exponent, Interval, Interval]]:
    """log m as a sum of x u: each x, and u and du / d log t at R, the fastest u first."""
    parts: list[tuple[Exponent, Interval, Interval]] = []
    for p, k in m[0].terms if m[0] else ():
        u = (germ.logs[0] * p).exp()
        parts.append((k, u, u * p))
    speed = ONE
    for i, x in enumerate(m[1:]):
        known = x == 0 or i < len(germ.logs)
        require(known, "a model's radius is too small for its logarithms")
        if x:
            parts.append((x, germ.logs[i], speed))
        if i < len(germ.logs) and germ.logs[i].lo > 0:
            speed = speed * germ.logs[i].inverse()
    return parts


def relative(u: Model) -> tuple[Exponents, Coefficient, Model, Interval]:
    """Split into c * m * (1 + w), with w a model that vanishes at infinity, and its span."""
    require(bool(u.terms), "divides by zero, or takes its logarithm")
    lead, c = next(iter(u.terms.items()))
    require(interval(c).sign() in (1, -1), "a leading coefficient has no proved sign")
    scale = 1 / c if isinstance(c, Fraction) else interval(c).inverse()
    rest = {quotient(m, lead): k * scale for m, k in u.terms.items() if m != lead}
    w = Model(u.germ, rest)
    span = w.span()
    require(span.lo > -1, "a model's radius is too small for its series")
    return lead, c, w, span


@rule("K12")
def power_of_model(u: Model, p: Fraction) -> Model:
    """Powers and inverses.

    Lemma.  u = c m (1 + w) with w > -1, so u^p = c^p m^p (1 + w)^p, and (1 + w)^p is its
    binomial polynomial of degree n plus binom(p, n+1) (1 + x)^(p-n-1) w^(n+1) for some x
    between 0 and w (Taylor, with Lagrange's remainder).  w vanishes at infinity, so that its
    span, over which the remainder is taken, contains 0 and with it every such x.
    """
    (lead, c, w, span), n = relative(u), u.germ.order
    series = [Fraction(1)]
    for k in range(n + 1):
        series.append(series[-1] * (p - k) / (k + 1))
    remainder = (ONE + span).power(p - n - 1) * series.pop()
    whole = p.denominator == 1 and abs(p) < 64
    if isinstance(c, Fraction) and (c == 1 or whole):
        front: Coefficient = c ** int(p) if c != 1 else c
    else:
        front = constant(u.germ, "power", c, p)
    return Model(u.germ, {raised(lead, p): front}) * w.taylor(series, remainder)


@rule("K13")
def log_of_model(u: Model) -> Model:
    """Logarithms.

    Lemma.  log(c m (1 + w)) = log c + log m + log(1 + w), where log m is a sum of exact terms, and
    of exponents that are models (K462), and log(1 + w) its Taylor polynomial of degree n plus
    (-1)^n w^(n+1) / ((n+1) (1+x)^(n+1)) for some x between 0 and w.
    """
    (lead, c, w, span), n = relative(u), u.germ.order
    require(interval(c).lo > 0, "takes the logarithm of something not proved positive")
    require(not lead[4], "a fourth iterated logarithm is beyond the models")
    logs = u.germ.logs  # monomials are positive: log log t only where R > e, and so on
    known = all(k < len(logs) and logs[k].lo > 0 for k in range(3) if lead[k + 1])
    require(known, "a model's radius is too small for its logarithms")
    front: dict[Exponents, Coefficient] = {
        s: coefficient(x) for s, x in zip(SCALES, lead[1:], strict=False)
    }
    rest = Model(u.germ, {})
    for p, k in lead[0].terms if lead[0] else ():
        if isinstance(p, (int, Fraction, Known)):
            front[power_of_t(p)] = coefficient(k)
        else:
            rest = rest + p.u * Fraction(k)
    if c != 1:
        alone = len(u.terms) == 1 and lead == CONSTANT
        front[CONSTANT] = constant(u.germ, "log", c) if alone else interval(c).log()
    remainder = (ONE + span).power(Fraction(-n - 1)) * Fraction((-1) ** n, n + 1)
    coefficients = [Fraction(-((-1) ** k), k or 1) * (k > 0) for k in range(n + 1)]
    return Model(u.germ, front) + rest + w.taylor(coefficients, remainder)


BROUGHT.update({
    "the size of a monomial": size_of_monomial, "a power of a model": power_of_model,
    "a logarithm of a model": log_of_model})
