"""A report says what the kernel has accepted, and nothing else; what comes from outside stays text."""

from __future__ import annotations

import hashlib
import html
import json
import re
import shlex
import xml.dom.minidom
from fractions import Fraction
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from dpverify import Generator, InputError, source, verify
from dpverify.certificate import serialise
from dpverify.certificate.complete import complete
from dpverify.kernel.sections.epsilon import HYPOTHESES
from dpverify.show import examine, write
from dpverify.show.document import html as as_html
from dpverify.show.document import markdown as as_markdown
from dpverify.show.document import pdf as as_pdf
from dpverify.show.examination import examine_bytes
from dpverify.show.plots.lines import Drawn, geometric
from dpverify.show.reports import report
from dpverify.show.sheet import sheet
from dpverify.show.words import printable
from tests.show.files import GALLERY, forged

NAMES = sorted(path.stem for path in GALLERY.glob("*.json"))
HOSTILE = "<script>alert(1)</script>![x](javascript:alert(1))`$|\\\n# <img src=x onerror=alert(1)>"
VERDICTS = {"private": "Private", "not_private": "Private for no ε", "invalid": "Not a density generator"}


def text_of(page: str) -> str:
    return html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["student-t-nu3-d2", "multivariate-laplace-d2", "algebraic-not-integrable"])
def test_every_format_has_the_verdict_the_bounds_the_hash_and_the_command(name: str, tmp_path: Path) -> None:
    path = GALLERY / f"{name}.json"
    claim = json.loads(path.read_bytes())["claim"]
    page = report(examine(path))
    said = [VERDICTS[claim["verdict"]], hashlib.sha256(path.read_bytes()).hexdigest(), f"dpverify check {path.name}"]
    if claim["epsilon"]:
        said += claim["epsilon"].values()
    for text in (text_of(as_html(page)), as_markdown(page, "plot.png")):
        for words in said:
            assert words in text, words
    for lemma in json.loads(path.read_bytes())["assumptions"]:
        assert lemma in text_of(as_html(page))


@pytest.mark.slow
@pytest.mark.swept(stay=8)
@pytest.mark.parametrize("name", NAMES)
def test_every_hypothesis_is_told_with_its_status_and_a_reason(name: str) -> None:
    examined = examine(GALLERY / f"{name}.json")
    assert examined.claim is not None
    told = report(examined, drawn=False).part("Hypotheses").rows
    assert [h.status for h in told] == [
        examined.claim["hypotheses"][key]
        for key in ("defined", "positive", "decreasing", "finite_at_zero", "integrable", "tail_ratio_bounded")
    ]
    assert all(h.text.endswith(".") and h.formula for h in told)


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("exp(-sqrt(y))*(3+sin(r))", {"dimension": 2}),
        ("exp(-r)*(1+y)", {}),
        ("Piecewise((1, r<1), (0, True))", {}),
        ("r*exp(-r)", {}),
        ("exp(-floor(r))", {"sensitivity": "7/5"}),
    ],
)
def test_oscillations_jumps_zeros_and_rising_generators(text: str, options: dict[str, Any], tmp_path: Path) -> None:
    result = verify(text, **options)
    assert result.certificate is not None
    examined = examine(result.save(tmp_path / "c.json"))
    page = report(examined)
    assert page.title == VERDICTS[result.verdict]
    (picture,) = page.pictures
    assert (picture.bound is not None) == (result.verdict == "private")
    falls = result.hypotheses.decreasing.status == "proved"
    assert ("g(s)" in (page.statement or "")) == (not falls)
    assert as_pdf(page).startswith(b"%PDF")
    assert text in text_of(as_html(page)).replace("\n", " ")


