"""``routescope import``: logs of other programs on the command line."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from routescope.cli import build
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.zoo import opened
from routescope.zoo.checkpoint import save
from tests.core.nn.adapters.families import model_of

CLI = build()
RESPONSE = {"id": "x", "prompt_routed_experts": [[[0, 4]], [[4, 2]]], "choices": [{"routed_experts": [[[4, 0]]]}]}


def run(*arguments: object) -> Any:
    return CliRunner().invoke(CLI, [str(each) for each in arguments])


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(RESPONSE))
    return path


def test_a_log_is_told(log: Path) -> None:
    text = run("import", log).stdout
    assert "vLLM (nested lists, as of 0.21)" in text
    assert "3 tokens of 1 sequence, 1 layers, 5 experts, 2 of them a token" in text
    assert "l1.e5 50.0 %" in text


def test_programs_get_both_numbers_of_an_expert(log: Path) -> None:
    found = json.loads(run("import", log, "--experts", 8, "--json").stdout)
    assert (found["format"], found["tokens"], found["experts"], found["experts_counted"]) == ("vLLM", 3, 8, False)
    assert found["layers"][0]["most_used"][0] == {"unit": "l1.e5", "index": 4, "count": 3, "share": 0.5}
    assert found["layers"][0]["never_used"] == 5


def test_a_log_is_kept_as_parquet(log: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.parquet"
    assert run("import", log, "-o", kept).exit_code == 0
    first, again = (json.loads(run("import", path, "--json").stdout) for path in (log, kept))
    assert first == again


def test_what_is_wrong_is_one_line(log: Path, tmp_path: Path) -> None:
    log.write_text('{"loss": 1}')
    for arguments, said in (
        ((log,), "Read are vLLM responses"),
        ((tmp_path / "none",), "does not exist"),
        ((log, "-o", tmp_path / "none" / "x.parquet"), "the folder of"),
    ):
        result = run("import", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert said in " ".join(result.stderr.split()) and "Traceback" not in result.stderr


def test_two_logs_are_compared(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(RESPONSE | {"choices": [{"routed_experts": [[[1, 0]]]}]}))
    found = json.loads(run("compare", log, other, "--json").stdout)
    assert (found["tokens"], found["layers"][0]["count"]) == (3, 3)
    assert found["layers"][0]["same"] == pytest.approx(2 / 3, abs=1e-6)
    assert found["layers"][0]["overlap"] == pytest.approx(5 / 6, abs=1e-6)
    assert found["bits"] is None and found["margins"] == []
    text = " ".join(run("compare", log, other).stdout.split())
    assert "66.7 % take the same experts at every layer" in text


def test_a_log_is_in_no_other_precision(log: Path) -> None:
    result = run("compare", log, log, "--precision", "float32", "bfloat16")
    assert result.exit_code == 2 and "is a log" in result.stderr


@pytest.mark.slow
def test_two_precisions_are_compared() -> None:
    arguments = ("compare", "moe-bytes", "moe-bytes", "--data", "sums", "--limit", 4)
    same = json.loads(run(*arguments, "--json").stdout)
    assert same["same_at_every_layer"] == 1 and same["bits"]["a"] == same["bits"]["b"]
    told = run(*arguments, "--precision", "float32", "bfloat16").stdout
    assert "B moe-bytes in bfloat16" in told and "Bits a token" in told
    dropped = json.loads(run(*arguments, "--drop-b", "l2.e1", "--json").stdout)
    assert dropped["layers"][0]["same"] == 1 > dropped["layers"][1]["same"]


def test_folders_precisions_and_choices_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two folders of transformers, one in two precisions, and one with another number of experts a token."""
    monkeypatch.setattr(opened, "_folders", opened._folders)
    one = model_of("olmoe", intermediate_size=16)  # experts in bfloat16 are multiples of 16 bytes
    one.save_pretrained(tmp_path / "one")
    other = copy.deepcopy(one)
    with torch.no_grad():  # the second of two layers chooses otherwise
        other.get_parameter("model.layers.1.mlp.gate.weight").neg_()
    other.save_pretrained(tmp_path / "other")
    texts = ("--data", "sums", "--limit", 2, "--json")

    def compared(*arguments: object) -> Any:
        done = run("compare", *arguments, *texts)
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    two = compared(tmp_path / "one", tmp_path / "other")
    assert two["layers"][0]["same"] == 1 > two["layers"][1]["same"] and two["layers"][1]["first_differs"] > 0
    low = compared(tmp_path / "one", tmp_path / "one", "--precision", "float32", "bfloat16")
    assert (low["a"], low["b"]) == ("one in float32", "one in bfloat16")
    assert 0.5 < low["layers"][0]["same"] <= 1 and len(low["margins"]) > 1
    three = compared(tmp_path / "one", tmp_path / "one", "--top-k-b", 3)
    assert three["b"] == "one in float32, 3 experts a token"
    assert three["layers"][0]["overlap"] == pytest.approx(2 / 3, abs=1e-6), "two of the three are the same"
    assert "2 experts in A and 3 in B" in " ".join(three["notes"])


