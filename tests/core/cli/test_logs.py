"""``routescope import``: logs of other programs on the command line."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import torch

from routescope.zoo import opened
from tests.core.cli.program import refused, run, run_json, words_of
from tests.core.nn.adapters.families import model_of

RESPONSE = {"id": "x", "prompt_routed_experts": [[[0, 4]], [[4, 2]]], "choices": [{"routed_experts": [[[4, 0]]]}]}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(RESPONSE))
    return path


def test_a_log_is_printed_and_kept_as_parquet(log: Path, tmp_path: Path) -> None:
    text = words_of("import", log, "-o", tmp_path / "kept.parquet")
    assert "vLLM (nested lists, as of 0.21)" in text and "l1.e5 50.0 %" in text
    assert "3 tokens of 1 sequence, 1 layers, 5 experts, 2 of them a token" in text
    assert run_json("import", log) == run_json("import", tmp_path / "kept.parquet")
    facts = run_json("import", log, "--experts", 8)
    assert (facts["format"], facts["tokens"], facts["experts"], facts["experts_counted"]) == ("vLLM", 3, 8, False)
    assert facts["layers"][0]["most_used"][0] == {"unit": "l1.e5", "index": 4, "count": 3, "share": 0.5}
    assert facts["layers"][0]["never_used"] == 5


def test_wrong_logs_are_refused(log: Path, tmp_path: Path) -> None:
    assert "is a log" in refused("compare", log, log, "--precision", "float32", "bfloat16")
    assert "the folder of" in refused("import", log, "-o", tmp_path / "none" / "x.parquet")
    assert "does not exist" in refused("import", tmp_path / "none")
    log.write_text('{"loss": 1}')
    assert "Read are vLLM responses" in refused("import", log)


def test_two_logs_are_compared(log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(RESPONSE | {"choices": [{"routed_experts": [[[1, 0]]]}]}))
    facts = run_json("compare", log, other)
    assert (facts["tokens"], facts["layers"][0]["count"], facts["bits"], facts["margins"]) == (3, 3, None, [])
    assert facts["layers"][0]["same"] == pytest.approx(2 / 3, abs=1e-6)
    assert facts["layers"][0]["overlap"] == pytest.approx(5 / 6, abs=1e-6)
    assert "66.7 % take the same experts at every layer" in words_of("compare", log, other)


@pytest.mark.slow
def test_two_precisions_are_compared() -> None:
    arguments = ("compare", "moe-bytes", "moe-bytes", "--data", "sums", "--limit", 4)
    same = run_json(*arguments)
    assert same["same_at_every_layer"] == 1 and same["bits"]["a"] == same["bits"]["b"]
    printed = words_of(*arguments, "--precision", "float32", "bfloat16")
    assert "B moe-bytes in bfloat16" in printed and "Bits a token" in printed
    dropped = run_json(*arguments, "--drop-b", "l2.e1")
    assert dropped["layers"][0]["same"] == 1 > dropped["layers"][1]["same"]


def test_folders_precisions_and_choices_are_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "_folders", opened._folders)
    model = model_of("olmoe", intermediate_size=16)  # experts in bfloat16 are multiples of 16 bytes
    model.save_pretrained(tmp_path / "one")
    other = copy.deepcopy(model)
    with torch.no_grad():  # the second of two layers chooses otherwise
        other.get_parameter("model.layers.1.mlp.gate.weight").neg_()
    other.save_pretrained(tmp_path / "other")

    def compared(b: str, *options: object) -> Any:
        return run_json("compare", tmp_path / "one", tmp_path / b, *options, "--data", "sums", "--limit", 2)

    two = compared("other")
    assert two["layers"][0]["same"] == 1 > two["layers"][1]["same"] and two["layers"][1]["first_differs"] > 0
    low = compared("one", "--precision", "float32", "bfloat16")
    assert (low["a"], low["b"]) == ("one in float32", "one in bfloat16")
    assert 0.5 < low["layers"][0]["same"] <= 1 and len(low["margins"]) > 1
    three = compared("one", "--top-k-b", 3)
    assert three["b"] == "one in float32, 3 experts a token"
    assert three["layers"][0]["overlap"] == pytest.approx(2 / 3, abs=1e-6), "two of the three are the same"
    assert "2 experts in A and 3 in B" in " ".join(three["notes"])


def test_assumptions_stand_first_and_options_replace_them(log: Path) -> None:
    assert run("import", log).stdout.splitlines()[1].startswith("Assumed: The log does not say the number of experts")
    assert "Assumed of A and B: The log does not say the number of experts" in words_of("compare", log, log)
    for command in (("import", log), ("compare", log, log)):
        assert "Assumed" not in words_of(*command, "--experts", 8)
    records = [
        {"step": 0, "layer": 0, "rank": rank, "num_tokens": 3, "topk": 1, "top_indices": [[rank], [2], [1]]}
        for rank in (0, 1)
    ]
    log.write_text("\n".join(map(json.dumps, records)))
    assert "Say what they are (--ranks)" in refused("import", log)
    assert "pipeline, tensor, data, expert" in refused("import", log, "--ranks", "model")
    stages = run_json("import", log, "--ranks", "pipeline")
    assert [layer["layer"] for layer in stages["layers"]] == ["l1", "l2"] and stages["tokens"] == 3
    assert "stages of a pipeline" in stages["assumed"][0]
    assert run_json("import", log, "--ranks", "data")["tokens"] == 6


def test_counts_are_printed_and_not_compared(log: Path, tmp_path: Path) -> None:
    log.write_text("layer_id,expert_id,count\n0,0,30\n0,1,10\n")
    text = words_of("import", log, "-o", tmp_path / "load.parquet")
    assert "Counts by layer and expert, without tokens: 40 counts, 1 layers, 2 experts." in text
    assert "l1.e1 75.0 %" in text and "the tokens" in text
    assert run_json("import", tmp_path / "load.parquet")["counts_only"] is True
    assert "no tokens" in refused("compare", log, log)
