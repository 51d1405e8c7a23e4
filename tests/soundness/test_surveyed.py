"""The survey of profiles: its quadrature against closed forms, and a wrong enclosure that it has to notice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from soundness import surveyed
from tests.profiles import references


@pytest.mark.slow
def test_the_quadrature_has_the_closed_forms_of_known_laws() -> None:
    laplace = surveyed.divergence(lambda r: np.exp(-r), 1, 0.5, 1.0)
    assert laplace == pytest.approx(1 - np.exp(-0.25), rel=1e-9)
    interval = surveyed.divergence(lambda r: np.where(r < 1, 1.0, 0.0), 1, 0.5, 0.5, (1.0,))
    assert interval == pytest.approx(0.25, rel=1e-9)
    gaussian = surveyed.divergence(lambda r: np.exp(-r * r / 2), 3, 1.0, 1.0)
    assert gaussian == pytest.approx(float(references.gaussian("1")), rel=surveyed.NEAR)


@pytest.mark.slow
def test_a_wrong_enclosure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    case: tuple[Any, ...] = ("exp(-r)", 1, "1/2", 60.0)
    monkeypatch.setattr(surveyed, "truth", lambda *_: 1 - np.exp(-0.25))
    found = surveyed.row(*case)
    assert found["outcome"] == "narrow" and found["wrong"] is None
    monkeypatch.setattr(surveyed, "truth", lambda *_: 0.2)
    assert "by quadrature 0.2" in surveyed.row(*case)["wrong"]
