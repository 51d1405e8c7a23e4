"""Small files that ask for unbounded work, or for words on the terminal, are refused in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpverify import kernel
from dpverify.kernel import Rejected
from dpverify.kernel.reader import MAX_DIGITS, MAX_TEXT
from dpverify.kernel.sections import composition, panels, profiles
from dpverify.kernel.sections.charts import LEMMAS, MAX_WORK
from dpverify.kernel.sections.fields import MAX_BOXES
from dpverify.kernel.tree import MAX_NODES
from tests.command import run
from tests.kernel.problems import ENDS, proven, sealed, written

KERNEL = Path(kernel.__file__).parent


def negative(text: str, box: list[str]) -> dict[str, Any]:
    """A certificate that f < 0 on a box, so that f is evaluated there."""
    sign = {"kind": "negative", "box": box, "by": "value"}
    return written(text, "invalid", {"positive": "refuted"}, {**ENDS, "sign": sign})


def asked(data: bytes) -> subprocess.CompletedProcess[str]:
    """The kernel's answer in a process of its own, with 20 seconds of the processor and two gigabytes."""
    code = (
        "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_AS, (2 << 30,) * 2); "
        "resource.setrlimit(resource.RLIMIT_CPU, (20, 20)); "
        f"sys.argv = ['kernel', '/dev/stdin']; runpy.run_path({str(KERNEL)!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=False)
    return subprocess.CompletedProcess((), done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("cosh(" * 60 + "r" + ")" * 60, ["1", "2"]),
        ("cosh(" * 25 + "r" + ")" * 25 + "*" + "cosh(" * 25 + "r" + ")" * 25, ["1", "2"]),
        ("-asinh(" * 60 + "r" + ")" * 60, ["1", "2"]),
        ("-gamma(-999999.5)", ["1", "2"]),
        ("-besselk(1/3,exp(exp(r)))", ["40", "41"]),
        ("-besselk(1/3,exp(-exp(r)))", ["40", "41"]),
        ("-" + "*".join(f"besselk(1/3,({k}+r)/10**150)" for k in range(80)), ["1", "2"]),
        (
            "-(" + ")*(".join("*".join(f"besselk(299/3,{k}+r)" for k in range(j, 180, 3)) for j in (1, 2, 3)) + ")",
            ["1", "2"],
        ),
        ("1-cos(exp(exp(r)))", ["40", "41"]),
        ("1-cos(Max(Max(r**64,0)**64,0)**64)", ["5" + "0" * 100, "15" + "0" * 100]),
    ],
)
def test_generators_that_ask_for_too_much_are_refused(text: str, box: list[str]) -> None:
    done = asked(sealed(negative(text, box)))
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done.stderr
    assert not any(done.stderr.rstrip().endswith(f"[{code}]") for code in ("format", "claim", "steps", "rules"))


@pytest.mark.slow
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
    done = asked(proven(negative(text, box)))
    assert done.returncode == 0, done.stderr


def test_a_model_of_high_order_of_a_long_generator_is_refused() -> None:
    text = "+".join(f"exp(-r**(1/{k}))*log(1+r)" for k in range(2, 60))
    ends = {**ENDS, "zero": {"radius": "1/100000", "order": 24}}
    with pytest.raises(Rejected, match="order is too large"):
        kernel.check_bytes(sealed(written(text, "private", {"finite_at_zero": "proved"}, ends)))


def raw(edit: dict[str, Any], value: Any) -> bytes:
    certificate = written("exp(-r)", "private", {"positive": "proved"}, {**ENDS, "cover": ["1/1024", "16"]})
    place: Any = certificate
    *path, last = edit
    for key in path:
        place = place[key]
    place[last] = value
    return sealed(certificate)


