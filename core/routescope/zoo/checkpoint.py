"""Weights as safetensors, with the architecture and its config as JSON metadata. No pickle anywhere.

On disk weights may be of half precision or 8-bit integers (``routescope.zoo.quantisation``); what is loaded is always a
network in single precision, which knows nothing of it.
"""

import hashlib
import json
import os
import struct
from pathlib import Path
from typing import Any, Literal

from safetensors import SafetensorError, safe_open
from safetensors.torch import save as serialise

from routescope.nn.encoders.frozen_weights import FrozenWeightsError
from routescope.nn.network import Network
from routescope.nn.registry import ARCHITECTURES, architecture_of
from routescope.zoo.quantisation import QuantisationError, packed, unpacked

#: What weights are rounded to on disk, "int8" those that it suits.
Storage = Literal["float32", "float16", "int8"]


class CheckpointError(ValueError):
    """A file that is no checkpoint of a known architecture; the message says why."""


def save(model: Network, path: str | Path, metadata: dict[str, Any] | None = None, stored: Storage = "float32") -> Path:
    """Write a model's weights and config to one file, which appears whole or not at all.

    Args:
        metadata: further JSON-serialisable facts, kept beside architecture and config.
        stored: what the file's weights are rounded to; the model itself stays as it is. "float32" rounds nothing.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {
        "architecture": architecture_of(model),
        "config": model.config.to_json(),
        **{key: json.dumps(value) for key, value in (metadata or {}).items()},
    }
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    state = model.state_dict()
    if stored == "float16":
        state = {name: tensor.half() if tensor.is_floating_point() else tensor for name, tensor in state.items()}
    elif stored == "int8":
        state = packed(state)
    state = {name: tensor.contiguous() for name, tensor in state.items()}
    partial.write_bytes(_with_sorted_metadata(serialise(state, metadata=header)))
    partial.replace(path)
    return path


def _with_sorted_metadata(content: bytes) -> bytes:
    """A safetensors file with its metadata in the order of their names.

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
        model.load_state_dict(unpacked(state))
    except (FrozenWeightsError, QuantisationError) as error:
        raise CheckpointError(f"{path.name}: {error}") from error
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{path.name}: weights and config do not fit together") from error
    model.eval().requires_grad_(False)
    model.revision = revision(path)
    return model


def revision(path: str | Path) -> str:
    """Hash of a checkpoint's bytes, 16 hexadecimal digits."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
