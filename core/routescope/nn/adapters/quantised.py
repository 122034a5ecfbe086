"""Quantised weights as plain tensors, one at a time: what ``config.json`` and the heads of safetensors files say.

Weights are computed in float32 from integers (or floats of 4 and 8 bits), scales and zero points, then rounded once to
the number format of the model. No library of a quantisation format is needed.

Symbols: O outputs, I inputs, G groups of inputs that share a scale, E experts, P numbers in a packed integer.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from jaxtyping import Float, Float32, Int32, Int64, Shaped, UInt8
from torch import Tensor

from routescope.nn.adapters.exploring import NotAdaptable
from routescope.nn.adapters.stored import FLOATS_8, StoredTensor

#: The values of a float of 4 bits (E2M1, OCP Microscaling Formats 1.0), by its bits.
FP4 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0)
#: Column of each 4-bit number of an AWQ integer, lowest bits first (AutoAWQ's layout "gemm").
AWQ_COLUMNS = (0, 2, 4, 6, 1, 3, 5, 7)
#: Numbers that are dequantised in one step, which bounds the memory of float32 values beside the result.
STEP = 2**20
#: Bytes of the JSON that bitsandbytes stores beside a tensor, at most.
MOST_STATE = 64 * 2**10
#: What is read, for refusals and documents.
READABLE = (
    "MXFP4, MXFP8, NVFP4, FP8 (by tensor, channel or block), GPTQ with 2, 4 or 8 bits, AWQ with 4 bits, bitsandbytes"
    " with 4 or 8 bits, and compressed-tensors without sparsity"
)
#: Ends of names of tensors that only quantise activations: activations are not quantised here.
OF_ACTIVATIONS = (
    *("input_scale", "output_scale", "activation_scale", "input_zero_point", "output_zero_point"),
    *("input_global_scale", "input_scale_ub", "k_scale", "v_scale", "q_scale", "input_activation_scale"),
)


@dataclass(frozen=True)
class LazyTensor:
    """A tensor that is read, and dequantised, when a loader indexes it.

    Attributes:
        shape: its shape.
        sources: the stored tensors that it is made of.
        make: gives the tensor.
    """

    shape: tuple[int, ...]
    sources: tuple[StoredTensor, ...]
    make: Callable[[], Tensor] = field(compare=False)

    def __getitem__(self, _: object) -> Shaped[Tensor, "..."]:
        """The whole tensor: loaders index with an ellipsis."""
        return self.make()

    @property
    def nbytes(self) -> int:
        """Bytes in files."""
        return sum(source.nbytes for source in self.sources)


# -- arithmetic ----------------------------------------------------------------------------------------------------


def in_steps(shape: tuple[int, int], dtype: torch.dtype, rows: Callable[[slice], Tensor]) -> Shaped[Tensor, "O I"]:
    """Return a matrix that ``rows`` computes in float32, some rows at a time, in another number format.

    Args:
        rows: gives the values (rows, I) of a slice of rows; slices begin at multiples of 32.
    """
    out = torch.empty(shape, dtype=dtype)
    step = max(32, STEP // max(1, shape[1]) // 32 * 32)
    for start in range(0, shape[0], step):
        some = slice(start, min(start + step, shape[0]))
        out[some] = rows(some)
    return out


def fp4(packed: UInt8[Tensor, "*rows half"]) -> Float32[Tensor, "*rows I"]:
    """Return the values of 4-bit floats, two a byte, the lower bits first."""
    pairs = torch.tensor([(FP4[byte & 15], FP4[byte >> 4]) for byte in range(256)])
    return pairs[packed.view(torch.uint8).long()].flatten(-2)


def powers_of_two(scales: Shaped[Tensor, "*shape"]) -> Float32[Tensor, "*shape"]:
    """Return scales as float32; of bytes, 2 to the power of the byte less 127, and NaN for 255 (E8M0)."""
    if scales.dtype not in (torch.uint8, torch.float8_e8m0fnu):
        return scales.float()
    table = torch.tensor([*(2.0 ** (byte - 127) for byte in range(255)), math.nan])
    return table[scales.view(torch.uint8).long()]


def unpacked(packed: Int32[Tensor, "rows packs"], bits: int) -> Int32[Tensor, "rows numbers"]:
    """Return the unsigned integers of ``bits`` bits in each int32, the lowest bits first."""
    shifts = torch.arange(0, 32 // bits * bits, bits, dtype=torch.int32)
    return ((packed[..., None] >> shifts) & (2**bits - 1)).flatten(-2)


def gptq(
    weights: Int32[Tensor, "packs O"],
    zeros: Int32[Tensor, "G zero_packs"],
    scales: Float[Tensor, "G O"],
    groups: Int64[Tensor, " I"],
    bits: int,
    offset: int,
    some: slice,
) -> Float32[Tensor, "some I"]:
    """Return outputs ``some`` of GPTQ weights: ``scale * (integer - zero)``, by the group of each input.

    Args:
        offset: what is added to stored zero points: 1 in the first version of the format, 0 in the second. It is added
            to whole int32, as GPTQModel does: a zero point of 0 was stored with a borrow from its neighbour.
    """
    integers = unpacked(weights[:, some].T.contiguous(), bits)
    ones = sum(offset << shift for shift in range(0, 32, bits))
    points = unpacked((zeros.long() + ones).to(torch.int32), bits)[:, some]
    return (integers - points.T[:, groups]).float() * scales[:, some].T.float()[:, groups]


def awq(
    weights: Int32[Tensor, "I packs"],
    zeros: Int32[Tensor, "G packs"],
    scales: Float[Tensor, "G O"],
    group: int,
    some: slice,
) -> Float32[Tensor, "some I"]:
    """Return AWQ weights of 4 bits, "gemm": ``scale * (integer - zero)``, one scale per ``group`` inputs."""
    columns = slice(some.start // 8, -(-some.stop // 8))
    order = torch.tensor(AWQ_COLUMNS).argsort()

    def integers(packed: Tensor) -> Tensor:
        numbers = unpacked(packed[:, columns], 4).view(len(packed), -1, 8)
        return numbers[..., order].flatten(1)[:, : some.stop - some.start]

    of_input = torch.arange(len(weights)) // group
    return ((integers(weights) - integers(zeros)[of_input]).float() * scales[:, some].float()[of_input]).T


def scaled(
    values: Float32[Tensor, "rows I"],
    scales: Float32[Tensor, "scale_rows scale_columns"],
    block: tuple[int, int],
    first: int = 0,
) -> Float32[Tensor, "rows I"]:
    """Return values times the scale of their block.

    Args:
        block: rows and columns that share a scale; the last block of either may be cut off.
        first: number of the first row of ``values`` in the whole matrix.
    """
    rows = torch.arange(first, first + len(values)) // block[0]
    columns = torch.arange(values.shape[1]) // block[1]
    return values * scales[rows][:, columns]


# -- what a folder says --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Checkpoint:
    """The stored tensors of a quantised folder, and how its config says that they are quantised.

    Attributes:
        name: of the folder, for messages.
        settings: its ``quantization_config``.
        stored: its tensors by name.
        dtype: number format of the dequantised weights.
        taken: names of stored tensors that some weight is made of.
    """

    name: str
    settings: Mapping[str, Any]
    stored: Mapping[str, StoredTensor]
    dtype: torch.dtype
    taken: set[str] = field(default_factory=set)

    def ending(self, end: str) -> Iterator[tuple[str, StoredTensor]]:
        """Tensors whose names end so: the name without the end, and the tensor."""
        for name, tensor in self.stored.items():
            if name.endswith(end) and name not in self.taken:
                yield name.removesuffix(end), tensor

    def take(self, *names: str) -> tuple[StoredTensor, ...]:
        """Return the tensors of these names; raises NotAdaptable for one that the folder lacks."""
        if lacking := [name for name in names if name not in self.stored]:
            raise NotAdaptable(f"{self.name} has {names[0]} without {lacking[0]}, which dequantises it")
        self.taken.update(names)
        return tuple(self.stored[name] for name in names)

    def optional(self, name: str) -> StoredTensor | None:
        """The tensor of this name; None where the folder has none."""
        return self.take(name)[0] if name in self.stored else None

    def wrong(self, *tensors: StoredTensor) -> NotAdaptable:
        """Refusal of tensors whose shapes or formats do not fit together."""
        shapes = ", ".join(f"{tensor.name} ({tensor.dtype}, {tensor.shape})" for tensor in tensors)
        return NotAdaptable(f"{self.name}: shapes of quantised tensors do not fit together: {shapes}")

    def refused(self, what: str) -> NotAdaptable:
        """Refusal of a format."""
        return unreadable(self.name, what)


def unreadable(name: str, what: str) -> NotAdaptable:
    """Refusal of a folder that is quantised in a format that is not read, and what would be."""
    return NotAdaptable(
        f"{name} is quantised in a format that is not read: {what}. Formats that are read: {READABLE}. Dequantise it "
        "with the library that wrote it, and write it with save_pretrained in bfloat16"
    )


def dequantised(
    name: str, settings: Mapping[str, Any], stored: Mapping[str, StoredTensor], dtype: torch.dtype
) -> dict[str, LazyTensor]:
    """Return the tensors of a folder by name, the quantised ones as they are in the model before quantisation.

    Only small tensors with shapes are read from files.

    Args:
        name: of the folder, for messages.
        settings: its ``quantization_config``.
        stored: its tensors by name.
        dtype: number format of dequantised weights.

    Raises:
        NotAdaptable: a format that is not read, tensors without scales, or shapes that do not fit together.
    """
    checkpoint = _Checkpoint(name, settings, stored, dtype)
    method = method_of(settings)
    if method not in _READERS:
        raise checkpoint.refused(f"quant_method {method!r}")
    tensors = dict(_READERS[method](checkpoint))
    for other, tensor in stored.items():
        if other in checkpoint.taken or other.rpartition(".")[2].endswith(OF_ACTIVATIONS):
            continue
        integers = tensor.dtype in ("I8", "U8", "I32") and other.endswith("weight")
        if tensor.dtype in (*FLOATS_8, "F4") or integers or other.rpartition(".")[2] in _PACKED:
            raise NotAdaptable(f"{name}: {other} ({tensor.dtype}) lacks the scales that {method} stores beside it")
        tensors[other] = LazyTensor(tensor.shape, (tensor,), tensor.read)
    return tensors


#: Last parts of names of tensors that are never plain weights.
_PACKED = ("qweight", "qzeros", "weight_packed", "g_idx")


def method_of(settings: Mapping[str, Any]) -> str:
    """The format of a ``quantization_config``, in small letters.

    Older folders of bitsandbytes do not name it; folders of auto-round are packed in the format of another method.
    """
    method = str(settings.get("quant_method", "")).lower()
    if not method and {"load_in_4bit", "load_in_8bit"} & set(settings):
        return "bitsandbytes"
    if method in ("auto-round", "intel/auto-round"):
        packing = str(settings.get("packing_format") or settings.get("backend") or "").lower()
        return "gptq" if "gptq" in packing else "awq" if "awq" in packing else method
    return method


def described(settings: Mapping[str, Any]) -> str:
    """Name of a format for people, such as "gptq, 4 bits"."""
    bits = settings.get("bits", settings.get("w_bit"))
    return f"{method_of(settings)}, {bits} bits" if bits else method_of(settings)


# -- formats -------------------------------------------------------------------------------------------------------


def _mxfp4(checkpoint: _Checkpoint) -> Iterator[tuple[str, LazyTensor]]:
    """gpt-oss: ``*_blocks`` (E, O, G, 16) and ``*_scales`` (E, O, G), for weights (E, I, O)."""
    for base, blocks in checkpoint.ending("_blocks"):
        _, scales = checkpoint.take(blocks.name, f"{base}_scales")
        if blocks.dtype != "U8" or scales.dtype != "U8" or blocks.shape[:-1] != scales.shape or len(blocks.shape) != 4:
            raise checkpoint.wrong(blocks, scales)
        experts, outputs, groups, half = blocks.shape
        shape = (experts, groups * half * 2, outputs)
        make = partial(_mxfp4_experts, blocks, scales, shape, checkpoint.dtype)
        yield base, LazyTensor(shape, (blocks, scales), make)


def _mxfp4_experts(blocks: StoredTensor, scales: StoredTensor, shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    bytes_, powers = blocks.read(), scales.read()
    out = torch.empty(shape, dtype=dtype)
    for expert in range(shape[0]):
        rows = partial(_mx_rows, bytes_[expert], powers[expert])
        out[expert] = in_steps((shape[2], shape[1]), dtype, rows).T
    return out


def _mx_rows(blocks: Tensor, scales: Tensor, some: slice) -> Tensor:
    return (fp4(blocks[some]) * powers_of_two(scales[some])[..., None]).flatten(1)


def _gptq(checkpoint: _Checkpoint) -> Iterator[tuple[str, LazyTensor]]:
    settings = checkpoint.settings
    layout = str(settings.get("checkpoint_format") or "gptq").lower()
    if settings.get("is_marlin_format"):
        layout = "marlin"
    if layout not in ("gptq", "gptq_v2"):
        raise checkpoint.refused(f"GPTQ in the layout {layout!r}")
    for base, weights in checkpoint.ending(".qweight"):
        _, zeros, scales = checkpoint.take(weights.name, f"{base}.qzeros", f"{base}.scales")
        places = checkpoint.optional(f"{base}.g_idx")
        if len(weights.shape) != 2 or len(scales.shape) != 2 or weights.shape[1] != scales.shape[1]:
            raise checkpoint.wrong(weights, scales)
        groups, outputs = scales.shape
        bits = 32 * zeros.shape[-1] // max(1, outputs)
        if bits not in (2, 4, 8) or bits * outputs % 32 or zeros.shape != (groups, outputs * bits // 32):
            if bits in (3, 5, 6, 7) or settings.get("bits") == 3:
                raise checkpoint.refused(f"GPTQ with {bits} bits")
            raise checkpoint.wrong(zeros, scales)
        inputs = weights.shape[0] * 32 // bits
        group = int(settings.get("group_size") or 0)
        group = group if group > 0 and -(-inputs // group) == groups else -(-inputs // groups)
        if (places.shape != (inputs,)) if places is not None else -(-inputs // group) != groups:
            raise checkpoint.wrong(weights, places or scales)
        sources = tuple(tensor for tensor in (weights, zeros, scales, places) if tensor is not None)
        offset = 0 if layout == "gptq_v2" else 1
        shape = (outputs, inputs)
        make = partial(_gptq_weight, sources, bits, offset, group, shape, checkpoint.dtype)
        yield f"{base}.weight", LazyTensor(shape, sources, make)


def _gptq_weight(
    sources: tuple[StoredTensor, ...], bits: int, offset: int, group: int, shape: tuple[int, int], dtype: torch.dtype
) -> Tensor:
    weights, zeros, scales, *places = (source.read() for source in sources)
    groups = places[0].long() if places else torch.arange(shape[1]) // group
    return in_steps(shape, dtype, partial(gptq, weights, zeros, scales, groups, bits, offset))


def _awq(checkpoint: _Checkpoint) -> Iterator[tuple[str, LazyTensor]]:
    settings = checkpoint.settings
    layout = str(settings.get("version") or settings.get("format") or "gemm").lower()
    bits = settings.get("bits", settings.get("w_bit", 4))
    if layout != "gemm" or bits != 4:
        raise checkpoint.refused(f"AWQ with {bits} bits in the layout {layout!r}")
    for base, weights in checkpoint.ending(".qweight"):
        _, zeros, scales = checkpoint.take(weights.name, f"{base}.qzeros", f"{base}.scales")
        if len(weights.shape) != 2 or len(scales.shape) != 2 or zeros.shape != (scales.shape[0], weights.shape[1]):
            raise checkpoint.wrong(weights, zeros, scales)
        inputs, outputs = weights.shape[0], weights.shape[1] * 8
        if scales.shape[1] != outputs or inputs % scales.shape[0]:
            raise checkpoint.wrong(weights, scales)
        sources, shape = (weights, zeros, scales), (outputs, inputs)
        make = partial(_awq_weight, sources, shape, checkpoint.dtype)
        yield f"{base}.weight", LazyTensor(shape, sources, make)


def _awq_weight(sources: tuple[StoredTensor, ...], shape: tuple[int, int], dtype: torch.dtype) -> Tensor:
    weights, zeros, scales = (source.read() for source in sources)
    return in_steps(shape, dtype, partial(awq, weights, zeros, scales, shape[1] // len(scales)))


def _scaled(checkpoint: _Checkpoint) -> Iterator[tuple[str, LazyTensor]]:
    """Weights of 8 bits, or of 4 in bytes, each with scales beside it: FP8, MXFP8, FBGEMM, ModelOpt."""
    block = checkpoint.settings.get("weight_block_size")
    for name, weights in list(checkpoint.stored.items()):
        if name in checkpoint.taken or weights.dtype not in (*FLOATS_8, "I8", "U8", "F4"):
            continue
        module = name.removesuffix(".weight")
        names = [f"{name}_scale_inv", f"{name}_scale"]
        names += [f"{module}.scale", f"{module}.qscale_weight"] if module != name else []
        scale = next((key for key in names if key in checkpoint.stored), None)
        if scale is not None:
            second = checkpoint.optional(f"{name}_scale_2")
            yield name, _block_scaled(checkpoint, weights, scale, tuple(block) if block else None, times=second)


def _block_scaled(
    checkpoint: _Checkpoint,
    weights: StoredTensor,
    scale: str,
    block: tuple[int, int] | None,
    *,
    times: StoredTensor | None = None,
    over: StoredTensor | None = None,
    points: StoredTensor | None = None,
) -> LazyTensor:
    """A weight with scales by tensor, row, block or group of inputs.

    Args:
        times, over: a scale of all scales, which are multiplied with it or divided by it.
        points: zero points beside the scales.
    """
    _, scales = checkpoint.take(weights.name, scale)
    halves = weights.dtype == "U8" or (weights.dtype == "I8" and scales.dtype in ("F8_E8M0", "U8"))
    if weights.dtype == "F4" or (weights.dtype == "U8" and scales.dtype not in ("U8", "F8_E8M0", "F8_E4M3")):
        raise checkpoint.wrong(weights, scales)
    shape = (*weights.shape[:-1], weights.shape[-1] * 2) if halves else weights.shape
    if len(shape) < 2 or (points is not None and points.shape != scales.shape):
        raise checkpoint.wrong(weights, points or scales)
    grid = _grid(shape, scales.shape, block)
    if grid is None:
        raise checkpoint.wrong(weights, scales)
    sources = tuple(tensor for tensor in (weights, scales, times, over, points) if tensor is not None)

    def make() -> Tensor:
        values, factors = weights.read(), powers_of_two(scales.read())
        if times is not None:
            factors = factors * times.read().float()
        if over is not None:
            factors = factors / over.read().float()
        factors = factors.reshape(grid[0])
        zeros = None if points is None else points.read().float().reshape(grid[0])
        return _by_matrix(values, factors, zeros, grid[1], shape, checkpoint.dtype, halves)

    return LazyTensor(shape, sources, make)


def _by_matrix(
    values: Tensor,
    factors: Tensor,
    zeros: Tensor | None,
    block: tuple[int, int],
    shape: tuple[int, ...],
    dtype: torch.dtype,
    halves: bool,
) -> Tensor:
    """Values (..., O, I), two a byte where they are halves, times scales (..., blocks of O, blocks of I)."""
    matrices, scales = values.reshape(-1, *values.shape[-2:]), factors.reshape(-1, *factors.shape[-2:])
    out = torch.empty((len(matrices), *shape[-2:]), dtype=dtype)
    for number, matrix in enumerate(matrices):
        of_scale = min(number, len(scales) - 1)

        def rows(some: slice, matrix: Tensor = matrix, of_scale: int = of_scale) -> Tensor:
            numbers = fp4(matrix[some]) if halves else matrix[some].float()
            if zeros is not None:
                ones = torch.ones_like(numbers)
                numbers = numbers - scaled(ones, zeros.reshape(scales.shape)[of_scale], block, some.start)
            return scaled(numbers, scales[of_scale], block, some.start)

        out[number] = in_steps((shape[-2], shape[-1]), dtype, rows)
    return out.reshape(shape)


def _grid(
    shape: tuple[int, ...], scales: tuple[int, ...], block: tuple[int, int] | None
) -> tuple[tuple[int, ...], tuple[int, int]] | None:
    """Shape of scales as (..., blocks of O, blocks of I), and rows and columns of a block; None: they do not fit."""
    *lead, rows, columns = shape
    if math.prod(scales) == 1:
        return (*(1 for _ in lead), 1, 1), (rows, columns)
    if block and scales == (*lead, -(-rows // block[0]), -(-columns // block[1])):
        return scales, block
    if scales in ((*lead, rows), (*lead, rows, 1)):
        return (*lead, rows, 1), (1, columns)
    if lead and scales in (tuple(lead), (*lead, 1, 1)):
        return (*lead, 1, 1), (rows, columns)
    fits = len(scales) == len(shape) and scales[:-2] == tuple(lead) and scales[-1] and scales[-2]
    if not fits or rows % scales[-2] or columns % scales[-1] or (block and scales[-2] != rows):
        return None
    return scales, (rows // scales[-2], columns // scales[-1])


def _bitsandbytes(checkpoint: _Checkpoint) -> Iterator[tuple[str, LazyTensor]]:
    for end in (".quant_state.bitsandbytes__nf4", ".quant_state.bitsandbytes__fp4"):
        for base, state in checkpoint.ending(end):
            yield base, _bitsandbytes_4bit(checkpoint, base, state)
    for module, scales in checkpoint.ending(".SCB"):
        weights, _ = checkpoint.take(f"{module}.weight", scales.name)
        layout = checkpoint.optional(f"{module}.weight_format")
        if layout is not None and int(layout.read()) != 0:
            raise checkpoint.refused("bitsandbytes with 8 bits in a layout of a GPU")
        if weights.dtype != "I8" or len(weights.shape) != 2 or scales.shape != weights.shape[:1]:
            raise checkpoint.wrong(weights, scales)
        make = partial(_bitsandbytes_8bit, weights, scales, checkpoint.dtype)
        yield weights.name, LazyTensor(weights.shape, (weights, scales), make)


def _bitsandbytes_8bit(weights: StoredTensor, scales: StoredTensor, dtype: torch.dtype) -> Tensor:
    values, factors = weights.read(), scales.read().float() / 127
    rows, columns = values.shape
    return in_steps((rows, columns), dtype, lambda some: values[some].float() * factors[some, None])


def _bitsandbytes_4bit(checkpoint: _Checkpoint, base: str, state: StoredTensor) -> LazyTensor:
    """Two numbers a byte, the upper bits first, in rows of a block size that share the largest magnitude."""
    weights, _, largest, table = checkpoint.take(base, state.name, f"{base}.absmax", f"{base}.quant_map")
    if state.dtype != "U8" or state.nbytes > MOST_STATE:
        raise checkpoint.wrong(weights, state)
    facts: dict[str, Any] = json.loads(bytes(state.read().tolist()))
    nested: tuple[StoredTensor, ...] = ()
    if largest.dtype == "U8":
        nested = checkpoint.take(f"{base}.nested_absmax", f"{base}.nested_quant_map")
    shape, size = tuple(map(int, facts["shape"])), int(facts["blocksize"])
    numbers = math.prod(shape)
    if weights.dtype != "U8" or math.prod(weights.shape) != -(-numbers // 2) or largest.shape != (-(-numbers // size),):
        raise checkpoint.wrong(weights, largest)

    def make() -> Tensor:
        maxima = largest.read()
        if nested:
            outer, values = (tensor.read().float() for tensor in nested)
            of_block = torch.arange(len(maxima)) // int(facts["nested_blocksize"])
            maxima = values[maxima.long()] * outer[of_block] + float(facts["nested_offset"])
        levels, packed = table.read().float(), weights.read().flatten()
        out = torch.empty(numbers, dtype=checkpoint.dtype)
        step = STEP // size * size
        for start in range(0, numbers, step):
            stop = min(start + step, numbers)
            some = packed[start // 2 : -(-stop // 2)].long()
            values = levels[torch.stack([some >> 4, some & 15], dim=-1)].flatten()[: stop - start]
            out[start:stop] = values * maxima[torch.arange(start, stop) // size]
        return out.view(shape)

    return LazyTensor(shape, (weights, largest, table, *nested), make)


def _compressed(checkpoint: _Checkpoint) -> Iterator[tuple[str, LazyTensor]]:
    """compressed-tensors: packed integers, integers, FP8, NVFP4 and MXFP4, which differ in the tensors of a weight."""
    settings = checkpoint.settings
    if settings.get("transform_config"):
        raise checkpoint.refused("compressed-tensors with transforms of activations (transform_config)")
    groups = [dict(group.get("weights") or {}) for group in (settings.get("config_groups") or {}).values()]
    for end in (".bitmask", ".weight_bitmask", ".meta", ".compressed"):
        if next(checkpoint.ending(end), None):
            raise checkpoint.refused(f"compressed-tensors with sparse weights (tensors called *{end})")
    if "mxfp6" in str(settings.get("format")):
        raise checkpoint.refused("compressed-tensors with floats of 6 bits")
    for base, packed in checkpoint.ending("_packed"):
        if packed.dtype == "U8":
            over = checkpoint.optional(f"{base}_global_scale")
            yield base, _block_scaled(checkpoint, packed, f"{base}_scale", None, over=over)
        else:
            yield base, _compressed_integers(checkpoint, base, packed, groups)
    blocks = [tuple(group["block_structure"]) for group in groups if group.get("block_structure")]
    for scale, _ in checkpoint.ending("_scale"):
        if scale in checkpoint.stored and checkpoint.stored[scale].dtype in (*FLOATS_8, "I8"):
            points = checkpoint.optional(f"{scale}_zero_point")
            weights = checkpoint.stored[scale]
            block = (int(blocks[0][0]), int(blocks[0][1])) if blocks else None
            yield scale, _block_scaled(checkpoint, weights, f"{scale}_scale", block, points=points)


def _compressed_integers(
    checkpoint: _Checkpoint, base: str, packed: StoredTensor, groups: list[dict[str, Any]]
) -> LazyTensor:
    """Signed integers, stored with half of their range added, ``32 // bits`` an int32 along the inputs."""
    _, scales, form = checkpoint.take(packed.name, f"{base}_scale", f"{base}_shape")
    points, places = checkpoint.optional(f"{base}_zero_point"), checkpoint.optional(f"{base}_g_idx")
    if form.shape != (2,):
        raise checkpoint.wrong(packed, form)
    shape = tuple(int(size) for size in form.read().tolist())
    if packed.dtype != "I32" or len(shape) != 2 or len(scales.shape) != 2 or shape[1] % scales.shape[1]:
        raise checkpoint.wrong(packed, scales)
    outputs, inputs = shape
    widths = {int(group["num_bits"]) for group in groups if group.get("num_bits")} or {4, 8}
    if odd := sorted(widths - {2, 4, 8}):
        raise checkpoint.refused(f"compressed-tensors with {odd[0]} bits")
    fitting = [bits for bits in widths if packed.shape == (outputs, -(-inputs * bits // 32))]
    if len(fitting) != 1:
        raise checkpoint.wrong(packed, form)
    bits = fitting[0]
    if scales.shape[0] not in (1, outputs) or (
        points is not None and points.shape != (-(-outputs * bits // 32), scales.shape[1])
    ):
        raise checkpoint.wrong(packed, scales, *([points] if points else []))
    sources = tuple(tensor for tensor in (packed, scales, points, places) if tensor is not None)

    def make() -> Tensor:
        integers, factors, half = packed.read(), scales.read().float().expand(outputs, -1), 2 ** (bits - 1)
        zeros = None if points is None else unpacked(points.read().T.contiguous(), bits).T[:outputs] - half
        ordered = torch.arange(inputs) // (inputs // scales.shape[1])
        group = ordered if places is None or bool((places.read() < 0).any()) else places.read().long()

        def rows(some: slice) -> Tensor:
            numbers = (unpacked(integers[some], bits)[:, :inputs] - half).float()
            if zeros is not None:
                numbers -= zeros[some][:, group].float()
            return numbers * factors[some][:, group]

        return in_steps((outputs, inputs), checkpoint.dtype, rows)

    return LazyTensor(shape, sources, make)


def _modelopt(checkpoint: _Checkpoint) -> Iterator[tuple[str, LazyTensor]]:
    algorithm = str(checkpoint.settings.get("quant_algo") or "").upper()
    if not re.fullmatch(r"FP8|NVFP4|MIXED_PRECISION", algorithm):
        raise checkpoint.refused(f"ModelOpt with the algorithm {algorithm or 'unknown'}")
    return _scaled(checkpoint)


_READERS: dict[str, Callable[[_Checkpoint], Iterator[tuple[str, LazyTensor]]]] = {
    "mxfp4": _mxfp4,
    "fp8": _scaled,
    "mxfp8": _scaled,
    "fbgemm_fp8": _scaled,
    "gptq": _gptq,
    "awq": _awq,
    "bitsandbytes": _bitsandbytes,
    "compressed-tensors": _compressed,
    "modelopt": _modelopt,
}
