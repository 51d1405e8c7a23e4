"""Which points of the torus the phases come near: all of them, if they are independent."""

from __future__ import annotations

from fractions import Fraction

from ..intervals import Interval, add_up, interval
from ..rules import require, rule
from ..steps import rational, record, whole
from ..tree import Node, mul, num, walk
from .evaluation import Evaluation
from .hypotheses import Proof
from .increments import with_shift
from .lines import is_squarefree
from .models import CONSTANT, LINEAR, Model
from .refutations import UNBOUNDED
from .torus import Torus
from .waves import amplitude, cos
from .witness import WITNESSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TINY = Fraction(1, 10**40)
SUPERLINEAR = (0, 1, 1, 0, 0)
"""The monomial t log t."""
SMOOTH = {"num", "pi", "r", "add", "mul", "pow", "exp", "log"}
"""The kinds of which logarithmico-exponential functions are made."""


@rule("K187")
def lines_independent(torus: Torus) -> None:
    """The lines' speeds are linearly independent over the rationals.

    Lemma.  The numbers sqrt(n) pi^k, n squarefree, are linearly independent over the rationals; so
    speeds are if their coefficients are, as vectors.
    """
    keys = sorted({key for form in torus.lines for key in form})
    require(all(is_squarefree(n) for n, _ in keys), "a speed has a root of a number with a square")
    rows = [[form.get(key, Fraction(0)) for key in keys] for form in torus.lines]
    independent = rank(rows) == len(rows)
    require(independent, "the speeds of lines are not linearly independent")


@rule("K188")
def chirps_outrun(torus: Torus) -> None:
    """Chirps outrun every shift, and one another.

    Lemma.  Each chirp is made of numbers, r, sums, products, powers, exp and log, so that it and
    all its combinations have eventually monotone derivatives (Hardy); it grows faster than r log r,
    and of two of them it is known which grows faster (that their growth is written in two ways does
    not tell: K462, K490).  Then for all but countably many shifts h the phases of the lines, of the
    chirps at r, and of the chirps at r + h together come near every point of their torus, at radii
    of positive measure beyond every radius.
    """
    r = Model(torus.problem.infinity, {LINEAR: 1})
    leads: list[Any] = []
    for wave, _ in torus.chirps:
        argument = wave.args[0]
        smooth = all(part.kind in SMOOTH for part in walk(argument))
        require(smooth, "a chirp is not made of exp, log and powers")
        lead, c = Evaluation(r).value(argument).leading()
        outruns = lead > SUPERLINEAR and c.sign() in (1, -1)
        require(outruns, "a chirp is not shown to outrun every shift")
        apart = all(lead < other or other < lead for other in leads)
        require(apart, "two chirps grow alike")
        leads.append(lead)


@rule("K189")
def far_on_torus(proof: Proof, step: dict[str, Any]) -> Interval:
    """The loss in the limit at a point of the torus.

    Lemma.  If the phases come near every point of the torus for all but countably many shifts, and
    phi_h tends to a number in an interval on an open cell of phases for all shifts in an open
    interval below delta, then the best epsilon is at least that interval's lower end in modulus
    (Theorem A).
    """
    torus = proof.tail
    alone = isinstance(torus, Torus) and step["box"] is None
    require(alone, "a point of the torus has a box", "steps")
    assert isinstance(torus, Torus)
    h, phases, torus.peak_asked = rational(step["shift"], "witness.shift"), torus.peak_at, True
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


@rule("K190")
def vanishes_far_out(proof: Proof, step: Any) -> None:
    """f comes near 0 far out, beside radii where it does not.

    Lemma.  f = u^p h, p > 0, u = |a_1| + ... + |a_k| + a_1 w_1 + ... + a_k w_k for sines and
    cosines w_i.  The base phases come near every point of their torus, and the rows of multiples of
    the w_i are linearly independent, so the phases of the w_i come near every point of theirs: at
    radii of positive measure beyond every radius u(r + s) is as small as one likes, while u(r) is
    near sum |a_i| (1 - cos(v_i s)), v_i the speed of w_i, which is shown positive.  If the
    increment of log h is bounded from above in the tail, the loss is not.
    """
    record(step, "vanishing", {"factor", "shift"})
    torus, tree = proof.tail, proof.problem.tree
    require(isinstance(torus, Torus), "the proof names no torus of phases", "steps")
    assert isinstance(torus, Torus)
    s = rational(step["shift"], "vanishing.shift")
    require(0 < s <= torus.problem.delta, "vanishing.shift is not within the sensitivity")
    factors = list(tree.args) if tree.kind == "mul" else [tree]
    i = whole(step["factor"], "vanishing.factor", 0, len(factors) - 1)
    u, rest = factors[i], mul(num(1), *factors[:i], *factors[i + 1 :])
    if u.kind == "pow" and u.args[1] > 0:
        u = u.args[0]
    sizes, waves = sum_of_waves(u)
    rows = [torus.waves[w.number].multiples for w in waves if w.number in torus.waves]
    straight = len(rows) == len(waves) and not any(any(row[len(torus.lines):]) for row in rows)
    require(straight, "a wave of the factor is no sum of lines")
    independent = rank([list(map(Fraction, row)) for row in rows]) == len(rows)
    require(independent, "the waves of the factor hang together")
    lines_independent(torus)
    speeds = [torus.waves[w.number].moved([*torus.speeds, *[interval(0)] * len(torus.chirps)])
              for w in waves]
    here = add_up(size * (interval(1) - cos(v * s, torus.turns))
                  for size, v in zip(sizes, speeds, strict=True))
    require(here.lo > 0, "the factor is not shown positive a shift away")
    r = Model(torus.problem.infinity, {LINEAR: 1})
    sign, log = Evaluation(with_shift(r, r.const(s))).log(rest)
    lead, c = log.du.leading()
    bounded = sign == 1 and (lead <= CONSTANT or c.hi < 0)
    require(bounded, "the increment of the other factors' logarithm is not shown bounded")


def sum_of_waves(u: Node) -> tuple[list[Fraction], list[Node]]:
    """|a_i| and w_i where u = sum |a_i| + sum a_i w_i."""
    require(u.kind == "add", "the factor is no sum of waves")
    numbers = [a.args[0] for a in u.args if a.kind == "num"]
    terms = [a for a in u.args if a.kind != "num"]
    sizes = [abs(amplitude(a)) for a in terms]
    touching = all(sizes) and sum(numbers) == sum(sizes)
    require(touching, "the factor is not as large as its waves alone")
    return sizes, [a if a.kind in ("cos", "sin") else a.args[1] for a in terms]


def rank(rows: list[list[Fraction]]) -> int:
    """The rank of a matrix, by elimination."""
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is not None:
            found += 1
            rows = [[x - row[column] / pivot[column] * y for x, y in zip(row, pivot, strict=True)]
                    for row in rows if row is not pivot]
    return found


WITNESSES["torus"] = far_on_torus
UNBOUNDED["vanishing"] = vanishes_far_out
