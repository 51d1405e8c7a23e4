"""Profiles: for each rule of the kernel that they bring a certificate that uses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpverify.profiles import profile
from dpverify.serialise import serialise

ENTRIES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("gaussian-d1", "gaussian", {"epsilon": "1"}),
    ("gaussian-d3", "gaussian", {"epsilon": "1", "dimension": 3}),
    ("gaussian-quantile", "gaussian", {"delta": "1e-5"}),
    ("laplace-d1", "laplace", {"epsilon": ("1/2", "1")}),
    ("laplace-d2", "laplace", {"epsilon": "1/2", "dimension": 2}),
    ("student-t-nu3-d3", "student_t", {"epsilon": "1", "dimension": 3, "parameters": {"nu": "3"}}),
    ("gaussian-whole", "gaussian", {"curve": True, "scale": 2, "step": "1/10", "until": "1e-9"}),
    (
        "laplace-measures",
        "laplace",
        {"curve": True, "step": "1/8", "renyi": ("3/2", "2"), "tradeoff": "1/4", "gdp": True},
    ),
    ("hyperbolic-secant", "sech", {"epsilon": "1/2"}),
    ("logarithm-of-one-and-more", "log1p(exp(-5*r))", {"epsilon": "1/2"}),
    ("sine-of-an-exponential", "sin(exp(-r))", {"epsilon": "1/2", "dimension": 3}),
    ("scaled-error-function", "exp(y)*erfc(r)*exp(-r)", {"epsilon": "1/2", "dimension": 3}),
    ("staircase", "exp(-floor(r))", {"epsilon": "1/2", "dimension": 3}),
    ("uniform-on-a-ball", "Piecewise((1, r < 1), (0, True))", {"epsilon": "1/2", "dimension": 3, "sensitivity": "1/3"}),
    (
        "gaussian-measures",
        "gaussian",
        {"epsilon": "1", "sensitivity": "3/2", "renyi": "2", "tradeoff": "1/4", "gdp": True, "zcdp": True},
    ),
    ("laplace-renyi", "laplace", {"renyi": ("1/2", "3")}),
    ("student-t-renyi", "student_t", {"renyi": "2", "dimension": 2, "parameters": {"nu": "3"}}),
    ("steep-centre-renyi", "exp(-sqrt(r))", {"renyi": "2"}),
    ("mean-of-the-loss", "exp(-sqrt(r))", {"renyi": "1"}),
    ("laplace-rho", "laplace", {"curve": True, "step": "1/8", "zcdp": True}),
    (
        "lighter-than-exponential",
        "exp(-r**(5/4))",
        {
            "curve": True,
            "sensitivity": "1/2",
            "step": "1/4",
            "until": "1e-6",
            "renyi": "3/2",
            "zcdp": True,
            "gdp": True,
        },
    ),
    ("root-that-vanishes", "Piecewise((sqrt(1-y), y < 1), (0, True))", {"epsilon": "1/2", "sensitivity": "1/3"}),
    ("rising-on-a-ball", "Piecewise((1 + r, r < 1), (0, True))", {"epsilon": "1/2"}),
    ("touched-at-a-radius", "(r-1)**2*exp(-r)", {"epsilon": "1"}),
    ("touched-again-and-again", "(1+cos(r))*exp(-r)", {"epsilon": "1/2"}),
    ("kink-at-an-irrational-radius", "exp(-Min(r*log1p(r), 2*r))", {"epsilon": "1/2", "dimension": 3}),
    ("steps-at-irrational-radii", "exp(-8*floor(y/2))", {"epsilon": "1/2", "dimension": 2}),
    ("jump", "Piecewise((1, r < 1), (exp(-r), True))", {"epsilon": "1/2", "dimension": 3}),
    ("ring", "exp(-Abs(r - 2))", {"epsilon": ("1/2", "3"), "sensitivity": 3}),
    ("rings-whole", "exp(-Abs(r - 2))", {"curve": True, "sensitivity": 2, "step": "1/2"}),
    ("shell", "exp(-(r - 1)**2)", {"epsilon": "1/2"}),
    ("rising-jump", "Piecewise((exp(-r), r < 1), (2*exp(-r), True))", {"epsilon": "1/2", "sensitivity": 2}),
    (
        "rising-jump-irrational",
        "Piecewise((exp(-r), y < 2), (2*exp(-r), True))",
        {"epsilon": "1/2"},
    ),
    ("stairs-that-rise", "exp(-2*y)*(1 + floor(r))", {"epsilon": "1"}),
    ("waves-with-kinks", "exp(-r)*(1 + Abs(cos(r/3)))", {"epsilon": "1/2"}),
    ("pole-at-the-centre", "y**(-1/100)*exp(-r)", {"epsilon": "3"}),
    ("pole-at-the-centre-d3", "y**(-1/100)*exp(-r)", {"epsilon": "3", "dimension": 3}),
    ("zero-at-the-centre", "y*exp(-y)", {"epsilon": "1/2"}),
    ("cusp-at-the-centre", "exp(-y)*(2 - sqrt(r) + 2*r)", {"epsilon": "1/2", "tolerance": "1e-6"}),
    ("shell-d2", "exp(-(r - 1)**2)", {"epsilon": "3/2", "dimension": 2, "sensitivity": 2}),
    ("shell-d3", "exp(-(r - 2)**2)", {"epsilon": "1/2", "dimension": 3}),
    ("rising-jump-d3", "Piecewise((exp(-r), r < 1), (2*exp(-r), True))", {"epsilon": "1/2", "dimension": 3}),
    ("rising-jump-irrational-d3", "Piecewise((exp(-r), y < 2), (2*exp(-r), True))", {"epsilon": "1/2", "dimension": 3}),
    ("incomplete-gamma", "gammaincc(1/2, 1 + r)", {"epsilon": "1/2"}),
    ("reciprocal-gamma", "exp(-r)*(1+1/gamma(1+r))", {"epsilon": "1/2"}),
    ("roughly", "exp(-sqrt(1 + y))", {"epsilon": "1/2", "dimension": 50, "roughly": True}),
    ("roughly-ring", "exp(-Abs(r - 2))", {"epsilon": "1/2", "sensitivity": 3, "roughly": True}),
    ("stairs-that-rise-d3", "exp(-2*y)*(1 + floor(r))", {"epsilon": "1/2", "dimension": 3}),
)
"""File name, generator or family, and further arguments of `profile`."""


def certificates() -> Iterator[tuple[str, bytes]]:
    """Each certificate's file name and bytes."""
    for name, text, arguments in ENTRIES:
        found = profile(text, certificate=True, **arguments)
        if found.certificate is None:
            raise SystemExit(f"{name}: {found.reason}")
        yield f"{name}.json", serialise(found.certificate)
