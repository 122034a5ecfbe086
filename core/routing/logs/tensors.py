"""Router logits that were saved from a forward pass: safetensors, and npz of numpy."""

import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float32, Int64, Shaped

from core.routing.logs.headers import PICKLE, PICKLED, bytes_of, npy_header
from core.routing.logs.log import MARGINS, LogError, RoutingLog, Source
from core.routing.logs.packing import Packing, Reading

Logits = Float32[np.ndarray, "token expert"]

#: What lies beside logits: which tokens are no padding, and their ids.
MASK, IDS = "attention_mask", "input_ids"
#: Tokens of a layer whose experts are chosen at once.
_BLOCK = 8_192


def read_safetensors(path: Path, reading: Reading) -> RoutingLog:
    """The log of router logits in a safetensors file; see ``from_logits`` for what lies in it.

    Its metadata may say ``top_k``.

    Raises:
        LogError: a damaged file, or one without router logits.
    """
    from safetensors import SafetensorError, safe_open

    with ExitStack() as stack:
        try:
            file = stack.enter_context(safe_open(path, framework="pt"))
        except (SafetensorError, OSError) as error:
            raise LogError(f"{path.name} is no whole safetensors file ({error})") from error
        shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
        said = (file.metadata() or {}).get("top_k", "")
        if reading.top_k is None and said.isdecimal():
            reading = replace(reading, top_k=int(said))

        def take(name: str) -> Shaped[np.ndarray, "..."]:
            tensor = file.get_tensor(name)
            return (tensor.float() if tensor.is_floating_point() else tensor).numpy()

        return from_logits(shapes, take, reading, Source("safetensors", "router logits", path.name))


