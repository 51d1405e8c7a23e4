"""A certificate's claim as a Coq file: the statement first, then the library, then the proof."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from textwrap import indent
from typing import Any

from dpverify.errors import InputError
from dpverify.export.coq import library
from dpverify.export.coq.claim import Box, read
from dpverify.export.coq.enclosure import continuous_at_zero
from dpverify.export.coq.expression import Expr
from dpverify.export.coq.generator import SHORT_POWER, NotCovered, constructor, expression, notation, tree
from dpverify.export.coq.pieces import PiecewisePlan, in_pieces
from dpverify.export.coq.plan import Charts, Plan
from dpverify.export.coq.text import AXIOMS, COMPUTE, QUESTION, arguments, comment, fraction, loaded, number, plan_of

ROOM = Fraction(1, 10**12)
"""By how much an upper bound is raised, relatively, where the library does not follow an exact epsilon; a lower one is
lowered by as much where delta is no binary number."""


def export(certificate: Mapping[str, Any], *, alone: bool = True) -> str:
    """The Coq file that states and proves a certificate's claim.

    A file that stands alone carries the library's text, any other loads the compiled library. The
    certificate is taken as accepted by the checker. Raises InputError, with the reason, for a claim
    that the Coq library does not cover.
    """
    try:
        if is_exact(certificate) and not is_binary(read(certificate).delta):
            return _Export(certificate, ROOM).text(alone)
        return _Export(certificate).text(alone)
    except NotCovered as error:
        if not is_exact(certificate):
            raise InputError(f"no export to Coq: {error}") from None
    try:
        return _Export(certificate, ROOM).text(alone)
    except NotCovered as error:
        raise InputError(f"no export to Coq: {error}") from None


def is_binary(value: Fraction) -> bool:
    """Whether the library's binary intervals hold the value exactly."""
    return value.denominator & (value.denominator - 1) == 0


def is_exact(certificate: Mapping[str, Any]) -> bool:
    """Whether the claim says which number epsilon is."""
    claim = read(certificate)
    return claim.lower is not None and claim.lower == claim.upper


