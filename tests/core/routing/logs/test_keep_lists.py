"""Keep-lists of other tools: which units go, and which files are refused."""

import json
from pathlib import Path

import pytest

from routescope.nn.mixture.config import MixtureConfig
from routescope.nn.mixture.network import MixtureNetwork
from routescope.routing.caused.pruning import KeepList, KeptLayer
from routescope.routing.logs import LogError, read_log
from routescope.routing.logs.keep_lists import KeepListError, dropped_by

MODEL = MixtureNetwork(MixtureConfig(context=8, layers=2, features=16, heads=2, experts=4, hidden=4))
KEPT = KeepList((KeptLayer("l1", 0, 4, (1, 2)), KeptLayer("l2", 1, 4, (0, 1, 3))), {"order": "tokens"})
GONE = {"l1.e1", "l1.e4", "l2.e3"}
KEEP, DROP = {"0": [2, 1], "1": [3, 0, 1]}, {"0": [0, 3], "1": [2]}

#: Files that say the same as ``KEPT``.
FILES = {
    "lines of vllm-ascend": '{"0":[2,1]}\n{"1":[3,0,1]}\n',
    "one object": json.dumps(KEEP, indent=1),
    "names of modules": json.dumps({f"model.layers.{layer}.mlp": kept for layer, kept in KEEP.items()}),
    "a profile that keeps": json.dumps({"version": 1, "model": "m", "kept_experts": KEEP}),
    "a profile that prunes": json.dumps({"version": 1, "model": "m", "workload": "w", "pruned_experts": DROP}),
    "a profile by layer": json.dumps(
        {"version": 1, "layers": {layer: {"prune": gone} for layer, gone in DROP.items()}}
    ),
    "a profile with a list of layers": json.dumps({"layers": [{"layer": int(i), "keep": k} for i, k in KEEP.items()]}),
    "a profile whose lists have no name": json.dumps({"version": 1, "layers": KEEP}),
    "masks": json.dumps({"0": [0, 1, 1, 0], "1": [True, True, False, True]}),
    "ours": KEPT.to_json(),
    "ours in lines": KEPT.to_lines(),
    "names of units": "# least used\nl1.e1, l1.e4\nl2.e3\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_keep_list_is_read_as_the_units_that_it_drops(name: str, tmp_path: Path) -> None:
    for encoding in ("utf-16", "utf-8-sig", "utf-8"):
        (tmp_path / "file").write_text(FILES[name], encoding)
        messages: list[str] = []
        assert set(dropped_by(tmp_path / "file", MODEL, messages.append)) == GONE
    unnamed = name in ("lines of vllm-ascend", "one object", "names of modules", "masks", "ours in lines")
    assert any("taken for those that stay" in line for line in messages) == (unnamed or "no name" in name)
    if name != "names of units":
        with pytest.raises(LogError, match="is a keep-list.*--drop @file"):
            read_log(tmp_path / "file")


REFUSED = {
    "an order of all": ('{"0":[2,1,0,3]}\n{"1":[3,0,1,2]}\n', "as an order does, and drops none"),
    "another layer": ('{"5":[1]}', "lists layer 5; layers with experts are 0, 1"),
    "another expert": ('{"0":[106,65]}', "layer 0 lists expert 106; it has 4"),
    "an expert twice": ('{"0":[1,1,2]}', "lists an expert twice"),
    "a layer twice": ('{"0":[1]}\n{"0":[2]}', "listed twice"),
    "other JSON": ('{"loss": 1.5}', "names no experts; a keep-list is JSON of layer"),
    "nothing": ("", "names no experts"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_of_another_model_is_refused_with_what_is_accepted(name: str, tmp_path: Path) -> None:
    text, words = REFUSED[name]
    (tmp_path / "file").write_text(text)
    with pytest.raises(KeepListError, match=words):
        dropped_by(tmp_path / "file", MODEL, lambda _: None)
