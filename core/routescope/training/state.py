"""The state that an interrupted training goes on from: one safetensors file, and the random numbers that come next.

Tensors are kept as they are, everything else as JSON. No pickle.
"""

import json
import os
from pathlib import Path
from typing import Any

import lightning as L
import torch
from jaxtyping import UInt8
from lightning.fabric.plugins import CheckpointIO
from lightning.fabric.utilities.types import _PATH
from lightning.pytorch.callbacks import Callback
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor


def flatten(value: Any, tensors: dict[str, Tensor]) -> Any:
    """Return a JSON skeleton of nested dicts, lists, tuples, numbers and texts; tensors go into ``tensors``.

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
    """Return the value that ``flatten`` took apart, with its tensors."""
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
    """Write and read the whole training state; a file appears whole or not at all."""

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


class Randomness(Callback):
    """Keep the states of all random generators in the training state, for every process.

    Augmentation, sampled links and every other draw of a step then go on bit for bit as if nothing had interrupted
    them. A state of a training on fewer processes, or on another kind of device, lacks some generators. These are
    seeded by the seed and the step, and the training goes on from other numbers than it would have had.
    """

    KEY = "randomness"

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._resumed = False
        self._states: dict[str, list[Tensor]] = {}

    def on_save_checkpoint(self, trainer: L.Trainer, pl_module: L.LightningModule, checkpoint: dict[str, Any]) -> None:
        """Collect the states of every process; Lightning writes those of the first process."""
        device = trainer.strategy.root_device
        states = {"cpu": torch.get_rng_state()}
        if device.type != "cpu":
            states[device.type] = torch.get_device_module(device).get_rng_state()
        checkpoint[self.KEY] = {kind: _of_every_process(trainer, state) for kind, state in states.items()}

    def on_load_checkpoint(self, trainer: L.Trainer, pl_module: L.LightningModule, checkpoint: dict[str, Any]) -> None:
        self._resumed, self._states = True, checkpoint[self.KEY]

    def on_train_start(self, trainer: L.Trainer, pl_module: L.LightningModule) -> None:
        """Restore the states right before the first step, so that draws since the start do not matter."""
        if not self._resumed:
            return
        rank, device = trainer.global_rank, trainer.strategy.root_device
        torch.manual_seed(self.seed + 2**20 * (trainer.global_step * trainer.world_size + rank))
        for kind in {"cpu", device.type}:
            states = self._states.get(kind, [])
            if rank < len(states):
                restore = torch.set_rng_state if kind == "cpu" else torch.get_device_module(device).set_rng_state
                restore(states[rank])


def _of_every_process(trainer: L.Trainer, state: UInt8[Tensor, " byte"]) -> list[UInt8[Tensor, " byte"]]:
    if trainer.world_size == 1:
        return [state]
    device = trainer.strategy.root_device
    return list(trainer.strategy.all_gather(state.to(device)).cpu())
