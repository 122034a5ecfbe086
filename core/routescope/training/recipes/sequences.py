"""Networks of sequences: circuits and Perceiver IOs of the same sizes, at a size that two cores train in minutes.

Neural Attentive Circuits, section 4.3, prints no settings for ListOps and for text from bytes; these are ours.
"""

from dataclasses import replace
from typing import Any

from routescope.nn.inputs.sequences import MOST_BYTES
from routescope.training.recipes.circuits import CIRCUIT_SETTINGS, both
from routescope.training.settings import Recipe

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

LISTOPS_SETTINGS = replace(CIRCUIT_SETTINGS, steps=8_000, batch_size=64, warmup_steps=200)
BYTES_SETTINGS = replace(LISTOPS_SETTINGS, steps=1_500, batch_size=32, validate_every=250)


SEQUENCE_RECIPES: dict[str, Recipe] = {
    **both("listops", LISTOPS, LISTOPS_SETTINGS, "sequences"),
    **both("bytes", BYTES, BYTES_SETTINGS, "sequences"),
}


def of_printed_sizes(recipe: Recipe, most: int) -> Recipe:
    """Return one of ``SEQUENCE_RECIPES`` with the sizes of Table 4, for up to ``most`` symbols."""
    kept = ("tokenizer", "domains", "classes", "prior")
    held = {name: value for name, value in vars(recipe.config).items() if name in kept}
    return recipe._replace(config=type(recipe.config)(**held, max_length=most))
