"""A profile's certificate as a Coq file: delta(eps) of noise on the line, between the bounds of each point.

The statement is that of two improper integrals, E of (p - e^eps q)+ and Z of p; delta(eps) = E/Z at the longest
shift, which Theorem B (proofs/privacy.v, measures.v) shows to be the worst.  A Gaussian's is the same in every
dimension, the shift turned into the first axis.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from textwrap import indent
from typing import Any

from dpverify.enclosures.ball import precision
from dpverify.errors import InputError
from dpverify.export.coq import library
from dpverify.export.coq.claim import Point, ProfileClaim, read_profile
from dpverify.export.coq.enclosure import continuous_at_zero
from dpverify.export.coq.expression import VAR, Expr
from dpverify.export.coq.generator import NotCovered, constructor, expression, notation, smooth_notation, tree
from dpverify.export.coq.line import ABOVE, BELOW, Line, Side, Tail
from dpverify.export.coq.numbers import BITS
from dpverify.export.coq.pieces import in_pieces
from dpverify.export.coq.plan import Plan
from dpverify.export.coq.sums import Sum, above
from dpverify.export.coq.text import COMPUTE, arguments, comment, loaded, number, plan_of

ROOM, TIGHT = Fraction(1, 10**10), Fraction(1, 10**12)
"""By how much the bounds are widened, relatively, and how closely integrals are enclosed."""
MOST_POINTS, ZERO = 4, Fraction(0)
INTEGRAL = "integral with (i_prec 80, i_degree 10, i_fuel 2000)"
WITHIN = """\
Definition divergence_within (epsilon lower upper : R) : Prop := exists Z E,
  is_RInt_gen (fun x => f (x^2)) (Rbar_locally m_infty) (Rbar_locally p_infty) Z /\\
  is_RInt_gen (fun x => Rmax (f (x^2) - exp epsilon * f ((x - delta)^2)) 0)
    (Rbar_locally m_infty) (Rbar_locally p_infty) E /\\
  lower * Z <= E <= upper * Z."""


def export(certificate: Mapping[str, Any], epsilon: Fraction | None, alone: bool) -> str:
    """The Coq file that states and proves a profile's points, or the one at epsilon; raises InputError."""
    try:
        claim = read_profile(certificate)
        if claim.theorem != "Theorem B":
            raise NotCovered("f is not shown to fall, and the library has no theorem for another")
        with precision(BITS):
            return _Export(claim, epsilon).text(alone)
    except NotCovered as error:
        raise InputError(f"no export to Coq: {error}") from None


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


def bounds(point: Point) -> str:
    """The bounds of delta, with room."""
    _, low, high = point
    return f"({number(low * (1 - ROOM))}) ({number(high * (1 + ROOM))})"


def is_gaussian(e: Expr) -> bool:
    """Whether f is exp(-k r^2), k a number, by its form."""
    rate = e.args[0] if e.kind == "Exp" else None
    if rate is not None and rate.kind == "Opp":
        rate = rate.args[0]
    if rate is not None and rate.kind == "Mul" and rate.args[0].kind in ("Rat", "Int"):
        rate = rate.args[1]
    return rate == Expr("Nat", (VAR, 2))


