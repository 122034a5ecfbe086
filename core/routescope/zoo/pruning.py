"""A pruned mixture of experts as a model of its own: a folder with the weights of the kept experts."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from routescope.nn.adapters.stored import in_words
from routescope.nn.adapters.transformers import TransformersNetwork
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network, SliceableNetwork
from routescope.routing.caused.pruning import KeepList, PruningError, Scope
from routescope.zoo import checkpoint
from routescope.zoo.quantisation import is_exact

#: The keep-list beside the weights.
KEEP_LIST = "keep-list.json"


def refusal_of(model: Network, folder: Path, scope: Scope = "layer") -> str | None:
    """Return why ``export`` would refuse a share of each layer or of all, if known before the order; else None."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        return f"{folder} is not empty: give a folder that is empty or new"
    above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not above.is_dir() or not os.access(above, os.W_OK):
        return f"{above} is no folder that can be written to: give another folder"
    if not isinstance(model, SliceableNetwork):
        return "no smaller network can be made of this one: only views of it drop experts"
    several = isinstance(model, RoutedNetwork) and len(model.routed_layers) > 1
    if scope == "all" and several and isinstance(model, TransformersNetwork):
        return (
            "the config of this model has one number of experts for all layers, and a share of all layers together"
            " leaves different numbers: use --scope layer to write it, or leave --out away"
        )
    return None


def export(model: Network, keep: KeepList, folder: Path, most: int | None = None) -> Path:
    """Write a network with these experts alone, and the keep-list, to a folder: a checkpoint of ours, or one that
    transformers opens where the model is one of transformers.

    Experts are numbered anew, in their order; the keep-list says which they were. Its ``not_written`` names the parts
    of an opened folder that the model does not have, such as a vision tower. A checkpoint that was stored as 8-bit
    integers is stored so again.

    Args:
        most: bytes of weights that are written at most; None: any number.

    Raises:
        PruningError: a folder with anything in it, a keep-list that is not of this model, numbers of experts that
            differ between the layers of a model of transformers, whose configs know one number, a network that
            cannot be sliced, or more bytes than ``most``.
    """
    if (refusal := refusal_of(model, folder)) is not None:
        raise PruningError(refusal)
    view = keep.view(model)
    assert isinstance(view, SliceableNetwork), "a view is of the class of its network"
    try:
        sliced = view.sliced()
    except ValueError as error:
        raise PruningError(str(error)) from error
    size = sum(parameter.numel() * parameter.element_size() for parameter in sliced.parameters())
    if most is not None and size > most:
        raise PruningError(f"the weights that are left take {size:,} bytes; up to {most:,} are written")
    if isinstance(sliced, TransformersNetwork):
        sliced.save(folder)
    else:
        facts: dict[str, Any] = {"pruned_from": model.id, "pruned_from_revision": model.revision}
        stored: checkpoint.Storage = "int8" if is_exact(sliced.state_dict()) else "float32"
        checkpoint.save(sliced, folder / "model.safetensors", facts, stored)
    if missing := not_written(model):
        keep = replace(keep, made={**keep.made, "not_written": missing})
    (folder / KEEP_LIST).write_text(keep.to_json() + "\n")
    return folder


def not_written(model: Network) -> str | None:
    """Parts of an opened folder that a model does not have, with tensors and bytes; None: no part."""
    return in_words(model.unread) if isinstance(model, TransformersNetwork) and model.unread else None
