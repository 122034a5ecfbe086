"""Models that are opened from a user's folders, and a budget of memory for their weights.

A command or a setting names the folders; requests to a service never do.
"""

import hashlib
import logging
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path

from core.nn.adapters.exploring import NotAdaptable
from core.nn.adapters.folder import CONFIG, ModelFolder, look, open_folder
from core.nn.adapters.transformers import CONTEXT
from core.nn.mixture.windows import Reading
from core.nn.network import Network
from core.zoo.checkpoint import CheckpointError

log = logging.getLogger(__name__)
#: Bytes of memory for the weights of all opened models, unless ``use`` or the variable below sets others.
MOST_BYTES = 8 * 2**30

#: Characters of a name, so that the API takes it with what is added to tell it from others.
LONGEST_NAME = 64

#: Tokens that one pass reads of a text, and from the start of a window to the start of the next, for programs without
#: settings of their own.
CONTEXT_VARIABLE, STRIDE_VARIABLE = "ROUTESCOPE_OPENED_CONTEXT", "ROUTESCOPE_OPENED_STRIDE"

#: Where folders are named for programs that are told no others, as for the service (``app.settings``).
VARIABLE = "ROUTESCOPE_MODEL_FOLDERS"
#: Sets the budget of memory, for commands as for the service.
BYTES_VARIABLE = "ROUTESCOPE_OPENED_MODEL_BYTES"


def _resolved(places: Sequence[str | Path]) -> tuple[Path, ...]:
    return tuple(Path(place).expanduser().resolve() for place in places)


_places = _resolved([place.strip() for place in os.environ.get(VARIABLE, "").split(",") if place.strip()])


def _number(variable: str) -> int | None:
    content = os.environ.get(variable, "").strip()
    return int(content) if content.isdecimal() and int(content) else None


_most = _number(BYTES_VARIABLE) or MOST_BYTES
_context, _stride = _number(CONTEXT_VARIABLE) or CONTEXT, _number(STRIDE_VARIABLE)
#: By file, time of its change, context and stride: the model and the bytes of its weights, the last used last.
_loaded: OrderedDict[tuple[Path, float, int, int | None], tuple[Network, int]] = OrderedDict()
_loading = threading.RLock()
#: Is called with sentences about a model that is loaded.
_tell: Callable[[str], None] = log.info


def use(
    places: Sequence[str | Path], most_bytes: int = MOST_BYTES, context: int = CONTEXT, stride: int | None = None
) -> None:
    """Look for models in these folders from now on, and in no others.

    Args:
        places: folders with a ``config.json``, or with several such folders.
        most_bytes: of the weights of all that are kept in memory.
        context: tokens that one pass reads of a text, as far as a model has positions.
        stride: tokens from the start of a window to the start of the next; None: half of the context.
    """
    global _places, _most, _context, _stride
    with _loading:
        _places, _most, _context, _stride = _resolved(places), most_bytes, context, stride
        _make_room(0)


def also(folder: str | Path, tell: Callable[[str], None] | None = None) -> Path:
    """Look for a model in this folder too, and return the path of its config.

    Args:
        tell: is called with sentences about models that are loaded from now on; None: they are logged.
    """
    global _places, _tell
    with _loading:
        _tell = tell or log.info
        own = _resolved([folder])
        _places = (*(place for place in _places if place not in own), *own)
        return own[0] / CONFIG


def _in(place: Path) -> list[Path]:
    own = place / CONFIG
    return [own] if own.is_file() else sorted(place.glob(f"*/{CONFIG}"))


def without_models() -> tuple[Path, ...]:
    """Folders that are looked in where no model is."""
    return tuple(place for place in _places if not _in(place))


def configs() -> dict[str, Path]:
    """Name of each model -> its config: the ASCII of the folder's name, with a number where several have it."""
    found: dict[str, Path] = {}
    for place in _places:
        for config in _in(place):
            plain = re.sub(r"[^\w.-]+", "-", config.parent.name, flags=re.ASCII)
            name = base = plain.strip("-._")[:LONGEST_NAME] or "model"
            count = 1
            while name in found:
                count += 1
                name = f"{base}-{count}"
            found[name] = config
    return found


def reading() -> tuple[int, int | None]:
    """The context and the stride of models that are opened from now on; None: half of the context."""
    return _context, _stride


def modified(config: Path) -> float:
    """When a model's config or weights were changed last."""
    return max(file.stat().st_mtime for file in (config, *config.parent.glob("*.safetensors")))


def load(name: str, config: Path) -> Network:
    """Return a model, in evaluation mode. It is shared: never change it, apply interventions to it.

    Before its weights are read, the least recently used models make room for it.

    Raises:
        CheckpointError: a folder that cannot be opened, or that takes more memory than all models may; the message says
            why.
    """
    with _loading:
        key = config, modified(config), _context, _stride
        if key not in _loaded:
            try:
                folder = look(config.parent)
                if refused := too_large(folder, name):
                    raise CheckpointError(refused)
                _make_room(folder.plan.peak)
                network = open_folder(folder, context=_context, tell=_tell)
                if _stride is not None:
                    network.read(Reading(network.reading.context, _stride))
            except (NotAdaptable, ValueError) as error:
                raise CheckpointError(str(error)) from error
            if (_context, _stride) != (CONTEXT, None):  # other contexts and strides give other figures
                facts = f"{network.revision} {network.reading.context} {network.reading.step}"
                network.revision = hashlib.sha256(facts.encode()).hexdigest()[:16]
            network.id = name
            _loaded[key] = network, folder.plan.nbytes
        _loaded.move_to_end(key)
        return _loaded[key][0]


def too_large(folder: ModelFolder, name: str | None = None) -> str | None:
    """Say that a folder takes more memory than all models may; None: it does not.

    Args:
        name: of the model; the folder's unless given.

    Raises:
        NotAdaptable: a folder that cannot be opened.
    """
    plan = folder.plan
    if plan.peak <= _most:
        return None
    dtype = str(plan.dtype).removeprefix("torch.")
    dequantised = f", which take up to {plan.peak / 2**20:,.0f} MiB as {dtype}" if folder.quantisation else ""
    return (
        f"{name or folder.path.name} has {folder.nbytes / 2**20:,.0f} MiB of weights{dequantised}, and models from "
        f"folders may have {_most / 2**20:,.0f} MiB in memory: set {BYTES_VARIABLE} to a larger number of bytes"
    )


def _make_room(nbytes: int) -> None:
    while _loaded and sum(each for _, each in _loaded.values()) + nbytes > _most:
        _loaded.popitem(last=False)
