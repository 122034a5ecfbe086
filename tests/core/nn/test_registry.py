"""What every registered architecture owes: found by itself, so that a new one is tested by being registered."""

import copy
import json
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from core.nn.inputs.statements import Statements
from core.nn.probe import Probe
from core.nn.registry import ARCHITECTURES, architecture_of
from core.routing import Intervention, record
from core.routing.recording import probes_of
from core.zoo import checkpoint
from tests.core.routing.small import UNITLESS, blocks, reads_blocks

NAMES = sorted(ARCHITECTURES)
#: Default sizes that are too large for a test; a new architecture has its own.
CIRCUIT = {"features": 24, "code_features": 24, "modules": 10, "readouts": 4, "layers": 3, "ffn_hidden": 32}
CONDITIONAL = {**CIRCUIT, "generator_features": 24, "generator_hidden": 20, "image_size": 16, "words": ("a", "star")}
#: Axes along which places are left empty where a level has fewer blocks than the largest.
BLOCKS = ("source", "block")
SMALLER: dict[str, dict[str, Any]] = {
    "neural_attentive_circuit": CIRCUIT,
    "perceiver_io": CIRCUIT,
    "conditional_nac": CONDITIONAL,
    "statement_perceiver_io": CONDITIONAL,
}


@pytest.fixture(scope="module", params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def model(name: str) -> Any:
    """The architecture with its default config, or smaller, in evaluation mode."""
    config_class, model_class = ARCHITECTURES[name]
    torch.manual_seed(0)
    return model_class(config_class(**SMALLER.get(name, {}))).eval()


@pytest.fixture(scope="module")
def batch(model: Any) -> Any:
    """Two random images as the config wants them, or pairs of them with sentences, or blocks."""
    if reads_blocks(model):
        return blocks(model, 2, seed=1)
    config = model.config
    statements = getattr(model, "inputs", "images") == "statements"
    several = (config.pictures,) if statements else ()
    shape = (2, *several, config.image_channels, config.image_size, config.image_size)
    images = torch.rand(shape, generator=torch.Generator().manual_seed(1))
    return Statements(images, ("A star.", "A starfish and a star.")) if statements else images


def test_there_are_architectures_and_each_names_itself(name: str, model: Any) -> None:
    assert name.isidentifier()
    assert isinstance(model, nn.Module)
    assert architecture_of(model) == name
    with pytest.raises(KeyError, match=name):
        architecture_of(nn.Linear(1, 1))


def test_the_config_is_frozen_plain_data_and_survives_json(name: str, model: Any) -> None:
    config = model.config
    assert is_dataclass(config)
    with pytest.raises(FrozenInstanceError):
        setattr(config, fields(config)[0].name, None)
    text = config.to_json()
    again = type(config).from_json(text)
    assert again == config
    assert again.to_json() == text
    assert set(json.loads(text)) == {field.name for field in fields(config)}
    assert type(config).from_json("{}") == type(config)(), "missing fields are defaults"
    with pytest.raises((TypeError, ValueError)):
        type(config).from_json('{"no such field": 1}')


def test_units_and_steps_are_distinct_names(name: str, model: Any) -> None:
    for names in (model.units, model.all_units, model.steps, model.tokens):
        assert isinstance(names, tuple)
        assert names or (names is model.units and name in UNITLESS)
        assert len(set(names)) == len(names)
        assert all(isinstance(name, str) and name.strip() == name and name for name in names)
    assert model.units == model.all_units


def test_a_kept_view_is_sliced_and_shares_its_parameters(model: Any, batch: Any) -> None:
    kept = model.units[::2]
    view = model.keep(kept)
    assert view.units == kept
    assert view.all_units == model.units
    assert {id(p) for p in view.parameters()} == {id(p) for p in model.parameters()}
    assert model.units == model.all_units, "the model itself is untouched"
    with torch.no_grad():
        before = model(batch)
        assert torch.equal(view(batch), before) == (kept == model.units)
        assert torch.equal(model.keep(model.units)(batch), before)
        assert torch.equal(model(batch), before)
    with pytest.raises(ValueError, match=model.units[0] if model.units else "none"):
        model.keep(["no such unit"])


def test_probes_have_distinct_names_and_belong_to_one_view_each(model: Any) -> None:
    probes = [module for module in model.modules() if isinstance(module, Probe)]
    assert len({probe.name for probe in probes}) == len(probes) > 0
    view = model.keep(model.units[:1])
    assert set(probes_of(view)) == set(probes_of(model))
    assert not set(map(id, probes_of(view).values())) & set(map(id, probes_of(model).values()))
    assert not any(probe.listening for probe in probes)


def test_every_field_can_be_recorded_at_every_step(model: Any, batch: Any) -> None:
    names = tuple(probes_of(model))
    trace = record(model, batch, only=names, intervention=Intervention(drop=model.units[:1]))
    for field in names:
        assert trace[field].sizes["sample"] == len(batch)
        along = probes_of(model)[field].along
        if along is None:
            assert not {"step", "layer"} & set(trace[field].dims)
        else:
            names_along = model.steps if along == "step" else model.along(along, model.config.iterations)
            assert tuple(trace[field][along].values) == tuple(names_along)
        known = trace[field].notnull()
        if field == "contributions" and "token" in trace[field].dims:  # of the last step only those that are read
            known = known.isel(step=slice(-1))
            assert trace[field].isel(step=-1, token=slice(len(model.config.domains))).notnull().all()
        if set(BLOCKS) & set(known.dims):  # levels are of different sizes, and blocks are dropped
            assert not known.all() or not model.units
            known = known.any([axis for axis in (*BLOCKS, "feature") if axis in known.dims])
        assert known.all()
    with torch.no_grad():
        logits = model.keep(model.units[1:])(batch)
    assert torch.equal(torch.from_numpy(trace["logits"].values), logits)


def test_weights_survive_safetensors(name: str, model: Any, batch: Any, tmp_path: Path) -> None:
    path = checkpoint.save(model, tmp_path / "folder" / "model.safetensors", {"note": {"seeds": [0]}})
    again = checkpoint.load(path)
    assert type(again) is type(model)
    assert again.config == model.config
    assert not again.training
    assert not any(p.requires_grad for p in again.parameters())
    ours, theirs = model.state_dict(), again.state_dict()
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[key], theirs[key]) and ours[key].dtype == theirs[key].dtype for key in ours)
    fixed = copy.deepcopy(model).requires_grad_(False)  # PyTorch's own attention rounds otherwise where nothing learns
    with torch.no_grad():
        assert torch.equal(again(batch), fixed(batch))
    assert [file.name for file in path.parent.iterdir()] == [path.name], "nothing else is left in the folder"
    other = copy.deepcopy(model)
    with torch.no_grad():
        next(other.parameters()).add_(1)
    assert checkpoint.load(checkpoint.save(other, tmp_path / "other.safetensors")).revision != again.revision
    assert checkpoint.load(path).revision == again.revision


def test_a_checkpoint_that_does_not_fit_is_refused(name: str, model: Any, tmp_path: Path) -> None:
    whole = checkpoint.save(model, tmp_path / "whole.safetensors")
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(whole.read_bytes()[:-100])
    with pytest.raises(checkpoint.CheckpointError, match="no readable safetensors"):
        checkpoint.load(cut)
    with pytest.raises(checkpoint.CheckpointError):
        checkpoint.load(tmp_path / "absent.safetensors")
    alien = tmp_path / "alien.safetensors"
    alien.write_bytes(whole.read_bytes().replace(f'"{name}"'.encode(), b'"' + b"x" * len(name) + b'"'))
    with pytest.raises(checkpoint.CheckpointError, match=name):
        checkpoint.load(alien)
    narrow = copy.copy(model)
    size = "block_size" if reads_blocks(model) else "classes"
    narrow.config = replace(model.config, **{size: 2 * getattr(model.config, size)})
    with pytest.raises(checkpoint.CheckpointError, match="do not fit"):
        checkpoint.load(checkpoint.save(narrow, tmp_path / "narrow.safetensors"))
