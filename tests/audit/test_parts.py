"""The law and the bits, each with its verdict; the fit to a law; warnings; inputs of any kind."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from math import log
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from dpverify.audit import AuditReport, BuiltIn, Files, Mechanism, audit
from dpverify.audit.exactly import exact_number
from dpverify.audit.fit import fit_of
from dpverify.audit.outcomes import Outcomes
from dpverify.audit.plan import shares
from dpverify.errors import InputError
from dpverify.sampling import EllipticalNoise
from dpverify.show.audits import audit_sheet
from tests.audit import mechanisms
from tests.audit.test_verdicts import against

T5 = BuiltIn(0, EllipticalNoise("student_t", 2, parameters={"nu": 5}), np.array([1.0, 0.0]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "law"), [(mechanisms.naive_laplace, "consistent"), (mechanisms.naive_small_scale, "violated")]
)
def test_a_float_leak_does_not_hide_the_law(function: object, law: str) -> None:
    report = against(function, 50_000, "1")
    assert report.bits is not None
    assert report.verdict == report.verdict_of(report.bits) == "violated"
    assert report.verdict_of(report.law) == law
    assert report.law.epsilon_lower == pytest.approx(1.0 if law == "consistent" else 1.25, abs=0.1)
    assert report.law.test.event.score.kind not in ("valuation", "near", "decimals", "lattice")
    told = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert told["law"]["verdict"] == law
    assert told["bits"]["verdict"] == "violated"
    assert told["law"]["alpha"] + told["bits"]["alpha"] == pytest.approx(1 - report.confidence)


@pytest.mark.slow
@pytest.mark.parametrize("step", [2.0**-20, 1e-4])
def test_a_law_on_a_lattice_is_not_blamed_on_the_bits(step: float) -> None:
    """Half the scale that it should have, no leak: low bits of decimals tell how far out they are, and no more."""

    def half(centre: mechanisms.Array, size: int, rng: np.random.Generator) -> mechanisms.Array:
        return np.round((centre + rng.laplace(0, 0.5, (size, 1))) / step) * step

    report = against(half, 20_000, "1")
    assert report.verdict_of(report.law) == "violated"
    assert not report.leaks
    assert not any(row.label == "to do" for row in audit_sheet(report, []).rows)
    assert against(mechanisms.naive_small_scale, 20_000, "1").leaks


@pytest.mark.parametrize("bits", (True, False))
def test_the_error_probability_is_shared_out_whole(bits: bool) -> None:
    for fit in (True, False):
        assert sum(shares(bits, fit).values()) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("function", [mechanisms.float32_noise, mechanisms.float16_noise])
@pytest.mark.parametrize("centre", [0.0, 5.0])
def test_noise_in_short_floats_leaks_by_bits_and_magnitude_together(function: object, centre: float) -> None:
    inputs = (np.array([centre]), np.array([centre + 1]))
    report = audit(Mechanism(50_000, function, inputs), claim=1, seed=4)  # type: ignore[arg-type]
    assert report.bits is not None
    assert report.verdict_of(report.bits) == "violated"
    assert report.verdict_of(report.law) == "consistent"
    p, q = (function(c, 100_000, np.random.default_rng(5)) for c in inputs)  # type: ignore[operator]
    event = report.bits.test.event
    first, second = (p, q) if event.direction == "P/Q" else (q, p)
    assert log(event.contains(first).mean() / (event.contains(second).mean() + 1e-5)) > 1.5


def fitted(function: object, samples: int = 100_000, model: BuiltIn = T5) -> AuditReport:
    return against(function, samples, "10", model.dimension, model=model)


@pytest.mark.sweep
def test_the_law_is_told_from_its_neighbours() -> None:
    right = fitted(mechanisms.t5)
    assert right.fit is not None
    assert not right.fit.rejected
    for wrong, where in (
        (mechanisms.t_wrong_nu, "radius"),
        (mechanisms.independent_t5, ""),
        (mechanisms.t5_wrong_covariance, ""),
        (mechanisms.radius_hangs_on_direction, "direction"),
    ):
        found = fitted(wrong).fit
        assert found is not None
        assert found.rejected, wrong
        assert where in found.worst
        assert found.chance < 1e-3


@pytest.mark.campaign
def test_right_samples_are_rejected_as_rarely_as_is_said() -> None:
    alpha, repetitions, noise = 0.1, 200, T5.noise
    rejected = 0
    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        samples = Outcomes(noise.draw(400, rng)), Outcomes(noise.draw(400, rng) + T5.shift)
        rejected += fit_of(T5, samples, alpha).rejected
    assert rejected <= stats.binom.isf(1e-5, repetitions, alpha)


@pytest.mark.slow
def test_a_law_with_a_covariance_and_a_scale_is_whitened() -> None:
    sigma = np.array([[2.0, 0.4], [0.4, 1.0]])
    noise = EllipticalNoise("student_t", 2, parameters={"nu": 5}, scale="3/2", covariance=sigma)
    rng = np.random.default_rng(1)
    z = stats.multivariate_t(np.zeros(2), 2.25 * sigma, df=5, seed=rng)
    shift = np.array([0.5, 1.0])
    model = BuiltIn(0, noise, shift)
    assert not fit_of(model, (Outcomes(z.rvs(30_000)), Outcomes(z.rvs(30_000) + shift)), 0.001).rejected
    assert fit_of(model, (Outcomes(z.rvs(30_000) * 1.1), Outcomes(z.rvs(30_000) + shift)), 0.001).rejected
    assert fit_of(model, (Outcomes(z.rvs(30_000)), Outcomes(z.rvs(30_000) + 1.2 * shift)), 0.001).rejected


@pytest.mark.slow
def test_constant_and_dependent_samples_are_told(tmp_path: Path) -> None:
    assert any("is the same" in w for w in against(mechanisms.constant, 2000, "1").warnings)
    assert any("neighbouring samples of P" in w for w in against(mechanisms.walk, 5000, "1").warnings)
    assert against(mechanisms.t5, 5000, "9", 2).warnings == ()
    rng = np.random.default_rng(0)
    noise = rng.standard_normal(5000)
    np.save(tmp_path / "p.npy", noise + 0.5 * rng.standard_normal(5000))
    np.save(tmp_path / "q.npy", 1 + noise + 0.5 * rng.standard_normal(5000))
    report = audit(Files.open(tmp_path / "p.npy", tmp_path / "q.npy"), claim=1, seed=1)
    assert any("row by row" in w for w in report.warnings)
    assert "row by row" in str(audit_sheet(report))
    assert report.to_json()["warnings"] == list(report.warnings)


@pytest.mark.slow
def test_inputs_are_data_sets_and_outputs_have_any_shape() -> None:
    data = [0.0] * 20
    mean = audit(Mechanism(20_000, mechanisms.noisy_mean, neighbours=(data, [1.0, *data[1:]])), claim=1, seed=1)
    assert mean.verdict == "consistent"
    assert mean.epsilon_lower > 0.8
    words = ["ux", "vy", "vz"]
    source = Mechanism(20_000, "tests.audit.mechanisms:noisy_histogram", neighbours=(words, words[:-1]))
    assert source.dimension == 6
    table = audit(source, claim=1, seed=1)
    assert table.verdict == "consistent"
    assert table.epsilon_lower > 0.7
    assert audit(source, claim="1/2", seed=1).verdict == "violated"


@pytest.mark.slow
def test_a_mechanism_that_writes_into_its_input_gets_a_fresh_one() -> None:
    def greedy(rows: list[int], size: int, rng: np.random.Generator) -> np.ndarray:
        total = sum(rows)
        rows.clear()
        return np.asarray(mechanisms.snapped(total + rng.laplace(size=size)))

    given = [1, 2], [1, 2, 1]
    assert audit(Mechanism(5000, greedy, neighbours=given), claim="0.6", seed=1).verdict == "violated"
    assert given == ([1, 2], [1, 2, 1])


@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"centres": (0, 1), "neighbours": (0, 1)},
        {"centres": 1.0},
        {"centres": ("a", "b")},
        {"centres": (np.zeros(2), np.zeros(3))},
        {"centres": (np.zeros(1), np.array([np.nan]))},
        {"neighbours": (1, 2, 3)},
    ],
)
def test_inputs_that_are_no_pair_are_refused_in_one_line(inputs: dict[str, object]) -> None:
    with pytest.raises(InputError) as error:
        Mechanism(1000, mechanisms.laplace, **inputs)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


@pytest.mark.slow
def test_scalar_centres_are_one_coordinate() -> None:
    scalar = audit(Mechanism(1000, mechanisms.laplace, (0, 1.0)), seed=1)
    vector = audit(Mechanism(1000, mechanisms.laplace, (np.zeros(1), np.ones(1))), seed=1)
    assert scalar.epsilon_lower == vector.epsilon_lower


EXACT = [
    (1, 1),
    (1.0, 1),
    (0.1, Fraction(1, 10)),
    (1e-5, Fraction(1, 100_000)),
    ("1/3", Fraction(1, 3)),
    (Fraction(1, 3), Fraction(1, 3)),
    (Decimal("0.30"), Fraction(3, 10)),
    (np.int64(1), 1),
    (np.uint8(2), 2),
    (np.float64(0.1), Fraction(1, 10)),
    (np.float32(0.1), Fraction(1, 10)),
    (np.array(2.5), Fraction(5, 2)),
]


@pytest.mark.parametrize(("given", "exact"), EXACT, ids=repr)
def test_claim_and_delta_are_read_exactly(given: object, exact: Fraction) -> None:
    assert exact_number(given, "the claim") == exact
    report = audit(BuiltIn(500, EllipticalNoise("laplace"), np.ones(1)), claim=given, seed=1)  # type: ignore[arg-type]
    assert report.claim == exact
    assert Fraction(report.to_json()["claim_exact"]) == exact
    if exact < 1:
        delta = audit(BuiltIn(500, EllipticalNoise("laplace"), np.ones(1)), delta=given, seed=1).delta  # type: ignore[arg-type]
        assert delta == exact


@pytest.mark.parametrize("given", [True, np.True_, None, float("nan"), float("inf"), "x", [1], np.ones(2), 1j])
def test_what_is_no_number_is_refused(given: object) -> None:
    with pytest.raises(InputError, match="the claim"):
        exact_number(given, "the claim")


@pytest.mark.slow
def test_a_bound_of_nothing_is_inconclusive_and_says_why() -> None:
    report = against(mechanisms.forgets_the_data, 2000, "1")
    assert report.verdict == "inconclusive"
    told = report.to_json()["reason"]
    assert told is not None
    assert told in str(audit_sheet(report))
    assert against(mechanisms.laplace, 5000, "1").to_json()["reason"] is None


@pytest.mark.slow
def test_what_was_not_examined_is_said() -> None:
    without, whole = (against(mechanisms.laplace, 2000, "1", leaks=leaks) for leaks in (False, True))
    own = audit(BuiltIn(2000, EllipticalNoise("laplace"), np.ones(1)), claim=1, seed=1)
    for report in (without, own):
        assert report.to_json()["bits_examined"] is False
        assert report.to_json()["bits"] is None
        assert "not examined" in str(audit_sheet(report))
    assert whole.to_json()["bits_examined"] is True
    assert "not examined" not in str(audit_sheet(whole))


@pytest.mark.slow
def test_an_audit_is_not_written_over_another(tmp_path: Path) -> None:
    report = against(mechanisms.laplace, 1000, "1")
    path = report.save(tmp_path / "r.json")
    before = path.read_bytes()
    with pytest.raises(InputError, match="is not written over"):
        report.save(path)
    assert path.read_bytes() == before


@pytest.mark.slow
def test_adapters_take_booleans_and_words() -> None:
    import opendp.prelude as dp
    from diffprivlib.mechanisms import Binary

    from dpverify.audit.adapters import diffprivlib_sampler, opendp_sampler

    dp.enable_features("contrib")
    bools = opendp_sampler(dp.m.make_randomized_response_bool(prob=0.75))
    words = diffprivlib_sampler(Binary(epsilon=log(3), value0="no", value1="yes"))
    for source in (
        Mechanism(3000, bools, neighbours=(True, False)),
        Mechanism(3000, bools, (0, 1)),
        Mechanism(3000, words, neighbours=("no", "yes")),
    ):
        report = audit(source, claim="1.0987", confidence=0.9999, seed=1)
        assert report.verdict == "consistent"
        assert report.epsilon_lower > 0.8
        assert audit(source, claim="0.7", seed=1).verdict == "violated"


@pytest.mark.sweep
def test_opendp_s_measurements_on_words_lists_and_vectors() -> None:
    """Randomised response among three words is log 2-private, not 1/2; the index of a noisy maximum, 1 and not 1/4."""
    import opendp.prelude as dp

    from dpverify.audit.adapters import opendp_sampler

    dp.enable_features("contrib")
    words = opendp_sampler(dp.m.make_randomized_response(["a", "b", "c"], prob=0.5))
    scores = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int), dp.max_divergence()
    maximum = opendp_sampler(dp.m.make_noisy_max(*scores, scale=2.0))
    three = dp.vector_domain(dp.atom_domain(T=float, nan=False), 3), dp.l1_distance(T=float)
    vectors = opendp_sampler(dp.m.make_laplace(*three, scale=1.0))
    for sampler, inputs, claim, less in (
        (words, ("a", "b"), "0.69315", "1/3"),
        (maximum, ([1, 0, 0], [0, 1, 1]), "1", "1/5"),
        (vectors, (np.zeros(3), np.eye(3)[0]), "1", "1/5"),
    ):
        source = Mechanism(4000, sampler, neighbours=inputs)  # drawn without a seed
        assert audit(source, claim=claim, confidence=0.9999, seed=1).verdict == "consistent"
        assert audit(source, claim=less, seed=1).verdict == "violated"