class _Export:
    def __init__(self, claim: ProfileClaim, epsilon: Fraction | None) -> None:
        if claim.assumptions:
            raise NotCovered(f"the certificate rests on an assumption ({claim.assumptions[0].split(':')[0]})")
        self.about, self.delta = claim.about, claim.about.delta
        self.generator = expression(tree(self.about.generator, self.about.values))
        if self.about.dimension > 1 and not is_gaussian(self.generator):
            raise NotCovered("profiles are covered on the line, and Gaussians in every dimension")
        if in_pieces(self.generator) or not continuous_at_zero(self.generator):
            raise NotCovered("profiles are covered where f is smooth, and continuous at its centre")
        self.points = chosen(claim.points, epsilon)
        self.plan = Plan(self.generator, self.delta)
        self.charts = self.plan.falling()
        self.line = Line(self.plan)

    def text(self, alone: bool) -> str:
        levels = [f"Definition epsilon_{k} : R := {number(epsilon)}." for k, (epsilon, *_) in enumerate(self.points)]
        stated = [f"divergence_within epsilon_{k} {bounds(point)}" for k, point in enumerate(self.points)]
        claim = ["(forall y, 0 <= y -> 0 < f y)", "(forall s t, 0 <= s <= t -> f t <= f s)", *stated]
        return "\n".join(
            [
                self.comment(),
                library.HEAD,
                f"Definition f (y : R) : R := {notation(self.generator)}.",
                f"Definition delta : R := {number(self.delta)}.",
                WITHIN,
                *levels,
                "Definition claim : Prop :=",
                indent(" /\\\n".join(claim), "  ") + ".",
                "",
                "(* The library of the proof: the same in every export, and nothing to do with this f. *)",
                loaded(alone),
                "",
                self.proof(),
                "Print Assumptions certificate.",
                "",
            ]
        )

    def comment(self) -> str:
        turned = " The Gaussian's profile is that of its first axis, along which the shift lies."
        return comment(
            f"{self.about.words()} `divergence_within epsilon lower upper` says that the hockey-stick divergence E/Z "
            "of the noise and the noise shifted by delta lies between the two, which are the certificate's bounds "
            "widened by a relative 1e-10. No shorter shift has a larger one, by Theorem B."
            f"{turned * (self.about.dimension > 1)} "
            "For coqc 8.16 with coq-interval 4.6; no axiom but those of Coq's reals and machine integers, which the "
            "last line prints."
        )

    def proof(self) -> str:
        """The lemmas in order: f falls, its tail, Z, and each point."""
        sides = [
            [Side(self.plan, self.line.unit, right, epsilon) for right in (False, True)] for epsilon, *_ in self.points
        ]
        least = min(sum((side.size(self.marks(side)) for side in both), ZERO) for both in sides)
        if any(side.slimmest(self.marks(side)) > least * TIGHT for both in sides for side in both):
            raise NotCovered("delta is too small for the library's numbers")
        tail = self.line.tail(least * TIGHT)
        radius, most = 2**tail.exponent, above(self.line.lies(tail) * (1 + TIGHT), least * TIGHT)
        mass = self.mass(radius)
        lemmas = [self.opening(radius), self.little(tail, most), mass.text()]
        for k, (point, both) in enumerate(zip(self.points, sides, strict=True)):
            lemmas += [self.side(k, side, radius, least).text() for side in both]
            lemmas.append(self.point(k, point, radius, most))
        facts = ["f_positive_from_0 F plan f f_F falls_F", "f_falls_from_0 F plan f f_F falls_F"]
        *others, whole = [*facts, *(f"point_{k}" for k in range(len(sides)))]
        for fact in reversed(others):
            whole = f"conj ({fact}) ({whole})"
        return "\n".join([*lemmas, "Theorem certificate : claim.", f"Proof. exact ({whole}). Qed."])

    def marks(self, side: Side, radius: int = 2**20) -> list[int]:
        """Where the integral on a side is cut, up to a radius or to half of the shift."""
        return self.line.marks(self.delta / 2 if side.right else Fraction(radius))

    def opening(self, radius: int) -> str:
        return f"""\
Import Library.
From Interval Require Import Tactic.
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

(* f by its radius, as the tactics of Interval read it. *)
Definition h (r : R) : R := {smooth_notation(self.generator)}.
Lemma F_h r : 0 <= r <= {number(radius + self.delta)} -> ev F r = h r.
Proof. intros H. unfold h. cbv [F ev]. rewrite ?power_pos by (interval with (i_prec 60)). reflexivity. Qed.
"""

    def little(self, tail: Tail, most: Fraction) -> str:
        """What lies beyond the radius."""
        radius = 2**tail.exponent
        return f"""\
Lemma falls_far : falls_like F (2 ^ {tail.exponent}) {tail.order} {arguments(tail.steepness)} = true.
Proof. {COMPUTE} Qed.
Lemma little b : {radius} <= b -> RInt (density f) {radius} b <= {number(most)}.
Proof.
  intros H. apply Rle_trans with (1 := beyond_is_little F plan f f_F falls_F _ _ _ _ b falls_far ltac:(lra) H).
  change (IZR (2 ^ {tail.exponent})) with {radius}. rewrite F_h by lra. unfold h. interval with (i_prec 60).
Qed.
"""

    def mass(self, radius: int) -> Sum:
        """The integral of p up to the radius."""
        marks = self.line.marks(Fraction(radius))
        values = [self.line.integral(a, b) for a, b in pairwise(marks)]
        found = Sum("mass", "RInt (density f)", "join_p F plan f f_F falls_F", self.line.unit, str(radius))
        how = f"apply (piece_p F f f_F h); [ lra | intros r H; apply F_h; lra | unfold h; {INTEGRAL} ]."
        for (a, b), value in zip(pairwise(marks), values, strict=True):
            found.add(a, b, value, sum(values) * TIGHT / len(values), how)
        return found

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
        moved = f"{number(self.delta)} - r" if side.right else f"r + {number(self.delta)}"
        gain = f"(fun r => h r - exp epsilon_{k} * h ({moved}))"
        pieces = side.pieces(self.marks(side, radius))
        for piece in pieces:
            a, b, fuel = piece.start, piece.end, piece.fuel
            where = f"{a} {b} {self.line.unit}"
            room = least * TIGHT / len(pieces)
            if piece.kind == BELOW:
                found.add(
                    a, b, ZERO, ZERO, f"apply (nothing_there {context} {where} {fuel} eq_refl {inside}). {COMPUTE}"
                )
            elif piece.kind == ABOVE:
                how = (
                    f"apply (all_there {context} {where} {fuel} eq_refl {inside} {gain}); [ {COMPUTE[:-1]} | "
                    f"intros r H; cbn [across ev]; rewrite !F_h by lra; reflexivity | "
                    f"unfold h, epsilon_{k}; {INTEGRAL} ]."
                )
                found.add(a, b, side.integral(piece), room, how)
            else:
                how = (
                    f"apply (thin_there F plan f delta epsilon_{k} f_F falls_F {word} {where} eq_refl). "
                    "rewrite F_h by lra. unfold h. interval with (i_prec 60)."
                )
                found.add(a, b, ZERO, room, how, least=ZERO)
        return found

    def point(self, k: int, point: Point, radius: int, most: Fraction) -> str:
        return f"""\
Lemma point_{k} : divergence_within epsilon_{k} {bounds(point)}.
Proof.
  refine (divergence F plan f delta epsilon_{k} f_F delta_pos _ falls_F {radius} ({number(most)}) _ _ _ _ _ _ _ _ _
    little mass left_{k} right_{k} _ _ _ _); unfold epsilon_{k}, delta; lra.
Qed.
"""
