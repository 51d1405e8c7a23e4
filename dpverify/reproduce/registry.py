"""All studies, in the order of the papers: a module each, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module

from dpverify.errors import InputError
from dpverify.reproduce.study import Study

HOMES: dict[str, str] = {
    "awan-theorem-3.2": "limit_law",
    "awan-figure-1": "awan_figure_1",
    "awan-figure-2": "awan_figure_2",
    "awan-figure-3": "awan_figure_3",
    "awan-table-1": "awan_table_1",
    "awan-table-2": "awan_table_2",
    "hall-table-1.1": "basic_techniques",
    "hall-figure-2.1": "risk_body",
    "hall-figure-2.2": "minimax_counts",
    "hall-figure-2.3": "edwards",
    "hall-figure-2.4": "long_term_care",
    "hall-figure-3.1": "truncated_functions",
    "hall-figure-3.2": "hall_figure_3_2",
    "hall-figure-3.3": "hall_figure_3_3",
    "hall-figure-3.4": "private_machine",
    "hall-figure-5.1": "random_histogram",
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
