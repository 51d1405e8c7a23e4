"""Panels halved where the kernel's bounds are too wide: the same set, in narrower pieces, and no more than help."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath as mp
import pytest

from dpverify import profile
from dpverify.kernel import Rejected
from dpverify.kernel.intervals import ZERO, Interval
from dpverify.profiles.halves import parted
from dpverify.profiles.halving import Bounds, Halving, Piece

WHOLE = Piece(Fraction(0), Fraction(8), None)


def test_a_boundary_on_both_parts_of_a_panel_is_the_same_polynomial():
    curve = [Fraction(3), Fraction(1, 7), Fraction(-2, 5), Fraction(1, 3)]
    piece, middle = Piece(Fraction(1), Fraction(3), None), Fraction(3, 2)
    sides = zip(parted(curve, piece, middle), ((piece.a, middle), (middle, piece.b)), strict=True)
    for part, (a, b) in sides:
        for x in (Fraction(-1), Fraction(1, 3), Fraction(1)):
            r = (a + b) / 2 + (b - a) / 2 * x
            at = r - 2  # the panel's variable, whose middle is 2 and half of whose width is 1
            assert sum(c * x**k for k, c in enumerate(part)) == sum(c * at**k for k, c in enumerate(curve))


def bounded(width: Decimal) -> Bounds:
    return Interval(Decimal(0), width), ZERO


def covered(pieces: list[Piece]) -> bool:
    ends = [WHOLE.a, *(x.b for x in pieces)]
    return [x.a for x in pieces] == ends[:-1] and ends[-1] == WHOLE.b


def test_pieces_are_halved_until_they_are_known():
    cube = Halving(lambda x: bounded(Decimal(int((x.b - x.a) * 1000)) ** 3 / 1000**3))
    found = cube.fine([WHOLE], Decimal("0.01"))
    assert covered(found)
    assert sum(cube.width(x) for x in found) <= Decimal("0.01")


def test_what_halving_does_not_narrow_is_left_whole():
    flat = Halving(lambda x: bounded(Decimal(float(x.b - x.a))))
    assert flat.fine([WHOLE], Decimal("1e-9")) == [WHOLE]


def test_pieces_without_bounds_are_halved_until_they_have_some():
    def bounds(x: Piece) -> Bounds:
        if x.b - x.a > 1:
            raise Rejected("too wide")
        return ZERO, ZERO

    found = Halving(bounds).fine([WHOLE], Decimal("0.01"))
    assert covered(found)
    assert max(x.b - x.a for x in found) <= 1


def test_halves_are_of_what_was_given_not_of_what_was_mended():
    def bounds(x: Piece) -> Bounds:
        if x.how != "mended":
            raise Rejected("not yet")
        return bounded(Decimal(float((x.b - x.a) ** 2)))

    mending = Halving(bounds, mended=lambda x: Piece(x.a, x.b, "mended"))
    seen: list[object] = []

    def halves(x: Piece, middle: Fraction) -> tuple[object, object]:
        seen.append(x.how)
        return x.how, x.how

    found = Halving(bounds, halves, mending.mended).fine([WHOLE], Decimal(1))
    assert set(seen) == {None}
    assert {x.how for x in found} == {"mended"}


def overlap(f, epsilon: float, d: int) -> mp.mpf:
    """delta(eps) at the shift 1 in d = 1 or 3 by SciPy-free sums: (p - e^eps q)_+ over the line, or over r1 and r2."""
    with mp.workdps(20):
        growth = mp.exp(epsilon)
        if d == 1:
            gain = lambda x: max(mp.mpf(0), f(abs(x)) - growth * f(abs(x - 1)))  # noqa: E731
            return mp.quad(gain, mp.linspace(-30, 3, 133)) / (2 * mp.quad(f, mp.linspace(0, 60, 121)))
        whole = 4 * mp.pi * mp.quad(lambda r: r * r * f(r), mp.linspace(0, 60, 121))

        def shell(r: mp.mpf) -> mp.mpf:
            gain = lambda t: t * max(mp.mpf(0), f(r) - growth * f(t))  # noqa: E731
            edge = mp.findroot(lambda t: f(t) * growth - f(r), (abs(r - 1), r + 1), solver="anderson") if r > 0.4 else 0
            ends = sorted({abs(r - 1), min(max(edge, abs(r - 1)), r + 1), r + 1})
            return 2 * mp.pi * r * mp.quad(gain, ends)

        return mp.quad(shell, [0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 9, 14, 20, 30]) / whole


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("text", "d", "near", "of"),
    [
        ("exp(-r)*(2-erf(r-3/4))", 3, 1e-3, lambda r: mp.exp(-r) * (2 - mp.erf(r - 0.75))),
    ],
)
def test_the_kernel_follows_where_its_enclosures_are_the_wider(text, d, near, of):
    found = profile(text, dimension=d, epsilon="1/2", certificate=True)
    claimed = found.certificate["claim"]["points"][0]["delta"]
    low, high = Fraction(claimed["lower"]), Fraction(claimed["upper"])
    assert high - low <= low / 10**9
    assert float(low) == pytest.approx(float(overlap(of, 0.5, d)), rel=near)