@pytest.mark.slow
@pytest.mark.parametrize(
    "made",
    [
        lambda: b'{"a": "' + b"x" * 100_000_000 + b'"}',
        lambda: raw(("proof", "cover"), [str(k) for k in range(1, 10**6)]),
        lambda: raw(("proof", "cover"), ["1/1024", "9" * 10**6]),
        lambda: raw(("claim", "sensitivity"), "1/" + "7" * 10**6),
        lambda: b'{"version": ' + b"9" * 10**6 + b"}",
        lambda: b"[" * 10**6,
        lambda: b'{"proof":' * 10**6,
        lambda: raw(("proof", "cover"), json.loads("[" * 900 + "]" * 900)),
        lambda: b'{"format": 1, "format": 1}',
        lambda: b'{"a": {"b": [{"c": 1, "c": 2}]}}',
        lambda: b"\xff\xfe\x00{",
        lambda: b'{"a": "\xc3\x28"}',
        lambda: b"\xef\xbb\xbf{}",
        lambda: b"",
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
def test_bad_files_are_refused_in_one_line_by_kernel_and_command(made: Callable[[], bytes], tmp_path: Path) -> None:
    data = made()
    done = asked(data)
    assert done.returncode in (1, 2) and len(done.stderr.splitlines()) == 1 and len(done.stderr) < 500
    path = tmp_path / "bad.json"
    path.write_bytes(data)
    said = run("check", "bad.json", cwd=tmp_path)
    assert said.returncode == done.returncode and len(said.stderr.splitlines()) == 1 and not said.stdout


def test_the_limit_on_boxes_is_the_documented_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "trust.md").read_text()
    most = {
        *(value for name, value in vars(composition).items() if name.startswith("MOST_")),
        *(panels.MOST_PANELS, profiles.MOST_WORK, profiles.MORE_WORK, profiles.LONGEST),
    }
    for limit in (*most, kernel.MAX_BYTES, MAX_BOXES, MAX_DIGITS, MAX_TEXT, MAX_NODES, MAX_WORK):
        assert f"{limit:,}" in page, limit


@pytest.mark.parametrize("name", ["y", "r", "e", "pi", "d", "a\nb", "ν", "a b", "\x1b[2J", ""])
def test_names_that_mislead_are_refused(name: str) -> None:
    with pytest.raises(Rejected, match="name is not permitted") as error:
        kernel.check_bytes(raw(("claim", "parameters"), {name: "x"}))
    assert len(str(error.value).splitlines()) == 1


def test_a_comment_in_a_generator_is_refused() -> None:
    with pytest.raises(Rejected, match="outside the language"):
        kernel.check_bytes(raw(("claim", "generator"), "exp(-r) # + exp(r)"))


NEED = "exp(1/(erfc(1)-1/10))"
"""It has a value where erfc(1) is not 1/10, which takes the lemma on erfc; written so that the tree forgets it."""


@pytest.mark.parametrize("form", ["delta + 0*erfc(1)", f"delta*(1+{NEED})**(1/2)*(1+{NEED})**(-1/2)"])
def test_a_closed_form_that_needs_a_lemma_is_counted(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEMMAS, "erfc", "erfc: what a section takes on trust")
    gallery = Path(__file__).parents[2] / "certificates" / "laplace-d3.json"
    certificate = json.loads(gallery.read_text())
    certificate["claim"]["closed_form"] = form
    kernel.check_bytes(proven(certificate))
    assert certificate["assumptions"] == [LEMMAS["erfc"]]
    certificate["assumptions"] = []
    with pytest.raises(Rejected, match="assumptions"):
        kernel.check_bytes(sealed(certificate, certificate["rules"]))


def conditional(levels: int) -> str:
    """Conditions inside conditions: sixteen times as many nodes with each level, few of them outside."""
    text = "r"
    for _ in range(levels):
        text = f"Piecewise((r,{'cosh(' * 4}{text}{')' * 4}>1),(1,True))"
    return text


@pytest.mark.slow
def test_what_conditions_hide_is_counted() -> None:
    """Two equal sums are compared node by node, and what is shared as often as it is met."""
    inner = conditional(12)
    text = f"-(1+exp({inner}))*(1+exp({inner}))"
    assert len(text) < 3_000
    done = asked(sealed(negative(text, ["1", "2"])))
    assert done.returncode == 1 and "too large a tree [limits]" in done.stderr, done.stderr


@pytest.mark.slow
def test_long_polynomials_are_not_multiplied_out() -> None:
    """Whether a divisor is the polynomial 0 is asked of short ones only."""
    factors = (f"(r+1/{'3' * 18})**{195 - k}*(r+1/{'7' * 18})**199" for k in range(50))
    text = f"exp(-r)/({'+'.join(factors)}-r)"
    claim = written(text, "invalid", {"defined": "refuted"}, {"undefined": {"need": 0, "box": ["1", "2"]}})
    done = asked(sealed(claim))
    assert done.returncode == 1 and "not shown to have no value on the box [K9]" in done.stderr, done.stderr


@pytest.mark.slow
def test_heights_of_many_boxes_ahead_are_refused() -> None:
    """Every box of the cover looks at every other: a small file would ask for the square of its boxes."""
    path = Path(__file__).parents[2] / "certificates" / "rising-at-a-jump.json"
    certificate = json.loads(path.read_text())
    step = certificate["proof"]["supremum"]
    certificate["claim"] |= {"sensitivity": "10", "tail_log_ratio": None}
    certificate["proof"].pop("limsup", None)
    first, last = (Fraction(step["cover"][i]) for i in (0, -1))
    step["cover"] = [str(first + (last - first) * k / 1_000) for k in range(1_001)]
    step["ahead"], step["cuts"] = [str(first), str(first + 10)], []
    step["shifts"], step["rules"] = [["0", "10"]] * 1_000, ["h"] * 1_000
    with pytest.raises(Rejected, match="heights ahead") as refused:
        kernel.check_bytes(sealed(certificate))
    assert refused.value.code == "limits"


LONG = "+".join(f"{11**38 // 7**k}/{13**37 // 5**k}*r**{k}" for k in range(32))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "hypotheses", "proof"),
    [
        (f"exp(-r)+0*sqrt({LONG}-r)", {}, {**ENDS, "defined": [{"at": "algebra"}]}),
        (f"exp(-r)/({LONG})", {"decreasing": "proved"}, {**ENDS, "decreasing": "algebra"}),
    ],
    ids=["a need", "a fall"],
)
def test_chains_of_long_remainders_are_not_followed(
    text: str, hypotheses: dict[str, str], proof: dict[str, Any]
) -> None:
    """The coefficients of a chain of remainders grow with the degree and with those of the polynomial."""
    done = asked(sealed(written(text, "private", hypotheses, proof)))
    assert done.returncode == 1 and "[limits]" in done.stderr, done.stderr


@pytest.mark.slow
def test_long_factors_are_not_multiplied_out() -> None:
    factor = {"polynomial": ["7" * 1900, f"1/{'3' * 1900}"], "power": 40}
    step = {"node": 1, "constant": "1", "factors": [factor] * 40}
    done = asked(sealed(written("1/(1+r)", "private", {}, {**ENDS, "factored": [step]})))
    assert done.returncode == 1 and "too long [limits]" in done.stderr, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("text", ["exp(-1if r else 2)", "exp(-0x1for x in y)", "'\\d'", "exp(-r)*1or 2"])
def test_pythons_own_warnings_are_not_passed_on(text: str) -> None:
    done = asked(sealed(negative(text, ["1", "2"])))
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.slow
def test_the_name_of_a_step_is_shown_as_data() -> None:
    certificate = negative("-exp(-r)", ["1", "2"])
    certificate["proof"]["\x1b[2J\nproved"] = 1
    done = asked(sealed(certificate))
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1 and "\x1b" not in done.stderr, done.stderr
