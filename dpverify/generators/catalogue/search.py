"""Finding a family by a word of its name, title, keywords, notes or source."""

from __future__ import annotations

from dpverify.generators.catalogue import families
from dpverify.generators.catalogue.absent import ABSENT
from dpverify.generators.catalogue.family import Family


def found(words: str) -> list[Family]:
    """The families of which every word is part, those first that are named so."""
    wanted = words.casefold().replace("_", " ").split()
    scored = [(score, family) for family in families().values() if (score := _score(family, wanted))]
    return [family for _, family in sorted(scored, key=lambda item: -item[0])]


def absent(words: str) -> dict[str, str]:
    """What is said of families of that name that have no generator."""
    wanted = words.casefold().replace("_", " ").split()
    return {name: said for name, said in ABSENT.items() if all(word in name.casefold() for word in wanted)}


def _score(family: Family, wanted: list[str]) -> int:
    places = (
        f"{family.name} {family.title}".replace("_", " "),
        " ".join(family.keywords),
        f"{family.notes} {family.source} {family.text}",
    )
    score = 0
    for word in wanted:
        weights = [3 - i for i, place in enumerate(places) if word in place.casefold()]
        if not weights:
            return 0
        score += max(weights)
    return score
