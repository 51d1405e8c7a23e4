"""Evaluation of a generator over any of the rings, keeping logarithms of large and small things."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Any

from flint import arb, fmpq

from dpverify.enclosures.ball import Ball, Undecided, meet
from dpverify.enclosures.cases import Cases
from dpverify.enclosures.conditions import comparison
from dpverify.enclosures.edges import Edges
from dpverify.enclosures.ends import Ends
from dpverify.enclosures.irrational import pi_itself
from dpverify.enclosures.nodes import (
    Node,
    absolute_of,
    factors_of,
    may_end,
    positive_by_form,
    squared,
    walk,
)
from dpverify.enclosures.pairs import Shift, Slope, sides
from dpverify.enclosures.saws import never_below_zero, saw
from dpverify.enclosures.special import LOGARITHMIC, PLAIN, special
from dpverify.enclosures.vanishing import SMALL, over_part, vanishing
from dpverify.findings import Part, Reason

ORDER, TINY = 12, 2.0**-40
"""To which order what vanishes with a part of it is expanded on a box, and below which part of 1 always."""


class Evaluation(Cases):
    """Values, or signs and logarithms of absolute values, of the nodes at one ring element r."""

    def __init__(self, r: Any, edges: Edges | None = None) -> None:
        self.r, self.edges = r, edges
        self._values: dict[Node, Any] = {}
        self._logs: dict[Node, tuple[int, Any]] = {}

    def value(self, node: Node) -> Any:
        """The node's value, an element of r's ring; raises Undecided."""
        found = self._values.get(node)
        if found is None:
            found = self._values[node] = self._value(node)
        return found

    def value_at(self, node: Node, r: fmpq) -> Ball:
        """The node's value at one radius; raises Undecided."""
        return Evaluation(Ball(arb(r))).value(node)  # type: ignore[no-any-return]

    def log(self, node: Node) -> tuple[int, Any]:
        """(sign, log |value|) of a node proved to have one sign; raises Undecided."""
        found = self._logs.get(node)
        if found is None:
            found = self._logs[node] = self._log(node)
        return found

    def _value(self, node: Node) -> Any:
        kind, args = node.kind, node.args
        if kind == "num":
            return self.r.const(args[0])
        if kind == "pi":
            return self.r.const(pi_itself())
        if kind == "r":
            return self.r
        if kind == "add":
            total = self._total(args)
            total = self._among_steps(node, total) if _steps(total) else total
            return total.not_negative() if never_below_zero(node) else total
        if kind == "mul":
            return self._product(node)
        if kind == "pow":
            return self.value(args[0]).power(args[1])
        if kind == "log":
            return self._logarithm(args[0])
        if kind == "floor":
            return self._floor(args[0])
        if kind == "gamma":
            return self.r.const(gamma(args[0]))
        if kind == "matern":
            return self.value(args[1]).log_matern(args[0]).exp()
        if kind == "erfc":
            return self._log_erfc(args[0]).exp()
        if kind in LOGARITHMIC:
            return self.value(args[-1]).apply(special(kind, *args[:-1])).exp()
        if kind in PLAIN:
            return self.value(args[-1]).apply(special(kind, *args[:-1]))
        if kind == "exp":
            return self.value(args[0]).exp()
        if kind in ("sin", "cos"):
            return getattr(self.value(args[0]), kind)(args[1])
        if kind == "max":
            values = [self.value(a) for a in args]
            found = self._choose(values, *self._largest(args, values), jumps=False)
            signed = absolute_of(node) is None and not any(a.kind == "num" and a.args[0] >= 0 for a in args)
            return found if signed else found.not_negative()
        if kind == "piece":
            return self._piece(args, lambda evaluation, branch: evaluation.value(branch))
        raise Undecided(Reason.NO_ENCLOSURE(function=kind))

    def _total(self, terms: tuple[Node, ...]) -> Any:
        total = self.value(terms[0])
        for term in terms[1:]:
            total = total + (term.args[0] if term.kind == "num" else self.value(term))
        return total

    def _among_steps(self, node: Node, total: Slope) -> Slope:
        """A sum on a box across which floors step: those that cancel leave a number of [0, 1)."""
        lines = saw(node)
        if lines is None:
            return total
        u = self.r.u * lines.slope + lines.level + lines.heights()
        for q, other in lines.others:
            u = u + self.value(other).u * q
        return Slope(Ball(meet(total.u.x, u.x)), total.du)

    def _logarithm(self, node: Node) -> Any:
        """log of a node; from the value of a model that tends to a known rational, since that may cancel exactly."""
        if node.kind in ("add", "mul") and node.exponential and not self._on_a_box():
            value = _attempt(self._plain_product if node.kind == "mul" else self.value, node)
            if value is not None and _tends_to_a_rational(value):
                return value.log()
        sign, log = self.log(node)
        if sign != 1:
            raise Undecided(Reason.OF_NEGATIVE(what=Part.LOGARITHM))
        return log

    def _product(self, node: Node) -> Any:
        """Over models a product keeps rational coefficients exact; on boxes the logarithm of its exponential factors is
        the narrower, and the value of the others: of r e^u, u nearly constant, r (1 + h/r) is exact, e^log(r) is not.
        """
        rules = [self._plain_product, self._product_by_logarithm]
        if node.exponential and self._on_a_box():
            rules = [self._product_by_parts, self._product_by_logarithm, self._plain_product]
        elif not node.exponential:
            rules.pop()
        for rule in rules[:-1]:
            try:
                return rule(node)
            except Undecided:
                pass
        return rules[-1](node)

    def _on_a_box(self) -> bool:
        element = self.r
        while isinstance(element, Slope):
            element = element.u
        return isinstance(element, Ball)

    def _plain_product(self, node: Node) -> Any:
        first, *others = node.args
        if first.kind == "num":
            second, *others = others
            result = self.value(second) * first.args[0]
        else:
            result = self.value(first)
        for a in others:
            result = result * self.value(a)
        return result

    def _product_by_parts(self, node: Node) -> Any:
        steep = [a for a in node.args if a.exponential]
        if len(steep) == 1:
            result = self.value(steep[0])
        else:
            logs = [self.log(a) for a in steep]
            result = _sum(log for _, log in logs).exp() * prod(sign for sign, _ in logs)
        for a in node.args:
            if not a.exponential:
                result = result * (a.args[0] if a.kind == "num" else self.value(a))
        return result

    def _product_by_logarithm(self, node: Node) -> Any:
        sign, log = self.log(node)
        return log.exp() * sign

    def _log(self, node: Node) -> tuple[int, Any]:
        kind, args = node.kind, node.args
        if kind == "exp":
            return 1, self.value(args[0])
        if kind == "matern":
            return 1, self.value(args[1]).log_matern(args[0])
        if kind == "erfc":
            return 1, self._log_erfc(args[0])
        if kind in LOGARITHMIC:
            return 1, self.value(args[-1]).apply(special(kind, *args[:-1]))
        if kind == "lambertw" and args[0].exponential and (found := self._log_of_lambert(args[0], node)) is not None:
            return 1, found
        if kind == "mul":
            logs = [self.log(a) for a in args]
            sign = 1
            for s, _ in logs:
                sign *= s
            return sign, _sum(log for _, log in logs)
        if kind == "pow":
            sign, log = self.log(args[0])
            if sign == 1 or args[1].q == 1:
                return (sign if int(args[1].p) % 2 else 1), log * args[1]
        if (closer := self._log_by_its_part(node)) is not None:
            return 1, closer
        if kind == "add" and node.exponential:
            if (value := self._settled(node)) is not None:
                return (1, value.log()) if _innermost(value).sign() == 1 else (-1, (-value).log())
            try:
                return self._log_of_what_is_left(node) or _log_of_sum([self.log(a) for a in args])
            except Undecided:
                pass
        if kind == "piece":
            return self._log_of_branches(args)
        if kind == "max" and node.exponential:
            logs = [_attempt(self.log, a) for a in args]
            if None not in logs and len({s for s, _ in logs}) == 1:  # max(-e^L, -e^M) = -e^min(L, M)
                sign = logs[0][0]
                heights = [log * sign for _, log in logs]
                return sign, self._choose(heights, *self._largest((), heights), jumps=False) * sign
        value = self.value(node)
        sign = (value.u if isinstance(value, Shift) else value).sign()
        if sign not in (1, -1):
            raise Undecided(Reason.NO_SIGN(what=Part.FACTOR))
        return sign, (value if sign == 1 else -value).log()

    def _log_by_its_part(self, node: Node) -> Any:
        """log F(w) = log w + log(F(w)/w) on a box, where w is so small that its form leaves few digits of F(w)."""
        found = vanishing(node) if self._on_a_box() and not isinstance(self.r, Shift) else None
        if found is None:
            return None
        w = self.value(found.part)
        most = _innermost(w).x.upper()
        if not most <= SMALL or (most > TINY and _has_a_sign(_attempt(self.value, node))):
            return None
        *rates, last = over_part(found.function, ORDER, most)
        total = w.const(last)
        for c in reversed(rates):
            total = total * w + c
        return self.log(found.part)[1] + total.log() if _innermost(total).sign() == 1 else None

    def _settled(self, node: Node) -> Any:
        """The value of a sum of numbers and exponentials, the exponents of which vanish, where it tends to a number
        other than 0: what cancels in it is exact, as it is not in logarithms of numbers; else None."""
        exponents = [factor.args[0] for term in node.args for factor in factors_of(term) if factor.kind == "exp"]
        plain = all(factor.kind in ("num", "exp") for term in node.args for factor in factors_of(term))
        on_model = hasattr(_innermost(self.r), "germ")
        if not on_model or isinstance(self.r, Shift) or positive_by_form(node) or not plain:
            return None
        if not all(_innermost(self.value(v)).vanishes() for v in exponents):
            return None
        value = self.value(node)
        found = _innermost(value)
        return value if found.tends_to_a_number() and found.sign() in (1, -1) else None

    def _log_of_what_is_left(self, node: Node) -> tuple[int, Any] | None:
        """The logarithm of a sum without the terms that are 0 on the box; where others are ahead, from both sides."""
        if type(self) is not Evaluation or not self._on_a_box() or not any(map(may_end, node.args)):
            return None
        places = self._ends_apart() if isinstance(self.r, Shift) else (self,)
        ended = [[any(place.value(base).sign() == 0 for base in may_end(a)) for a in node.args] for place in places]
        if not any(map(any, ended)):
            return None
        if ended[0] != ended[-1]:
            (sign, here), (other, ahead) = (place.log(node) for place in places)
            if sign != other:
                raise Undecided(Reason.SIGN_AHEAD(what=Part.FACTOR))
            return sign, Shift(here, ahead - here)
        left = [a for a, gone in zip(node.args, ended[0], strict=True) if not gone]
        return _log_of_sum([self.log(a) for a in left]) if left else None

    def _log_erfc(self, u: Node) -> Any:
        """log erfc(u); far out, where u has roots of numbers in it, with u^2 as the text has it, which may be exact."""
        x = self.value(u)
        if not self._on_a_box() and any(n.kind == "pow" and n.args[0].kind == "num" for n in walk(u)):
            left = x.log_erfc_beside_square()
            if left is not None:
                return left - self.value(squared(u))
        return x.log_erfc()

    def _log_of_lambert(self, x: Node, w: Node) -> Any:
        """log W(x) = log x - W(x) for x > 0, which keeps what is exact in log x; None where x grows, and W with it."""
        sign, log = self.log(x)
        inner = sides(self.value(x))[0]
        while isinstance(inner, Shift | Slope):
            inner = inner.u
        grows = not isinstance(inner, Ball) and inner.grows()
        return log - self.value(w) if sign == 1 and not grows else None

    def _log_of_branches(self, args: tuple[Any, ...]) -> tuple[int, Any]:
        signs: set[int] = set()

        def log(evaluation: Evaluation, branch: Node) -> Any:
            sign, value = evaluation.log(branch)
            signs.add(sign)
            return value

        whole = self._piece(args, log)
        if len(signs) != 1:
            raise Undecided(Reason.NO_SIGN(what=Part.BRANCH))
        return signs.pop(), whole

    def _piece(self, args: tuple[Any, ...], of: Callable[[Evaluation, Node], Any]) -> Any:
        """Whichever branch holds; where r and r + h lie in different ones, each branch is asked where it holds."""
        base, ahead = self._branches(args)
        if not isinstance(self.r, Shift) or len(base | ahead) == 1:
            parts = [of(self, args[i][0]) for i in sorted(base)]
            whole = _hull_all(parts, jumps=True)
            return self._one_way([args[i][1] for i in sorted(base)], parts, whole)
        here, there = self._ends_apart()
        first = _hull_all([of(here, args[i][0]) for i in base], jumps=True)
        return self.r.of_sides(first, _hull_all([of(there, args[i][0]) for i in ahead], jumps=True))

    def _one_way(self, conditions: list[Any], parts: list[Any], whole: Any) -> Any:
        """Either of two branches that change once on a box, whose slopes are bounded on one side where f jumps one way;
        balls would not know of it."""
        apart = [x for x in parts if type(x) is Slope and isinstance(x.u, Ends) and isinstance(x.du, Ends)]
        if len(apart) != 2 or len(parts) != 2 or not self._truth(conditions[1], 0):
            return whole
        compared = comparison(conditions[0])
        way = Ends.of(self.value(compared[0][0]).du).sign() if compared else None
        if not way:
            return whole
        before, after = parts if way < 0 else reversed(parts)
        low, high = arb.neg_inf(), arb.pos_inf()
        if before.u.lo >= after.u.hi:
            high = before.du.hi.max(after.du.hi).max(arb(0))
        elif before.u.hi <= after.u.lo:
            low = before.du.lo.min(after.du.lo).min(arb(0))
        return Slope(whole.u, Ends(low, high))

    def _ends_apart(self) -> tuple[Evaluation, Evaluation]:
        """Evaluations at r and at r + h."""
        here, there = sides(self.r)
        if self.edges is None:
            return Evaluation(here), Evaluation(there)
        low, high = (end + self.edges.shift for end in self.edges.ends)
        zero = fmpq(0)
        return Evaluation(here, Edges(self.edges.ends, zero)), Evaluation(there, Edges((low, high), zero))

    def _floor(self, node: Node) -> Any:
        element = self.value(node)
        whole = [self._whole(node, part, k == 1) for k, part in enumerate(sides(element))]
        here, ahead = whole
        if here is None or ahead is None:
            return element.floor()
        if isinstance(element, Shift):
            return Shift(element.u.const(here), element.u.const(ahead - here))
        return element.const(here)

    def _choose(self, elements: list[Any], base: set[int], ahead: set[int], jumps: bool) -> Any:
        if len(base) == 1 and base == ahead:
            return elements[min(base)]
        here = _hull_all([sides(elements[i])[0] for i in base], jumps)
        first = elements[min(base)]
        if not isinstance(first, Shift):
            return here
        there = _hull_all([sides(elements[i])[1] for i in ahead], jumps)
        return first.largest(here, there, [elements[i].du for i in base | ahead])


