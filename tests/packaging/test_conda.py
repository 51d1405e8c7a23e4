"""The conda recipe, rendered, says what pyproject.toml says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import Environment, StrictUndefined

import dpverify

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "conda" / "meta.yaml"
if not RECIPE.exists():
    pytest.skip("needs the repository", allow_module_level=True)
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]


def rendered() -> dict[str, Any]:
    """The recipe as conda-build reads it: Jinja first, then YAML."""
    text = Environment(undefined=StrictUndefined).from_string(RECIPE.read_text()).render(PYTHON="python")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def requirements(lines: list[str]) -> set[str]:
    return {re.sub(r"\s+", "", line) for line in lines}


def test_name_version_and_licence() -> None:
    recipe = rendered()
    assert recipe["package"] == {"name": PROJECT["name"], "version": dpverify.__version__}
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["summary"] == PROJECT["description"]
    assert (ROOT / recipe["about"]["license_file"]).is_file()
    assert (RECIPE.parent / recipe["source"]["path"]).resolve() == ROOT


def test_what_it_needs_to_run_and_to_build() -> None:
    needs = rendered()["requirements"]
    python = "python" + PROJECT["requires-python"]
    assert requirements(needs["run"]) == {python, *PROJECT["dependencies"]}
    hatchling = next(line for line in PROJECT["optional-dependencies"]["dev"] if line.startswith("hatchling"))
    assert PYPROJECT["build-system"]["requires"] == ["hatchling"]
    assert requirements(needs["host"]) == {python, "pip", hatchling}


def test_it_is_for_every_platform_and_starts_the_program() -> None:
    build = rendered()["build"]
    assert build["noarch"] == "python"
    assert build["entry_points"] == [f"{name} = {target}" for name, target in PROJECT["scripts"].items()]
    assert "--no-deps" in build["script"] and "--no-build-isolation" in build["script"]


@pytest.mark.slow
def test_its_own_tests_pass() -> None:
    from tests.command import run

    wanted = rendered()["test"]
    assert wanted["imports"] == ["dpverify"]
    for line in wanted["commands"]:
        program, *arguments = line.split()
        assert program == "dpverify" and run(*arguments).returncode == 0
