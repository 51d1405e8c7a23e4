"""Commands as a stranger would type them: exit status, standard output, one line of error."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import chdir
from fractions import Fraction
from pathlib import Path

import pytest

from tests.command import run


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status", "verdict"),
    [
        (["student_t", "--param", "nu=3", "--dimension", "2"], 0, "private"),
        (["exp(-y/2)"], 1, "not_private"),
        (["1/(1+r)"], 3, "invalid"),
        (["exp(-r)*sin(1/r)**2"], 4, "undecided"),
    ],
)
def test_exit_status_and_json(arguments: list[str], status: int, verdict: str) -> None:
    done = run("verify", *arguments, "--json")
    assert done.returncode == status, done.stderr
    data = json.loads(done.stdout)
    assert data["verdict"] == verdict
    names = ["defined", "positive", "decreasing", "finite_at_zero", "integrable", "tail_ratio_bounded"]
    assert list(data["hypotheses"]) == names
    assert set(data) >= {"verdict", "epsilon", "hypotheses", "reason", "theorem", "assumptions"}
    assert done.stdout.count("\n") == 1
    if verdict == "private":
        low, high = Fraction(data["epsilon"]["lower"]), Fraction(data["epsilon"]["upper"])
        assert low <= Fraction("1.42404525009") + Fraction(1, 10**10)
        assert high - low <= Fraction(1, 10**10)
        assert low <= Fraction(data["epsilon"]["decimal"]) <= high
        assert data["epsilon"]["closed_form"]
    else:
        assert data["epsilon"] is None


@pytest.mark.slow
def test_a_time_limit_ends_in_undecided_and_names_the_step() -> None:
    done = run("verify", "(1+y)**(1/6)*besselk(1/3, sqrt(1+y))", "--timeout", "1/2", "--json")
    assert done.returncode == 4
    data = json.loads(done.stdout)
    assert data["verdict"] == "undecided" and data["epsilon"] is None
    assert re.search(r"time limit of 1/2 s ran out in the step: \w", data["reason"])


BAD = [
    ["verify", "exp(-r)", "--timeout", "0"],
    ["verify", "exp(-r)", "--timeout", "soon"],
    ["verify"],
    ["verify", ""],
    ["verify", "exp(-y"],
    ["verify", "__import__('os').system('true')"],
    ["verify", "9**9**9**9"],
    ["verify", "exp(-a*y)"],
    ["verify", "exp(-y)", "--param", "a=1"],
    ["verify", "exp(-y)", "--param", "a"],
    ["verify", "exp(-a*y)", "--param", "a=1", "--param", "a=2"],
    ["verify", "exp(-y)", "--scale", "0"],
    ["verify", "exp(-y)", "--scale", "-1"],
    ["verify", "exp(-y)", "--sensitivity", "nan"],
    ["verify", "exp(-y)", "--sensitivity", "1e999999"],
    ["verify", "laplace", "--sensitivity", "1e6000"],
    ["verify", "laplace", "--scale", "1e-6000"],
    ["verify", "student_t", "--param", "nu=1e6000"],
    ["verify", "laplace", "--tolerance", "1e-6000"],
    ["verify", "exp(-y)", "--dimension", "0"],
    ["verify", "exp(-y)", "--dimension", "1.5"],
    ["verify", "exp(-y)", "--dimension", "9" * 50],
    ["verify", "exp(-y)", "--tolerance", "0"],
    ["verify", "exp(-y)", "extra"],
    ["verify", "exp(-y)", "--nonsense"],
    ["verify", "laplace", "--certificate", "/nonexistent/folder/c.json"],
    ["verify", "\udce9\n\x1b[31m"],
    [],
    ["frobnicate"],
    ["check"],
    ["check", "/nonexistent.json"],
    ["check", "--rules"],
    ["upgrade"],
    ["upgrade", "/nonexistent.json"],
    ["upgrade", "/"],
    ["upgrade", "certificates/gaussian-d1.json"],
    ["upgrade", "a.json", "b.json", "-o", "c.json"],
    ["upgrade", "a.json", "--in-place", "-o", "c.json"],
    ["upgrade", "tests/certificate/version_1/gaussian-d1.json", "-o", "/nonexistent/c.json"],
    ["check", "/"],
    ["families", "nonsense"],
    ["figure", "nonsense", "-o", "x.png"],
    ["figure", "poster", "-o", "x.nonsense"],
    pytest.param(["figure", "poster", "-o", "/nonexistent/x.png"], marks=pytest.mark.slow),
    ["verify", "student_t", "--param", "sensitivity=3"],
    ["verify", "exp(-dimension*r)", "--param", "dimension=3"],
]


@pytest.mark.sampled(stay=12)
@pytest.mark.parametrize("arguments", BAD, ids=lambda a: " ".join(a)[:40].encode("ascii", "replace").decode())
def test_bad_input_is_one_line_on_standard_error_and_status_2(arguments: list[str]) -> None:
    done = run(*arguments)
    assert done.returncode == 2, done
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("dpverify: ")
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr


def test_a_generator_may_start_with_a_minus_sign() -> None:
    assert run("verify", "-exp(-r)").returncode == 3
    assert run("verify", "--json", "-y").returncode == 3


@pytest.mark.slow
@pytest.mark.parametrize("command", [["verify"], ["profile", "--epsilon", "1/2"]])
def test_a_text_after_a_minus_is_no_row_of_options(command: list[str], tmp_path: Path) -> None:
    """-o among its letters is not taken for an option, with the rest for a file."""
    with chdir(tmp_path):
        done = run(*command, "--json", "-log(1-exp(-1-r))")
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_verify_then_check(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    done = run("verify", "exp(-sqrt(1+y))", "--certificate", str(file))
    assert done.returncode == 0
    assert "PRIVATE" in done.stdout
    assert run("check", str(file)).returncode == 0
    report = json.loads(run("check", "--json", str(file)).stdout)
    assert report[0]["accepted"] is True
    again = tmp_path / "again.json"
    run("verify", "exp(-sqrt(1+y))", "--certificate", str(again))
    assert file.read_bytes() == again.read_bytes()
    file.write_text(file.read_text().replace('"upper": "1', '"upper": "0', 1))
    assert run("check", str(file)).returncode == 1
    assert run("check", str(file), str(again)).returncode == 1
    assert run("check", str(file), "/nonexistent.json").returncode == 2


def test_human_output_fits_80_columns_and_has_no_colours_in_a_pipe() -> None:
    done = run("verify", "student_t", "--dimension", "3")
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "\x1b" not in done.stdout
    for words in ("epsilon", "positive", "decreasing", "Theorem 3", "assuming"):
        assert words in done.stdout


@pytest.mark.slow
def test_bessel_functions_assume_nothing() -> None:
    done = run("verify", "multivariate_laplace", "--dimension", "2")
    assert re.search(r"assuming +nothing", done.stdout)
    assert json.loads(run("verify", "multivariate_laplace", "--dimension", "2", "--json").stdout)["assumptions"] == []


@pytest.mark.parametrize("command", [[], ["verify"], ["check"], ["upgrade"], ["families"], ["figure"]])
def test_help_has_examples(command: list[str]) -> None:
    done = run(*command, "--help")
    assert done.returncode == 0
    assert "dpverify " in done.stdout.split("Usage:")[1]


@pytest.mark.slow
def test_recognise_names_a_family_or_says_that_it_does_not() -> None:
    done = run("recognise", "(a+y)**(-2)", "--param", "a=3")
    assert done.returncode == 0 and "student_t with nu = 3" in done.stdout
    assert "also       pearson_vii with m = 2 at scale sqrt(3)" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "not recognised" in run("recognise", "exp(-r)*(2+sin(r))").stdout
    records = json.loads(run("recognise", "exp(-2*r)", "--json").stdout)
    assert records[0]["family"] == "laplace" and records[0]["scale"] == "1/2"
    assert json.loads(run("recognise", "exp(-r)*(2+sin(r))", "--json").stdout) == []
    assert run("recognise", "exp(-a*r)").returncode == 2


def test_families_are_searched_by_words() -> None:
    assert {"huber", "charbonnier", "barron"} <= {
        f["name"] for f in json.loads(run("families", "robust", "loss", "--json").stdout)
    }
    assert "closed form for alpha = 1" in " ".join(run("families", "stable").stdout.split())


def test_families_lists_and_shows() -> None:
    assert "student_t" in run("families").stdout
    assert "nu" in run("families", "student_t").stdout
    assert {f["name"] for f in json.loads(run("families", "--json").stdout)} >= {
        "laplace",
        "student_t",
        "gaussian",
        "multivariate_laplace",
        "power_exponential",
        "hyperbolic",
    }


@pytest.mark.slow
@pytest.mark.parametrize("command", ["verify laplace", "verify gaussian --json", "families", "--help"])
def test_a_closed_pipe_is_quiet_and_no_verdict(command: str) -> None:
    line = f"{sys.executable} -m dpverify {command} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "141\n"


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["verify", "gaussian"], ["verify", "gaussian", "--json"], ["families"]])
def test_output_that_cannot_be_written_is_one_line_and_no_verdict(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dpverify", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def run_after(preparation: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process where `preparation` has replaced a part of the program."""
    code = f"import sys; sys.argv[0] = 'dpverify'\n{preparation}\nfrom dpverify.cli.app import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False, timeout=600
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "status"),
    [
        ("RuntimeError('two\\nlines')", 70),
        ("RecursionError()", 70),
        ("MemoryError()", 70),
        ("KeyboardInterrupt()", 130),
    ],
)
def test_a_failure_of_the_program_is_one_line_and_no_verdict(error: str, status: int) -> None:
    done = run_after(
        f"import dpverify.prover\ndef fail(*a): raise {error}\ndpverify.prover.verify = fail", "verify", "laplace"
    )
    assert done.returncode == status
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_proof_that_the_checker_rejects_is_undecided(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    done = run_after(
        "from dpverify.kernel import Rejected, certificate\n"
        "def no(*replayed): raise Rejected('step 3')\n"
        "certificate.replay = no",
        "verify",
        "laplace",
        "--json",
        "--certificate",
        str(file),
    )
    assert done.returncode == 4
    data = json.loads(done.stdout)
    assert (data["verdict"], data["epsilon"]) == ("undecided", None)
    assert "the checker did not accept the proof" in data["reason"]
    assert not file.exists()


@pytest.mark.slow
def test_no_certificate_of_what_is_undecided_and_it_says_so(tmp_path: Path) -> None:
    done = run("verify", "exp(-r)*sin(1/r)**2", "--certificate", str(tmp_path / "c.json"))
    assert done.returncode == 4
    assert "is not written" in done.stderr
    assert not (tmp_path / "c.json").exists()


def test_parameters_may_be_named_like_options() -> None:
    done = run("verify", "exp(-scale*sensitivity*r)", "--param", "scale=3", "--param", "sensitivity=2", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["epsilon"]["lower"] == "6"


@pytest.mark.slow
def test_check_shows_the_claim_and_what_it_assumes(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    run("verify", "student_t", "--param", "nu=3", "--dimension", "2", "--certificate", str(file))
    done = run("check", str(file))
    assert done.stdout.startswith(f"{file}: holds: PRIVATE\n")
    assert all(len(line) <= 80 for line in done.stdout.splitlines()[1:])
    for words in ("nu = 3", "Delta = 1", "1.42404525009", "at most", "Theorem 3", "assuming   nothing"):
        assert words in done.stdout
    claim = json.loads(run("check", "--json", str(file)).stdout)[0]["claim"]
    assert claim["verdict"] == "private"
    file.write_text(file.read_text().replace('"dimension": 2', '"dimension": 3'))
    rejected = run("check", str(file))
    assert (rejected.returncode, rejected.stdout, len(rejected.stderr.splitlines())) == (1, "", 1)


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What the command writes to standard output when that is a terminal."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR"}}
    with subprocess.Popen(
        [sys.executable, "-m", "dpverify", *arguments], stdout=slave, env={**env, "TERM": "xterm", **environment}
    ):
        os.close(slave)
        written = b""
        try:
            while piece := os.read(master, 4096):
                written += piece
        except OSError:
            pass
    os.close(master)
    return written.decode()


@pytest.mark.slow
def test_colours_on_a_terminal_unless_no_color() -> None:
    assert "\x1b[1;32mPRIVATE" in on_a_terminal("verify", "laplace")
    assert "\x1b[1;32m" not in on_a_terminal("verify", "laplace", NO_COLOR="1")


@pytest.mark.slow
def test_file_names_cannot_drive_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "\x1b[31mred\udcff.json"
    done = subprocess.run(
        [sys.executable, "-m", "dpverify", "verify", "laplace", "--certificate", os.fsencode(file)],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout
    assert file.exists()


@pytest.mark.sweep
def test_numbers_too_long_to_write_are_not_a_failure_of_the_program() -> None:
    assert run("verify", "exp(-1e1100*r)", "--sensitivity", "1e800", "--json").returncode == 4
    assert run("verify", "laplace", "--sensitivity", "1e800", "--json").returncode == 0
    assert run("verify", "laplace", "--sensitivity", "1e-800", "--json").returncode == 0


GALLERY = Path(__file__).parents[2] / "certificates"
OLD = Path(__file__).parents[1] / "certificate" / "version_1"


@pytest.mark.slow
def test_check_lists_the_rules_that_a_certificate_rests_on() -> None:
    file = GALLERY / "gaussian-d1.json"
    listed = json.loads(file.read_text())["rules"]
    numbers = [number for section in listed.values() for number in section]
    done = run("check", "--rules", str(file))
    assert done.returncode == 0, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines()[1:])
    assert sorted(re.findall(r"^  (K\d+) ", done.stdout, re.MULTILINE)) == sorted(numbers)
    (row,) = json.loads(run("check", "--rules", "--json", str(file)).stdout)
    assert sorted(row["rules"]) == sorted(numbers)
    assert row["digest"] == json.loads(file.read_text())["digest"]
    of_rules = {"core", "slopes", "hypotheses", "models", "increments", "ends", "by_form", "refutations"}
    assert set(listed) == of_rules
    read = of_rules | {"charts", "evaluation", "epsilon", "tail", "messages", "shapes", "constants", "fields", "rings"}
    assert set(row["reading"]["sections"]) == read
    assert row["reading"]["lines"] == sum(row["reading"]["sections"].values()) > row["reading"]["code"] > 0
    for rule in row["reading"]["rules"]:
        place = f"{rule['file']}:{rule['first_line']}-{rule['last_line']}"
        assert place in done.stdout and rule["title"].split()[0] in done.stdout


def test_lines_of_code_are_those_without_statements_comments_and_blanks() -> None:
    from dpverify.source import code_lines

    function = 'def f(\n    a,\n):\n    """Lemma."""\n    return """b\nc"""\n'
    text = f'"""Title.\n\nMore."""\n\nimport os  # why\n\n# a note\n{function}\nA = 1\n"""What A is."""\n'
    assert code_lines(text.encode()) == 7  # the import, three of def, two of return, A
    assert code_lines(b"") == 0


@pytest.mark.slow
def test_check_tells_the_size_and_the_digest_of_the_kernel() -> None:
    done = run("check", "--about")
    assert done.returncode == 0, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    about = json.loads(run("check", "--about", "--json").stdout)["kernel"]
    assert re.fullmatch(r"[0-9a-f]{64}", about["digest"]) and about["digest"] in done.stdout
    sizes = dict(about["lines"])
    assert sizes.pop("in all") == sum(sizes.values())
    assert f"version {about['version']}" in done.stdout
    for name, size in sizes.items():
        assert re.search(rf"^  {name} +{size} lines$", done.stdout, re.MULTILINE)


def test_a_rejection_tells_the_rule_that_refused(tmp_path: Path) -> None:
    from dpverify.serialise import digest, serialise

    certificate = json.loads((GALLERY / "student-t-nu3-d2.json").read_text())
    certificate["claim"]["epsilon"] = {"lower": "1/2", "upper": "3/4"}
    certificate["claim"]["closed_form"] = None
    del certificate["rules"]["closed_forms"]
    certificate["digest"] = digest(certificate)
    file = tmp_path / "c.json"
    file.write_bytes(serialise(certificate))
    done = run("check", str(file))
    assert (done.returncode, done.stdout) == (1, "")
    (row,) = json.loads(run("check", "--json", str(file)).stdout)
    assert re.fullmatch(r"K\d+", row["code"])
    assert done.stderr.strip().endswith(f"[{row['code']}]")
    assert row["rules"] == [] and row["claim"] is None


def test_upgrade_renews_and_overwrites_nothing_unasked(tmp_path: Path) -> None:
    for name in ("gaussian-d1", "negative-somewhere"):
        (tmp_path / f"{name}.json").write_bytes((OLD / f"{name}.json").read_bytes())
    files = [str(tmp_path / f"{name}.json") for name in ("gaussian-d1", "negative-somewhere")]
    done = run("upgrade", *files)
    assert done.returncode == 0, done.stderr
    new = [str(tmp_path / f"{name}-2.json") for name in ("gaussian-d1", "negative-somewhere")]
    assert done.stdout.splitlines() == [f"wrote {file}" for file in new]
    assert run("check", *new).returncode == 0
    assert Path(files[0]).read_bytes() == (OLD / "gaussian-d1.json").read_bytes()
    again = run("upgrade", files[0])
    assert again.returncode == 2 and "is there already" in again.stderr
    elsewhere = tmp_path / "new.json"
    assert run("upgrade", files[0], "-o", str(elsewhere)).returncode == 0
    assert elsewhere.read_bytes() == Path(new[0]).read_bytes()
    assert run("upgrade", "--in-place", files[0]).returncode == 0
    assert Path(files[0]).read_bytes() == Path(new[0]).read_bytes()
    twice = run("upgrade", "--in-place", files[0])
    assert twice.returncode == 2 and "nothing to renew" in twice.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["gaussian-d1.json", "gaussian-d1-2.json", "negative-somewhere.json", "negative-somewhere-2.json", "new.json"]
    )


def test_upgrade_goes_on_after_a_file_that_is_no_old_certificate(tmp_path: Path) -> None:
    broken, good = tmp_path / "broken.json", tmp_path / "good.json"
    broken.write_text('{"format": "dpverify-certificate", "version": 1}')
    good.write_bytes((OLD / "gaussian-d1.json").read_bytes())
    done = run("upgrade", str(broken), "/nonexistent.json", str(good))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 2 and "Traceback" not in done.stderr
    assert (tmp_path / "good-2.json").exists() and not (tmp_path / "broken-2.json").exists()
