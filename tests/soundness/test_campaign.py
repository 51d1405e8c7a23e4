"""The campaign in short: what `make soundness` does at length."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from click.testing import CliRunner
from flint import arb

from dpverify.kernel.intervals import ZERO, interval
from dpverify.kernel.sections import shifts
from dpverify.kernel.sections.loggamma import LogGamma
from soundness import (
    arithmetic,
    campaign,
    checks,
    decorated,
    differential,
    ends,
    mutants,
    raw,
    released,
    sets,
    survivors,
    tally,
    valueless,
)
from soundness.corpus import FAST, corpus
from soundness.killed import digest, keep, killed
from soundness.mutate import mutant
from soundness.places import Place, places
from soundness.plain import function, largest_loss
from soundness.survivors import explained
from soundness.truth import explain, searched


@pytest.mark.campaign
@pytest.mark.parametrize("number", range(2))
def test_no_false_claim_is_accepted(number: int) -> None:
    found = campaign.shard(20, number, 100)
    assert not [k for k in found["kept"] if "FALSE" in k["outcome"] or "UNKNOWN" in k["outcome"]]
    assert any(outcome.startswith("accepted") for outcome in found["outcomes"])


@pytest.mark.sweep
def test_a_false_claim_would_be_seen() -> None:
    for certificate in corpus():
        claim = certificate["claim"]
        if claim["verdict"] != "private" or "phase" in certificate["proof"]:
            continue
        lower = {**claim, "epsilon": {"lower": "0", "upper": "1/1000"}, "closed_form": None}
        assert explain(lower, claim).startswith("FALSE")
        assert explain({**claim, "verdict": "invalid"}, claim).startswith("FALSE")
        assert explain({**claim, "closed_form": "99*delta"}, claim).startswith("FALSE")
        assert explain({**claim, "sensitivity": "7"}, claim).startswith("FALSE")
        break


@pytest.mark.sweep
def test_a_value_that_digits_do_not_tell_from_0_is_no_infinite_loss() -> None:
    """f(1000) = e^-1001, nearly; the losses of 1000 that there are, and a density that does end, are seen."""
    text, bounds = "-log(1-exp(-1-r))", {"lower": "500", "upper": "1005"}
    claim = {"verdict": "private", "generator": text, "parameters": {}, "dimension": 1, "sensitivity": "1000"}
    claim |= {"scale": "1", "epsilon": bounds, "closed_form": None}
    assert searched(claim) is None
    assert str(searched(claim | {"epsilon": {"lower": "500", "upper": "990"}})).startswith("FALSE: a loss")
    ends = "Piecewise((exp(-r), r < 5), (0, True))"
    assert str(searched(claim | {"generator": ends, "sensitivity": "1"})).startswith("FALSE: a loss")


@pytest.mark.sweep
def test_a_false_claim_about_a_mixture_would_be_seen() -> None:
    claim = json.loads((checks.ROOT / "certificates/mixtures/exponential-tail.json").read_text())["claim"]
    assert explain(claim, {}).startswith("a true claim")
    assert explain({**claim, "epsilon": {"lower": "0", "upper": "1/5"}}, claim).startswith("FALSE: a loss")
    assert explain({**claim, "epsilon": {"lower": "1/2", "upper": "1"}}, claim) == "FALSE: epsilon"
    assert explain({**claim, "mixing": "v**3*exp(-v)*(1-v)"}, claim).startswith("FALSE: the density is negative")
    assert explain({**claim, "mixing": "v**3*exp(-v)+0*log(v-1)"}, claim).startswith("FALSE: the density has no value")
    refuted = {**claim, "verdict": "not_private", "epsilon": None}
    assert explain(refuted, claim).startswith("FALSE: not_private where")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["profiles/laplace-d1", "composition/laplace-and-student-t"])
def test_a_false_delta_would_be_seen(name: str) -> None:
    certificate = json.loads((checks.ROOT / "certificates" / f"{name}.json").read_text())
    claim, proof = certificate["claim"], certificate["proof"]
    point, *others = claim["points"]
    high = Fraction(point["delta"]["upper"])
    assert explain(claim, {}, proof) == "true bounds of delta and eps"
    for low, upper in ((Fraction(0), high * 999_999 / 1_000_000), (high * 1_000_001 / 1_000_000, high * 2)):
        moved = {**point, "delta": {"lower": str(low), "upper": str(upper)}}
        assert explain({**claim, "points": [moved, *others]}, {}, proof).startswith("FALSE")
    ends = {"lower": "100", "upper": "100"}
    of_nothing = {**claim, "quantiles": [{"delta": "0", "epsilon": ends}]}
    assert explain(of_nothing, {}, proof).startswith("FALSE")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gaussians-16-times", "gaussians-on-samples"])
def test_a_false_composition_of_profiles_would_be_seen(name: str) -> None:
    certificate = json.loads((checks.ROOT / "certificates" / "composition" / f"{name}.json").read_text())
    claim, proof = certificate["claim"], certificate["proof"]
    point, *others = claim["points"]
    low, high = (Fraction(point["delta"][end]) for end in ("lower", "upper"))
    assert explain(claim, {}, proof) == "true bounds of delta and eps"
    for ends_ in ((Fraction(0), low * 9 / 10), (high * 11 / 10, high * 2)):
        moved = {**point, "delta": {"lower": str(ends_[0]), "upper": str(ends_[1])}}
        assert explain({**claim, "points": [moved, *others]}, {}, proof).startswith("FALSE")
    more = {**claim, "parts": [{**claim["parts"][0], "times": 3 * claim["parts"][0]["times"]}]}
    assert explain(more, {}, proof).startswith("FALSE")


def test_a_bound_that_misses_would_be_seen() -> None:
    tried = ends.Tried("exp(-r)")
    tried.bounds("a bound", lambda: interval(1), [(mpmath.mpf(1), ends.span), (mpmath.mpf("1.001"), ends.span)])
    assert tried.done == {"a bound": 2} and len(tried.wrong) == 1


@pytest.mark.campaign
def test_the_models_at_the_ends_and_theorem_a_hold() -> None:
    found = ends.shard(20, 0, 6)
    assert not found["wrong"] and found["done"]["Theorem A, heights"] > 20 and found["done"]["log f at infinity"] > 5


@pytest.mark.campaign
def test_random_sets_and_rows_enclose_h_and_its_slopes() -> None:
    found = sets.shard(20, 0, 30)
    assert not found["wrong"] and sum(n for what, n in found["done"].items() if "H, d" in what) > 10


@pytest.mark.slow
def test_what_a_set_costs_and_is_left_out_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    sets.shard(1, 0, 0)  # which loads the sections
    assert sets.tried(random.Random(23)) == ("H, d = 1", None)
    monkeypatch.setattr(shifts, "excess", lambda _: ZERO)
    monkeypatch.setattr(shifts, "overshoot", lambda _: ZERO)
    found = sets.tried(random.Random(23))[1]
    assert found is not None and "is not in" in found


@pytest.mark.slow
def test_mutants_of_a_file_that_there_is_not_are_refused() -> None:
    refused = CliRunner().invoke(mutants.main, ["--file", "erfc.py"])
    assert refused.exit_code == 2 and "no file erfc.py (its name, without .py)" in refused.output


def test_mutants_are_of_every_kind() -> None:
    rnd = random.Random(1)
    kinds = {mutant(rnd, corpus()[:FAST])[0] for _ in range(600)}
    assert len(kinds) == 19  # those of profiles and compositions apart
    assert {c["claim"]["verdict"] for c in corpus()} == {"private", "not_private", "invalid"}


@pytest.mark.slow
def test_the_kernels_arithmetic_encloses() -> None:
    found = arithmetic.shard(20, 0, 4000)
    assert not found["wrong"] and found["pi"]
    assert sum(found["done"].values()) == 4000


def test_a_result_that_does_not_enclose_would_be_seen() -> None:
    third = arb(1) / 3
    assert arithmetic.encloses(interval(1) * interval(3).inverse(), third)
    assert not arithmetic.encloses(interval(1), third)


@pytest.mark.campaign
@pytest.mark.parametrize("newer", [False, True])
def test_prover_kernel_and_search_agree(newer: bool) -> None:
    found = differential.shard(20, 0, 4, newer)
    assert not found["wrong"]


def test_a_plain_search_knows_closed_forms() -> None:
    assert abs(largest_loss(function("exp(-3*r)", {}), differential.Fraction(1)) - 3) < 1e-9
    assert largest_loss(function("Piecewise((1, r < 2), (0, True))", {}), differential.Fraction(1)) == mpmath.inf


@pytest.mark.campaign
def test_fuzzing_in_short() -> None:
    pytest.importorskip("atheris")
    command = [sys.executable, "-m", "soundness.fuzz", "--seconds", "4", "--seed", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "kept for what they cover" in done.stdout


def test_places_of_every_sort_are_changed() -> None:
    tree = ast.parse("def f(a, b):\n    g()\n    return -a.lo < b + 1 or not all(b)")
    assert [str(place) for place in places(tree)] == [
        "3, f: `<=` for `<` in `-a.lo < b + 1`",
        "3, f: `and` for `or` in `-a.lo < b + 1 or not all(b)`",
        "3, f: without `-a.lo < b + 1`",
        "3, f: without `not all(b)`",
        "2, f: without `g()`",
        "3, f: `a.lo` for `-a.lo`",
        "3, f: `all(b)` for `not all(b)`",
        "3, f: `hi` for `a.lo`",
        "3, f: `any` for `all`",
        "3, f: `-` for `+` in `b + 1`",
        "3, f: `2` for `1`",
    ]


def test_places_that_look_the_same_are_told_apart() -> None:
    tree = ast.parse("def f(a):\n    return a + 1\nclass C:\n    def f(self):\n        return (1, 1)")
    assert [place.name for place in places(tree) if place.sort == "number"] == [
        "f: `2` for `1`",
        "C.f: `2` for `1`",
        "C.f: `2` for `1` (2)",
    ]


@pytest.mark.slow
def test_what_is_explained_are_places_of_the_kernel_as_it_is() -> None:
    names = [place.name for place in mutants.everywhere(mutants.trees())]
    assert len(set(names)) == len(names)
    assert set(explained()) <= set(names)


def test_messages_are_no_places() -> None:
    assert not places(ast.parse("raise Rejected(f'{name[:40]!r} is unknown')"))


def test_a_number_of_a_class_is_exchanged_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LogGamma, "zeros", LogGamma.zeros)
    monkeypatch.setattr(checks, "forget", lambda: None)
    checks.install(compile("class LogGamma(Smooth):\n    zeros = (1, 3)", "", "exec"), "loggamma")
    assert LogGamma.zeros == (1, 3) and vars(LogGamma)["rises_from"] == 2


def test_what_has_noticed_others_of_a_function_is_tried_first_and_forgeries_last() -> None:
    trees = {"m": ast.parse("N = 3\ndef f(a):\n    return a + 1\ndef g(a):\n    return a < N")}
    in_f, in_g, constant = (
        next(x for x in places(trees["m"], "m") if str(x).startswith(start)) for start in ("3, m.f", "5, m.g", "1, m")
    )

    def check(name: str, seconds: float, *lines: str) -> tuple[checks.Check, checks.Usual]:
        forged = name == "forgery"
        return checks.Check(name, Path(), lambda: True, forged), checks.Usual(True, seconds, frozenset(lines))

    known = [check(*x) for x in (("a", 0.1, "m:3"), ("b", 0.2, "m:3", "m:5"), ("forgery", 0.0, "m:3"), ("c", 9, "m:5"))]
    kills = mutants.Kills()

    def order(place: Place, seconds: float = 1.0) -> list[str]:
        return [c.name for c, _ in mutants.noticing(mutants.executing(trees, place), place, known, kills, seconds)]

    assert order(in_f) == ["a", "b", "forgery"]
    assert order(in_g) == order(constant) == ["b"]
    assert order(in_f, 0.25) == ["a", "forgery"]
    kills.add("m.f: `2` for `1`", "b")
    assert order(in_f) == ["b", "a", "forgery"]
    kills.add("m.f: `2` for `1`", "forgery")
    assert order(in_f)[0] == "forgery"


def test_what_was_killed_is_known_until_its_function_changes(tmp_path: Path) -> None:
    file = tmp_path / "killed.json"
    keep([("m.f: x", "1"), ("m.g: y", "2")], [("m.f: x", "1"), ("m.g: y", "2"), ("n: z", "3")], file)
    assert killed(file) == {digest("m.f: x", "1"), digest("m.g: y", "2")}
    keep([("n: z", "3")], [("m.f: x", "9"), ("m.g: y", "2"), ("n: z", "3")], file)
    assert killed(file) == {digest("m.g: y", "2"), digest("n: z", "3")}


def test_a_reason_stands_until_its_function_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after, other = (
        places(ast.parse(f"def f(a):\n    return a{x}\ndef g(a):\n    return a + 2"), "m")
        for x in (" + 1", " - 1", " + 1")
    )
    reasons = {place.name: "Redundant" for place in before}
    monkeypatch.setattr(survivors, "explained", lambda: reasons)
    keep([(x.name, x.source) for x in before], [(x.name, x.source) for x in before], tmp_path / "read.json")
    assert survivors.standing(other, tmp_path / "read.json") == reasons
    left = survivors.standing(after, tmp_path / "read.json")
    assert left == {name: "Redundant" for name in reasons if name.startswith("m.g")} != {}


def test_the_table_counts_every_place_once() -> None:
    of_f, of_g = (places(ast.parse(f"def {x}(a):\n    return a + 1"), x) for x in "fg")
    told = tally.table({of_f[0]: "killed", of_f[1]: "explained", of_g[0]: "killed", of_g[1]: "not explained"})
    assert told.startswith("The kernel has 4 places: 2 killed, 1 explained, 1 that are new")
    assert "| `f` | 2 | 1 | 1 | 0 |\n| `g` | 2 | 1 | 0 | 1 |\n" in told


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize(
    ("change", "lives"),
    [
        ("in `certificate['digest'] == digest", False),
        ("20000001", True),
        ("polynomials.times: `1` for `0`", True),
        ("increments.far_shift: `p.log_f", False),
        ("waves: without `ENTIRE.update", True),
        ("besselk: without `FUNCTIONS.update", False),
    ],
)
def test_a_mutant_meets_the_gallery_in_a_child(change: str, lives: bool) -> None:
    trees = mutants.trees()
    found = [p for p in mutants.everywhere(trees) if change in str(p)]
    place = found[0]
    without_polynomials = [f for f in checks.gallery() if b'"angles"' not in f]
    files = without_polynomials[:3] + [f for f in checks.gallery() if b"besselk" in f][:1]
    check = checks.Check("gallery", checks.KERNEL, lambda: all(map(checks.accepted, files)), data=b"all")
    usual = checks.Usual(True, 1.0, frozenset(mutants.executing(trees, place)))
    ((_, lived, said),) = checks.children(
        [lambda say: mutants.survives(trees, place, [(check, usual)], mutants.Kills(), 8.0, say)], 1
    )
    assert (lived, said) == (lives, "gallery")
    assert check.passes()


GAPS = {
    "exp(-r)+0*log(cos(r)-2)": True,
    "exp(-r)*Max(0,1-r)**0": True,
    "exp(-r)/(Abs(r)-r)": True,
    "exp(-r)+0/floor(r)": True,
    "exp(-r)+0*gamma(-2)": True,
    "exp(-r)+0*besselk(1,5-r)": True,
    "exp(-r)+0*(r-9)**(3/2)": True,
    "Piecewise((1, r < 2), (2, r > 17/8))": True,
    "Piecewise((exp(-r), log(r-1) < 0), (1, True))": True,
    "exp(-r)+0/(1/(2*r-r-r))": True,
    "exp(-r)*(1-r)**r": True,
    "Piecewise((1, r < 2), (2, r > 2))": False,
    "Piecewise((exp(-r), r > 0), (log(-1), True))": False,
    "exp(-r)*(r-1)**0/(r-3)": False,
    "exp(-r)+0*log((r-2)**2)": False,
    "exp(-y)/(exp(-y)+erfc(r))": False,
    "exp(-r)*(-8)**3": False,
}


@pytest.mark.slow
@pytest.mark.parametrize("text", GAPS)
def test_a_text_is_read_as_it_is_typed(text: str) -> None:
    assert (raw.missing(text, {}) is not None) is GAPS[text]


@pytest.mark.campaign
def test_no_text_without_a_value_is_accepted_but_as_invalid() -> None:
    found = valueless.shard(20, 0, 40)
    assert not found["wrong"]
    assert found["said"]["no value on an interval: accepted as invalid, having no value"] > 5
    assert any(said.startswith("a value almost everywhere: accepted") for said in found["said"])


@pytest.mark.campaign
def test_what_does_not_matter_changes_no_epsilon_and_is_not_refused() -> None:
    rows = decorated.shard(7, 0, 8)["rows"]
    assert not any(row["refused"] or row["wrong"] for row in rows)
    assert sum(row["verdict"] == "private" for row in rows) > 3


def test_a_plain_search_sees_what_is_small_beside_one() -> None:
    """Else f would be 0 far out, and a true bound of its losses be called false."""
    f = function("log(1+exp(-20*r))*(1+y)**(-2)", {})
    with mpmath.workdps(40):
        assert mpmath.almosteq(f(mpmath.mpf(1000)), mpmath.exp(-20000) / (1 + mpmath.mpf(10) ** 6) ** 2, 1e-30)


@pytest.mark.slow
def test_a_rough_profile_of_an_f_that_rises_is_of_all_shifts() -> None:
    """Against quadrature at thirty digits; a thin shell loses most at a shift that is shorter than the longest."""
    shell = {"generator": "exp(-(r-2)**2)", "parameters": {}, "dimension": 3, "sensitivity": "1", "scale": "1"}
    low, high = released.about(json.dumps(shell), Fraction(1, 2))
    assert low < 0.17604115111988 < high
    line = {**shell, "generator": "exp(-50*(r-2)**2)", "dimension": 1}
    at_two = released.about(json.dumps({**line, "sensitivity": "2"}), Fraction(1, 2))
    at_four = released.about(json.dumps({**line, "sensitivity": "4"}), Fraction(1, 2))
    assert at_four[0] > 0.9 and at_four[1] >= at_two[1]


@pytest.mark.slow
def test_a_plain_sum_knows_uniform_noise_and_its_releases() -> None:
    """A shift of a third leaves a sixth of P outside of Q: delta is 1/6 at every eps, of three releases 1 - (5/6)^3."""
    problem = json.dumps(
        {
            "generator": "Piecewise((1, r < 1), (0, True))",
            "parameters": {},
            "dimension": 1,
            "sensitivity": "1/3",
            "scale": "1",
        },
        sort_keys=True,
    )
    for bounds, delta in (
        (released.about(problem, Fraction(1, 2)), 1 / 6),
        (released.together(((problem, 3, "null"),), Fraction(1)), 1 - (5 / 6) ** 3),
    ):
        assert not isinstance(bounds, str)
        assert bounds[0] < delta < bounds[1] < 1.2 * bounds[0]
