"""Router logits saved from a forward pass, or the probabilities and scores that follow from them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from jaxtyping import Bool, Float32, Int16, Int64, Shaped

from routescope.routing.logs.log import MARGINS, LogError, RoutingLog, Source
from routescope.routing.logs.packing import Packing, Reading, check_table
from routescope.routing.logs.sentinels import MOST_EXPERTS

Logits = Float32[np.ndarray, "token expert"]

#: Arrays beside logits: which tokens are no padding, and their ids.
MASK, IDS = "attention_mask", "input_ids"
#: Tokens of a layer whose experts are chosen at once.
_BLOCK = 8_192
#: Largest distance from 1 of the sum of probabilities that were saved in 16 bits.
_CLOSE = 1e-2


def from_logits(
    shapes: Mapping[str, Sequence[int]],
    take: Callable[[str], Shaped[np.ndarray, "..."]],
    reading: Reading,
    source: Source,
) -> RoutingLog:
    """Return the log of router logits, in which each token takes the ``top_k`` largest at each layer.

    transformers gives ``router_logits`` as a tuple with an entry for each layer that routes, each (batch x sequence,
    expert) (``MoeModelOutputWithPast``, 5.23), or (batch, sequence, expert) for Switch. Names in files follow no
    standard; that part of the layout is unverified: entries whose names end with a number, which is the layer's index,
    or one array ``router_logits`` of (layer, token, expert) or (layer, batch, sequence, expert); where ``layers`` says
    so, of (token, layer, expert). ``attention_mask`` and ``input_ids`` of (batch, sequence) beside them are used.

    Weights are the softmax over all experts, which not every model weighs by. Entries that are all from 0 to 1 are
    taken for probabilities if those of every token sum to 1, else for sigmoid scores, which is noted: weights and
    margins are then of the entries.

    Args:
        shapes: name -> shape of every array.
        take: returns an array by name.

    Raises:
        LogError: no router logits, layers that do not fit each other, NaN, or ``top_k`` not given.
    """
    if reading.top_k is None:
        raise LogError(f"{source.file}: logits do not say how many experts a token takes; give it as top_k (--top-k)")
    layers, assumed = _layers_in(shapes, reading, source.file)
    check_table(len(layers), reading.top_k, source.file)
    batch, present = _batch(shapes, take, layers, source.file)
    choices: list[_Choice] = []
    size = 0
    for index, (_, get) in sorted(layers.items()):
        logits = get(take)
        where = f"{source.file}, layer {index}"
        _check(logits, where, reading)
        if present is not None and len(present) != len(logits):
            raise LogError(f"{where} has {len(logits):,} tokens, and {MASK} has {len(present):,}")
        logits = logits if present is None else logits[present]
        if not len(logits) or (choices and len(logits) != len(choices[0].experts)):
            raise LogError(f"{where} has {len(logits)} tokens; layers have as many, and at least one")
        choices.append(_Choice.of(logits, reading.top_k))
        size += choices[-1].nbytes
        reading.check_size(size, where)
    return _log(layers, choices, _rows(batch, present), _ids(shapes, take, present), reading, source, assumed)


def layer_of(name: str, file: str) -> int | None:
    """Return the layer's number at the end of a name; None without a number; raise LogError for too large numbers."""
    numbers = re.findall(r"\d+", name)
    if not numbers:
        return None
    if len(numbers[-1]) > 6:
        raise LogError(f"{file}: {name[:80]!r} is of layer {numbers[-1][:12]}...; layers are numbered below 1,000,000")
    return int(numbers[-1])


Taken = Callable[[Callable[[str], Shaped[np.ndarray, "..."]]], Logits]


