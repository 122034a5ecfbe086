"""Tiny untrained rungs of the ladder, for experiments to run on."""

from dataclasses import replace
from typing import Any

import torch

from routescope.nn.registry import ARCHITECTURES
from routescope.training.recipes.networks import RECIPES
from routescope.zoo.catalogue import UnknownModel

TINY: dict[str, Any] = {
    "features": 12,
    "code_features": 12,
    "signature_features": 4,
    "modules": 10,
    "readouts": 2,
    "layers": 2,
    "heads": 2,
    "head_features": 4,
    "ffn_hidden": 8,
    "readin_head_features": 6,
    "readout_head_features": 6,
    "position_features": 4,
    "image_size": 32,
}


def tiny(recipe: str, **changes: Any) -> Any:
    """An untrained model of a recipe, much smaller, loud enough that interventions change its answers."""
    found = RECIPES[recipe]
    torch.manual_seed(3)
    model = ARCHITECTURES[found.architecture][1](replace(found.config, **{**TINY, **changes})).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() > 1 and not name.endswith(("codes", "signatures")):
                parameter.mul_(3)
    model.revision = f"tiny {recipe}"
    return model.requires_grad_(False)


def zoo(*missing: str) -> Any:
    """Gives any recipe's tiny model but those whose id ends in one of ``missing``."""
    made: dict[str, Any] = {}

    def load(model_id: str) -> Any:
        if model_id.endswith(missing) or model_id not in RECIPES:
            raise UnknownModel(f"unknown model {model_id}")
        return made.setdefault(model_id, tiny(model_id))

    return load
