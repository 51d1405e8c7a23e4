"""What an export says, with no Coq on the machine."""

from __future__ import annotations

import itertools
import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify.errors import InputError
from dpverify.export.coq import export, library
from dpverify.export.coq.coqc import report
from dpverify.export.coq.enclosure import Unknown
from dpverify.export.coq.expression import Expr, both, combine, derivative, logarithm
from dpverify.export.coq.generator import NotCovered, expression, tree
from dpverify.export.coq.interval import Interval, interval
from dpverify.export.coq.model import End
from dpverify.export.coq.pieces import Between, breaks, in_pieces
from dpverify.export.coq.terms import CONSTANT, Monomial, unit
from tests.coq.generators import (
    INVALID,
    NOT_PRIVATE,
    PIECES,
    PRIVATE,
    VANISHING,
    WAVES,
    WITHOUT_EXPORT,
    certificate,
)

ROOT = Path(__file__).parents[2]
GALLERY = sorted((ROOT / "certificates").glob("*.json"))
SPECIAL = {"gamma", "besselk", "erfc", "loggamma", "incomplete_gamma", "besseli", "inverse"}
ELEMENTARY = [
    path
    for path in GALLERY
    if not SPECIAL & set(json.loads(path.read_bytes())["rules"]) and path.stem not in WITHOUT_EXPORT
]
VERNACULAR = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Hypothes[ie]s|Variables?|Context|give_up|Abort)\b"
)


def without_comments(text: str) -> str:
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


def numeric(e: Expr, r: Any) -> Any:
    """The meaning of an expression, by mpmath."""
    a = [numeric(part, r) for part in e.parts]
    match e.kind:
        case "Var":
            return r
        case "Int" | "Rat":
            return mpmath.mpf(e.args[0]) / (e.args[1] if e.kind == "Rat" else 1)
        case "Pi":
            return +mpmath.pi
        case "Add":
            return a[0] + a[1]
        case "Sub":
            return a[0] - a[1]
        case "Mul":
            return a[0] * a[1]
        case "Opp":
            return -a[0]
        case "Inv":
            return 1 / a[0]
        case "Nat":
            return a[0] ** e.args[1]
        case "Pow":
            return a[0] ** (mpmath.mpf(e.args[1]) / e.args[2])
        case "Sqrt":
            return mpmath.sqrt(a[0])
        case "Exp":
            return mpmath.exp(a[0])
        case "Ln":
            return mpmath.log(a[0])
        case "Ln1p":
            return mpmath.log(1 + a[0])
        case "Soft":
            return mpmath.log(1 + mpmath.exp(a[0]))
        case "Logi":
            return 1 / (1 + mpmath.exp(-a[0]))
        case "Sin" | "Cos":
            return getattr(mpmath, e.kind.lower())(a[0])
        case "Max":
            return max(a)
        case "Floor":
            return mpmath.floor(a[0])
        case "Less":
            return a[2] if (a[0] < a[1] if e.args[0] else a[0] <= a[1]) else a[3]
    raise AssertionError(e.kind)


MEANING: dict[str, Any] = {
    name: getattr(mpmath, name)
    for name in ("exp", "log", "sqrt", "cosh", "sinh", "tanh", "asinh", "sin", "cos", "floor", "pi")
}
MEANING |= {"Max": max, "Min": min, "Abs": abs}
MEANING["Piecewise"] = lambda *branches: next(value for value, holds in branches if holds)


def meant(text: str, r: Any) -> Any:
    return eval(re.sub(r"(\d+)/(\d+)", r"mpf(\1)/\2", text), {**MEANING, "mpf": mpmath.mpf, "r": r, "y": r * r})


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize("text", [*PRIVATE, *NOT_PRIVATE, *WAVES])
def test_expression_logarithm_and_derivative_mean_what_they_say(text: str) -> None:
    f = expression(tree(text, {}))
    with mpmath.workdps(40):
        for r in map(mpmath.mpf, ("0.3", "1.7", "6")):
            truth = meant(text, r)
            assert mpmath.almosteq(numeric(f, r), truth, 1e-30)
            for split in (False, True):
                log = logarithm(split, f)
                assert mpmath.almosteq(numeric(log, r), mpmath.log(truth), 1e-30, 1e-30)
                assert mpmath.almosteq(numeric(combine(log), r), mpmath.log(truth), 1e-30, 1e-30)
                slope = mpmath.diff(lambda x, e=log: numeric(e, x), r)
                assert mpmath.almosteq(numeric(derivative(log), r), slope, 1e-15, 1e-15)


