"""The claim of an accepted certificate in words and formulas, every number rounded so that a bound stays one."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpverify.numerals import short
from dpverify.show.formulas import NotTypeset, latex, symbol
from dpverify.show.sheet import Row
from dpverify.show.words import HEADLINES, TONES, radius_letter, shortened

LINE, PLACES = 60, 14
NOISE = "A mechanism that releases T(D) + σX, with noise X whose density on ℝᵈ is proportional to f(x' Σ⁻¹ x), is"
DISTANCE = r"\sup\, \left\lVert \Sigma^{-1/2} (T(D) - T(D')) \right\rVert_{2}"
EPSILON = r"\varepsilon"

INFINITY = r"\infty"


def verdict(claim: Mapping[str, Any]) -> tuple[str, str, str, str | None]:
    """The headline, its tone, the claim in a sentence, and as a formula where there is one."""
    name = claim["verdict"]
    title, tone = HEADLINES[name], TONES[name]
    if name == "invalid":
        words = (
            "The function f generates no probability density in this dimension. There is no such noise, and no "
            "statement about its privacy can be made."
        )
        return title, tone, words, None
    delta, ratio = r"\delta = \dfrac{\Delta}{\sigma}", log_ratio(claim)
    modulus, potential = r"\sup_{\left|s-t\right| \leq \delta}\, \left|g(s) - g(t)\right|", r"g(r) = -\log\, f(r^2)"
    loss = rf"\sup_{{{radius_letter(claim['parameters'])} \geq \delta}}\, {ratio}"
    if name == "not_private":
        words = f"{NOISE} differentially private for no ε, whatever the scale σ and the sensitivity Δ > 0."
        falling = claim["hypotheses"]["decreasing"] == "proved"
        formula = rf"{loss} = \infty" if falling else rf"{modulus} = \infty, \qquad {potential}"
        return title, tone, words, rf"{formula}, \qquad {delta}"
    lower, upper = _ends(claim)
    general = claim["theorem"] == "Theorem A"
    neighbours = "at every distance up to Δ, or arbitrarily near it, occur" if general else "at the distance Δ occur"
    words = (
        f"{NOISE} ε-differentially private for ε = {up(upper)}, and for no ε below {down(lower)} if neighbouring data "
        f"sets {neighbours}."
    )
    supremum = rf"{modulus}, \qquad {potential}" if general else loss
    return title, tone, words, rf"\varepsilon = {supremum}, \qquad {delta}"


def claim_rows(claim: Mapping[str, Any]) -> list[Row]:
    """The generator, the setting, epsilon with its enclosure, the closed form, and the tail."""
    text = claim["generator"]
    formula = latex(text)
    found = [
        Row(
            "Generator",
            "the radial density generator, in y = x' Σ⁻¹ x and r = √y",
            formula=None if formula is None else f"f(y) = {formula}",
            code=shortened(text, 1000),
        ),
        Row("Dimension", formula=f"d = {INFINITY if claim['dimension'] == 'infinity' else claim['dimension']}"),
    ]
    for name, value in sorted(claim["parameters"].items()):
        found.append(_parameter(name, value))
    sensitivity, scale = Fraction(claim["sensitivity"]), Fraction(claim["scale"])
    found += [
        Row("Sensitivity", "a Mahalanobis distance", _equals(rf"\Delta = {DISTANCE}", sensitivity)),
        Row("Scale", "the factor σ on the noise", _equals(r"\sigma", scale)),
    ]
    if claim["epsilon"] is not None:
        lower, upper = _ends(claim)
        found += [
            Row("Epsilon", formula=_equals(EPSILON, lower) if lower == upper else f"{EPSILON} {_size(lower, upper)}"),
            Row("At least", code=_rational(lower, "down")),
            Row("At most", code=_rational(upper, "up")),
        ]
        if claim["closed_form"]:
            formula = latex(claim["closed_form"])
            text = "a formula whose value lies in the enclosure"
            shown = None if formula is None else f"{EPSILON} = {formula}"
            found.append(Row("Formula", text, shown, "" if shown else shortened(claim["closed_form"], 1000)))
    if claim["tail_log_ratio"] is not None:
        ratio = rf"\limsup_{{{radius_letter(claim['parameters'])} \to \infty}}\, {log_ratio(claim)}"
        low, high = (Fraction(claim["tail_log_ratio"][end]) for end in ("lower", "upper"))
        if claim["epsilon"] is not None:
            high = max(low, min(high, upper))  # the lim sup is no more than the supremum
        if low == high and len(str(low)) <= PLACES:
            found.append(Row("In the tail", formula=rf"{ratio} = {low}"))
        else:
            found.append(Row("In the tail", f"between {down(low)} and {up(high)}", ratio))
    return found


def log_ratio(claim: Mapping[str, Any]) -> str:
    """The logarithm of the ratio whose supremum is epsilon."""
    c = radius_letter(claim["parameters"])
    return rf"\log\, \dfrac{{f(({c}-\delta)^2)}}{{f({c}^2)}}"


def size(claim: Mapping[str, Any]) -> str:
    """What is proved, in a few signs: ε ≤ 1.4240453, or a first point of a profile."""
    if "points" in claim:
        point, more = claim["points"][0], len(claim["points"]) - 1
        delta = short(Fraction(point["delta"]["upper"]), 8, "up")
        told = f"δ({short(Fraction(point['epsilon']), 8, 'up')}) ≤ {delta}"
        return f"{told}, and {more} more" if more else told
    if claim["epsilon"] is not None:
        return f"ε ≤ {short(Fraction(claim['epsilon']['upper']), 8, 'up')}"
    return "private for no ε" if claim["verdict"] == "not_private" else "no density"


def _parameter(name: str, value: str) -> Row:
    try:
        if name.isascii() and len(name) <= 40:
            return Row("Parameter", formula=_equals(symbol(name), Fraction(value)))
    except NotTypeset:
        pass
    return Row("Parameter", code=f"{shortened(name, 60)} = {shortened(value, 60)}")


def _equals(left: str, value: Fraction) -> str:
    text = str(value)
    if len(text) > 24:
        return rf"{left} \approx {_scientific(value)}"
    if value.denominator == 1:
        return f"{left} = {text}"
    sign = "-" if value < 0 else ""
    return rf"{left} = {sign}\dfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _scientific(value: Fraction) -> str:
    mantissa, _, power = short(value, 12).partition("e")
    return rf"{mantissa} \cdot 10^{{{int(power)}}}" if power else mantissa


def theorem(claim: Mapping[str, Any]) -> str:
    """The theorem that the claim is by, and what it says; "" for none."""
    if claim["theorem"] == "Theorem 3":
        c = radius_letter(claim.get("parameters", ()))
        return (
            "By Theorem 3, corrected, of Reimherr and Awan (Elliptical Perturbations for Differential Privacy, NeurIPS "
            f"2019): for an f that never rises, the best ε is the supremum of the log ratio over {c} ≥ δ. What is "
            "corrected, and a counterexample to it as printed: dpverify theorems reimherr-awan-2019:theorem-3."
        )
    if claim["theorem"] == "Theorem A":
        return (
            "By Theorem A: the best ε is the modulus of continuity of g = −log f(r²) at δ. It follows from the "
            "triangle inequality, and needs no f that never rises."
        )
    return ""


def _ends(claim: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    return Fraction(claim["epsilon"]["lower"]), Fraction(claim["epsilon"]["upper"])


def up(value: Fraction) -> str:
    """Fourteen digits of an upper bound."""
    return short(value, PLACES, "up")


def down(value: Fraction) -> str:
    """Fourteen digits of a lower bound."""
    return short(value, PLACES, "down")


def _size(lower: Fraction, upper: Fraction) -> str:
    """The middle of an enclosure, to as many decimals as it supports; a huge one by its leading digits; and the
    enclosure itself where it supports none."""
    middle, places = (lower + upper) / 2, 0
    if upper - lower >= Fraction(1, 10) and (upper - lower) * 10**6 > upper:
        return rf"\in \left[{down(lower)},\, {up(upper)}\right]"
    while places < PLACES and Fraction(1, 10 ** (places + 1)) > upper - lower:
        places += 1
    text = f"{Decimal(round(middle * 10**places)).scaleb(-places):f}" if middle < 10**12 else ""
    return rf"\approx {text or _scientific(middle)}"


def _rational(value: Fraction, towards: str) -> str:
    """The rational and its decimal, rounded so that the bound stays one; for a long rational the decimal alone."""
    text, decimal = str(value), short(value, PLACES + 2, towards)
    if len(text) > LINE:
        return f"{decimal} (rounded {towards}; the exact rational is in the certificate)"
    if text == decimal or value.denominator == 1:
        return text
    return f"{text} = {decimal}" if Fraction(decimal) == value else f"{text} ({decimal}, rounded {towards})"
