"""The radial potential g = -log f as a SymPy expression, piece by piece between its breaks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import sympy as sp

from dpverify.deadline import OutOfTime, deadline
from dpverify.symbolic.reference import TINY, Reference, Undetermined
from dpverify.symbolic.to_sympy import r

MOST_BREAKS = 6
SECONDS = 4.0


@dataclass(frozen=True)
class PiecewisePotential:
    """g on (0, oo): pieces[i] holds between breaks[i-1] and breaks[i]; smooth g has one piece."""

    pieces: tuple[Any, ...]
    breaks: tuple[Any, ...]

    def ends(self, i: int) -> tuple[Any, Any]:
        """Where piece i begins and ends."""
        return (self.breaks[i - 1] if i else sp.S.Zero), (self.breaks[i] if i < len(self.breaks) else sp.oo)


def potential(f: Any, ref: Reference) -> PiecewisePotential:
    """g = -log f. Raises Undetermined where the breaks of f cannot be solved for."""
    breaks = _breaks(f, ref)
    grid = [sp.S.Zero, *breaks]
    middles = [(ref.number(a) + ref.number(b)) / 2 for a, b in zip(grid, breaks, strict=False)]
    middles.append(ref.number(grid[-1]) + 1)
    return PiecewisePotential(tuple(minus_log(_branch(f, m, ref)) for m in middles), tuple(breaks))


def minus_log(f: Any) -> Any:
    """-log f with products, powers and exponentials taken apart; f > 0 is for the verifier to prove."""
    if isinstance(f, sp.Mul):
        return sp.Add(*(minus_log(a) for a in f.args))
    if isinstance(f, sp.exp):
        return sp.expand_mul(-f.args[0])
    if isinstance(f, sp.Pow):
        return sp.expand_mul(f.exp * minus_log(f.base)) if f.exp.is_number else sp.factor(-f.exp) * -minus_log(f.base)
    return -sp.log(f)


def _switches(f: Any) -> list[Any]:
    """The functions of r at whose zeros a condition, a Max or an Abs changes."""
    found: list[Any] = []
    for part in sp.preorder_traversal(f):
        if isinstance(part, (sp.Max, sp.Min)):
            found += [a - b for i, a in enumerate(part.args) for b in part.args[i + 1 :]]
        elif isinstance(part, sp.Abs):
            found.append(part.args[0])
        elif isinstance(part, sp.core.relational.Relational):
            found.append(part.lhs - part.rhs)
    return [s for s in dict.fromkeys(found) if s.has(r)]


def _breaks(f: Any, ref: Reference) -> list[Any]:
    roots: dict[Any, Any] = {}
    for switch in _switches(f):
        for root in solutions(switch):
            value = ref.number(root) if not root.has(r) else None
            if value is not None and value > TINY:
                roots.setdefault(root, value)
    ordered = sorted(roots, key=lambda b: roots[b])
    if len(ordered) > MOST_BREAKS:
        raise Undetermined(f"f has {len(ordered)} breaks")
    for b in ordered:
        ref.sign(b)
    for a, b in pairwise(ordered):
        ref.sign(b - a)
    return ordered


def solutions(equation: Any) -> list[Any]:
    """The roots in r > 0 that SymPy finds; not all of them, necessarily."""
    try:
        with deadline(SECONDS, of_work=True):
            found = sp.solve(equation, r)
    except (NotImplementedError, ValueError, TypeError, ArithmeticError, AttributeError, RecursionError, OutOfTime):
        return []
    return [root for root in found if isinstance(root, sp.Expr) and not root.has(sp.I)]


def _branch(f: Any, middle: Any, ref: Reference) -> Any:
    """f with every Piecewise, Max, Min and Abs replaced by the branch that holds at one radius."""
    if not isinstance(f, sp.Basic) or not f.args:
        return f
    if isinstance(f, sp.Piecewise):
        for value, condition in f.args:
            if condition.subs(ref.values).subs(r, middle) == sp.true:
                return _branch(value, middle, ref)
        raise Undetermined("no branch of a Piecewise holds")
    args = [_branch(a, middle, ref) for a in f.args]
    if isinstance(f, (sp.Max, sp.Min)):
        chosen = max if isinstance(f, sp.Max) else min
        return chosen(args, key=lambda a: ref.number(a.subs(r, middle)))
    if isinstance(f, sp.Abs):
        return args[0] if ref.number(args[0].subs(r, middle)) >= 0 else -args[0]
    return f.func(*args)
