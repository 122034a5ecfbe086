"""A folder with a model of transformers, as ``save_pretrained`` writes it: looked at before anything is loaded.

Nothing but ``config.json``, safetensors and ``tokenizer.json`` is read. Pickles are never opened, code that comes with
a folder is never run, and nothing is fetched.
"""

import ctypes
import hashlib
import json
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from core.nn.adapters.exploring import NotAdaptable
from core.nn.adapters.transformers import (
    CONTEXT,
    TransformersNetwork,
    check_continues,
    from_transformers,
    quietly,
    routers_of,
)

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from transformers import PreTrainedModel

CONFIG, WEIGHTS, INDEX, TOKENIZER = "config.json", "model.safetensors", "model.safetensors.index.json", "tokenizer.json"
#: Endings of files that can hold pickles.
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
#: Files of tokenizers that are not read, as that takes other libraries.
OTHER_TOKENIZERS = ("tokenizer.model", "vocab.json", "merges.txt", "spiece.model", "vocab.txt")
#: Bytes of a config or of a list of weights, and of the head of a file of weights, at most.
MOST_JSON, MOST_HEAD = 64 * 2**20, 100 * 2**20
#: Of each file of weights, a revision is of its head and of so many pieces of so many bytes.
PIECES, PIECE = 256, 4096
#: How often pages of files are given back while weights are read, in seconds, and what asks Linux for it (madvise(2));
#: of memory that is no file's it takes nothing away, should a file be let go of meanwhile.
EVERY, PAGEOUT = 0.02, 21
#: Of weights, at most such a share is copied so that files are let go.
MOST_COPIED = 0.25