@pytest.mark.parametrize(("name", "told"), [("laplace-d3", r"\varepsilon = 1"), ("student-t-nu3-d2", r"\approx")])
def test_an_epsilon_that_is_one_number_is_called_equal_to_it(name: str, told: str) -> None:
    claim = report(examine(GALLERY / f"{name}.json")).part("The claim")
    (row,) = (row for row in claim.rows if row.label == "Epsilon")
    assert told in (row.formula or "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ("student-t-nu3-d2", "gaussian-plus-laplace", "pearson-like", "laplace-d3-scaled"))
def test_the_drawn_loss_stays_below_the_proved_bound_and_comes_up_to_it(name: str) -> None:
    page = report(examine(GALLERY / f"{name}.json"))
    (picture,) = page.pictures
    assert picture.bound is not None
    heights = picture.curves[0][1].finite()
    assert max(heights) <= picture.bound[0] * (1 + 1e-12)
    assert max(heights) >= picture.bound[0] * (1 - 1e-3)


@pytest.mark.slow
def test_the_drawn_loss_is_the_closed_form_of_student_t() -> None:
    """phi(c - 1) = (nu + d)/2 log((1 + c^2/nu)/(1 + (c-1)^2/nu)) with nu = 3, d = 2, in plain floating point."""
    (picture,) = report(examine(GALLERY / "student-t-nu3-d2.json")).pictures
    curve = picture.curves[0][1]
    for c, height in zip(curve.x, curve.y, strict=True):
        assert height == pytest.approx(2.5 * log((1 + c * c / 3) / (1 + (c - 1) ** 2 / 3)), abs=1e-9)


@pytest.mark.slow
def test_bounds_are_rounded_outwards() -> None:
    examined = examine(GALLERY / "student-t-nu3-d2.json")
    sentence = report(examined, drawn=False).lead
    lower, upper = re.findall(r"[0-9.]+[0-9]", sentence.split("private for")[1])[::-1]
    claim = examined.claim
    assert claim is not None
    assert Fraction(lower) <= Fraction(claim["epsilon"]["lower"])
    assert Fraction(upper) >= Fraction(claim["epsilon"]["upper"])


@pytest.mark.slow
def test_a_refused_certificate_gets_no_claim(tmp_path: Path) -> None:
    def smaller(data: dict[str, Any]) -> None:
        data["claim"]["epsilon"] = {"lower": "1/2", "upper": "77/100"}
        data["claim"]["closed_form"] = None

    examined = examine(forged("student-t-nu3-d2", smaller, tmp_path / "c.json"))
    page = report(examined)
    assert (page.title, page.statement, page.pictures) == ("Certificate not accepted", None, [])
    assert [part.title for part in page.parts] == ["Checking it again", "Provenance"]
    for text in (text_of(as_html(page)), as_markdown(page, "plot.png")):
        assert "not accept" in text
        assert "0.77" not in text
        assert "77/100" not in text.replace("not shown below 77/100", "")
        assert "private for" not in text
    assert as_pdf(page).startswith(b"%PDF")


def hostile_generator(data: dict[str, Any]) -> None:
    data["claim"]["generator"] = HOSTILE


def hostile_parameter(data: dict[str, Any]) -> None:
    data["claim"]["parameters"][HOSTILE] = "1"


def hostile_verdict(data: dict[str, Any]) -> None:
    data["claim"]["verdict"] = HOSTILE


def hostile_field(data: dict[str, Any]) -> None:
    data["proof"][HOSTILE] = HOSTILE


CHANGES = [hostile_generator, hostile_parameter, hostile_verdict, hostile_field]


@pytest.mark.parametrize("change", CHANGES)
def test_hostile_text_stays_text(change: Any, tmp_path: Path) -> None:
    page = report(examine(forged("student-t-nu3-d2", change, tmp_path / "c.json")))
    assert_harmless(as_html(page))
    assert_harmless(MarkdownIt("commonmark", {"html": True}).render(as_markdown(page, "plot.png")))
    assert as_pdf(page).startswith(b"%PDF")


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    "name",
    ["<script>alert(1)<!script>.json", "`a` [x](javascript:alert(1)).json", "a;rm -rf ~ $(x).json", "é\u202e\n.json"],
)
def test_hostile_file_names_stay_text(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes((GALLERY / "laplace-d3.json").read_bytes())
    page = report(examine(path))
    commands = [row.code for row in page.part("Checking it again").rows if row.label.startswith(("Check", "Or"))]
    assert len(commands) == 3
    assert_harmless(as_html(page))
    assert_harmless(MarkdownIt("commonmark", {"html": True}).render(as_markdown(page, "p.png")))
    assert all(shlex.split(command)[-1] == printable(name) for command in commands)
    assert "\u202e" not in as_html(page)
    assert as_pdf(page).startswith(b"%PDF")


def assert_harmless(page: str) -> None:
    assert not re.search(r"<(script|img|iframe|object|embed|base|form|link)\b(?![^>]*src=\"p(lot)?\.png\")", page)
    assert not re.search(r"<[^>]*\son[a-z]+\s*=", page)
    assert not re.search(r"(href|src)\s*=\s*[\"']?\s*javascript:", page)


@pytest.mark.slow
def test_huge_numbers_are_shortened_and_keep_their_direction(tmp_path: Path) -> None:
    result = verify("exp(-sqrt(y))", dimension=3, sensitivity=f"{10**400 + 7}/{10**399 + 1}", scale="3/7")
    page = report(examine(result.save(tmp_path / "c.json")))
    text = text_of(as_html(page))
    assert max(map(len, text.split())) < 200
    assert as_pdf(page).startswith(b"%PDF")
    huge = verify("exp(-sqrt(y))", sensitivity=10**800)
    page = report(examine(huge.save(tmp_path / "huge.json")))
    assert page.pictures == []
    assert max(map(len, text_of(as_html(page)).split())) < 200


@pytest.mark.slow
def test_parameters_of_any_name_are_shown_as_they_are(tmp_path: Path) -> None:
    result = verify("exp(-x_y_z*r)", parameters={"x_y_z": "22/7"})
    page = report(examine(result.save(tmp_path / "c.json")))
    assert "22/7" in text_of(as_html(page)).replace(" ", "")
    assert as_pdf(page).startswith(b"%PDF")


THEREBY = {"charts", "constants", "epsilon", "evaluation", "fields", "rings"}
"""Sections that every claim of an epsilon needs, without rules of their own."""


@pytest.mark.slow
@pytest.mark.swept(stay=1)
@pytest.mark.parametrize(
    ("name", "imported"),
    [
        ("student-t-nu3-d2", ["messages", "shapes"]),
        ("gaussian-d1", ["messages", "shapes", "tail"]),
        ("multivariate-laplace-d2", ["messages", "optional", "shapes", "short", "tail"]),
    ],
)
def test_the_rules_that_the_proof_rests_on_are_listed_with_what_there_is_to_read(
    name: str, imported: list[str]
) -> None:
    """What the sections listed import is to be read too, and every claim of an epsilon needs those without rules."""
    certificate = json.loads((GALLERY / f"{name}.json").read_bytes())
    numbers = [number for listed in certificate["rules"].values() for number in listed]
    page = report(examine(GALLERY / f"{name}.json"))
    rows = re.findall(r"<dt>(K\d+)</dt>", as_html(page))
    assert sorted(rows) == sorted(numbers)
    kernel = Path(source.KERNEL)
    files = [*kernel.glob("*.py"), kernel / "sections" / "__init__.py"]
    sections = {*certificate["rules"], *imported, *THEREBY} - {"core"}
    files += [kernel / "sections" / f"{section}.py" for section in sections]
    lines = sum(len(path.read_text().splitlines()) for path in files)
    for text in (text_of(as_html(page)), as_markdown(page, "plot.png")):
        assert f"rests on {len(numbers)} of the" in " ".join(text.split())
        assert f"reads {lines} of its" in " ".join(text.split())
        assert source.digest() in text


@pytest.mark.slow
def test_a_text_that_has_no_value_is_reported_without_a_plot(tmp_path: Path) -> None:
    draft = {
        "program": {"name": "by hand", "version": "1"},
        "claim": {
            **dict.fromkeys(("epsilon", "tail_log_ratio", "theorem", "closed_form")),
            "generator": "exp(-r)*log(-1-y)**0",
            "parameters": {},
            "dimension": 1,
            "sensitivity": "1",
            "scale": "1",
            "verdict": "invalid",
            "hypotheses": dict.fromkeys(HYPOTHESES, "undecided") | {"defined": "refuted"},
        },
        "proof": {"undefined": {"box": ["1", "2"]}},
    }
    page = report(examine_bytes(serialise(complete(draft)), "c.json"))
    assert page.title == VERDICTS["invalid"]
    assert page.notes[0].text == "An operation in the text of f has no value between r = 1 and r = 2."
    assert page.pictures == []
    assert [h.status for h in page.part("Hypotheses").rows] == ["refuted", *["undecided"] * 5]
    assert as_pdf(page).startswith(b"%PDF")


@pytest.mark.slow
def test_an_enclosure_that_supports_no_digit_is_shown_as_it_is() -> None:
    result = verify("laplace", dimension=3)
    assert result.draft is not None
    claim = {**result.draft["claim"], "epsilon": {"lower": "0", "upper": "8"}, "closed_form": None}
    page = report(examine_bytes(serialise(complete({**result.draft, "claim": claim})), "c.json"))
    shown = next(item.formula for item in page.part("The claim").rows if item.label == "Epsilon")
    assert shown == r"\varepsilon \in \left[0,\, 8\right]"


@pytest.mark.slow
def test_the_page_is_self_contained_and_says_what_it_is() -> None:
    page = as_html(report(examine(GALLERY / "student-t-nu3-d2.json")))
    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert '<html lang="en">' in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
    assert page.count("<h1>") == 1
    for block in re.findall(r"<math.*?</math>", page, re.DOTALL):
        xml.dom.minidom.parseString(block)
    assert re.search(r'role="img" aria-label="Privacy loss against c', page)


@pytest.mark.slow
def test_the_same_certificate_gives_the_same_bytes(tmp_path: Path) -> None:
    examined = examine(GALLERY / "laplace-d3.json")
    for suffix in (".html", ".pdf", ".md"):
        first, second = write(examined, tmp_path / f"a{suffix}"), write(examined, tmp_path / f"b{suffix}")
        assert first[0].read_bytes().replace(b"a-loss", b"b-loss") == second[0].read_bytes()


@pytest.mark.slow
def test_what_cannot_be_written_or_read_is_refused_in_one_line(tmp_path: Path) -> None:
    examined = examine(GALLERY / "laplace-d3.json")
    with pytest.raises(InputError, match="must end in"):
        write(examined, tmp_path / "report.docx")
    with pytest.raises(InputError, match="cannot be written"):
        write(examined, tmp_path / "nowhere" / "report.html")
    (tmp_path / "noise.json").write_bytes(b"\xff\x00{")
    for path in (tmp_path / "noise.json", tmp_path / "missing.json"):
        with pytest.raises(InputError) as error:
            examine(path)
        assert "\n" not in str(error.value)
        assert path.name in str(error.value)


@pytest.mark.slow
def test_no_digit_of_epsilon_is_shown_that_the_proof_does_not_support() -> None:
    result = verify("student_t", dimension=1_000_000, parameters={"nu": 5})
    assert result.epsilon is not None
    page = report(examine_bytes(serialise(result.certificate or {}), "c.json"))
    shown = next(item.formula for item in page.part("The claim").rows if item.label == "Epsilon") or ""
    digits = shown.split(" ")[-1]
    assert abs(Fraction(digits) - result.epsilon.upper) <= Fraction(1, 10 ** len(digits.partition(".")[2]))


@pytest.mark.slow
def test_the_mass_s_area_is_the_integral() -> None:
    """The integral of r^(d-1) exp(-r) for d = 3 is 2, by the trapezoidal rule in log r."""
    curve = Drawn(Generator("exp(-r)", 3), Fraction(1)).mass(geometric(Fraction(1, 1000), Fraction(100), 2000))
    area = sum((log(b) - log(a)) * (u + v) / 2 for (a, u), (b, v) in pairwise(zip(curve.x, curve.y, strict=True)))
    assert area == pytest.approx(2, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["exp(-c*r)*(1+r)", "exp(-y/c)", "(1+y/c)**(-2)", "exp(-c*r)*(3+cos(2*r))"])
def test_a_parameter_called_c_is_not_the_radius(text: str) -> None:
    """What speaks of the radius says it with another letter; the kernel's rules keep the names that they have."""
    result = verify(text, parameters={"c": 2})
    assert result.certificate is not None
    examined = examine_bytes(serialise(result.certificate), "c.json")
    for made in (report(examined), sheet(result)):
        told = [made.lead, made.statement or "", *(note.text for note in made.notes)]
        for part in (part for part in made.parts if not part.dense):
            if part.picture is not None:
                told += [part.picture.alt, part.picture.caption, part.picture.across]
                told += [label for label, _ in part.picture.curves]
            own = {"Generator", "Parameter", "Formula", "formula", "f(y)", "with"}
            told += [part.coda, *(f"{row.text} {row.formula or ''}" for row in part.rows if row.label not in own)]
        assert [text for text in told if re.search(r"(?<![\\a-z])c\b(?!\.json)", text)] == []
    assert "u" in " ".join(told)


@pytest.mark.parametrize(
    ("name", "told", "not_told"),
    [
        (
            "mixtures/student-t-path",
            ("in a Hilbert space", "mean over V", "nu = 3", "0.12369136853"),
            "whose density on",
        ),
        ("mixtures/two-gaussians-path", ("in a Hilbert space", "weight: value of each atom"), "the density of V in v"),
        ("profiles/roughly-ring", ("whose density on", "0.4757138627269", "0.8743820809331"), "Hilbert"),
    ],
)
def test_reports_on_profiles_say_of_what_noise(name: str, told: tuple[str, ...], not_told: str) -> None:
    page = as_markdown(report(examine(GALLERY / f"{name}.json")), "plot.svg")
    assert all(words in page for words in told) and not_told not in page
