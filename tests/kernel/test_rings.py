"""Functions that are one for each ring."""

import pytest

from dpverify.kernel.intervals import ONE
from dpverify.kernel.sections.increments import Shift
from dpverify.kernel.sections.rings import Ring, by_ring
from dpverify.kernel.sections.slopes import Slope


def test_the_nearest_class_counts() -> None:
    """Increments are slopes too: the function for slopes is theirs until they have their own."""

    @by_ring
    def name(element: object, more: str) -> str:
        raise TypeError(more)

    @name.register(Slope)
    def name_of_slope(element: Slope, more: str) -> str:
        return f"slope {more}"

    assert name(Slope(ONE, ONE), "a") == name(Shift(ONE, ONE), "a") == "slope a"

    @name.register(Shift)
    def name_of_shift(element: Shift, more: str) -> str:
        return f"shift {more}"

    assert name(Shift(ONE, ONE), "b") == "shift b" and name(Slope(ONE, ONE), "b") == "slope b"
    for other in (ONE, Ring()):
        with pytest.raises(TypeError, match="of no ring"):
            name(other, "of no ring")