@dataclass(frozen=True)
class ModelFolder:
    """What is known of a folder before its weights are loaded.

    Attributes:
        path: the folder.
        files: its weights.
        nbytes: of the weights.
        kind: what its config calls the model, such as "olmoe".
        config: its config.
    """

    path: Path
    files: tuple[Path, ...]
    nbytes: int
    kind: str
    config: dict[str, Any]

    @property
    def revision(self) -> str:
        """16 hexadecimal digits of config, tokenizer, and of every file of weights its head, size, time of change and
        evenly spaced pieces: all of its bytes would take seconds a gigabyte."""
        found = hashlib.sha256()
        for name in (CONFIG, TOKENIZER):
            if (file := self.path / name).is_file():
                found.update(file.read_bytes())
        for file in self.files:
            status = file.stat()
            found.update(f"{file.name} {status.st_size} {status.st_mtime_ns}".encode())
            with file.open("rb") as content:
                for piece in range(PIECES):
                    content.seek(status.st_size * piece // PIECES)
                    found.update(content.read(PIECE))
        return found.hexdigest()[:16]


def look(folder: str | Path) -> ModelFolder:
    """What a folder holds, without loading it.

    Raises:
        NotAdaptable: no folder, no config that can be read, weights that are no safetensors or are missing, a kind of
            model that transformers does not know. The message says what would be accepted.
    """
    path = Path(folder).expanduser()
    if not path.is_dir():
        raise NotAdaptable(f"{path} is no folder: name one with {CONFIG} and {WEIGHTS}, as save_pretrained writes it")
    config = _read(path / CONFIG)
    kind = config.get("model_type")
    if not isinstance(kind, str) or not _known(kind):
        own = ", and code that comes with a folder (auto_map) is never run" if "auto_map" in config else ""
        raise NotAdaptable(f"{path.name}: transformers has no model of the kind {kind!r}{own}")
    files = _weights(path)
    return ModelFolder(path, files, sum(map(_data_bytes, files)), kind, config)


def _known(kind: str) -> bool:
    from transformers import CONFIG_MAPPING

    return kind in CONFIG_MAPPING


def _read(path: Path) -> dict[str, Any]:
    """A file with a JSON object.

    Raises:
        NotAdaptable: there is none that can be read.
    """
    where = f"{path.parent.name} has"
    if not path.is_file():
        raise NotAdaptable(f"{where} no {path.name}: what is opened is a folder as save_pretrained writes it")
    if path.stat().st_size > MOST_JSON:
        raise NotAdaptable(f"{where} a {path.name} of {path.stat().st_size:,} bytes, more than any should take")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise NotAdaptable(f"{where} a {path.name} that is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise NotAdaptable(f"{where} a {path.name} that is no object with names")
    return found


def _weights(path: Path) -> tuple[Path, ...]:
    """Files of weights.

    Raises:
        NotAdaptable: there are none, or they are no safetensors.
    """
    if (path / WEIGHTS).is_file():
        return (path / WEIGHTS,)
    if (path / INDEX).is_file():
        places = _read(path / INDEX).get("weight_map")
        names = sorted({str(name) for name in places.values()}) if isinstance(places, dict) else []
        wrong = [name for name in names if "/" in name or "\\" in name or not name.endswith(".safetensors")]
        missing = [name for name in names if name not in wrong and not (path / name).is_file()]
        if wrong or missing or not names:
            raise NotAdaptable(f"{path.name}: {INDEX} names {', '.join([*wrong, *missing][:3]) or 'no file'}, "
                               "which is no safetensors file of this folder")  # fmt: skip
        return tuple(path / name for name in names)
    pickles = sorted(file.name for file in path.iterdir() if file.suffix in PICKLES)
    if pickles:
        raise NotAdaptable(
            f"{path.name} has its weights in {pickles[0]}, a pickle, which can run code when it is read: "
            "save the model again with save_pretrained, which writes safetensors"
        )
    raise NotAdaptable(f"{path.name} has no weights: {WEIGHTS}, or {INDEX} and the files that it names")


def _data_bytes(file: Path) -> int:
    """Bytes of the tensors in a file, by its head (safetensors' format: 8 bytes of length, then JSON).

    Raises:
        NotAdaptable: it is cut off, or no safetensors file.
    """
    size = file.stat().st_size
    with file.open("rb") as content:
        start = content.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else MOST_HEAD + 1
        if length > min(MOST_HEAD, size):
            raise NotAdaptable(f"{file.name} is no readable safetensors file")
        try:
            head = json.loads(content.read(length))
            ends = [each["data_offsets"][1] for name, each in head.items() if name != "__metadata__"]
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
            raise NotAdaptable(f"{file.name} is no readable safetensors file") from error
    data = max(ends, default=0)
    if 8 + length + data != size:
        raise NotAdaptable(f"{file.name} is cut off: it has {size:,} of {8 + length + data:,} bytes")
    return size - 8 - length


def routers_in(folder: ModelFolder) -> int:
    """How many routers the model of a folder has, without any of its weights.

    Raises:
        NotAdaptable: none, or a config that no model can be made of.
    """
    from transformers import AutoConfig, AutoModelForCausalLM

    try:
        with quietly(), torch.device("meta"):  # a model without any numbers
            config = AutoConfig.from_pretrained(folder.path, local_files_only=True, trust_remote_code=False)
            check_continues(config, f"{folder.path.name}, a {folder.kind},")
            model = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    except NotAdaptable:
        raise
    except Exception as error:  # of many kinds, whatever is wrong with somebody's files
        raise _unreadable(folder, error) from error
    return len(routers_of(model))


def _unreadable(folder: ModelFolder, error: Exception) -> NotAdaptable:
    first = " ".join(str(error).split())[:300]
    return NotAdaptable(f"{folder.path.name} cannot be read as a {folder.kind}: {first}")


def open_folder(
    folder: ModelFolder, *, context: int = CONTEXT, tell: Callable[[str], None] = lambda _: None
) -> TransformersNetwork:
    """The model in a folder, in evaluation mode, in the number format of its weights.

    Weights are mapped from their files and computed with where they are, or put together from there once, where
    transformers computes with experts in one tensor and the files have each: no second copy is held.

    Args:
        context: tokens of a text that are read at most.
        tell: is told what is being done.

    Raises:
        NotAdaptable: a model whose routing cannot be followed, weights that do not fit its config, or tokens that are
            no bytes without a tokenizer. What can be known before weights are loaded is refused before.
    """
    from transformers import AutoModelForCausalLM

    name = folder.path.name
    routers_in(folder)
    tokenizer = _tokenizer(folder.path)
    local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    tell(f"Loading {folder.nbytes / 2**20:,.0f} MiB of weights")
    try:
        with quietly(), _few_pages(folder.files):
            read: Any = AutoModelForCausalLM.from_pretrained(
                folder.path, use_safetensors=True, dtype="auto", output_loading_info=True, **local
            )
        model: PreTrainedModel = read[0]
    except Exception as error:  # of many kinds, whatever is wrong with somebody's files
        raise _unreadable(folder, error) from error
    if missing := sorted(read[1]["missing_keys"]):
        raise NotAdaptable(f"{name} lacks {len(missing)} tensors that its config asks for, such as {missing[0]}")
    _let_go_of_files(model, folder.files)
    tell("Looking at its routers")
    network = from_transformers(model.requires_grad_(False), tokenizer, context=context)
    network.id, network.revision = name, folder.revision
    return network


def _let_go_of_files(model: "PreTrainedModel", files: tuple[Path, ...]) -> None:
    """Copy the few tensors that are still parts of mapped files, where most were put together anew: the files' pages
    are no longer mapped then. Where most are parts of files, they stay so, and are on no heap."""
    where = _mapped(files)
    every = [*model.parameters(), *model.buffers()]
    mapped = [each for each in every if any(start <= each.data_ptr() < end for start, end in where)]
    if sum(each.nbytes for each in mapped) < MOST_COPIED * sum(each.nbytes for each in every):
        for each in mapped:
            each.data = each.data.clone()


@contextmanager
def _few_pages(files: tuple[Path, ...]) -> Iterator[None]:
    """Meanwhile pages of these files that were read are given back again and again, or all of them would be resident
    beside the tensors that are put together from them. Nothing is lost: what is needed again is read again."""
    try:
        advise = ctypes.CDLL(None, use_errno=True).madvise
    except (OSError, AttributeError):  # a system without
        yield
        return
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    done = threading.Event()

    def give_back() -> None:
        while not done.wait(EVERY):
            for start, end in _mapped(files):
                advise(start, end - start, PAGEOUT)

    giving = threading.Thread(target=give_back, name="few-pages", daemon=True)
    giving.start()
    try:
        yield
    finally:
        done.set()
        giving.join()


def _mapped(files: tuple[Path, ...]) -> list[tuple[int, int]]:
    """Addresses from and to which files are mapped into memory, where the system tells (Linux, proc(5))."""
    listed, names = Path("/proc/self/maps"), {str(file.resolve()) for file in files}
    if not listed.is_file():
        return []
    lines = (line.split(maxsplit=5) for line in listed.read_text().splitlines())
    found = (line[0].split("-") for line in lines if len(line) == 6 and line[5] in names)
    return [(int(start, 16), int(end, 16)) for start, end in found]


def _tokenizer(path: Path) -> "Tokenizer | None":
    """The tokenizer of a folder; None where it has none, and tokens can only be bytes.

    Raises:
        NotAdaptable: one that is not read, or cannot be.
    """
    from tokenizers import Tokenizer

    file = path / TOKENIZER
    if not file.is_file():
        if others := [name for name in OTHER_TOKENIZERS if (path / name).is_file()]:
            raise NotAdaptable(
                f"{path.name} has its tokenizer in {others[0]}: what is read is {TOKENIZER}, which "
                "AutoTokenizer.from_pretrained(...).save_pretrained(...) writes"
            )
        return None
    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing narrower
        raise NotAdaptable(f"{path.name} has a {TOKENIZER} that cannot be read: {error}") from error
