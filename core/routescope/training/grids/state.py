"""A group of networks as one safetensors file, from which its training goes on bit for bit. No pickle."""

import json
import os
from pathlib import Path
from typing import cast

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from routescope.nn.blocks.network import BlockModel
from routescope.nn.registry import ARCHITECTURES, architecture_of
from routescope.training.grids.many import Group


class StateError(ValueError):
    """The file contains no group; the message says why."""


def write(group: Group, path: str | Path) -> Path:
    """Write networks, Adam's moments, steps and noise; the file appears whole or not at all."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    settings = {
        "architecture": architecture_of(group.layout.template),
        "configs": group.layout.configs,
        "settings": group.settings,
    }
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    save_file(group.state(), partial, metadata={"group": json.dumps(settings)})
    partial.replace(path)
    return path


def read(path: str | Path) -> Group:
    """Return the group that ``write`` wrote; raises StateError for a file that is no such group."""
    path = Path(path)
    try:
        with safe_open(path, framework="pt") as file:
            names = json.loads((file.metadata() or {})["group"])
            state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (a safe_open is no dict)
        make, cls, _ = ARCHITECTURES[names["architecture"]]
        dtype = state["weights"].dtype
        models = [cast(BlockModel, cls(make.from_json(config)).to(dtype)) for config in names["configs"]]
        group = Group(models, **names["settings"])
        group.load_state(state)
    except (SafetensorError, OSError) as error:
        raise StateError(f"{path.name} is no readable safetensors file") from error
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise StateError(f"{path.name} holds no group of networks of blocks") from error
    return group