def _layers_in(
    shapes: Mapping[str, Sequence[int]], reading: Reading, file: str
) -> tuple[dict[int, tuple[Sequence[int], Taken]], list[str]]:
    """Return layer -> shape of its logits and the function that takes them; and what was assumed of axes."""

    def whole(name: str) -> Taken:
        return lambda take: take(name).reshape(-1, shapes[name][-1])

    def part(name: str, layer: int, axis: int) -> Taken:
        return lambda take: np.take(take(name), layer, axis=axis).reshape(-1, shapes[name][-1])

    stacked = [name for name in ("router_logits", "logits") if len(shapes.get(name, ())) in (3, 4)]
    if stacked:
        shape = tuple(shapes[stacked[0]])
        axis = int(len(shape) == 3 and reading.layers not in (None, shape[0]) and reading.layers == shape[1])
        rest = shape[:axis] + shape[axis + 1 :]
        axes = ["layer", "token"] if len(shape) == 3 else ["layer", "batch", "token"]
        sentence = (
            f"Axes of {stacked[0]} are taken for "
            f"({', '.join([*(axes[::-1] if axis else axes), 'expert'])}): {shape[axis]:,} layers."
        )
        if len(shape) == 3 and shape[0] != shape[1]:
            sentence += f" For the other order give the number of layers (--layers {shape[1 - axis]})."
        check_table(shape[axis], 1, file)
        return {layer: (rest, part(stacked[0], layer, axis)) for layer in range(shape[axis])}, [sentence]
    layers: dict[int, tuple[Sequence[int], Taken]] = {}
    for name, sides in shapes.items():
        number = layer_of(name, file)
        if name in (MASK, IDS) or len(sides) not in (2, 3) or number is None:
            continue
        if number in layers:
            raise LogError(f"{file}: {name[:80]} is of layer {number}, as another is; one array a layer")
        layers[number] = (sides, whole(name))
    if not layers:
        names = ", ".join(name[:40] for name in list(shapes)[:5]) or "nothing"
        raise LogError(
            f"{file} has {names}; router logits are an array router_logits of (layer, token, expert), or arrays of "
            "(token, expert) whose names end with the layer's number (router_logits.3). Whole numbers are experts, "
            "routed_experts of (token, layer, slot), or counts of (layer, expert)"
        )
    if len({shape[-1] for shape, _ in layers.values()}) != 1:
        raise LogError(f"{file}: layers have different numbers of experts, which is not read")
    return layers, []


def _batch(
    shapes: Mapping[str, Sequence[int]],
    take: Callable[[str], Shaped[np.ndarray, "..."]],
    layers: Mapping[int, tuple[Sequence[int], Taken]],
    file: str,
) -> tuple[tuple[int, int], Bool[np.ndarray, " token"] | None]:
    """Return the numbers of sequences and of tokens of each, with padding, and which of all tokens are no padding."""
    shape = next(iter(layers.values()))[0]
    tokens = int(np.prod(shape[:-1]))
    sides = (int(shape[0]), int(shape[1])) if len(shape) == 3 else (1, tokens)
    for name in (MASK, IDS):
        if name in shapes:
            sides = (int(shapes[name][0]), int(np.prod(shapes[name][1:]))) if len(shapes[name]) == 2 else sides
            if (count := int(np.prod(shapes[name]))) != tokens:
                raise LogError(f"{file}: {name} is of {count:,} tokens, and logits of {tokens:,}")
    return sides, take(MASK).reshape(-1).astype(bool) if MASK in shapes else None


def _check(logits: Logits, where: str, reading: Reading) -> None:
    assert reading.top_k is not None
    if logits.shape[1] > MOST_EXPERTS:
        raise LogError(f"{where} has {logits.shape[1]:,} experts; up to {MOST_EXPERTS:,} are read")
    if logits.dtype.kind != "f":
        raise LogError(f"{where}: logits are fractions, not {logits.dtype}")
    if reading.experts not in (None, logits.shape[1]) or logits.shape[1] < reading.top_k:
        given = reading.top_k if logits.shape[1] < reading.top_k else reading.experts
        raise LogError(f"{where} has {logits.shape[1]} experts, and {given} were given")
    wrong = np.isnan(logits).any(axis=1) | np.isposinf(logits).any(axis=1)
    if wrong.any():
        raise LogError(f"{where}: token {int(np.argmax(wrong))} has a logit that is NaN or infinite")
    if (np.isfinite(logits).sum(axis=1) < reading.top_k).any():
        raise LogError(f"{where}: a token has fewer than {reading.top_k} experts whose logit is finite")


