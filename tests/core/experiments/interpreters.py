"""Tiny Neural Interpreters, for experiments to run on."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from routescope.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig
from routescope.zoo.catalogue import UnknownModel

CONFIG = NeuralInterpreterConfig(
    features=12,
    code_features=8,
    type_features=5,
    iterations=2,
    functions=3,
    heads=2,
    key_features=6,
    type_inference_width=8,
    position_features=6,
    tokenizer="convolutional",
    patch_size=16,
    domains=("mnist", "mnist-m"),
)


def tiny(**changes: Any) -> NeuralInterpreter:
    """An untrained network that nothing trains."""
    torch.manual_seed(5)
    network = NeuralInterpreter(replace(CONFIG, **changes)).eval().requires_grad_(False)
    network.id, network.revision = "ni-digits", "tiny"
    return network


def only(network: NeuralInterpreter) -> Callable[[str], NeuralInterpreter]:
    """A zoo that has this network alone, under the id of the bundled one."""

    def load(model_id: str) -> NeuralInterpreter:
        if model_id != "ni-digits":
            raise UnknownModel(f"unknown model {model_id!r}; there are ni-digits")
        return network

    return load
