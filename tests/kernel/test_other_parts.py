"""Small parts of the kernel, each by itself: what it holds, and what it refuses."""

from __future__ import annotations

import gc
import io
import os
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, NoReturn

import pytest

from dpverify import kernel
from dpverify.kernel import Rejected, Unreadable
from dpverify.kernel.intervals import ZERO, Interval, interval
from dpverify.kernel.main import content, main, run
from dpverify.kernel.reader import MAX_DIGITS, Need, Reader
from dpverify.kernel.sections.at_once import AtOnce
from dpverify.kernel.sections.closed_forms import closed_form
from dpverify.kernel.sections.evaluation import LOGS, Evaluation
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.jets import Series
from dpverify.kernel.sections.models import CONSTANT, LINEAR, Germ, Model, power_of_t
from dpverify.kernel.sections.outgrowing import grows_for_all_phases
from dpverify.kernel.sections.shapes import absolute_of
from dpverify.kernel.sections.shifts import Slopes
from dpverify.kernel.sections.short import far_ahead, short_increment, slope_by_bend
from dpverify.kernel.sections.signs import exact_value
from dpverify.kernel.sections.slopes import Slope
from dpverify.kernel.sections.softplus import as_softplus
from dpverify.kernel.sections.squares import left
from dpverify.kernel.sections.staircases import falling_by_steps
from dpverify.kernel.sections.undefined import unmet
from dpverify.kernel.sections.unsteady import exp_of_sides
from dpverify.kernel.steps import Steps, rational
from dpverify.kernel.tree import Node, minus, never_negative, num, same
from tests.kernel.problems import on_charts, tree

Q = Fraction
GERM = Germ(Q(16), 3)
CERTIFICATE = Path(__file__).parents[2] / "certificates" / "laplace-d1.json"


def span(low: str, high: str) -> Interval:
    return Interval(Decimal(low), Decimal(high))


@pytest.mark.parametrize(
    "text", ["\u00b2", "1/\u00b2", "1/", "1/x", "1/0", "1/01", "\u0663", "x", "", "-", "+1", "2/4", 0]
)
def test_what_is_no_rational_in_lowest_terms(text: Any) -> None:
    with pytest.raises(Rejected) as refusal:
        rational(text, "p")
    assert refusal.value.code == "format"


@pytest.mark.parametrize("text", ["0", "-1/2", "7" * MAX_DIGITS, "1/" + "3" * (MAX_DIGITS - 2)])
def test_rationals_as_long_as_they_may_be(text: str) -> None:
    assert str(rational(text, "p")) == text
    with pytest.raises(Rejected):
        rational("7" * (MAX_DIGITS + 1), "p")


@pytest.mark.parametrize("proof", [[], "supremum", None, 1])
def test_what_is_no_proof(proof: Any) -> None:
    with pytest.raises(Rejected, match="not an object"):
        Steps(proof)


WIDTH = Q(1, 10**8)


@pytest.mark.parametrize(
    ("text", "low", "high", "narrow"),
    [
        ("1/2", Q(1, 2) - WIDTH / 2, Q(1, 2) + WIDTH / 2, True),
        ("1/2", Q(1, 2) - WIDTH / 2, Q(1, 2) + WIDTH, False),
        ("3", 3 - WIDTH, 3 + WIDTH, True),
        ("3", 3 - 2 * WIDTH, 3 + 2 * WIDTH, False),
        ("1/9", Q(1, 9), Q(1, 9) + WIDTH, True),
    ],
)
def test_closed_forms_in_enclosures_as_wide_as_they_may_be(text: str, low: Q, high: Q, narrow: bool) -> None:
    reader = Reader(text, {})
    if narrow:
        closed_form(reader, reader.tree(), low, high)
    else:
        with pytest.raises(Rejected, match="too wide"):
            closed_form(reader, reader.tree(), low, high)


