"""Weights as safetensors, with the architecture and its config as JSON metadata. No pickle anywhere."""

import hashlib
import json
import os
import struct
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save as serialise

from core.nn.encoders.frozen_weights import FrozenWeightsError
from core.nn.network import Network
from core.nn.registry import ARCHITECTURES, architecture_of


class CheckpointError(ValueError):
    """A file that is no checkpoint of a known architecture; the message says why."""


def save(model: Network, path: str | Path, metadata: dict[str, Any] | None = None) -> Path:
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
    state = {name: tensor.contiguous() for name, tensor in model.state_dict().items()}
    partial.write_bytes(_with_sorted_metadata(serialise(state, metadata=header)))
    partial.replace(path)
    return path


def _with_sorted_metadata(content: bytes) -> bytes:
    """The same safetensors file with its metadata in the order of their names.

    safetensors writes them in an order that changes from call to call, and a revision is a hash of the bytes.
    """
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    header["__metadata__"] = dict(sorted(header["__metadata__"].items()))
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + content[8 + length :]


def load(path: str | Path) -> Network:
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
    if metadata.get("architecture", "") not in ARCHITECTURES:
        raise CheckpointError(f"{path.name} names no architecture of {', '.join(ARCHITECTURES)}")
    config_class, model_class, _ = ARCHITECTURES[metadata["architecture"]]
    try:
        model: Network = model_class(config_class.from_json(metadata["config"]))
        model.load_state_dict(state)
    except FrozenWeightsError as error:
        raise CheckpointError(f"{path.name}: {error}") from error
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path.name}: weights and config do not fit together") from error
    model.eval().requires_grad_(False)
    model.revision = revision(path)
    return model


def revision(path: str | Path) -> str:
    """Hash of a checkpoint's bytes, 16 hexadecimal digits."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
