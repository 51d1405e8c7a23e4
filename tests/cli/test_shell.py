"""Manners at the shell: help with examples at 80 columns, completion, colours on a terminal only."""

from __future__ import annotations

import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from dpverify.cli.app import COMMANDS, app
from dpverify.generators import families

COMMAND = Path(sys.executable).parent / "dpverify"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment}
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False, env=env, timeout=600)


@pytest.mark.sampled(stay=6)
@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples_that_parse_and_fits_80_columns(name: str) -> None:
    command = app.get_command(click.Context(app), name)
    assert command is not None
    help_text = CliRunner(env={"COLUMNS": "80"}).invoke(app, [name, "--help"]).stdout
    assert max(map(len, help_text.splitlines())) <= 80
    examples = re.findall(rf"^  (dpverify {name} .*|dpverify {name})$", help_text, re.MULTILINE)
    assert examples
    for example in examples:
        words = shlex.split(example.partition(" > ")[0])[2:]
        context = command.make_context(name, words)
        unknown = [value for value in context.params.values() if isinstance(value, str) and value.startswith("--")]
        assert not unknown, example


@pytest.mark.slow
def test_a_missing_extra_is_one_line_that_says_what_to_install() -> None:
    start = "import sys; sys.modules['numpy'] = None; from dpverify.cli.app import main; main()"
    command = [sys.executable, "-c", start, "audit", "laplace"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "numpy" in done.stderr and "pip install 'dpverify[audit]'" in done.stderr


def test_every_command_says_what_it_does_in_one_line_of_the_list() -> None:
    listed = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["--help"]).stdout.partition("Commands:")[2]
    assert "..." not in listed
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\S.*\.$", listed, re.MULTILINE)


def complete(*words: str) -> list[str]:
    line, at = shlex.join(("dpverify", *words)), str(len(words))
    done = run(COMP_WORDS=line, COMP_CWORD=at, _DPVERIFY_COMPLETE="bash_complete")
    assert done.returncode == 0 and done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_completion_of_commands_options_and_families() -> None:
    assert complete("ver") == ["verify"]
    assert set(complete("c")) == {"check", "calibrate", "classroom", "curve", "compare", "compose"}
    assert complete("verify", "--tim") == ["--timeout"]
    assert complete("verify", "stu") == ["student_t"]
    assert complete("compare", "laplace", "gau") == ["gaussian"]
    assert set(complete("calibrate", "")) >= set(families())


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    if shell == "bash" and not shutil.which("bash"):
        pytest.skip("there is no bash")
    done = run(_DPVERIFY_COMPLETE=f"{shell}_source")
    assert done.returncode == 0 and "_DPVERIFY_COMPLETE=" in done.stdout and done.stderr == ""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_completion_in_bash(tmp_path: Path) -> None:
    script = tmp_path / "complete.bash"
    script.write_text(run(_DPVERIFY_COMPLETE="bash_source").stdout)
    ask = (
        f". {script}; COMP_WORDS=(dpverify families stud); COMP_CWORD=2; "
        f'_dpverify_completion {COMMAND}; echo "${{COMPREPLY[@]}}"; complete -p dpverify'
    )
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[0] == "student_t", done.stderr
    assert "-F _dpverify_completion dpverify" in done.stdout


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """Standard output of the command where it is a terminal."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", **environment}
    with subprocess.Popen([COMMAND, *arguments], stdout=theirs, stderr=subprocess.DEVNULL, env=env) as process:
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            parts.append(part)
        assert process.wait() == 0
    os.close(ours)
    return b"".join(parts).decode()


def codes(text: str) -> set[int]:
    """The colours (30 and up) that a text asks a terminal for."""
    return {int(n) for code in COLOUR.findall(text) for n in re.findall(r"\d+", code) if int(n) >= 30}


def words(text: str) -> list[str]:
    """The lines without their colours and the blanks at their ends."""
    return [COLOUR.sub("", line).rstrip() for line in text.splitlines()]


@pytest.mark.slow
def test_colours_on_a_terminal_only_and_none_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    coloured = on_a_terminal("verify", "laplace")
    assert codes(coloured)
    plain = on_a_terminal("verify", "laplace", NO_COLOR="1")
    assert "PRIVATE" in plain and not codes(plain)
    piped = run("verify", "laplace").stdout
    assert "\x1b" not in piped
    assert words(coloured) == words(plain) == words(piped)
