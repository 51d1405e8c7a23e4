"""The changes since the last release, gathered from changelog.d into CHANGELOG.md.

`python -m tools.changelog` writes what comes next anew, above the releases, and leaves the fragments; at a release
`python -m tools.changelog 0.2.0 2027-01-31` gives it a heading of its own, and the fragments are deleted.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FRAGMENTS, FILE = ROOT / "changelog.d", ROOT / "CHANGELOG.md"
KINDS = {"added": "Added", "changed": "Changed", "fixed": "Fixed", "removed": "Removed"}
HEAD = "# Changes\n\nGathered from `changelog.d/`, one fragment a change, by `python -m tools.changelog`.\n"
NEXT = "## Next"


def fragments(folder: Path = FRAGMENTS) -> dict[str, list[str]]:
    """The sentences of each kind, by the names of their files; raises ValueError for a fragment of no kind."""
    found: dict[str, list[str]] = {title: [] for title in KINDS.values()}
    for path in sorted(folder.glob("*.md")):
        if path.name == "README.md":
            continue
        named = re.fullmatch(r"[a-z0-9-]+\.([a-z]+)\.md", path.name)
        text = " ".join(path.read_text(encoding="utf-8").split())
        if named is None or named[1] not in KINDS or not text:
            raise ValueError(f"{path.name}: not WHAT.added.md, .changed.md, .fixed.md or .removed.md, or empty")
        found[KINDS[named[1]]].append(text)
    return found


def section(title: str, found: dict[str, list[str]]) -> str:
    """One release, or what comes next."""
    parts = [f"### {kind}\n\n" + "\n".join(f"- {text}" for text in texts) for kind, texts in found.items() if texts]
    return "\n\n".join([title, *parts]) + "\n"


def written(before: str, title: str, found: dict[str, list[str]]) -> str:
    """The changelog with this section above the releases that it had."""
    released = re.split(rf"^{NEXT}$.*?(?=^## |\Z)", before, maxsplit=1, flags=re.MULTILINE | re.DOTALL)[-1]
    at = released.find("\n## ")
    older = released[at + 1 :] if at >= 0 else released if released.startswith("## ") else ""
    return "\n".join([HEAD, section(title, found), older]).rstrip() + "\n"


def main() -> None:
    """Write CHANGELOG.md."""
    release = sys.argv[1:]
    if len(release) not in (0, 2):
        sys.exit("usage: python -m tools.changelog [VERSION DATE]")
    title = f"## {release[0]} ({release[1]})" if release else NEXT
    found = fragments()
    FILE.write_text(written(FILE.read_text(encoding="utf-8"), title, found), encoding="utf-8")
    print(f"{FILE}: {sum(map(len, found.values()))} changes")
    for path in FRAGMENTS.glob("*.md") if release else ():
        if path.name != "README.md":
            path.unlink()


if __name__ == "__main__":
    main()
