"""Bundles: made of true parts they hold, for this program and for Python alone; of forged parts they do not."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dpverify import bundle, kernel, source
from dpverify.errors import InputError, Refused
from dpverify.evidence import archive, statement
from dpverify.evidence import bundle as form
from dpverify.evidence.refusal import Refusal, digest
from dpverify.serialise import serialise
from tests import command

GALLERY = Path(__file__).parents[2] / "certificates"
LAPLACE = GALLERY / "laplace-d3.json"
PROFILE = GALLERY / "profiles" / "gaussian-d1.json"
DAY = date(2026, 11, 22)
Files = dict[str, bytes]


def question(**changes: Any) -> dict[str, Any]:
    """A sum of three entries, each record clipped to length 1."""
    ball = {"set": "ball", "norm": "l2", "radius": "1", "dimension": 3}
    asked = {"statistic": "sum", "neighbours": "add-remove", "contribution": ball, "each": 1, "records": None}
    return {**asked, "covariance": None, **changes}


def audit(**changes: Any) -> dict[str, Any]:
    """What `dpverify audit --certificate` says of the gallery's Laplace noise, as far as a bundle reads it."""
    named = {"digest": json.loads(LAPLACE.read_bytes())["digest"], "epsilon_upper": "1", "file": "laplace-d3.json"}
    said = {"epsilon_lower": 0.9, "confidence": 0.99, "verdict": "consistent", "certificate": named}
    return {**said, **changes}


def release(folder: Path, seen: dict[str, Any] | None = None, asked: dict[str, Any] | None = None) -> bundle.Release:
    (folder / "audit.json").write_bytes(serialise(seen or audit()))
    (folder / "delta.json").write_bytes(serialise(bundle.derive(asked or question())))
    return bundle.Release(LAPLACE, sensitivity=folder / "delta.json", audits=(folder / "audit.json",))


@cache
def good() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return bundle.make([release(Path(folder))], mechanism="means", reviewer="A. N.", day=DAY)


def checked(data: bytes) -> form.Checked:
    return form.check(data, kernel.check_bytes)


def again(files: Files, change: Callable[[dict[str, Any]], None] = lambda manifest: None) -> bytes:
    """The files as a bundle whose manifest has been made to fit them, as a forger would."""
    manifest = json.loads(files[form.MANIFEST])
    manifest["files"] = {n: hashlib.sha256(d).hexdigest() for n, d in files.items() if n != form.MANIFEST}
    change(manifest)
    return archive.packed({**files, form.MANIFEST: serialise({**manifest, "digest": digest(manifest)})})


def test_it_holds_and_says_what_was_found() -> None:
    found = checked(good())
    said = dict(found.lines)
    assert said["certificate"] == "certificates/laplace-d3.json: holds, epsilon <= 1"
    assert "Delta = 1, derived" in said["sensitivity"] and "consistent" in said["audit"]
    assert said["reviewer"] == "A. N." and said["date"] == "2026-11-22"
    assert found.sha256 == hashlib.sha256(good()).hexdigest() and found.kernel == source.digest()


def test_the_same_content_and_day_have_the_same_bytes(tmp_path: Path) -> None:
    assert bundle.make([release(tmp_path)], mechanism="means", reviewer="A. N.", day=DAY) == good()
    assert again(archive.unpacked(good())) == good()


def test_the_kernel_in_it_is_the_packed_kernel() -> None:
    assert archive.unpacked(good())[form.KERNEL] == source.packed()


