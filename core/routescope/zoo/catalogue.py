"""The catalogue of models: bundled checkpoints with their cards, the user's own, and opened folders."""

import json
import math
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from cachetools import Cache, LRUCache

from routescope import assets
from routescope.nn.adapters.files import opened as opened_file
from routescope.nn.adapters.files import regular
from routescope.nn.adapters.folder import CONFIG
from routescope.nn.experts import RoutedLayer
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import DesignedNetwork, LinkedNetwork, Network, ReroutableNetwork, UnitKind
from routescope.nn.shown import short_repr
from routescope.routing.trace import constant_sizes
from routescope.zoo import checkpoint, opened
from routescope.zoo.pruning import not_written

#: Bytes of the weights of the models that are kept in memory unless told otherwise (``keep_at_most``); the least
#: recently used goes first, and what was loaded last stays whatever its size.
MOST_BYTES = 256 * 2**20
#: The card of a model for people, and bytes of UTF-8 that a character takes at most.
README, MOST_BYTES_A_CHARACTER = "README.md", 4
#: Models of which is remembered what is known of them.
MOST_KNOWN = 1_024


@dataclass
class _Loaded:
    """A model, the bytes of its weights, and when it was used last, by the monotonic clock."""

    network: Network
    nbytes: int
    used: float = 0.0


#: By file and time of its change; ``_evict`` bounds their bytes.
_loaded: LRUCache[tuple[Path, float], _Loaded] = LRUCache(math.inf, getsizeof=lambda entry: entry.nbytes)
_loading = threading.RLock()
#: Name of each checkpoint outside of the folders of checkpoints that a command named -> its file.
_named: dict[str, Path] = {}

#: Objectives beside that of the task, by the setting that weighs them in training, as pages tell them.
OBJECTIVES = {
    "routing_weight": "routing that tells tokens apart was rewarded (weight {:g})",
    "balance_weight": "uneven use of experts was penalised (weight {:g})",
    "graph_weight": "links were drawn to their prior (weight {:g})",
}


class UnknownModel(KeyError):
    """No model of that name; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class ModelInfo:
    """Facts about a model, without running it.

    Attributes:
        inputs: kind of its inputs: "images", "statements" about pictures, "blocks" of a task, and so on.
        accuracies: entries (domain, accuracy, low, high, count, data, stand_in) of the model card.
        fields: names of its probes.
        constants: names of the parts of a trace that depend on no sample.
        unit_kind: kind of its units.
        has_links: whether links between units have probabilities, the same for all samples.
        designs_circuits, routes_blocks: whether sentences design its circuit, and whether it routes blocks.
        iterations, most_iterations: how many run by default, and at most; None: any number.
        held_out, trained_on: domains that training never saw, and those that the card says were trained on.
        layers: the layers whose tokens are routed to experts.
        objectives: objectives of training beside the task.
        mute_refusal: why no unit can be muted; None: units can be muted.
        unverified_routing: layers whose recorded routing was not compared with the tokens that experts received, and
            why; None: all routing is compared.
        unread: parts of an opened folder that the model does not have, with tensors and bytes.
    """

    id: str
    family: str
    architecture: str
    inputs: str
    parameters: int
    revision: str
    data: list[str]
    accuracies: list[dict[str, Any]]
    units: tuple[str, ...]
    steps: tuple[str, ...]
    tokens: tuple[str, ...]
    grid: tuple[int, int]
    domains: tuple[str, ...]
    labels: tuple[str, ...]
    fields: tuple[str, ...]
    constants: tuple[str, ...]
    iterations: int
    most_iterations: int | None
    least_iterations: int
    held_out: tuple[str, ...]
    layers: tuple[RoutedLayer, ...]
    objectives: tuple[str, ...]
    config: dict[str, Any]
    card: dict[str, Any] = field(default_factory=dict)
    mute_refusal: str | None = None
    unverified_routing: str | None = None
    trained_on: tuple[str, ...] = ()
    unread: str | None = None
    unit_kind: UnitKind = "layer"
    has_links: bool = False
    designs_circuits: bool = False
    routes_blocks: bool = False

    __repr__ = short_repr


def with_seed(model_id: str, seed: int) -> str:
    """Return the id of a model's training with a seed: ``-seed-1`` and so on after the id; seed 0 has none."""
    return f"{model_id}-seed-{seed}" if seed else model_id


