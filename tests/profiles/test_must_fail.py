"""Certificates of profiles: those of the gallery hold, and forged ones are refused, however well they are sealed."""

from __future__ import annotations

import copy
import json
import math
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import dpverify
from dpverify import kernel
from dpverify.certificate import digest
from dpverify.gallery.profiles import ENTRIES
from dpverify.kernel.sections.epsilon import THEOREMS
from dpverify.profiles import replay

GALLERY = Path(__file__).parents[2] / "certificates" / "profiles"
NAMES = sorted(path.stem for path in GALLERY.glob("*.json"))
SMALL = ["laplace-d1", "hyperbolic-secant"]
CLOSED = "gaussian-d1"
SPHERES = "laplace-d2"


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GALLERY / f"{name}.json").read_text())
    return found


def sealed(certificate: dict[str, Any]) -> bytes:
    return json.dumps({**certificate, "digest": digest(certificate)}).encode()


def refusal(certificate: dict[str, Any]) -> str:
    """The code with which the kernel refuses it, its digest made anew; "" where it does not."""
    try:
        kernel.check_bytes(sealed(certificate))
    except kernel.Rejected as error:
        assert len(str(error).splitlines()) == 1
        return error.code
    return ""


def test_the_gallery_has_a_file_for_each_entry_and_a_use_for_each_rule() -> None:
    assert sorted(name for name, _, _ in ENTRIES) == NAMES
    kernel.certificate.load_section("profiles")
    own = {number for number in kernel.RULES if 150 <= int(number[1:]) < 170}
    used = {n for name in NAMES for numbers in read(name)["rules"].values() for n in numbers}
    assert own <= used


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES[::11])
def test_the_gallery_is_accepted(name: str) -> None:
    """`make gallery-check` has the kernel check all of it."""
    kernel.check_bytes((GALLERY / f"{name}.json").read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_the_gallery_is_close_and_assumes_nothing(name: str) -> None:
    certificate = read(name)
    assert certificate["assumptions"] == []
    for point, how in zip(certificate["claim"]["points"], certificate["proof"]["profile"]["points"], strict=True):
        low, high = (Fraction(point["delta"][end]) for end in ("lower", "upper"))
        if isinstance(how, dict) and "pure" in how:  # 0 but for what is left open of the pure epsilon
            assert low == 0 and high <= (Fraction(how["pure"]) - Fraction(point["epsilon"])) * (1 + Fraction(1, 10**9))
        elif isinstance(how, dict) and "rough" in how:
            most, growth = (math.exp(Fraction(x)) for x in (how["rough"]["pure"], point["epsilon"]))
            assert low < high and math.isclose(high, (most - growth) / (1 + most), rel_tol=1e-9)
        else:
            assert high - low <= high / 10**9


@pytest.mark.swept(stay=4)
@pytest.mark.parametrize(
    "name",
    ["laplace-d1", CLOSED, *(pytest.param(x, marks=pytest.mark.slow) for x in ("hyperbolic-secant", "staircase"))],
)
@pytest.mark.parametrize("end", ["lower", "upper"])
def test_a_delta_off_by_one_part_in_a_billion(name: str, end: str) -> None:
    """Either bound moved past the value, as a forger who wants a better delta, or a worse rival, would."""
    certificate = read(name)
    delta = certificate["claim"]["points"][0]["delta"]
    part = Fraction(1, 10**9)
    middle = (Fraction(delta["lower"]) + Fraction(delta["upper"])) / 2
    delta["lower"], delta["upper"] = (
        (str(middle * (1 + part)), str(middle * (1 + 2 * part)))
        if end == "lower"
        else (str(middle * (1 - 2 * part)), str(middle * (1 - part)))
    )
    assert refusal(certificate) == "K161"


def test_bounds_that_are_too_narrow() -> None:
    certificate = read("gaussian-d1")
    delta = certificate["claim"]["points"][0]["delta"]
    delta["upper"] = delta["lower"]
    assert refusal(certificate) == "K161"


@pytest.mark.slow
def test_an_epsilon_from_elsewhere() -> None:
    for name in SMALL:
        certificate = read(name)
        certificate["claim"]["points"][0]["epsilon"] = "3/4"
        assert refusal(certificate)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "value"),
    [("generator", "1/cosh(2*r)"), ("dimension", 2), ("sensitivity", "2"), ("scale", "1/2"), ("theorem", "Theorem A")],
)
def test_another_noise(field: str, value: object) -> None:
    certificate = read("hyperbolic-secant")
    certificate["claim"][field] = value
    assert refusal(certificate)


@pytest.mark.parametrize(("field", "value"), [("generator", "exp(-y/3)"), ("sensitivity", "2"), ("scale", "1/2")])
def test_a_gaussian_of_another_width(field: str, value: str) -> None:
    certificate = read(CLOSED)
    certificate["claim"][field] = value
    assert refusal(certificate) == "K161"