def size(m: Monomial, t: Any) -> Any:
    """The value of a monomial."""
    result = mpmath.mpf(1)
    for q in m:
        result, t = result * t ** (mpmath.mpf(q.numerator) / q.denominator) if q else result, mpmath.log(t)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 3, 6])
@pytest.mark.parametrize(
    "text",
    [
        "(1+r+y)/(2+r)",
        "exp(-sqrt(r))/(1+y)",
        "log(2+log(1+y))",
        "exp(-3*r)+1/r",
        "r**(1/3)",
        "exp(-asinh(3*r))",
        "log(1+r*log(1+log(1+r)))",
        "(1+r)**(-7/2)*(3-tanh(r))",
        "(1+1/r)**20",
        "log(cosh(r/3))/(1+r)",
        "sin(1/r)*r",
        "cos(2+1/r)",
        "sin(r)/r+cos(3*r)/(1+y)",
        "sin(log(1+r))/(1+r)",
    ],
)
def test_models_enclose(text: str, order: int) -> None:
    """The truth lies within the sum of the terms, at both ends."""
    e = both(True, expression(tree(text, {})))[0]
    for start, zero in ((2**10, False), (2**10, True)):
        end = End(start, order)
        try:
            terms = (end.zero if zero else end.infinity)(e)
        except Unknown:
            assert zero and "(1+1/r)" not in text, text  # exponentials that grow at zero are not met there
            continue
        with mpmath.workdps(60):
            for t in map(mpmath.mpf, (1024, 5000, 10**9)):
                truth = meant(text, 1 / t if zero else t)
                low = high = mpmath.mpf(0)
                for m, c in terms:
                    ends = [mpmath.mpf(str(x)) * size(m, t) for x in (interval(c).lo, interval(c).hi)]
                    low, high = low + min(ends), high + max(ends)
                slack = abs(truth) * mpmath.mpf(10) ** -25
                assert low - slack <= truth <= high + slack


def test_leading_terms_that_cancel_leave_the_next() -> None:
    """1 - 1/(1+r)^2, the slope of r^2/(1+r), is below 1 by 1/r^2; sinh(r)/r is 1 + r^2/6 at zero."""
    end = End(2**10, 3)
    slope = end.infinity(derivative(expression(tree("r**2/(1+r)", {}))))
    assert slope[0] == (CONSTANT, 1) and slope[1] == (unit(0, Fraction(-2)), -1)
    ratio = end.zero(expression(tree("sinh(r)/r", {})))
    assert ratio[0] == (CONSTANT, 1) and ratio[1] == (unit(0, Fraction(-2)), Fraction(1, 6))


@pytest.mark.slow
@pytest.mark.swept(stay=11)
@pytest.mark.parametrize("path", ELEMENTARY, ids=lambda p: p.stem)
def test_every_elementary_certificate_of_the_gallery_has_an_export(path: Path) -> None:
    source = json.loads(path.read_bytes())
    text = export(source)
    claim = text[text.index("Definition claim") : text.index("Module Library.")]
    verdict = source["claim"]["verdict"]
    if verdict == "private":
        if "Rabs" in claim:
            assert source["claim"]["theorem"] == "Theorem A" and "f (s^2) <= exp upper * f (t^2)" in claim
        else:
            assert "f ((c - delta)^2) <= exp upper * f (c^2)" in claim and "f t <= f s" in claim
        for end in ("lower", "upper"):
            value = Fraction(source["claim"]["epsilon"][end])
            room = next(
                (r for r in ("bounds have", "upper bound has") if f"The {r} room" in " ".join(text.split())), ""
            )
            if room == "bounds have" or (room and end == "upper"):
                value *= 1 + Fraction(1 if end == "upper" else -1, 10**12)
            assert f"Definition {end} : R := {value.numerator} / {value.denominator}." in text
    if verdict == "not_private":
        ahead, behind = "f ((c - delta)^2) > K * f (c^2)", "f (c^2) > K * f ((c - delta)^2)"
        ratio = behind if path.stem == "zero-at-centre" else ahead
        assert f"forall K, exists c, delta < c /\\ {ratio}" in claim


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(WITHOUT_EXPORT))
def test_what_the_library_does_not_reach_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(InputError, match="no export to Coq") as refusal:
        export(json.loads((ROOT / "certificates" / f"{name}.json").read_bytes()))
    assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.slow
