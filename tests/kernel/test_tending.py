"""What f tends to beside a zero of one of its parts, an f that is 0 throughout, and integrals on recurring radii."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from dpverify.kernel import Rejected, check_bytes
from dpverify.kernel.intervals import INF, NEG_INF, Interval, interval
from dpverify.kernel.sections.hypotheses import Proof
from dpverify.kernel.sections.limits import (
    limit_of_maximum,
    limit_of_power,
    limit_of_product,
    limit_of_sum,
    size_of,
    tends_to_zero,
)
from dpverify.kernel.sections.nothing import nought, zero_throughout
from dpverify.kernel.sections.pairs import one_pair
from dpverify.kernel.sections.recurring import diverges_on_phases
from dpverify.kernel.steps import Steps
from dpverify.kernel.tree import same, walk
from tests.kernel.problems import ENDS, in_phases, on_charts, proven, tree, written


def place(text: str, part: str) -> int:
    """Where a part of a text stands among the nodes of its tree."""
    sought = tree(part)
    return next(i for i, node in enumerate(walk(tree(text))) if same(node, sought))


def tends(text: str, part: str | int, **fields: Any) -> str:
    node = part if isinstance(part, int) else place(text, part)
    step = {"kind": "limits", "box": ["9/10", "11/10"], "positive": ["2", "3"], "node": node, **fields}
    return tends_to_zero(Proof(on_charts(text), Steps({})), step)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("exp(-r-1/Abs(r-1))", "Abs(r-1)"),
        ("exp(-r-1/Abs(r-1))", "1/Abs(r-1)"),
        ("exp(-1/(r-1)**2-r)", "(r-1)**(-2)"),
        ("exp(-Abs(r-1)**(-1/2)-r)", "Abs(r-1)"),
        ("exp(-r)*(1-exp(-(r-1)**2))", "(r-1)**2"),
        ("exp(-r)*Max(Abs(r-1), (r-1)**2)", "(r-1)**2"),
        ("exp(-r)*Max(Abs(r-1), (r-1)**2)", "Abs(r-1)"),
        ("exp(-r)/(1+1/Abs(r-1))", "Abs(r-1)"),
        ("exp(-r)*atan(Abs(r-1))", "Abs(r-1)"),
        ("exp(-r)*lambertw((r-1)**2)", "(r-1)**2"),
        ("exp(-r)*log(1+Abs(r-1))", "Abs(r-1)"),
        ("exp(-r)*sqrt(Abs(r-1))", "sqrt(Abs(r-1))"),
        ("exp(-r)*((r-1)**2)**(1/3)", "((r-1)**2)**(1/3)"),
        ("exp(-r)*(2+sin(r))*Abs(r-1)", "Abs(r-1)"),
    ],
)
def test_where_f_tends_to_zero_it_vanishes(text: str, part: str) -> None:
    assert tends(text, part) == "zero"


NO_LIMIT, NO_SIGN, NO_MODULUS = "not shown to tend to 0", "no change of sign", "power of a modulus"


@pytest.mark.parametrize(
    ("text", "part", "why"),
    [
        ("exp(-r-(r-1)**0)", "(r-1)**0", NO_MODULUS),  # which is exp(-r-1), but at 1
        ("exp(-r-Abs(r-1)**0)", "Abs(r-1)**0", NO_MODULUS),
        ("exp(-r-(Abs(r-1)**(1/2))**0)", "(Abs(r-1)**(1/2))**0", NO_MODULUS),
        ("exp(-r-Abs(r-1)**0)", "Abs(r-1)", "divides by zero"),
        ("exp(-r)/(1+Abs(r-1)**0)", "Abs(r-1)", "divides by zero"),
        ("exp(-r)*(2-exp(-Abs(r-1)))", "Abs(r-1)", NO_LIMIT),
        ("exp(-r)*(1+(r-1)**2)", "(r-1)**2", NO_LIMIT),
        ("exp(-r+1/Abs(r-1))", "Abs(r-1)", NO_LIMIT),
        ("exp(-r)*atan(1+Abs(r-1))", "Abs(r-1)", NO_LIMIT),
        ("exp(-r)*lambertw(1+Abs(r-1))", "Abs(r-1)", NO_LIMIT),
        ("exp(-r)*cos(Abs(r-1))", "Abs(r-1)", NO_LIMIT),
        ("exp(-r)*Max(Abs(r-1),1/2)", "Abs(r-1)", NO_LIMIT),
        ("exp(-r)*(2-exp(-Abs(r-1)))*Abs(r-3)", "Abs(r-1)", NO_LIMIT),
        ("exp(-r)*(2-exp(-Abs(r-1)))*Abs(r-3)**2", "Abs(r-1)", NO_LIMIT),
        ("exp(-r)*Max(1/2,Abs(r-1))", "Abs(r-1)", NO_LIMIT),
        ("exp(-r)*Abs(r-1)/Abs(r-1)", "Abs(r-1)", "0 times oo"),
        ("exp(-r)*Abs(r-1)*(r-1)**(-2)", "(r-1)**(-2)", "0 times oo"),
        ("(r-1)**(-2)*Abs(r-1)*exp(-r)", "(r-1)**(-2)", "0 times oo"),
        ("exp(-r-1/Abs(r-1)+1/(r-1)**2)", "Abs(r-1)", "oo - oo"),
        ("exp(-r+1/(1-exp(-Abs(r-1))))", "Abs(r-1)", "divides by zero"),
        ("exp(-r)*((r-1)**2+1/1000000)**2", "((r-1)**2+1/1000000)**2", NO_SIGN),
        ("exp(-r)*Abs(floor(r)-1/2)", "Abs(floor(r)-1/2)", NO_SIGN),
        ("exp(-r)*Abs(Piecewise((-1, r<1), (1, True)))", "Abs(Piecewise((-1, r<1), (1, True)))", NO_SIGN),
        ("exp(-r)*Abs(r-2)", "Abs(r-2)", NO_SIGN),
        ("exp(-r)*Abs(r-1)", "r", NO_MODULUS),
        ("exp(-r)*(r-1)**3", "(r-1)**3", NO_MODULUS),
        ("exp(-r)*sqrt(r-1/2)", "sqrt(r-1/2)", NO_MODULUS),
        ("exp(-r)*Max(r-1,2)", "Max(r-1,2)", NO_MODULUS),
        ("exp(-r)*Max(r-1,1-r,2)", "Max(r-1,1-r,2)", NO_MODULUS),
        ("Abs(r-1)*(3/2-r)*exp(-r)", "Abs(r-1)", "not positive"),
        ("exp(-r)*Abs(r-1)", -1, "not an integer"),
        ("exp(-r)*Abs(r-1)", 100, "not an integer"),
        ("exp(-r)*Abs(r-1)", len(walk(tree("exp(-r)*Abs(r-1)"))), "not an integer"),
        ("exp(-r)*Abs(r-1)", True, "not an integer"),
    ],
)
def test_where_f_need_not_tend_to_zero_it_is_not_said_to(text: str, part: Any, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        tends(text, part)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"box": ["1", "2"]}, NO_SIGN),
        ({"box": ["1/2", "1"]}, NO_SIGN),
        ({"box": ["3/2", "2"]}, NO_SIGN),
        ({"box": ["11/10", "9/10"]}, "not an open box"),
        ({"positive": ["3", "2"]}, "not an open box"),
        ({"positive": None}, "not a pair"),
        ({"factor": 0}, "unknown field"),
    ],
)
def test_a_step_that_names_no_zero_is_refused(fields: dict[str, Any], why: str) -> None:
    assert tends("exp(-r)*Abs(r-1)", "Abs(r-1)") == "zero"
    with pytest.raises(Rejected, match=why):
        tends("exp(-r)*Abs(r-1)", "Abs(r-1)", **fields)


def test_the_first_node_and_the_last_can_be_named() -> None:
    assert tends("Abs(r-1)", "Abs(r-1)") == "zero"
    text = "(r-1)**2"
    assert tends(text, place(text, text)) == "zero"
    with pytest.raises(Rejected, match=NO_MODULUS):
        tends(text, 0)


@pytest.mark.parametrize("text", ["exp(-r-(r-1)**0)", "exp(-r-Abs(r-1)**0)"])
def test_a_power_with_the_exponent_zero_does_not_make_laplace_noise_less_private(text: str) -> None:
    """f is exp(-r)/e but at one radius; the certificate holds but for what its sign says."""
    node = place(text, text[text.index("r-") + 2 : -1])
    sign = {"kind": "limits", "box": ["1/2", "2"], "positive": ["3", "4"], "node": node}
    steps = {"integrable": {"tail": "logs", "boxes": "logs"}, "defined": [{"at": "5/7"}]}
    cover = [str(Fraction(2) ** k) for k in range(-10, 5)]
    proof = {**ENDS, **steps, "cover": cover, "sign": sign}
    with pytest.raises(Rejected, match=NO_MODULUS):
        proven(written(text, "not_private", {"positive": "refuted", "integrable": "proved"}, proof))
    truth = "exp(-r)*Abs(r-1)"
    sign["node"] = place(truth, "Abs(r-1)")
    del proof["defined"]
    proof["integrable"] = {"tail": "logs", "boxes": "values"}
    assert check_bytes(proven(written(truth, "not_private", {"positive": "refuted", "integrable": "proved"}, proof)))


@pytest.mark.parametrize(
    ("text", "g", "p"),
    [
        ("Abs(r-1)", "r-1", 1),
        ("(r-1)**2", "r-1", 2),
        ("(r-1)**(-4)", "r-1", -4),
        ("Abs(r-1)**3", "r-1", 3),
        ("Abs(r-1)**(-1/3)", "r-1", Fraction(-1, 3)),
        ("((r-1)**2)**(1/4)", "r-1", Fraction(1, 2)),
        ("(((r-1)**2)**(1/4))**3", "r-1", Fraction(3, 2)),
    ],
)
def test_the_power_of_a_modulus_and_its_exponent(text: str, g: str, p: Any) -> None:
    found = size_of(tree(text))
    assert found is not None and same(found[0], tree(g)) and found[1] == p


@pytest.mark.parametrize(
    "text",
    [
        "r-1",
        "(r-1)**3",
        "(r-1)**(-1)",
        "(r-1)**(2/3)",
        "(r-1)**0",
        "Abs(r-1)**0",
        "(((r-1)**2)**(1/4))**0",
        "Max(r-1,0)",
    ],
)
def test_what_is_no_power_of_a_modulus(text: str) -> None:
    assert size_of(tree(text)) is None


def between(low: Any, high: Any) -> Interval:
    ends = (NEG_INF if x == "-oo" else INF if x == "oo" else interval(Fraction(x)).lo for x in (low, high))
    return Interval(*ends)


OF = {
    "+": lambda parts, p: limit_of_sum(parts, tree("r+1")),
    "*": lambda parts, p: limit_of_product(parts, tree("2*r")),
    "^": lambda parts, p: limit_of_power(parts, SimpleNamespace(args=(None, Fraction(p)))),  # type: ignore[arg-type]
    "max": lambda parts, p: limit_of_maximum(parts, tree("Max(r,1)")),
}


@pytest.mark.parametrize(
    ("of", "parts", "p", "limit"),
    [
        ("+", [(1, 2), (3, 4)], None, (4, 6)),
        ("+", [(1, 2), ("oo", "oo"), (3, "oo")], None, ("oo", "oo")),
        ("+", [("-oo", 2), ("-oo", "-oo")], None, ("-oo", "-oo")),
        ("+", [(0, "oo"), (1, 1)], None, (1, "oo")),
        ("*", [(1, 2), (3, 4)], None, (3, 8)),
        ("*", [(-2, -1), ("oo", "oo")], None, ("-oo", "-oo")),
        ("*", [(1, 2), (3, "oo")], None, (3, "oo")),
        ("*", [(0, 1), (3, 4), (-1, 1)], None, (-4, 4)),
        ("*", [(0, 0), (3, 4)], None, (0, 0)),
        ("*", [("oo", "oo"), ("oo", "oo")], None, ("oo", "oo")),
        ("^", [(4, 9)], "1/2", (2, 3)),
        ("^", [(0, 0)], "1/2", (0, 0)),
        ("^", [(0, 2)], 2, (0, 4)),
        ("^", [(2, 4)], -1, ("1/4", "1/2")),
        ("^", [(-4, -2)], -1, ("-1/2", "-1/4")),
        ("^", [("oo", "oo")], -1, (0, 0)),
        ("^", [("oo", "oo")], 1, ("oo", "oo")),
        ("max", [(0, 3), (1, 2)], None, (1, 3)),
        ("max", [(1, 2), (0, 3)], None, (1, 3)),
        ("max", [(0, 1), ("oo", "oo")], None, ("oo", "oo")),
    ],
)
def test_limits_of_parts(of: str, parts: list[Any], p: Any, limit: tuple[Any, Any]) -> None:
    found, truth = OF[of]([between(*part) for part in parts], p), between(*limit)
    assert (found.lo, found.hi) == (truth.lo, truth.hi)


@pytest.mark.parametrize(
    ("of", "parts", "p"),
    [
        ("+", [("oo", "oo"), ("-oo", "-oo")], None),
        ("+", [(0, "oo"), ("-oo", 1)], None),
        ("+", [("-oo", "oo"), (1, 1)], None),
        ("*", [(0, 0), ("oo", "oo")], None),
        ("*", [("oo", "oo"), (0, 0)], None),
        ("*", [(-1, 1), (2, "oo")], None),
        ("*", [(0, 1), ("-oo", 2)], None),
        ("*", [(-1, 0), ("-oo", 2)], None),
        ("*", [(2, "oo"), (0, 1)], None),
        ("*", [(1, 2), (0, 1), ("oo", "oo")], None),
        ("^", [(0, 0)], -1),
        ("^", [(0, 1)], -2),
        ("^", [(-1, 0)], -2),
        ("^", [(-1, 1)], -2),
        ("^", [(-1, 1)], 0),
        ("^", [(0, 1)], "-1/2"),
    ],
)
def test_limits_that_parts_do_not_tell(of: str, parts: list[Any], p: Any) -> None:
    with pytest.raises(Rejected):
        OF[of]([between(*part) for part in parts], p)


NOTHING = {"kind": "nothing"}


def throughout(text: str, step: dict[str, Any]) -> str:
    return zero_throughout(Proof(on_charts(text), Steps({"cover": ["1/64", "2", "4", "16"]})), step)


@pytest.mark.parametrize("text", ["0*exp(-r)", "0", "Piecewise((0, r<1), (0*r, True))"])
def test_what_is_zero_throughout(text: str) -> None:
    assert throughout(text, NOTHING) == "none"


@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)",
        "Piecewise((0, r<2), (exp(-r), True))",
        "Piecewise((exp(-r), r<1/64), (0, True))",
        "Piecewise((0, r<2), (exp(-r), r<4), (0, True))",
        "Piecewise((0, r<16), (exp(-r), True))",
        "Piecewise((0, r<16), (-exp(-r), True))",
        "Piecewise((exp(-r), r<1/100), (0, True))",
        "Piecewise((0, r<1/1000), (exp(-r), r<1/64), (0, True))",
        "Piecewise((0, r<20), (1, r<30), (0, True))",
    ],
)
def test_what_is_not_zero_throughout(text: str) -> None:
    with pytest.raises(Rejected):
        throughout(text, NOTHING)


def test_a_step_says_no_more_than_that_f_is_zero() -> None:
    with pytest.raises(Rejected, match="says more"):
        throughout("0", {**NOTHING, "box": ["1", "2"]})


@pytest.mark.parametrize("text", ["r-r", "y-r*r", "(1+r)**2-1-2*r-y", "sqrt(r)*sqrt(r)-r"])
def test_a_sum_that_is_zero_by_algebra(text: str) -> None:
    assert same(nought(tree(text)), tree("0"))


@pytest.mark.parametrize(
    "text", ["r-1", "r", "0*r", "r+1-r", "(1+r)**2-1-2*r", "pi-pi", "exp(r)-exp(r)", "1+r-sqrt(y+2*r+1)"]
)
def test_a_sum_that_is_not_zero_by_algebra(text: str) -> None:
    with pytest.raises(Rejected):
        nought(tree(text))


SLOWLY = "(2+cos(r))/(1+r)"


@pytest.mark.parametrize(
    ("text", "pair"), [(SLOWLY, ["1", "3/2"]), ("(1+cos(r))/r", ["0", "1"]), ("1+cos(r)", ["0", "1"])]
)
def test_an_integral_that_diverges_on_a_cell_of_phases(text: str, pair: list[str]) -> None:
    diverges_on_phases(in_phases(text, False), pair)


@pytest.mark.parametrize(
    ("text", "pair", "why"),
    [
        (SLOWLY, ["1"], "no cell of phases"),
        (SLOWLY, [], "no cell of phases"),
        (SLOWLY, ["1", "1"], "no cell of phases"),
        (SLOWLY, ["2", "1"], "no cell of phases"),
        (SLOWLY, ["1", "2", "3"], "no cell of phases"),
        (SLOWLY, "12", "not a list"),
        ("(2+cos(r))/(1+r)**2", ["1", "2"], "not shown to have an infinite integral"),
        ("(2+cos(r))*exp(-r)", ["1", "2"], "not shown to have an infinite integral"),
        ("(1+cos(r))/r", ["3", "4"], ""),  # where it may be 0
        ("(cos(r)-2)/(1+r)", ["1", "2"], "not positive"),
    ],
)
def test_an_integral_that_may_converge_on_a_cell(text: str, pair: Any, why: str) -> None:
    with pytest.raises(Rejected, match=why or None):
        diverges_on_phases(in_phases(text, False), pair)


def test_without_phases_there_is_no_cell_of_them() -> None:
    with pytest.raises(Rejected, match="no phases"):
        diverges_on_phases(Proof(on_charts("1/(1+r)"), Steps({})), ["1", "2"])


def pair(
    shift: str = "1/2", lower: Any = ("1/10", "0"), theorem: str = "Theorem E", of: str = "1/2", found: Any = "1/10"
) -> None:
    """What K344 says of a pair at a shift, where the divergence at `of` and eps = 1 is enclosed from `found` on."""
    known = {("H", Fraction(1), Fraction(of)): Interval(interval(Fraction(found)).lo, interval(1).hi)}
    problem = SimpleNamespace(known=known, delta=Fraction(1))
    points = [{"epsilon": epsilon, "delta": {"lower": "0", "upper": "1"}} for epsilon in ("1", "2")]
    claim = {"pair": {"shift": shift, "lower": [*lower]}, "theorem": theorem, "points": points}
    one_pair(SimpleNamespace(problem=problem), claim)  # type: ignore[arg-type]


def test_one_pair_has_the_divergence_that_is_shown() -> None:
    pair()
    pair(lower=("0", "0"), of="1/3")
    pair(lower=("-1", "-1"), of="1/3")
    pair(lower=("1/11", "0"))
    pair(shift="1", of="1")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"theorem": "Theorem B"}, "Theorem B has one pair"),
        ({"shift": "0"}, "not within the sensitivity"),
        ({"shift": "-1/2"}, "not within the sensitivity"),
        ({"shift": "3/2", "of": "3/2"}, "not within the sensitivity"),
        ({"lower": ("1/10",)}, "does not match the points"),
        ({"lower": ("1/10", "0", "0")}, "does not match the points"),
        ({"lower": ("1/9", "0")}, "not shown to be as large"),
        ({"lower": ("1/10", "1/100")}, "not shown to be as large"),
        ({"of": "1/3"}, "not shown to be as large"),
        ({"found": "1/11"}, "not shown to be as large"),
        ({"found": "1/11", "lower": ("1", "0")}, "not shown to be as large"),
    ],
)
def test_one_pair_has_no_larger_divergence(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(Rejected, match=why):
        pair(**fields)
