"""A pruned mixture of experts as a model of its own: a folder with weights that the others are really cut out of."""

from pathlib import Path
from typing import Any

from core.nn.adapters.transformers import TransformersNetwork
from core.nn.network import Network
from core.routing.caused.pruning import KeepList, PruningError
from core.zoo import checkpoint

#: The keep-list beside the weights.
KEEP_LIST = "keep-list.json"


def export(model: Network, keep: KeepList, folder: Path, most: int | None = None) -> Path:
    """Write a network with these experts alone, and the keep-list, to a folder: a checkpoint of ours, or one that
    transformers opens where the model is one of transformers.

    Experts are numbered anew, in their order; the keep-list says which they were.

    Args:
        most: bytes of weights that are written at most; None: any number.

    Raises:
        PruningError: a folder with anything in it, a keep-list that is not of this model, numbers of experts that
            differ between the layers of a model of transformers, whose configs know one number, a network that
            cannot be sliced, or more bytes than ``most``.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise PruningError(f"{folder} is not empty: give a folder that is empty or new")
    view = keep.view(model)
    if view.sliceable is None:
        raise PruningError("no smaller network can be made of this one: only views of it drop experts")
    try:
        sliced = view.sliceable.sliced()
    except ValueError as error:
        raise PruningError(str(error)) from error
    size = sum(parameter.numel() * parameter.element_size() for parameter in sliced.parameters())
    if most is not None and size > most:
        raise PruningError(f"the weights that are left take {size:,} bytes; up to {most:,} are written")
    if isinstance(sliced, TransformersNetwork):
        sliced.save(folder)
    else:
        facts: dict[str, Any] = {"pruned_from": model.id, "pruned_from_revision": model.revision}
        checkpoint.save(sliced, folder / "model.safetensors", facts)
    (folder / KEEP_LIST).write_text(keep.to_json() + "\n")
    return folder