@pytest.mark.swept(stay=16)
@pytest.mark.parametrize("text", [*PRIVATE, *NOT_PRIVATE, *VANISHING, *INVALID, *WAVES, *PIECES])
def test_an_export_has_no_axiom_and_no_gap(text: str) -> None:
    emitted = without_comments(export(certificate(text)))
    library = emitted[emitted.index("Module Library.") : emitted.index("End Library.")]
    own = emitted.replace(library, "")
    assert not VERNACULAR.search(own)
    # the library's variables are those of its sections, which are closed
    assert not re.search(r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Context|give_up|Abort)\b", library)
    assert len(re.findall(r"^Section ", library, re.M)) == len(re.findall(r"^End ", library, re.M))
    assert emitted.rstrip().endswith("Print Assumptions certificate.")


@pytest.mark.slow
def test_where_f_rises_the_modulus_is_bounded() -> None:
    """Theorem A: both radii run free, and nothing says that f falls."""
    text = export(certificate("(1+r)*exp(-r/2)"))
    claim = text[text.index("Definition claim") : text.index("Module Library.")]
    assert "Rabs (s - t) <= delta" in claim and "f (s^2) <= exp upper * f (t^2)" in claim
    assert "f t <= f s" not in claim


def test_where_f_vanishes_a_radius_within_delta_shows_it() -> None:
    text = export(certificate("(2-y)**2*exp(-r)"))
    assert "0 < f (s^2) /\\ f (t^2) = 0" in text[text.index("Definition claim") : text.index("Module Library.")]


@pytest.mark.slow
def test_a_loss_that_is_largest_in_the_other_direction_has_two_radii() -> None:
    text = export(certificate("exp(-r/10)*(1+3*r)"))
    claim = text[text.index("Definition claim") : text.index("Module Library.")]
    assert "exists s t" in claim and "exp lower * f (t^2) <= f (s^2)" in claim


@pytest.mark.slow
@pytest.mark.parametrize("text", ["exp(-r)/r**3", "exp(-r)/(r*log(2+1/r))"])
def test_an_integral_may_diverge_at_the_centre(text: str) -> None:
    assert "infinite_integral_at_0" in export(certificate(text)).partition("Import Library.")[2]


def test_f_is_stated_in_the_papers_variable() -> None:
    text = export(certificate("(1+2*r)*exp(-2*r)"))
    assert "Definition f (y : R) : R := exp ((-2) * sqrt y) * (1 + 2 * sqrt y)." in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(1+Max(y, 2))**-2", "not at a rational radius"),
        ("exp(-Max(r, sqrt(2)))", "not at a rational radius"),
        ("exp(-y*Max(r, 1))", "only where it is private"),
        ("Max(r, 1)*exp(-r/10)", "f in pieces is covered only where it falls"),
        ("exp(-r)*(3+sin(r))", "at infinity"),
        ("1/(1+r+floor(r))**3", "steps without end"),
        ("exp(-r-Piecewise((floor(100*r), r<4), (400, True)))", "steps"),
        ("exp(-r)*erfc(r)", "erfc"),
        ("besselk(0, r)", "the Coq library does not have"),
    ],
)
def test_what_is_not_covered_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why) as refusal:
        export(certificate(text))
    assert "\n" not in str(refusal.value) and str(refusal.value).startswith("no export to Coq: ")


@pytest.mark.slow
def test_a_false_bound_is_refused_before_coq_sees_it() -> None:
    false = json.loads(json.dumps(certificate("(1+y)**-2")))
    upper = Fraction(false["claim"]["epsilon"]["upper"])
    false["claim"]["epsilon"]["upper"] = str(upper - Fraction(1, 10**6))
    with pytest.raises(InputError, match="boxes"):
        export(false)


