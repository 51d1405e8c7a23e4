"""Fragments are of known kinds, the changelog has each once, above what was released; versions of the site."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import changelog, site

BEFORE = "# Changes\n\nWords.\n\n## 0.1.0\n\n- First.\n"


def test_the_fragments_here_can_be_gathered() -> None:
    found = changelog.fragments()
    assert found["Added"] and all(text[-1] in ".)" for texts in found.values() for text in texts)


def test_gathering_twice_is_gathering_once(tmp_path: Path) -> None:
    (tmp_path / "a.added.md").write_text("One\nthing.\n")
    (tmp_path / "b.fixed.md").write_text("Another.")
    found = changelog.fragments(tmp_path)
    once = changelog.written(BEFORE, changelog.NEXT, found)
    assert once == changelog.written(once, changelog.NEXT, found)
    assert [once.count(text) for text in ("- One thing.", "- Another.", "## 0.1.0", "- First.", "## Next")] == [1] * 5
    assert once.index("### Added") < once.index("### Fixed") < once.index("## 0.1.0")


def test_a_release_takes_the_place_of_what_comes_next(tmp_path: Path) -> None:
    (tmp_path / "a.added.md").write_text("One thing.")
    found = changelog.fragments(tmp_path)
    text = changelog.written(changelog.written(BEFORE, changelog.NEXT, found), "## 0.2.0 (2027-01-31)", found)
    assert "## Next" not in text and text.index("## 0.2.0") < text.index("## 0.1.0") and text.count("One thing.") == 1


@pytest.mark.parametrize("name", ["a.new.md", "added.md", "a.added.md"])
def test_a_fragment_of_no_kind_or_without_words_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("" if name == "a.added.md" else "Words.")
    with pytest.raises(ValueError, match=name.replace(".", r"\.")):
        changelog.fragments(tmp_path)


def test_versions_of_the_site_stand_side_by_side(tmp_path: Path) -> None:
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / "index.html").write_text("one")
    for version in ("0.9.0", "0.10.0", "0.2.0", "0.9.0"):
        page = site.add(tmp_path / "built", tmp_path / "site", version).read_text()
    assert site.versions(tmp_path / "site") == ["0.10.0", "0.9.0", "0.2.0"]
    assert 'version is <a href="0.10.0/index.html">' in page and page.count("<li>") == 3
