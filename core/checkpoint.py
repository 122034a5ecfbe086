"""Weights as safetensors, with the architecture and its config as JSON metadata. No pickle anywhere."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import nn

from core.nn.registry import ARCHITECTURES, architecture_of


class CheckpointError(ValueError):
    """A file that is no checkpoint of a known architecture; the message says why."""


def save(model: Any, path: str | Path, metadata: dict[str, Any] | None = None) -> Path:
    """Write a model's weights and config to one file, which appears whole or not at all.

    Args:
        metadata: further JSON-serialisable facts, kept beside architecture and config.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {
        "architecture": architecture_of(model),
        "config": model.config.to_json(),
        **{key: json.dumps(value) for key, value in (metadata or {}).items()},
    }
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()}, partial, metadata=header)
    partial.replace(path)
    return path


def load(path: str | Path) -> Any:
    """Read a model that ``save`` wrote, in evaluation mode.

    Its ``revision`` is a hash of the file's bytes. Raises CheckpointError with the reason.
    """
    path = Path(path)
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (a safe_open is no dict)
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path.name} is no readable safetensors file") from error
    if metadata.get("architecture") not in ARCHITECTURES:
        raise CheckpointError(f"{path.name} names no architecture of {', '.join(ARCHITECTURES)}")
    config_class, model_class = ARCHITECTURES[metadata["architecture"]]
    try:
        model: nn.Module = model_class(config_class.from_json(metadata["config"]))
        model.load_state_dict(state)
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path.name}: weights and config do not fit together") from error
    model.eval().requires_grad_(False)
    model.revision = revision(path)  # type: ignore[assignment]
    return model


def revision(path: str | Path) -> str:
    """Hash of a checkpoint's bytes, 16 hexadecimal digits."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
