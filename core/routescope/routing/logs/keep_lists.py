"""Files of pruning tools that list the experts that stay, or that go, read as units to drop.

Lists of experts (``routescope.routing.logs.expert_lists``) and plain text with names of units are read.
"""

import re
from collections.abc import Callable
from pathlib import Path

from routescope.files import UndecodableText, decoded
from routescope.nn.experts import RoutedLayer
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network
from routescope.routing.logs.expert_lists import ACCEPTED, MOST_BYTES, ExpertListError, ExpertLists, expert_lists
from routescope.routing.options import InterventionError

#: Prefix of a name of units that is a file.
FILE = "@"


class KeepListError(InterventionError):
    """A file that names no experts, or experts of another model; the message says what is accepted."""


def dropped_by(path: Path, model: Network, say: Callable[[str], object] = print) -> tuple[str, ...]:
    """Return the units that a file drops: the named ones, or those that its keep-list leaves out.

    Args:
        say: called with each assumption, as a sentence.

    Raises:
        KeepListError: a file that names no experts, or experts and layers that the model lacks.
        OSError: the file cannot be read.
    """
    if path.stat().st_size > MOST_BYTES:
        raise KeepListError(f"{path.name} has more than {MOST_BYTES // 2**20} MiB; {ACCEPTED}")
    try:
        text = decoded(path.read_bytes())
    except UndecodableText as error:
        raise KeepListError(f"{path.name} is no text: {error}; {ACCEPTED}") from error
    try:
        lists = expert_lists(text)
    except ExpertListError as error:
        raise KeepListError(str(error)) from error
    if lists is None:
        names = [name for line in text.splitlines() for name in line.partition("#")[0].replace(",", " ").split()]
        if not names or any(not re.fullmatch(r"[\w.*:>-]+", name) for name in names):
            raise KeepListError(f"{path.name} names no experts; {ACCEPTED}")
        return tuple(names)
    if not isinstance(model, RoutedNetwork):
        raise KeepListError(f"{path.name} has lists of experts, and {model.id} has none; give names of its units")
    layers = _layers(lists, model.routed_layers, path.name, say)
    if not lists.named:
        say(f"{path.name}: lists of experts are taken for those that stay (a keep-list).")
    units = [unit for layer, listed in layers for unit in _dropped(lists.what, layer, listed, path.name)]
    if not units:
        raise KeepListError(
            f"{path.name} lists all experts of every layer, as an order does, and drops none. Cut each list to the "
            "experts that stay"
        )
    counts = ", ".join(
        f"{layer.name} {len(_dropped(lists.what, layer, listed, path.name))}" for layer, listed in layers
    )
    say(f"{path.name} drops {len(units):,} experts: {counts[:200]}. Layers that it does not list stay whole.")
    return tuple(units)


def _dropped(what: str, layer: RoutedLayer, listed: tuple[int, ...], file: str) -> tuple[str, ...]:
    if len(listed) == layer.experts and set(listed) <= {0, 1} and layer.experts > 2:  # a mask
        listed = tuple(at for at, flag in enumerate(listed) if flag)
    if wrong := [expert for expert in listed if not 0 <= expert < layer.experts]:
        raise KeepListError(
            f"{file}: layer {layer.index} lists expert {wrong[0]}; it has {layer.experts}, numbered from 0"
        )
    if len(set(listed)) != len(listed):
        raise KeepListError(f"{file}: layer {layer.index} lists an expert twice")
    chosen = set(listed)
    return tuple(unit for at, unit in enumerate(layer.units) if (at in chosen) == (what == "drop"))


def _layers(
    lists: ExpertLists, layers: tuple[RoutedLayer, ...], file: str, say: Callable[[str], object]
) -> list[tuple[RoutedLayer, tuple[int, ...]]]:
    """Return the model's layers with their lists: by their numbers in the checkpoint, else in their order."""
    by_index = {layer.index: layer for layer in layers}
    if set(lists.layers) <= set(by_index):
        return [(by_index[index], listed) for index, listed in sorted(lists.layers.items())]
    if sorted(lists.layers) == list(range(len(layers))):
        say(f"{file}: its layers 0 to {len(layers) - 1} are taken for those that have experts, in their order.")
        return [(layers[at], listed) for at, listed in sorted(lists.layers.items())]
    wrong = next(index for index in lists.layers if index not in by_index)
    raise KeepListError(
        f"{file} lists layer {wrong}; layers with experts are {', '.join(map(str, list(by_index)[:8]))}, from 0"
    )
