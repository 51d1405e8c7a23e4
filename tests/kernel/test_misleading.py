"""Claims that mislead a reader, lists of rules that are not those of the proof, and hostile data of every type."""

from __future__ import annotations

import copy
import json
import random
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpverify import kernel, source
from dpverify.certificate import digest
from dpverify.certificate.seal import by_section
from dpverify.kernel import RULES, Rejected
from dpverify.kernel.reader import FUNCTIONS
from dpverify.kernel.sections.charts import parameters
from dpverify.kernel.sections.older import ONCE_CORE, ONCE_TOGETHER, SINCE
from tests.kernel.test_forgeries import CENTRE, PROVED, SLOPES, claim_of, data, forged, grid, refused, resealed, sealed

ROOT = Path(__file__).parents[2]
GALLERY = sorted((ROOT / "certificates").glob("*.json"))
OLDER = sorted((Path(__file__).parent / "older").glob("*.json"))
COVER = ["1/1024", "1/4", "1", "4", "16"]
NARROW = {"lower": "1", "upper": "100000000001/100000000000"}


def laplace(text: str = "exp(-r)", **claim: Any) -> dict[str, Any]:
    """The claim that epsilon = 1, with changes, and its proof."""
    proof = {
        "zero": {"radius": "1/1024", "order": 6},
        "infinity": {"radius": "16", "order": 6},
        "cover": COVER,
        "decreasing": "form",
        "integrable": {"tail": "logs", "boxes": "logs"},
        "supremum": {"cover": COVER, "near_zero": "slopes"},
        "witness": {"near": "infinity", "box": None, "shift": None},
    }
    whole = claim_of(text, "private", PROVED, epsilon=NARROW, theorem="Theorem 3")
    return sealed({**whole, **claim}, proof)


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize("name", ["nu", "epsilon", "delta", "Delta", "sigma", "exp", "floor", "D", "f"])
def test_a_parameter_that_is_not_used_is_refused(name: str) -> None:
    assert kernel.check_bytes(data(laplace("exp(-nu*r)", parameters={"nu": "1"})))
    refused(data(laplace(parameters={name: "1"})), "claim", "is not used|name is not permitted")
    refused(data(laplace("exp(-nu*r)", parameters={"nu": "1", name + "2": "3"})), "claim", "is not used")


@pytest.mark.parametrize("name", ["epsilon", "delta", "Delta", "sigma", "e", "pi", "r", "y", "d"])
def test_a_name_that_has_a_meaning_is_no_parameter(name: str) -> None:
    refused(data(laplace(f"exp(-r*{name})", parameters={name: "1"})), "claim", "name is not permitted")


@pytest.mark.parametrize("number", ["0x1", "0x10", "1_0", "0b1", "0o1", "1_000e0", "1j", "1e0_0", "True"])
def test_a_number_is_written_plainly(number: str) -> None:
    refused(data(laplace(f"exp(-r*{number})")), "K4", "plain number|not an expression")
    refused(data(laplace(closed_form=f"delta*{number}")), "K4", "plain number|not an expression")


@pytest.mark.parametrize(
    ("form", "epsilon"),
    [
        ("7", {"lower": "0", "upper": "8"}),
        ("1", {"lower": "0", "upper": "2"}),
        ("delta", {"lower": "1", "upper": "1000001/1000000"}),
        ("delta", {"lower": "49999999/50000000", "upper": "100000001/100000000"}),
    ],
)
def test_a_closed_form_in_a_wide_enclosure_says_nothing(form: str, epsilon: dict[str, str]) -> None:
    assert kernel.check_bytes(data(laplace(epsilon=epsilon)))
    refused(data(laplace(epsilon=epsilon, closed_form=form)), "K33", "too wide")


