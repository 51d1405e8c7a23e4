"""Texts without a value, claimed to have one, wherever an operation can hide, and their true counterparts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpverify import kernel
from dpverify.certificate.seal import by_section
from dpverify.kernel import RULES, Rejected
from dpverify.kernel.reader import Reader
from dpverify.kernel.sections.analytic import zeros_isolated
from dpverify.kernel.sections.charts import LEMMAS, Problem
from dpverify.kernel.sections.epsilon import HYPOTHESES
from dpverify.kernel.sections.shapes import factors_of
from dpverify.kernel.sections.undefined import cancels
from tests.kernel.test_forgeries import (
    CENTRE,
    PROVED,
    chain,
    claim_of,
    data,
    forged,
    needs_of,
    refused,
    resealed,
    sealed,
)

RADII = ["1/3", "5/7", "1", "3/2", "2", "9/4", "3"]
COARSE = ["1/1024", "1/3", "4", "16"]
FINE = chain(("1/1024", "1/64", 3), ("1/64", "4", 255), ("4", "16", 48))

NOWHERE = ["log(-1)", "1/(r-r)", "besselk(1,-r)", "besselk(1/2,-r)", "gamma(-2)", "(r-r)**0", "(-1)**(1/2)",
           "sqrt(-1-r)", "(-r)**(1/3)", "(-r)**r", "1/(exp(log(r))-r)", "1/(sin(r)**2+cos(r)**2-1)",
           "1/(1-cosh(r)**2+sinh(r)**2)", "log(sin(r)**2+cos(r)**2-1)", "1/floor(r/(1+r))", "Piecewise((1, r < 0))",
           "log(Min(r,0))", "1/((exp(log(r))-2)**(-2)*(r-2)**2-1)", "1/((exp(log(r))-3/2)**(-4)*(r-3/2)**4-1)",
           "log1p(-1-r)", "acosh(-r)", "loggamma(-r)", "lambertw(-1-r)", "gammainc(2,-r)", "gammaincc(1/3,-1-r)",
           "besseli(1/3,-r)", "gamma(0*r-2)", "1/gammainc(2,0*r)", "log(lambertw(0*r))", "1/atan(r-r)",
           "1/(1/(1/(r-r)))", "log(log(1/(1+r)))", "Max(0,-r)**(-1/2)", "Max(0,-r)**0"]  # fmt: skip
"""Operations that have no value at any radius, or at none but single ones."""
SOMEWHERE = ["sqrt(1-r)", "log(r-1)", "1/Max(0,1-r)", "1/(1/Max(0,1-r))", "floor(r)**(-1)", "floor(r)**0",
             "Max(0,1-r)**(-1/3)", "Piecewise((1, r < 1), (1, r > 2))", "(r-1)**r", "besselk(0,r-1)",
             "1/Piecewise((0, r < 1), (1, True))", "1/Max(0,(r-1)*(r-2))", "1/(floor(r)-floor(r+1/2))",
             "log1p(r-2)", "acosh(r)", "loggamma(r-1)", "lambertw(-r)", "gammaincc(2,r-1)", "besseli(1/2,r-1)",
             "1/gammainc(2,Max(0,r-1))", "1/(atan(1/(r-1))+atan(r-1)-pi/2)", "1/sign(Max(0,r-1))", "1/frac(floor(r))",
             "log(floor(1/r))", "1/(Abs(r-1)-(r-1))", "1/(Abs(r-1)-(1-r))", "(Abs(r-1)+1-r)**(-1/2)",
             "(r-2)**(r/r)", "(r-2)**((1+r)/(1+r))", "(r-2)**(2*y/r**2)", "(r-2)**(2*pi/pi)"]  # fmt: skip
"""Operations without a value on a set of radii of positive measure."""
PLACES = ["(1+exp({u}))/(1+exp({u}))", "(pi+exp({u}))**(1/2)*(pi+exp({u}))**(-1/2)", "1+0*({u})", "exp(0*({u}))",
          "Max(1,1-exp({u}))", "Min(1,1+exp({u}))", "Piecewise((1, ({u}) < 0), (1, True))",
          "Piecewise((1+0*({u}), r > 0), (1, True))", "Piecewise((1, r < 0), (1+0*({u}), True))",
          "Piecewise((1, r < 1/1000), (1+0*({u}), not (r < 1/1000)), (2, True))", "1+(({u})**(-1))*0"]  # fmt: skip
"""Each is 1 at the radii at which the operation has a value, whichever it is."""


def steps(defined: list[Any], cover: list[str]) -> dict[str, Any]:
    return {
        "zero": {"radius": "1/1024", "order": 6},
        "infinity": {"radius": "16", "order": 6},
        "cover": cover,
        "defined": defined,
    }


def guesses(text: str) -> list[list[dict[str, str | None]]]:
    """Every need on all charts, or at one radius; and each at a radius where its own rule is content."""
    needs = needs_of(text)
    p = Problem(Reader(text, {}).tree(), 1, Fraction(1), (Fraction(1, 1024), 6), (Fraction(16), 6))

    def at(need: Any) -> str | None:
        for radius in RADII:
            try:
                zeros_isolated(p, Fraction(radius), need)
                return radius
            except Rejected:
                continue
        return None

    best = [at(need) for need in needs]
    same = [[at] * len(needs) for at in (None, *RADII)]
    return [[{"at": at} for at in guess] for guess in (best, *same)]


def lies(text: str) -> list[dict[str, Any]]:
    """The text as that of a private mechanism with epsilon = 1, and of one that is not private, in all ways at once."""
    private = claim_of(
        f"exp(-r)*({text})", "private", PROVED, epsilon={"lower": "1", "upper": "1001/1000"}, theorem="Theorem 3"
    )
    unbounded = {**PROVED, "tail_ratio_bounded": "refuted"}
    other = claim_of(f"exp(-y)*({text})", "not_private", unbounded)
    shared = {"decreasing": "form", "integrable": {"tail": "logs", "boxes": "logs"}}
    bound = {
        "supremum": {"cover": COARSE, "near_zero": "models"},
        "witness": {"near": "infinity", "box": None, "shift": None},
    }
    every = by_section(set(RULES))
    found = [
        sealed(private, {**steps(guess, COARSE), **shared, **bound}, every) for guess in guesses(private["generator"])
    ]
    best = guesses(other["generator"])[:2]
    found += [sealed(private, {**steps(guess, FINE), **shared, **bound}, every) for guess in best]
    return [*found, *(sealed(other, {**steps(guess, COARSE), **shared}, every) for guess in best)]


@pytest.mark.slow
def test_the_claims_hold_of_a_text_that_has_a_value() -> None:
    """What follows is refused for want of a value, and for nothing else."""
    for whole in lies("1"):
        del whole["proof"]["defined"]
        kernel.check_bytes(data(sealed(whole["claim"], whole["proof"])))
    for place in PLACES:
        text = place.format(u="r")
        if "Piecewise" in place or "M" in place or "(-1)" in place:
            continue  # these fall in other ways
        for whole in lies(text)[:1]:
            if not needs_of(whole["claim"]["generator"]):
                del whole["proof"]["defined"]
            kernel.check_bytes(data(sealed(whole["claim"], whole["proof"])))


MEANT = "K4|K6|K7|K8|K9|K10|K11|K12|K13|K14|K15|K60|K61|K62|K63|K80|K83|K85|K86"
"""Where needs are met, and the arithmetic on the way there: nothing that comes after."""


@pytest.mark.slow
@pytest.mark.swept(stay=40)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("u", [*NOWHERE, *SOMEWHERE])
def test_an_operation_without_a_value_is_refused(u: str, place: str) -> None:
    for whole in lies(place.format(u=u)):
        refused(data(whole), MEANT)


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize(
    "text",
    [
        "(pi+exp(gamma(-2)))**(1/2)*(pi+exp(gamma(-2)))**(-1/2)",
        "1+1/(1/Max(0,1-r))",
        "2+cos(1/(1/Max(0,1-r)))",
        "1+((1/floor(r))**(-1))*0",
        "3+cos(1/Max(0,(r-1)*(r-2)))",
        "3+Piecewise((0,r<1),(cos(1/Max(0,sin(r)**2+cos(r)**2-1)),r<2),(0,True))",
        "3+Piecewise((0,r<1),(cos(1/(sin(r)**2+cos(r)**2-1)),r<2),(0,True))",
        "3+Piecewise((0,r<1),(0*(r-r)**0,r<2),(0,True))",
        "1+Piecewise((1, r < 1), (1, r > 2))",
        "1+Max(0,log(1-r))",
    ],
)
def test_a_text_without_a_value_somewhere_is_refused(text: str) -> None:
    for whole in lies(text):
        refused(data(whole), MEANT)


@pytest.mark.slow
@pytest.mark.parametrize("u", ["log(-1)", "1/(1-1)", "gamma(-2)", "sqrt(-1)", "besselk(1,-1)", "0**0", "(-2)**pi",
                               "1/(sin(1)**2+cos(1)**2-1)", "1/(exp(log(2))-2)", "log(exp(1)-e)"])  # fmt: skip
@pytest.mark.parametrize("place", PLACES)
def test_a_closed_form_without_a_value_is_refused(u: str, place: str) -> None:
    form = f"delta*({place.replace('r > 0', '1 > 0').replace('r <', '2 <').format(u=u)})"
    claim = claim_of(
        "exp(-r)",
        "private",
        PROVED,
        epsilon={"lower": "1", "upper": "100000000001/100000000000"},
        theorem="Theorem 3",
        closed_form=form,
    )
    proof = {
        **steps([], COARSE),
        "decreasing": "form",
        "integrable": {"tail": "logs", "boxes": "logs"},
        "supremum": {"cover": COARSE, "near_zero": "slopes"},
        "witness": {"near": "infinity", "box": None, "shift": None},
    }
    del proof["defined"]
    assert kernel.check_bytes(data(sealed({**claim, "closed_form": "delta"}, proof)))
    refused(data(sealed(claim, proof)), "K4|K6|K33|K63|K80|K83")


def test_what_only_a_dropped_part_of_a_closed_form_rests_on_is_assumed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The form is delta, once its logarithm has a value; that 1 < erfc(-1) would rest on a lemma on erfc."""
    monkeypatch.setitem(LEMMAS, "erfc", "erfc: what a section takes on trust")
    whole = lies("1")[0]
    del whole["proof"]["defined"]
    power = "(pi+exp(log(erfc(-1)-1)))**"
    whole["claim"]["closed_form"] = f"delta*{power}(1/2)*{power}(-1/2)"
    whole["claim"]["epsilon"]["upper"] = "100000000001/100000000000"
    whole["proof"]["supremum"]["near_zero"] = "slopes"
    good = sealed(whole["claim"], whole["proof"])
    assert [a.split(":")[0] for a in kernel.check_bytes(data(good)).assumptions] == ["erfc"]
    refused(data(resealed(good, lambda c: c.update(assumptions=[]))), "claim", "list of assumptions")


