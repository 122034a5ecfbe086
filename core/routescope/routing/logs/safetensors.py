"""safetensors files read without their library: the header is checked first, and tensors are views of the file.

Layout: 8 bytes with the length of the header, the header as JSON, then the bytes of the tensors without gaps
(https://github.com/huggingface/safetensors#format).
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

import numpy as np
from jaxtyping import Shaped

from routescope.routing.logs.log import LogError

#: Bytes of a header, and tensors, at most: logs have a few tensors for each layer.
MOST_HEADER, MOST_TENSORS = 4 * 2**20, 16_384
#: Types as safetensors names them; BF16 is widened to 32 bits.
DTYPES = {
    "BOOL": "?", "U8": "<u1", "I8": "<i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "U64": "<u8",
    "I64": "<i8", "F16": "<f2", "BF16": "<u2", "F32": "<f4", "F64": "<f8",
}  # fmt: skip


@dataclass(frozen=True)
class Tensor:
    """Type, shape and first byte of a tensor, from the header."""

    dtype: str
    shape: tuple[int, ...]
    start: int

    @property
    def nbytes(self) -> int:
        """Bytes in the file."""
        return math.prod(self.shape) * np.dtype(DTYPES[self.dtype]).itemsize


@dataclass(frozen=True)
class SafetensorsFile:
    """File with a checked header: its tensors by name, and its texts (metadata) by name."""

    path: Path
    tensors: Mapping[str, Tensor]
    metadata: Mapping[str, str]

    @classmethod
    def open(cls, path: Path) -> "SafetensorsFile":
        """Read and check the header of a file.

        Raises:
            LogError: a header that is too long or damaged, unknown types, or tensors that do not fill the file.
        """
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if length > MOST_HEADER:
                raise LogError(
                    f"{path.name}: its header has {length / 2**20:,.0f} MiB; headers of up to "
                    f"{MOST_HEADER // 2**20} MiB are read"
                )
            head = file.read(length)
        try:
            header = json.loads(head)
        except (ValueError, RecursionError) as error:
            raise LogError(f"{path.name} is no whole safetensors file: its header is no JSON") from error
        if not isinstance(header, dict):
            raise LogError(f"{path.name} is no whole safetensors file: its header is no JSON object")
        metadata = header.pop("__metadata__", {})
        if len(header) > MOST_TENSORS:
            raise LogError(f"{path.name} has {len(header):,} tensors; up to {MOST_TENSORS:,} are read")
        ends = [
            (start, end, name, dtype, shape)
            for name, entry in header.items()
            for dtype, shape, start, end in [_entry(entry, name, path.name)]
        ]
        end_before, tensors = 0, {}
        for start, end, name, dtype, shape in sorted(ends):
            tensors[name] = Tensor(dtype, shape, 8 + length + start)
            if start != end_before or end - start != tensors[name].nbytes:
                raise LogError(f"{path.name} is no whole safetensors file: {name[:80]!r} lies where its header denies")
            end_before = end
        if 8 + length + end_before != size:
            raise LogError(
                f"{path.name} is no whole safetensors file: its header tells of {8 + length + end_before:,} bytes, "
                f"and it has {size:,}"
            )
        texts = metadata.items() if isinstance(metadata, dict) else ()
        order = {name: tensors[name] for name in header}
        return cls(path, order, {key: text for key, text in texts if isinstance(text, str)})

    def take(self, name: str) -> Shaped[np.ndarray, "..."]:
        """Return a tensor, in the shape that the header says ("..." axes)."""
        tensor = self.tensors[name]
        array: np.ndarray = np.memmap(
            self.path, dtype=DTYPES[tensor.dtype], mode="r", offset=tensor.start, shape=tensor.shape
        )
        if tensor.dtype == "BF16":
            return (array.astype(np.uint32) << 16).view(np.float32)
        return array.view(np.ndarray)


def _entry(entry: object, name: str, file: str) -> tuple[str, tuple[int, ...], int, int]:
    """Return type, shape, first byte and end of a tensor, from its entry in the header."""
    fields = entry if isinstance(entry, dict) else {}
    dtype, shape, offsets = fields.get("dtype"), fields.get("shape"), fields.get("data_offsets")
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise LogError(
            f"{file}: {name[:80]!r} has the type {str(dtype)[:20]!r}; tensors of the types {', '.join(DTYPES)} are read"
        )
    if not _lengths(shape, 32) or not _lengths(offsets, 2) or len(offsets) != 2:
        raise LogError(f"{file} is no whole safetensors file: {name[:80]!r} has no shape, or no place")
    return dtype, tuple(shape), offsets[0], offsets[1]


def _lengths(value: object, most: int) -> TypeGuard[list[int]]:
    """Whether a value is a list of at most ``most`` whole numbers from 0."""
    return (
        isinstance(value, list)
        and len(value) <= most
        and all(type(length) is int and 0 <= length < 2**48 for length in value)
    )
