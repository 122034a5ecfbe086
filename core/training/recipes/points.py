"""Networks that tell solids from points of their surfaces."""

from dataclasses import replace
from typing import Any

from core.nn.baselines.perceiver_io import PerceiverIOConfig
from core.nn.circuit.config import NeuralAttentiveCircuitConfig
from core.routing.graphs import WEIGHT
from core.training.settings import Recipe, TrainingSettings

#: The size that two cores can train: 256 of the 1,024 points of a cloud, a small circuit.
SMALL: dict[str, Any] = {
    "features": 64,
    "code_features": 64,
    "signature_features": 32,
    "modules": 48,
    "readouts": 8,
    "layers": 3,
    "heads": 4,
    "head_features": 16,
    "ffn_hidden": 128,
    "readin_head_features": 64,
    "readout_head_features": 64,
    "position_features": 48,
    "tokenizer": "points",
    "max_length": 256,
    "domains": ("clouds",),
    "classes": 12,
}
SMALL_SETTINGS = TrainingSettings(
    steps=4_000,
    batch_size=32,
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

POINT_RECIPES: dict[str, Recipe] = {
    "nac-points": Recipe(
        "neural_attentive_circuit",
        NeuralAttentiveCircuitConfig(**SMALL, prior="scale-free"),
        SMALL_SETTINGS,
        "points",
    ),
    "pio-points": Recipe(
        "perceiver_io",
        PerceiverIOConfig(**SMALL),
        replace(SMALL_SETTINGS, graph_weight=0.0, initial_signatures="normal"),
        "points",
    ),
}
