"""The checker: replays a dpverify certificate with its own arithmetic and searches for nothing.

A folder of the standard library alone, importing nothing of dpverify, so that whoever receives a
certificate can check it with this folder alone::

    python -I -S dpverify/kernel CERTIFICATE.json ...

The claim is about noise with density proportional to f(y), y = x'S^-1 x, on R^d, released with
scale sigma and sensitivity Delta.  Write r = sqrt(y), delta = Delta/sigma, g(r) = -log f(r^2) and
phi_h(r) = g(r + h) - g(r).  Theorem A: the best epsilon is the supremum of |phi_h(r)| over r >= 0
and 0 <= h <= delta; where f is non-increasing this is the supremum of phi_delta (Theorem 3 of
Reimherr and Awan 2019).

Read certificate.py, rules.py and steps.py for what is checked; tree.py and reader.py for the text;
intervals.py for the arithmetic.  `sections` has the rest, each loaded only where its
rules are listed: its last lines say what it adds to which table.  epsilon.py is the claim of an
epsilon, charts.py, evaluation.py and slopes.py have the values of f.
"""

from .certificate import FORMAT, MAX_BYTES, SECTIONS, VERSION, Checked, check_bytes, digest, read
from .main import main
from .rules import RULES, Rejected, Unreadable

__all__ = [
    "FORMAT", "MAX_BYTES", "RULES", "SECTIONS", "VERSION", "Checked", "Rejected", "Unreadable",
    "check_bytes", "digest", "main", "read"]