@pytest.mark.slow
def test_each_rule_is_listed_once_in_its_section_and_not_in_vain() -> None:
    below = {**NARROW, "lower": "99999999999/100000000000"}
    good = laplace(closed_form="sqrt(delta)*gamma(1)", epsilon=below)
    listed = {number for numbers in good["rules"].values() for number in numbers}
    assert set(kernel.check_bytes(data(good)).rules) == listed
    for section, numbers in good["rules"].items():
        for number in numbers:
            left = {k: [n for n in v if n != number] for k, v in good["rules"].items()}
            left = {k: v for k, v in left.items() if v}
            refused(data(resealed(good, lambda c, left=left: c.update(rules=left))), "rules|K4", "not list|do not know")
            twice = resealed(good, lambda c, s=section, n=number: c["rules"][s].append(n))
            refused(data(twice), "rules", "listed twice")
            other = "core" if section != "core" else "waves"
            moved = resealed(good, lambda c, s=other, n=number: c["rules"].setdefault(s, []).append(n))
            refused(data(moved), "rules", "does not have|listed twice")
    for number in sorted(set(RULES) - listed):
        section = next(iter(by_section({number})))
        vain = resealed(good, lambda c, s=section, n=number: c["rules"].setdefault(s, []).append(n))
        refused(data(vain), "rules", "listed, but not used")


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({}, "rules"), ([], "format"), (None, "format"), ("K1", "format"), (["K1"], "format"), ({"core": []}, "format"),
        ({"core": "K1"}, "format"), ({"core": {"K1": 1}}, "format"), ({"core": [1]}, "format"),
        ({"core": [["K1"]]}, "format"), ({"core": ["K999"]}, "rules"), ({"core": ["k1"]}, "rules"),
        ({"core": ["K1 "]}, "rules"), ({"os": ["K1"]}, "format"), ({"..proof": ["K1"]}, "format"),
        ({"sections": ["K1"]}, "format"), ({"": ["K1"]}, "format"), ({"special": []}, "format"),
    ],
)  # fmt: skip
def test_a_list_of_rules_that_is_none(rules: Any, code: str) -> None:
    refused(data(resealed(laplace(), lambda c: c.update(rules=rules))), code)


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("sign", {"kind": "centre"}), ("rise", ["1", "2"]), ("limsup", {"phases": ["0", "2"]}), ("limsup", None),
        ("undefined", {"need": 0, "box": ["1", "2"]}), ("defined", []), ("defined", [{"at": "1"}]), ("lemma", "true"),
        ("", None),
    ],
)  # fmt: skip
def test_a_step_that_no_claim_needs_is_refused(name: str, step: Any) -> None:
    good = laplace()
    refused(data(resealed(good, lambda c: c["proof"].update({name: step}))), "steps", "no claim needs")
    for statuses, field in (({"decreasing": "undecided"}, "decreasing"), ({"positive": "undecided"}, "cover")):
        whole = forged("r**(-9)", "invalid", {"integrable": "refuted", **statuses}, **CENTRE, **{field: COVER})
        refused(whole, "steps", "no claim needs")


@pytest.mark.parametrize("step", [[], {}, "x", 0, ["1"], [None], False])
def test_nothing_stands_beside_a_step_unread(step: Any) -> None:
    """Drops by phases, and phases, where the tail has none; the limit of a tail that has one."""
    steep = {**laplace()["proof"], "decreasing": {**SLOPES, "phase_drops": step}}
    refused(data(sealed(laplace()["claim"], steep, by_section(set(RULES)))), "steps", "no frequency")
    limit = laplace(tail_log_ratio={"lower": "1", "upper": "1"})
    assert kernel.check_bytes(data(limit))
    refused(data(resealed(limit, lambda c: c["proof"].update(limsup=step))), "steps", "no frequency")


@pytest.mark.slow
def test_a_way_is_named_for_a_node_that_has_another_one() -> None:
    text = "exp(-r)*(2+cosh(r)*0)+exp(-2*r)"
    nodes = range(12)
    plain = laplace()
    for place in ("zero", "boxes", "infinity"):
        for number in [*map(str, nodes), "01", "-1", "x", "", "1.0"]:
            for way in ("value", "logs", None, 1, "", [], {}):
                ways = {place: {number: way}}
                refused(data(resealed(plain, lambda c, ways=ways: c["proof"].update(ways=ways))), "steps|format")
    for ways in ({}, [], None, {"zero": {}}, {"zero": None}, {"tail": {"1": "value"}}, "value"):
        refused(data(resealed(plain, lambda c, ways=ways: c["proof"].update(ways=ways))), "format")
    assert text


def test_an_old_version_is_told_apart_in_one_line() -> None:
    for change in ({"version": 1}, {"version": 1, "rules": None}):
        whole = resealed(laplace(), lambda c, change=change: c.update(change))
        refused(data(whole), "format", "old version 1; dpverify upgrade")
    for version in (0, 3, -1, True, None, "1", "2", [2], 10**19):
        refused(data(resealed(laplace(), lambda c, v=version: c.update(version=v))), "format", "version is unknown")


def test_a_tampered_file_is_told_by_its_digest() -> None:
    whole = laplace()
    whole["program"]["name"] = "another"
    refused(data(whole), "digest")
    whole["digest"] = None
    refused(data(whole), "digest")


