"""What every command prints with --json, and every file, follows its schema; what differs from it does not."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
from referencing import Registry, Resource

from dpverify import InputError, schemas
from dpverify.cli.app import app
from tests import command

GALLERY = Path(__file__).parents[2] / "certificates"
LAPLACE = str(GALLERY / "laplace-d1.json")
EVIDENCE = ["sensitivity", "--query", "count", "--neighbours", "replace", "--evidence", "e.json", "--json"]
PRINTED: dict[str, list[str]] = {
    "verify": ["verify", "student_t", "--at-most", "2", "--json"],
    "verify, of a mixture": ["verify", "--mixing", "1/3: 1, 2/3: 2", "--json"],
    "verify, undecided": ["verify", "exp(-r)*(2+floor(cos(r)))", "--timeout", "1e-3", "--json"],
    "check": ["check", LAPLACE, str(GALLERY / "composition" / "laplace-10-times.json"), "--private", "--json"],
    "check, the kernel too": ["check", LAPLACE, "--about", "--rules", "--json"],
    "check, no certificate": ["check", "e.json", "--json"],
    "calibrate": ["calibrate", "laplace", "--epsilon", "1/2", "--json"],
    "calibrate, refused": ["calibrate", "gaussian", "--epsilon", "1/2", "--json"],
    "calibrate, with delta": ["calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-5", "--json"],
    "curve": ["curve", "laplace", "--points", "2", "--json"],
    "compare": ["compare", "laplace", "gaussian", "--epsilon", "1", "--json"],
    "sensitivity": ["sensitivity", "--differences", "1,2", "--json"],
    "sensitivity, derived": EVIDENCE,
    "audit": ["audit", "--certificate", "l.json", "--samples", "2000", "--seed", "1", "--json"],
    "audit, the curve": ["audit", "laplace", "--samples", "4000", "--seed", "1", "--curve", "--json"],
    "audit, until violated": [
        *("audit", "laplace", "--samples", "4000", "--seed", "1", "--until-violated", "--claim", "1/10", "--json"),
    ],
    "audit, of one run": ["audit", "--canaries", "canaries.csv", "--claim", "1", "--seed", "1", "--json"],
    "profile": ["profile", "gaussian", "--epsilon", "1", "--delta", "1e-5", "--json"],
    "profile, measures": ["profile", "laplace", "--renyi", "2", "--json"],
    "compose": ["compose", f"{LAPLACE}:3", "--epsilon", "1", "--json"],
    "release": ["release", "l.json", "--query", "3/2", "--ledger", "book.db", "--budget", "3", "--json"],
    "ledger": ["ledger", "book.db", "--json"],
    "families": ["families", "--json"],
    "families, one": ["families", "laplace", "--json"],
    "recognise": ["recognise", "exp(-r)", "--json"],
    "theorems": ["theorems", "reimherr-awan-2019:definition-1", "--quick", "--json"],
    "theorems, listed": ["theorems", "--list", "--json"],
    "equivalence": ["equivalence", "--eigenvalues", "n**-2", "--difference", "n**-3", "--json"],
    "equivalence, orthogonal": ["equivalence", "--eigenvalues", "n**-2", "--difference", "1/n", "--json"],
    "reproduce": ["reproduce", "hall-figure-2.2", "--quick", "--json"],
    "reproduce, listed": ["reproduce", "--json"],
    "compare, at a delta": ["compare", "laplace", "gaussian", "--epsilon", "1", "--delta", "1e-3", "--json"],
    "compare, at one size": ["compare", "laplace", "gaussian", "--median", "1", "--delta", "1e-3", "--json"],
    "profile, refuted": ["profile", "exp(-r**3)", "--zcdp", "--json"],
    "curve, at a delta": ["curve", "gaussian", "--delta", "1e-3", "--points", "2", "--json"],
    "bundle": ["bundle", "check", "b.zip", "--json"],
    "bundle, none": ["bundle", "check", "l.json", "--json"],
}
HEAVY = {"verify, by SymPy": ["verify", "laplace", "--symbolic", "--json"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the commands find what they read."""
    path = tmp_path_factory.mktemp("printed")
    (path / "l.json").write_bytes(Path(LAPLACE).read_bytes())
    draw = random.Random(1)
    coins = [draw.randint(0, 1) for _ in range(200)]
    (path / "canaries.csv").write_text("".join(f"{draw.gauss(coin, 1)},{coin}\n" for coin in coins))
    for made in (EVIDENCE, ["bundle", "make", "l.json", "-o", "b.zip"], PRINTED["release"]):
        assert command.run(*made, cwd=path).returncode == 0
    return path