def test_axioms_are_read_and_strangers_refused() -> None:
    known = "Axioms:\nUint63.add_spec\n  : forall x, x = x\nPrimInt63.int : Set\nClassical_Prop.classic : forall P, P\n"
    fine = report(known)
    assert fine.accepted
    assert fine.axioms == {
        "classical real numbers": ["Classical_Prop.classic"],
        "machine integers": ["PrimInt63.int", "Uint63.add_spec"],
    }
    assert not report(known + "cheat : False\n").accepted
    assert not report("").accepted
    assert report("Closed under the global context\n").accepted


@pytest.mark.slow
def test_pieces_are_stated_in_coqs_own_notation() -> None:
    text = export(certificate("Piecewise((2*exp(-Max(r, 1/2)), y<4), (exp(-r), True))"))
    wanted = "if Rlt_dec y 4 then 2 * exp (- (Rmax (sqrt y) (1 / 2))) else exp (- (sqrt y))"
    found = text[text.index("Definition f (y") : text.index("Definition delta")]
    assert re.sub(r"[()]", "", wanted) == re.sub(r"[()]", "", found.split(":= ")[1]).strip(".\n")


def test_the_last_branch_is_for_every_other_radius() -> None:
    with pytest.raises(NotCovered, match="last branch"):
        expression(tree("Piecewise((exp(-r), r<1), (exp(-r), r>=1))", {}))


@pytest.mark.parametrize("text", PIECES)
def test_what_is_resolved_is_what_it_was(text: str) -> None:
    e, delta = expression(tree(text, {})), Fraction(1)
    changes = sorted(breaks(e))
    assert changes
    ends = [Fraction(0), *changes, None]
    for lo, hi in itertools.pairwise(ends):
        assert lo is not None
        smooth, at_lo, at_hi = Between(lo, hi).resolve(e)
        assert not in_pieces(smooth)
        inside = [lo + (hi - lo) * k / 7 if hi is not None else lo + k for k in range(1, 7)]
        inside += [lo] * at_lo + [hi] * (at_hi and hi is not None)
        for x in inside:
            r = mpmath.mpf(x.numerator) / x.denominator
            assert mpmath.almosteq(numeric(smooth, r), meant(text.replace("&", "and"), r), 1e-12)
    assert delta


@pytest.mark.slow
def test_an_interval_of_waves_holds_them() -> None:
    for low in range(-40, 40):
        for width in (0, 1, 3, 9):
            box = Interval(Decimal(low) / 4, Decimal(low + width) / 4)
            for k in range(5):
                x = mpmath.mpf(low) / 4 + mpmath.mpf(width) * k / 16
                assert mpmath.mpf(str(box.sin().lo)) <= mpmath.sin(x) <= mpmath.mpf(str(box.sin().hi))
                assert mpmath.mpf(str(box.cos().lo)) <= mpmath.cos(x) <= mpmath.mpf(str(box.cos().hi))


def test_nothing_of_the_checker_is_used() -> None:
    for path in (ROOT / "dpverify" / "export").rglob("*.py"):
        assert "dpverify.kernel" not in path.read_text(), path


def test_a_certificates_json_is_read_in_one_place() -> None:
    for path in (ROOT / "dpverify" / "export" / "coq").glob("*.py"):
        assert path.stem == "claim" or not re.search(r"\[\"(claim|proof)\"\]", path.read_text()), path
    with_more = json.loads(json.dumps(certificate("exp(-r)")))
    with_more["claim"]["hypotheses"]["defined"] = "proved"
    assert export(with_more) == export(certificate("exp(-r)"))


def test_an_export_stands_alone_or_loads_the_library() -> None:
    source = certificate("exp(-r)")
    alone, loading = export(source), export(source, alone=False)
    assert library.body() in alone and library.REQUIRE not in alone
    short = alone.replace(f"Module Library.\n{library.body()}\nEnd Library.", library.REQUIRE)
    assert short == f"{loading}Print Assumptions certificate.\n"
