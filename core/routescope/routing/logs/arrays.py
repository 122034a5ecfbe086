"""Arrays in npy, npz and safetensors: experts that tokens took, counts of experts, or router logits."""

import math
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
from jaxtyping import Shaped

from routescope.routing.logs.counts import MOST_COUNTED, NAMES, load_of_counts
from routescope.routing.logs.headers import PICKLE, PICKLED, bytes_of, check_sides, npy_header
from routescope.routing.logs.log import LogError, RoutingLog, Source
from routescope.routing.logs.packing import Packing, Reading, check_table, whole_numbers
from routescope.routing.logs.safetensors import MOST_TENSORS, SafetensorsFile
from routescope.routing.logs.tensors import IDS, MASK, from_logits, layer_of

Take = Callable[[str], Shaped[np.ndarray, "..."]]

#: Names of arrays of experts, (token, layer, slot); the first is that of an array without a name.
EXPERTS = ("routed_experts", "topk_ids", "topk_indices", "selected_experts", "expert_ids", "experts")


def read_safetensors(path: Path, reading: Reading) -> RoutingLog:
    """Return the log of a safetensors file, see ``from_arrays``; raises LogError if damaged or without routing."""
    file = SafetensorsFile.open(path)
    top_k = file.metadata.get("top_k", "")
    if reading.top_k is None and top_k.isdecimal() and len(top_k) < 6:
        reading = replace(reading, top_k=int(top_k))
    reading.check_size(sum(tensor.nbytes for tensor in file.tensors.values()), path.name)
    shapes = {name: tensor.shape for name, tensor in file.tensors.items()}
    whole = {name: tensor.dtype[0] in "IU" for name, tensor in file.tensors.items()}
    return from_arrays(shapes, whole, lru_cache(maxsize=1)(file.take), reading, path.name, "safetensors")


