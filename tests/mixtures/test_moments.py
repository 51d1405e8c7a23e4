"""The dimension at which a family stops being private, from the mixing density near zero, by hand."""

from __future__ import annotations

import pytest

from dpverify.enclosures import precision
from dpverify.mixtures import Mixing
from dpverify.mixtures.examine import Examined, examine

TAIL = "*exp(-v)"


def examined(text: str, **bound: object) -> Examined:
    with precision(128):
        return examine(Mixing(text, bound), lambda: None)


@pytest.mark.sampled(stay=6)
@pytest.mark.parametrize(
    ("text", "stops"),
    [
        ("1" + TAIL, 1),  # E[1/V] diverges like the integral of 1/v
        ("v" + TAIL, 2),
        ("v**3" + TAIL, 4),
        ("v**(5/2)" + TAIL, 4),  # v^(5/2 - d) is integrable at 0 for d < 7/2
        ("v**(-1/2)" + TAIL, 1),
        ("v**(-99/100)" + TAIL, 1),
        ("v**1000" + TAIL, 1001),
        ("exp(-1/v)" + TAIL, None),
        ("exp(-log(v)**2)", None),
        ("exp(-v**(-1/100)-v)", None),
        ("v**3*log(1+1/v)" + TAIL, 4),  # a logarithm moves nothing but the border
        ("v**3/log(2+1/v)" + TAIL, 4),  # 1/(v log) still diverges
        ("v**3/log(2+1/v)**2" + TAIL, 5),  # 1/(v log^2) converges
        ("v**3/log(2+1/v)**(101/100)" + TAIL, 5),
        ("v**3/(log(2+1/v)*log(2+log(2+1/v)))" + TAIL, 4),
        ("v**3/(log(2+1/v)*log(2+log(2+1/v))**2)" + TAIL, 5),
        ("Piecewise((0, v < 1/3), (v**-3, True))", None),
        ("Piecewise((v**2, v < 1/3), (v**-3, True))", 3),
        ("v*tanh(v)" + TAIL, 3),
        ("v*exp(-v**2)", 2),
        ("1/(1+v**2)", 1),
        ("v**2*erfc(v)", 3),
        ("v*exp(-v**2/2)*Abs(v-5/3)", 2),
        ("v**-4*exp(-1/v**2)", None),
    ],
)
def test_where_the_family_stops_being_private(text: str, stops: int | None) -> None:
    found = examined(text)
    assert found.valid
    assert found.moments
    assert found.stops == stops
    for dimension in {1, 2, 3, (stops or 9) - 1, stops or 9, (stops or 9) + 1} - {0}:
        assert found.moment_finite(dimension) is (stops is None or dimension < stops)
    assert found.tail == "steady"
    words = found.private_for()
    assert words.startswith("every dimension" if stops is None else "no dimension" if stops == 1 else f"d < {stops}")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("exp(-v**3)", "tends to -oo"),
        ("exp(-v**(201/100))", "tends to -oo"),
        ("exp(-v**2*log(2+v))", "tends to -oo"),
        ("exp(-v**2*log(3+log(1+v)))", "tends to -oo"),
        ("Piecewise((1, v < 1), (0, True))", "bounded"),
        ("Max(0, 1-v)", "bounded"),
        ("Piecewise((v**2*(5/3-v), v < 5/3), (0, True))", "bounded"),
        ("1/2: 1, 1/2: 1000000", "bounded"),
    ],
)
def test_a_tail_lighter_than_gaussian_is_private_in_no_dimension(text: str, why: str) -> None:
    found = examined(text)
    assert found.valid
    assert found.tail == "too light"
    assert why in found.private_for()
    assert found.private_for().startswith("no dimension")


@pytest.mark.parametrize("text", ["v*exp(-v**2)", "v*exp(-v**2/log(2+v))", "v*exp(-v**(199/100))", "v/(1+v)**(21/10)"])
def test_a_tail_as_heavy_as_gaussian_is_not_too_light(text: str) -> None:
    assert examined(text).tail == "steady"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("1/v", "diverges as v tends to 0"),
        ("1/v*exp(-v)", "diverges as v tends to 0"),
        ("exp(-v)/(v*log(2+1/v))", "diverges as v tends to 0"),
        ("exp(1/v-v)", "diverges as v tends to 0"),
        ("1/(1+v)", "diverges as v tends to oo"),
        ("1", "diverges as v tends to oo"),
        ("exp(v)", "diverges as v tends to oo"),
        ("1/((1+v)*log(2+v))", "diverges as v tends to oo"),
        ("-exp(-v)", "negative"),
        ("exp(-v)*(v-1)", "negative"),
        ("exp(-v)*(v-1)*(v-2)", "negative around v = 1"),
        ("exp(-v)*sin(v)", "negative"),
        ("v**2*exp(-v)*(v**2-2*v+9/10)", "negative"),
    ],
)
def test_what_is_no_mixing_law(text: str, part: str) -> None:
    found = examined(text)
    assert not found.valid
    assert found.defect is not None and part in str(found.defect)
    assert found.private_for().startswith("not a mixing law")


@pytest.mark.parametrize("text", ["exp(-v)/(v*log(2+1/v)**2)", "1/((1+v)*log(2+v)**2)"])
def test_borderline_logarithms_that_converge_make_a_law(text: str) -> None:
    assert examined(text).defect is None


@pytest.mark.parametrize("text", ["v**2*exp(-v)*(2+sin(v))", "floor(v)*exp(-v)", "exp(-v*floor(v))"])
def test_what_is_not_settled_is_left_open(text: str) -> None:
    found = examined(text)
    assert found.defect is None
    assert found.private_for().startswith("undecided")
