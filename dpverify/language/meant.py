"""What others call what the language has under another name, or as a formula."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches

CASES = "Piecewise((value, condition), (other, True))"
MEANT = {
    "tan": "sin(...)/cos(...)",
    "sec": "1/cos(...)",
    "csc": "1/sin(...)",
    "cot": "cos(...)/sin(...)",
    "sinc": "sin(...)/(...)",
    "arctan": "atan(...)",
    "arcsinh": "asinh(...)",
    "arsinh": "asinh(...)",
    "arccosh": "acosh(...)",
    "arcosh": "acosh(...)",
    "atanh": "log((1+(...))/(1-(...)))/2",
    "arctanh": "log((1+(...))/(1-(...)))/2",
    "norm": "r",
    "kv": "besselk(p, ...)",
    "iv": "besseli(p, ...)",
    "log2": "log(...)/log(2)",
    "log10": "log(...)/log(10)",
    "exp2": "2**(...)",
    "pow": "a**b",
    "cbrt": "(...)**(1/3)",
    "hypot": "sqrt(a**2+b**2)",
    "fabs": "Abs(...)",
    "sgn": "sign(...)",
    "lgamma": "loggamma(...)",
    "gammaln": "loggamma(...)",
    "W": "lambertw(...), or for a product W*(...)",
    "LambertW": "lambertw(...)",
    "erfcx": "exp((...)**2)*erfc(...)",
    "Phi": "erfc(-(...)/sqrt(2))/2",
    "normcdf": "erfc(-(...)/sqrt(2))/2",
    "ndtr": "erfc(-(...)/sqrt(2))/2",
    "Q": "erfc((...)/sqrt(2))/2, or for a product Q*(...)",
    "logistic": "1/(1+exp(-(...)))",
    "sigmoid": "1/(1+exp(-(...)))",
    "expit": "1/(1+exp(-(...)))",
    "softplus": "log1p(exp(...))",
    "relu": "Max(..., 0)",
    "clip": "Min(Max(..., a), b)",
    "where": CASES,
    "heaviside": "Heaviside(...)",
    "rint": "round(...), where halves go upward",
    "indicator": CASES,
}
ABSENT = {"besselj", "bessely", "jv", "yv", "digamma", "polygamma", "psi", "zeta", "expint", "airy", "hyp2f1", "hyp1f1"}
"""Functions that the language has not, whatever they are called; others with names like theirs are no substitute."""


def meant(name: str, functions: Collection[str]) -> str:
    """What to write for a function that the language does not have under this name, after a semicolon."""
    if name in MEANT:
        return f"; write {MEANT[name]}"
    if re.fullmatch(r"[KI]_?\w*", name):  # Bessel functions, with their order or without
        return f"; for the Bessel function {name[0]}_p write bessel{name[0].lower()}(p, ...)"
    have = f"the functions are {', '.join(sorted(functions))}"
    if name in ABSENT:
        return f"; {have}"
    if close := get_close_matches(name, functions, 1) or get_close_matches(name.lower(), functions, 1):
        return f"; did you mean {close[0]}?"
    return f"; for a product write {name[:40]}*(...); {have}"
