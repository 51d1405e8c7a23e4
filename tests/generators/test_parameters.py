"""Parameters are given by name in one mapping, so that a misspelt option is not taken for one."""

from __future__ import annotations

import pytest

import dpverify
from dpverify import Generator, InputError, Mixing
from dpverify.calibration import curve
from dpverify.sampling import EllipticalNoise

CALLS = {
    "verify": lambda **more: dpverify.verify("laplace", **more),
    "calibrate": lambda **more: dpverify.calibrate("laplace", epsilon=1, **more),
    "curve": lambda **more: curve("laplace", points=2, **more),
    "formula": lambda **more: dpverify.formula("laplace", **more),
    "Generator": lambda **more: Generator("laplace", **more),
    "Mixing": lambda **more: Mixing("v*exp(-v**2)", **more),
    "EllipticalNoise": lambda **more: EllipticalNoise("laplace", **more),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("misspelt", ["sensitivty", "nu", "toleranse"])
def test_a_misspelt_option_is_a_type_error(call: str, misspelt: str) -> None:
    with pytest.raises(TypeError, match=misspelt):
        CALLS[call](**{misspelt: 1})


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("given", [3, "nu=3", [("nu", 3)], {3: "nu"}])
def test_parameters_are_a_mapping_from_names(call: str, given: object) -> None:
    with pytest.raises(InputError, match="mapping from names"):
        CALLS[call](parameters=given)


@pytest.mark.parametrize("call", CALLS)
def test_a_parameter_that_the_text_does_not_have_is_refused(call: str) -> None:
    with pytest.raises(InputError, match="nu"):
        CALLS[call](parameters={"nu": 3})


def test_the_mapping_given_is_not_kept() -> None:
    given = {"nu": 3}
    generator = Generator("student_t", 2, given)
    given["nu"] = 4
    assert generator.parameters == {"nu": 3} and hash(generator) == hash(Generator("student_t", 2, {"nu": "3"}))
