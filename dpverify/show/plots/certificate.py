"""The plot of a certificate: the privacy loss with the proved bound and the witness, or what is no density."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpverify.errors import InputError
from dpverify.generators import Generator
from dpverify.show.plots.lines import Drawn, Line, even, geometric
from dpverify.show.plots.picture import Mark, Picture

DRAWABLE = Fraction(10) ** 100
PERIODS, DENSE = 8, 900


def picture_of(claim: Mapping[str, Any], proof: Mapping[str, Any]) -> Picture | None:
    """The plot for an accepted certificate's claim; None where floating point cannot show it."""
    delta = Fraction(claim["sensitivity"]) / Fraction(claim["scale"])
    if claim["hypotheses"]["defined"] != "proved" or not 1 / DRAWABLE < delta < DRAWABLE:
        return None
    try:
        drawn = Drawn(Generator(claim["generator"], claim["dimension"], claim["parameters"]), delta)
    except InputError:  # the kernel's language is as large, but its limits are its own
        return None
    if claim["hypotheses"]["positive"] == "refuted" and proof["sign"]["kind"] in ("nothing", "eventually"):
        return None  # a line at 0, or what is too far out
    if claim["hypotheses"]["positive"] == "refuted":
        found = _not_positive(drawn, proof["sign"])
    else:
        found = _mass(drawn, proof) if claim["verdict"] == "invalid" else _loss(drawn, claim, proof)
    return found if any(curve.finite() for _, curve in found.curves) else None


def _loss(drawn: Drawn, claim: Mapping[str, Any], proof: Mapping[str, Any]) -> Picture:
    delta, witness, private = drawn.delta, proof.get("witness"), claim["epsilon"] is not None
    at = _middle(witness["box"]) if witness and witness["box"] else None
    shift = Fraction(witness["shift"]) if witness and witness["shift"] else delta
    radii, logarithmic = _radii(delta, at, _period(proof))
    absolute, c = claim["hypotheses"]["decreasing"] != "proved", drawn.letter
    ratio = rf"f(({c}-\delta)^2)/f({c}^2)"
    label = rf"$|\log {ratio}|$" if absolute else rf"$\log\,{ratio}$"
    curves = [(label, _sized(drawn.loss(radii), absolute))]
    if absolute and shift != delta:
        curves.append((f"the same for the shift {float(shift):.4g}", _sized(drawn.loss(radii, shift), True)))
    bound = mark = None
    if private:
        upper = float(Fraction(claim["epsilon"]["upper"]))
        bound = upper, f"proved bound, {upper:.6g}"
        mark = _witness(drawn, proof, at, shift)
    low, high = curves[0][1].x[0], curves[0][1].x[-1]
    heights = {y: x for _, curve in curves for x, y in zip(curve.x, curve.y, strict=True) if math.isfinite(y)}
    top = max(heights, default=0.0)
    seen = f"Privacy loss against {c} from {low:.4g} to {high:.4g}, in units of sigma. "
    where = f"its largest drawn value is {top:.5g}, at {c} = {heights.get(top, 0.0):.4g}. "
    if bound and mark:
        alt = (
            f"{seen}The curve stays at or below the dashed line of the proved bound {bound[0]:.6g}; {where}{mark.text}."
        )
        caption = "The loss at every radius stays at or below the dashed line; the mark shows where it comes up to it."
    else:
        alt = f"{seen}No line bounds the curve from above; within the plot {where}"
        why = _unbounded(claim, proof, c)
        caption = f"The loss has no bound: {why}. A plot alone could not show it; the certificate does."
    title = "The privacy loss"
    across = rf"${c}$, in units of $\sigma$" + ("  (logarithmic)" if logarithmic else "")
    return Picture(title, alt.strip(), caption, across, "privacy loss", logarithmic, tuple(curves), bound, mark)


def _sized(curve: Line, absolute: bool) -> Line:
    return Line(curve.x, tuple(map(abs, curve.y)), curve.complete) if absolute else curve


def _unbounded(claim: Mapping[str, Any], proof: Mapping[str, Any], c: str) -> str:
    if "pole" in proof:
        radius = float(_middle(proof["pole"]["box"]))
        return f"f is infinite at r = {radius:.4g}, and the loss beside it grows without end"
    if claim["hypotheses"]["finite_at_zero"] == "refuted":
        return f"f has a pole at its centre, and the loss grows without end as {c} falls to δ"
    return f"it grows without end as {c} grows"


