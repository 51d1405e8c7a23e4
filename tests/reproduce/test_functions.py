"""Figures 3.1 to 3.4: what is asserted of them is computed a second way."""

from __future__ import annotations

import numpy as np
import pytest

from dpverify.reproduce import reproduce
from dpverify.reproduce.studies import private_densities, private_machine, truncated_functions


def test_a_truncation_keeps_less_of_the_norm_and_misses_what_the_last_terms_have() -> None:
    found = truncated_functions.cut(np.random.default_rng(1))
    f, cuts = np.array(found["f"]), np.array(found["cuts"])
    assert found["errors"] == pytest.approx([np.sqrt(np.mean((f - c) ** 2)) for c in cuts])
    assert np.mean(f**2) == pytest.approx(np.mean(cuts[2] ** 2) + np.mean((f - cuts[2]) ** 2))  # orthogonal
    assert found["errors"][0] > found["errors"][1] > found["errors"][2]
    assert found["shares"][0] < found["shares"][1] < found["shares"][2] <= 1


def test_two_peaks_are_two() -> None:
    x = np.linspace(0, 1, private_densities.POINTS)
    assert private_densities.two_peaks(np.exp(-(((x - 0.3) / 0.1) ** 2)) + np.exp(-(((x - 0.7) / 0.1) ** 2)))
    assert not private_densities.two_peaks(np.exp(-(((x - 0.5) / 0.2) ** 2)))
    assert not private_densities.two_peaks(np.exp(-(((x - 0.3) / 0.1) ** 2)) + 1)


def test_the_border_is_where_the_sign_changes() -> None:
    side = np.linspace(0, 1, private_machine.SIDE)
    places = np.array(private_machine.border(side[None, :] + side[:, None] - 0.71))
    assert np.abs(places.sum(axis=1) - 0.71).max() < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hall-figure-3.1", "hall-figure-3.2", "hall-figure-3.3", "hall-figure-3.4"])
def test_nothing_differs_from_what_the_thesis_says(name: str) -> None:
    found = reproduce(name, quick=True)
    assert not found.counts["differs"] and found.counts["agrees"] >= 2
    assert len(found.graphs) == 1 and found.graphs[0].alt