def test_two_checkpoints_of_ours_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = MixtureConfig(context=32, layers=2, features=16, heads=2, experts=4, hidden=8)
    for name, seed in (("first", 0), ("second", 1)):
        torch.manual_seed(seed)
        save(MixtureNetwork(sizes), tmp_path / "checkpoints" / name / "model.safetensors")
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    done = run("compare", "first", "second", "--data", "sums", "--limit", 2, "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["b"] == "second in float32" and found["same_at_every_layer"] < 0.5
    assert found["bits"]["a"] != found["bits"]["b"]


def test_what_was_assumed_stands_first_and_options_say_otherwise(log: Path) -> None:
    text = run("import", log).stdout
    assert text.splitlines()[1].startswith("Assumed: The log does not say how many experts")
    assert "Assumed:" not in run("import", log, "--experts", 8).stdout
    compared = " ".join(run("compare", log, log).stdout.split())
    assert "Assumed of A and B: The log does not say how many experts" in compared
    assert "Assumed" not in run("compare", log, log, "--experts", 8).stdout
    records = [
        {"step": 0, "layer": 0, "rank": rank, "num_tokens": 3, "topk": 1, "top_indices": [[rank], [2], [1]]}
        for rank in (0, 1)
    ]
    log.write_text("\n".join(map(json.dumps, records)))
    asked = run("import", log)
    assert asked.exit_code == 2 and "Say what they are (--ranks)" in " ".join(asked.stderr.split())
    stages = json.loads(run("import", log, "--ranks", "pipeline", "--json").stdout)
    assert [layer["layer"] for layer in stages["layers"]] == ["l1", "l2"] and stages["tokens"] == 3
    assert "stages of a pipeline" in stages["assumed"][0]
    assert json.loads(run("import", log, "--ranks", "data", "--json").stdout)["tokens"] == 6
    wrong = run("import", log, "--ranks", "model")
    assert wrong.exit_code == 2 and "pipeline, tensor, data, expert" in " ".join(wrong.stderr.split())


def test_a_load_is_told_and_not_compared(log: Path, tmp_path: Path) -> None:
    log.write_text("layer_id,expert_id,count\n0,0,30\n0,1,10\n")
    text = " ".join(run("import", log, "-o", tmp_path / "load.parquet").stdout.split())
    assert "Counts by layer and expert, without tokens: 40 counts, 1 layers, 2 experts." in text
    assert "l1.e1 75.0 %" in text and "the tokens" in text
    assert json.loads(run("import", tmp_path / "load.parquet", "--json").stdout)["counts_only"] is True
    result = run("compare", log, log)
    assert result.exit_code == 2 and "no tokens" in " ".join(result.stderr.split())
