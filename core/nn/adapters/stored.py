"""Tensors of safetensors files by their heads: names, number formats, shapes and places, without any weights."""

import json
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Shaped
from torch import Tensor

from core.nn.adapters.exploring import NotAdaptable

if TYPE_CHECKING:
    from safetensors import safe_open

#: Bytes of the head of a file of weights, at most.
MOST_HEAD = 100 * 2**20
#: Files that are kept open while their tensors are read.
MOST_OPEN = 256
#: Floats of 8 bits with a sign, as safetensors calls them.
FLOATS_8 = ("F8_E4M3", "F8_E5M2")
#: Number formats that a model can compute in.
COMPUTED = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


@dataclass(frozen=True)
class Stored:
    """A tensor in a file.

    Attributes:
        name: its name in the file.
        file: the file.
        dtype: its number format, as safetensors calls it.
        shape: its shape.
        nbytes: bytes in the file.
    """

    name: str
    file: Path
    dtype: str
    shape: tuple[int, ...]
    nbytes: int

    def read(self) -> Shaped[Tensor, "..."]:
        """Map the tensor from its file: pages are read when they are used."""
        tensor: Tensor = _opened(self.file, self.file.stat().st_mtime_ns).get_tensor(self.name)  # type: ignore[no-untyped-call]
        return tensor


@lru_cache(maxsize=MOST_OPEN)
def _opened(file: Path, modified: int) -> "safe_open":
    from safetensors import safe_open

    return safe_open(file, framework="pt")


def close_files() -> None:
    """Close all files that tensors were read from."""
    _opened.cache_clear()


def stored(files: Iterable[Path]) -> dict[str, Stored]:
    """Return the tensors of some files by name.

    Raises:
        NotAdaptable: a file that is cut off, or no safetensors file, or a tensor that two files have.
    """
    tensors: dict[str, Stored] = {}
    for file in files:
        for tensor in _head(file):
            if (other := tensors.setdefault(tensor.name, tensor)) is not tensor:
                raise NotAdaptable(f"{other.file.name} and {file.name} both have a tensor {tensor.name}: remove a file")
    return tensors


def metadata(file: Path) -> Mapping[str, str]:
    """Return the metadata of a file, which programs write beside its tensors.

    Raises:
        NotAdaptable: a file that is no safetensors file.
    """
    facts = _json(file)[0].get("__metadata__")
    return facts if isinstance(facts, dict) else {}


def _head(file: Path) -> list[Stored]:
    """The tensors of a file, by its head."""
    head, length = _json(file)
    tensors, end = [], 0
    try:
        for name, facts in head.items():
            if name != "__metadata__":
                first, last = facts["data_offsets"]
                tensors.append(Stored(name, file, facts["dtype"], tuple(facts["shape"]), last - first))
                end = max(end, last)
    except (ValueError, KeyError, TypeError) as error:
        raise NotAdaptable(f"{file.name} is no readable safetensors file") from error
    if 8 + length + end != (size := file.stat().st_size):
        raise NotAdaptable(f"{file.name} is cut off: it has {size:,} of {8 + length + end:,} bytes")
    return tensors


def _json(file: Path) -> tuple[dict[str, Any], int]:
    """The head of a file and its length (safetensors' format: 8 bytes of length, then JSON)."""
    with file.open("rb") as content:
        start = content.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else MOST_HEAD + 1
        if length > min(MOST_HEAD, file.stat().st_size):
            raise NotAdaptable(f"{file.name} is no readable safetensors file")
        try:
            head = json.loads(content.read(length))
        except (ValueError, RecursionError) as error:
            raise NotAdaptable(f"{file.name} is no readable safetensors file") from error
    if not isinstance(head, dict):
        raise NotAdaptable(f"{file.name} is no readable safetensors file")
    return head, length


# -- tensors that a model does not read ----------------------------------------------------------------------------

#: Words in names of tensors -> the part of a model that they are of.
PARTS = {
    "visual": "vision tower",
    "vision": "vision tower",
    "image": "vision tower",
    "multi_modal_projector": "vision tower",
    "audio": "audio tower",
    "talker": "speech output",
    "mtp": "multi-token prediction (MTP)",
    "nextn": "multi-token prediction (MTP)",
}
#: Tensors that models compute anew.
RECOMPUTED = ("rotary_emb.inv_freq", "position_ids", "masked_bias", "attn.bias")


@dataclass(frozen=True)
class Unread:
    """A part of a checkpoint that the opened model does not have.

    Attributes:
        part: its name.
        tensors: how many tensors.
        nbytes: their bytes in files.
    """

    part: str
    tensors: int
    nbytes: int

    def __str__(self) -> str:
        tensors = "1 tensor" if self.tensors == 1 else f"{self.tensors:,} tensors"
        return f"{self.part} ({tensors}, {size(self.nbytes)})"


def size(nbytes: int) -> str:
    """Bytes as people read them."""
    return f"{nbytes / 2**20:,.1f} MiB" if nbytes >= 2**20 else f"{nbytes:,} bytes"


def in_words(unread: Iterable[Unread]) -> str:
    """Parts with their tensors and bytes, as a phrase."""
    return ", ".join(map(str, unread))


def unread_parts(tensors: Iterable[tuple[str, int]], layers: int) -> tuple[Unread, ...]:
    """Return the parts that tensors belong to, the largest first.

    Args:
        tensors: name and bytes of tensors that are not read.
        layers: layers of the model; tensors of later ones predict further tokens.
    """
    parts: dict[str, list[int]] = {}
    for name, nbytes in tensors:
        if not name.endswith(RECOMPUTED):
            parts.setdefault(_part(name, layers), []).append(nbytes)
    unread = [Unread(part, len(sizes), sum(sizes)) for part, sizes in parts.items()]
    return tuple(sorted(unread, key=lambda part: -part.nbytes))


def _part(name: str, layers: int) -> str:
    words = name.split(".")
    for word in words:
        for key, part in PARTS.items():
            if key in word:
                return part
    number = next((int(word) for before, word in pairwise(words) if before == "layers" and word.isdigit()), 0)
    if layers and number >= layers:
        return PARTS["mtp"]
    return ".".join(words[: 2 if words[0] in ("model", "language_model") else 1])
