"""Networks of sequences: circuits and Perceiver IOs of the same sizes, at a size that two cores train in minutes.

Neural Attentive Circuits, section 4.3, prints no settings for ListOps and for text from bytes; these are ours.
"""

from dataclasses import replace
from typing import Any

from core.nn.baselines.perceiver_io import PerceiverIOConfig
from core.nn.circuit.config import NeuralAttentiveCircuitConfig
from core.nn.inputs.bytes import MOST_BYTES
from core.routing.graphs import WEIGHT
from core.training.settings import Recipe, TrainingSettings

SMALL: dict[str, Any] = {
    "features": 64,
    "code_features": 64,
    "signature_features": 32,
    "modules": 32,
    "readouts": 8,
    "layers": 3,
    "heads": 4,
    "head_features": 16,
    "ffn_hidden": 96,
    "readin_heads": 4,
    "readin_head_features": 16,
    "readout_head_features": 64,
    "position_features": 32,
    "alpha": 1.0,
}
LISTOPS: dict[str, Any] = {**SMALL, "tokenizer": "listops", "max_length": 100, "domains": ("listops-short",)}
BYTES: dict[str, Any] = {
    **SMALL, "tokenizer": "bytes", "max_length": MOST_BYTES, "domains": ("reviews",), "classes": 2
}  # fmt: skip

LISTOPS_SETTINGS = TrainingSettings(
    steps=8_000,
    batch_size=64,
    learning_rate=1e-3,
    least_learning_rate=1e-5,
    decay_share=1.0,
    augment=False,
    warmup_steps=200,
    warmup_learning_rate=1e-6,
    optimizer="adamw",
    weight_decay=0.05,
    graph_weight=WEIGHT,
    initial_signatures="fitted",
    precision="32-true",
    minutes=2.0,
    validate_every=500,
)
BYTES_SETTINGS = replace(LISTOPS_SETTINGS, steps=1_500, batch_size=32, validate_every=250)


def _both(name: str, sizes: dict[str, Any], settings: TrainingSettings) -> dict[str, Recipe]:
    """A circuit and a Perceiver IO of the same sizes, trained alike."""
    circuit = NeuralAttentiveCircuitConfig(**sizes, prior="scale-free")
    bare = replace(settings, graph_weight=0.0, initial_signatures="normal")
    return {
        f"nac-{name}": Recipe("neural_attentive_circuit", circuit, settings, "sequences"),
        f"pio-{name}": Recipe("perceiver_io", PerceiverIOConfig(**sizes), bare, "sequences"),
    }


SEQUENCE_RECIPES: dict[str, Recipe] = {
    **_both("listops", LISTOPS, LISTOPS_SETTINGS),
    **_both("bytes", BYTES, BYTES_SETTINGS),
}