def _witness(drawn: Drawn, proof: Mapping[str, Any], at: Fraction | None, shift: Fraction) -> Mark:
    if at is not None:
        place = float(at + shift)
        return Mark(place, None, f"witness at {drawn.letter} = {place:.6g}")
    if proof["witness"]["near"] == "zero":
        return Mark(None, "left", f"approached as {drawn.letter} falls to δ")
    return Mark(None, "right", far_out(drawn, proof))


def far_out(drawn: Drawn, proof: Mapping[str, Any]) -> str:
    """How the loss meets a bound that it has in the tail: a model decides whether it reaches it."""
    c, level = drawn.letter, "infinity" in proof and drawn.level(proof["infinity"], proof.get("phase"))
    if "phase" in proof or "torus" in proof:
        return f"{'reached' if level else 'approached'} again and again as {c} grows"
    return f"reached at every large {c}" if level else f"approached as {c} grows"


def _middle(box: list[str]) -> Fraction:
    return (Fraction(box[0]) + Fraction(box[1])) / 2


def _period(proof: Mapping[str, Any]) -> Fraction | None:
    """The period of what oscillates, or of the slowest of several; None where nothing does so evenly."""
    if (phase := proof.get("phase")) is not None:
        return (Fraction(2) if phase["turns"] else Fraction(44, 7)) / Fraction(phase["frequency"])
    torus = proof.get("torus")
    if torus is None or torus["chirps"]:
        return None
    speeds = [
        sum(float(Fraction(q)) * int(n) ** 0.5 * math.pi ** int(k) for n, k, q in line) for line in torus["lines"]
    ]
    return Fraction(44, 7) / Fraction(min(map(abs, speeds)))


def _radii(delta: Fraction, at: Fraction | None, period: Fraction | None) -> tuple[list[Fraction], bool]:
    """Where to draw: around the witness and over two decades beyond it, or over some periods of an oscillation."""
    if period is not None:
        end = max(PERIODS * period, 2 * (at or Fraction(0)))
        return even(end / 10**6, end, DENSE), False
    end = max(100 * delta, 10 * ((at or 0) + delta))
    radii = geometric(delta / 10**6, end, 320)
    if at is not None:
        radii += even(max(at - 4 * delta, at / 2), at + 4 * delta, 120)
    return sorted(set(radii)), True


def _not_positive(drawn: Drawn, sign: Mapping[str, Any]) -> Picture:
    """f where it is negative or zero, though it is positive elsewhere."""
    words = "negative" if sign["kind"] == "negative" else "zero"
    if sign["kind"] == "centre":
        end, mark = 10 * drawn.delta, Mark(0.0, None, "f(0+) = 0")
    else:
        at, other = _middle(sign["box"]), _middle(sign["positive"]) if sign.get("positive") else Fraction(0)
        end = 2 * max(at, other)
        told = "f tends to 0 here" if sign["kind"] in ("side", "limits") else f"f is {words} here"
        mark = Mark(float(at), None, told, 0.0 if words == "zero" else drawn.density([at]).y[0])
    curve = drawn.density(even(end / 1000, end, 500))
    alt = f"f against the radius r from 0 to {float(end):.4g}; {mark.text}, at r = {mark.x:.4g}."
    caption = (
        f"{mark.text.removesuffix(' here')} at the mark{', and is positive elsewhere' if words == 'zero' else ''}."
    )
    return Picture("The generator", alt, caption, "$r$", "$f(r^2)$", False, (("$f(r^2)$", curve),), None, mark)


def _mass(drawn: Drawn, proof: Mapping[str, Any]) -> Picture:
    """r^d f(r^2) against log r: the area is the integral of r^(d-1) f(r^2) dr, and infinite."""
    curve = drawn.mass(geometric(Fraction(1, 1000), Fraction(1000), 300))
    alt = "r to the power d times f, against r from 0.001 to 1000, logarithmic: the area under the curve is infinite."
    radius = proof["integrable"].get("radius")
    where = f"Beside r = {float(_middle(radius['box'])):.4g}" if radius else "Beyond the plot"
    caption = (
        f"With log r across, the area under this curve is the mass of the noise, up to a constant. {where} it "
        "grows without end, so no density exists."
    )
    label = "$r^d f(r^2)$"
    return Picture(
        "The mass of the noise", alt, caption, "$r$  (logarithmic)", label, True, ((label, curve),), None, None
    )
