"""The names at the top of the package: found when they are first used, and short to look at."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import dpverify

FUNCTIONS = ["audit", "calibrate", "check", "compare", "curve", "export", "families", "formula", "report", "verify"]


@pytest.mark.parametrize("name", dpverify.__all__)
def test_every_name_is_found(name: str) -> None:
    assert getattr(dpverify, name) is not None


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_can_be_called(name: str) -> None:
    assert callable(getattr(dpverify, name))


def test_no_other_name_is() -> None:
    with pytest.raises(AttributeError, match="verfy"):
        dpverify.verfy


@pytest.mark.slow
@pytest.mark.parametrize("first", ["", "import dpverify.audit, dpverify.export", "from dpverify.audit import Files"])
def test_a_room_does_not_hide_the_function_of_its_name(first: str) -> None:
    """In whatever order they are imported, they are called, and what else their rooms hold is found in them."""
    code = f"""
{first}
import dpverify
certificate = dpverify.verify("laplace").certificate
assert "Theorem" in dpverify.export(certificate)
try:
    dpverify.audit(None, confidence=2)
except dpverify.InputError as error:
    assert "confidence" in str(error)
assert dpverify.audit.BuiltIn and dpverify.export.coq
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_name_costs_nothing_until_it_is_used() -> None:
    code = "import sys, dpverify; print([m for m in sys.modules if m.startswith('dpverify.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['dpverify.shown', 'dpverify.version']"


SHOWN = {
    "Generator": (lambda: dpverify.Generator("student_t", 2, {"nu": "5/2"}), ["(1+y/nu)", "d=2", "nu=5/2"]),
    "Mixing": (lambda: dpverify.Mixing("v**k*exp(-v**2)", {"k": 2}), ["v**k*exp(-v**2)", "k=2"]),
    "Result": (lambda: dpverify.verify("laplace"), ["private, epsilon = 1>"]),
    "not replayed": (lambda: dpverify.verify("laplace", replay=False), ["not replayed"]),
    "not private": (lambda: dpverify.verify("gaussian"), ["not_private"]),
    "CheckReport": (lambda: dpverify.check(dpverify.verify("laplace").certificate), ["accepted: private"]),
    "Curve": (lambda: dpverify.curve("laplace", points=2), ["exp(-sqrt(y))", "2 points"]),
    "Calibration": (lambda: dpverify.calibrate("laplace", epsilon="1/2"), ["epsilon <= 1/2", "sigma = 2.0000"]),
    "Compared": (lambda: dpverify.compare([("l", dpverify.Generator("laplace"))], epsilon=1)[0], ["Compared l"]),
    "Sensitivity": (lambda: dpverify.sensitivity(None, [["3", "4"]]), ["<Sensitivity 5>"]),
    "Formula": (lambda: dpverify.formula("laplace", dimension=1), ["exp(-sqrt(y))", "epsilon = Delta/sigma"]),
}


@pytest.mark.sampled(stay=3)
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n == "Formula" else ()) for n in SHOWN])
def test_a_repr_is_one_short_line(name: str) -> None:
    make, parts = SHOWN[name]
    shown = repr(make())
    assert "\n" not in shown and len(shown) <= 120, shown
    assert all(part in shown for part in parts), shown


def test_a_result_says_whether_the_checker_has_replayed_its_proof() -> None:
    replayed, plain = dpverify.verify("laplace"), dpverify.verify("laplace", replay=False)
    assert replayed.replayed and not plain.replayed
    assert "not replayed" in str(plain) and "not replayed" not in str(replayed)


@pytest.mark.parametrize("certificate", [{"format": "dpverify"}, b"{}"])
def test_what_the_kernel_rejects_is_not_exported(certificate: object) -> None:
    with pytest.raises(dpverify.InputError):
        dpverify.export(certificate)


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(dpverify.InputError, match="lean"):
        dpverify.export(dpverify.verify("laplace").certificate, to="lean")


def test_the_room_of_the_version_is_the_package_s() -> None:
    assert importlib.import_module("dpverify.version").__version__ == dpverify.__version__


@pytest.mark.slow
def test_a_report_is_written_of_a_certificate(tmp_path: Path) -> None:
    file = dpverify.verify("laplace").save(tmp_path / "c.json")
    assert dpverify.report(file, tmp_path / "r.html") == [tmp_path / "r.html"]
    assert "epsilon" in (tmp_path / "r.html").read_text().lower()
    file.write_bytes(file.read_bytes().replace(b'"private"', b'"invalid"'))
    dpverify.report(file, tmp_path / "r.html")
    assert "not accepted" in (tmp_path / "r.html").read_text()
    with pytest.raises(dpverify.InputError):
        dpverify.report(tmp_path / "missing.json", tmp_path / "r.html")