@pytest.mark.parametrize("part", range(24))
def test_a_changed_byte_is_refused(part: int) -> None:
    """At places spread over the whole file, headers and directory of the zip too."""
    data = bytearray(good())
    data[(len(data) - 1) * part // 23] ^= 1
    with pytest.raises(Refusal):
        checked(bytes(data))


@pytest.mark.sampled(stay=4)
@pytest.mark.parametrize("name", sorted(set(archive.unpacked(good())) - {form.MANIFEST}))
def test_a_missing_a_changed_or_an_added_file_is_refused(name: str) -> None:
    files = archive.unpacked(good())
    with pytest.raises(Refusal, match="missing"):
        checked(archive.packed({n: d for n, d in files.items() if n != name}))
    with pytest.raises(Refusal, match="was changed"):
        checked(archive.packed({**files, name: files[name] + b" "}))
    with pytest.raises(Refusal, match="not listed"):
        checked(archive.packed({**files, f"{name}.more": b"more"}))


def test_what_is_no_bundle_is_refused() -> None:
    for data in (b"", b"PK", good()[:-1], good() + b" ", LAPLACE.read_bytes(), archive.packed({"a": b"b"})):
        with pytest.raises(Refusal):
            checked(data)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_written_otherwise_is_refused() -> None:
    """Compressed, or the same name twice, or a path that leads out of it."""
    files = archive.unpacked(good())
    for method, names in ((zipfile.ZIP_DEFLATED, files), (zipfile.ZIP_STORED, [*files, "README.txt"])):
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", method) as made:
            for name in names:
                made.writestr(zipfile.ZipInfo(name, archive.TIME), files[name], compress_type=method)
        with pytest.raises(Refusal):
            checked(target.getvalue())
    for name in ("../a", "/a", "a//b", ".a", "a\\b", "C:a"):
        with pytest.raises(Refusal, match="no name"):
            archive.packed({name: b""})


def forged(change: Callable[[dict[str, Any]], None]) -> bytes:
    """The certificate changed, and its digest and the bundle's made to fit."""
    files = archive.unpacked(good())
    name = "certificates/laplace-d3.json"
    certificate = json.loads(files[name])
    change(certificate)
    body = {k: v for k, v in certificate.items() if k != "digest"}
    return again({**files, name: serialise({**certificate, "digest": digest(body)})})


def test_a_certificate_that_the_kernel_rejects_is_refused() -> None:
    with pytest.raises(Refusal, match="the kernel rejects it"):
        checked(forged(lambda c: c["claim"]["epsilon"].update(lower="1/2", upper="1/2")))


SAID: dict[str, Callable[[dict[str, Any]], None]] = {
    "a smaller epsilon": lambda r: r["says"].update(epsilon="99/100"),
    "another scale": lambda r: r["says"]["about"].update(scale="2"),
    "another dimension": lambda r: r["says"]["about"].update(dimension=1),
    "another generator": lambda r: r["says"]["about"].update(generator="exp(-y)"),
    "no delta": lambda r: r["says"].pop("delta"),
    "a delta of 1": lambda r: r["says"].update(delta="1"),
    "a negative delta": lambda r: r["says"].update(delta="-1"),
    "another file": lambda r: r.update(certificate="certificates/t.json"),
    "a path outside": lambda r: r.update(certificate="../t.json"),
    "no evidence of that name": lambda r: r.update(sensitivity="sensitivity/x.json"),
    "no such audit": lambda r: r.update(audits=["audits/x.json"]),
}


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize("name", SAID)
def test_a_bundle_that_says_more_than_its_certificate_is_refused(name: str) -> None:
    with pytest.raises(Refusal):
        checked(again(archive.unpacked(good()), lambda manifest: SAID[name](manifest["releases"][0])))


MANIFEST: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no release": lambda m: m.update(releases=[]),
    "another version": lambda m: m.update(version=2),
    "no date": lambda m: m["signed_off"].update(date="yesterday"),
    "a field too many": lambda m: m["signed_off"].update(more="x"),
    "no list of files": lambda m: m.update(files=[]),
}


@pytest.mark.parametrize("name", MANIFEST)
def test_a_manifest_of_another_form_is_refused(name: str) -> None:
    with pytest.raises(Refusal):
        checked(again(archive.unpacked(good()), MANIFEST[name]))


def test_a_larger_epsilon_may_be_said() -> None:
    """What is proved for some epsilon is so for every larger one."""
    data = bundle.make([bundle.Release(LAPLACE, Fraction(5, 4))], day=DAY)
    assert dict(checked(data).lines)["certificate"].endswith("epsilon <= 5/4")


