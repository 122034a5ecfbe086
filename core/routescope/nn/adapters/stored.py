"""Tensors of safetensors files by their heads: names, number formats, shapes and places, without any weights."""

import math
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

from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.files import opened, parsed

if TYPE_CHECKING:
    from safetensors import safe_open

#: Bytes of the head of a file of weights, and of the heads of all files of a folder, at most.
MOST_HEAD, MOST_HEADS = 32 * 2**20, 128 * 2**20
#: Tensors of a folder, dimensions of a tensor, size of a dimension and characters of a name, at most.
MOST_TENSORS, MOST_DIMENSIONS, MOST_SIZE, LONGEST_NAME = 500_000, 8, 2**40, 512
#: Bits of a number of each format of safetensors.
BITS = {
    **dict.fromkeys(("F4",), 4),
    **dict.fromkeys(("F6_E2M3", "F6_E3M2"), 6),
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"), 8),
    **dict.fromkeys(("U16", "I16", "F16", "BF16"), 16),
    **dict.fromkeys(("U32", "I32", "F32"), 32),
    **dict.fromkeys(("U64", "I64", "F64", "C64"), 64),
}
#: Files that are kept open while their tensors are read.
MOST_OPEN = 256
#: Floats of 8 bits with a sign, as safetensors calls them.
FLOATS_8 = ("F8_E4M3", "F8_E5M2")
#: Number formats that a model can compute in.
COMPUTED = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


@dataclass(frozen=True)
class StoredTensor:
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


def stored_tensors(files: Iterable[Path]) -> dict[str, StoredTensor]:
    """Return the tensors of files by name; raises NotAdaptable for damaged files, or a name in two files."""
    tensors: dict[str, StoredTensor] = {}
    total = 0
    for file in files:
        head, length = _json(file)
        total += length
        if total > MOST_HEADS:
            raise NotAdaptable(
                f"the heads of its safetensors files have more than {MOST_HEADS:,} bytes, up to which they are read"
            )
        for tensor in _tensors(file, head, length):
            if (other := tensors.setdefault(tensor.name, tensor)) is not tensor:
                raise NotAdaptable(f"{other.file.name} and {file.name} both have a tensor {tensor.name}: remove a file")
        if len(tensors) > MOST_TENSORS:
            raise NotAdaptable(f"its safetensors files have more than {MOST_TENSORS:,} tensors, up to which are read")
    return tensors


def metadata(file: Path) -> Mapping[str, str]:
    """Return the metadata of a file, written beside its tensors; raises NotAdaptable for no safetensors file."""
    facts = _json(file)[0].get("__metadata__")
    return facts if isinstance(facts, dict) else {}


def _tensors(file: Path, head: Mapping[str, Any], length: int) -> list[StoredTensor]:
    """The tensors of a file by its head: one after the other, without gaps, to the end of the file."""
    ranges: dict[str, tuple[int, int]] = {}
    tensors = []
    for name, facts in head.items():
        if name == "__metadata__":
            continue
        dtype, shape, first, last = _facts(file, name, facts)
        ranges[name] = first, last
        tensors.append(StoredTensor(name, file, dtype, shape, last - first))
    end = 0
    for name, (first, last) in sorted(ranges.items(), key=lambda item: item[1]):
        if first != end:
            raise NotAdaptable(
                f"{file.name} is no readable safetensors file: its tensors overlap, or have gaps between them, at "
                f"{_shown(name)}"
            )
        end = last
    if 8 + length + end != (nbytes := file.stat().st_size):
        how = "is cut off" if nbytes < 8 + length + end else "has bytes that belong to no tensor"
        raise NotAdaptable(f"{file.name} {how}: it has {nbytes:,} of {8 + length + end:,} bytes")
    return tensors


def _facts(file: Path, name: str, facts: object) -> tuple[str, tuple[int, ...], int, int]:
    """Return number format, shape, first and last byte of a tensor; raises NotAdaptable for facts that contradict."""
    wrong = NotAdaptable(f"{file.name} is no readable safetensors file: its tensor {_shown(name)} is not described")
    if len(name) > LONGEST_NAME or not name.isprintable() or not isinstance(facts, dict):
        raise wrong
    dtype, shape, offsets = facts.get("dtype"), facts.get("shape"), facts.get("data_offsets")
    if not isinstance(dtype, str) or dtype not in BITS or not isinstance(shape, list) or not isinstance(offsets, list):
        raise wrong
    numbers = [*shape, *offsets]
    if len(offsets) != 2 or len(shape) > MOST_DIMENSIONS or any(type(number) is not int for number in numbers):
        raise wrong
    first, last = offsets
    if not all(0 <= size <= MOST_SIZE for size in shape) or not 0 <= first <= last:
        raise wrong
    if math.prod(shape) * BITS[dtype] != 8 * (last - first):
        raise NotAdaptable(
            f"{file.name} is no readable safetensors file: its tensor {_shown(name)} has {last - first:,} bytes, and "
            f"its shape {tuple(shape)} in {dtype} takes {math.prod(shape) * BITS[dtype] // 8:,}"
        )
    return dtype, tuple(shape), first, last


def _shown(name: str) -> str:
    plain = "".join(sign if sign.isprintable() else "?" for sign in name)
    return plain if len(plain) <= 80 else f"{plain[:79]}\u2026"


def _json(file: Path) -> tuple[dict[str, Any], int]:
    """The head of a file and its length (safetensors' format: 8 bytes of length, then JSON)."""
    with opened(file) as content:
        start = content.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if not 2 <= length <= file.stat().st_size - 8:
            raise NotAdaptable(f"{file.name} is no readable safetensors file: the length of its head is wrong")
        if length > MOST_HEAD:
            raise NotAdaptable(f"{file.name} has a head of {length:,} bytes: heads of up to {MOST_HEAD:,} are read")
        head = parsed(content.read(length), f"{file.name} is no readable safetensors file: it has a head", unique=True)
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
