"""Functions that are small with a high power of 1/(1 + y): the loss is e to a large power in ratios of them."""

import json

import mpmath
import pytest

import dpverify
from dpverify import kernel

OF = {
    "log(1+1/(1+y)**10)": (10, lambda r: mpmath.log1p((1 + r * r) ** -10)),
    "log(1+1/(1+y)**50)": (50, lambda r: mpmath.log1p((1 + r * r) ** -50)),
    "atan(1/(1+y)**50)": (50, lambda r: mpmath.atan((1 + r * r) ** -50)),
}


@pytest.mark.parametrize("text", OF)
def test_the_largest_loss(text):
    d, f = OF[text]
    found = dpverify.verify(text, dimension=d)
    with mpmath.workdps(200):

        def loss(r):
            return mpmath.log(f(r)) - mpmath.log(f(r + 1))

        low, high = mpmath.mpf("0.1"), mpmath.mpf(4)  # the loss rises, then falls
        for _ in range(200):
            a, b = (2 * low + high) / 3, (low + 2 * high) / 3
            low, high = (low, b) if loss(a) > loss(b) else (a, high)
        most = loss(low)
    assert found.verdict == "private"
    assert float(found.epsilon.lower) <= float(most) * (1 + 1e-12)
    assert float(found.epsilon.upper) >= float(most) * (1 - 1e-12)
    assert float(found.epsilon.upper - found.epsilon.lower) < 1e-6 * float(most)
    kernel.check_bytes(json.dumps(found.certificate).encode())
