"""A profile on the line, and a Gaussian's in every dimension, as two improper integrals.

E is that of (p - e^eps q)+ and Z that of p; delta(eps) = E/Z at the longest shift, which Theorem B (proofs/privacy.v,
measures.v) shows to be the worst.  A Gaussian's is the same in every dimension, the shift turned into the first axis.
"""

from __future__ import annotations

from fractions import Fraction

from dpverify.export.coq.claim import Point
from dpverify.export.coq.generator import NotCovered
from dpverify.export.coq.line import ABOVE, BELOW, Side
from dpverify.export.coq.statement import ZERO, ProfileExport
from dpverify.export.coq.sums import Sum, above
from dpverify.export.coq.text import COMPUTE, arguments, number


class LineExport(ProfileExport):
    """A profile on the line."""

    ROOM, TIGHT, WEIGHT = Fraction(1, 10**10), Fraction(1, 10**12), 0
    WITHIN = """\
Definition divergence_within (epsilon lower upper : R) : Prop := exists Z E,
  is_RInt_gen (fun x => f (x^2)) (Rbar_locally m_infty) (Rbar_locally p_infty) Z /\\
  is_RInt_gen (fun x => Rmax (f (x^2) - exp epsilon * f ((x - delta)^2)) 0)
    (Rbar_locally m_infty) (Rbar_locally p_infty) E /\\
  lower * Z <= E <= upper * Z."""

    def meaning(self) -> str:
        turned = " The Gaussian's profile is that of its first axis, along which the shift lies."
        return (
            "`divergence_within epsilon lower upper` says that the hockey-stick divergence E/Z "
            "of the noise and the noise shifted by delta lies between the two, which are the certificate's bounds "
            "widened by a relative 1e-10. No shorter shift has a larger one, by Theorem B."
            f"{turned * (self.about.dimension > 1)}"
        )

    def lemmas(self) -> list[str]:
        """f falls, its tail, Z, and each point."""
        sides = [
            [Side(self.plan, self.line.unit, right, epsilon) for right in (False, True)] for epsilon, *_ in self.points
        ]
        least = min(sum((side.size(self.marks(side)) for side in both), ZERO) for both in sides)
        if any(side.slimmest(self.marks(side)) > least * self.TIGHT for both in sides for side in both):
            raise NotCovered("delta is too small for the library's numbers")
        tail = self.line.tail(least * self.TIGHT)
        radius, most = 2**tail.exponent, above(self.line.lies(tail) * (1 + self.TIGHT), least * self.TIGHT)
        integral = "RInt (density f)"
        mass = self.mass(radius, self.generator, "F", integral, "join_p F plan f f_F falls_F", "(piece_p F f f_F)")
        found = [self.opening(), self.little(tail, most, "beyond_is_little", integral), mass.text()]
        for k, (point, both) in enumerate(zip(self.points, sides, strict=True)):
            found += [self.side(k, side, radius, least).text() for side in both]
            found.append(self.point(k, point, radius, most))
        return found

    def marks(self, side: Side, radius: int = 2**20) -> list[int]:
        """Where the integral on a side is cut, up to a radius or to half of the shift."""
        return self.line.marks(self.delta / 2 if side.right else Fraction(radius))

    def side(self, k: int, side: Side, radius: int, least: Fraction) -> Sum:
        """The integral of (p - e^eps q)+ on one side of the centre."""
        word, name = str(side.right).lower(), "right" if side.right else "left"
        end = "delta / 2" if side.right else str(radius)
        joined = f"join_sides F plan f delta epsilon_{k} f_F falls_F (side_of {word})"
        integrand = f"RInt (fun r => surplus f delta epsilon_{k} (side_of {word} * r))"
        found = Sum(f"{name}_{k}", integrand, joined, self.line.unit, end)
        inside = "ltac:(intros _; unfold delta; lra)" if side.right else "ltac:(discriminate)"
        context = (
            f"F plan f delta epsilon_{k} f_F delta_pos falls_F {arguments(self.delta)} {arguments(side.epsilon)} "
            f"eq_refl eq_refl centre {word}"
        )
        gain = f"(gain_along F {arguments(side.epsilon)} (across {arguments(self.delta)} {word}))"
        pieces = side.pieces(self.marks(side, radius))
        for piece in pieces:
            a, b, fuel = piece.start, piece.end, piece.fuel
            where = f"{a} {b} {self.line.unit}"
            room = least * self.TIGHT / len(pieces)
            if piece.kind == BELOW:
                found.add(
                    a, b, ZERO, ZERO, f"apply (nothing_there {context} {where} {fuel} eq_refl {inside}). {COMPUTE}"
                )
            elif piece.kind == ABOVE:
                shown = self.within(side.gained, gain, a, b, room)
                how = f"apply (all_there {context} {where} {fuel} eq_refl {inside}); [ {COMPUTE[:-1]} | {shown} ]."
                found.add(a, b, side.integral(piece), room, how)
            else:
                how = f"apply (thin_there F plan f delta epsilon_{k} f_F falls_F {word} {where} eq_refl). {COMPUTE}"
                found.add(a, b, ZERO, room, how, least=ZERO)
        return found

    def point(self, k: int, point: Point, radius: int, most: Fraction) -> str:
        return f"""\
Lemma point_{k} : divergence_within epsilon_{k} {self.bounds(point)}.
Proof.
  refine (divergence F plan f delta epsilon_{k} f_F delta_pos _ falls_F {radius} ({number(most)}) _ _ _ _ _ _ _ _ _
    little mass left_{k} right_{k} _ _ _ _); unfold epsilon_{k}, delta; lra.
Qed.
"""