DEFINED: list[tuple[str, list[str | None], list[str]]] = [
    ("2+exp(-1/(r-1)**2)", ["3"], COARSE),  # at one radius only there is none
    ("2+exp(-1/(r-1)**2)", ["5/7"], COARSE),
    ("2+1/(1+1/(r-1)**2)", ["3", "3"], COARSE),
    ("2+exp(-1/(r-1)**2)*(r-2)**0", ["3", "1"], COARSE),
    ("2+0*(r-3)**0", ["1"], COARSE),
    ("2+(r**3-r)**0", ["2"], COARSE),
    ("2+(r**3-r)**0", [None], chain(("1/1024", "1/2", 2), ("1/2", "1", 8), ("1", "2", 8), ("2", "16", 2))),
    ("Piecewise((1, True), (log(-1), True))", [None], COARSE),  # in a branch that is never selected
    ("Piecewise((1, r > 0), (log(-1), True))", [None], COARSE),
    ("Piecewise((1, r < 0 or r > 0), (1/(r-r), True))", [None], COARSE),
    ("Piecewise((gamma(-1), r < 0), (1, True))", [None], COARSE),
    ("Piecewise((1+(1-r)**(1/2), r < 1), (1, True))", [None], FINE),  # after a guard
    ("Piecewise((1, r < 1), (1+(r-1)**(1/2), True))", [None], FINE),
    ("Piecewise((1, r < 2), (1+1/floor(r), True))", [None], FINE),
    ("Piecewise((1, r < 1), (2, r < 3), (3, r > 2))", [None], FINE),
    ("1+Max(0,r-1)**(1/2)", [], COARSE),
    ("1+1/(1+Max(0,1-r))", [None], COARSE),
    ("1+log(2+cos(r))", [None], COARSE),
    ("(1+exp(sqrt(r)))/(1+exp(sqrt(r)))", [], COARSE),
    ("1+0*gamma(-3/2)", [], COARSE),
]