def read_npz(path: Path, reading: Reading) -> RoutingLog:
    """The log of router logits in an npz file; see ``from_logits`` for what lies in it. Nothing in it is unpickled.

    Raises:
        LogError: a damaged file, one without router logits, or arrays larger than the limit.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            for each in archive.infolist():
                with archive.open(each) as member:
                    if member.read(len(PICKLE)) == PICKLE:
                        raise LogError(f"{path.name} is no npz: {PICKLED}")
                    member.seek(0)
                    reading.check_size(bytes_of(*npy_header(member, f"{path.name}, {each.filename}")), path.name)
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except LogError:
        raise
    except (ValueError, OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise LogError(f"{path.name} is no whole npz of numbers ({error})") from error
    shapes = {name: array.shape for name, array in arrays.items()}
    return from_logits(shapes, arrays.__getitem__, reading, Source("npz", "router logits", path.name))


def from_logits(
    shapes: Mapping[str, Sequence[int]],
    take: Callable[[str], Shaped[np.ndarray, "..."]],
    reading: Reading,
    source: Source,
) -> RoutingLog:
    """The log of router logits, of which each token takes the ``top_k`` largest at each layer.

    transformers gives ``router_logits`` as a tuple with an entry a layer that routes, each (batch x sequence, expert)
    (``MoeModelOutputWithPast``, 5.23), or (batch, sequence, expert) for Switch. How people name them in a file is no
    standard; that part of the layout is unverified: entries whose names end with a number, which is the layer's index,
    or one array ``router_logits`` of (layer, token, expert) or (layer, batch, sequence, expert). ``attention_mask`` and
    ``input_ids`` of (batch, sequence) beside them are used.

    Weights are the softmax over all experts, which not every model weighs by. Where no entry is negative and those of
    every token sum to 1, they are taken for probabilities, which is noted: the margin is then of probabilities.

    Args:
        shapes: name -> shape of every array.
        take: an array by name.

    Raises:
        LogError: no router logits, layers that do not fit each other, NaN, or ``top_k`` not given.
    """
    if reading.top_k is None:
        raise LogError(f"{source.file}: logits do not say how many experts a token takes; give it as top_k (--top-k)")
    layers = _layers_in(shapes, source.file)
    batch, there = _batch(shapes, take, layers, source.file)
    parts: tuple[list[np.ndarray], ...] = ([], [], [])
    size, probabilities = 0, True
    for index, (_, get) in sorted(layers.items()):
        logits = get(take)
        where = f"{source.file}, layer {index}"
        _check(logits, where, reading)
        logits = logits if there is None else logits[there]
        found = [_choice(logits[at : at + _BLOCK], reading.top_k) for at in range(0, len(logits), _BLOCK)]
        if not found or (parts[0] and len(logits) != len(parts[0][0])):
            raise LogError(f"{where} has {len(logits)} tokens; layers have as many, and at least one")
        probabilities = probabilities and all(each[3] for each in found)
        for place, part in enumerate(parts):
            part.append(np.concatenate([each[place] for each in found]))
            size += part[-1].nbytes
        reading.check_size(size, where)
    return _log(layers, parts, probabilities, _rows(batch, there), _ids(shapes, take, there), reading, source)


Taken = Callable[[Callable[[str], Shaped[np.ndarray, "..."]]], Logits]


def _layers_in(shapes: Mapping[str, Sequence[int]], file: str) -> dict[int, tuple[Sequence[int], Taken]]:
    """Index of a layer -> the shape of its logits, and what takes them."""

    def whole(name: str) -> Taken:
        return lambda take: take(name).reshape(-1, shapes[name][-1])

    def part(name: str, layer: int) -> Taken:
        return lambda take: take(name)[layer].reshape(-1, shapes[name][-1])

    stacked = [name for name in ("router_logits", "logits") if len(shapes.get(name, ())) in (3, 4)]
    if stacked:
        shape = shapes[stacked[0]]
        return {layer: (shape[1:], part(stacked[0], layer)) for layer in range(shape[0])}
    found: dict[int, tuple[Sequence[int], Taken]] = {}
    for name, shape in shapes.items():
        numbers = re.findall(r"\d+", name)
        if name in (MASK, IDS) or len(shape) not in (2, 3) or not numbers:
            continue
        if int(numbers[-1]) in found:
            raise LogError(f"{file}: {name} is of layer {numbers[-1]}, as another is; one array a layer")
        found[int(numbers[-1])] = (shape, whole(name))
    if not found:
        raise LogError(
            f"{file} has {', '.join(list(shapes)[:5]) or 'nothing'}; router logits are an array router_logits of "
            "(layer, token, expert), or arrays of (token, expert) whose names end with the layer's number "
            "(router_logits.3)"
        )
    if len({shape[-1] for shape, _ in found.values()}) != 1:
        raise LogError(f"{file}: layers have different numbers of experts, which is not read")
    return found


def _batch(
    shapes: Mapping[str, Sequence[int]],
    take: Callable[[str], Shaped[np.ndarray, "..."]],
    layers: Mapping[int, tuple[Sequence[int], Taken]],
    file: str,
) -> tuple[tuple[int, int], Bool[np.ndarray, " token"] | None]:
    """How many sequences and tokens of each there are, padding counted, and which of all are no padding."""
    shape = next(iter(layers.values()))[0]
    tokens = int(np.prod(shape[:-1]))
    sides = (int(shape[0]), int(shape[1])) if len(shape) == 3 else (1, tokens)
    for name in (MASK, IDS):
        if name in shapes:
            sides = (int(shapes[name][0]), int(np.prod(shapes[name][1:])))
            if sides[0] * sides[1] != tokens:
                raise LogError(f"{file}: {name} is of {sides[0]} x {sides[1]} tokens, and logits of {tokens}")
    return sides, take(MASK).reshape(-1).astype(bool) if MASK in shapes else None


def _check(logits: Logits, where: str, reading: Reading) -> None:
    assert reading.top_k is not None
    if logits.dtype.kind != "f":
        raise LogError(f"{where}: logits are fractions, not {logits.dtype}")
    if reading.experts not in (None, logits.shape[1]) or logits.shape[1] < reading.top_k:
        said = reading.top_k if logits.shape[1] < reading.top_k else reading.experts
        raise LogError(f"{where} has {logits.shape[1]} experts, and {said} were given")
    wrong = np.isnan(logits).any(axis=1) | np.isposinf(logits).any(axis=1)
    if wrong.any():
        raise LogError(f"{where}: token {int(np.argmax(wrong))} has a logit that is NaN or infinite")
    if (np.isfinite(logits).sum(axis=1) < reading.top_k).any():
        raise LogError(f"{where}: a token has fewer than {reading.top_k} experts whose logit is finite")


def _choice(logits: Logits, top_k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
    """Experts and weights (token, slot), the largest first, margins (token,), and whether logits are probabilities."""
    logits = logits.astype(np.float32)
    sums = bool((logits >= 0).all() and np.allclose(logits.sum(axis=1), 1, atol=1e-2))
    order = np.argsort(-logits, axis=1, kind="stable")[:, : top_k + 1]
    best = np.take_along_axis(logits, order, axis=1)
    shares = logits
    if not sums:
        shares = np.exp(logits - best[:, :1])
        shares /= shares.sum(axis=1, keepdims=True)
    margin = np.full(len(logits), np.nan, dtype=np.float32)
    if logits.shape[1] > top_k:
        margin = best[:, top_k - 1] - best[:, top_k]
        margin[~np.isfinite(margin)] = np.nan
    weights = np.take_along_axis(shares, order[:, :top_k], axis=1)
    return order[:, :top_k].astype(np.int16), weights.astype(np.float16), margin, sums


def _rows(batch: tuple[int, int], there: Bool[np.ndarray, " token"] | None) -> Int64[np.ndarray, " token"]:
    """Which sequence every token is of."""
    found = np.repeat(np.arange(batch[0]), batch[1])
    return found if there is None else found[there]


def _ids(
    shapes: Mapping[str, Sequence[int]],
    take: Callable[[str], Shaped[np.ndarray, "..."]],
    there: Bool[np.ndarray, " token"] | None,
) -> Int64[np.ndarray, " token"] | None:
    if IDS not in shapes:
        return None
    ids = take(IDS).reshape(-1).astype(np.int64)
    return ids if there is None else ids[there]


def _log(
    layers: Mapping[int, tuple[Sequence[int], Taken]],
    parts: tuple[list[np.ndarray], ...],
    probabilities: bool,
    rows: Int64[np.ndarray, " token"],
    ids: Int64[np.ndarray, " token"] | None,
    reading: Reading,
    source: Source,
) -> RoutingLog:
    experts, weights = (np.stack(each, axis=1) for each in parts[:2])
    margin = np.stack(parts[2], axis=1)
    count = int(next(iter(layers.values()))[0][-1])
    packing = Packing(replace(reading, experts=count))
    for own in np.unique(rows):
        part = slice(*np.searchsorted(rows, (own, own + 1)))
        packing.add(
            experts[part], str(own), source.file, weights=weights[part].astype(np.float32), margin=margin[part],
            token_ids=None if ids is None else ids[part],
        )  # fmt: skip
    notes = ["Weights are a softmax over all experts, which not every model weighs by."]
    if probabilities:
        notes = ["What was saved are probabilities, not logits: margins are of probabilities."]
    return packing.done(source, notes, sorted(layers), margin_of=MARGINS[int(probabilities)])
