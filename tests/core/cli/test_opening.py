"""``routescope open``: what it says of a folder, and that it serves with it."""

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import transformers

from routescope.cli import opening
from routescope.zoo import opened
from routescope.zoo.opened import VARIABLE
from tests.core.cli.program import refused, run, run_json
from tests.core.nn.adapters.families import model_of
from tests.core.nn.adapters.lying import LIES


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Calls of what serves, with the folders that it would read from its settings."""
    calls: list[dict[str, Any]] = []

    class Serve:
        def load(self) -> Any:
            return lambda **options: calls.append({**options, "folders": os.environ[VARIABLE]})

    monkeypatch.setattr(opening, "entry_points", lambda **_: [Serve()])
    monkeypatch.setenv(VARIABLE, "elsewhere")
    return calls


def test_it_says_what_a_folder_is_and_serves(tmp_path: Path, served: list[dict[str, Any]]) -> None:
    model_of("jamba").save_pretrained(tmp_path / "mine")
    ran = run("open", tmp_path / "mine", "--port", "0")
    assert ran.exit_code == 0, ran.output
    assert "mine: jamba, 2 routers, 0 MiB in 1 file of safetensors" in ran.stderr
    assert served == [{"host": None, "port": 0, "folders": f"{tmp_path / 'mine'},elsewhere"}]


@pytest.mark.parametrize(
    ("family", "name", "words"),
    [
        (None, "nothing", "is no folder: name one with config.json"),
        ("llama", "dense", "LlamaForCausalLM has no routers"),
        ("olmoe", "a,b", "a comma in its path"),
        ("switch", "translates", "a switch_transformers, reads one text and writes another"),
    ],
)
def test_what_is_no_model_is_said_in_a_line(
    tmp_path: Path, served: list[dict[str, Any]], family: str | None, name: str, words: str
) -> None:
    if family == "llama":
        sizes = {"vocab_size": 257, "hidden_size": 16, "intermediate_size": 8, "num_hidden_layers": 1}
        config = transformers.LlamaConfig(**sizes, num_attention_heads=2)
        transformers.LlamaForCausalLM(config).save_pretrained(tmp_path / name)
    elif family == "switch":
        sizes = {"d_model": 16, "d_ff": 12, "num_layers": 2, "num_heads": 2, "d_kv": 8, "num_experts": 4}
        config = transformers.SwitchTransformersConfig(vocab_size=257, **sizes)
        transformers.SwitchTransformersForConditionalGeneration(config).save_pretrained(tmp_path / name)
    elif family is not None:
        model_of(family).save_pretrained(tmp_path / name)
    assert words in refused("open", tmp_path / name) and served == []


@pytest.mark.slow
def test_folders_that_lie_end_in_one_line(tmp_path: Path, served: list[dict[str, Any]]) -> None:
    model_of("mixtral").save_pretrained(tmp_path / "good")
    for name, (change, words) in LIES.items():
        shutil.copytree(tmp_path / "good", tmp_path / "models" / name)
        change(tmp_path / "models" / name)
        line = refused("open", tmp_path / "models" / name)
        assert re.search(words, line) and str(tmp_path) not in line, line
    assert served == []


def test_a_folder_is_a_model_for_every_command(tmp_path: Path) -> None:
    model_of("olmoe").save_pretrained(tmp_path / "mine")
    folder = tmp_path / "mine"
    try:
        listed = run_json("models", folder)
        assert (listed["id"], listed["inputs"]) == ("mine", "text")
        facts = json.loads(run("check", folder, "--data", "sums", "--limit", "3", "--json").stdout)
        assert facts["model"] == "mine" and facts["revision"] == listed["revision"]
        assert {finding["name"]: finding["verdict"] for finding in facts["checks"]}["sliced"] == "held"
        (folder / "config.json").write_text("{")
        assert "config.json that is no JSON" in refused("evaluate", folder, "--data", "sums")
    finally:
        opened.use(())


def test_a_folder_with_a_pruned_checkpoint_is_a_model_for_commands(tmp_path: Path) -> None:
    options = ("--order", "chance", "--limit", "1", "--draws", "0", "--data", "sums")
    run_json("prune", "moe-bytes", *options, "--output", tmp_path / "small")
    assert run_json("models", tmp_path / "small")["id"] == "small"
    assert "is a checkpoint of this project" in refused("open", tmp_path / "small")
    (tmp_path / "empty").mkdir()
    assert "empty has no config.json" in refused("models", tmp_path / "empty")
