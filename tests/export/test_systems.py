"""Exports beside Coq: each says what the certificate proves, in a form that the system's own library accepts."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from hashlib import sha256
from math import erfc, exp, inf, log, nextafter, sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

import dpverify
from dpverify.errors import InputError, Refused
from dpverify.export import dp_accounting as pld
from dpverify.export import in_toto, opendp, registry
from dpverify.export.outward import float_above
from dpverify.sampling.exact.certified import certified
from dpverify.serialise import serialise

pytestmark = pytest.mark.slow

CERTIFICATES = Path(dpverify.__file__).parents[1] / "certificates"
STUDENT = CERTIFICATES / "student-t-nu3-d2.json"
LAPLACE = CERTIFICATES / "laplace-d3.json"
GAUSSIAN = CERTIFICATES / "profiles" / "gaussian-d1.json"
SYSTEMS = ["opendp", "dp-accounting", "registry", "in-toto"]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dpverify", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def t_epsilon(nu: float, d: int, delta: float) -> float:
    c = (delta + sqrt(delta**2 + 4 * nu)) / 2
    return (nu + d) / 2 * log((1 + c**2 / nu) / (1 + (c - delta) ** 2 / nu))


@pytest.mark.parametrize(
    "value", [Fraction(1, 3), Fraction(1, 10), Fraction(2), Fraction(10**30 + 1), Fraction(1, 10**400)]
)
def test_floats_are_rounded_up_and_no_further(value: Fraction) -> None:
    found = float_above(value)
    assert Fraction(found) >= value
    assert Fraction(nextafter(found, -inf)) < value
    assert float_above(Fraction(10**400)) == inf


@pytest.mark.parametrize("distance", [1.0, 0.5, 3.0, 1e-3, 2**-20 * 3, 40.0])
def test_the_privacy_map_is_the_closed_form_at_every_distance(distance: float) -> None:
    found = opendp.privacy_map(certified(STUDENT))(distance)
    assert found >= t_epsilon(3, 2, distance) * (1 - 1e-12)
    assert found <= t_epsilon(3, 2, distance) * (1 + 1e-6) + 1e-9


def test_the_privacy_map_holds_where_no_proof_is_tried() -> None:
    """Beyond the reach of a proof a multiple of the certificate's epsilon serves: an upper bound still."""
    privacy_map = opendp.privacy_map(certified(STUDENT))
    assert privacy_map(0.0) == 0 and privacy_map(inf) == inf
    assert privacy_map(5e-324) >= 5e-324
    assert privacy_map(1e300) >= t_epsilon(3, 2, 1e150)
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ValueError):
            privacy_map(wrong)


def test_the_privacy_map_of_l2_laplace_never_falls_below_the_distance() -> None:
    privacy_map = opendp.privacy_map(certified(LAPLACE))
    rng = Random(4)
    for _ in range(5):
        d_in = rng.uniform(0.01, 10)
        assert d_in <= privacy_map(d_in) <= d_in * (1 + 1e-9) + 1e-9


def test_the_measurement_is_one_of_opendp() -> None:
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib", "honest-but-curious")
    found = opendp.measurement(STUDENT, lattice="1/8")
    assert found.map(1.0) == float_above(certified(STUDENT).upper)
    assert found.check(1.0, 1.4241) and not found.check(1.0, 1.424)
    released = found([0.25, 1e300])
    assert len(released) == 2 and released[0] * 8 % 1 == 0 and released[1] == 1e300
    assert found([1.7e308, inf])[1] >= 1.7e308
    chained = dp.c.make_composition([found, found]) if hasattr(dp.c, "make_composition") else None
    if chained is not None:
        assert chained.map(1.0) >= 2 * 1.42404525


