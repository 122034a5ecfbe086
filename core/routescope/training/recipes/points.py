"""Networks that tell solids from points of their surfaces."""

from dataclasses import replace
from typing import Any

from routescope.training.recipes.circuits import CIRCUIT_SETTINGS, both

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
SMALL_SETTINGS = replace(CIRCUIT_SETTINGS, steps=4_000, batch_size=32)

POINT_RECIPES = both("points", SMALL, SMALL_SETTINGS, "points")
