"""An f that tends to 0 at a radius, one that is 0 throughout, one with zeros for ever whose integral is infinite."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mpmath
import pytest

from dpverify import check, verify
from dpverify.serialise import digest
from dpverify.show import examine, write

GALLERY = Path(__file__).parents[2] / "certificates"
Change = Callable[[dict[str, Any]], object]

# The text, the radius c, and f as mpmath has it, whose values near c are the truth.
TENDING: list[tuple[str, object, Callable[[Any], Any]]] = [
    ("exp(-r-1/Abs(r-1))", 1, lambda r: mpmath.exp(-r - 1 / abs(r - 1))),
    ("exp(-1/(r-1)**2-r)", 1, lambda r: mpmath.exp(-1 / (r - 1) ** 2 - r)),
    ("tanh(Abs(r-sqrt(2)))*exp(-r)", mpmath.sqrt(2), lambda r: mpmath.tanh(abs(r - mpmath.sqrt(2))) * mpmath.exp(-r)),
    ("log(1+Abs(r-2))*exp(-r)", 2, lambda r: mpmath.log(1 + abs(r - 2)) * mpmath.exp(-r)),
    ("exp(-r)*asinh(Abs(y-3))", mpmath.sqrt(3), lambda r: mpmath.exp(-r) * mpmath.asinh(abs(r * r - 3))),
    ("exp(-r)*(1-exp(-(r-1)**2))", 1, lambda r: mpmath.exp(-r) * (1 - mpmath.exp(-((r - 1) ** 2)))),
    ("exp(-r)*Max(Abs(r-1), (r-1)**2)", 1, lambda r: mpmath.exp(-r) * max(abs(r - 1), (r - 1) ** 2)),
    ("exp(-r)/(1+1/Abs(r-1))", 1, lambda r: mpmath.exp(-r) / (1 + 1 / abs(r - 1))),
    ("exp(-r)*atan(Abs(r-1))", 1, lambda r: mpmath.exp(-r) * mpmath.atan(abs(r - 1))),
    ("exp(-r)*lambertw((r-1)**2)", 1, lambda r: mpmath.exp(-r) * mpmath.lambertw((r - 1) ** 2).real),
]


@pytest.mark.slow
@pytest.mark.swept(stay=4)
@pytest.mark.parametrize(("text", "c", "f"), TENDING, ids=[case[0] for case in TENDING])
def test_where_f_tends_to_zero_no_epsilon_suffices(text: str, c: Any, f: Callable[[Any], Any]) -> None:
    with mpmath.workdps(30):
        near = [f(c + sign * mpmath.mpf(10) ** -k) for k in (3, 6, 9) for sign in (1, -1)]
        assert near[4] < near[2] / 100 < near[0] / 10**4 and near[5] < near[3] / 100 < near[1] / 10**4
        assert 0 < mpmath.quad(f, [0, c, 2 * c, 60]) < 10
    result = verify(text)
    assert result.verdict == "not_private", result.reason
    assert result.hypotheses.positive.status == "refuted"


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "exp(-r)*(2-exp(-Abs(r-1)))",
        "exp(-r-1/(1/100+Abs(r-1)))",
        "exp(-r)*(1+1/1000-exp(-(r-1)**2))",
        "exp(-r)*(1+atan(Abs(r-1)))",
    ],
)
def test_where_f_stays_above_zero_it_is_private(text: str) -> None:
    assert verify(text).verdict == "private"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["exp(-r-(r-1)**0)", "exp(-r-Abs(r-1)**0)", "exp(-r-1/(r-1)**0)"])
def test_a_power_with_the_exponent_zero_tends_to_one(text: str) -> None:
    """f is exp(-r)/e but at one radius: private with epsilon = delta, so nothing shows that it is not."""
    assert verify(text).verdict != "not_private"


BESIDE: list[tuple[str, dict[str, Any], str]] = [
    ("exp(-r)*(1-frac(r))", {}, "not_private"),
    ("exp(-r)*(1-frac(2*r))**2", {"dimension": 3, "sensitivity": "1/9"}, "not_private"),
    ("frac(r)/(1+y)**2", {}, "not_private"),
    ("exp(-r)*(Abs(r-1)-(r-1))", {"dimension": 2}, "not_private"),
    ("frac(r)/(1+y)", {"dimension": 2}, "invalid"),  # its integral is infinite
    ("Piecewise((exp(-r)*(1-r), r < 1), (exp(-r), True))", {"sensitivity": "1/100"}, "not_private"),
    ("Piecewise((exp(-r), r < 1), (exp(-r)*(1-r)**2, r <= 1), (exp(-r), True))", {}, "private"),  # on no open set
]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "with_", "verdict"), BESIDE)
def test_beside_a_jump_f_may_tend_to_zero(text: str, with_: dict[str, Any], verdict: str) -> None:
    """As the values show on both sides of 1, by hand."""
    result = verify(text, **with_)
    assert result.verdict == verdict, result.reason
    assert result.certificate is None or check(result.certificate).accepted


NOTHING = [
    "0",
    "exp(-r)*0",
    "exp(-r)*(r-sqrt(y))",
    "exp(-r)*(1+r-sqrt(y+2*r+1))",
    "0*1/(r-2)",
    "Piecewise((0, r < 1), (0, True))",
    "Min(0, r)",
    "exp(-r)*(erfc(r)-1+erf(r))",
    "exp(-r)*((1+r)**2-1-2*r-y)",
]


@pytest.mark.slow
@pytest.mark.parametrize("text", NOTHING)
def test_what_is_nothing_is_no_density(text: str) -> None:
    result = verify(text)
    assert result.verdict == "invalid"
    assert "f is 0 at almost every radius" in result.reason
    assert result.certificate is not None
    assert check(result.certificate)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("exp(-r)*(1+r-sqrt(y+2*r))", "private"),  # 1/(1 + r + sqrt(r^2 + 2 r)) times the exponential
        ("exp(-r)*Max(r-1, 0)", "not_private"),
        ("exp(-r)*(1+r-r)", "private"),
        ("0/(r-sqrt(y))", "invalid"),  # 0/0
    ],
)
def test_what_is_something_is_not_taken_for_nothing(text: str, verdict: str) -> None:
    result = verify(text)
    assert result.verdict == verdict
    assert "f is 0" not in str(result.reason)


# The text, d, and r^(d-1) f(r^2), whose integral over an octave stays away from 0, or falls to 0.
RECURRING: list[tuple[str, int, str, Callable[[Any], Any]]] = [
    ("(1+cos(r))/(1+r)", 1, "invalid", lambda r: (1 + mpmath.cos(r)) / (1 + r)),
    ("Abs(cos(r))*exp(-asinh(7*r/2))", 1, "invalid", lambda r: abs(mpmath.cos(r)) * mpmath.exp(-mpmath.asinh(3.5 * r))),
    ("sin(r)**2/y", 2, "invalid", lambda r: mpmath.sin(r) ** 2 / r),
    ("(sin(r)/r)**4", 4, "invalid", lambda r: mpmath.sin(r) ** 4 / r),
    ("cos(r)**2/(1+y)", 2, "invalid", lambda r: mpmath.cos(r) ** 2 * r / (1 + r * r)),
    ("sin(r)**2/y", 1, "not_private", lambda r: mpmath.sin(r) ** 2 / r**2),
    ("(sin(r)/r)**4", 3, "not_private", lambda r: mpmath.sin(r) ** 4 / r**2),
]


@pytest.mark.slow
@pytest.mark.swept(stay=3)
@pytest.mark.parametrize(("text", "d", "verdict", "f"), RECURRING, ids=[f"{t}, d = {d}" for t, d, _, _ in RECURRING])
def test_zeros_for_ever_and_the_integral(text: str, d: int, verdict: str, f: Callable[[Any], Any]) -> None:
    def octave(k: int) -> Any:
        step = mpmath.pi / 2
        return mpmath.nsum(lambda i: mpmath.quad(f, [i * step, (i + 1) * step]), [2**k, 2 ** (k + 1) - 1])

    first, last = octave(4), octave(7)
    assert (last > first / 2) == (verdict == "invalid")
    assert verify(text, dimension=d).verdict == verdict


def changed(name: str, *changes: Change) -> bool:
    """Whether the kernel accepts a certificate of the gallery after the changes."""
    certificate = json.loads((GALLERY / f"{name}.json").read_text())
    for change in changes:
        change(certificate)
    certificate["digest"] = digest(certificate)
    return check(certificate).accepted


def typed(text: str) -> Change:
    return lambda c: c["claim"].update(generator=text)


def sign(**fields: object) -> Change:
    return lambda c: c["proof"]["sign"].update(fields)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("zero-by-limits", [typed("exp(-r-1/(1/100+Abs(r-1)))")]),  # never below e^(-r - 100)
        ("zero-by-limits", [typed("exp(-r-1/Abs(r-3))")]),  # the zero is elsewhere
        ("zero-by-limits", [typed("exp(1/Abs(r-1)-r)")]),  # a pole, and no zero
        ("zero-by-limits", [typed("exp(-r-Abs(r-1))")]),
        ("zero-by-limits", [typed("exp(-r-1/Abs(floor(r)-1/2))")]),  # g jumps across 0
        ("zero-by-limits", [typed("exp(-r-1/Abs(1/(r-1)))")]),  # g has a pole
        ("zero-by-limits", [typed("exp(-r-1/Abs(r-1)+1/Abs(r-1))")]),  # oo - oo
        ("zero-by-limits", [typed("exp(-r-Abs(r-1)/Abs(r-1))")]),  # 0 times oo
        ("zero-by-limits", [sign(box=["101/100", "102/100"])]),
        ("zero-by-limits", [sign(node=0)]),
        ("zero-by-limits", [sign(node=-1)]),
        ("zero-by-limits", [sign(node=10**6)]),
        ("zero-throughout", [typed("exp(-r)*((1+r)**2-1-2*r-2*y)")]),
        ("zero-throughout", [typed("exp(-r)*((1+r)**2-1-2*r)")]),
        ("zero-throughout", [typed("exp(-r)*((1+r)**2-1-2*r-y)+exp(-r)")]),
        ("zero-throughout", [lambda c: c["proof"].update(noughts=[1])]),
        ("zero-throughout", [lambda c: c["proof"].update(noughts=[])]),
        ("zero-throughout", [lambda c: c["claim"].update(verdict="not_private")]),
        ("zero-throughout", [lambda c: c["proof"].update(cover=["1", "2"])]),
        ("roots-that-cancel-altogether", [typed("exp(-r)*(1+r-sqrt(2+2*r+y))")]),
        ("roots-that-cancel-altogether", [typed("exp(-r)*(2+r-sqrt(1+2*r+y))")]),
        ("zeros-that-recur-and-no-integral", [typed("(1+cos(r))/(1+y)")]),  # integrable
        ("zeros-that-recur-and-no-integral", [typed("(1-cos(r))/(1+r)**2")]),
        ("zeros-that-recur-and-no-integral", [typed("(1+cos(2*r))*exp(-r)")]),
        ("zeros-that-recur-and-no-integral", [typed("(cos(r)-1)/(1+r)")]),  # negative there
        ("zeros-that-recur-and-no-integral", [lambda c: c["proof"]["integrable"].update(phase=["3", "7/2"])]),
        ("zeros-that-recur-and-no-integral", [lambda c: c["proof"]["integrable"].update(phase=["1", "1"])]),
        ("zeros-that-recur-and-no-integral", [lambda c: c["proof"]["integrable"].update(phase=["1"])]),
        ("zeros-that-recur-and-no-integral", [lambda c: c["proof"].pop("phase")]),
    ],
)
def test_forged_certificates_are_refused(name: str, changes: list[Change]) -> None:
    assert changed(name)
    assert not changed(name, *changes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("zero-by-limits", "f tends to 0 around r = 1, by the limits of its parts"),
        ("zero-beside-a-jump", "f tends to 0 as r rises to a jump, around r = 1, and is positive elsewhere"),
        ("zero-throughout", "f is 0 in both models and on every box"),
        ("zeros-that-recur-and-no-integral", "over the radii of one cell of phases"),
    ],
)
def test_a_report_says_why(name: str, told: str, tmp_path: Path) -> None:
    (file,) = write(examine(GALLERY / f"{name}.json"), tmp_path / "r.html")
    assert told in " ".join(Path(file).read_text(encoding="utf-8").split())


@pytest.mark.slow
def test_forged_sides_are_refused() -> None:
    """The same steps for an f that stays above 0, for the other end, and for a saw that is negative."""

    def forged(text: str, *changes: Change) -> bool:
        certificate = json.loads(json.dumps(verify(text).certificate))
        for change in changes:
            change(certificate)
        certificate["digest"] = digest(certificate)
        return check(certificate).accepted

    saw, touching = "exp(-r)*(1-frac(r))", "frac(r)/(1+y)**2"
    assert forged(saw) and forged(touching)
    for change in (typed("exp(-r)*(2-frac(r))"), sign(end="low"), sign(box=["1/2", "2/3"]), sign(kind="limits")):
        assert not forged(saw, change)
    for other in ("(frac(r)-1/9)/(1+y)**2", "frac(r)/(1+r)", "frac(r)*(9/10-frac(r))/(1+y)**2"):
        assert not forged(touching, typed(other))
