"""The texts that every export has: numbers as Coq reads them, the comment, the library, the charts."""

from __future__ import annotations

from fractions import Fraction
from textwrap import fill

from dpverify.export.coq import library
from dpverify.export.coq.plan import Charts

COMPUTE = "vm_cast_no_check (eq_refl true)."
QUESTION = "Print Assumptions certificate."
"""What the proof rests on: it takes longer than many a proof, since coqc walks through all of the libraries below."""
AXIOMS = "no axiom but those of Coq's reals and machine integers, as `Print Assumptions certificate` says."


def number(q: Fraction) -> str:
    """A rational as IZR p / IZR q, whole ones too: what the library's `point` encloses."""
    return f"{q.numerator} / {q.denominator}"


def fraction(q: Fraction) -> str:
    """A rational of Coq's type Q."""
    return f"({q.numerator} # {q.denominator})"


def arguments(q: Fraction) -> str:
    """A rational as the two arguments, numerator and denominator, of a Coq function."""
    p = f"({q.numerator})" if q.numerator < 0 else str(q.numerator)
    return f"{p} {q.denominator}"


def comment(text: str) -> str:
    """A comment of many lines, whatever the text holds."""
    return "(* " + fill(text.replace("(*", "( *").replace("*)", "* )"), 112, subsequent_indent="   ") + " *)"


def loaded(alone: bool) -> str:
    """The library's text as a module, or the line that loads it compiled."""
    return f"Module {library.NAME}.\n{library.body()}\nEnd {library.NAME}." if alone else library.REQUIRE


def plan_of(charts: Charts) -> str:
    """The definition of `plan`."""
    return f"""\
Definition plan : charts := {{|
  zero_d := 2 ^ {charts.near}; far_n := 2 ^ {charts.far}; cuts := powers_of_two {charts.near + charts.far};
  fuel := {charts.fuel}; split_zero := {str(charts.split_zero).lower()};
  zero_order := {charts.near_order}; far_order := {charts.far_order} |}}.
"""
