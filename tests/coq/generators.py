"""Certificates of elementary generators of many kinds, made on the spot."""

from __future__ import annotations

from functools import cache
from typing import Any

import dpverify

PRIVATE = (
    "exp(-r)+3*exp(-5*r)",
    "1000*exp(-y)+(1+y)**-2",
    "(1+2*r)*exp(-2*r)",
    "exp(-y**(2/5))",
    "exp(-log(2+y)**2)",
    "(1+y)**(-3)*log(3+y)**2",
    "1/(1+cosh(r))",
    "exp(-r)*(2-tanh(r))",
    "exp(-pi*r)",
    "exp(-asinh(r)**2)",
    "exp(-r)*(1+r+y/3)",
    "2**(-r)",
    "exp(-r)-exp(-2*r)/4",
    "exp(-y/(1+r))",
    "exp(-log(cosh(r/3)))",
    "(1+r*log(1+log(1+r)))**-5",
    "exp(-r*tanh(r))",
    "r/sinh(r)",
    "exp(-r)+exp(-r*log(1+log(1+r)))/2",
    "exp(-r/10)*(1+3*r)",
)
NOT_PRIVATE = (
    "exp(-r*log(1+log(1+y)))",
    "exp(-y**(3/5))",
    "y**(-1/100)*exp(-r)",
    "sqrt(log(2+1/y))*exp(-r)",
    "y*exp(-r)",
    "exp(-y)*cosh(r)",
    "exp(-y/8)/(3+r*tanh(r))",
)
WAVES = (
    "exp(-2*r)*(2+cos(r)/(1+r))",
    "exp(-r)*(3+sin(r)/(1+y))",
    "(1+y)**-2*(4+cos(r)/(1+y))",
    "exp(-r-cos(pi*r)/10*exp(-r))",
    "exp(-3*r)*(2+cos(1/(1+r)))",
)
PIECES = (
    "exp(-Max(r, 1))",
    "exp(-Abs(r-2)-r)",
    "exp(-r)/Max(r, 1)",
    "exp(Min(-r, 3-2*r))",
    "Piecewise((2*exp(-r), y<4), (exp(-r), True))",
    "Piecewise((3*exp(-r), r<=1/3), (2*exp(-r), (r<2) & (y<9)), (exp(-r), True))",
    "exp(-r-Piecewise((floor(r), r<4), (4, True)))",
    "exp(-Max(r, 2))*(2+cos(r)/(1+y))",
)
VANISHING = ("(2-y)**2*exp(-r)", "exp(-r)*(1-r)**4")
INVALID = (
    "1/(1+r)",
    "exp(-r)*(1-2*r)",
    "1/((1+r)*log(3+r))",
    "exp(-log(1+r))",
    "1/(1+log(1+r))",
    "exp(-r)/r**3",
    "exp(-r)/(r*log(2+1/r))",
)


@cache
def certificate(text: str) -> dict[str, Any]:
    made = dpverify.verify(text).certificate
    assert made is not None, text
    return dict(made)


WITHOUT_EXPORT = {
    "chirp": "waves that outrun every shift",
    "compact-support": "pieces, not private",
    "flat-place": "a fall by algebra",
    "hidden-square": "a product of polynomials",
    "infinite-integral-at-a-radius": "poles",
    "nothing-near-the-centre": "pieces, not private",
    "pole-at-a-radius": "poles",
    "irrational-square": "a product of polynomials",
    "logarithmic-factor": "gamma",
    "jump-at-an-irrational-radius": "pieces that meet at a radius that is not rational",
    "rising-at-a-jump": "pieces that rise",
    "huber-on-a-ring": "pieces that rise",
    "rising-somewhere": "pieces that rise",
    "a-term-that-ends": "a term that ends before the tail",
    "thirds": "pieces that rise",
    "minimum-among-maxima": "pieces between radii that are no powers of numbers",
    "a-bound-that-never-binds": "poles",
    "parts-alike": "steps without end",
    "common-factor": "waves in the tail",
    "saw": "steps without end",
    "saw-beside-slow-growth": "steps without end",
    "teeth-of-an-irrational-period": "steps without end",
    "waves-that-touch-zero-far-out": "waves without a common period",
    "waves-without-a-common-period": "waves without a common period",
    "second-ways": "waves in the tail",
    "short-shift-and-kinks": "slopes of waves",
    "short-shift-and-free-waves": "waves without a common period",
    "softplus": "the logarithm of a logarithm",
    "less-than-one": "the logarithm of a logarithm",
    "logarithm-beside-a-number": "the logarithm of a logarithm",
    "sign-of-a-maximum": "a condition on a maximum",
    "stairs": "steps without end",
    "steps-from-zero": "steps without end",
    "steps-of-a-wave": "steps without end",
    "steps-that-repeat": "steps without end",
    "steps-that-decay": "steps without end",
    "steps-that-rise-more-slowly": "pieces that rise",
    "stairs-that-rise": "pieces that rise",
    "touching-zero": "pieces, not private",
    "touching-root": "zeros of a wave",
    "touching-sine": "zeros of a wave",
    "touching-zeros-for-ever": "zeros of a wave",
    "irrational-rates": "pieces that rise",
    "irrational-exponent": "exponents that are no rationals",
    "tower": "exponentials that outgrow powers",
    "undefined-branch": "a text without a value",
    "undefined-division": "a text without a value",
    "undefined-logarithm": "a text without a value",
    "vertex": "more than 6000 boxes",
    "waves-that-fall": "waves in the tail",
    "roots-that-cancel-altogether": "f is 0",
    "zero-by-limits": "pieces, not private",
    "zero-throughout": "f is 0",
    "touching-saw": "steps without end",
    "root-of-a-saw": "steps without end",
    "saw-to-the-power-0": "steps without end",
    "pole-beside-a-jump": "steps without end",
    "zero-beside-a-jump": "steps without end",
    "zeros-that-recur-and-no-integral": "zeros of a wave",
    "zero-beyond-a-ball": "pieces, not private",
    "narrow-peaks-and-no-integral": "waves beside one phase",
    "unlike-far-out": "waves beside one phase",
    "peaks-under-a-power": "waves beside one phase",
    "negative-at-last": "a radius that is not named",
}
"""What the library does not reach yet, by the gallery's names; those with special functions aside."""