AUDITS = {
    "of another certificate": ({"certificate": {"digest": "0" * 64, "epsilon_upper": "1"}}, "another certificate"),
    "of none": ({"certificate": None}, "another certificate"),
    "of another epsilon": (
        {"certificate": {**audit()["certificate"], "epsilon_upper": "2"}},
        "another epsilon",
    ),
    "violated": ({"epsilon_lower": 1.25, "verdict": "violated"}, "violated"),
    "violated, whatever it says": ({"epsilon_lower": 1.25}, "violated"),
    "of another law": ({"fit": {"rejected": True}}, "do not have the law"),
    "of a fit that is none": ({"fit": "good"}, "do not have the law"),
    "violated by its own word": ({"verdict": "violated"}, "violated"),
    "not a number": ({"epsilon_lower": "0.5"}, "number"),
}


@pytest.mark.parametrize("name", AUDITS)
def test_an_audit_that_does_not_fit_is_refused(name: str, tmp_path: Path) -> None:
    """When it is made, and when somebody puts it in."""
    changes, word = AUDITS[name]
    with pytest.raises(Refused, match=word):
        bundle.make([release(tmp_path, audit(**changes))], day=DAY)
    files = archive.unpacked(good())
    with pytest.raises(Refusal, match=word):
        checked(again({**files, "audits/audit.json": serialise(audit(**changes))}))


BALL = {"set": "ball", "norm": "l2", "radius": "1", "dimension": 3}
SENSITIVITIES = {
    "twice as much": (question(each=2), "more than the certificate's 1"),
    "replacement": (question(neighbours="replace"), "more than the certificate's 1"),
    "another dimension": (question(contribution={**BALL, "dimension": 2}), "dimension"),
    "a smaller Sigma": (
        question(covariance=[["1/2", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]),
        "more than the certificate's 1",
    ),
}


@pytest.mark.parametrize("name", SENSITIVITIES)
def test_a_sensitivity_that_does_not_match_is_refused(name: str, tmp_path: Path) -> None:
    asked, word = SENSITIVITIES[name]
    with pytest.raises(Refused, match=word):
        bundle.make([release(tmp_path, asked=asked)], day=DAY)
    files = archive.unpacked(good())
    with pytest.raises(Refusal, match=word):
        checked(again({**files, "sensitivity/delta.json": serialise(bundle.derive(asked))}))


def test_a_sensitivity_that_does_not_follow_is_refused() -> None:
    files = archive.unpacked(good())
    document = json.loads(files["sensitivity/delta.json"])
    document["question"]["each"] = 2
    body = {k: v for k, v in document.items() if k != "digest"}
    with pytest.raises(Refusal, match="Delta"):
        checked(again({**files, "sensitivity/delta.json": serialise({**document, "digest": digest(body)})}))


def test_a_smaller_sensitivity_is_covered(tmp_path: Path) -> None:
    """What is proved for Delta = 1 holds for every smaller Delta."""
    half = question(contribution={**BALL, "radius": "1/2"})
    assert "Delta = 1/2" in dict(checked(bundle.make([release(tmp_path, asked=half)], day=DAY)).lines)["sensitivity"]


def test_without_evidence_the_sensitivity_is_called_the_owner_s() -> None:
    said = dict(checked(bundle.make([bundle.Release(LAPLACE)], day=DAY)).lines)
    assert "with no derivation" in said["sensitivity"]


def test_no_privacy_is_not_signed_off() -> None:
    with pytest.raises(Refused, match="no privacy"):
        bundle.make([bundle.Release(GALLERY / "gaussian-d1.json")], day=DAY)


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / LAPLACE.name).write_bytes((GALLERY / "laplace-d1.json").read_bytes())
    with pytest.raises(InputError, match="another file of this name"):
        bundle.make([bundle.Release(LAPLACE), bundle.Release(tmp_path / LAPLACE.name)], day=DAY)


