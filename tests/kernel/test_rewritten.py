"""Polynomials, and texts rewritten by algebra: exact values, degrees and lengths at their limits, idle steps."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from dpverify.kernel import Rejected
from dpverify.kernel.intervals import INF, Interval, interval
from dpverify.kernel.reader import Need
from dpverify.kernel.sections import algebra
from dpverify.kernel.sections.alike import gathered
from dpverify.kernel.sections.evaluation import Evaluation
from dpverify.kernel.sections.exponents import as_powers
from dpverify.kernel.sections.means import Tilted, window
from dpverify.kernel.sections.points import hold, levels, listed
from dpverify.kernel.sections.polynomials import plus, polynomial, times
from dpverify.kernel.tree import Node, num, power, same, walk
from tests.kernel.problems import tree

F = Fraction


def fractions(*values: Any) -> list[Fraction]:
    return [Fraction(value) for value in values]


def at(p: list[Fraction], x: Fraction) -> Fraction:
    return sum((c * x**k for k, c in enumerate(p)), F(0))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", lambda r: 3),
        ("0", lambda r: 0),
        ("r", lambda r: r),
        ("(1+r)**3/(2+r)**2", lambda r: (1 + r) ** 3 / (2 + r) ** 2),
        ("1/(1+r)-1/(2+r)+r", lambda r: 1 / (1 + r) - 1 / (2 + r) + r),
        ("(1/(1+r)+1/(2+r))**(-2)", lambda r: (1 / (1 + r) + 1 / (2 + r)) ** -2),
        ("(r-1)*(r-2)*r", lambda r: (r - 1) * (r - 2) * r),
        ("(r-5)**0", lambda r: 1),
        ("1-1/(1+r)*(1+r)", lambda r: 0),
        ("0*r", lambda r: 0),
        ("(r-r)+r**2", lambda r: r * r),
    ],
)
def test_a_rational_function_is_numerator_over_denominator(text: str, value: Any) -> None:
    found = polynomial(tree(text))
    assert found is not None
    for x in (F(1, 3), F(7, 2), F(11)):
        assert at(found[0], x) == value(x) * at(found[1], x) and at(found[1], x) != 0
    assert (found == ([], [F(1)])) is (value(F(3)) == 0)


@pytest.mark.parametrize(
    "text",
    [
        "pi",
        "sqrt(r)",
        "1/(r-r)",
        "(r-r)**(-1)",
        "1+1/(r-r)",
        "r/(0*r)",
        "exp(r)+r",
        "r**65",
        "(1+r)**33*(2+r)**33",
        "(1+y)**32",
    ],
)
def test_what_is_no_rational_function_or_of_too_high_a_degree(text: str) -> None:
    assert polynomial(tree(text)) is None


def test_degrees_and_lengths_up_to_their_limits() -> None:
    """64 coefficients, of 2000 bits: numerator and denominator together."""
    for text, size in (("r**32", 33), ("(1+r)**32", 33), ("(1+y)**21", 43), ("(1+r**31)*(1+r**32)", 64)):
        found = polynomial(tree(text))
        assert found is not None and max(map(len, found)) == size
    assert polynomial(tree("(1+r)**33")) is None  # of which 34 coefficients are left, but 66 are counted
    for text in ("r**32*r**31*(1+r)", "1/((1+r)**32*(2+r)**32)", "(1+r)**32*(2+r)**32"):
        assert polynomial(tree(text)) is None
    for bits, fits in ((1999, True), (2000, False)):  # and one of the denominator 1
        assert (polynomial(tree(f"r*{2 ** (bits - 1)}")) is not None) is fits
        assert (polynomial(tree(f"1+r*{2 ** (bits - 1)}")) is not None) is fits
        assert (polynomial(tree(f"1/(1+r*{2 ** (bits - 1)})")) is not None) is fits


@pytest.mark.parametrize(
    ("a", "b", "product", "total"),
    [
        ([], [], [], []),
        ([], [1, 2], [], [1, 2]),
        ([1, 2], [], [], [1, 2]),
        ([1], [2], [2], [3]),
        ([1, 1], [-1, 1], [-1, 0, 1], [0, 2]),
        ([1, 1], [1, -1], [1, 0, -1], [2]),
        ([1, 2, 3], [4], [4, 8, 12], [5, 2, 3]),
        ([4], [1, 2, 3], [4, 8, 12], [5, 2, 3]),
        ([1, 1], [-1, -1], [-1, -2, -1], []),
    ],
)
def test_products_and_sums_of_polynomials(a: list[int], b: list[int], product: list[int], total: list[int]) -> None:
    assert times(fractions(*a), fractions(*b)) == product and plus(fractions(*a), fractions(*b)) == total


def raised(*factors: tuple[list[Fraction], int]) -> list[Fraction]:
    found = [F(1)]
    for p, n in factors:
        for _ in range(n):
            found = times(found, p)
    return found


A, B, C, NONE = fractions(-1, 1), fractions(-2, 1), fractions("-1/3", 1), fractions(1, 1, 1)


@pytest.mark.parametrize(
    ("factors", "roots", "odd"),
    [
        ([(A, 1)], 1, {1}),
        ([(A, 2)], 1, set()),
        ([(A, 3)], 1, {1}),
        ([(A, 4), (B, 3)], 2, {2}),
        ([(A, 1), (B, 2), (C, 3)], 3, {1, F(1, 3)}),
        ([(A, 2), (B, 4), (C, 6)], 3, set()),
        ([(A, 5), (B, 1)], 2, {1, 2}),
        ([(NONE, 3), (A, 2)], 1, set()),
        ([(NONE, 1)], 0, set()),
        ([(fractions(0, 1), 3), (A, 1)], 1, {1}),
        ([(fractions(1, 1), 2), (B, 1)], 1, {2}),
        ([(fractions(3), 1)], 0, set()),
        ([(fractions(-3), 1), (A, 1)], 1, {1}),
        ([(fractions(0, 1), 2)], 0, set()),
    ],
)
def test_roots_by_their_multiplicity(factors: list[Any], roots: int, odd: set[Any]) -> None:
    p = raised(*factors)
    assert algebra.positive_roots(p) == roots
    part = algebra.odd_part(p)
    for x in (F(1), F(2), F(1, 3)):
        assert (at(part, x) == 0) is (x in odd)
    assert algebra.positive_roots(part) == len(odd)


def test_quotients_and_remainders() -> None:
    for a in (raised((A, 3)), raised((A, 1), (B, 2)), fractions(5), [], fractions(1, 2, 3, 4, 5)):
        for b in (A, raised((B, 2)), fractions(7), fractions(0, 0, 2)):
            over, rest = algebra.divided(a, b)
            assert plus(times(over, b), rest) == a and len(rest) < len(b)
            assert not over or over[-1] != 0
    assert algebra.common_divisor(raised((A, 2), (B, 1)), raised((A, 1), (C, 1))) in (A, [-c for c in A])
    assert [algebra.primitive(p) for p in ([], fractions("1/2", "3/4"), fractions(6, -9))] == [[], [2, 3], [2, -3]]


def test_chains_of_remainders_up_to_their_limit() -> None:
    """The square of a length times bits: of 100 coefficients, 100 bits."""
    for bits, fits in ((98, True), (99, False)):
        p = [*fractions(*[1] * 99), F(2**bits)]  # of one bit more, and the denominator's
        if fits:
            assert algebra.common_divisor(p, []) == p
        else:
            with pytest.raises(Rejected, match="chain of remainders"):
                algebra.common_divisor(p, [])
            with pytest.raises(Rejected, match="chain of remainders"):
                algebra.common_divisor([], p)


def test_degrees_of_sturm_s_chain_up_to_their_limit() -> None:
    assert algebra.positive_roots(fractions(*[1] * 40)) == 0
    for p in (fractions(*[1] * 41), []):
        with pytest.raises(Rejected, match="is 0, or its degree is too large"):
            algebra.positive_roots(p)


@pytest.mark.parametrize(
    ("text", "q"),
    [
        ("r", 1), ("3", 1), ("sqrt(r)", 2), ("r**(1/12)", 12), ("r**(1/13)", None), ("sqrt(r)+r**(1/3)", 6),
        ("r**(1/4)*(1+r**(1/6))", 12), ("r**(1/5)+r**(1/3)", None), ("(1+sqrt(r))**3", 2), ("(1+r)**(1/2)", None),
        ("pi*r", None), ("1/(1+r**(2/3))", 3), ("exp(r)", None), ("r*exp(r)", None),
    ],
)  # fmt: skip
def test_of_which_root_a_function_is_rational(text: str, q: int | None) -> None:
    assert algebra.root_of_r(tree(text)) == q


def factor(*coefficients: Any, power: Any = 1) -> dict[str, Any]:
    return {"polynomial": [str(c) for c in coefficients], "power": power}


TEXT = "exp(-r)*(1-2*r+y)"


def square(**fields: Any) -> dict[str, Any]:
    (node,) = (n for n in walk(tree(TEXT)) if n.kind == "add")
    return {"node": node.number, "constant": "1", "factors": [factor(-1, 1, power=2)], **fields}


def test_a_square_in_the_place_of_a_sum() -> None:
    assert same(algebra.factored(tree(TEXT), [square()]), tree("exp(-r)*(r-1)**2"))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([], "is not a list"),
        ({}, "is not a list"),
        (None, "is not a list"),
        ("a", "is not a list"),
        ([square()] * 41, "is not a list"),
        ([square(note=1)], "unknown field"),
        ([{"node": 1}], "has no field"),
        ([square(node=99)], "names no node"),
        ([square(), square()], "names no node"),
        ([square(node=0)], "not an integer"),
        ([square(node=10**6 + 1)], "not an integer"),
        ([square(constant="2")], "not the rational function"),
        ([square(constant="0")], "not the rational function"),
        ([square(factors={})], "factors is not a list"),
        ([square(factors="a")], "factors is not a list"),
        ([square(factors=[factor(-1, 1)] * 41)], "factors is not a list"),
        ([square(factors=[{**factor(-1, 1), "x": 1}])], "unknown field"),
        ([square(factors=[{"polynomial": ["-1", "1"]}])], "has no field"),
        ([square(factors=[factor(-1, 1, power=0)])], "list of coefficients"),
        ([square(factors=[factor(-1, 1, power=41)])], "not an integer"),
        ([square(factors=[factor(-1, 1, power=-41)])], "not an integer"),
        ([square(factors=[{"polynomial": "11", "power": 1}])], "list of coefficients"),
        ([square(factors=[factor(1)])], "list of coefficients"),
        ([square(factors=[factor(*[0] * 63, 1, 0)])], "list of coefficients"),
        ([square(factors=[factor(-1, 1, power=2), factor(1, 0)])], "a factor is constant"),
        ([square(factors=[factor(-1, 1, power=2), factor(0, 0)])], "a factor is constant"),
        ([square(factors=[factor(*[0] * 63, 1, power=40)])], "too long"),
        ([square(factors=[factor(2**1000, 1, power=40)])], "too long"),
    ],
)  # fmt: skip
def test_a_step_that_factors_nothing_is_refused(given: Any, why: str) -> None:
    with pytest.raises(Rejected, match=why):
        algebra.factored(tree(TEXT), given)


def test_what_is_no_rational_function_is_not_factored() -> None:
    with pytest.raises(Rejected, match="names no rational function"):
        algebra.as_product(tree("exp(-r)*pi"), square())
    with pytest.raises(Rejected, match="too many roots"):
        algebra.as_product(Node("mul", tree("1+r**(1/5)"), tree("2+r**(1/3)")), square())


def test_products_up_to_their_limits() -> None:
    high = [F(0)] * 63 + [F(1)]
    assert len(algebra.product(high, high + [])) == 127 and len(algebra.product(high, [F(0)] * 64 + [F(1)])) == 128
    with pytest.raises(Rejected, match="too long"):
        algebra.product(high, [F(0)] * 65 + [F(1)])
    assert algebra.product([F(2**1999)], [F(2**1999)]) == [2**3998]
    for long in ([F(2**1999)], [F(2**1999), F(1)]):
        with pytest.raises(Rejected, match="too long"):
            algebra.product(long, [F(2**2000)])


def test_only_what_is_named_is_made_anew() -> None:
    root = tree("exp(-r)*Piecewise((1+r, r<1), (2, True))+(1+r)*pi")
    sums = [node for node in walk(root) if node.kind == "add" and len(node.args) == 2 and node is not root]
    assert algebra.rebuilt(root, {}) is root
    new = algebra.rebuilt(root, {sums[0].number: Node("pi")})
    assert new is not root and new.number == root.number
    assert not any(part is sums[0] for part in walk(new))
    pieces = [part for part in walk(new) if part.kind == "piece"]
    assert pieces and all(len(branch) == 2 for part in pieces for branch in part.args)
    kept = {id(part) for part in walk(root)} & {id(part) for part in walk(new)}
    assert len(kept) >= 4
    for before, after in pairwise(walk(new)):
        assert before is not after
    whole = algebra.rebuilt(tree("2*(3+r)"), {next(n.number for n in walk(tree("2*(3+r)")) if n.kind == "add"): num(5)})
    assert whole.kind == "num" and whole.args[0] == 10 and whole.number > 0


@pytest.mark.parametrize("given", [[], {}, None, "1", [0], ["1"], [True], [10**6 + 1], [99], [1] * 41])
def test_a_list_of_no_nodes_is_refused(given: Any) -> None:
    with pytest.raises(Rejected):
        algebra.each_renewed(tree("exp(-r)*(1+r)"), given, "alike", lambda node: node)


def test_a_list_of_nodes_up_to_its_limit() -> None:
    root = tree("exp(-r)*(1+r)")
    assert algebra.each_renewed(root, [1] * 40, "alike", lambda node: node)
    renewed = algebra.each_renewed(root, [root.number], "alike", lambda node: Node("pi"))
    assert renewed.kind == "pi"


@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)", "2*exp(-r)*(1+r)", "(exp(-2*r)*(1+r))**(1/2)", "((1+r)**(-3)*exp(r-y))**(1/3)*exp(-r)",
        "(exp(-r)**2)**(1/2)", "1/(1+r)**2", "exp(-r)*(1+r/2)", "exp(-3*r)*(2+r)*(1+r)*(3+r)", "7/2",
        "exp(-r)*sqrt(1+2*r+y)", "(exp(-2*r)*(2+2*r))**(1/2)",
        "(exp(3*r)*(1-1/(2+r)))**(1/3)*exp(-2*r)", "exp(-r)/2", "1", "exp(-r**3/3+y-r)",
    ],
)  # fmt: skip
def test_what_falls_by_algebra(text: str) -> None:
    algebra.falls_by_algebra(tree(text))


@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)*(1+2*r)", "(exp(-r)*(1+2*r))**(1/2)", "((1+r)**(-3)*exp(r))**(1/3)", "((1+r)*exp(-2*r))**(-1/2)",
        "(exp(-3*r)*(1-1/(2+r)))**(1/3)*exp(2*r)", "exp(-r)*(1/(5+r)-1/(4+r))", "exp((r-1)**3)", "exp(r/2)",
        "exp(-r)*0", "exp(-r)*(-1)", "exp(-r)*(r-2)**2", "exp(-r)/(r-2)**2", "exp(-r)/(r-2)", "(r-2)*(r-3)*exp(-9*r)",
        "exp(1/(r-2))", "exp(-1/(r-2)**2-r)", "exp(r-3)", "exp((r-5)**2-9*r)", "exp(-r)*pi", "exp(-(r-20)**3)*(1+r)",
        "exp(-r**3/3+y-r+r/1000)", "exp(-r**2/2+r*99/100)", "(1-r)*(1-2*r)*exp(-r)", "exp(3*r-r**2)",
    ],
)  # fmt: skip
def test_what_may_rise_does_not_fall_by_algebra(text: str) -> None:
    with pytest.raises(Rejected):
        algebra.falls_by_algebra(tree(text))


@pytest.mark.parametrize(
    ("kind", "text", "met"),
    [
        ("positive", "(r-1)**2", True), ("nonnegative", "(r-1)**2", True), ("nonzero", "(r-1)**2", False),
        ("no pole", "(r-1)**2", False), ("branch", "(r-1)**2", False), ("positive", "(r-1)**3", False),
        ("positive", "(r-1)**2*(r-2)**4*(r-3)**2*(r-4)**2", False),  # whose few values at whole numbers are all 0
        ("positive", "(r-1)**2*(r-2)**4*(r-3)**2", True), ("positive", "-(r-1)**2", False), ("positive", "0*r", False),
        ("positive", "1/(r-1)**2", True), ("positive", "r/(r-1)", False), ("positive", "exp(r)", False),
        ("positive", "(sqrt(r)-1)**2", True), ("positive", "r-9", False), ("positive", "9-r", False),
    ],
)  # fmt: skip
def test_needs_that_algebra_meets(kind: str, text: str, met: bool) -> None:
    assert algebra.met_by_algebra(Need(kind, tree(text), ())) is met


def test_a_branch_is_no_need_for_a_sign() -> None:
    assert algebra.met_by_algebra(Need("branch", (), ())) is False
    assert same(power(tree("r"), F(2)), tree("y"))


def point(epsilon: Any, lower: str = "0", upper: str = "1") -> dict[str, Any]:
    return {"epsilon": epsilon, "delta": {"lower": lower, "upper": upper}}


def test_levels_are_those_of_the_points() -> None:
    assert levels([point("1/2"), point("0"), point("3")]) == [F(1, 2), 0, 3]


@pytest.mark.parametrize(
    "points",
    [[], {}, None, "a", 3, {"a": point("1")}, [point("-1")], [point("1"), point("-1/2")], [point("-1"), point("2")],
     [{}], [point(1)]],
)  # fmt: skip
def test_points_without_levels_are_refused(points: Any) -> None:
    with pytest.raises(Rejected):
        levels(points)


def ends(low: Any, high: Any) -> tuple[Any, Any]:
    return interval(F(low)).lo, interval(F(high)).hi


def test_deltas_lie_between_their_bounds() -> None:
    hold([point("1", "1/4", "1/2"), point("2", "0", "1")], [ends("1/4", "1/2"), ends(-1, 2)], "K1")
    hold([point("1", "0", "1/2")], [ends("-1/10", "1/2")], "K1")
    hold([point("1", "1/4", "1")], [ends("1/4", "11/10")], "K1")


@pytest.mark.parametrize(
    ("lower", "upper", "found"),
    [
        ("1/4", "1/2", ends("1/5", "1/2")),
        ("1/4", "1/2", ends("1/4", "3/5")),
        ("1/4", "1", ends("1/5", "1/2")),
        ("0", "1/2", ends("1/5", "3/5")),
        ("1/3", "1", ends("1/3", "1/2")),  # which has no last digit
        ("0", "1/3", ends("1/4", "1/3")),
        ("1/2", "1/4", ends("1/4", "1/2")),
    ],
)
def test_deltas_beyond_their_bounds_are_refused(lower: str, upper: str, found: Any) -> None:
    with pytest.raises(Rejected):
        hold([point("1", lower, upper)], [found], "K1")


def test_points_in_a_line() -> None:
    few, many = [point(str(k)) for k in range(9)], [point(str(k)) for k in range(10)]
    assert listed(few) == "; ".join(f"0 <= delta({k}) <= 1" for k in range(9))
    assert listed(many) == "0 <= delta(0) <= 1 ... 10 points ... 0 <= delta(9) <= 1"


class Moments:
    """The integrals of a law of mixing as functions of the radius and of the panels that count."""

    panels = (1, 2, 3)

    def at(self, s: Fraction, first: int, last: int) -> tuple[Interval, Interval, Interval]:
        if s == 9:
            return Interval(interval(0).lo, interval(1).hi), interval(1), interval(1)
        if s == 8:
            return Interval(interval(1).lo, INF), interval(1), interval(1)
        assert (first, last) == (1, 3)
        return interval(10 - s), interval(s * 3), interval(s * 5)


def test_means_at_single_radii() -> None:
    """f, 2 I_1/I_0 and 4 I_2/I_0, and the loss from their quotient."""
    given = {"2": [1, 3], "5": [1, 3], "8": [0, 3], "9": [0, 0], "19/2": [1, 3]}
    tilted = Tilted(Moments(), given, F(3))  # type: ignore[arg-type]
    assert tilted.left == set(given)
    f, first, second = tilted.at(F(2))
    assert tilted.left == {"5", "8", "9", "19/2"} and tilted.at(F(19, 2))[0].sign() == 1
    for found, truth in ((f, F(8)), (first, F(6 * 2, 8)), (second, F(10 * 4, 8))):
        assert abs(F(found.lo) - truth) < F(1, 10**30) > abs(F(found.hi) - truth)
    loss, truth = tilted.loss(F(2)), (interval(8) * interval(5).inverse()).log()
    assert abs(F(loss.lo) - F(truth.lo)) < F(1, 10**30) > abs(F(loss.hi) - F(truth.hi))
    assert tilted.at(F(2)) is tilted.at(F(2))
    for radius, why in ((3, "no panels are named"), (8, "positive and finite"), (9, "positive and finite")):
        with pytest.raises(Rejected, match=why):
            tilted.at(F(radius))


@pytest.mark.parametrize(
    "given", [None, [], [1], [1, 2, 3], {"0": 1, "1": 2}, "12", [-1, 2], [0, 4], [4, 4], [True, 2], [0, -1]]
)
def test_a_window_is_a_pair_of_panels(given: Any) -> None:
    assert window([0, 3], 3) == (0, 3) and window([3, 1], 3) == (3, 1)
    with pytest.raises(Rejected):
        window(given, 3)
    with pytest.raises(Rejected):
        Tilted(SimpleNamespace(panels=(1, 2, 3)), {"1": given}, F(1))  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [None, [], "a", 3])
def test_windows_are_an_object(given: Any) -> None:
    with pytest.raises(Rejected, match="not an object"):
        Tilted(Moments(), given, F(1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "exp(log(1+r))", "exp(3*log(1+r))", "exp(-log(1+r)/2)", "exp(log(1+r)-r)", "exp(log(1+r)+sqrt(2))",
        "exp(2*log(1+r)*pi+log(2+r))", "exp(2*log(1+r)*log(2+r)-log(2+r))", "exp(log(1+r)+3*log(2+r)-y)",
        "exp(log(1+r)+2*log(r-1/2))",
    ],
)  # fmt: skip
def test_exponentials_of_logarithms_as_powers(text: str) -> None:
    """The value stays the same, and a logarithm of what is positive by its form is gone."""
    node = as_powers(tree(text))
    for r in (interval(F(3, 4)), interval(7)):
        found, truth = (Evaluation(r).value(n) for n in (node, tree(text)))
        assert found.lo <= truth.hi and truth.lo <= found.hi
    assert node.kind != "exp"


@pytest.mark.parametrize(
    "text", ["exp(r)", "1+r", "exp(2*log(1+r)*r)", "exp(log(r-1))", "exp(log(1+r)*pi)", "log(1+r)"]
)
def test_what_is_no_exponential_of_a_logarithm(text: str) -> None:
    with pytest.raises(Rejected):
        as_powers(tree(text))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("r*log(2+r)+r*log(2+r)", "2*r*log(2+r)"),
        ("r-(r-floor(r))", "floor(r)"),
        ("2*pi*r+1-pi*r", "pi*r+1"),
        ("exp(r)-exp(r)", "0"),
        ("3*exp(r)+pi+exp(r)/2", "7*exp(r)/2+pi"),
    ],
)
def test_a_sum_gathered(text: str, other: str) -> None:
    assert same(gathered(tree(text)), tree(other))


@pytest.mark.parametrize("text", ["r", "1+r", "r*exp(r)+exp(r)", "exp(r)*exp(r)", "pi*r+r"])
def test_a_sum_of_different_parts_is_not_gathered(text: str) -> None:
    with pytest.raises(Rejected):
        gathered(tree(text))