@pytest.mark.sampled(stay=6)
@pytest.mark.parametrize(("text", "at", "cover"), DEFINED)
def test_a_text_with_a_value_almost_everywhere_is_accepted(text: str, at: list[str | None], cover: list[str]) -> None:
    whole = f"({text})/(1+r)"
    assert len(needs_of(whole)) == len(at)
    more: dict[str, Any] = {"defined": [{"at": x} for x in at]} if at else {}
    more |= {"cover": cover} if None in at else {}
    bytes_of = forged(whole, "invalid", {"integrable": "refuted"}, **more)
    assert kernel.check_bytes(bytes_of).claim["hypotheses"]["defined"] == "proved"
    for wrong in ([], more.get("defined", []) + [{"at": "2"}]):  # one step for each need
        if wrong != more.get("defined", []):
            refused(forged(whole, "invalid", {"integrable": "refuted"}, **{**more, "defined": wrong}), "steps")


@pytest.mark.parametrize("at", ["0", "-1", "1/0", "", 1, True, ["1"], {}])
def test_a_radius_of_a_need_is_a_positive_rational(at: Any) -> None:
    refused(forged("(2+(r-2)**0)/(1+r)", "invalid", {"integrable": "refuted"}, defined=[{"at": at}]), "format|steps")


def undefined(text: str, box: Any, need: Any = 0, **more: Any) -> bytes:
    claim = claim_of(text, "invalid", {"defined": "refuted"}, **more)
    return data(sealed(claim, {"undefined": {"need": need, "box": box}}))


