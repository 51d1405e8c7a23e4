"""A profile in space, d = 3, as two improper integrals over the radius r = |x|, one of them of integrals over spheres.

On the sphere of radius r the cosine z of the angle to the shift is uniform on [-1, 1] (Archimedes), and |x - u|^2 is
r^2 + s^2 - 2 r s z.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from dpverify.export.coq.claim import Point
from dpverify.export.coq.expression import VAR, Expr
from dpverify.export.coq.generator import constructor, smooth_notation
from dpverify.export.coq.quadrature import quadrature
from dpverify.export.coq.space import CURVE, NONE, OVER, WHOLE, Part, Space
from dpverify.export.coq.statement import ZERO, ProfileExport
from dpverify.export.coq.sums import above, below
from dpverify.export.coq.text import COMPUTE, arguments, number

SIGN = "interval with (i_bisect r, i_taylor r, i_degree 8, i_prec 60)"
SPENT = Fraction(1, 4)
"""The part of the room that curves may cost."""


class SpaceExport(ProfileExport):
    """A profile in space."""

    ROOM, TIGHT, WEIGHT = Fraction(1, 10**9), Fraction(1, 10**10), 2
    WITHIN = """\
Definition on_sphere (epsilon r z : R) : R := Rmax (f (r^2) - exp epsilon * f (r^2 + delta^2 - 2 * r * delta * z)) 0.
Definition divergence_within (epsilon lower upper : R) : Prop := exists Z E,
  is_RInt_gen (fun r => r^2 * f (r^2)) (at_point 0) (Rbar_locally p_infty) Z /\\
  (forall r, ex_RInt (on_sphere epsilon r) (-1) 1) /\\
  is_RInt_gen (fun r => r^2 * (RInt (on_sphere epsilon r) (-1) 1 / 2)) (at_point 0) (Rbar_locally p_infty) E /\\
  lower * Z <= E <= upper * Z."""

    def meaning(self) -> str:
        return (
            "`divergence_within epsilon lower upper` says that E/Z lies between the two, which are the certificate's "
            "bounds widened by a relative 1e-9. 4 pi Z is the integral of p x = f(|x|^2) over space, 4 pi E that of "
            "(p x - exp epsilon * p (x - u))+, |u| = delta, in polar coordinates: r = |x|, and z is the cosine of "
            "the angle between x and u, which is uniform on [-1, 1]. That the integrals over space are these is not "
            "derived here; nor is Theorem B, by which no shorter shift has a larger divergence."
        )

    def lemmas(self) -> list[str]:
        """f falls, its tail, Z, and each point."""
        far = self.line.marks(Fraction(2**20))
        scale = sum(self.line.integral(a, b) for a, b in pairwise(far))
        least = scale * min(low if low > 0 else high for _, low, high in self.points)
        tail = self.line.tail(least * self.TIGHT)
        radius, most = 2**tail.exponent, above(self.line.lies(tail) * (1 + self.TIGHT), least * self.TIGHT)
        integral, shell = "RInt (shell f)", Expr("Mul", (Expr("Nat", (VAR, 2)), self.generator))
        mass = self.mass(
            radius, shell, "(shell_of F)", integral, "join_shells F plan f f_F falls_F", "(shell_piece F f f_F)"
        )
        found = [
            self.opening(),
            self.potential(radius),
            self.little(tail, most, "little_in_space", integral),
            mass.text(),
        ]
        for k, point in enumerate(self.points):
            whole = 2 * self.delta * scale * point[1]
            space = Space(self.plan, self.line, self.charts.near, point[0], whole * self.ROOM * SPENT)
            found += [Chain(k, self, space, radius, whole * self.TIGHT).text(), self.point(k, point, radius, most)]
        return found

    def potential(self, radius: int) -> str:
        """g = -log f(r^2), as the tactics of Interval read it."""
        return f"""\
From Interval Require Import Tactic.
Definition g_F : expr := {constructor(self.plan.whole.value)}.
Definition g (r : R) : R := {smooth_notation(self.plan.whole.value)}.
Lemma is_g_F : G F true = g_F.
Proof. vm_compute. reflexivity. Qed.
Lemma F_g r : 0 < r <= {number(radius + self.delta)} -> ev (G F true) r = g r.
Proof.
  intros H. rewrite is_g_F. unfold g. cbv [g_F ev]. rewrite ?power_pos by (interval with (i_prec 60)). reflexivity. Qed.
