"""Models that are opened from a user's folders, and a budget of memory for their weights.

A command or a setting names the folders; requests to a service never do.
"""

import contextlib
import hashlib
import logging
import math
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cachetools import LRUCache

from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.folder import CONFIG, SECONDS, ModelFolder, look, open_folder
from routescope.nn.adapters.transformers import CONTEXT
from routescope.nn.network import Network
from routescope.nn.windows import WindowSettings
from routescope.zoo.checkpoint import CheckpointError

log = logging.getLogger(__name__)
#: Bytes of memory for the weights of all opened models, unless ``use`` or the variable below sets others.
MOST_BYTES = 8 * 2**30

#: Characters of a name, so that the API takes it with what is added to tell it from others.
LONGEST_NAME = 64

#: Tokens that one pass reads of a text, and from the start of a window to the start of the next, for programs without
#: settings of their own.
CONTEXT_VARIABLE, STRIDE_VARIABLE = "ROUTESCOPE_OPENED_CONTEXT", "ROUTESCOPE_OPENED_STRIDE"

#: Sets the seconds that preparing to open a folder may take, for commands as for the service.
SECONDS_VARIABLE = "ROUTESCOPE_OPENING_SECONDS"
#: Ends of names of files that decide how a folder opens.
DECIDING = (".json", ".safetensors")
#: Refusals that are remembered.
MOST_REFUSED = 1_024

#: Where folders are named for programs that are told no others, as for the service (``routescope_app.settings``).
VARIABLE = "ROUTESCOPE_MODEL_FOLDERS"
#: Sets the budget of memory, for commands as for the service.
BYTES_VARIABLE = "ROUTESCOPE_OPENED_MODEL_BYTES"


def _resolved(folders: Sequence[str | Path]) -> tuple[Path, ...]:
    return tuple(Path(os.path.realpath(Path(folder).expanduser())) for folder in folders)


_folders = _resolved([name.strip() for name in os.environ.get(VARIABLE, "").split(",") if name.strip()])


def _number(variable: str) -> int | None:
    content = os.environ.get(variable, "").strip()
    return int(content) if content.isdecimal() and int(content) else None


_most = _number(BYTES_VARIABLE) or MOST_BYTES
_context, _stride = _number(CONTEXT_VARIABLE) or CONTEXT, _number(STRIDE_VARIABLE)
_seconds = float(_number(SECONDS_VARIABLE) or SECONDS)
#: The config, the state of its folder, context and stride.
_Key = tuple[Path, tuple[tuple[str, int, int], ...], int, int | None]
#: The models and the bytes of their weights; ``_make_room`` bounds them.
_loaded: LRUCache[_Key, tuple[Network, int]] = LRUCache(math.inf, getsizeof=lambda entry: entry[1])
#: Folders that could not be opened with so many bytes of memory, and why.
_refused: LRUCache[tuple[_Key, int], str] = LRUCache(MOST_REFUSED)
_loading = threading.RLock()
#: One at a time opens a folder. Bytes of memory that models take that are being read, and a sign that one was read.
_gates: dict[Path, threading.Lock] = {}
_reading: dict[Path, int] = {}
_room = threading.Condition(_loading)
#: Is called with sentences about a model that is loaded.
_tell: Callable[[str], None] = log.info


def use(
    folders: Sequence[str | Path],
    most_bytes: int = MOST_BYTES,
    context: int = CONTEXT,
    stride: int | None = None,
    seconds: float = SECONDS,
) -> None:
    """Look for models in these folders from now on, and in no others.

    Args:
        folders: folders with a ``config.json``, or with several such folders.
        most_bytes: memory for the weights of all models.
        context: tokens that one pass reads of a text, as far as a model has positions.
        stride: tokens from the start of a window to the start of the next; None: half of the context.
        seconds: that putting a model together without weights, and trying its tokenizer, may take.
    """
    global _folders, _most, _context, _stride, _seconds
    with _loading:
        _folders, _most, _context, _stride, _seconds = _resolved(folders), most_bytes, context, stride, seconds
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
    if os.path.lexists(folder / CONFIG):
        return [folder / CONFIG]
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError:  # no folder, or one that may not be read
        return []
    return [folder / name / CONFIG for name in names if os.path.lexists(folder / name / CONFIG)]


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


