"""E ||X||^2 and the median of ||X||: closed forms, and an independent quadrature where there is none."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest

from dpverify import Generator, InputError
from dpverify.calibration import compare
from dpverify.calibration.noise import Enclosure, NoNoise, noise


def real(q: Fraction) -> mpmath.mpf:
    return mpmath.mpf(q.numerator) / q.denominator


def holds(enclosure: Enclosure, value: mpmath.mpf, digits: int = 10) -> bool:
    assert enclosure.upper is not None and enclosure.lower < enclosure.upper
    assert enclosure.upper - enclosure.lower <= enclosure.upper / 10**digits
    return bool(real(enclosure.lower) <= value <= real(enclosure.upper))


@pytest.mark.parametrize("d", [1, 2, 3, 40, 400])
def test_laplace_has_a_gamma_distributed_radius(d: int) -> None:
    found = noise(Generator("laplace", d))
    with mpmath.workdps(40):
        median = mpmath.findroot(lambda m: mpmath.gammainc(d, 0, m, regularized=True) - 0.5, d - mpmath.mpf(1) / 3)
        assert holds(found.mean_square, mpmath.mpf(d * (d + 1)))
        assert holds(found.median, median)


@pytest.mark.slow
@pytest.mark.parametrize(("nu", "d"), [("5", 1), ("21/10", 2), ("7/2", 10), ("100", 3)])
def test_student_t(nu: str, d: int) -> None:
    """r^2/d is F-distributed with d and nu degrees of freedom."""
    found = noise(Generator("student_t", d, parameters={"nu": nu}))
    v = Fraction(nu)
    with mpmath.workdps(40):

        def below(m: mpmath.mpf) -> mpmath.mpf:
            return mpmath.betainc(mpmath.mpf(d) / 2, real(v) / 2, 0, m * m / (m * m + real(v)), regularized=True)

        assert found.mean_square.upper is not None
        assert found.mean_square.lower <= d * v / (v - 2) <= found.mean_square.upper
        assert below(real(found.median.lower)) <= 0.5 <= below(real(found.median.upper or Fraction(0)))
        assert found.median.digits is not None and found.median.digits >= 10


@pytest.mark.slow
@pytest.mark.parametrize("nu", ["1/10", "1", "2"])
def test_student_t_without_a_second_moment(nu: str) -> None:
    found = noise(Generator("student_t", 2, parameters={"nu": nu}))
    assert found.mean_square.upper is None
    assert found.mean_square.to_json()["upper"] == "infinite"
    with mpmath.workdps(40):  # d = 2: P(r > m) = (1 + m^2/nu)^(-nu/2)
        v = real(Fraction(nu))
        assert holds(found.median, mpmath.sqrt(v * (mpmath.mpf(2) ** (2 / v) - 1)))


def quadrature(f: Callable[[mpmath.mpf], mpmath.mpf], d: int, breaks: list[object]) -> mpmath.mpf:
    def moment(k: int) -> mpmath.mpf:
        return mpmath.quad(lambda r: r**k * f(r), breaks)

    return moment(d + 1) / moment(d - 1)


CASES: dict[str, tuple[Callable[[mpmath.mpf], mpmath.mpf], list[object]]] = {
    "Piecewise((2*exp(-r), y < 4), (exp(-r), True))": (
        lambda r: mpmath.exp(-r) * (2 if r < 2 else 1),
        [0, 2, 10, 40, 120],
    ),
    "Piecewise((2*exp(-r), y < 2), (exp(-r), True))": (
        lambda r: mpmath.exp(-r) * (2 if r * r < 2 else 1),
        [0, mpmath.sqrt(2), 10, 40, 120],
    ),
    "exp(-floor(r))": (lambda r: mpmath.exp(-mpmath.floor(r)), list(range(90))),
    "exp(-Max(r, y/9))": (lambda r: mpmath.exp(-max(r, r * r / 9)), [0, 3, 9, 20, 50]),
    "exp(-Abs(r-1))": (lambda r: mpmath.exp(-abs(r - 1)), [0, 1, 10, 40, 120]),
    "exp(-2*sqrt(y)-cos(3*sqrt(y))/4)": (lambda r: mpmath.exp(-2 * r - mpmath.cos(3 * r) / 4), [*range(40), 60]),
    "Piecewise((exp(-r)*(2+cos(pi*r)), r < 4), (exp(-r), True))": (
        lambda r: mpmath.exp(-r) * (2 + mpmath.cos(mpmath.pi * r) if r < 4 else 1),
        [0, 1, 2, 3, 4, 10, 40, 120],
    ),
    "exp(-r)*besselk(1/3, 1+r)": (
        lambda r: mpmath.exp(-r) * mpmath.besselk(mpmath.mpf(1) / 3, 1 + r),
        [0, 1, 5, 20, 60],
    ),
    "exp(-r)*(1+erf(r/5))": (lambda r: mpmath.exp(-r) * (1 + mpmath.erf(r / 5)), [0, 1, 10, 40, 120]),
    "exp(-y**(2/5))": (lambda r: mpmath.exp(-(r ** mpmath.mpf("0.8"))), [0, 1, 10, 100, 400]),
    "(1+y)**(-3)*log(3+y)**2": (
        lambda r: mpmath.log(3 + r * r) ** 2 / (1 + r * r) ** 3,
        [0, 1, 10, 100, 10**4, 10**8, mpmath.inf],
    ),
}


@pytest.mark.slow
@pytest.mark.swept(stay=4)
@pytest.mark.parametrize("text", sorted(CASES))
def test_against_another_quadrature(text: str) -> None:
    f, breaks = CASES[text]
    found = noise(Generator(text, 2)).mean_square
    assert found.digits is not None and found.digits >= 9
    with mpmath.workdps(25):
        expected = quadrature(f, 2, breaks)
        assert abs(real(found.lower) / expected - 1) < mpmath.mpf(10) ** -9


@pytest.mark.slow
def test_what_does_not_close_is_not_guessed() -> None:
    """The mass of this tail falls as 1/log r, slower than any power."""
    with pytest.raises(NoNoise, match="not enclosed"):
        noise(Generator("1/((1+r)*log(3+r)**2)"))


@pytest.mark.slow
def test_families_at_equal_epsilon() -> None:
    """Laplace at epsilon = 1/2, d = 2: sigma = 2 and E ||sigma X||^2 = 4 * 6; the Gaussian has no scale."""
    named = [
        ("g", Generator("gaussian", 2)),
        ("t", Generator("student_t", 2, parameters={"nu": 2})),
        ("l", Generator("laplace", 2)),
    ]
    rows = compare(named, epsilon="1/2")
    assert [row.name for row in rows] == ["l", "t", "g"]
    laplace, student, gaussian = rows
    assert laplace.mean_square is not None and laplace.calibration is not None
    square = laplace.calibration.upper**2 * 6
    assert laplace.mean_square.lower <= square <= (laplace.mean_square.upper or 0)
    assert abs(square / 24 - 1) < Fraction(1, 10**8)
    assert student.mean_square is not None and student.mean_square.upper is None
    assert student.calibration is not None and student.median is not None
    with mpmath.workdps(30):
        assert holds(student.median, mpmath.sqrt(2) * real(student.calibration.upper))
    assert gaussian.calibration is None and "no epsilon" in str(gaussian.refusal)
    assert gaussian.to_json()["calibration"] is None


@pytest.mark.slow
def test_families_are_compared_by_their_names_alone() -> None:
    """In d = 2 the radius of exp(-r) has density r exp(-r), and sigma = 1 at epsilon = 1: E R^2 = 3! = 6."""
    (row,) = compare(["laplace"], epsilon=1, dimension=2)
    assert row.name == "laplace" and row.mean_square is not None
    assert row.mean_square.lower <= 6 <= row.mean_square.upper
    assert compare([Generator("laplace", 2)], epsilon=1)[0].generator == row.generator
    for wrong in ("laplace", [3], [("laplace", 1)]):
        with pytest.raises(InputError):
            compare(wrong, epsilon=1)  # type: ignore[arg-type]
