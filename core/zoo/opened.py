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


def _resolved(folders: Sequence[str | Path]) -> tuple[Path, ...]:
    return tuple(Path(folder).expanduser().resolve() for folder in folders)


_folders = _resolved([name.strip() for name in os.environ.get(VARIABLE, "").split(",") if name.strip()])


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
    folders: Sequence[str | Path], most_bytes: int = MOST_BYTES, context: int = CONTEXT, stride: int | None = None
) -> None:
    """Look for models in these folders from now on, and in no others.

    Args:
        folders: folders with a ``config.json``, or with several such folders.
        most_bytes: memory for the weights of all models.
        context: tokens that one pass reads of a text, as far as a model has positions.
        stride: tokens from the start of a window to the start of the next; None: half of the context.
    """
    global _folders, _most, _context, _stride
    with _loading:
        _folders, _most, _context, _stride = _resolved(folders), most_bytes, context, stride
        _make_room(0)


def also(folder: str | Path, tell: Callable[[str], None] | None = None) -> Path:
    """Look for a model in this folder too, and return the path of its config.

    Args:
        tell: is called with sentences about models that are loaded from now on; None: they are logged.
    """
    global _folders, _tell
    with _loading:
        _tell = tell or log.info
        (resolved,) = _resolved([folder])
        _folders = (*(other for other in _folders if other != resolved), resolved)
        return resolved / CONFIG


def _in(folder: Path) -> list[Path]:
    config = folder / CONFIG
    return [config] if config.is_file() else sorted(folder.glob(f"*/{CONFIG}"))


def without_models() -> tuple[Path, ...]:
    """Return the folders in which there is no model."""
    return tuple(folder for folder in _folders if not _in(folder))


def configs() -> dict[str, Path]:
    """Return the config of each model by name: the ASCII of its folder's name, and a number if several have that."""
    by_name: dict[str, Path] = {}
    for folder in _folders:
        for config in _in(folder):
            plain = re.sub(r"[^\w.-]+", "-", config.parent.name, flags=re.ASCII)
            name = base = plain.strip("-._")[:LONGEST_NAME] or "model"
            count = 1
            while name in by_name:
                count += 1
                name = f"{base}-{count}"
            by_name[name] = config
    return by_name


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
    while _loaded and sum(size for _, size in _loaded.values()) + nbytes > _most:
        _loaded.popitem(last=False)
