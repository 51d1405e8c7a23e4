"""Each rule of the kernel: its lemma, its place on the page, and a certificate of the gallery that uses it."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from dpverify.kernel.certificate import SECTIONS, load_section
from dpverify.kernel.rules import RULES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "rules.md").read_text()
for name in SECTIONS:
    load_section(name)
OURS = {number: step for number, step in RULES.items() if step.__module__.startswith("dpverify.kernel.")}
ENTRIES: dict[str, str] = {
    str(number).upper(): str(text)
    for number, text in re.findall(r"^\((k[0-9]+)\)=\n(.*?)(?=^\(k[0-9]+\)=|^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
}
COQ = [*(ROOT / "proofs").glob("*.v"), *(ROOT / "dpverify" / "export" / "coq" / "library").glob("*.v")]
STATED = {
    name
    for path in COQ
    for name in re.findall(r"^(?:Theorem|Lemma|Definition|Fixpoint) (\w+)", path.read_text(), re.MULTILINE)
}


@cache
def listed() -> dict[str, set[str]]:
    """Each rule's gallery files."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "certificates").rglob("*.json"):
        for numbers in json.loads(path.read_text())["rules"].values():
            for number in numbers:
                found.setdefault(number, set()).add(path.relative_to(ROOT / "certificates").as_posix())
    return found


def words(text: str) -> str:
    return " ".join(re.sub(r"[\\*]", "", text).split())


def test_every_rule_has_its_place_on_the_page_and_no_place_is_without_a_rule() -> None:
    assert set(ENTRIES) == set(OURS)
    assert PAGE.count(")=\n") == len(OURS)


def test_every_rule_is_used_by_a_certificate_of_the_gallery() -> None:
    assert set(listed()) == set(OURS)


@pytest.mark.sampled(stay=50)
@pytest.mark.parametrize("number", sorted(OURS))
def test_the_page_says_what_the_rule_says(number: str) -> None:
    """A title, a lemma or a definition, a proof, and a certificate that does use the rule."""
    title, _, statement = (OURS[number].__doc__ or "").partition("\n\n")
    assert title.strip().endswith(".")
    assert re.search(r"^ *(Lemma|Definition)\b", statement, re.MULTILINE), "no lemma"
    entry = ENTRIES[number]
    assert f"### {number}: {words(title).rstrip('.')}" in words(entry).replace("\n", " ")
    assert words(statement) in words(entry)
    assert "*Proof.*" in entry
    used = re.search(r"\*Used by\*\s+`([^`]+)`", entry)
    assert used is not None
    assert used[1] in listed()[number]


def coq_of(number: str) -> set[str]:
    """The theorems that a rule's entry names."""
    return {name for name in re.findall(r"`([^`]+)`", ENTRIES[number].partition("*Coq:*")[2]) if "." not in name}


def test_the_coq_theorems_on_the_page_exist() -> None:
    for number in ENTRIES:
        assert coq_of(number) <= STATED, number


def test_each_theorem_with_a_rules_number_stands_at_that_rule() -> None:
    numbered = {name for name in STATED if re.match(r"K[0-9]+_", name)}
    assert numbered == {name for number in ENTRIES for name in coq_of(number) if name.startswith("K")}
    for name in numbered:
        assert name in coq_of(name.partition("_")[0])