UNDEFINED = [
    ("exp(-r)+log(-1)", ["1", "2"]), ("exp(-r)/(r-r)", ["1", "2"]), ("exp(-r)*sqrt(1-r)", ["1", "2"]),
    ("exp(-r)*sqrt(1-r)", ["2", "3"]), ("besselk(1,-r)", ["1/9", "9"]), ("exp(-r)*gamma(-2)", ["1", "2"]),
    ("exp(-r)*(r-r)**0", ["1", "2"]), ("1/(r**2-r*r)", ["1", "2"]), ("(r/(1+r)+1/(1+r)-1)**(-2)", ["1", "2"]),
    ("exp(-r)+Piecewise((1, r < 1))", ["1", "2"]), ("1/Max(0,1-r)", ["1", "2"]), ("1/floor(r)", ["1/3", "1"]),
    ("Piecewise((1, r < 1), (log(-1), True))", ["1", "2"]), ("exp(-r)*log(r-1)*0", ["1/2", "1"]),
    ("(1+exp(log(-1)))/(1+exp(log(-1)))*exp(-r)", ["1", "2"]), ("Max(1,log(-r))", ["1", "2"]),
    ("Piecewise((1, log(1-r) < 0), (2, True))", ["1", "2"]), ("(1-r)**(-1/2)", ["1", "2"]),
    ("exp(-r)+1/Max(0,r-r)", ["1", "2"]), ("exp(-r)/Max(log(1+r)-log(1+r),r-r)", ["1", "2"]),
    ("exp(-r)/(r*Max(exp(-r)-exp(-r),0))", ["1", "2"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "box"), UNDEFINED)
def test_a_text_without_a_value_on_a_box_is_invalid(text: str, box: list[str]) -> None:
    checked = kernel.check_bytes(undefined(text, box))
    assert checked.claim["verdict"] == "invalid" and "K9" in checked.rules


@pytest.mark.sampled(stay=8)
@pytest.mark.parametrize(
    ("text", "box", "code"),
    [
        ("exp(-r)+1/Max(0,r-r,1-r)", ["1/3", "2"], "K9"),
        ("exp(-r)+1/Max(log(1+r)-log(1+r),r-1)", ["1/2", "3/2"], "K9"),
        ("exp(-r)*sqrt(1-r)", ["1/3", "1/2"], "K9"),
        ("exp(-r)*sqrt(1-r)", ["1/2", "2"], "K9"),
        ("exp(-r)/(r-1)", ["1/2", "3/2"], "K9"),
        ("exp(-r)/(r-1)", ["1", "3/2"], "K9"),
        ("exp(-r)*log(r-1)", ["1", "2"], "K9"),
        ("exp(-r)*log(r-1)", ["1/2", "2"], "K9"),
        ("exp(-r)*Max(0,1-r)**(1/2)", ["2", "3"], "steps"),
        ("exp(-r)*(r-1)**(1/2)", ["1", "2"], "K9"),
        ("exp(-r)/floor(r)", ["1/2", "3/2"], "K9"),
        ("exp(-r)/floor(r)", ["1", "2"], "K9"),
        ("exp(-r)*gamma(2)", ["1", "2"], "steps"),
        ("exp(-r)*gamma(-1/2)", ["1", "2"], "steps"),
        ("exp(-r)*gamma(1+r)", ["1", "2"], "steps"),
        ("exp(-r)*gamma(pi)", ["1", "2"], "steps"),
        ("exp(-r)*gamma(1+sqrt(2))", ["1", "2"], "steps"),
        ("exp(-r)*gamma(-1/2-r/9)", ["1", "2"], "K9"),
        ("exp(-r)*gamma(-r)", ["1", "2"], "K9"),
        ("exp(-r)*besseli(2,-r)", ["1", "2"], "steps"),
        ("exp(-r)*besseli(-2,-r)", ["1", "2"], "steps"),
        ("exp(-r)*lambertw(-r)", ["1/5", "1/3"], "K9"),
        ("exp(-r)*log1p(-r)", ["1/2", "1"], "K9"),
        ("exp(-r)*acosh(r)", ["1", "2"], "K9"),
        ("exp(-r)*gammainc(2,r-1)", ["1", "2"], "K9"),
        ("exp(-r)", ["1", "2"], "steps"),
        ("exp(-r)*log(r)", ["1", "2"], "steps"),
        ("Piecewise((log(-1), r < 1), (exp(-r), True))", ["1", "2"], "K9"),
        ("Piecewise((log(-1), r < 1), (exp(-r), True))", ["1/2", "2"], "K9"),
        ("Piecewise((1, r < 1), (log(-1), True))", ["1/2", "2"], "K9"),
        ("Piecewise((1, r < 1))", ["1/2", "1"], "K9"),
        ("Piecewise((1, r < 1))", ["1/2", "2"], "K9"),
        ("Piecewise((1, r < 1), (1, r > 2))", ["2", "3"], "K9"),
        ("1/(sin(r)**2+cos(r)**2-1)", ["1", "2"], "K9"),
        ("besselk(1,r-1)", ["1", "2"], "K9"),
        ("(r-1)**0", ["1/2", "2"], "K9"),
    ],
)
def test_a_text_that_may_have_a_value_is_not_called_undefined(text: str, box: list[str], code: str) -> None:
    refused(undefined(text, box), code)


def test_an_undefined_claim_says_nothing_else() -> None:
    good = ("exp(-r)+log(-1)", ["1", "2"])
    assert kernel.check_bytes(undefined(*good))
    for need in (-1, 1, 99, True, "0", None, 0.5, 10**30):
        with pytest.raises(Rejected):
            kernel.check_bytes(undefined(*good, need=need))
    for box in (["1"], ["2", "1"], ["0", "1"], ["-1", "1"], ["1", "1"], "1", None, ["1", "2", "3"], [1, 2]):
        refused(undefined(good[0], box), "format|steps")
    ends = {"lower": "0", "upper": "1"}
    for more in ({"verdict": "private"}, {"verdict": "not_private"}, {"epsilon": ends}, {"theorem": "Theorem 3"},
                 {"closed_form": "1"}, {"tail_log_ratio": ends}, {"verdict": None}):  # fmt: skip
        claim = {**claim_of(good[0], "invalid", {"defined": "refuted"}), **more}
        refused(data(sealed(claim, {"undefined": {"need": 0, "box": good[1]}})), "claim")
    for name in HYPOTHESES[1:]:
        for status in ("proved", "refuted"):
            claim = claim_of(good[0], "invalid", {"defined": "refuted", name: status})
            refused(data(sealed(claim, {"undefined": {"need": 0, "box": good[1]}})), "claim")
    claim = claim_of(good[0], "invalid", {"defined": "refuted"})
    step = {"need": 0, "box": good[1]}
    refused(data(sealed(claim, {"undefined": step, "zero": {"radius": "1/2", "order": 6}})), "steps", "no claim needs")
    refused(data(sealed(claim, {})), "steps")
    refused(data(sealed({**claim, "hypotheses": {**claim["hypotheses"], "defined": "undecided"}}, {})), "claim")


def test_a_claim_of_a_defined_text_does_not_rest_on_an_undefined_one() -> None:
    whole = forged("r**(-9)", "invalid", {"integrable": "refuted"}, **CENTRE, undefined={"need": 0, "box": ["1", "2"]})
    refused(whole, "steps", "no claim needs")


def test_a_sum_is_0_where_the_multiples_of_each_part_add_up_to_it_and_no_other() -> None:
    def zero(text: str) -> bool:
        return any(map(cancels, factors_of(Reader(text, {}).tree())))

    assert zero("Abs(r-1)-Abs(r-1)") and zero("r*(3*exp(r)-exp(r)-2*exp(r))")
    assert not zero("Abs(r-1)-Abs(1-r)") and not zero("2*exp(r)-exp(r)") and not zero("exp(r)-exp(r)+1")
