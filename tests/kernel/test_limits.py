"""Small files that ask for unbounded work, or for words on the terminal, are refused in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dpverify import kernel
from dpverify.certificate import digest
from dpverify.kernel import BESSEL_LEMMA, MAX_BOXES, Rejected
from tests.kernel.test_forgeries import forged

KERNEL = Path(kernel.__file__)


def negative(text: str, box: list[str], **proof: Any) -> bytes:
    """A certificate that f < 0 on a box, so that f is evaluated there."""
    sign = {"kind": "negative", "box": box, "positive": None}
    certificate = json.loads(forged(text, "invalid", {"positive": "refuted"}, sign=sign, **proof))
    certificate["assumptions"] = [BESSEL_LEMMA] if "besselk" in text else []
    certificate["digest"] = digest(certificate)
    return json.dumps(certificate).encode()


def asked(data: bytes, seconds: int = 20) -> subprocess.CompletedProcess[str]:
    """The kernel's answer in a process of its own, with a time limit and two gigabytes."""
    code = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (2 << 30,) * 2); "
        f"sys.argv = ['kernel.py', '/dev/stdin']; runpy.run_path({str(KERNEL)!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, timeout=seconds, check=False)
    return subprocess.CompletedProcess((), done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("cosh(" * 60 + "r" + ")" * 60, ["1", "2"]),
        ("cosh(" * 25 + "r" + ")" * 25 + "*" + "cosh(" * 25 + "r" + ")" * 25, ["1", "2"]),
        ("-asinh(" * 60 + "r" + ")" * 60, ["1", "2"]),
        ("-gamma(-999999.5)", ["1", "2"]),
        ("-besselk(1/3,exp(exp(r)))", ["40", "41"]),
        ("-besselk(1/3,exp(-exp(r)))", ["40", "41"]),
        ("1-cos(exp(exp(r)))", ["40", "41"]),
        ("1-cos(Max(Max(r**64,0)**64,0)**64)", ["5" + "0" * 100, "15" + "0" * 100]),
    ],
)
def test_generators_that_ask_for_too_much_are_refused(text: str, box: list[str]) -> None:
    done = asked(negative(text, box))
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("-r-floor((1+r)**1000000000)", ["1", "2"]),
        ("-r-floor((1+r/7)**5000)", ["1" + "0" * 900 + "1", "2" + "0" * 900 + "1"]),
        ("-1-cos(exp(-exp(r)))", ["40", "41"]),
        ("-1-floor(exp(-exp(r)))", ["40", "41"]),
        ("-1-exp(-exp(exp(r)))", ["40", "41"]),
    ],
)
def test_extreme_values_are_no_hang(text: str, box: list[str]) -> None:
    done = asked(negative(text, box))
    assert done.returncode == 0, done.stderr


def test_a_model_of_high_order_of_a_long_generator_is_refused() -> None:
    text = "+".join(f"exp(-r**(1/{k}))*log(1+r)" for k in range(2, 60))
    with pytest.raises(Rejected, match="order is too large"):
        kernel.check_bytes(
            forged(text, "private", {"finite_at_zero": "proved"}, zero={"radius": "1/100000", "order": 24})
        )


def raw(edit: dict[str, Any], value: Any) -> bytes:
    certificate = json.loads(forged("exp(-r)", "private", {"positive": "proved"}))
    place: Any = certificate
    *path, last = edit
    for key in path:
        place = place[key]
    place[last] = value
    certificate["digest"] = digest(certificate)
    return json.dumps(certificate).encode()


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": "' + b"x" * 100_000_000 + b'"}',
        raw(("proof", "cover"), [str(k) for k in range(1, 10**6)]),
        raw(("proof", "cover"), ["1/1024", "9" * 10**6]),
        raw(("claim", "sensitivity"), "1/" + "7" * 10**6),
        b'{"version": ' + b"9" * 10**6 + b"}",
        b"[" * 10**6,
        b'{"proof":' * 10**6,
        raw(("proof", "cover"), json.loads("[" * 900 + "]" * 900)),
        b'{"format": 1, "format": 1}',
        b'{"a": {"b": [{"c": 1, "c": 2}]}}',
        b"\xff\xfe\x00{",
        b'{"a": "\xc3\x28"}',
        b"\xef\xbb\xbf{}",
        b"",
    ],
    ids=[
        "100 MB",
        "a million boxes",
        "a million digits",
        "a million digits below",
        "a bare million digits",
        "a million lists",
        "a million objects",
        "deep inside",
        "duplicate key",
        "duplicate key deep inside",
        "UTF-16",
        "broken UTF-8",
        "byte order mark",
        "empty",
    ],
)
def test_bad_files_are_refused_in_one_line_by_kernel_and_command(data: bytes, tmp_path: Path) -> None:
    done = asked(data)
    assert done.returncode in (1, 2) and len(done.stderr.splitlines()) == 1 and len(done.stderr) < 500
    path = tmp_path / "bad.json"
    path.write_bytes(data)
    command = [sys.executable, "-m", "dpverify", "check", "bad.json"]
    said = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=20, check=False)
    assert said.returncode == done.returncode and len(said.stderr.splitlines()) == 1 and not said.stdout


def test_the_limit_on_boxes_is_the_documented_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "trust.md").read_text()
    for limit in (kernel.MAX_BYTES, MAX_BOXES, kernel.MAX_DIGITS, kernel.MAX_TEXT, kernel.MAX_NODES, kernel.MAX_WORK):
        assert f"{limit:,}" in page, limit


@pytest.mark.parametrize("name", ["y", "r", "e", "pi", "d", "a\nb", "ν", "a b", "\x1b[2J", ""])
def test_names_that_mislead_are_refused(name: str) -> None:
    with pytest.raises(Rejected, match="name is not permitted") as error:
        kernel.check_bytes(raw(("claim", "parameters"), {name: "x"}))
    assert len(str(error.value).splitlines()) == 1


def test_a_comment_in_a_generator_is_refused() -> None:
    with pytest.raises(Rejected, match="outside the language"):
        kernel.check_bytes(raw(("claim", "generator"), "exp(-r) # + exp(r)"))


def test_a_closed_form_that_needs_a_lemma_is_counted() -> None:
    gallery = Path(__file__).parents[2] / "certificates" / "laplace-d3.json"
    certificate = json.loads(gallery.read_text())
    certificate["claim"]["closed_form"] = "delta + 0*erfc(1)"
    for assumptions in ([], [kernel.ERFC_LEMMA]):
        certificate["assumptions"] = assumptions
        certificate["digest"] = digest(certificate)
        try:
            kernel.check_bytes(json.dumps(certificate).encode())
        except Rejected as error:
            assert not assumptions and "assumptions" in str(error)
        else:
            assert assumptions
