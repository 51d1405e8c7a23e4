"""All studies, in the order of the papers: a module each, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module

from dpverify.errors import InputError
from dpverify.reproduce.study import Study

HOMES: dict[str, str] = {
    "awan-theorem-3.2": "limit_law",
}
"""The id of a study -> the module of `dpverify.reproduce.studies` whose STUDY it is."""


def load(name: str) -> Study:
    """The study of that id."""
    study: Study = import_module(f"dpverify.reproduce.studies.{HOMES[name]}").STUDY
    assert study.id == name
    return study


def all_studies() -> list[Study]:
    """Every study."""
    return [load(name) for name in HOMES]


def choose(names: Iterable[str]) -> list[Study]:
    """The studies of these ids, once each; raises InputError for an unknown one."""
    found = []
    for name in dict.fromkeys(names):
        if name not in HOMES:
            near = get_close_matches(name, HOMES, 3, 0.4)
            hint = f"; near it: {', '.join(near)}" if near else "; `dpverify reproduce` lists all"
            raise InputError(f"there is no study {name[:60]!r}{hint}")
        found.append(load(name))
    return found
