"""What holds from some radius on that nobody has to name: where f is negative at last."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ..intervals import INF, ONE, Interval
from ..rules import require, rule
from ..steps import record
from .hypotheses import Proof
from .models import CONSTANT, Germ, Known
from .refutations import SIGNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .models import Exponents

SMALL, LARGE = Decimal("1e-1000000"), Decimal("1e1000000")
BELOW, FAR = Interval(Decimal(0), SMALL), Interval(LARGE, INF)


class Eventually(Germ):
    """The end [R, oo) for every R from some radius on."""

    def __init__(self, order: int) -> None:
        self.phase, self.start, self.order = None, FAR, order
        self.logs, self.spans = [FAR] * 4, {CONSTANT: ONE}

    @rule("K515")
    def span(self, m: Exponents) -> Interval:
        """Monomials far enough out.

        Lemma.  A monomial falls to 0 or grows to oo, as its exponents say; of the finitely many
        that an evaluation asks for those that fall are below 10^-1000000 from some radius on, and
        the others above 10^1000000, and t, log t, log log t and log log log t are.  So what is
        shown by their spans is so beyond the largest of these radii.
        """
        rate = m[0].terms if m[0] else ()
        plain = all(isinstance(p, (int, Fraction, Known)) for p, _ in rate)
        require(plain, "an exponent that is a model has no place far out")
        return ONE if m == CONSTANT else FAR if m > CONSTANT else BELOW


@rule("K516")
def negative_at_last(proof: Proof, step: dict[str, Any]) -> str:
    """f is negative from some radius on, so no density.

    Lemma.  Its model says so of all radii far enough out.
    """
    record(step, "sign", {"kind"})
    p = proof.problem
    value = p.at_infinity(Eventually(p.infinity.order).radius()).value(p.tree)
    require(value.sign() == -1, "f is not shown negative at last")
    return "none"


SIGNS["eventually"] = negative_at_last