def folders() -> list[Path]:
    """Return the folders of checkpoints: the user's first, then the bundled ones."""
    return [assets.data_dir() / "checkpoints", assets.ASSETS / "checkpoints"]


def ids() -> list[str]:
    """Names of all models."""
    return sorted({*_own(), *_brought(), *opened_configs()})


def bring(folder: str | Path) -> str:
    """Add a folder with a checkpoint of this project, and return its name; raises CheckpointError without one."""
    path = Path(folder).expanduser().resolve() / "model.safetensors"
    if not path.is_file():
        raise checkpoint.CheckpointError(f"{path.parent.name} has no model.safetensors")
    base = f"{path.parent.name}-opened" if path.parent.name in _own() else path.parent.name
    name, count = base, 1
    while _named.get(name, path) != path:
        count += 1
        name = f"{base}-{count}"
    _named[name] = path
    return name


def _brought() -> dict[str, Path]:
    """Return the checkpoints that ``bring`` added and that still exist, by name."""
    return {name: path for name, path in _named.items() if path.is_file()}


def forget() -> None:
    """Take all folders that ``bring`` added out of the models."""
    _named.clear()


def _own() -> set[str]:
    return {path.parent.name for folder in folders() for path in folder.glob("*/model.safetensors")}


def opened_configs() -> dict[str, Path]:
    """Name of each model that was opened from a folder -> its config; "-opened" follows where it is taken."""
    configs = opened.configs()
    checkpoints = _own() if configs else set()
    return {f"{name}-opened" if name in checkpoints else name: config for name, config in configs.items()}


def path_of(model_id: str) -> Path:
    """The checkpoint file of a model, or the config of one that was opened from a folder; raises UnknownModel."""
    if config := opened_configs().get(model_id) or _brought().get(model_id):
        return config
    for folder in folders():  # the name of a folder that is there: no path that leads elsewhere
        path = folder / model_id / "model.safetensors"
        if folder.is_dir() and any(entry.name == model_id for entry in folder.iterdir()) and path.is_file():
            return path
    raise UnknownModel(f"unknown model {model_id[:40]!r}; there are {', '.join(ids()) or 'none'}")


def _load(path: Path, modified: float) -> Network:
    with _loading:
        entry = _loaded.get((path, modified))
        if entry is None:
            model = checkpoint.load(path)
            model.id = next((name for name, file in _named.items() if file == path), path.parent.name)
            model.trained_on = _trained_on(model, _card(path))
            nbytes = sum(tensor.nbytes for tensor in model.state_dict().values())
            entry = _loaded[path, modified] = _Loaded(model, nbytes)
            _evict()
        entry.used = time.monotonic()
        return entry.network


def _card(path: Path) -> dict[str, Any]:
    """The card beside a checkpoint; empty where there is none."""
    card = path.with_name("card.json")
    return json.loads(card.read_text()) if card.is_file() else {}


def _trained_on(model: Network, card: Mapping[str, Any]) -> tuple[str, ...]:
    """Domains that the card of a checkpoint says were trained on; none where the card is of other weights."""
    if not card.get("data") or card.get("revision") != model.revision:
        return ()
    return tuple(domain for domain in model.config.domains if domain not in model.config.held_out)


def keep_at_most(nbytes: int) -> None:
    """Set how many bytes of weights this process keeps; what is more is forgotten at once, and loaded when used."""
    global MOST_BYTES
    with _loading:
        MOST_BYTES = nbytes
        _evict()


def _evict() -> None:
    while len(_loaded) > 1 and _loaded.currsize > MOST_BYTES:
        _loaded.popitem()


def forget_unused(seconds: float) -> int:
    """Forget the weights of models that were not loaded for ``seconds``; return the number of models.

    They are read again when they are used. Models that were opened from folders of somebody's own stay: reading them
    takes long.
    """
    before = time.monotonic() - seconds
    with _loading:
        unused = [key for key in _loaded if Cache.__getitem__(_loaded, key).used <= before]  # which is no use of them
        for key in unused:
            del _loaded[key]
    return len(unused)


