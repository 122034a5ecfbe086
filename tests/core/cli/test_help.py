"""What ``--help`` says of every command, what it loads, and what a shell completes."""

import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from routescope.assets import DOCS
from routescope.cli import COMMANDS, Program, build
from tests.core.cli.test_errors import commands

#: Options whose words, type or bounds depend on the command, each with its reason.
DIFFERENT = {
    "--data": "one data set, several, or sources in place of stand-ins; and what a command takes by default",
    "--draws": "importance needs one random set at least, prune none",
    "--output": "its words name what is written",
    "--precision": "of a training as Lightning names it, of two models that are compared",
    "--top-k": "of a log, where the log lacks it, and of an intervention",
}
#: Commands whose ``--data`` is the same option.
DATA = {("evaluate", "trace"), ("importance",), ("check", "compare", "prune"), ("train", "reproduce")}


def example(command: Any) -> str:
    """Return the example in the help of a command, or nothing."""
    found = re.findall(r"^Example: (routescope .+)$", command.help or "", re.MULTILINE)
    return found[0] if len(found) == 1 else ""


def test_every_command_has_a_summary_and_one_example() -> None:
    document = (DOCS / "command-line.md").read_text()
    for words, command in commands().items():
        line = shlex.split(example(command))
        assert tuple(line[1 : 1 + len(words)]) == words, words
        assert command.help.startswith(COMMANDS[words[0]].summary) if words[0] in COMMANDS else command.help
        assert example(command) in document, words
        options = {option for parameter in command.params for option in parameter.opts} | {"-o"}
        assert {word for word in line if word.startswith("-")} <= options, words


def test_options_with_one_name_have_one_meaning() -> None:
    meanings = defaultdict[str, dict[str, list[str]]](lambda: defaultdict(list))
    for words, command in commands().items():
        for option in command.params:
            for name in (name for name in option.opts if name.startswith("--")):
                kind = (option.type_descriptor.annotation, option.nargs, option.metavar, option.min, option.max)
                meanings[name][f"{kind} {option.help}"].append(words[0])
    different = {name: list(uses.values()) for name, uses in meanings.items() if len(uses) > 1}
    assert {name: different.get(name) for name in DIFFERENT.keys() ^ different.keys()} == {}
    assert {frozenset(users) for users in different["--data"]} == {frozenset(users) for users in DATA}


def test_help_of_the_program_imports_no_command() -> None:
    script = (
        "import sys\nfrom routescope.cli import build\n"
        "try: build()(['--help'], prog_name='routescope')\n"
        "except SystemExit: print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.splitlines()[-1].split())
    own = {name for name in loaded if name.startswith("routescope.cli.")}
    assert own == {"routescope.cli.console", "routescope.cli.options"}
    heavy = {"torch", "numpy", "pandas", "xarray", "pydantic_settings", "routescope.zoo", "routescope.nn.network"}
    assert not loaded & heavy
    assert all(name in ran.stdout for name in Program().list_commands(None))


def test_commands_import_libraries_when_they_run() -> None:
    script = f"import sys\nfrom routescope.cli import load\nfor name in {[*COMMANDS]}: load(name)\nprint(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not set(ran.stdout.split()) & {"torch", "numpy", "pandas", "transformers", "lightning"}


def test_python_m_is_the_program() -> None:
    run = [sys.executable, "-m", "routescope", "no-such-command"]
    unknown = subprocess.run(run, capture_output=True, text=True, check=False)
    assert unknown.returncode == 2 and "No such command 'no-such-command'" in unknown.stderr


@pytest.mark.parametrize(
    ("line", "completed"), [("routescope tok", ["token"]), ("routescope prune --lim", ["--limit"])]
)
def test_a_shell_completes_commands_and_options(line: str, completed: list[str]) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    variables = {"_ROUTESCOPE_COMPLETE": "complete_bash", **words}
    script = "from routescope.cli import main; main()"
    ran = subprocess.run([sys.executable, "-c", script], env=os.environ | variables, capture_output=True, text=True)
    assert ran.stdout.split() == completed


def test_completion_is_installed_for_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    shown = CliRunner().invoke(build(), ["--show-completion"], prog_name="routescope")
    assert shown.exit_code == 0 and "complete -o default -F _routescope_completion routescope" in shown.stdout
    installed = CliRunner().invoke(build(), ["--install-completion"], prog_name="routescope")
    assert installed.exit_code == 0, installed.output
    assert "routescope" in (tmp_path / ".bashrc").read_text()