@pytest.mark.slow
def test_a_staircase_that_falls_more_slowly_or_not_by_these_steps() -> None:
    for place, value in (("generator", "exp(-floor(r)/2)"), ("generator", "exp(-floor(2*r))")):
        certificate = read("staircase")
        certificate["claim"][place] = value
        assert refusal(certificate)
    certificate = read("staircase")
    certificate["proof"]["profile"]["tail"] = "1/2"  # a step on which f need not fall
    assert refusal(certificate) == "K227"
    del certificate["proof"]["profile"]["tail"]
    assert refusal(certificate)


def test_a_panel_across_a_step_of_the_stairs() -> None:
    certificate = read("staircase")
    del certificate["proof"]["profile"]["mass"][2:6]
    assert refusal(certificate) in {"K226", "K151"}


def test_a_generator_that_rises_has_no_worst_shift() -> None:
    """The same steps about an f that is not non-increasing: Theorem B does not hold."""
    certificate = read("gaussian-d1")
    certificate["claim"]["generator"] = "exp(-(r-1)**2/2)"
    assert refusal(certificate)


def _panels(certificate: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = certificate["proof"]["profile"]["points"][0]
    return found


@pytest.mark.slow
def test_a_boundary_that_lies_too_far_out() -> None:
    """S' no longer holds S, so the cost is not known: by much, and by less than the kernel's margin."""
    for by in (Fraction(1, 1000), Fraction(1, 10**8)):
        certificate = read(SPHERES)
        panels = _panels(certificate)
        k = panels["sets"].index("c")
        panels["boundaries"][k][0] = str(Fraction(panels["boundaries"][k][0]) + by)
        assert refusal(certificate) in {"K157", "steps", "K159"}


def test_a_boundary_too_far_in_costs_what_it_adds() -> None:
    """A set that is much too large is permitted, but not the narrow bounds."""
    certificate = read(SPHERES)
    panels = _panels(certificate)
    k = panels["sets"].index("c")
    panels["boundaries"][k][0] = str(Fraction(panels["boundaries"][k][0]) - Fraction(1, 10**3))
    assert refusal(certificate)


@pytest.mark.sweep
def test_a_piece_of_the_boundary_dropped() -> None:
    for name in (SPHERES, "student-t-nu3-d3"):
        certificate = read(name)
        panels = _panels(certificate)
        caps = [i for i, word in enumerate(panels["sets"]) if word == "c"]
        k = caps[len(caps) // 2]  # the last of them adds next to nothing
        panels["sets"] = panels["sets"][:k] + "e" + panels["sets"][k + 1 :]
        panels["boundaries"][k] = []
        assert refusal(certificate)
        shorter = read(name)
        panels = _panels(shorter)
        del panels["marks"][k + 1], panels["boundaries"][k]
        panels["sets"] = panels["sets"][:k] + panels["sets"][k + 1 :]
        assert refusal(shorter)


@pytest.mark.slow
def test_a_joint_dropped_or_cut_elsewhere() -> None:
    certificate = read("student-t-nu3-d3")
    assert _panels(certificate)["joints"]
    del _panels(certificate)["joints"][-1]
    assert refusal(certificate)


@pytest.mark.slow
def test_everything_where_there_is_nothing() -> None:
    certificate = read("hyperbolic-secant")
    step = _panels(certificate)
    widths = [Fraction(b) - Fraction(a) for a, b in pairwise(step["left"])]
    k = max(range(step["left_sets"].index("f")), key=lambda k: widths[k])  # before the boundary, where f has mass
    assert step["left_sets"][k] == "e"
    step["left_sets"] = step["left_sets"][:k] + "f" + step["left_sets"][k + 1 :]
    assert refusal(certificate) == "K161"


@pytest.mark.slow
def test_part_of_the_line_or_of_the_mass_left_out() -> None:
    for change in ("left", "right", "mass"):
        certificate = read("hyperbolic-secant")
        proof = certificate["proof"]["profile"]
        marks = proof["mass"] if change == "mass" else proof["points"][0][change]
        if change == "mass":
            del marks[0]
        else:
            del marks[0]
            proof["points"][0][f"{change}_sets"] = proof["points"][0][f"{change}_sets"][1:]
        assert refusal(certificate)


@pytest.mark.slow
def test_delta_called_nothing_below_the_pure_epsilon() -> None:
    certificate = read("laplace-d1")
    certificate["claim"]["points"][0]["delta"] = {"lower": "0", "upper": "0"}
    assert refusal(certificate) == "K161"
    certificate["proof"]["profile"]["points"][0] = "pure"
    assert refusal(certificate)


@pytest.mark.slow
def test_a_quantile_whose_ends_are_the_wrong_way_or_another_delta() -> None:
    certificate = read("gaussian-quantile")
    (quantile,) = certificate["claim"]["quantiles"]
    for delta in ("1/99999", "1/100001"):
        forged = copy.deepcopy(certificate)
        forged["claim"]["quantiles"][0]["delta"] = delta
        assert refusal(forged) == "K162"
    forged = copy.deepcopy(certificate)
    forged["claim"]["quantiles"][0]["epsilon"]["upper"] = quantile["epsilon"]["lower"]
    assert refusal(forged) == "K162"


@pytest.mark.slow
def test_a_step_that_no_claim_needs_or_a_rule_listed_in_vain() -> None:
    certificate = read("hyperbolic-secant")
    certificate["proof"]["witness"] = {"near": "zero", "box": None, "shift": None}
    assert refusal(certificate) == "steps"
    certificate = read("hyperbolic-secant")
    certificate["rules"]["panels"].append("K157")
    assert refusal(certificate) == "rules"


@pytest.mark.slow
def test_the_kernel_bounds_what_the_prover_writes_down() -> None:
    """The claim is the kernel's own enclosure, rounded outward: never narrower."""
    certificate = read("gaussian-d1")
    kernel.certificate.load_section("profiles")
    proof, claim = certificate["proof"], certificate["claim"]
    ((low, high),) = replay.pruned(claim, proof, lambda found: False).bounds
    delta = claim["points"][0]["delta"]
    assert Fraction(delta["lower"]) <= Fraction(low) <= Fraction(high) <= Fraction(delta["upper"])


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("name", SMALL)
def test_every_number_of_a_small_certificate_matters(name: str) -> None:
    """Any value of the claim or the profile's step replaced by another type is refused, and never a crash."""
    original = read(name)
    for place in ("mass", "order", "points"):
        for value in (None, 3, "x", [], {}, ["1"]):
            forged = copy.deepcopy(original)
            forged["proof"]["profile"][place] = value
            assert refusal(forged), (place, value)
    for field in original["claim"]:
        for value in (None, -1, "x", [], {}):
            forged = copy.deepcopy(original)
            if forged["claim"][field] == value:
                continue
            forged["claim"][field] = value
            assert refusal(forged), (field, value)


@pytest.mark.slow
def test_everything_beyond_the_shift() -> None:
    """There the spheres' inner edge would count in Q, which the rule for everything leaves out."""
    certificate = read("laplace-d2")
    panels = _panels(certificate)
    k = next(i for i, a in enumerate(panels["marks"]) if Fraction(a) >= 1)
    panels["sets"] = panels["sets"][:k] + "f" + panels["sets"][k + 1 :]
    panels["boundaries"][k] = []
    assert refusal(certificate) == "steps"


def test_an_epsilon_for_the_delta_nothing() -> None:
    """From the pure epsilon on delta is 0 at every eps, so that none of these is the least."""
    certificate = read("laplace-d1")
    point = next(p for p in certificate["claim"]["points"] if p["delta"] == {"lower": "0", "upper": "0"})
    ends = {"lower": point["epsilon"], "upper": point["epsilon"]}
    certificate["claim"]["quantiles"] = [{"delta": "0", "epsilon": ends}]
    assert refusal(certificate) == "K162"


def many(certificate: dict[str, Any], change: str) -> None:
    """A small file that asks for the work of days."""
    step, point = certificate["proof"]["profile"], _panels(certificate)
    step["order"] = 24
    if change == "dimension":
        certificate["claim"]["dimension"] = 10**6
    elif change in ("left", "marks", "mass"):
        listed = step[change] if change == "mass" else point[change]
        more = 4_900 - len(listed)
        listed += [str(Fraction(listed[-1]) + k) for k in range(1, more + 1)]
        if change == "left":
            point["left_sets"] += "e" * more
        if change == "marks":
            point["sets"] += "e" * more
            point["boundaries"] += [[]] * more
    elif change == "joints":
        cuts = [str(1 + Fraction(k, 10**6)) for k in range(1, 10_000)]
        point["joints"][0] = {"cuts": cuts, "rules": "t" * 10_000}
    else:
        for given in (certificate["claim"]["points"], step["points"]):
            given.extend([given[0]] * 2_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "change"),
    [
        *(("laplace-d1", change) for change in ("left", "mass", "points")),
        *((SPHERES, change) for change in ("marks", "mass", "points", "joints", "dimension")),
    ],
)
def test_a_small_file_that_asks_for_days_is_refused_at_once(name: str, change: str) -> None:
    certificate = read(name)
    many(certificate, change)
    assert refusal(certificate) == "limits"


@pytest.mark.slow
def test_that_nothing_is_lost_is_shown_once_for_all_points_beyond_the_pure_epsilon() -> None:
    found = dpverify.profile("laplace", epsilon=["2", "3/2"], certificate=True).certificate
    assert found is not None
    claim, step = found["claim"], found["proof"]["profile"]
    assert step["points"] == ["pure", "pure"]
    for given in (claim["points"], step["points"]):
        given.extend([given[0]] * 2_000)
    shown: list[Fraction] = []
    at_most, needed = THEOREMS["Theorem 3"]

    def counted(proof: Any, epsilon: Fraction) -> None:
        shown.append(epsilon)
        at_most(proof, epsilon)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(THEOREMS, "Theorem 3", (counted, needed))
        assert not refusal(found)
        assert shown == [Fraction(3, 2)]
    claim["points"][-1] = {**claim["points"][-1], "epsilon": "99/100"}
    assert refusal(found)