@pytest.mark.parametrize(("system", "name"), [("opendp", "measurement"), ("dp-accounting", "distribution")])
def test_exported_python_runs_as_it_is(system: str, name: str, tmp_path: Path) -> None:
    pytest.importorskip(system.replace("-", "_"))
    file = tmp_path / "exported.py"
    assert run("export", STUDENT, "--to", system, "-o", file).returncode == 0
    use = {"measurement": "measurement([1.0, 2.0])", "distribution": "distribution.get_epsilon_for_delta(0.0)"}[name]
    code = f"import sys; sys.path.insert(0, sys.argv[1]); from exported import {name}; print({use})"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    if name == "distribution":
        assert 1.42404525 <= float(done.stdout) < 1.4245


def test_the_distribution_is_pessimistic() -> None:
    """Randomised response at epsilon: delta(x) = (e^epsilon - e^x) / (1 + e^epsilon)."""
    pytest.importorskip("dp_accounting")
    found = pld.privacy_loss_distribution(STUDENT)
    epsilon = float(certified(STUDENT).upper)
    for x in (0.0, 0.3, 1.0, 1.4):
        exact = (exp(epsilon) - exp(x)) / (1 + exp(epsilon))
        assert exact * (1 - 1e-12) <= found.get_delta_for_epsilon(x) <= exact + 1e-3
    assert found.self_compose(2).get_epsilon_for_delta(0) >= 2 * epsilon * (1 - 1e-9)


REGISTRY: dict[str, Any] = {
    "basic": {
        *("name", "data_curators", "intended_use", "data_product_type", "data_product_region", "description"),
        *("publication_date", "data_product_sector"),
    },
    "dp_variant": {"variant_name", "data_domain", "unprotected_quantities"},
    "privacy_loss": {"privacy_unit", "privacy_unit_details", "privacy_parameters", "privacy_parameters_details"},
    "implementation": {"preprocessing_and_hyperparameter_tuning", "mechanisms", "justification"},
    "administrative": {"sources", "notes", "registry_authors"},
}
"""The parts of the registry's schema that a record uses (deployments-schema.yaml), and their fields: no others."""


def test_the_record_fits_the_registry_s_schema() -> None:
    """The schema's names, kinds and required fields, of those parts that are used."""
    yaml = pytest.importorskip("yaml")
    record = yaml.safe_load(registry.text(STUDENT))
    assert record == registry.record(STUDENT)
    assert set(record) == {"url_slug", "status", "tier", "deployment"}
    assert record["status"] == "Draft" and record["tier"] in (1, 2, 3)
    deployment = record["deployment"]
    assert set(deployment) <= set(REGISTRY)
    for part, fields in deployment.items():
        assert set(fields) <= REGISTRY[part], part
        for name, value in fields.items():
            kind = {"data_curators": list, "registry_authors": list, "privacy_parameters": dict}.get(name, str)
            assert isinstance(value, kind), name
    assert set(deployment["basic"]) >= REGISTRY["basic"] - {"data_product_sector"}
    assert deployment["administrative"]["registry_authors"]
    assert deployment["dp_variant"]["variant_name"] == "Pure DP"
    assert Fraction(deployment["privacy_loss"]["privacy_parameters"]["epsilon"]) >= certified(STUDENT).upper


def test_the_statement_is_one_of_in_toto() -> None:
    found = in_toto.statement(STUDENT)
    assert found["_type"] == "https://in-toto.io/Statement/v1"
    assert found["subject"] == [{"name": STUDENT.name, "digest": {"sha256": sha256(STUDENT.read_bytes()).hexdigest()}}]
    pytest.importorskip("in_toto_attestation")
    from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
    from in_toto_attestation.v1.statement import Statement

    subjects = [ResourceDescriptor(name=s["name"], digest=s["digest"]).pb for s in found["subject"]]
    Statement(subjects, found["predicateType"], found["predicate"]).validate()


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_certificate_with_one_changed_byte_is_refused(system: str, tmp_path: Path) -> None:
    data, rng = STUDENT.read_bytes(), Random(system)
    module = {"opendp": opendp, "dp-accounting": pld, "registry": registry, "in-toto": in_toto}[system]
    for place in [data.index(b"14240452500917"), data.index(b"\n"), *(rng.randrange(len(data)) for _ in range(10))]:
        changed = tmp_path / "changed.json"
        changed.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises((Refused, InputError)):
            module.text(changed)
    output = tmp_path / "out"
    changed.write_bytes(data.replace(b"14240452500917", b"14240452500918"))
    done = run("export", changed, "--to", system, "-o", output)
    assert done.returncode == 1 and "digest" in done.stderr and not output.exists()


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_private_for_no_epsilon_is_not_exported(system: str) -> None:
    done = run("export", CERTIFICATES / "gaussian-d1.json", "--to", system)
    assert done.returncode == 1 and not done.stdout


