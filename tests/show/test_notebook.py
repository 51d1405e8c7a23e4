"""Results as notebooks show them: the same facts as HTML and as Markdown, and nothing from outside as markup."""

from __future__ import annotations

import re
import xml.dom.minidom
from fractions import Fraction
from html import unescape
from typing import Any

import numpy as np
import pytest
from markdown_it import MarkdownIt

import dpverify
from dpverify.audit import BuiltIn, audit
from dpverify.sampling import EllipticalNoise
from dpverify.show import Part, Row, Sheet
from dpverify.show.notebook import html, markdown


def audited() -> Any:
    return audit(BuiltIn(20_000, EllipticalNoise("laplace", 2), shift=np.array([1.0, 0.0])), claim="11/10", seed=1)


def accepted() -> Any:
    return dpverify.check(dpverify.verify("gaussian").certificate or {})


SHOWN = {
    "private": (
        lambda: dpverify.verify("student_t", dimension=2, parameters={"nu": 3}),
        ["PRIVATE", "nu = 3", "1.424045250"],
    ),
    "not private": (lambda: dpverify.verify("gaussian"), ["NOT PRIVATE", "refuted", "assuming"]),
    "invalid": (lambda: dpverify.verify("1/(1+r)"), ["NOT A DENSITY GENERATOR"]),
    "mixture": (
        lambda: dpverify.verify(mixing="v**3*exp(-v)", dimension=2, tolerance="1/3"),
        ["v**3*exp(-v)", "E[V^-d]", "d < 4", "nothing"],
    ),
    "calibration": (lambda: dpverify.calibrate("laplace", epsilon="1/2"), ["SIGMA = 2", "epsilon <= 1/2"]),
    "curve": (lambda: dpverify.curve("laplace", points=40), ["40 points", "Delta/sigma = 1/10", "Delta/sigma = 10"]),
    "check": (accepted, ["The certificate holds", "not_private"]),
    "audit": (audited, ["CONSISTENT", "99 % confidence", "1.1", "exact unconditional bound"]),
    "formula": (lambda: dpverify.formula("exp(-a*r)"), ["PRIVATE", "a > 0"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHOWN)
def test_every_result_has_its_facts_in_html_and_in_markdown(kind: str) -> None:
    make, facts = SHOWN[kind]
    result: Any = make()  # type: ignore[no-untyped-call]
    page, text = result._repr_html_(), result._repr_markdown_()
    xml.dom.minidom.parseString(page)
    plain = unescape(re.sub("<[^>]*>", "\n", page))
    rendered = MarkdownIt("commonmark").enable("table").render(text)
    again = unescape(re.sub("<[^>]*>", "\n", rendered))
    for fact in facts:
        assert fact in plain
        assert fact in again
    assert rendered.count("<tr>") == page.count("<tr>") + 1


def test_a_rejected_certificate_is_shown_without_a_claim() -> None:
    certificate = dict(dpverify.verify("laplace").certificate or {}, digest="0" * 64)
    page = dpverify.check(certificate)._repr_html_()
    assert "REJECTED" in page
    assert "epsilon" not in page


def test_an_audit_s_bound_is_rounded_down() -> None:
    report = audited()
    shown = re.search(r"epsilon &gt;= ([0-9.]+)", report._repr_html_())
    assert shown
    assert Fraction(shown.group(1)) <= Fraction(report.epsilon_lower)


def test_nothing_from_outside_is_markup() -> None:
    hostile = "<script>alert(1)</script>|**b**[x](javascript:1)`c`$d$\u202e\n| a |"
    sheet = Sheet(hostile, "open", parts=(Part(rows=(Row(hostile, hostile),)),))
    assert "<script" not in html(sheet)
    assert "\u202e" not in html(sheet) + markdown(sheet)
    rendered = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown(sheet))
    assert not re.search(r"<(script|a|code)\b", rendered)
    assert rendered.count("<td>") == 2
