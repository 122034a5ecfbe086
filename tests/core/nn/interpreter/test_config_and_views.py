"""Configs survive JSON, names follow the config, and views compose."""

import pytest

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from tests.core.nn.networks import config

# beartype picks the items that it looks at by chance, also while hypothesis draws a config
pytestmark = pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")
CLOSE = {"rtol": 1e-9, "atol": 1e-9}


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
