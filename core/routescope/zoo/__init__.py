"""The models that are there: bundled checkpoints with their cards, and the user's own."""

from routescope.zoo.catalogue import (
    ModelInfo,
    UnknownModel,
    bring,
    forget_unused,
    ids,
    info,
    keep_at_most,
    load,
    models,
    opened_configs,
    path_of,
    read_card,
)

__all__ = [
    "ModelInfo",
    "UnknownModel",
    "bring",
    "forget_unused",
    "ids",
    "info",
    "keep_at_most",
    "load",
    "models",
    "opened_configs",
    "path_of",
    "read_card",
]
