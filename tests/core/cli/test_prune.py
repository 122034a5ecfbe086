"""``routescope prune``: who stays, what it costs beside random sets, and the pruned model in a folder."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from routescope.nn.adapters.folder import look, open_folder
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing.caused.pruning import ORDERS, KeepList
from routescope.zoo import checkpoint, opened
from tests.core.cli.program import run, run_json, save, words_of
from tests.core.nn.adapters.families import model_of

SIZES = MixtureConfig(
    domains=("sums", "listops"), context=32, layers=2, features=16, heads=2, experts=4, top_k=1, hidden=4
)
SMALL = ("--limit", "3", "--draws", "2")


@pytest.fixture(scope="module", autouse=True)
def _model() -> None:
    torch.manual_seed(0)
    save("prune-tiny", MixtureNetwork(SIZES))


@pytest.fixture(autouse=True)
def _none_afterwards() -> Iterator[None]:
    yield
    opened.use(())


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_prunes(order: str) -> None:
    found = run_json("prune", "prune-tiny", "--order", order, "--keep", "0.5", *SMALL)
    assert (found["order"], found["share"], found["measured_on"]) == (order, 0.5, "test")
    assert [len(layer["kept"]) for layer in found["layers"]] == [2, 2]
    assert {(row["order"], row["domain"]) for row in found["retention"]} == {
        (name, domain) for name in (order, "random") for domain in ("sums", "listops", "all")
    }


def test_it_is_told_and_written(tmp_path: Path) -> None:
    folder = tmp_path / "pruned"
    options = ("--scope", "all", "--keep", "0.75", "--data", "sums", *SMALL)
    text = words_of("prune", "prune-tiny", *options, "--output", folder)
    assert "75.0 % of the experts are kept." in text and "random sets (2) " in text and f"Written to {folder}." in text
    opened = checkpoint.load(folder / "model.safetensors")
    assert len(opened.all_units) == 6
    kept = json.loads((folder / "keep-list.json").read_text())
    assert sum(len(layer["indices"]) for layer in kept["layers"]) == 6 and kept["model"] == "prune-tiny"


def test_a_folder_of_transformers_is_pruned_to_one(tmp_path: Path) -> None:
    whole, pruned = tmp_path / "whole", tmp_path / "pruned"
    model_of("olmoe").save_pretrained(whole)
    found = run_json("prune", whole, "--keep", "0.7", "--data", "sums", *SMALL, "--output", pruned)
    assert found["model"] == "whole" and [len(layer["indices"]) for layer in found["layers"]] == [5, 5]
    small = open_folder(look(pruned))
    assert [layer.experts for layer in small.routed_layers] == [5, 5]
    view = KeepList.from_json((pruned / "keep-list.json").read_text()).view(open_folder(look(whole)))
    texts = Text(("1 + 2 = 3", "x"))
    with torch.no_grad():
        torch.testing.assert_close(small(texts), view(texts), atol=1e-5, rtol=1e-5)
    checked = run("check", pruned, "--data", "sums", "--limit", "8", "--json")
    verdicts = {finding["name"]: finding["verdict"] for finding in json.loads(checked.stdout)["checks"]}
    assert {
        verdicts[name] for name in ("captured", "logits", "nothing", "shares", "padding", "sliced", "recorded")
    } == {"held"}


def test_a_keep_list_of_another_tool_is_written_and_drops_the_others(tmp_path: Path) -> None:
    """What `prune` writes as JSON lines, `evaluate --drop @FILE` reads, as it reads our own keep-list."""
    lines, folder = tmp_path / "experts.jsonl", tmp_path / "out"
    kept = run_json("prune", "prune-tiny", "--keep", "0.5", *SMALL, "--expert-list", lines, "--output", folder)
    assert [json.loads(line) for line in lines.read_text().splitlines()] == [
        {str(layer["index"]): layer["indices"]} for layer in kept["layers"]
    ]
    gone = [
        f"{layer['layer']}.e{expert + 1}"
        for layer in kept["layers"]
        for expert in range(layer["experts"])
        if expert not in layer["indices"]
    ]
    for file in (lines, folder / "keep-list.json"):
        scored = run("evaluate", "prune-tiny", "--drop", f"@{file}", "--limit", "3", "--json")
        assert json.loads(scored.stdout)["intervention"]["drop"] == gone
        assert "drops 4 experts" in " ".join(scored.stderr.split())
    lines.write_text('{"0": [9]}')
    result = run("evaluate", "prune-tiny", "--drop", f"@{lines}")
    assert result.exit_code == 2 and "layer 0 lists expert 9; it has 4" in " ".join(result.stderr.split())


def test_what_cannot_be_written_is_refused_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routescope.api.asking.find_order", lambda *_, **__: pytest.fail("an order was computed"))
    whole, full = tmp_path / "whole", tmp_path / "full"
    model_of("olmoe").save_pretrained(whole)
    full.mkdir()
    (full / "notes.txt").touch()
    for model, *options, words in (
        (str(whole), "--scope", "all", "--output", str(tmp_path / "new"), "use --scope layer to write it"),
        ("prune-tiny", "--output", str(full), "is not empty"),
        ("prune-tiny", "--output", str(full / "notes.txt" / "below"), "notes.txt is no folder"),
    ):
        result = run("prune", model, *options)
        assert (result.exit_code, result.stdout) == (2, "") and words in " ".join(result.stderr.split())


def test_figures_are_printed_where_the_model_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> Path:
        raise OSError(28, "No space left on device", str(tmp_path))

    monkeypatch.setattr("routescope.api.results.export", full)
    result = run("prune", "prune-tiny", "--data", "sums", *SMALL, "--output", str(tmp_path / "new"), "--json")
    assert result.exit_code == 2 and "was not written" in result.stderr and "No space left" in result.stderr
    found = json.loads(result.stdout)
    assert found["output"] is None and found["retention"]