"""

    def point(self, k: int, point: Point, radius: int, most: Fraction) -> str:
        return f"""\
Lemma point_{k} : divergence_within epsilon_{k} {self.bounds(point)}.
Proof.
  refine (divergence_in_space f delta (exp epsilon_{k}) (density_continuous F plan f f_F falls_F)
    (density_pos F plan f f_F falls_F) delta_pos (Rlt_le _ _ (exp_pos _)) {radius} ({number(most)}) _ _ _ _ _ _ _
    _ little mass all_{k} _ _ _ _); unfold delta; lra.
Qed.
"""


class Chain:
    """The lemmas of all parts for one eps, joined from 0 to the radius."""

    def __init__(self, k: int, export: ProfileExport, space: Space, radius: int, room: Fraction) -> None:
        self.k, self.export, self.space, self.radius, self.unit = k, export, space, radius, space.unit
        self.parts = space.parts(radius)
        self.room = room / (2 * len(self.parts) + 2)
        self.lemmas: list[str] = []
        self.names: list[str] = []
        self.low, self.high = Fraction(0), Fraction(0)

    def text(self) -> str:
        """The lemmas, and that of the whole."""
        for part in self.parts:
            if part.curve is not None:
                name = self.curve(part)
                self.lemmas.append(f"Definition {name} : expr := {constructor(part.curve.value)}.")
                self.lemmas.append(f"Definition {name}' : expr := {constructor(part.curve.slope)}.")
        last: Part | None = None
        for part in self.parts:
            if last is not None:
                self.step(last, part)
            self.part(part)
            last = part
        assert last is not None
        end = self.unit * self.radius
        self.step(last, Part(end, end, NONE, 0))
        *others, whole = self.names
        context = f"f delta (exp epsilon_{self.k}) (density_continuous F plan f f_F falls_F)"
        for name in reversed(others):
            whole = f"(join_stretches {context} _ _ _ _ _ _ _ _ _ _ {name} {whole})"
        start = self.distance(self.parts[0], 0)
        k = self.k
        return "\n".join(
            [
                *self.lemmas,
                f"Lemma all_{k} : stretch f delta (exp epsilon_{k}) 0 {start} {self.radius} ({self.radius} + delta)",
                f"  ({number(self.low)}) ({number(self.high)}).",
                "Proof.",
                f"  assert (J := {whole}). unfold stretch in *.",
                f"  replace (0 / {self.unit}) with 0 in * by lra.",
                f"  replace ({end} / {self.unit}) with {self.radius} in * by lra.",
                "  lra.",
                "Qed.",
                "",
            ]
        )

    def add(self, start: int, t: str, end: int, u: str, low: str, high: str, proof: str) -> None:
        name = f"part_{self.k}_{len(self.names)}"
        ends = f"({start} / {self.unit}) {t} ({end} / {self.unit}) {u}"
        self.lemmas.append(
            f"Lemma {name} : stretch f delta (exp epsilon_{self.k}) {ends}\n  ({low}) ({high}).\nProof. {proof} Qed."
        )
        self.names.append(name)

    def distance(self, part: Part, n: int) -> str:
        """Where the part's curve is at an end, as Coq has it."""
        r = f"({n} / {self.unit})"
        if part.kind == CURVE:
            return f"(ev {self.curve(part)} {r})"
        return f"(delta - {r})" if part.kind == WHOLE else f"({r} + delta)"

    def expression(self, part: Part) -> str:
        """The part's curve as a term of the type `expr`."""
        across = f"(across {arguments(self.space.shift)} {str(part.kind == WHOLE).lower()})"
        return self.curve(part) if part.kind == CURVE else across

    def curve(self, part: Part) -> str:
        return f"curve_{self.k}_{self.parts.index(part)}"

    def sized(self, value: Fraction) -> tuple[str, str]:
        """Bounds of a number, which are added to those of the whole."""
        low, high = below(value - self.room, self.room), above(value + self.room, self.room)
        self.low, self.high = self.low + low, self.high + high
        return number(low), number(high)

    def step(self, last: Part, part: Part) -> None:
        """From one curve to the next."""
        n = part.start
        t, u = self.distance(last, n), self.distance(part, n)
        if t == u:
            return
        low, high = self.sized(
            self.space.step(Fraction(n, self.unit), self.space.distance(last, n), self.space.distance(part, n))
        )
        k, eps = self.k, arguments(self.space.epsilon)
        ends = f"{self.expression(last)} {self.expression(part)} {n} {self.unit}"
        how = quadrature(self.space.step_of(last, part, n), ZERO, Fraction(1), self.room)
        shown = f"apply (integral_within {how.arguments(f'(step_of F {eps} {ends})')} 0 1 1)"
        self.add(
            n, t, n, u, low, high,
            f"apply (steps_there F plan f delta epsilon_{k} f_F falls_F {eps} eq_refl {ends}); "
            f"[ {COMPUTE[:-1]} | {shown}; {COMPUTE[:-1]} ].",
        )  # fmt: skip

    def part(self, part: Part) -> None:
        a, b, k = part.start, part.end, self.k
        t, u = self.distance(part, a), self.distance(part, b)
        s, eps = arguments(self.space.shift), arguments(self.space.epsilon)
        begin = f"F plan f delta epsilon_{k} f_F delta_pos falls_F {s}"
        level = part.level if part.curve is None else part.curve.level
        where = f"{a} {b} {self.unit} {part.fuel} eq_refl"
        over = f"{arguments(level)} ltac:(unfold epsilon_{k}; lra)"
        if part.kind == NONE:
            self.add(
                a,
                t,
                b,
                u,
                "0",
                "0",
                f"apply (no_spheres {begin} eq_refl centre {where} {over}); [ reflexivity | {COMPUTE[:-1]} ].",
            )
        elif part.kind == OVER:
            cost = above(self.space.cost(part), self.room)
            self.high += cost
            self.add(
                a, t, b, u, "0", number(cost),
                f"apply (over_the_spheres {begin} {eps} eq_refl eq_refl centre {where} {over}). {COMPUTE}",
            )  # fmt: skip
        elif part.kind == WHOLE:
            low, high = self.sized(self.space.integral(part))
            self.add(
                a, t, b, u, low, high,
                f"apply (whole_spheres {begin} {eps} eq_refl eq_refl centre {where}); [ unfold delta; lra | "
                f"{COMPUTE[:-1]} | {self.integral(part)} ].",
            )  # fmt: skip
        else:
            self.along(part, f"{begin} {eps} eq_refl eq_refl {where} {over}")

    def integral(self, part: Part) -> str:
        """The tactics that show the bounds of the integral along a part's curve."""
        shift = arguments(self.space.shift)
        name = f"{self.expression(part)} " + (f"{self.curve(part)}'" if part.curve else "(Int (-1))")
        along = f"(along_of F {shift} {arguments(self.space.epsilon)} {name})"
        return self.export.within(self.space.along_of(part), along, part.start, part.end, self.room)

    def along(self, part: Part, context: str) -> None:
        assert part.curve is not None
        name, k = self.curve(part), self.k
        low, high = self.sized(self.space.integral(part))
        cost = above(self.space.cost(part), self.room)
        self.high += cost
        width, near = arguments(part.curve.width), str(part.curve.near).lower()
        self.add(
            part.start, self.distance(part, part.start), part.end, self.distance(part, part.end),
            low, f"{high} + {number(cost)}",
            f"apply (on_the_curve {context} g _ {name} {name}' {width} {near} F_g ltac:(unfold delta; lra) eq_refl); "
            f"[ {COMPUTE[:-1]} | "
            f"intros r H; cbv [ev {name}]; unfold epsilon_{k}, g; {SIGN} | "
            + ("discriminate" if part.curve.near else f"intros _ r H; cbv [ev {name}]; unfold epsilon_{k}, g; {SIGN}")
            + f" | {self.integral(part)} ].",
        )  # fmt: skip