def read_npz(path: Path, reading: Reading) -> RoutingLog:
    """Return the log of an npz file; see ``from_arrays`` for its arrays. Nothing is unpickled.

    The headers of all arrays are read first; no array is unpacked beyond the size in its header.

    Raises:
        LogError: a damaged file, one without routing, or arrays larger than the limit.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_TENSORS:
                raise LogError(f"{path.name} has {len(entries):,} arrays; up to {MOST_TENSORS:,} are read")
            sizes = [_member(archive, entry, path.name, whole=False) for entry in entries]
            reading.check_size(sum(array.nbytes for array in sizes), path.name)
            arrays = {
                entry.filename.removesuffix(".npy"): _member(archive, entry, path.name, whole=True) for entry in entries
            }
    except LogError:
        raise
    except MemoryError:
        raise
    except Exception as error:  # damaged archives fail in many ways
        raise LogError(f"{path.name} is no whole npz of numbers ({str(error)[:120]})") from error
    shapes = {name: array.shape for name, array in arrays.items()}
    whole = {name: array.dtype.kind in "iu" for name, array in arrays.items()}
    return from_arrays(shapes, whole, arrays.__getitem__, reading, path.name, "npz")


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, file: str, *, whole: bool) -> Shaped[np.ndarray, "..."]:
    """Return an array of an archive; without ``whole`` one of the same shape and type that takes no memory."""
    where = f"{file}, {entry.filename[:80]}"
    with archive.open(entry) as member:
        if member.read(len(PICKLE)) == PICKLE:
            raise LogError(f"{file} is no npz: {PICKLED}")
        member.seek(0)
        shape, dtype = npy_header(member, where)
        check_sides(shape, where)
        if not whole:
            return np.broadcast_to(np.zeros((), dtype), shape)
        content = member.read(size := bytes_of(shape, dtype))
        if len(content) != size or member.read(1):
            raise LogError(f"{where}: {shape} of {dtype} are {size} bytes, and it has others; it may be cut off")
    return np.frombuffer(content, dtype).reshape(shape)


def read_npy(path: Path, reading: Reading) -> RoutingLog:
    """Return the log of one array, whole experts or router logits; raises LogError for damaged or large files."""
    with path.open("rb") as file:
        shape, dtype = npy_header(file, path.name)
        reading.check_size(bytes_of(shape, dtype), path.name)
        size, held = bytes_of(shape, dtype), path.stat().st_size - file.tell()
    if size != held:
        raise LogError(f"{path.name}: {shape} of {dtype} are {size} bytes, not {held}; a log that was cut off ends so")
    check_sides(shape, path.name)
    whole = dtype.kind in "iu"
    if len(shape) not in (3, 4):
        raise LogError(
            f"{path.name} is an array with {len(shape)} axes. Experts are (token, layer, slot), and router logits "
            "(layer, token, expert). Save counts of (layer, expert) as npz under the name counts"
        )
    name = EXPERTS[0] if whole else "router_logits"
    array = np.memmap(path, dtype=dtype, mode="r", offset=path.stat().st_size - size, shape=shape).view(np.ndarray)
    return from_arrays({name: shape}, {name: whole}, lambda _: array, reading, path.name, "npy")


def from_arrays(
    shapes: Mapping[str, Sequence[int]],
    whole: Mapping[str, bool],
    take: Take,
    reading: Reading,
    file: str,
    kind: str,
) -> RoutingLog:
    """Return the log of arrays: counts, experts that tokens took, or router logits (``from_logits``).

    Counts are whole numbers of (layer, expert), or of (step, layer, expert), under one of ``counts.NAMES``, as SGLang's
    recorder calls them. Experts are whole numbers of (token, layer, slot) or (batch, token, layer, slot), under one of
    ``EXPERTS``, as trainers keep them for replay; ``--layers`` tells other orders of axes. ``attention_mask`` and
    ``input_ids`` of (batch, token) beside them are used.

    Args:
        shapes, whole: name -> shape of every array, and whether it has whole numbers.
        take: returns an array by name.
        kind: format of the file.

    Raises:
        LogError: none of these, axes that do not fit the given numbers, or errors of the reader of each.
    """
    for name, shape in shapes.items():
        check_sides(shape, f"{file}, {name[:80]}")
    _check_beside(shapes, whole, file)
    for name in NAMES:
        if whole.get(name) and len(shapes[name]) in (2, 3):
            counts = take(name)
            assumed = []
            if int(counts.min()) < 0 or float(counts.sum(dtype=np.float64)) >= MOST_COUNTED:
                raise LogError(f"{file}: {name} has counts of 0 or more, which add up to less than 2**53")
            counts = counts.astype(np.int64)
            if counts.ndim == 3:
                assumed.append(f"{name} is taken for (step, layer, expert): its {len(counts):,} steps are added.")
                counts = counts.sum(axis=0)
            source = Source(kind, f"counts of experts, {name}", file)
            return load_of_counts(counts, range(len(counts)), reading, source, assumed)
    for name in EXPERTS:
        if whole.get(name) and len(shapes[name]) in (3, 4):
            return _of_experts(take(name), shapes, take, reading, Source(kind, f"experts, {name}", file))
    layered = {
        layer: name
        for name, shape in shapes.items()
        if name not in (MASK, IDS) and whole[name] and len(shape) == 2
        if (layer := layer_of(name, file)) is not None
    }
    if layered and not any(not whole[name] for name in shapes):
        if len({tuple(shapes[name]) for name in layered.values()}) != 1:
            raise LogError(
                f"{file}: layers have different numbers of tokens or slots; they are (token, slot) of all layers"
            )
        order = sorted(layered)
        check_table(len(order), shapes[layered[order[0]]][1], file)
        table = np.stack([take(layered[layer]) for layer in order], axis=1)
        packing = Packing(reading)
        packing.add(table, "0", file, token_ids=_flat(shapes, take, len(table)))
        return packing.done(Source(kind, "experts by layer", file), indices=order)
    return from_logits(shapes, take, reading, Source(kind, "router logits", file))


def _of_experts(
    experts: Shaped[np.ndarray, "..."],
    shapes: Mapping[str, Sequence[int]],
    take: Take,
    reading: Reading,
    source: Source,
) -> RoutingLog:
    """Return the log of experts with 3 or 4 axes; ``reading.layers`` or ids of tokens tell their order."""
    batched = experts.ndim == 4
    tokens = int(np.prod(shapes[IDS])) if IDS in shapes else None
    front, behind = experts.shape[0], experts.shape[-2]
    if reading.layers is not None and reading.layers not in (front, behind):
        raise LogError(
            f"{source.file}: experts are {' x '.join(map(str, experts.shape))}, and neither {front} nor {behind} is "
            f"the {reading.layers} layers that were given (--layers)"
        )
    first = reading.layers == front != behind
    if reading.layers is None and not batched and tokens is not None and front != behind:
        first = tokens == behind
    if first:
        experts = np.moveaxis(experts, 0, -2)
    names = "(batch, token, layer, slot)" if batched else "(token, layer, slot)"
    other = "(layer, batch, token, slot)" if batched else "(layer, token, slot)"
    if first:
        names, other = other, names
    sides = " x ".join(f"{size:,}" for size in experts.shape)
    axes = f"Axes are taken for {names}: {experts.shape[-2]:,} layers."
    if front != behind:
        axes += f" For {other} give the number of layers (--layers {front if not first else behind})."
    table = experts if batched else experts[None]
    mask = take(MASK).astype(bool) if MASK in shapes else np.ones(table.shape[:2], dtype=bool)
    ids = take(IDS).reshape(-1) if IDS in shapes else None
    if mask.size != table.shape[0] * table.shape[1] or (ids is not None and ids.size != mask.size):
        raise LogError(f"{source.file}: {MASK} and {IDS} have an entry for each token; experts are {sides}")
    mask = mask.reshape(table.shape[:2])
    packing = Packing(reading)
    lengths = mask.sum(axis=1)
    real = np.flatnonzero(lengths)
    if len(real):
        check_table(table.shape[2], table.shape[3], source.file)
        token_ids = None if ids is None else ids.reshape(mask.shape)[mask]
        sequences = [str(at) for at in real.tolist()]
        rows = table.reshape(-1, *table.shape[2:]) if mask.all() else table[mask]
        packing.add_all(rows, sequences, lengths[real].tolist(), source.file, token_ids=token_ids)
    if batched and MASK not in shapes:
        axes += f" There is no {MASK}: all tokens are counted, padding too."
    return packing.done(source, assumed=[axes])


def _check_beside(shapes: Mapping[str, Sequence[int]], whole: Mapping[str, bool], file: str) -> None:
    """Check mask and ids of tokens; raises LogError for axes other than (token) or (batch, token), or bad ids."""
    for name in (MASK, IDS):
        if name in shapes and len(shapes[name]) not in (1, 2):
            raise LogError(f"{file}: {name} has {len(shapes[name])} axes; it is (token) or (batch, token)")
    if IDS in shapes and not whole[IDS]:
        raise LogError(f"{file}: {IDS} has whole numbers, and holds something else")
    if MASK in shapes and IDS in shapes and math.prod(shapes[MASK]) != math.prod(shapes[IDS]):
        raise LogError(f"{file}: {MASK} and {IDS} have different numbers of tokens")


def _flat(shapes: Mapping[str, Sequence[int]], take: Take, count: int) -> Shaped[np.ndarray, " token"] | None:
    return (
        whole_numbers(take(IDS).reshape(-1), 1, IDS) if IDS in shapes and int(np.prod(shapes[IDS])) == count else None
    )
