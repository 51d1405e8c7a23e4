"""Certificates that the kernel must refuse: every field altered in turn, and forgeries with a fresh digest."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dpverify import kernel
from dpverify.certificate import digest, serialise
from dpverify.kernel import RULES
from dpverify.kernel.sections import fields
from dpverify.kernel.sections.charts import LEMMAS
from tests.kernel.test_forgeries import sealed

GALLERY = Path(__file__).parents[2] / "certificates"
NAMES = [
    "student-t-nu3-d2",
    "laplace-d3",
    "gaussian-d1",
    "multivariate-laplace-d3",
    "algebraic-not-integrable",
    "negative-somewhere",
    "gaussian-plus-laplace",
    "multivariate-laplace-d2",
]


def gallery(name: str) -> dict[str, Any]:
    return json.loads((GALLERY / f"{name}.json").read_text())


CODES = {*RULES, "format", "limits", "claim", "steps", "rules", "digest"}


def accepts(certificate: Any, fresh_digest: bool = True) -> bool:
    """Whether the kernel accepts it, as it is and with the rules that it would need listed, or each rule there is."""
    attempts = [certificate]
    if fresh_digest and isinstance(certificate, dict) and "digest" in certificate:
        attempts = [{**certificate, "digest": digest(certificate)}]
        if isinstance(certificate.get("claim"), dict) and isinstance(certificate.get("proof"), dict):
            replayed = sealed(certificate["claim"], certificate["proof"])
            listed = {**certificate, "rules": replayed["rules"]}
            attempts.append({**listed, "digest": digest(listed)})
    return any(_accepts(attempt) for attempt in attempts)


def _accepts(certificate: Any) -> bool:
    try:
        kernel.check_bytes(json.dumps(certificate).encode())
    except kernel.Rejected as error:
        assert len(str(error).splitlines()) == 1
        assert error.code in CODES, error
        return False
    return True


def paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths(inner, (*at, key))


def altered(certificate: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    result = copy.deepcopy(certificate)
    place = result
    for key in path[:-1]:
        place = place[key]
    if value is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return result


MISSING = object()
WRONG: list[Any] = [
    float("nan"),
    10**400,
    -1,
    "",
    "1/0",
    "nan",
    "1e5",
    [],
    {},
    True,
    "x" * 3000,
    "9" * 3000,
    0.5,
    MISSING,
]


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize("name", NAMES)
def test_the_gallery_is_accepted(name: str) -> None:
    assert accepts(gallery(name), fresh_digest=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_any_altered_field_is_refused_by_the_digest(name: str) -> None:
    original = gallery(name)
    for path in paths(original):
        for value in (MISSING, "1/7", None, 0):
            changed = altered(original, path, value)
            if changed != original:
                assert not accepts(changed, fresh_digest=False), (path, value)


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize("name", NAMES)
def test_ill_typed_fields_are_refused_even_with_a_fresh_digest(name: str) -> None:
    """Every field is read: there are none that the claim does not call for."""
    original = gallery(name)
    for path in paths(original):
        if path[0] == "digest" or path[:2] == ("proof", "cover") or path[-2:-1] == ("cover",):
            continue  # boxes have a test of their own
        for value in WRONG:
            changed = altered(original, path, value)
            harmless = changed == original or (path[0] == "program" and isinstance(value, str))
            if harmless or (path[:3] == ("claim", "parameters", "nu") and value == -1):
                continue
            attempt = {**changed, "digest": digest(changed)} if isinstance(changed, dict) else changed
            assert not _accepts(attempt), (path, value)


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize("name", NAMES)
def test_ill_typed_points_are_refused_even_with_a_fresh_digest(name: str) -> None:
    original = gallery(name)
    for path in paths(original):
        if path[-1] == "cover":
            for value in [*WRONG, [*original["proof"]["zero"], "1"], ["1/1024", 16], [["1/1024"], "16"]]:
                assert not accepts(altered(original, path, value)), (path, value)
        if path[-2:-1] == ("cover",) and path[-1] in (0, 1):
            for value in WRONG:
                dropped = value is MISSING and path[-1] == 1  # a wider box may be good enough
                assert dropped or not accepts(altered(original, path, value)), (path, value)


@pytest.mark.slow
def test_a_lower_upper_bound_is_refused() -> None:
    original = gallery("student-t-nu3-d2")
    low, high = (Fraction(original["claim"]["epsilon"][k]) for k in ("lower", "upper"))
    for cut in (Fraction(1, 10**11), Fraction(1, 10**6), Fraction(1)):
        assert not accepts(altered(original, ("claim", "epsilon", "upper"), str(low - cut)))
        assert not accepts(
            altered(
                altered(original, ("claim", "epsilon", "upper"), str(low - cut)), ("claim", "epsilon", "lower"), "0"
            )
        )
    assert not accepts(altered(original, ("claim", "epsilon", "lower"), str(high)))


@pytest.mark.slow
@pytest.mark.parametrize("index", [0, 1, 5, -2, -1])
def test_a_gap_in_a_cover_is_refused(index: int) -> None:
    """In the boxes on which f is positive, here octaves, and in those of the supremum, with what is said of each."""
    octaves = ["1/1024", "1/256", "1/64", "1/16", "1/4", "1", "4", "16"]
    original = altered(gallery("student-t-nu3-d2"), ("proof", "cover"), octaves)
    step = original["proof"]["supremum"]
    assert accepts(original)
    for path, points in ((("proof", "cover"), octaves), (("proof", "supremum"), step["cover"])):
        swapped = list(points)
        swapped[index], swapped[index - 1] = swapped[index - 1], swapped[index]
        wrong = [swapped, *([points[1:]] if index == 0 else [points[:-1]] if index == -1 else [])]
        for marks in wrong:
            concave = step["concave"][1:] if marks == points[1:] else step["concave"][: len(marks) - 1]
            value = marks if path[-1] == "cover" else {**step, "cover": marks, "concave": concave}
            assert not accepts(altered(original, path, value))


def test_coarse_covers_are_refused() -> None:
    original = gallery("student-t-nu3-d2")
    step = original["proof"]["supremum"]
    points, (radius,) = step["cover"], [c for c in step["concave"] if c is not None]
    for marks in ([points[0], points[-1]], points[::6] + [points[-1]]):
        within = [Fraction(a) < Fraction(radius) < Fraction(b) for a, b in pairwise(marks)]
        coarse = {**step, "cover": marks, "concave": [radius if here else None for here in within]}
        assert sum(within) == 1
        assert not accepts(altered(original, ("proof", "supremum"), coarse))


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize(
    "text",
    [
        "exp(-y/2)",
        "(1+y)**(-3)",
        "exp(-sqrt(y))",
        "(1+y/nu)**(-(nu+d))",
        "(1+y/nu)**(-(nu+d)/2)*exp(-y)",
        "1",
        "exp(y)",
        "__import__('os')",
        "(1+y/nu)**(-(nu+d)/2",
        "x",
        "9**9**9**9",
        "(" * 3000,
        "sin(y)",
        "1/(y-1)",
    ],
)
def test_a_foreign_generator_is_refused(text: str) -> None:
    assert not accepts(altered(gallery("student-t-nu3-d2"), ("claim", "generator"), text))


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize("d", [1, 3, 10**6, 0, -1, 2.5, "2", True])
def test_another_dimension_is_refused(d: Any) -> None:
    assert not accepts(altered(gallery("student-t-nu3-d2"), ("claim", "dimension"), d))


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize("delta", ["2", "11/10", "1000001/1000000", "0", "-1"])
@pytest.mark.parametrize("name", ("student-t-nu3-d2", "laplace-d3"))
def test_a_larger_sensitivity_is_refused(delta: str, name: str) -> None:
    assert not accepts(altered(gallery(name), ("claim", "sensitivity"), delta))


@pytest.mark.parametrize("nu", ["2", "4", "31/10", "-3", "0"])
def test_other_parameters_are_refused(nu: str) -> None:
    assert not accepts(altered(gallery("student-t-nu3-d2"), ("claim", "parameters", "nu"), nu))


@pytest.mark.slow
def test_a_wrong_witness_is_refused() -> None:
    original = gallery("student-t-nu3-d2")
    for box in (["1", "101/100"], ["3", "4"], ["-1", "1"], ["2", "1"], ["0", "1"], ["1"]):
        assert not accepts(altered(original, ("proof", "witness", "box"), box))
    assert not accepts(altered(original, ("proof", "witness", "shift"), "2"))
    for near in ("zero", "infinity"):
        assert not accepts(altered(original, ("proof", "witness", "near"), near))


@pytest.mark.sampled(stay=2)
@pytest.mark.parametrize("form", ["delta", "log(2)", "1.42", "nu", "y", "exp(1000)*delta", "1/0"])
def test_a_wrong_closed_form_is_refused(form: str) -> None:
    assert not accepts(altered(gallery("student-t-nu3-d2"), ("claim", "closed_form"), form))


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize("name", NAMES)
def test_verdicts_cannot_be_exchanged(name: str) -> None:
    original = gallery(name)
    for verdict in {"private", "not_private", "invalid", "undecided"} - {original["claim"]["verdict"]}:
        for theorem in ("Theorem 3", "Theorem A", None):
            for epsilon in (original["claim"]["epsilon"], {"lower": "0", "upper": "1000"}, None):
                changed = altered(altered(original, ("claim", "verdict"), verdict), ("claim", "epsilon"), epsilon)
                changed = altered(altered(changed, ("claim", "theorem"), theorem), ("claim", "closed_form"), None)
                assert not accepts(changed), (name, verdict, theorem)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_statuses_cannot_be_exchanged(name: str) -> None:
    original = gallery(name)
    for hypothesis, status in original["claim"]["hypotheses"].items():
        for other in {"proved", "refuted"} - {status}:
            assert not accepts(altered(original, ("claim", "hypotheses", hypothesis), other)), (
                name,
                hypothesis,
                other,
            )


@pytest.mark.slow
def test_a_private_claim_needs_every_hypothesis() -> None:
    original = gallery("student-t-nu3-d2")
    for hypothesis in original["claim"]["hypotheses"]:
        assert not accepts(altered(original, ("claim", "hypotheses", hypothesis), "undecided"))


def test_the_gaussian_cannot_be_called_private() -> None:
    forged = copy.deepcopy(gallery("laplace-d3"))
    forged["claim"]["generator"] = "exp(-y/2)"
    assert not accepts(forged)
    forged["claim"]["epsilon"] = {"lower": "0", "upper": "1000000"}
    forged["claim"]["closed_form"] = None
    assert not accepts(forged)


@pytest.mark.slow
def test_assumptions_must_be_the_ones_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    bessel, lemma = gallery("multivariate-laplace-d2"), "besselk: what a section takes on trust"
    assert bessel["assumptions"] == [] and accepts(bessel)
    assert not accepts(altered(bessel, ("assumptions",), [lemma]))
    assert not accepts(altered(gallery("laplace-d3"), ("assumptions",), ["anything"]))
    monkeypatch.setitem(LEMMAS, "matern", lemma)
    assert accepts(altered(bessel, ("assumptions",), [lemma]))
    assert not accepts(bessel)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[",
        b"null",
        b"[]",
        b"{}",
        b'"x"',
        b"1" * 100,
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b'{"a": 1e5}',
        b'{"a": Infinity}',
        b"[" * 100_000,
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b" " * (kernel.MAX_BYTES + 1),
        b'{"a": ' + b"9" * 1_000_000 + b"}",
    ],
    ids=range(16),
)
def test_files_that_are_no_certificates_are_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(kernel.Rejected) as error:
        kernel.check_bytes(data)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.slow
def test_many_boxes_are_bounded() -> None:
    original = gallery("laplace-d3")
    points = [f"{k}" for k in range(1, fields.MAX_BOXES + 10)]
    assert not accepts(altered(original, ("proof", "cover"), points))


@pytest.mark.parametrize("name", NAMES)
def test_serialisation_is_canonical(name: str) -> None:
    assert serialise(gallery(name)) == (GALLERY / f"{name}.json").read_bytes()


@pytest.mark.slow
def test_an_upward_jump_where_two_boxes_meet_is_not_called_falling() -> None:
    """f = exp(-3 r + floor(min(r, 5))) jumps up at whole radii; between them it falls."""
    forged = copy.deepcopy(gallery("laplace-d3"))
    points = ["1/1024", "1/2", *(str(k) for k in range(1, 65))]
    forged["proof"] = {
        "zero": {"radius": "1/1024", "order": 6},
        "infinity": {"radius": "64", "order": 6},
        "cover": points,
        "decreasing": {"drops": [], "phase_drops": None},
        "integrable": {"tail": "logs", "boxes": "logs"},
        "supremum": {"cover": points, "near_zero": "slopes"},
        "witness": {"near": "infinity", "box": None, "shift": None},
    }
    forged["claim"] = {
        **forged["claim"],
        "sensitivity": "1/10",
        "scale": "1",
        "epsilon": {"lower": "3/10", "upper": "301/1000"},
        "closed_form": None,
        "tail_log_ratio": None,
    }
    assert accepts(altered(forged, ("claim", "generator"), "exp(-3*r)"))
    every: tuple[Any, ...] = ([], points, *([p] for p in points))
    for text, drops in [
        *(("exp(-3*r+floor(Min(r,5)))", drops) for drops in every),
        *(
            (f"Piecewise((exp(-3*r), r < {k}), (2*exp(-3*r), True))", drops)
            for k in (1, 2, 5)
            for drops in ([], [str(k)], points)
        ),
    ]:
        for how in ({"drops": drops, "phase_drops": None}, "form"):
            changed = altered(altered(forged, ("claim", "generator"), text), ("proof", "decreasing"), how)
            assert not accepts(changed), (text, how)
