"""Training: schedule, states without pickle, resume, augmentation and the card that is written."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from routescope.data import DataError, load
from routescope.nn.interpreter.network import NeuralInterpreterConfig
from routescope.routing import record
from routescope.training.fit import train
from routescope.training.settings import TrainingSettings
from routescope.training.state import SafetensorsCheckpointIO, flatten, unflatten
from routescope.training.tasks import pictures
from routescope.training.tasks.mixture import Mixture, augment, digits_mixture, photographs
from routescope.training.tasks.pictures import Classification, routing_information
from routescope.zoo import checkpoint

TINY = NeuralInterpreterConfig(
    features=16, code_features=8, type_features=4, iterations=2, functions=3, heads=2, key_features=4,
    type_inference_width=8, position_features=4, tokenizer="convolutional", patch_size=16,
)  # fmt: skip
BRIEF = TrainingSettings(
    steps=6, batch_size=8, precision="32-true", accelerator="cpu", devices=1, minutes=0, validate_every=3
)


@pytest.fixture
def mixture(monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setattr(pictures, "load", lambda name, split, *_, **__: load(name, split, limit=20))
    images = torch.randint(0, 256, (64, 3, 32, 32), dtype=torch.uint8)
    return Mixture(images, torch.arange(64) % 10, torch.arange(64) % 3, TINY.domains, (("noise", 64),))


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=20,
)


@given(plain)
def test_a_training_state_survives_its_json_skeleton(value):
    tensors = {}
    skeleton = json.loads(json.dumps(flatten({"state": value, "tensor": torch.arange(3)}, tensors)))
    back = unflatten(skeleton, tensors)
    assert back["state"] == value
    assert back["tensor"].equal(torch.arange(3))


def test_what_cannot_be_read_back_is_not_written(tmp_path):
    with pytest.raises(TypeError, match="holds no object"):
        SafetensorsCheckpointIO().save_checkpoint({"x": object()}, tmp_path / "state.ckpt")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_training_writes_a_model_that_loads_and_a_card_with_intervals(tmp_path, mixture):
    folder = train(settings=BRIEF, config=TINY, folder=tmp_path / "tiny", progress=False, mixture=mixture)
    model, card = checkpoint.load(folder / "model.safetensors"), json.loads((folder / "card.json").read_text())
    assert model.config == TINY
    assert card["revision"] == model.revision
    assert card["settings"]["steps"] == 6
    assert [entry["step"] for entry in card["history"]] == [3, 6]
    assert {a["domain"] for a in card["accuracies"]} == set(TINY.domains)
    for a in card["accuracies"]:
        assert 0 <= a["low"] <= a["accuracy"] <= a["high"] <= 1 and a["high"] > a["low"]
        assert a["stand_in"] == (a["domain"] != "mnist")
    assert "noise: 64 images" in (folder / "README.md").read_text()


def test_augmentation_moves_pictures_but_keeps_range_and_shape():
    torch.manual_seed(0)
    images = torch.zeros(50, 3, 32, 32)
    images[:, :, 12:20, 14:18] = 1
    changed = augment(images)
    assert changed.shape == images.shape
    assert changed.min() >= 0 and changed.max() <= 1
    assert not torch.allclose(changed[0], changed[1])
    assert (changed.mean(dim=(1, 2, 3)) > 0.01).all()  # the digit stays in the picture


def test_the_mixture_keeps_every_domain_at_its_own_head():
    mixture = digits_mixture({}, ("mnist-m", "street-digits"), street=30)
    assert mixture.domains == ("mnist-m", "street-digits")
    assert (mixture.domain == 1).sum() == 30
    assert sum(count for _, count in mixture.parts) == len(mixture)
    images, labels, domain = mixture.__getitems__([0, len(mixture) - 1])
    assert images.shape == (2, 3, 32, 32) and domain.tolist() == [0, 1]
    assert labels[0] == mixture.labels[0]


def test_photographs_need_a_file(tmp_path):
    with pytest.raises(DataError, match="parquet"):
        photographs(str(tmp_path))


def test_routing_information_is_0_for_uniform_and_ln_U_for_balanced_one_hot_routing():
    uniform = torch.full((4, 2, 8), 0.25)
    one_hot = torch.nn.functional.one_hot(torch.arange(16) % 4, 4).float().T.reshape(4, 2, 8)
    collapsed = torch.zeros(4, 2, 8)
    collapsed[1] = 1
    assert routing_information(uniform).item() == pytest.approx(0, abs=1e-4)
    assert routing_information(one_hot).item() == pytest.approx(np.log(4), abs=1e-4)
    assert routing_information(collapsed).item() == pytest.approx(0, abs=1e-4)


@pytest.mark.slow
def test_the_routing_weight_makes_routing_tell_tokens_apart(mixture):
    images, labels, domain = mixture.__getitems__(list(range(64)))
    after = {}
    for weight in (0.0, 5.0):
        torch.manual_seed(0)
        task = Classification("neural_interpreter", TINY, replace(BRIEF, routing_weight=weight, augment=False))
        task.log = lambda *_, **__: None
        optimizer = torch.optim.Adam(task.parameters(), lr=1e-2)
        for _ in range(15):
            optimizer.zero_grad()
            task.training_step((images, labels, domain), 0).backward()
            optimizer.step()
        C = record(task.model.eval(), images.float() / 255)["compatibility"].transpose("unit", ...).values
        after[weight] = routing_information(torch.from_numpy(C).flatten(2)).item()
    assert after[5.0] > after[0.0] + 0.05
