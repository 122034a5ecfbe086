"""Models that are opened from folders of somebody's own: which there are, and their weights within a budget of bytes.

Folders are named by whoever starts the program, by a command or a setting, and never by what is sent to a service.
"""

import hashlib
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path

from core.nn.adapters.exploring import NotAdaptable
from core.nn.adapters.folder import CONFIG, look, open_folder
from core.nn.adapters.transformers import CONTEXT
from core.nn.mixture.windows import Reading
from core.nn.network import Network
from core.zoo.checkpoint import CheckpointError

#: Bytes of the weights of opened models that are kept in memory together unless told otherwise (``use``).
MOST_BYTES = 8 * 2**30

#: Characters of a name, so that the API takes it with what is added to tell it from others.
LONGEST_NAME = 64

#: Tokens that one pass reads of a text, and from the start of a window to the start of the next, for programs without
#: settings of their own.
CONTEXT_VARIABLE, STRIDE_VARIABLE = "ROUTESCOPE_OPENED_CONTEXT", "ROUTESCOPE_OPENED_STRIDE"

#: Where folders are named for programs that are told no others, as for the service (``app.settings``).
VARIABLE = "ROUTESCOPE_MODEL_FOLDERS"


def _resolved(places: Sequence[str | Path]) -> tuple[Path, ...]:
    return tuple(Path(place).expanduser().resolve() for place in places)


_places = _resolved([place.strip() for place in os.environ.get(VARIABLE, "").split(",") if place.strip()])
_most = MOST_BYTES


def _number(variable: str) -> int | None:
    content = os.environ.get(variable, "").strip()
    return int(content) if content.isdecimal() and int(content) else None


_context, _stride = _number(CONTEXT_VARIABLE) or CONTEXT, _number(STRIDE_VARIABLE)
#: By file, time of its change, context and stride: the model and the bytes of its weights, the last used last.
_loaded: OrderedDict[tuple[Path, float, int, int | None], tuple[Network, int]] = OrderedDict()
_loading = threading.RLock()


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


def also(folder: str | Path) -> Path:
    """Look for a model in this folder too; gives its config."""
    global _places
    with _loading:
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


def load(name: str, config: Path, tell: Callable[[str], None] = lambda _: None) -> Network:
    """A model, in evaluation mode. It is shared: never change it, apply interventions to it.

    Before its weights are read, models that were not used for longest make room for it.

    Raises:
        CheckpointError: a folder that cannot be opened, or has more weights than all models may; the message says why.
    """
    with _loading:
        key = config, modified(config), _context, _stride
        if key not in _loaded:
            try:
                folder = look(config.parent)
                if folder.nbytes > _most:
                    raise CheckpointError(
                        f"{name} has {folder.nbytes / 2**20:,.0f} MiB of weights, and models from folders "
                        f"may have {_most / 2**20:,.0f} MiB in memory"
                    )
                _make_room(folder.nbytes)
                network = open_folder(folder, context=_context, tell=tell)
                if _stride is not None:
                    network.read(Reading(network.reading.context, _stride))
            except (NotAdaptable, ValueError) as error:
                raise CheckpointError(str(error)) from error
            if (_context, _stride) != (CONTEXT, None):  # other contexts and strides give other figures
                facts = f"{network.revision} {network.reading.context} {network.reading.step}"
                network.revision = hashlib.sha256(facts.encode()).hexdigest()[:16]
            network.id = name
            _loaded[key] = network, folder.nbytes
        _loaded.move_to_end(key)
        return _loaded[key][0]


def _make_room(nbytes: int) -> None:
    while _loaded and sum(each for _, each in _loaded.values()) + nbytes > _most:
        _loaded.popitem(last=False)