@pytest.mark.parametrize(
    ("kind", "node", "fails"),
    [
        ("no pole", num(2), False),
        ("no pole", num(-2), True),
        ("nonzero", tree("(r-r)*cos(r)*(1+r)"), True),
        ("positive", tree("(r-r)*cos(r)*(1+r)"), True),
        ("nonnegative", tree("(r-r)*cos(r)*(1+r)"), False),
        ("positive", tree("floor(r)-3"), True),
        ("nonnegative", tree("floor(r)-3"), False),
        ("positive", tree("r-3"), True),
        ("nonnegative", tree("r-3"), True),
        ("positive", tree("r-2"), False),
        ("nonnegative", tree("-r"), True),
        ("positive", tree("4*r**2-r-33"), True),
        ("nonnegative", tree("4*r**2-r-33"), True),
        ("nonzero", tree("r-2"), False),
    ],
)
def test_needs_that_fail_on_a_box_and_others(kind: str, node: Node, fails: bool) -> None:
    need = Need(kind, node, ())
    at = Evaluation(Slope(span("1", "3"), interval(1)), (Q(1), Q(3)))
    if fails:
        unmet(at, need)
    else:
        with pytest.raises(Rejected):
            unmet(at, need)


def test_the_program_says_what_is_proved_rejected_or_not_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "no.json").write_text("{")
    assert main([str(tmp_path / "none.json"), str(tmp_path / "no.json")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].endswith("none.json: cannot be read: No such file or directory")
    assert "no.json: cannot be read: " in lines[1] and not lines[1].endswith("None")


class Ended(BaseException):
    """In place of the end of the process: with which status."""


class Full(io.StringIO):
    """What is written to it waits, and cannot be kept."""

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


def ends_with(*arguments: str) -> int:
    """The status with which the checker ends its process."""

    def end(status: int) -> NoReturn:
        raise Ended(status)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", ["kernel", *arguments])
        patched.setattr(os, "_exit", end)
        with pytest.raises(Ended) as ended:
            run()
    gc.enable()
    found: int = ended.value.args[0]
    return found


def test_the_process_ends_with_the_status_of_what_was_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert ends_with(str(CERTIFICATE)) == 0
    assert f"{CERTIFICATE}: proved" in capsys.readouterr().out
    (tmp_path / "none").write_text('{"format": "none"}')
    assert ends_with(str(tmp_path / "none"), str(CERTIFICATE)) == 1
    assert "rejected: this is not a dpverify certificate [format]" in capsys.readouterr().err
    assert ends_with() == 2 and "usage" in capsys.readouterr().err


def test_a_result_that_cannot_be_written_is_no_success(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", Full())
    assert ends_with(str(CERTIFICATE)) == 2
    assert capsys.readouterr().err == "what was found cannot be written: No space left on device\n"


def test_no_more_of_a_file_is_read_than_a_certificate_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["dpverify.kernel.main"], "MAX_BYTES", 9)
    (tmp_path / "long").write_text("0123456789more")
    assert content(str(tmp_path / "long")) == b"0123456789"
    with pytest.raises(Unreadable, match="No such file or directory"):
        content(str(tmp_path / "none"))


def started(certificate: Path, stdout: int | IO[str]) -> subprocess.CompletedProcess[str]:
    """The checker as a stranger starts it."""
    line = [sys.executable, "-I", "-S", str(Path(kernel.__file__).parent), str(certificate)]
    return subprocess.run(line, stdout=stdout, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_the_program_ends_at_once_and_has_said_all() -> None:
    holds = started(CERTIFICATE, subprocess.PIPE)
    assert (holds.returncode, holds.stderr) == (0, "")
    assert holds.stdout.startswith(f"{CERTIFICATE}: proved") and holds.stdout.endswith("\n")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a file that is always full")
def test_what_cannot_be_written_is_no_success() -> None:
    with open("/dev/full", "w") as full:
        ended = started(CERTIFICATE, full)
    assert ended.returncode == 2
    assert ended.stderr == "what was found cannot be written: No space left on device\n"


def test_a_slope_of_an_increment_by_the_bend() -> None:
    """(k^3 - 1) r^3 with k = 1001/1000, on a narrow box: its slope is 3 (k^3 - 1) r^2."""
    r, k = Slope(span("1", "1.0001"), interval(1)), Q(1001, 1000)
    found = slope_by_bend(r, r * k, r * (k - 1), lambda x: x * x * 3, lambda x: x * 6)
    low, high = 3 * (k**3 - 1), 3 * (k**3 - 1) * Q(10001, 10000) ** 2
    assert found.lo <= low and high <= found.hi
    assert found.hi - found.lo < Q(1, 10**5)


def test_short_increments_are_over_intervals_and_pairs_of_them() -> None:
    box, model = Slope(span("1", "2"), interval(1)), Model(GERM, {CONSTANT: 1})
    step = Slope(span("0.1", "0.1"), ZERO)
    flat = lambda x: interval(1)  # noqa: E731
    found = short_increment(box, box + step, step, flat, lambda x: ZERO)
    assert found.u.lo == found.u.hi == Decimal("0.1")
    assert short_increment(box, box + step, step, flat, None) is None
    assert short_increment(model, model, model, flat, flat) is None
    pair = Slope(model, model)
    assert short_increment(pair, pair, pair, flat, flat) is None
    series = Series([box.u, interval(1)])
    assert short_increment(series, series, series, flat, flat) is None


@pytest.mark.parametrize(
    ("u", "du", "holds"),
    [({LINEAR: 1}, {CONSTANT: 1}, True), ({LINEAR: 1}, {CONSTANT: -1}, False), ({CONSTANT: 1}, {CONSTANT: 1}, False),
     ({power_of_t(-1): 1}, {CONSTANT: 1}, False)],
)  # fmt: skip
def test_what_grows_far_out_and_with_the_shift(u: Any, du: Any, holds: bool) -> None:
    assert far_ahead(Shift(Model(GERM, u), Model(GERM, du))) is holds


def test_an_exponential_from_both_sides() -> None:
    here, ahead = Model(GERM, {CONSTANT: Q(1, 4)}), Model(GERM, {CONSTANT: Q(0)})
    found = exp_of_sides(here, ahead).du.span()
    assert found.lo == found.hi == Decimal("0.75")


SAW = "2+r-floor(r)"


def test_logarithms_of_saws_on_the_ring_they_are_asked_on() -> None:
    node, box = tree(SAW), span("1.25", "1.75")
    _, plain = LOGS["add"](Evaluation(box), node)
    assert isinstance(plain, Interval)
    _, both = LOGS["add"](Evaluation(AtOnce(box, span("1.5", "2.5"), span("0.25", "0.75"))), node)
    assert isinstance(both, AtOnce)


@pytest.mark.parametrize("text", ["2+r-floor(r)+cos(r)/2", "2+2*r-floor(r)"])
def test_what_stands_beside_a_saw_is_not_left_out(text: str) -> None:
    """A shift may add 1 to cos(r)/2, and near 16 one of 9 adds 10 to r and what the floor leaves, beside 18."""
    r = Shift(Model(GERM, {LINEAR: 1}), Model(GERM, {CONSTANT: span("0", "9")}))
    try:
        found = LOGS["add"](Evaluation(r), tree(text))[1].du.span()
    except Rejected:
        return
    truth = {"2+r-floor(r)+cos(r)/2": Decimal("0.83"), "2+2*r-floor(r)": Decimal("0.43")}[text]
    assert found.hi >= truth


HEIGHTS: list[tuple[str, int | Fraction, bool | None, Fraction | int]] = [
    ("exp(-r+floor(-r))", 0, True, -1),
    ("exp(-r+floor(-r))", 0, None, -1),
    ("exp(-r+floor(-r))", 1, True, -3),
    ("exp(-r+floor(-r))", 1, False, -2),
    ("exp(-r+floor(-r))", Q(1, 2), None, Q(-3, 2)),
    ("exp(-r-floor(r))", 1, True, -2),
    ("exp(-r-floor(r))", 1, False, -1),
    ("exp(-r-floor(r))", 1, None, -2),
]
"""f, a radius, whether just above it or just below, or there, and log f."""


@pytest.mark.parametrize(("text", "r", "above", "log"), HEIGHTS)
def test_heights_beside_jumps_at_the_centre_and_elsewhere(text: str, r: Any, above: bool | None, log: Any) -> None:
    noise: Any = SimpleNamespace(p=on_charts(text), epsilon=interval(1))
    found, truth = Slopes(noise, [Q(1), Q(2)]).height(Q(r), above), interval(Q(log)).exp()
    assert found.lo <= truth.lo and truth.hi <= found.hi
    assert found.hi - found.lo < Decimal("1e-9")


@pytest.mark.parametrize(
    ("lead", "c", "grows"),
    [
        (LINEAR, Q(1, 2), True),
        (LINEAR, span("0.25", "0.5"), True),
        (LINEAR, span("0", "1"), False),
        (LINEAR, span("-1", "1"), False),
        (LINEAR, Q(-1), False),
        (CONSTANT, Q(2), False),
    ],
)
def test_a_loss_that_outgrows_every_bound_for_all_phases(lead: Any, c: Any, grows: bool) -> None:
    loss = Model(GERM, {lead: c})
    proof: Any = SimpleNamespace(tail=SimpleNamespace(cells=[GERM]), problem=SimpleNamespace(far_loss=lambda _: loss))
    if grows:
        grows_for_all_phases(proof)
    else:
        with pytest.raises(Rejected, match="not shown unbounded"):
            grows_for_all_phases(proof)


@pytest.mark.parametrize(
    "u",
    [
        interval(3),
        Shift(Model(GERM, {LINEAR: 1}), Model(GERM, {LINEAR: -1})),
        Shift(Model(GERM, {LINEAR: 1}), Model(GERM, {CONSTANT: -1})),
        Model(GERM, {LINEAR: span("-1", "1")}),
        Model(GERM, {LINEAR: span("0", "1")}),
        Model(GERM, {CONSTANT: 1}),
    ],
)
def test_erfc_has_no_square_apart_but_where_its_argument_grows(u: Any) -> None:
    with pytest.raises(Rejected, match=r"not shown to grow|far out alone"):
        left(u)


def test_the_value_of_a_logarithm_of_one_and_an_exponential() -> None:
    """log(1 + e^r) at r = 0 is log 2."""
    found = Evaluation(ZERO).value(as_softplus(tree("log(1+exp(r))")))
    assert found.lo <= interval(2).log().hi and interval(2).log().lo <= found.hi
    assert found.hi - found.lo < Decimal("1e-50")


@pytest.mark.parametrize("drop", ["1e-70", "0", "-1", "-Infinity"])
def test_a_tail_that_hardly_falls_by_steps(drop: str) -> None:
    """1 - e^(-1e-70) is not told from 0, nor from less."""
    p = SimpleNamespace(infinity=GERM, far_shift=lambda *_: Model(GERM, {CONSTANT: span(drop, "Infinity")}))
    noise: Any = SimpleNamespace(p=p, d=1, bound=lambda *_: span("0", "1"))
    with pytest.raises(Rejected, match=r"by steps in the tail"):
        falling_by_steps(noise, Q(2), Q(1))


def test_which_nodes_are_absolute_values() -> None:
    u = tree("sin(r)")
    assert absolute_of(tree("Max(sin(r),-sin(r))")) is not None
    assert absolute_of(Node("add", u, minus(u))) is None
    assert absolute_of(Node("max", u, u)) is None


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Piecewise((1,r<1),(-r,True))", False),
        ("Piecewise((1,r<1),(r,True))", True),
        ("floor(r)", True),
        ("floor(r-1)", False),
        ("Max(r-1,1)", True),
        ("Max(r-1,cos(r))", False),
    ],
)
def test_choices_that_are_never_negative(text: str, holds: bool) -> None:
    assert never_negative(tree(text)) is holds
    assert exact_value(tree("Max(r,2-r)"), Q(1, 2)) == Q(3, 2)


@pytest.mark.parametrize(
    ("text", "kind", "of"),
    [
        ("acosh(r)", "nonnegative", "r-1"),
        ("log1p(-r)", "positive", "1-r"),
        ("csch(r-1)", "nonzero", "r-1"),
        ("coth(r-1)", "nonzero", "r-1"),
    ],
)
def test_what_functions_in_short_ask_for(text: str, kind: str, of: str) -> None:
    reader = Reader(text, {})
    reader.tree()
    assert any(need.kind == kind and same(need.node, tree(of)) for need in reader.needs)
