"""A package that is missing is named with the smallest extra that has it, as pyproject.toml says."""

from __future__ import annotations

import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from unittest import mock

import pytest

from dpverify.cli.suggestions import EXTRAS, extra
from tests.command import run

DECLARED = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize("name", EXTRAS)
def test_the_extras_have_what_they_are_named_for(name: str) -> None:
    listed = {line.partition(">")[0].partition("[")[0].lower() for line in DECLARED[name]}
    for package in EXTRAS[name]:
        found = {distribution.lower() for distribution in packages_distributions().get(package, [])}
        assert not found or found & listed, package


@pytest.mark.parametrize(
    ("missing", "arguments", "named"),
    [
        ("numpy", ["audit", "laplace"], "audit"),
        ("sympy", ["verify", "exp(-r)", "--symbolic"], "symbolic"),
        ("matplotlib", ["figure", "poster"], "report"),
        ("matplotlib.pyplot", ["curve", "laplace"], "report"),
        ("scipy.stats", ["theorems"], "theorems"),
        ("opendp", ["export", "c.json"], "systems"),
        ("unheard", ["verify"], "all"),
    ],
)
def test_the_smallest_extra_is_named(missing: str, arguments: list[str], named: str) -> None:
    assert extra(missing, arguments) == named
    if named != "all":
        assert named in DECLARED


def test_the_command_line_names_it() -> None:
    with mock.patch("dpverify.cli.app.app.main", side_effect=ModuleNotFoundError(name="numpy")):
        done = run("audit", "laplace")
    assert done.returncode == 2 and done.stderr.endswith("pip install 'dpverify[audit]'\n")
