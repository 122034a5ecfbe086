"""A model as the API describes it, made up for tests of what pages say of models."""

from typing import Any

from routescope_app.api.schemas.catalogue import ModelInfo


def made_up(**changes: Any) -> ModelInfo:
    """The answer of ``GET /models/{id}``."""
    facts = {
        "id": "made-up", "family": "F", "architecture": "f", "parameters": 12_345, "revision": "abc", "data": [],
        "accuracies": [], "units": [], "steps": [], "tokens": [], "grid": (2, 2), "domains": [], "labels": [],
        "fields": ["messages"],
    }  # fmt: skip
    return ModelInfo.model_validate(facts | changes)