@dataclass(frozen=True, eq=False)
class _Choice:
    """Choices of the tokens of a layer, whether entries are logits or not.

    Attributes:
        experts: (token, slot), the largest first.
        entries: of these experts.
        whole: (token,), the logarithm of the sum of all exponentials.
        margin: (token,).
        low, high: the smallest and the largest entry.
        sums: the smallest and the largest sum of a token's entries.
    """

    experts: Int16[np.ndarray, "token slot"]
    entries: Float32[np.ndarray, "token slot"]
    whole: Float32[np.ndarray, " token"]
    margin: Float32[np.ndarray, " token"]
    low: float
    high: float
    sums: tuple[float, float]

    @property
    def nbytes(self) -> int:
        return self.experts.nbytes + self.entries.nbytes // 2 + self.margin.nbytes

    @classmethod
    def of(cls, logits: Logits, top_k: int) -> Self:
        """Choose, for a block of tokens at a time."""
        parts = [cls._block(logits[at : at + _BLOCK], top_k) for at in range(0, len(logits), _BLOCK)]
        experts, entries, whole, margin, sums = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        low, high = float(logits.min()), float(logits.max())
        return cls(experts, entries, whole, margin, low, high, (float(sums.min()), float(sums.max())))

    @staticmethod
    def _block(logits: Logits, top_k: int) -> tuple[np.ndarray, ...]:
        logits = logits.astype(np.float32)
        order = np.argsort(-logits, axis=1, kind="stable")[:, : top_k + 1]
        best = np.take_along_axis(logits, order, axis=1)
        whole = best[:, 0] + np.log(np.exp(logits - best[:, :1]).sum(axis=1))
        margin = np.full(len(logits), np.nan, dtype=np.float32)
        if logits.shape[1] > top_k:
            margin = best[:, top_k - 1] - best[:, top_k]
            margin[~np.isfinite(margin)] = np.nan
        return order[:, :top_k].astype(np.int16), best[:, :top_k], whole, margin, logits.sum(axis=1)


def _rows(batch: tuple[int, int], present: Bool[np.ndarray, " token"] | None) -> Int64[np.ndarray, " token"]:
    """Return the sequence of every token."""
    sequences = np.repeat(np.arange(batch[0]), batch[1])
    return sequences if present is None else sequences[present]


def _ids(
    shapes: Mapping[str, Sequence[int]],
    take: Callable[[str], Shaped[np.ndarray, "..."]],
    present: Bool[np.ndarray, " token"] | None,
) -> Int64[np.ndarray, " token"] | None:
    if IDS not in shapes:
        return None
    ids = take(IDS).reshape(-1).astype(np.int64)
    return ids if present is None else ids[present]


def _log(
    layers: Mapping[int, tuple[Sequence[int], Taken]],
    choices: Sequence[_Choice],
    rows: Int64[np.ndarray, " token"],
    ids: Int64[np.ndarray, " token"] | None,
    reading: Reading,
    source: Source,
    assumed: list[str],
) -> RoutingLog:
    experts = np.stack([choice.experts for choice in choices], axis=1)
    margin = np.stack([choice.margin for choice in choices], axis=1)
    between = all(choice.low >= 0 and choice.high <= 1 + _CLOSE for choice in choices)
    least, most = min(choice.sums[0] for choice in choices), max(choice.sums[1] for choice in choices)
    notes: list[str] = []
    if not between:
        notes.append("Weights assume a softmax over all experts; your model may differ.")
    elif 1 - _CLOSE <= least <= most <= 1 + _CLOSE:
        assumed.insert(0, "What was saved are probabilities, not logits: margins are of probabilities.")
    else:
        assumed.insert(
            0,
            "What was saved look like probabilities of each expert, such as sigmoid scores, not logits: all are from 0 "
            f"to 1, and those of a token sum to {least:.3g} to {most:.3g}. Weights are the scores, and margins are of "
            "them. A bias that the router adds before it chooses is not in the file.",
        )
    empty = sum(int((choice.entries[:, -1] <= 0).sum()) for choice in choices) if between else 0
    if empty:
        assumed.append(
            f"{empty:,} tokens x layers have fewer entries above 0 than the {reading.top_k} experts of a token: "
            "experts of weight 0 are among them. Give the experts a token takes (--top-k) to say otherwise."
        )
    count = int(next(iter(layers.values()))[0][-1])
    packing = Packing(replace(reading, experts=count))
    sequences, lengths = np.unique(rows, return_counts=True)
    weights = np.stack([choice.entries for choice in choices], axis=1)
    if not between:
        weights = np.exp(weights - np.stack([choice.whole for choice in choices], axis=1)[..., None])
    packing.add_all(
        experts, [str(sequence) for sequence in sequences.tolist()], lengths.tolist(), source.file,
        weights=weights, margin=margin, token_ids=ids,
    )  # fmt: skip
    return packing.done(source, notes, sorted(layers), margin_of=MARGINS[int(between)], assumed=assumed)
