"""Checkpoints and the zoo: what is written is read, and nothing else is."""

import json
import shutil
import struct
from dataclasses import replace

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from routescope import assets, zoo
from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.zoo import checkpoint
from routescope.zoo.quantisation import LEAST_NUMBERS, SCALE

TINY = NeuralInterpreterConfig(
    features=8, code_features=4, type_features=4, iterations=2, functions=2, heads=2, key_features=4,
    type_inference_width=8, position_features=4, tokenizer="convolutional", patch_size=16, domains=("mnist",),
)  # fmt: skip


@pytest.fixture
def tiny():
    torch.manual_seed(0)
    return NeuralInterpreter(TINY).eval()


def test_integers_take_a_quarter_of_the_place_and_give_nearly_the_same_model(tmp_path):
    torch.manual_seed(0)
    model = NeuralInterpreter(replace(TINY, features=64, code_features=64)).eval()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    whole = checkpoint.save(model, tmp_path / "whole.safetensors")
    small = checkpoint.save(model, tmp_path / "small.safetensors", {"name": "a"}, "int8")
    assert all(tensor.equal(before[name]) for name, tensor in model.state_dict().items()), "saving changes no model"
    assert small.read_bytes() == checkpoint.save(model, tmp_path / "b.safetensors", {"name": "a"}, "int8").read_bytes()
    assert small.stat().st_size < 0.4 * whole.stat().st_size
    again = checkpoint.load(small)
    rounded = [name for name, tensor in again.state_dict().items() if not tensor.equal(before[name])]
    assert rounded and all(before[name].numel() >= LEAST_NUMBERS for name in rounded)
    for name, tensor in again.state_dict().items():
        assert tensor.dtype == torch.float32
        assert (tensor - before[name]).norm() <= 0.02 * before[name].norm()
    images = torch.rand(8, 3, 32, 32)
    with torch.no_grad():
        assert torch.cosine_similarity(again(images), model(images), dim=-1).min() > 0.999
    assert again.revision == checkpoint.revision(small) != checkpoint.load(whole).revision
    # What was read once is written as the same numbers: integers for those that it was read from.
    twice = checkpoint.load(checkpoint.save(again, tmp_path / "twice.safetensors", {"name": "a"}, "int8"))
    for name, tensor in twice.state_dict().items():
        torch.testing.assert_close(tensor, again.state_dict()[name], rtol=1e-6, atol=0)


def test_integers_without_scales_are_refused(tmp_path):
    torch.manual_seed(0)
    path = tmp_path / "model.safetensors"
    checkpoint.save(NeuralInterpreter(replace(TINY, features=64)), path, stored="int8")
    with safe_open(path, "pt") as file:
        metadata, state = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    save_file({name: tensor for name, tensor in state.items() if not name.endswith(SCALE)}, path, metadata)
    with pytest.raises(checkpoint.CheckpointError, match=r"model\.safetensors: .*8-bit integers without scales"):
        checkpoint.load(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04 a pickle in disguise",
        struct.pack("<Q", 2**60) + b"{}",
        struct.pack("<Q", 30) + b'{"x":{"dtype":"F32","shape":[9',
    ],
)
def test_files_that_are_no_checkpoints_are_refused(tmp_path, content):
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(checkpoint.CheckpointError, match="no readable safetensors"):
        checkpoint.load(path)


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ({}, "names no architecture"),
        ({"architecture": "os.system", "config": "{}"}, "names no architecture"),
        ({"architecture": "neural_interpreter", "config": '{"shell": "x"}'}, "do not fit"),
        ({"architecture": "neural_interpreter", "config": TINY.to_json()}, "do not fit"),
        ({"architecture": "neural_interpreter"}, "do not fit"),
    ],
)
def test_weights_that_do_not_fit_are_refused(tmp_path, metadata, reason):
    path = tmp_path / "model.safetensors"
    save_file({"x": torch.zeros(1)}, path, metadata=metadata)
    with pytest.raises(checkpoint.CheckpointError, match=reason):
        checkpoint.load(path)


def test_the_bundled_model_has_a_card_that_fits_it():
    info = zoo.info("ni-digits")
    assert info.card["revision"] == info.revision
    assert info.card["parameters"] == info.parameters
    assert len(info.units) >= 4 and len(info.steps) >= 4 and info.grid[0] * info.grid[1] >= 16
    assert len(info.tokens) == len(info.domains) + info.grid[0] * info.grid[1]
    reached = {(a["domain"], a["stand_in"]): a for a in info.accuracies}
    assert set(info.domains) == {domain for domain, _ in reached}
    for a in info.accuracies:
        assert a["low"] < a["accuracy"] < a["high"] and a["count"] >= 1000


def test_an_unknown_model_names_those_there_are():
    with pytest.raises(zoo.UnknownModel, match="ni-digits"):
        zoo.load("../../etc/passwd")


def test_a_users_own_model_is_found_and_hides_a_bundled_one(tmp_path, monkeypatch, tiny):
    monkeypatch.setenv("ROUTESCOPE_DATA_DIR", str(tmp_path))
    folder = assets.data_dir() / "checkpoints" / "mine"
    checkpoint.save(tiny, folder / "model.safetensors")
    assert {"mine", "ni-digits"} <= set(zoo.ids())
    assert zoo.info("mine").units == ("f1", "f2")
    shutil.copytree(folder, folder.with_name("ni-digits"))
    assert zoo.load("ni-digits").config == TINY


def test_model_ids_match_their_metadata():
    for model in zoo.models():
        config = json.loads(json.dumps(model.config))
        numbers = bool(config.get("target_means"))  # then heads answer with a number
        assert (0 if numbers else config.get("classes", 0)) == len(model.labels)
        assert ("classes" in config) == (model.inputs != "text"), "texts alone have no labels"
