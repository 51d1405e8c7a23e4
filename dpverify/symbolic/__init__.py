"""Closed forms of epsilon: SymPy looks for them in a child process; they count where a proof's enclosure holds them."""

from dpverify.symbolic.derivation import formula
from dpverify.symbolic.formula import Case, Formula
from dpverify.symbolic.search import closed_form, with_closed_form

__all__ = ["Case", "Formula", "closed_form", "formula", "with_closed_form"]