BIG = "1" + "0" * 1990 + "1"
HUGE: list[tuple[tuple[Any, ...], Any]] = [
    (("proof", "zero", "radius"), f"1/{BIG}"),
    (("proof", "zero", "radius"), f"{BIG[:990]}7/{BIG[:1000]}"),
    (("proof", "infinity", "radius"), BIG),
    (("proof", "infinity", "radius"), "9" * 3000),
    (("proof", "infinity", "order"), 10**19),
    (("proof", "cover", 4), f"{BIG[:990]}1/{'9' * 990}"),
    (("proof", "supremum", "cover", 4), f"{BIG[:990]}1/{'9' * 990}"),
    (("claim", "sensitivity"), BIG),
    (("claim", "sensitivity"), f"1/{BIG}"),
    (("claim", "scale"), BIG),
    (("claim", "scale"), f"1/{BIG}"),
    (("claim", "dimension"), 10**19),
    (("claim", "epsilon"), {"lower": BIG, "upper": BIG}),
    (("claim", "epsilon"), {"lower": f"-{BIG}", "upper": f"1/{BIG}"}),
    (("claim", "tail_log_ratio"), {"lower": f"1/{BIG}", "upper": f"2/{BIG}"}),
    (("claim", "generator"), "exp(-r)+" + "+".join(["r"] * 1900)),
    (("claim", "generator"), "(" * 900 + "r" + ")" * 900),
    (("claim", "generator"), "-" * 3000 + "r"),
    (("claim", "generator"), f"exp(-r*{'9' * 1999})"),
    (("claim", "generator"), f"exp(-r**{'9' * 1999})"),
    (("claim", "generator"), f"exp(-{'9' * 1999}**{'9' * 1999}*r)"),
    (("claim", "generator"), "exp(-r*" + "*".join(["9" * 480] * 7) + ")"),
    (("claim", "generator"), "exp(-r)*9e9999"),
    (("claim", "generator"), "1/(1+r)" + "**9" * 90),
    (("claim", "closed_form"), "1" + "**1" * 300),
    (("claim", "closed_form"), "10**9999/10**9999"),
]


@pytest.mark.sampled(stay=8)
@pytest.mark.parametrize(("path", "value"), HUGE, ids=range(len(HUGE)))
def test_long_numbers_and_deep_texts_are_refused_in_one_line(path: tuple[Any, ...], value: Any) -> None:
    def change(whole: Any) -> None:
        for key in path[:-1]:
            whole = whole[key]
        whole[path[-1]] = value

    for listed in (laplace()["rules"], by_section(set(RULES))):
        whole = resealed(laplace(), change)
        whole = resealed(whole, lambda c, listed=listed: c.update(rules=listed))
        with pytest.raises(Rejected) as refusal:
            kernel.check_bytes(data(whole))
        assert len(str(refusal.value).splitlines()) == 1 and refusal.value.code


@pytest.mark.slow
def test_ends_of_thousands_of_digits_are_shown_shortly() -> None:
    """r0 + delta has thousands of digits where r0, Delta and sigma have 2,000: Python writes out no such number."""
    r0, delta = Fraction(1, 10**1990 + 1), Fraction(10**985 + 3, 10**988 + 7)
    proof = laplace()["proof"]
    proof["zero"]["radius"] = str(r0)
    marks = [str(r0), "1", "16"]
    proof |= {"cover": marks, "decreasing": SLOPES, "supremum": {"cover": marks, "near_zero": "models"}}
    for text in ("exp(-r)", "exp(-r)*(1-2*r)", "exp(-r)*(2+cos(9*r))", "exp(-floor(9*r))"):
        for scale in ("1", str(Fraction(10**985 + 9, 10**984 + 3))):
            claim = {**laplace(text)["claim"], "sensitivity": str(delta), "scale": scale}
            refused(data(sealed(claim, proof, by_section(set(RULES)))), "|".join([*RULES, "limits"]))
    theorem_a = {
        "cover": grid(str(r0), "16", 2), "cuts": [], "shifts": [["0", str(delta)]] * 2, "rules": ["r", "h"],
        "ahead": [str(r0), "20"],
    }  # fmt: skip
    claim = {**laplace("exp(-r)*(2+cos(9*r))")["claim"], "sensitivity": str(delta), "theorem": "Theorem A"}
    whole = sealed(claim, {**proof, "supremum": theorem_a}, by_section(set(RULES)))
    refused(data(whole), "|".join([*RULES, "limits", "format"]))


