"""Arrays in npy, npz and safetensors: experts that tokens took, counts of experts, or router logits."""

import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
from jaxtyping import Shaped

from core.routing.logs.counts import NAMES, load_of_counts
from core.routing.logs.headers import PICKLE, PICKLED, bytes_of, npy_header
from core.routing.logs.log import LogError, RoutingLog, Source
from core.routing.logs.packing import Packing, Reading, whole_numbers
from core.routing.logs.tensors import IDS, MASK, from_logits

Take = Callable[[str], Shaped[np.ndarray, "..."]]

#: Names of arrays of experts, (token, layer, slot); the first is that of an array without a name.
EXPERTS = ("routed_experts", "topk_ids", "topk_indices", "selected_experts", "expert_ids", "experts")


def read_safetensors(path: Path, reading: Reading) -> RoutingLog:
    """Return the log of a safetensors file; see ``from_arrays`` for what lies in it. Its metadata may say ``top_k``.

    Raises:
        LogError: a damaged file, or one without routing.
    """
    from safetensors import SafetensorError, safe_open

    with ExitStack() as stack:
        try:
            file = stack.enter_context(safe_open(path, framework="pt"))
        except (SafetensorError, OSError) as error:
            raise LogError(f"{path.name} is no whole safetensors file ({error})") from error
        parts = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118
        shapes = {name: tuple(part.get_shape()) for name, part in parts.items()}
        whole = {name: str(part.get_dtype()).startswith(("I", "U")) for name, part in parts.items()}
        metadata_top_k = (file.metadata() or {}).get("top_k", "")
        if reading.top_k is None and metadata_top_k.isdecimal():
            reading = replace(reading, top_k=int(metadata_top_k))

        def take(name: str) -> Shaped[np.ndarray, "..."]:
            tensor = file.get_tensor(name)
            return (tensor.float() if tensor.is_floating_point() else tensor).numpy()

        return from_arrays(shapes, whole, take, reading, path.name, "safetensors")


def read_npz(path: Path, reading: Reading) -> RoutingLog:
    """Return the log of an npz file; see ``from_arrays`` for what lies in it. Nothing in it is unpickled.

    Raises:
        LogError: a damaged file, one without routing, or arrays larger than the limit.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                with archive.open(entry) as member:
                    if member.read(len(PICKLE)) == PICKLE:
                        raise LogError(f"{path.name} is no npz: {PICKLED}")
                    member.seek(0)
                    reading.check_size(bytes_of(*npy_header(member, f"{path.name}, {entry.filename}")), path.name)
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except LogError:
        raise
    except (ValueError, OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise LogError(f"{path.name} is no whole npz of numbers ({error})") from error
    shapes = {name: array.shape for name, array in arrays.items()}
    whole = {name: array.dtype.kind in "iu" for name, array in arrays.items()}
    return from_arrays(shapes, whole, arrays.__getitem__, reading, path.name, "npz")


def read_npy(path: Path, reading: Reading) -> RoutingLog:
    """Return the log of a single array: experts where it holds whole numbers, else router logits.

    Raises:
        LogError: a damaged file, another number of axes, or an array larger than the limit.
    """
    with path.open("rb") as file:
        shape, dtype = npy_header(file, path.name)
        reading.check_size(bytes_of(shape, dtype), path.name)
        size, held = bytes_of(shape, dtype), path.stat().st_size - file.tell()
    if size != held:
        raise LogError(f"{path.name}: {shape} of {dtype} are {size} bytes, not {held}; a log that was cut off ends so")
    whole = dtype.kind in "iu"
    if len(shape) not in (3, 4):
        raise LogError(
            f"{path.name} is an array with {len(shape)} axes. Experts are (token, layer, slot), and router "
            "logits (layer, "
            "token, expert). Save counts of (layer, expert) as npz under the name counts"
        )
    name = EXPERTS[0] if whole else "router_logits"
    array = np.load(path, allow_pickle=False)
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
        take: an array by name.
        kind: of the file.

    Raises:
        LogError: none of these, axes that do not fit what was given, or what the readers of each refuse.
    """
    for name in NAMES:
        if whole.get(name) and len(shapes[name]) in (2, 3):
            counts = take(name).astype(np.int64)
            assumed = []
            if counts.ndim == 3:
                assumed.append(f"{name} is taken for (step, layer, expert): its {len(counts):,} steps are added.")
                counts = counts.sum(axis=0)
            if not counts.size or int(counts.min()) < 0:
                raise LogError(f"{file}: {name} has counts of 0 or more, and at least one")
            source = Source(kind, f"counts of experts, {name}", file)
            return load_of_counts(counts, range(len(counts)), reading, source, assumed)
    for name in EXPERTS:
        if whole.get(name) and len(shapes[name]) in (3, 4):
            return _of_experts(take(name), shapes, take, reading, Source(kind, f"experts, {name}", file))
    layered = {
        int(numbers[-1]): name
        for name, shape in shapes.items()
        if name not in (MASK, IDS) and whole[name] and len(shape) == 2 and (numbers := re.findall(r"\d+", name))
    }
    if layered and not any(not whole[name] for name in shapes):
        if len({tuple(shapes[name]) for name in layered.values()}) != 1:
            raise LogError(
                f"{file}: layers have different numbers of tokens or slots; they are (token, slot) of all layers"
            )
        order = sorted(layered)
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
    """Return the log of experts with 3 or 4 axes, whose order ``reading.layers`` or ids of tokens may tell."""
    if not experts.size:
        raise LogError(f"{source.file}: the array of experts is empty; at least one token is read")
    batched = experts.ndim == 4
    tokens = int(np.prod(shapes[IDS])) if IDS in shapes else None
    front, behind = experts.shape[0], experts.shape[-2]
    if reading.layers is not None and reading.layers not in (front, behind):
        raise LogError(
            f"{source.file}: experts are {' x '.join(map(str, experts.shape))}, and neither {front} nor "
            f"{behind} is the "
            f"{reading.layers} layers that were given (--layers)"
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
    for at, (block, real) in enumerate(zip(table, mask, strict=True)):
        if real.any():
            token_ids = None if ids is None else ids.reshape(mask.shape)[at][real]
            packing.add(block[real], str(at), source.file, token_ids=token_ids)
    if batched and MASK not in shapes:
        axes += f" There is no {MASK}: all tokens are counted, padding too."
    return packing.done(source, assumed=[axes])


def _flat(shapes: Mapping[str, Sequence[int]], take: Take, count: int) -> Shaped[np.ndarray, " token"] | None:
    return (
        whole_numbers(take(IDS).reshape(-1), 1, IDS) if IDS in shapes and int(np.prod(shapes[IDS])) == count else None
    )