def state(config: Path) -> tuple[tuple[str, int, int], ...]:
    """Return name, time of change (ns) and size of the files that decide how a folder opens; none is read."""
    files = []
    with contextlib.suppress(OSError):  # a folder that is gone, or may not be read
        for entry in os.scandir(config.parent):
            if entry.name.endswith(DECIDING):
                status = None
                with contextlib.suppress(OSError):  # a link to nothing
                    status = entry.stat()
                files.append((entry.name, status.st_mtime_ns, status.st_size) if status else (entry.name, 0, 0))
    return tuple(sorted(files))


def modified(config: Path) -> float:
    """When a model's config, weights or tokenizer were changed last."""
    return max((changed for _, changed, _ in state(config)), default=0) / 1e9


def load(name: str, config: Path) -> Network:
    """Return a model, in evaluation mode. It is shared: never change it, apply interventions to it.

    Before its weights are read, the least recently used models make room for it. A folder that is slow to open delays
    nobody who asks for another.

    Raises:
        CheckpointError: a folder that cannot be opened, or that takes more memory than all models may; the message says
            why. It is remembered until a file of the folder changes.
    """
    key = config, state(config), _context, _stride
    with _loading:
        gate = _gates.setdefault(config, threading.Lock())
    with gate:
        with _loading:
            if key in _loaded:
                return _loaded[key][0]
            refused = _refused.get((key, _most))
        if refused is None:
            try:
                return _load(name, key)
            except CheckpointError as error:
                refused = str(error)
        with _loading:
            _refused[key, _most] = refused
        raise CheckpointError(refused)


def _load(name: str, key: _Key) -> Network:
    config, _, context, stride = key
    try:
        _check_entry(config)
        folder = look(config.parent, _seconds)
        if refused := too_large(folder, name):
            raise CheckpointError(refused)
        with _room_for(config, folder.plan.peak):
            network = open_folder(folder, context=context, tell=_tell)
            if stride is not None:
                network.read(WindowSettings(network.reading.context, stride))
            if (context, stride) != (CONTEXT, None):  # other contexts and strides give other figures
                facts = f"{network.revision} {network.reading.context} {network.reading.step}"
                network.revision = hashlib.sha256(facts.encode()).hexdigest()[:16]
            network.id = name
            with _loading:
                _loaded[key] = network, folder.plan.nbytes
    except (NotAdaptable, ValueError) as error:
        raise CheckpointError(str(error)) from error
    except MemoryError as error:
        raise CheckpointError(f"{name} takes more memory than this program has left") from error
    except OSError as error:
        raise CheckpointError(
            f"{name} cannot be read: its files are gone, or this program may not read them"
        ) from error
    return network


def _check_entry(config: Path) -> None:
    """Raise NotAdaptable for a link to a folder outside of the folder that a setting or a command names."""
    parent = config.parent
    if parent not in _folders and parent.is_symlink() and not parent.resolve().is_relative_to(parent.parent):
        raise NotAdaptable(
            f"{parent.name} is a link that leads out of {parent.parent.name}, which is not followed: name the folder "
            f"itself in {VARIABLE}"
        )


@contextlib.contextmanager
def _room_for(config: Path, nbytes: int) -> Iterator[None]:
    """Keep so many bytes for a model while it is read: unused models leave memory, and other reads are waited for."""
    with _room:
        while _make_room(nbytes) > 0 and _reading:
            _room.wait()
        _reading[config] = nbytes
    try:
        yield
    finally:
        with _room:
            del _reading[config]
            _room.notify_all()


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


def _make_room(nbytes: int) -> int:
    """Let the least recently used models go until these bytes fit; return how many bytes are lacking still."""

    def lacking() -> int:
        return int(_loaded.currsize) + sum(_reading.values()) + nbytes - _most

    while _loaded and lacking() > 0:
        _loaded.popitem()
    return lacking()
