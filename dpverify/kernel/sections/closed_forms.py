"""A closed form of epsilon, which says something where the enclosure is narrow."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import ONE, interval
from ..reader import Reader
from ..rules import BROUGHT, brought, require, rule
from .evaluation import Evaluation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NARROW = Fraction(1, 10**8)


@rule("K33")
def closed_form(form: Reader, tree: Any, low: Fraction, high: Fraction) -> None:
    """A closed form lies in the enclosure of epsilon.

    Lemma.  Its value, exact where it is rational and enclosed otherwise, lies between the bounds.
    That it equals epsilon is not claimed; so that it says something, the enclosure has to be
    narrower than 1e-8, relative to its upper end where that is above 1.
    """
    narrow = high - low <= NARROW * max(Fraction(1), high)
    require(narrow, "the enclosure is too wide for a closed form")
    at = Evaluation(ONE)
    for need in form.needs:
        met = brought("a need met on one chart")(at, need)
        require(met, "the closed form is not shown to have a value")
    if tree.kind == "num":  # what is rational without r has been added up, and is exact
        inside = low <= tree.args[0] <= high
    else:
        value = at.value(tree)
        inside = interval(low).hi <= value.lo and value.hi <= interval(high).lo
    require(inside, "the closed form is not in the enclosure of epsilon")


BROUGHT["a closed form of epsilon"] = closed_form