def test_the_record_and_the_statement_are_printed_without_an_output() -> None:
    assert json.loads(run("export", LAPLACE, "--to", "in-toto").stdout)["predicate"]["result"] == "PASSED"
    assert run("export", LAPLACE, "--to", "registry").stdout.startswith('url_slug: "dpverify-')


def balle_wang(shift: float, epsilon: float) -> float:
    """delta(epsilon) of the Gaussian (Balle and Wang 2018, Theorem 8)."""
    below = erfc((epsilon / shift - shift / 2) / sqrt(2)) / 2
    return below - exp(epsilon) * erfc((epsilon / shift + shift / 2) / sqrt(2)) / 2


@pytest.mark.parametrize("distance", [1.0, 0.5, 0.25, 2.0])
def test_the_map_of_a_profile_is_the_gaussian_s_curve_at_every_distance(distance: float) -> None:
    epsilon, delta = opendp.approximate_map(certified(GAUSSIAN))(distance)
    assert epsilon == 1 and 0 < delta - balle_wang(distance, 1) < 1e-6


def test_the_map_of_a_profile_beyond_the_reach_of_a_proof() -> None:
    loss = opendp.approximate_map(certified(GAUSSIAN))
    assert loss(0.0) == (0, 0) and loss(inf) == (1, 1) and loss(1e300) == (1, 1)
    assert loss(1e-300)[1] <= float_above(certified(GAUSSIAN).delta)
    with pytest.raises(ValueError):
        loss(-1.0)


def test_the_measurement_of_a_profile_is_approximate() -> None:
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib", "honest-but-curious")
    found = opendp.measurement(GAUSSIAN)
    assert found.check(1.0, (1.0, 0.12694)) and not found.check(1.0, (1.0, 0.1269))
    assert len(found([0.5])) == 1


def test_the_distribution_of_a_profile_is_pessimistic() -> None:
    pytest.importorskip("dp_accounting")
    found = pld.privacy_loss_distribution(GAUSSIAN)
    for x in (0.0, 0.5, 1.0, 2.0):
        assert found.get_delta_for_epsilon(x) >= balle_wang(1, x)
    assert found.get_delta_for_epsilon(1.0) <= balle_wang(1, 1) + 1e-9


def test_records_and_statements_of_a_profile_have_its_delta() -> None:
    found = registry.record(GAUSSIAN)["deployment"]
    assert found["dp_variant"]["variant_name"] == "Approximate DP"
    assert 0 < found["privacy_loss"]["privacy_parameters"]["delta"] - balle_wang(1, 1) < 1e-9
    told = in_toto.statement(GAUSSIAN)["predicate"]["configuration"][0]["annotations"]["proved"]
    assert told["epsilon"]["upper"] == "1" and told["delta"]["upper"] == str(certified(GAUSSIAN).delta)


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_a_profile_at_the_point_picked(system: str, tmp_path: Path) -> None:
    file = tmp_path / "two.json"
    made = dpverify.profile("gaussian", epsilon=("1/2", 1), certificate=True)
    assert made.certificate is not None
    file.write_bytes(serialise(made.certificate))
    with pytest.raises(InputError, match="1/2, 1"):
        dpverify.export(file, system)
    assert dpverify.export(file, system, epsilon="1/2") != dpverify.export(file, system, epsilon=1)
