"""The conda recipe, rendered, says what pyproject.toml says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import dpverify

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "conda" / "recipe.yaml"
if not RECIPE.exists():
    pytest.skip("needs the repository", allow_module_level=True)
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]


def written() -> dict[str, Any]:
    """The recipe's text as YAML, with what its context says in its place."""
    text = RECIPE.read_text()
    for name, value in yaml.safe_load(text)["context"].items():
        text = text.replace(f"${{{{ {name} }}}}", value)
    assert "${{" not in text
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def requirements(lines: list[str]) -> set[str]:
    return {re.sub(r"\s+", "", line) for line in lines}


def test_name_version_and_licence() -> None:
    recipe = written()
    assert recipe["package"] == {"name": PROJECT["name"], "version": dpverify.__version__}
    assert recipe["about"]["license"] == PROJECT["license"]
    assert recipe["about"]["summary"] == PROJECT["description"]
    assert (ROOT / recipe["about"]["license_file"]).is_file()
    assert (RECIPE.parent / recipe["source"]["path"]).resolve() == ROOT


def test_what_it_needs_to_run_and_to_build() -> None:
    needs = written()["requirements"]
    python = "python" + PROJECT["requires-python"]
    assert requirements(needs["run"]) == {python, *PROJECT["dependencies"]}
    hatchling = next(line for line in PROJECT["optional-dependencies"]["dev"] if line.startswith("hatchling"))
    assert PYPROJECT["build-system"]["requires"] == ["hatchling"]
    assert requirements(needs["host"]) == {python, "pip", hatchling}


def test_it_is_for_every_platform_and_starts_the_program() -> None:
    build = written()["build"]
    assert build["noarch"] == "python"
    assert build["python"]["entry_points"] == [f"{name} = {target}" for name, target in PROJECT["scripts"].items()]
    assert "--no-deps" in build["script"] and "--no-build-isolation" in build["script"]


@pytest.mark.slow
def test_its_own_tests_pass() -> None:
    from tests.command import run

    imported, typed = written()["tests"]
    assert imported["python"]["imports"] == ["dpverify"]
    for line in typed["script"]:
        program, *arguments = line.split()
        assert program == "dpverify" and run(*arguments).returncode == 0


@pytest.mark.slow
def test_rattler_build_reads_it_and_refuses_a_misspelt_key() -> None:
    """Its own parser and renderer, without a channel: nothing is built."""
    rattler_build = pytest.importorskip("rattler_build", reason="pip install py-rattler-build")
    (variant,) = rattler_build.Stage0Recipe.from_file(RECIPE).render()
    recipe, wanted = variant.recipe.to_dict(), written()
    assert recipe["package"] == {"name": PROJECT["name"], "version": dpverify.__version__}
    assert recipe["requirements"] == wanted["requirements"]
    assert recipe["build"]["noarch"] == "python"
    with pytest.raises(Exception, match="requirementz"):
        rattler_build.Stage0Recipe.from_yaml(RECIPE.read_text().replace("requirements:", "requirementz:"))
