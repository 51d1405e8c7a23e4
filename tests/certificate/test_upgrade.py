"""Certificates of version 1 are renewed with the claim they had; what is no such file is refused in one line."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from dpverify import InputError, check
from dpverify.certificate import digest, load, serialise
from dpverify.certificate.upgrade import upgraded

OLD = sorted((Path(__file__).parent / "version_1").glob("*.json"))


def written(folder: Path, certificate: dict[str, Any]) -> Path:
    """The file of a certificate whose digest fits."""
    certificate["digest"] = digest(certificate)
    path = folder / "old.json"
    path.write_bytes(serialise(certificate))
    return path


@pytest.mark.parametrize("path", OLD, ids=lambda p: p.stem)
def test_an_old_certificate_is_refused_by_the_kernel_and_renewed_with_its_claim(path: Path) -> None:
    refused = check(path)
    assert not refused and refused.code == "format" and "dpverify upgrade" in refused.message
    new = upgraded(path)
    report = check(new.certificate)
    assert report.accepted, report.message
    assert new.left_out == ()
    old = load(path)["claim"]
    assert report.claim == {**old, "hypotheses": {"defined": "proved", **old["hypotheses"]}}


@pytest.mark.slow
def test_a_forged_claim_is_not_renewed(tmp_path: Path) -> None:
    certificate = load(Path(__file__).parent / "version_1" / "multivariate-laplace-d1.json")
    certificate["claim"]["epsilon"] = {"lower": "1/2", "upper": "3/4"}
    with pytest.raises(InputError, match=r"old\.json: the kernel does not follow its proof: .*\[K"):
        upgraded(written(tmp_path, certificate))


@pytest.mark.slow
def test_a_text_without_a_value_is_not_renewed(tmp_path: Path) -> None:
    certificate = load(OLD[-1])
    certificate["claim"]["generator"] = "(1+y/nu)**(-(nu+d)/2)*log(-1-y)**0"
    with pytest.raises(InputError, match="does not follow"):
        upgraded(written(tmp_path, certificate))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c.update(version=2), "nothing to renew"),
        (lambda c: c.update(version=3), "version is unknown"),
        (lambda c: c.update(version=True), "version is unknown"),
        (lambda c: c.update(format="other"), "not a dpverify certificate"),
        (lambda c: c.pop("proof"), "proof.zero is not what version 1 has"),
        (lambda c: c["proof"].update(zero=[]), "proof.zero is not"),
        (lambda c: c["proof"].update(witness={"near": "box"}), "proof.witness is not"),
        (lambda c: c["proof"].update(supremum="all"), "proof.supremum is not"),
        (lambda c: c["claim"].update(extra=1), "claim is not"),
        (lambda c: c["claim"].update(dimension="2"), "claim is not"),
    ],
)
def test_what_is_no_old_certificate_is_refused_in_one_line(change: Any, words: str, tmp_path: Path) -> None:
    certificate = load(OLD[-1])
    change(certificate)
    with pytest.raises(InputError, match=words) as refused:
        upgraded(written(tmp_path, certificate))
    assert "\n" not in str(refused.value)


def test_an_altered_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(OLD[-1].read_text().replace('"dimension": 2', '"dimension": 3'))
    with pytest.raises(InputError, match="altered"):
        upgraded(path)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a tree of JSON."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [pair for key, value in items for pair in [(data, key), *places(value)]]


STRANGE = (None, True, 0, -1, 10**18, "", "1/0", "-1", "0", "1e9", "x", [], {}, ["1"], ["2", "1"], ["0", "1"], {"a": 1})


@pytest.mark.slow
@pytest.mark.parametrize("path", OLD, ids=lambda p: p.stem)
def test_broken_files_end_in_a_line_or_in_a_certificate_that_holds(path: Path, tmp_path: Path) -> None:
    pick, original = random.Random(path.name), load(path)
    for _ in range(15):
        certificate = copy.deepcopy(original)
        container, key = pick.choice([p for part in ("claim", "proof") for p in places(certificate[part])])
        container[key] = pick.choice(STRANGE)
        try:
            new = upgraded(written(tmp_path, certificate))
        except InputError as error:
            assert str(error).count("\n") == 0
        else:
            report = check(json.dumps(new.certificate).encode())
            assert report.accepted, report.message
