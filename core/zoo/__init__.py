"""The models that are there: bundled checkpoints with their cards, and the user's own."""

from core.zoo.catalogue import ModelInfo, UnknownModel, ids, info, load, models, path_of

__all__ = ["ModelInfo", "UnknownModel", "ids", "info", "load", "models", "path_of"]