def commands(group: click.Group) -> Iterator[click.Command]:
    for name in group.list_commands(click.Context(group)):
        each = group.get_command(click.Context(group), name)
        assert each is not None
        if isinstance(each, click.Group):
            yield from commands(each)
        else:
            yield each


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    both = [schemas.schema(kind) for kind in schemas.FILES]
    registry: Registry[Any] = Registry().with_resources([(s["$id"], Resource.from_contents(s)) for s in both])
    return jsonschema.Draft202012Validator(schemas.schema(name), registry=registry)


def test_every_command_that_prints_json_has_a_schema() -> None:
    printing = {c.name for c in commands(app) if any("--json" in p.opts for p in c.params)}
    assert (printing - {"check"}) | {"bundle", "check"} == {*schemas.names()} - set(schemas.PARTS) - set(schemas.FILES)
    assert {args[0] for args in PRINTED.values()} == (printing - {"check"}) | {"bundle", "check"}


@pytest.mark.sampled(stay=6)
@pytest.mark.parametrize("name", schemas.names())
def test_each_is_a_schema_by_itself(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schemas.schema(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PRINTED, *HEAVY])
def test_what_is_printed_follows_its_schema(name: str, folder: Path) -> None:
    arguments = (PRINTED | HEAVY)[name]
    (folder / "l.audit.json").unlink(missing_ok=True)
    data = json.loads(command.run(*arguments, cwd=folder).stdout)
    judge = validator(arguments[0])
    judge.validate(data)
    record = data[0] if isinstance(data, list) else data
    if isinstance(record, dict):
        for other in ({**record, "ornament": 1}, dict(list(record.items())[1:])):
            assert not judge.is_valid([other] if isinstance(data, list) else other), "the schema lets everything pass"


@pytest.mark.slow
@pytest.mark.swept(stay=10)
@pytest.mark.parametrize("path", sorted(GALLERY.glob("*/*.json")), ids=lambda p: p.stem)
def test_certificates_of_every_kind_follow_theirs(path: Path) -> None:
    data, judge = json.loads(path.read_bytes()), validator("certificate-kinds")
    judge.validate(data)
    assert not validator("certificate").is_valid(data)
    of_claim = set(data["claim"]) - {"measures", "infinite", "pair"}
    for part in ("claim", "proof"):
        for name in data[part]:
            less = {**data, part: {k: v for k, v in data[part].items() if k != name}}
            required = REQUIRED[data["claim"]["kind"]] if part == "proof" else of_claim
            optional = name not in required
            assert judge.is_valid(less) == optional, name
        assert not judge.is_valid({**data, part: {**data[part], "ornament": "1"}})


REQUIRED = {
    "profile": {"zero", "infinity", "profile"},
    "mixture": {"zero", "infinity", "cover"},
    "mixture profile": {"zero", "infinity", "law"},
    "spatial mixture profile": {"zero", "infinity", "atoms", "profile"},
    "composition": {"parts"},
    "releases": {"parts", "grid", "lower"},
}


@pytest.mark.slow
def test_the_files_that_are_written_follow_theirs(folder: Path) -> None:
    validator("sensitivity-evidence").validate(json.loads((folder / "e.json").read_text()))
    with zipfile.ZipFile(folder / "b.zip") as archive:
        validator("bundle-manifest").validate(json.loads(archive.read("bundle.json")))
    (folder / "l.audit.json").unlink(missing_ok=True)
    command.run(*PRINTED["audit"], cwd=folder)
    validator("audit-file").validate(json.loads((folder / "l.audit.json").read_text()))


def test_a_schema_is_printed_and_an_unknown_name_is_refused() -> None:
    assert json.loads(command.run("schema", "verify").stdout) == schemas.schema("verify")
    assert "bundle-manifest" in command.run("schema").stdout.split()
    assert command.run("schema", "verfy").returncode == 2
    with pytest.raises(InputError, match="verfy"):
        schemas.schema("verfy")
