"""Shared parts of the recipes of small circuits for pictures, clouds and sequences."""

from dataclasses import replace
from typing import Any

from routescope.nn.baselines.perceiver_io import PerceiverIOConfig
from routescope.nn.circuit_config import NeuralAttentiveCircuitConfig
from routescope.routing.graphs import WEIGHT
from routescope.training.settings import Recipe, TrainingSettings

#: Signatures begin near the prior, as few steps move them little.
CIRCUIT_SETTINGS = TrainingSettings(
    learning_rate=1e-3,
    least_learning_rate=1e-5,
    decay_share=1.0,
    augment=False,
    warmup_steps=100,
    warmup_learning_rate=1e-6,
    optimizer="adamw",
    weight_decay=0.05,
    graph_weight=WEIGHT,
    initial_signatures="fitted",
    precision="32-true",
    minutes=2.0,
    validate_every=500,
)


def both(name: str, sizes: dict[str, Any], settings: TrainingSettings, data: str) -> dict[str, Recipe]:
    """Return recipes of a circuit and a Perceiver IO of the same sizes, trained alike on the task ``data``."""
    circuit = NeuralAttentiveCircuitConfig(**sizes, prior="scale-free")
    bare = replace(settings, graph_weight=0.0, initial_signatures="normal")
    return {
        f"nac-{name}": Recipe("neural_attentive_circuit", circuit, settings, data),
        f"pio-{name}": Recipe("perceiver_io", PerceiverIOConfig(**sizes), bare, data),
    }
