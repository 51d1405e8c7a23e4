"""Which points of the torus the phases come near: all of them, if they are independent."""

from __future__ import annotations

from fractions import Fraction

from ..evaluation import Evaluation
from ..intervals import Interval, interval
from ..models import LINEAR, Model
from ..pairs import Shift
from ..proof import WITNESSES, Proof
from ..rules import require, rule
from ..steps import rational
from ..tree import walk
from .lines import is_squarefree
from .torus import Torus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TINY = Fraction(1, 10**40)
SUPERLINEAR = (0, 1, 1, 0, 0)
"""The monomial t log t."""
SMOOTH = {"num", "pi", "r", "add", "mul", "pow", "exp", "log"}
"""The kinds of which logarithmico-exponential functions are made."""


@rule("K167")
def lines_independent(torus: Torus) -> None:
    """The lines' speeds are linearly independent over the rationals.

    Lemma.  The numbers sqrt(n) pi^k, n squarefree, are linearly independent over the rationals; so
    speeds are if their coefficients are, as vectors.
    """
    keys = sorted({key for form in torus.lines for key in form})
    require(all(is_squarefree(n) for n, _ in keys), "a speed has a root of a number with a square")
    rows = [[form.get(key, Fraction(0)) for key in keys] for form in torus.lines]
    for column in range(len(keys)):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        scaled = [[row[column] / pivot[column] * x for x in pivot] for row in rows]
        rows = [[x - y for x, y in zip(*pair, strict=True)] for pair in zip(rows, scaled, strict=True)]
    require(not rows, "the speeds of lines are not linearly independent")


@rule("K168")
def chirps_outrun(torus: Torus) -> None:
    """Chirps outrun every shift, and one another.

    Lemma.  Each chirp is made of numbers, r, sums, products, powers, exp and log, so that it and all
    its combinations have eventually monotone derivatives (Hardy); it grows faster than r log r, and
    no two of them grow alike.  Then for all but countably many shifts h the phases of the lines, of
    the chirps at r, and of the chirps at r + h together come near every point of their torus, at
    radii of positive measure beyond every radius.
    """
    r, leads = Model(torus.problem.infinity, {LINEAR: 1}), []
    for wave, _ in torus.chirps:
        argument = wave.args[0]
        smooth = all(part.kind in SMOOTH for part in walk(argument))
        require(smooth, "a chirp is not made of exp, log and powers")
        lead, c = Evaluation(r).value(argument).leading()
        outruns = lead > SUPERLINEAR and c.sign() in (1, -1)
        require(outruns, "a chirp is not shown to outrun every shift")
        require(lead not in leads, "two chirps grow alike")
        leads.append(lead)


@rule("K169")
def far_on_torus(proof: Proof, step: dict[str, Any]) -> Interval:
    """The loss in the limit at a point of the torus.

    Lemma.  If the phases come near every point of the torus for all but countably many shifts, and
    phi_h tends to a number in an interval on an open cell of phases for all shifts in an open
    interval below delta, then the best epsilon is at least that interval's lower end in modulus
    (Theorem A).
    """
    torus = proof.tail
    require(isinstance(torus, Torus) and step["box"] is None, "a point of the torus has a box", "steps")
    assert isinstance(torus, Torus)
    h, phases = rational(step["shift"], "witness.shift"), torus.peak_at
    require(TINY < h <= torus.problem.delta, "the witness' shift is not within the sensitivity")
    fits = phases is not None and len(phases) == len(torus.axes())
    require(fits, "torus.peak is no point of the torus", "steps")
    lines_independent(torus)
    if torus.chirps:
        chirps_outrun(torus)
    box = [*((x, x + TINY) for x in phases or ()), (h - TINY, h)]
    r = Model(torus.problem.infinity, {LINEAR: 1})
    loss: Interval = torus.loss_at(r, torus.cell(r, box)).limit()
    return loss


WITNESSES["torus"] = far_on_torus