class _Export:
    def __init__(self, certificate: Mapping[str, Any], room: Fraction = Fraction(0)) -> None:
        self.claim, self.room = read(certificate), room
        if self.claim.assumptions:
            raise NotCovered(f"the certificate rests on an assumption ({self.claim.assumptions[0].split(':')[0]})")
        about = self.claim.about
        self.generator: Expr = expression(tree(about.generator, about.values))
        self.delta = self.claim.delta
        self.plan = Plan(self.generator, self.delta)

    def text(self, alone: bool) -> str:
        private = self.claim.verdict == "private"
        prove = {"private": self.private, "not_private": self.not_private, "invalid": self.invalid}
        statement, proof = prove[self.claim.verdict]()
        return "\n".join(
            [
                self.comment(),
                library.HEAD,
                self.definitions(private),
                "Definition claim : Prop :=",
                indent(" /\\\n".join(statement), "  ") + ".",
                "",
                "(* The library of the proof: the same in every export, and nothing to do with this f. *)",
                loaded(alone),
                "",
                proof,
                QUESTION + "\n" if alone else "",
            ]
        )

    def comment(self) -> str:
        text = (
            f"{self.claim.about.words()} The noise has density proportional to f(x' Sigma^-1 x); the ratio "
            "f((c - delta)^2) / f(c^2) is that of Theorem 3 of Reimherr and Awan (2019). For coqc 8.16 with "
            f"coq-interval 4.6; {AXIOMS}"
        )
        if self.room:
            which = "upper bound has" if is_binary(self.delta) else "bounds have"
            text += f" The {which} room: the library does not follow the exact one of the certificate."
        return comment(text)

    def definitions(self, private: bool) -> str:
        lines = [
            f"Definition f (y : R) : R := {notation(self.generator)}.",
            f"Definition delta : R := {number(self.delta)}.",
        ]
        if private:
            lower, upper = self.bounds()
            lines += [f"Definition lower : R := {number(lower)}.", f"Definition upper : R := {number(upper)}."]
        return "\n".join(lines)

    def bounds(self) -> tuple[Fraction, Fraction]:
        if self.claim.lower is None or self.claim.upper is None:
            raise NotCovered("the claim has no enclosure of epsilon")
        below = Fraction(0) if is_binary(self.delta) else self.room
        return self.claim.lower * (1 - below), self.claim.upper * (1 + self.room)

    def private(self) -> tuple[list[str], str]:
        lower, upper = self.bounds()
        if in_pieces(self.generator):
            return self.private_in_pieces(lower, upper)
        charts, ahead = self.charts(upper)
        closed = continuous_at_zero(self.generator)
        least = "<=" if closed else "<"
        bounds = (
            [
                f"(forall s t, 0 {least} s -> 0 {least} t -> Rabs (s - t) <= delta ->",
                "   f (s^2) <= exp upper * f (t^2))",
            ]
            if ahead
            else [
                f"(forall s t, 0 {least} s <= t -> f t <= f s) /\\",
                f"(forall c, delta {least} c -> f ((c - delta)^2) <= exp upper * f (c^2))",
            ]
        )
        reached, witness = self.witness(charts, lower)
        statement = [f"(forall y, 0 {least} y -> 0 < f y)", "\n".join(bounds), reached]
        bound = f"{arguments(self.delta)} {arguments(upper)}" + (f" [{'; '.join(map(str, ahead))}]%Z" if ahead else "")
        theorem = "private_A" if ahead else "private"
        steps = [f"assert (P : {theorem} F plan {bound} = true) by ({COMPUTE[:-1]})."]
        if closed:
            steps.append(f"assert (C : continuous_at_0 F = true) by ({COMPUTE[:-1]}).")
        name, facts = (f"{theorem}_from_0", "P C") if closed else (f"{theorem}_beyond_0", "P")
        steps += [
            f"destruct ({name} F plan f delta upper f_F {bound} eq_refl eq_refl {facts}) as [Positive Bounds].",
            "split; [ exact Positive | ]."
            if ahead
            else "destruct Bounds as [Falls Upper]. split; [ exact Positive | split; [ exact Falls | ] ].",
            f"split; [ exact {'Bounds' if ahead else 'Upper'} | ].",
            f"refine ({witness} _).",
            COMPUTE,
        ]
        return statement, self.script(charts, steps)

    def private_in_pieces(self, lower: Fraction, upper: Fraction) -> tuple[list[str], str]:
        if self.claim.hypotheses["decreasing"] == "refuted":
            raise NotCovered("f in pieces is covered only where it falls")
        plan = PiecewisePlan(self.generator, self.delta, upper)
        parts = plan.parts()
        lo, hi, point = (fraction(x) for x in plan.witness(lower, self.points()))
        statement = [
            "(forall y, 0 < y -> 0 < f y)",
            "(forall s t, 0 < s <= t -> f t <= f s)",
            "(forall c, delta < c -> f ((c - delta)^2) <= exp upper * f (c^2))",
            "(exists c, delta < c /\\ exp lower * f (c^2) <= f ((c - delta)^2))",
        ]
        both = arguments(self.delta)
        steps = [
            f"assert (P : pieces_ok F plan {both} {arguments(upper)} = true) by ({COMPUTE[:-1]}).",
            "destruct (private_by_pieces F plan f delta upper f_F",
            f"  {both} {arguments(upper)} eq_refl eq_refl eq_refl P) as [Positive [Falls Upper]].",
            "split; [ exact Positive | split; [ exact Falls | split; [ exact Upper | ] ] ].",
            f"refine (attained_by_pieces F f delta lower f_F {both} {arguments(lower)} eq_refl eq_refl eq_refl",
            f"  {lo} {hi} {point} _).",
            COMPUTE,
        ]
        junctions = "; ".join(map(fraction, parts.junctions))
        plan_text = f"""\
Definition plan : parts := {{|
  near_d := 2 ^ {parts.near}; near_ord := {parts.order}; near_split := {str(parts.split).lower()};
  junctions := [{junctions}]%Q;
  tail_n := 2 ^ {parts.far}; tail_ord := {parts.far_order}; depth := {parts.depth} |}}.
"""
        return statement, self.proof(plan_text, steps)

    def charts(self, upper: Fraction) -> tuple[Charts, list[int]]:
        """Charts for the upper bound, and for Theorem A the cuts ahead of the centre.

        A certificate by Theorem A may leave open whether f falls; the library may see that it does.
        """
        if self.claim.hypotheses["decreasing"] != "refuted":
            try:
                return self.plan.private(upper), []
            except NotCovered:
                if self.claim.theorem != "Theorem A":
                    raise
        return self.plan.modulus(upper)

    def witness(self, charts: Charts, lower: Fraction) -> tuple[str, str]:
        """What is stated of the lower bound, and the theorem that proves it."""
        shift, points = self.claim.hints.shift, self.points()
        context = f"f delta lower f_F {arguments(self.delta)} {arguments(lower)}"
        try:
            kind, point = self.plan.witness(charts, lower, points)
        except NotCovered:
            if not points or shift is None:
                raise
            s, t = self.plan.two_radii(lower, points[-1], shift)
            return (
                "(exists s t, 0 < s /\\ 0 < t /\\ Rabs (s - t) <= delta /\\ exp lower * f (t^2) <= f (s^2))",
                f"attained_between F {context} eq_refl eq_refl {arguments(s)} {arguments(t)}",
            )
        if point is not None:
            return (
                "(exists c, delta < c /\\ exp lower * f (c^2) <= f ((c - delta)^2))",
                f"attained F plan {context} eq_refl eq_refl {arguments(point)}",
            )
        return (
            "(forall b, b < lower -> exists c, delta < c /\\ exp b * f (c^2) < f ((c - delta)^2))",
            f"approached_at_{kind} F plan {context} eq_refl eq_refl",
        )

    def points(self) -> list[Fraction]:
        """The checker's witness, as short numbers."""
        box = self.claim.hints.witness
        if box is None:
            return []
        middle = (box[0] + box[1]) / 2
        return [Fraction(round(middle * 2**bits), 2**bits) for bits in (24, 40, 60, 120)]

    def not_private(self) -> tuple[list[str], str]:
        self.refuse_pieces()
        hypotheses, hints = self.claim.hypotheses, self.claim.hints
        if hypotheses["positive"] == "refuted":
            where, theorem, ratio = "zero", "unbounded_at_the_zero", "f (c^2) > K * f ((c - delta)^2)"
            if hints.sign == "touches" and hints.sign_box is not None:
                return self.touches(hints.sign_box)
            if hints.sign != "centre":
                raise NotCovered("f vanishes on an interval")
        elif hypotheses["positive"] == "undecided":
            raise NotCovered("f is infinite at a radius, or its loss unbounded beside a phase")
        else:
            pole = hypotheses["finite_at_zero"] == "refuted"
            where, theorem = ("pole", "unbounded_at_the_pole") if pole else ("tail", "unbounded_in_the_tail")
            ratio = "f ((c - delta)^2) > K * f (c^2)"
        charts = self.plan.unbounded(where)
        statement = ["(forall y, 0 < y -> 0 < f y)", f"(forall K, exists c, delta < c /\\ {ratio})"]
        steps = [f"refine ({theorem} F plan f delta f_F {arguments(self.delta)} eq_refl _).", COMPUTE]
        return statement, self.script(charts, steps)

    def refuse_pieces(self) -> None:
        if in_pieces(self.generator):
            raise NotCovered("f in pieces (Piecewise, Max, Min, Abs or floor) is covered only where it is private")

    def touches(self, box: Box) -> tuple[list[str], str]:
        """f vanishes at a radius and is positive at one within delta of it."""
        factor, low, high, other, unit = self.plan.touches(box)
        statement = ["(exists s t, 0 < s /\\ 0 < t /\\ Rabs (s - t) <= delta /\\ 0 < f (s^2) /\\ f (t^2) = 0)"]
        step = (
            f"refine (zero_within_delta F f delta f_F {arguments(self.delta)} eq_refl"
            f" {constructor(factor)} {low} {high} {unit} {other} _)."
        )
        return statement, self.script(None, [step, COMPUTE])

    def invalid(self) -> tuple[list[str], str]:
        """f is no density: negative somewhere, or its integral over R^d is infinite."""
        self.refuse_pieces()
        hints = self.claim.hints
        if self.claim.hypotheses["positive"] == "refuted" and hints.sign == "negative" and hints.sign_box is not None:
            point = self.plan.negative(hints.sign_box)
            step = f"refine (negative_somewhere F f f_F {arguments(point)} _)."
            return ["(exists y, 0 <= y /\\ f y < 0)"], self.script(None, [step, COMPUTE])
        d = self.claim.about.dimension
        if d > SHORT_POWER:
            raise NotCovered(f"the integral of f is stated in at most {SHORT_POWER} dimensions")
        mass = self.plan.heavy(d)
        integrand = f"(fun r => r ^ {d - 1} * f (r^2))"
        statement = [
            f"(forall K, exists a b, 0 < a < b /\\ ex_RInt {integrand} a b /\\",
            f"   RInt {integrand} a b > K)",
        ]
        theorem = "infinite_integral_at_0" if mass.centre else "infinite_integral"
        split = f" {str(mass.split).lower()}" if mass.centre else ""
        step = f"refine ({theorem} F f f_F (2 ^ {mass.exponent}) {mass.order} {d - 1}{split} {mass.logarithms} _)."
        return [chr(10).join(statement)], self.script(None, [step, COMPUTE])

    def script(self, charts: Charts | None, steps: list[str]) -> str:
        return self.proof(plan_of(charts) if charts else "", steps)

    def proof(self, plan: str, steps: list[str]) -> str:
        return f"""\
Import Library.
Definition F : expr := {constructor(self.generator)}.
{plan}
Lemma f_F r : 0 <= r -> f (r ^ 2) = ev F r.
Proof. intros H. unfold f. rewrite ?(sqrt_pow2 r H). reflexivity. Qed.

Theorem certificate : claim.
Proof.
{indent(chr(10).join(steps), "  ")}
Qed.
"""
