"""The PDF: formulas set as formulas, text from outside as text, the same bytes each time."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpverify import verify
from dpverify.generators.catalogue import families
from dpverify.language.parser import FUNCTIONS
from dpverify.show import Part, Row, Sheet, examine, report, sheet, write
from dpverify.show.document import pdf
from dpverify.show.formulas import latex
from dpverify.show.typst import typst
from tests.show.files import GALLERY

pytestmark = pytest.mark.slow

HOSTILE = '#panic("x") #import "a" $x$ *b* _i_ `c` \\ // /* <l> @r = h\n- [x](y)'
TYPST = re.compile(r'[a-z.]+|[A-Za-z]|[0-9.]+|[()_^,&=<>+-]|"[A-Za-z0-9 ]*"| ')


def text_of(data: bytes, tmp_path: Path) -> str:
    """What a reader can copy from the pages."""
    if shutil.which("pdftotext") is None:
        pytest.skip("needs pdftotext")
    file = tmp_path / "x.pdf"
    file.write_bytes(data)
    done = subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True)
    return " ".join(done.stdout.split())


def set_on_paper(formula: str) -> bytes:
    return pdf(Sheet("A formula", "good", statement=formula))


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (r"\dfrac{a}{b}", "display(frac(a, b))"),
        (r"\left(a, b\right)", "lr(paren.l a comma b paren.r)"),
        (r"{\left(-x\right)}^{\frac{1}{2}}", "lr(paren.l - x paren.r) ^(frac(1, 2))"),
        (r"\sup_{c \geq \delta}\, f", "sup _(c >= delta) thin f"),
        (r"\text{a b}", 'upright("a b")'),
        (
            r"\begin{cases}1 & x \leq 2\\0 & \mathrm{otherwise}\end{cases}",
            'cases(1 & x <= 2 , 0 & upright("otherwise"))',
        ),
        (r"f(0^{+}) < \infty", "f paren.l 0 ^(+) paren.r < oo"),
    ],
)
def test_a_formula_keeps_its_structure(formula: str, expected: str) -> None:
    assert typst(formula) == expected
    assert set_on_paper(formula).startswith(b"%PDF")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_of_the_language_is_set(name: str) -> None:
    formula = latex(f"{name}({', '.join(['1/2', 'r'][-FUNCTIONS[name][0] :])})")
    assert formula is not None
    assert set_on_paper(formula).startswith(b"%PDF")


@pytest.mark.parametrize("name", families())
def test_every_family_is_set(name: str) -> None:
    formula = latex(families()[name].text)
    assert formula is not None
    assert set_on_paper(formula).startswith(b"%PDF")


@pytest.mark.parametrize(
    "text", [r"\input{x}", r"\unknown", "#x", r"\left(a", "{a", "^", r"\dfrac{a}", "é", r"\text{#x"]
)
def test_what_is_not_composed_here_is_no_formula(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        typst(text)


@given(st.text(alphabet="ry01.+-*/(), _<>=nuexplogsqrtPiecwTdTrueé\\${}&\n", max_size=60))
def test_nothing_but_names_and_signs_reaches_typst(text: str) -> None:
    formula = latex(text)
    if formula is not None:
        assert TYPST.sub("", typst(formula)) == ""


def test_text_from_outside_is_text_on_paper(tmp_path: Path) -> None:
    row = Row(HOSTILE, HOSTILE, code=HOSTILE)
    made = Sheet(HOSTILE, "bad", HOSTILE, parts=(Part("A part", (HOSTILE,), (row,), (HOSTILE,), coda=HOSTILE),))
    text = text_of(pdf(made), tmp_path)
    assert text.count('#panic("x") #import "a" $x$ *b* _i_ `c` \\ // /*') >= 4


def test_letters_that_no_font_has_are_told_by_their_number(tmp_path: Path) -> None:
    assert "U+6F22" in text_of(pdf(Sheet("A title", "good", "\u6f22")), tmp_path)


def test_paper_has_the_facts_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    made = report(examine(GALLERY / "student-t-nu3-d2.json"))
    data = pdf(made)
    assert data == pdf(made)
    text = text_of(data, tmp_path)
    digest = next(row.code for row in made.part("Checking it again").rows if row.label == "SHA-256")
    for told in ("Private", "2848090500199/2000000000000", digest, "What it does not cover"):
        assert told in text, told


@pytest.mark.parametrize(("text", "title"), [("exp(-sqrt(y))", "PRIVATE"), ("1/(1+Abs(sin(r))*r**3)", "UNDECIDED")])
def test_any_result_can_be_written_to_a_file(text: str, title: str, tmp_path: Path) -> None:
    result = verify(text)
    assert sheet(result).title == title
    for suffix in (".html", ".md", ".pdf"):
        (file,) = write(result, tmp_path / f"r{suffix}")
        told = text_of(file.read_bytes(), tmp_path) if suffix == ".pdf" else file.read_text()
        assert title in told


def test_a_value_without_a_sheet_is_refused() -> None:
    with pytest.raises(TypeError, match="no sheet of a int"):
        sheet(3)


def test_a_last_page_with_a_line_or_two_is_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    def pages(lines: int) -> int:
        rows = tuple(Row(f"Row {k}", "words") for k in range(lines))
        return len(re.findall(rb"/Type */Page\b", pdf(Sheet("Rows", "good", parts=(Part("All", rows=rows),)))))

    monkeypatch.setattr("dpverify.show.document.LITTLE", 0.0)
    low, high = 10, 200  # on one page; on more
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if pages(middle) == 1 else (low, middle)
    assert (pages(low), pages(high)) == (1, 2)
    monkeypatch.undo()
    assert pages(high) == 1 and pages(2 * high) == 2