WRONG: list[Any] = [None, True, False, 0, -1, 1, 10**19, "", "0", "-1", "1/2", "1/0", "x", "value", "form", "r", [],
                    {}, [None], [[]], ["1"], ["1", "2"], ["2", "1"], {"": None}, {"kind": "touches"}, {"at": None},
                    "é\ud800", {"lower": "0", "upper": "1"}, "K1", "1" * 2001, "9" * 1990,
                    [[[[[[[[]]]]]]]]]  # fmt: skip


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return (
        [at, *(p for key, part in inner for p in places(part, (*at, key)))]
        if at
        else [p for key, part in inner for p in places(part, (key,))]
    )


@pytest.mark.slow
@pytest.mark.swept(stay=10)
@pytest.mark.parametrize("seed", range(40))
def test_no_value_of_a_wrong_type_leads_to_a_traceback(seed: int) -> None:
    """One to three values of a gallery certificate, each replaced by one of another type or left out."""
    chance = random.Random(seed)
    for _ in range(12):
        whole = json.loads(chance.choice(GALLERY).read_bytes())
        for _ in range(chance.choice((1, 1, 2, 3))):
            path = chance.choice(places(whole))
            part = whole
            for key in path[:-1]:
                part = part[key]
            if chance.random() < 0.1:
                del part[path[-1]]
            else:
                part[path[-1]] = copy.deepcopy(chance.choice(WRONG))
        if chance.random() < 0.5:
            whole["rules"] = by_section(set(RULES))
        whole["digest"] = digest(whole)
        try:
            kernel.check_bytes(json.dumps(whole).encode())
        except Rejected as refusal:
            assert refusal.code and len(str(refusal).splitlines()) == 1


SECTIONS_LOADED = """
import sys
sys.path.insert(0, "dpverify")
import kernel
for path in sys.argv[1:]:
    kernel.check_bytes(open(path, "rb").read())
print(*sorted(name.rpartition(".")[2] for name in sys.modules if name.startswith("kernel.sections.")))
"""


