"""Runs the command line in this process."""

import json
from typing import Any

from typer.testing import CliRunner, Result

from routescope import assets
from routescope.cli import build
from routescope.nn.network import Network
from routescope.zoo import checkpoint


def run(*arguments: object) -> Result:
    return CliRunner().invoke(build(), [str(argument) for argument in arguments])


def run_json(*arguments: object) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def words_of(*arguments: object) -> str:
    """Return the words that a command prints for people, with single spaces."""
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def refused(*arguments: object, code: int = 2) -> str:
    """Return the one line on standard error of a command that fails."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    assert len(lines) == 1 and len(lines[0]) < 2_000 and "Traceback" not in result.stderr, result.stderr
    return lines[0]


def save(name: str, network: Network) -> None:
    checkpoint.save(network, assets.data_dir() / "checkpoints" / name / "model.safetensors")


def saved(name: str) -> Any:
    return checkpoint.load(assets.data_dir() / "checkpoints" / name / "model.safetensors")