def curve(**changes: Any) -> dict[str, Any]:
    point = json.loads(PROFILE.read_bytes())["claim"]["points"][0]
    held = {"epsilon": point["epsilon"], "delta_upper": point["delta"]["upper"], "delta_lower": 0.1, **changes}
    return {"epsilon_lower": {}, "verdict": "consistent", "confidence": 0.99, "certified": [held]}


@pytest.mark.slow
def test_a_profile_and_an_audit_of_its_curve(tmp_path: Path) -> None:
    (tmp_path / "curve.json").write_bytes(serialise(curve()))
    made = bundle.make([bundle.Release(PROFILE, audits=(tmp_path / "curve.json",))], day=DAY)
    assert "1 point(s) of the curve" in dict(checked(made).lines)["audit"]
    for changes, word in (({"delta_lower": 0.2}, "violated"), ({"epsilon": "2"}, "another certificate")):
        (tmp_path / "curve.json").write_bytes(serialise(curve(**changes)))
        with pytest.raises(Refused, match=word):
            bundle.make([bundle.Release(PROFILE, audits=(tmp_path / "curve.json",))], day=DAY)


@pytest.mark.sampled(stay=27)
@pytest.mark.parametrize("path", sorted(GALLERY.rglob("*.json")), ids=lambda p: p.stem)
def test_a_certificate_of_privacy_proves_what_may_be_said_of_it_and_nothing_less(path: Path) -> None:
    """Of every kind: mixtures, profiles and compositions too. The kernel is not asked here."""
    claim = json.loads(path.read_bytes())["claim"]
    points = statement.proved(claim)
    assert bool(points) == (claim["verdict"] in ("private", "profile", "composition", "releases"))
    for epsilon, delta in points:
        says = {"epsilon": str(epsilon), "delta": str(delta), "about": statement.about(claim)}
        statement.require_proved(says, claim)
        least = min(e for e, d in points if d <= delta)
        if least:
            with pytest.raises(Refusal, match="proves less"):
                statement.require_proved({**says, "epsilon": str(least * 999 / 1000)}, claim)


def test_the_command_line_makes_and_checks(tmp_path: Path) -> None:
    made = release(tmp_path)
    options = ["--sensitivity", str(made.sensitivity), "--audit", str(made.audits[0]), "--date", "2026-11-22"]
    signed = ["--mechanism", "means", "--reviewer", "A. N."]
    done = command.run("bundle", "make", str(LAPLACE), *options, *signed, "-o", "b.zip", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "b.zip").read_bytes() == good()
    assert command.run("bundle", "check", "b.zip", cwd=tmp_path).returncode == 0
    found = json.loads(command.run("bundle", "check", "b.zip", "--json", cwd=tmp_path).stdout)
    assert found["holds"] and found["kernel"] == {"sha256": source.digest(), "installed": True}
    (tmp_path / "b.zip").write_bytes(good().replace(b"A. N.", b"B. N."))
    done = command.run("bundle", "check", "b.zip", cwd=tmp_path)
    assert done.returncode == 1 and "REJECTED" in done.stderr
    assert command.run("bundle", "check", "none.zip", cwd=tmp_path).returncode == 2
    less = command.run("bundle", "make", str(LAPLACE), "--at-most", "1/2", "-o", "c.zip", cwd=tmp_path)
    assert less.returncode == 1 and "proves less" in less.stderr and not (tmp_path / "c.zip").exists()


@pytest.mark.slow
def test_python_alone_checks_it(tmp_path: Path) -> None:
    """Isolated, without site-packages, and in a folder where nothing else is."""
    file = tmp_path / "b.zip"
    file.write_bytes(good())
    alone = [sys.executable, "-I", "-S", "b.zip"]
    done = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "holds, epsilon <= 1" in done.stdout and source.digest() in done.stdout
    file.write_bytes(again(archive.unpacked(good()), lambda m: m["releases"][0]["says"].update(epsilon="1/2")))
    done = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "proves less" in done.stderr
