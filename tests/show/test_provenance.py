"""Reports say where they come from; those of profiles, compositions and mixtures say what their certificates do."""

from __future__ import annotations

import hashlib
import html
import json
import re
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from dpverify import source
from dpverify.show import examine
from dpverify.show.document import html as as_html
from dpverify.show.document import markdown as as_markdown
from dpverify.show.document import pdf as as_pdf
from dpverify.show.formulas import mathml
from dpverify.show.provenance import Provenance
from dpverify.show.reports import report
from tests import command
from tests.show.files import GALLERY

SAID = Provenance(date(2026, 11, 22), "<b>mean income</b>", "A. N.")
STUDENT = GALLERY / "student-t-nu3-d2.json"
KINDS = ["profiles/gaussian-d1", "profiles/gaussian-whole", "composition/laplace-10-times", "mixtures/infinite-moment"]


def words(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)).split())


@pytest.mark.slow
def test_a_report_says_where_it_comes_from_in_every_form() -> None:
    made = report(examine(STUDENT, said=SAID), drawn=False)
    sha256 = hashlib.sha256(STUDENT.read_bytes()).hexdigest()
    told = ["2026-11-22", "A. N.", source.digest(), sha256, "python -m dpverify.source", "in-toto", "registry"]
    for text in (words(as_html(made)), as_markdown(made, "plot.png")):
        assert all(part in text for part in told)
    assert "<b>mean income</b>" not in as_html(made) and "<b>mean income</b>" in words(as_html(made))
    assert as_pdf(made).startswith(b"%PDF")


@pytest.mark.slow
def test_its_title_has_the_family_epsilon_and_the_date() -> None:
    made = report(examine(STUDENT, said=SAID), drawn=False)
    assert made.headline == "Multivariate Student t, d = 2, nu = 3; ε ≤ 1.4240453; 2026-11-22"
    upper = Fraction(json.loads(STUDENT.read_bytes())["claim"]["epsilon"]["upper"])
    assert Fraction("1.4240453") >= upper
    assert re.search(r"<title>Private: Multivariate Student t[^<]*2026-11-22</title>", as_html(made))


@pytest.mark.slow
def test_what_nobody_said_is_called_so() -> None:
    rows = {row.label: row.text for row in report(examine(STUDENT), drawn=False).part("Provenance").rows}
    assert rows["Mechanism"] == rows["Reviewer"] == "not said: to be filled in by hand"


@pytest.mark.slow
def test_a_page_carries_its_mathematics_font_and_asks_nothing_of_the_network() -> None:
    page = as_html(report(examine(STUDENT), drawn=False))
    assert 'src: url("data:font/woff2;base64,d09GMk' in page
    assert not re.search(r"(?:src|href)\s*=\s*[\"']?https?:|url\([\"']?https?:", page)


def test_parentheses_grow_only_around_what_is_high() -> None:
    """Of two nested pairs around letters neither grows; around a fraction both do."""
    low = mathml(r"\exp\left(2 + \sin\left(r\right)\right)")
    high = mathml(r"\exp\left(2 + \sin\left(\dfrac{r}{2}\right)\right)")
    assert 'stretchy="true"' not in low and high.count('stretchy="true"') == 4
    assert mathml(r"\left(-2\right)").count('<mo form="prefix">&#x02212;</mo>') == 1


@pytest.mark.slow
@pytest.mark.swept(stay=2)
@pytest.mark.parametrize("name", KINDS)
def test_certificates_of_every_kind_have_a_report(name: str, tmp_path: Path) -> None:
    path = GALLERY / f"{name}.json"
    claim = json.loads(path.read_bytes())["claim"]
    made = report(examine(path, said=SAID))
    assert made.tone == ("bad" if claim["verdict"] == "not_private" else "good")
    for text in (words(as_html(made)), as_markdown(made, "plot.png")):
        assert hashlib.sha256(path.read_bytes()).hexdigest() in text
        for part in claim.get("parts", ()):
            assert part["digest"] in text and f"{part['times']} times" in text
        assert claim.get("mixing", "") in text and claim.get("generator", "") in text
    rows = made.part("The points").rows if "points" in claim else ()
    for row in rows:
        low, high = (Fraction(x) for x in re.findall(r"between (\S+) and (\S+)", row.text)[0])
        held = [(Fraction(p["delta"]["lower"]), Fraction(p["delta"]["upper"])) for p in claim["points"]]
        held += [(Fraction(q["epsilon"]["lower"]), Fraction(q["epsilon"]["upper"])) for q in claim["quantiles"]]
        assert any(low <= a <= b <= high and high - low < Fraction(1, 10**6) for a, b in held), row


def test_a_profile_is_not_reported_with_an_audit(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    done = command.run(
        "report",
        str(GALLERY / "composition" / "laplace-10-times.json"),
        "--audit",
        "a.json",
        "-o",
        "r.md",
        cwd=tmp_path,
    )
    assert done.returncode == 2 and "bundle" in done.stderr


def test_a_date_that_is_none_is_refused(tmp_path: Path) -> None:
    done = command.run("report", str(STUDENT), "--date", "today", "-o", "r.md", cwd=tmp_path)
    assert done.returncode == 2 and "--date" in done.stderr and not list(tmp_path.iterdir())
