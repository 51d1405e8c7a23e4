"""Whatever stands in a certificate instead of what is expected, the kernel's answer is a refusal, never a crash."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpverify import kernel
from dpverify.certificate.seal import by_section
from dpverify.kernel import RULES, Rejected
from dpverify.kernel.sections.charts import Subject
from tests.kernel.problems import ENDS, proven, sealed, written

FOLDER = Path(kernel.__file__).parent
GALLERY = FOLDER.parents[1] / "certificates"
ODD: list[Any] = [None, True, 0, -1, 10**18, "", "x", "0", "-1", "1/2", "\x1b[2J", [], [[]], ["0", "1"], {}, {"a": []}]
PROVED = dict.fromkeys(("positive", "finite_at_zero", "integrable", "tail_ratio_bounded"), "proved")
GRID = ["1/1024", *(f"{k}" for k in range(1, 17))]
THEOREM_A: dict[str, Any] = {
    **ENDS,
    "cover": GRID,
    "integrable": {"tail": "logs", "boxes": "logs"},
    "witness": {"near": "box", "box": ["1", "2"], "shift": "1"},
    "supremum": {
        "cover": GRID,
        "cuts": [],
        "shifts": [["0", "1"]] * 16,
        "rules": ["r"] * 16,
        "ahead": ["1/1024", "2"],
    },
}  # fmt: skip


def shift_invariant() -> dict[str, Any]:
    bounds = {"epsilon": {"lower": "0", "upper": "2"}, "theorem": "Theorem A"}
    return written("exp(-r)", "private", PROVED, copy.deepcopy(THEOREM_A), **bounds)


def samples() -> dict[str, Any]:
    """Small certificates of every verdict, that hold."""
    sign = {"kind": "negative", "box": ["1", "2"], "by": "value"}
    undefined = {"undefined": {"need": 0, "box": ["1", "2"]}}
    found = {
        "Theorem A": shift_invariant(),
        "negative": written("-exp(-r)", "invalid", {"positive": "refuted"}, {**ENDS, "sign": sign}),
        "undefined": written("log(-r)", "invalid", {"defined": "refuted"}, undefined),
        "divergent": written("1/(1+r)", "invalid", {"integrable": "refuted"},
                             {**ENDS, "integrable": {"diverges": "tail"}}),
    }  # fmt: skip
    return found | {name: json.loads((GALLERY / f"{name}.json").read_text()) for name in ("laplace-d1", "gaussian-d1")}


def places(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a certificate, of long lists the first two."""
    if path:
        yield path
    items = part.items() if isinstance(part, dict) else enumerate(part[:2]) if isinstance(part, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def put(certificate: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(certificate)
    place: Any = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


def answer(data: bytes) -> str:
    """Anything but Rejected would leave this function."""
    try:
        kernel.check_bytes(data)
    except Rejected as refusal:
        assert len(str(refusal).splitlines()) == 1 and str(refusal).isprintable()
        return "refused"
    return "accepted"


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize("name", sorted(samples()))
def test_odd_shapes_are_refused(name: str) -> None:
    certificate = samples()[name]
    if not certificate["rules"]:
        proven(certificate)
    assert answer(sealed(certificate, certificate["rules"])) == "accepted"
    everything, answers = by_section(set(RULES)), []
    for path in places(certificate):
        steps = path[0] in ("claim", "proof")
        for value in ODD if steps else ODD[::3]:
            changed = put(certificate, path, value)
            rules = everything if steps else changed["rules"]
            answers.append(answer(sealed(changed, rules)))
    assert answers.count("refused") > len(answers) * 0.9 and len(answers) > 300


@pytest.mark.parametrize("name", sorted(samples()))
def test_steps_and_fields_too_many_or_too_few_are_refused(name: str) -> None:
    certificate = samples()[name]
    proven(certificate)
    for path in places(certificate["proof"]):
        inner: Any = certificate["proof"]
        for key in path[:-1]:
            inner = inner[key]
        if isinstance(inner, dict):
            changed = copy.deepcopy(certificate)
            place: Any = changed["proof"]
            for key in path[:-1]:
                place = place[key]
            del place[path[-1]]
            assert answer(sealed(changed, certificate["rules"])) == "refused", path
            more = put(certificate, ("proof", *path[:-1], "more\n"), 1)
            assert answer(sealed(more, certificate["rules"])) == "refused", path


@pytest.mark.parametrize("listed", ["all", "without waves"])
@pytest.mark.parametrize("phase", [None, {"turns": True, "frequency": "1", "cover": ["0", "2"], "peak": "0"}])
def test_shifts_of_phases_without_phases_are_refused(listed: str, phase: Any) -> None:
    certificate = shift_invariant()
    certificate["proof"]["supremum"] |= {"phases": ["0", "2"], "phase_shifts": [["0", "1"]], "phase_rules": ["r"]}
    if phase:
        certificate["proof"]["phase"] = phase
    rules = by_section(set(RULES))
    if listed != "all":
        del rules["waves"]
    assert answer(sealed(certificate, rules)) == "refused"


@pytest.mark.parametrize("words", [{"tail": [], "boxes": "logs"}, {"tail": "logs", "boxes": {}}, {"diverges": []}])
@pytest.mark.parametrize("status", ("proved", "refuted"))
def test_words_that_are_no_words_are_refused(words: Any, status: str) -> None:
    proof = {**ENDS, "cover": GRID, "integrable": words}
    assert answer(sealed(written("exp(-r)", "invalid", {"integrable": status}, proof))) == "refused"


@pytest.mark.parametrize("argument", ["r", "1+r", "pi", "sqrt(2)", "sqrt(4)", "1/2+0*r", "-1/2+0*r", "Max(1,2)"])
def test_gamma_of_what_is_no_number_is_not_shown_to_have_no_value(argument: str) -> None:
    """Gamma has a value there, or may have: there is no need, or one that is not shown to fail."""
    proof = {"undefined": {"need": 0, "box": ["1", "2"]}}
    certificate = written(f"exp(-r)*(2+gamma({argument}))", "invalid", {"defined": "refuted"}, proof)
    with pytest.raises(Rejected, match=r"names no need of the text|no value is missing"):
        kernel.check_bytes(sealed(certificate))


@pytest.mark.parametrize("argument", ["0", "-1", "-2", "-3", "-7", "2-3"])
def test_gamma_of_a_pole_has_no_value(argument: str) -> None:
    proof = {"undefined": {"need": 0, "box": ["1", "2"]}}
    certificate = written(f"exp(-r)*(2+gamma({argument}))", "invalid", {"defined": "refuted"}, proof)
    assert answer(proven(certificate)) == "accepted"


def test_ways_are_those_of_the_generators_nodes_also_where_there_is_a_closed_form() -> None:
    """The closed form's nodes are numbered from one as well."""
    certificate = json.loads((GALLERY / "laplace-d1.json").read_text())
    certificate["claim"]["generator"] = "exp(-r)*(1+exp(-r))/(1+exp(-r))"
    certificate["claim"]["closed_form"] = "delta"
    subject = Subject(certificate["claim"])
    assert {id(node) for node in subject.nodes()}.isdisjoint({id(subject.form[1])})  # type: ignore[index]
    assert sorted(node.number for node in subject.nodes()) == sorted({node.number for node in subject.nodes()})


def handlers(path: Path) -> list[tuple[str, str]]:
    """What each except catches, with the name of the function that holds it."""
    found = []
    for function in ast.walk(ast.parse(path.read_text())):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.ExceptHandler):
                    found.append((function.name, ast.unparse(node.type) if node.type else "everything"))
    return found


@pytest.mark.slow
def test_nothing_is_tried_and_given_up() -> None:
    """A refusal is caught where it gets its code, and where the command line reports it: nowhere else."""
    caught = {
        (str(path.relative_to(FOLDER)), function)
        for path in sorted(FOLDER.rglob("*.py"))
        for function, names in handlers(path)
        if any(name in names for name in ("Rejected", "Exception", "everything", "Unreadable"))
    }
    own = {("rules.py", "rule"), ("rules.py", "numbered"), ("rules.py", "replayed"), ("main.py", "main")}
    assert caught == {*own, ("certificate.py", "replay")}
    for path in FOLDER.rglob("*.py"):
        text = path.read_text()
        assert "suppress" not in text and "contextlib" not in text, path
    (handler,) = (
        node for node in ast.walk(ast.parse((FOLDER / "rules.py").read_text())) if isinstance(node, ast.ExceptHandler)
    )
    assert isinstance(handler.body[-1], ast.Raise) and handler.body[-1].exc is None
