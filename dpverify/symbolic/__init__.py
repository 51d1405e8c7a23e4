"""Closed forms of epsilon: SymPy looks for them in a child process; they count where a proof's enclosure holds them."""

from dpverify.symbolic.derivation import formula
from dpverify.symbolic.formula import Case, Formula

__all__ = ["Case", "Formula", "formula"]
