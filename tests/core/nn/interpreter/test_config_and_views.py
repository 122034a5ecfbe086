"""Configs survive JSON, names follow the config, and views compose."""

import json
from dataclasses import asdict, replace

import pytest
import torch
from hypothesis import given, settings

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from tests.core.nn.networks import config, configs, network, tokens
from tests.oracles.mapping import ask_oracle

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


@settings(deadline=None)
@given(configs())
def test_a_config_survives_json(settings_: NeuralInterpreterConfig) -> None:
    text = settings_.to_json()
    assert NeuralInterpreterConfig.from_json(text) == settings_
    assert hash(NeuralInterpreterConfig.from_json(text)) == hash(settings_)
    assert set(json.loads(text)) == set(asdict(settings_))
    shuffled = json.dumps(dict(reversed(json.loads(text).items())))
    assert NeuralInterpreterConfig.from_json(shuffled).to_json() == text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"wings": 2}', "wings"),
        ('{"residual": "loud"}', "passthrough.*printed.*none"),
        ('{"tokenizer": "crystal"}', "convolutional.*linear"),
        ('{"image_size": 30}', "multiple of patch_size"),
        ('{"tokenizer": null}', "relative_position"),
        ('{"relative_position": "astral"}', "shared.*modlin"),
        ('{"heads": 5}', "multiple of heads"),
    ],
)
def test_a_bad_config_says_what_would_be_accepted(text: str, names: str) -> None:
    with pytest.raises((ValueError, TypeError), match=names):
        NeuralInterpreter(NeuralInterpreterConfig.from_json(text))


def test_units_and_steps_are_named_by_script_only_when_there_are_several() -> None:
    one = NeuralInterpreter(config(scripts=1, functions=3, iterations=2))
    assert one.units == one.all_units == ("f1", "f2", "f3")
    assert one.steps == ("i1", "i2")
    two = NeuralInterpreter(config(scripts=2, functions=2, iterations=2))
    assert two.units == ("s1.f1", "s1.f2", "s2.f1", "s2.f2")
    assert two.steps == ("s1.i1", "s1.i2", "s2.i1", "s2.i2")


@pytest.mark.parametrize("verb", ["keep", "mute"])
def test_an_unknown_unit_is_refused_with_the_names_there_are(verb: str) -> None:
    model = network(config(scripts=1))
    with pytest.raises(ValueError, match=r"f9.*f1, f2, f3, f4"):
        getattr(model, verb)(["f1", "f9"])
    with pytest.raises(ValueError, match="f1"):
        getattr(model.keep(["f2"]), verb)(["f1"])


def test_views_of_views_compose_and_share_parameters() -> None:
    model = network(config(scripts=1))
    x = tokens(model)
    with torch.no_grad():
        one = model.keep(["f4", "f1", "f3"]).mute(["f3"]).keep(["f3", "f4"])
        assert one.units == ("f3", "f4")
        torch.testing.assert_close(one.interpret(x), ask_oracle(model, x, drop={0: (0, 1)}, mute={0: (0,)})[0], **CLOSE)
    assert {id(p) for p in one.parameters()} == {id(p) for p in model.parameters()}
    other = replace(model.config, functions=2)
    assert other != one.config