ON_CHARTS = {"slopes", "hypotheses", "models", "increments", "ends"}
THEREBY = {"charts", "evaluation", "epsilon", "messages", "constants", "fields", "rings"}
"""Sections without a rule, which those import."""
PRIVATE = {*ON_CHARTS, "tail", "theorem_3", "witness"}


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize(
    ("name", "expected", "imported"),
    [
        ("laplace-d3", {*PRIVATE, "by_form", "closed_forms"}, {"shapes"}),
        (
            "student-t-nu3-d2",
            {*PRIVATE, "by_form", "series", "curvature", "hyperbolic", "closed_forms", "exponentials"},
            {"shapes"},
        ),
        ("gaussian-d1", {*ON_CHARTS, "by_form", "refutations"}, {"tail", "shapes"}),
        (
            "negative-somewhere",
            {"slopes", "models", "ends", "refutations", "series"},
            {"hypotheses", "tail", "shapes"},
        ),
        (
            "undefined-logarithm",
            {"slopes", "undefined", "signs"},
            {"hypotheses", "tail", "models", "polynomials", "needs", "alike", "algebra", "shapes"},
        ),
        (
            "multivariate-laplace-d2",
            {*ON_CHARTS, "by_form", "refutations", "gamma", "besselk", "series", "exponentials"},
            {"short", "optional", "tail", "shapes"},
        ),
        (
            "rising-at-a-jump",
            {*ON_CHARTS, "tail", "witness", "branches", "refutations", "series", "signs", "theorem_a"},
            {"conditions", "optional", "phases", "polynomials", "floors", "shapes"},
        ),
    ],
)
def test_a_section_is_loaded_only_where_it_is_listed_or_imported(
    name: str, expected: set[str], imported: set[str]
) -> None:
    """And what is loaded is what `check --rules` says that there is to read."""
    path = ROOT / "certificates" / f"{name}.json"
    rules = json.loads(path.read_bytes())["rules"]
    command = [sys.executable, "-I", "-S", "-c", SECTIONS_LOADED, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = expected | imported | THEREBY
    assert set(rules) - {"core"} == expected
    assert set(done.stdout.split()) == loaded
    assert set(source.reading(n for numbers in rules.values() for n in numbers).sections) - {"core"} == loaded


UNLISTED = {"models": {"K11"}, "hyperbolic": {"K35"}}
"""What was once taken without a rule, by its section of today."""
TOGETHER = {section: once for once, now in ONCE_TOGETHER.items() for section in now}
NEWER = re.compile('"squares"|"narrowing"|"K470"')
"""In no certificate that lists rules as they were once."""
YESTERDAY = {"slopes", "hypotheses", "tail"}


def once_listed(rules: dict[str, list[str]], left_since: set[str]) -> dict[str, list[str]]:
    """The rules as they were listed before those left the core, and some sections were several; where models had not
    left it yet, they and the like were no rules at all."""
    early = not {ONCE_CORE[number] for number in left_since} <= YESTERDAY
    unlisted = set().union(*UNLISTED.values()) if early else set[str]()
    unlisted |= {"K106"} if "K25" in left_since else set()
    once: dict[str, list[str]] = {"core": []}
    for section, numbers in rules.items():
        for number in numbers:
            if number not in unlisted:
                place = "core" if number in left_since else TOGETHER.get(section, section)
                once.setdefault(place, []).append(number)
    return once


def spanning(listed: dict[Path, set[str]]) -> set[Path]:
    """Some that list between them every rule that any lists: always the one with most that none has yet."""
    found, left = set[Path](), set[str]().union(*listed.values())
    while left:
        found.add(max(listed, key=lambda path: len(listed[path] & left)))
        left -= set[str]().union(*(listed[path] for path in found))
    return found


MOVED = {*ONCE_CORE, *(n for now in ONCE_TOGETHER.values() for numbers in now.values() for n in numbers)}
MOVED |= set().union(*UNLISTED.values())
"""Rules that were listed elsewhere, or nowhere."""
OLDER = {
    p: MOVED & {n for numbers in json.loads(p.read_bytes())["rules"].values() for n in numbers}
    for p in GALLERY
    if not NEWER.search(p.read_text())
}
SPANNING = spanning(OLDER)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=[pytest.mark.campaign] * (p not in SPANNING), id=p.stem) for p in OLDER],
)
def test_certificates_from_before_a_rule_left_the_core_still_hold(path: Path, tmp_path: Path) -> None:
    """In a process of its own: the sections in which their rules are now are loaded all the same.

    No older list names a second way that is not K106."""
    whole, files = json.loads(path.read_bytes()), []
    lately, yesterday = ({n for n, section in ONCE_CORE.items() if section in left} for left in (SINCE, YESTERDAY))
    for name, left in (("once", set(ONCE_CORE)), ("lately", lately), ("yesterday", yesterday)):
        files.append(tmp_path / f"{name}.json")
        rules = once_listed(whole["rules"], left)
        files[-1].write_bytes(data(resealed(whole, lambda c, rules=rules: c.update(rules=rules))))
    for file in files:
        command = [sys.executable, "-I", "-S", "dpverify/kernel", str(file)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("path", OLDER, ids=lambda path: path.stem)
def test_certificates_as_they_were_written_still_hold(path: Path) -> None:
    """Files of version 2 as earlier programs wrote them, each alone in its process."""
    command = [sys.executable, "-I", "-S", "dpverify/kernel", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "proved" in done.stdout, done.stderr


def test_a_list_that_names_a_section_of_today_is_not_an_older_one() -> None:
    """What was once taken without a rule is not, in a list that knows better."""
    good = laplace("cosh(r)**(-1)")
    for section in ("models", "hyperbolic"):
        left = {name: numbers for name, numbers in by_section(set(RULES)).items() if name != section}
        with pytest.raises(Rejected, match="does not list"):
            kernel.check_bytes(data(sealed(good["claim"], good["proof"], left)))


@pytest.mark.slow
def test_what_a_section_brings_is_unknown_without_it(tmp_path: Path) -> None:
    """In a process of its own, which has loaded no section for another certificate."""
    for k, text in enumerate(("exp(-floor(r))", "exp(-r)*(2+cos(r))", "erfc(r)", "Piecewise((exp(-r), True))")):
        whole = resealed(laplace(text), lambda c: c.update(rules=laplace()["rules"]))
        path = tmp_path / f"{k}.json"
        path.write_bytes(data(whole))
        command = [sys.executable, "-I", "-S", "dpverify/kernel", str(path)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 1 and "which the sections listed do not know [K4]" in done.stderr
    path.write_bytes(data(resealed(laplace(), lambda c: c.update(rules={"core": ["K1", "K2", "K4"]}))))
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "the kind of claim is unknown, or its section is not listed" in done.stderr


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS) | {"Piecewise", "abs", "max", "min"}))
def test_no_parameter_is_named_like_a_function_of_any_section(name: str) -> None:
    with pytest.raises(Rejected, match="not permitted"):
        parameters({name: "1"})