def gamma(node: Node) -> arb:
    """Gamma of a rational number that is not a pole."""
    if node.kind != "num":
        raise Undecided(Reason.GAMMA_NOT_RATIONAL())
    x = node.args[0]
    if x.q == 1 and x <= 0:
        raise Undecided(Reason.GAMMA_POLE())
    return arb.gamma_fmpq(x) if abs(x) <= 10**6 else _refuse()


def _refuse() -> arb:
    raise Undecided(Reason.GAMMA_TOO_LARGE())


def _attempt(evaluate: Callable[[Node], Any], node: Node) -> Any:
    try:
        return evaluate(node)
    except Undecided:
        return None  # refused later, if this branch is one that counts


def _sum(items: Iterable[Any]) -> Any:
    total = None
    for item in items:
        total = item if total is None else total + item
    return total


def _log_of_sum(logs: list[tuple[int, Any]]) -> tuple[int, Any]:
    """log |sum of s_i e^(L_i)|: what is added first, what is subtracted after."""
    sign = logs[0][0] if len({s for s, _ in logs}) == 1 else 1
    total: Any = None
    for s, log in sorted(logs, key=lambda item: -item[0] * sign):
        if total is None:
            total = log
            continue
        gap = log - total
        if s == sign and _leans_positive(gap):
            total, gap = log, -gap
        total = total + gap.softplus(s * sign)
    return sign, total


def _leans_positive(element: Any) -> bool:
    """Whether it is positive, as far as can be seen; of a shift, on the side where it is the further from 0."""
    here = _innermost(element)
    if not isinstance(here, Ball):
        return (here.sign() or 0) > 0
    ahead = here.x + _innermost(element.du).x if isinstance(element, Shift) else here.x
    return bool(here.x.mid() + ahead.mid() > 0)


def _has_a_sign(element: Any) -> bool:
    return element is not None and element.sign() in (1, -1)


def _steps(total: Any) -> bool:
    """Whether it is a function and its slopes on a box across which something steps."""
    pair = isinstance(total, Slope) and not isinstance(total, Shift) and isinstance(total.du, Ball)
    return pair and not total.du.x.is_finite()


def _innermost(element: Any) -> Any:
    while isinstance(element, Slope):
        element = element.u
    return element


def _tends_to_a_rational(element: Any) -> bool:
    return bool(_innermost(element).tends_to_a_rational())


def _hull_all(elements: list[Any], jumps: bool) -> Any:
    result = elements[0]
    for element in elements[1:]:
        result = result.hull(element, jumps) if isinstance(element, Slope) else result.hull(element)
    return result
