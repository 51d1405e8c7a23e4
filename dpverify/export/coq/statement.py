"""What every export of a profile has: the points, the statement around the integrals, f, its fall, tail and mass."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from textwrap import indent
from typing import ClassVar

from dpverify.export.coq import library
from dpverify.export.coq.claim import Point, ProfileClaim
from dpverify.export.coq.enclosure import continuous_at_zero
from dpverify.export.coq.expression import Expr
from dpverify.export.coq.generator import NotCovered, constructor, expression, notation, tree
from dpverify.export.coq.line import Line, Tail
from dpverify.export.coq.pieces import in_pieces
from dpverify.export.coq.plan import Plan
from dpverify.export.coq.quadrature import quadrature
from dpverify.export.coq.sums import Sum
from dpverify.export.coq.text import AXIOMS, COMPUTE, QUESTION, arguments, comment, loaded, number, plan_of

MOST_POINTS, ZERO = 4, Fraction(0)


def chosen(found: list[Point], epsilon: Fraction | None) -> list[Point]:
    """The points that are meant, without those where delta is 0."""
    if epsilon is not None:
        found = [point for point in found if point[0] == epsilon]
        if not found:
            raise NotCovered(f"the certificate has no point at epsilon = {epsilon}")
    found = [point for point in found if point[2] > 0]
    if not found:
        raise NotCovered("where delta is 0 a certificate of the pure epsilon says it: export that one")
    if len(found) > MOST_POINTS:
        raise NotCovered(f"at most {MOST_POINTS} points are proved at once: name one with --epsilon")
    return found


class ProfileExport:
    """The Coq file of a profile's points; what is stated of the integrals, and how it is proved, is a subclass's."""

    WITHIN: ClassVar[str]
    """The definition of `divergence_within`."""
    ROOM: ClassVar[Fraction]
    TIGHT: ClassVar[Fraction]
    """By how much the bounds are widened, relatively, and how closely integrals are enclosed."""
    WEIGHT: ClassVar[int]
    """The power of r in the integral of the mass."""

    def __init__(self, claim: ProfileClaim, epsilon: Fraction | None) -> None:
        if claim.assumptions:
            raise NotCovered(f"the certificate rests on an assumption ({claim.assumptions[0].split(':')[0]})")
        self.about, self.delta = claim.about, claim.about.delta
        self.generator = expression(tree(self.about.generator, self.about.values))
        if in_pieces(self.generator) or not continuous_at_zero(self.generator):
            raise NotCovered("profiles are covered where f is smooth, and continuous at its centre")
        self.points = chosen(claim.points, epsilon)
        self.plan = Plan(self.generator, self.delta)
        self.charts = self.plan.falling()
        self.line = Line(self.plan, self.WEIGHT)

    def text(self, alone: bool) -> str:
        """The file."""
        levels = [f"Definition epsilon_{k} : R := {number(epsilon)}." for k, (epsilon, *_) in enumerate(self.points)]
        stated = [f"divergence_within epsilon_{k} {self.bounds(point)}" for k, point in enumerate(self.points)]
        claim = ["(forall y, 0 <= y -> 0 < f y)", "(forall s t, 0 <= s <= t -> f t <= f s)", *stated]
        return "\n".join(
            [
                comment(f"{self.about.words()} {self.meaning()} For coqc 8.16 with coq-interval 4.6; {AXIOMS}"),
                library.HEAD,
                f"Definition f (y : R) : R := {notation(self.generator)}.",
                f"Definition delta : R := {number(self.delta)}.",
                self.WITHIN,
                *levels,
                "Definition claim : Prop :=",
                indent(" /\\\n".join(claim), "  ") + ".",
                "",
                "(* The library of the proof: the same in every export, and nothing to do with this f. *)",
                loaded(alone),
                "",
                self.proof(),
                QUESTION + "\n" if alone else "",
            ]
        )

    def meaning(self) -> str:
        """What `divergence_within` says, in words."""
        raise NotImplementedError

    def lemmas(self) -> list[str]:
        """The lemmas of the proof, of which those named point_0, point_1, ... are the points' statements."""
        raise NotImplementedError

    def bounds(self, point: Point) -> str:
        """The bounds of delta, with room."""
        _, low, high = point
        return f"({number(low * (1 - self.ROOM))}) ({number(high * (1 + self.ROOM))})"

    def proof(self) -> str:
        """The lemmas in order, and the theorem."""
        facts = ["f_positive_from_0 F plan f f_F falls_F", "f_falls_from_0 F plan f f_F falls_F"]
        *others, whole = [*facts, *(f"point_{k}" for k in range(len(self.points)))]
        for fact in reversed(others):
            whole = f"conj ({fact}) ({whole})"
        return "\n".join([*self.lemmas(), "Theorem certificate : claim.", f"Proof. exact ({whole}). Qed."])

    def opening(self) -> str:
        return f"""\
Import Library.
Definition F : expr := {constructor(self.generator)}.
{plan_of(self.charts)}
Lemma f_F r : 0 <= r -> f (r ^ 2) = ev F r.
Proof. intros H. unfold f. rewrite ?(sqrt_pow2 r H). reflexivity. Qed.
Lemma falls_F : falls_smoothly F plan = true.
Proof. {COMPUTE} Qed.
Lemma delta_pos : 0 < delta.
Proof. unfold delta. lra. Qed.
Lemma centre : / IZR (Zpos (zero_d plan)) <= delta / 2.
Proof. change (/ {2**self.charts.near} <= delta / 2). unfold delta. lra. Qed.
"""

    def little(self, tail: Tail, most: Fraction, theorem: str, integral: str) -> str:
        """What lies beyond the radius."""
        radius = 2**tail.exponent
        known = f"{radius} {tail.order} {arguments(tail.steepness)} {arguments(most)}"
        return f"""\
Lemma little : forall b, {radius} <= b -> {integral} {radius} b <= {number(most)}.
Proof. apply ({theorem} F plan f f_F falls_F {known}); [ {COMPUTE[:-1]} | reflexivity ]. Qed.
"""

    def mass(self, radius: int, e: Expr, name: str, integral: str, join: str, piece: str) -> Sum:
        """The integral of r^w p, the expression e of a name, up to the radius."""
        marks = self.line.marks(Fraction(radius))
        values = [self.line.integral(a, b) for a, b in pairwise(marks)]
        room = sum(values) * self.TIGHT / len(values)
        found = Sum("mass", integral, join, self.line.unit, str(radius))
        for (a, b), value in zip(pairwise(marks), values, strict=True):
            found.add(a, b, value, room, f"apply {piece}; [ reflexivity | {self.within(e, name, a, b, room)} ].")
        return found

    def within(self, e: Expr, name: str, a: int, b: int, room: Fraction) -> str:
        """The tactics that show bounds of the integral of an expression, which Coq knows by a name."""
        unit = self.line.unit
        how = quadrature(e, Fraction(a, unit), Fraction(b, unit), room).arguments(name)
        return f"apply (integral_within {how} {a} {b} {unit}); {COMPUTE[:-1]}"
