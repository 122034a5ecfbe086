"""Lightning checkpoints as safetensors: tensors as they are, everything else as JSON. No pickle."""

import json
import os
from pathlib import Path
from typing import Any

import torch
from lightning.fabric.plugins import CheckpointIO
from lightning.fabric.utilities.types import _PATH
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor


def flatten(value: Any, tensors: dict[str, Tensor]) -> Any:
    """A JSON skeleton of nested dicts, lists, tuples, numbers and texts; tensors go into ``tensors``.

    Raises TypeError for anything else: what cannot be read back is not written.
    """
    if isinstance(value, Tensor):
        name = str(len(tensors))
        tensors[name] = value.detach().cpu().contiguous().clone()
        return {"tensor": name}
    if isinstance(value, dict):
        return {"dict": [[key, flatten(item, tensors)] for key, item in value.items()]}
    if isinstance(value, tuple):
        return {"tuple": [flatten(item, tensors) for item in value]}
    if isinstance(value, list):
        return [flatten(item, tensors) for item in value]
    if isinstance(value, Path):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"a training state holds no {type(value).__name__}")


def unflatten(skeleton: Any, tensors: dict[str, Tensor]) -> Any:
    """What ``flatten`` took apart."""
    if isinstance(skeleton, list):
        return [unflatten(item, tensors) for item in skeleton]
    if not isinstance(skeleton, dict):
        return skeleton
    (kind, content), *_ = skeleton.items()
    if kind == "tensor":
        return tensors[content]
    if kind == "tuple":
        return tuple(unflatten(item, tensors) for item in content)
    return {key: unflatten(item, tensors) for key, item in content}


class SafetensorsCheckpointIO(CheckpointIO):
    """Writes and reads the whole training state; a file appears whole or not at all."""

    def save_checkpoint(self, checkpoint: dict[str, Any], path: _PATH, storage_options: Any | None = None) -> None:
        tensors: dict[str, Tensor] = {}
        skeleton = json.dumps(flatten(checkpoint, tensors))
        target = Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
        save_file(tensors, partial, metadata={"skeleton": skeleton})
        partial.replace(target)

    def load_checkpoint(self, path: _PATH, *args: Any, **kwargs: Any) -> dict[str, Any]:
        with safe_open(path, framework="pt") as file:
            skeleton = json.loads(file.metadata()["skeleton"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (a safe_open is no dict)
        checkpoint: dict[str, Any] = unflatten(skeleton, tensors)
        return checkpoint

    def remove_checkpoint(self, path: _PATH) -> None:
        Path(path).unlink(missing_ok=True)


def seed_everywhere(seed: int) -> torch.Generator:
    """Seed torch's global generator and return one of its own for shuffling."""
    torch.manual_seed(seed)
    return torch.Generator().manual_seed(seed)