def load(model_id: str) -> Network:
    """A model by name, in evaluation mode. It is shared: never change it, apply interventions to it."""
    path = path_of(model_id)
    return _load_any(model_id, path, _modified(path))


def _modified(path: Path) -> float:
    return opened.modified(path) if path.name == CONFIG else path.stat().st_mtime


def _load_any(model_id: str, path: Path, modified: float) -> Network:
    return opened.load(model_id, path) if path.name == CONFIG else _load(path, modified)


def info(model_id: str) -> ModelInfo:
    """Facts about one model; raises UnknownModel."""
    path = path_of(model_id)
    if path.name == CONFIG:  # of somebody's own: no card of theirs is believed
        return _info(model_id, path, _modified(path), None, opened.reading())
    card = path.with_name("card.json")
    return _info(model_id, path, _modified(path), card.stat().st_mtime if card.is_file() else None, None)


def read_card(model_id: str, most: int) -> str | None:
    """The first ``most`` characters of a model's card as Markdown; None where it has none.

    Raises:
        UnknownModel: no such model.
        NotAdaptable: a card that is no regular file, or a link out of the folder of a model that was opened.
    """
    path = path_of(model_id)
    if path.name == CONFIG:
        card = regular(path.parent, README)
    else:
        card = path.with_name(README) if path.with_name(README).is_file() else None
    if card is None:
        return None
    with opened_file(card) as file:
        return file.read(MOST_BYTES_A_CHARACTER * most).decode("utf-8", errors="replace")[:most]


@lru_cache(maxsize=MOST_KNOWN)
def _info(
    model_id: str, path: Path, modified: float, card_modified: float | None, reading: tuple[int, int | None] | None
) -> ModelInfo:
    model = _load_any(model_id, path, modified)
    card = {} if card_modified is None else _card(path)
    model.trained_on = _trained_on(model, card)  # a card may be written after the model was loaded
    return ModelInfo(
        id=model.id,
        family=model.family,
        architecture=model.architecture,
        inputs=model.inputs.kind,
        parameters=sum(p.numel() for p in model.parameters()),
        revision=model.revision,
        data=card.get("data", []),
        accuracies=card.get("accuracies", []),
        units=model.all_units,
        steps=model.steps,
        tokens=model.tokens,
        grid=model.config.grid,
        domains=model.config.domains,
        labels=model.coordinates()["label"],
        fields=tuple(model.fields),
        constants=tuple(constant_sizes(model)),
        iterations=model.config.iterations,
        most_iterations=model.most_iterations,
        least_iterations=model.least_iterations,
        held_out=model.config.held_out,
        layers=model.routed_layers if isinstance(model, RoutedNetwork) else (),
        objectives=objectives(card),
        config=json.loads(model.config.to_json()),
        card=card,
        trained_on=model.trained_on,
        mute_refusal=model.mute_refusal,
        unverified_routing=unverified_routing(model),
        unread=not_written(model),
        unit_kind=model.unit_kind,
        has_links=isinstance(model, LinkedNetwork) and model.has_links and not isinstance(model, DesignedNetwork),
        designs_circuits=isinstance(model, DesignedNetwork),
        routes_blocks=isinstance(model, ReroutableNetwork),
    )


def unverified_routing(model: Network) -> str | None:
    """Layers whose recorded routing was not compared with the tokens that experts received, and why; None: none."""
    reasons = model.unverified if isinstance(model, RoutedNetwork) else {}
    return "; ".join(f"{layer}: {reason}" for layer, reason in reasons.items()) or None


def objectives(card: Mapping[str, Any]) -> tuple[str, ...]:
    """Objectives of a training beside its task, in words; empty where its card names none."""
    settings = card.get("settings", {})
    return tuple(words.format(settings[name]) for name, words in OBJECTIVES.items() if settings.get(name))


def models() -> list[ModelInfo]:
    """Facts about every model."""
    return [info(model_id) for model_id in ids()]
