"""Agreement of two routings: by layer, by token, and by the router's margin.

All of it is observed. A token's experts may differ at a layer because of a difference at an earlier layer, or at an
earlier token; ``began`` counts differences without any before at the same token.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float32, Int16, Int64

from routescope.nn.experts import NO_EXPERT
from routescope.nn.shown import html, short_repr, with_interval
from routescope.routing.caused.intervals import bootstrap_interval, cluster_interval, share_interval
from routescope.routing.interactive import Interactive, InteractiveFigure
from routescope.routing.logs import LogError, RoutingLog

#: Bins of the margin, with as many tokens each.
BINS = 10
#: Tokens whose sets are compared at once.
_BLOCK = 16_384

Interval = tuple[float, float]
Tokens = tuple[Int64[np.ndarray, " token"], Int64[np.ndarray, " token"]]
Layers = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class LayerAgreement:
    """Agreement of two routings at a layer; intervals are of 95 %, over sequences where there are several.

    Attributes:
        layer: its name.
        count: tokens with experts in both.
        same: the share of them with the same set of experts, and its interval.
        overlap: the mean share of common experts in the larger set, and its interval.
        began: of the tokens that agreed at every layer before, the share that differs here, and its interval.
        agreed: number of these tokens.
    """

    layer: str
    count: int
    same: float
    same_interval: Interval
    overlap: float
    overlap_interval: Interval
    began: float
    began_interval: Interval
    agreed: int


@dataclass(frozen=True)
class MarginBin:
    """Tokens and layers whose margin in A is from ``low`` to ``high``, and the share of them that differs."""

    low: float
    high: float
    count: int
    differ: float
    interval: Interval


@dataclass(frozen=True, eq=False)
class Comparison(Interactive):
    """Two routings of the same tokens.

    Attributes:
        names: of A and B.
        layers: names of the compared layers.
        same: (token, layer), whether the set of experts is the same.
        overlap: (token, layer), experts in common over those of the larger set.
        there: (token, layer), whether both have experts.
        sequence: (token,), the token's sequence in A; ``sequences`` are their names.
        places: positions of the tokens in A and in B.
        layer_places: positions of the layers in A and in B.
        margin: (token, layer), that of A; None where A has none.
        margin_of: "logits" or "probabilities".
        texts: texts of the tokens; None where the logs have none.
        notes: sentences that a reader of the figures needs, with the assumptions in reading A and B.
        nats: of every token of A and of B, given the tokens before it; None: not known of both.
    """

    names: tuple[str, str]
    layers: tuple[str, ...]
    same: Bool[np.ndarray, "token layer"]
    overlap: Float32[np.ndarray, "token layer"]
    there: Bool[np.ndarray, "token layer"]
    sequence: Int64[np.ndarray, " token"]
    sequences: tuple[str, ...]
    places: tuple[Int64[np.ndarray, " token"], Int64[np.ndarray, " token"]]
    layer_places: tuple[tuple[int, ...], tuple[int, ...]]
    margin: Float32[np.ndarray, "token layer"] | None
    margin_of: str
    texts: tuple[str, ...] | None
    notes: tuple[str, ...]
    nats: tuple[Float32[np.ndarray, " token_a"], Float32[np.ndarray, " token_b"]] | None = None

    __repr__ = short_repr

    def interactive_figure(self) -> InteractiveFigure:
        """Return the agreement of both, layer by layer."""
        from routescope.plots.widgets.data import comparison_figure

        return comparison_figure(self)

    def _repr_html_(self) -> str:
        """Return the agreement of every layer."""
        facts = {
            "A": self.names[0],
            "B": self.names[1],
            "tokens": len(self),
            "sequences": len(np.unique(self.sequence)),
        }
        rows = (
            (row.layer, with_interval(row.same, *row.same_interval), with_interval(row.overlap, *row.overlap_interval))
            for row in self.by_layer()
        )
        return html("Comparison, with 95 % intervals", facts, ("layer", "same experts", "overlap"), rows)

    def __len__(self) -> int:
        return len(self.same)

    @property
    def groups(self) -> Int64[np.ndarray, " token"] | None:
        """The sequence of every token, over which intervals are drawn; None for a single sequence."""
        return self.sequence if len(np.unique(self.sequence)) > 1 else None

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays, and about as many as its texts take."""
        arrays = (self.same, self.overlap, self.there, self.sequence, *self.places, self.margin)
        return sum(array.nbytes for array in arrays if array is not None) + 64 * len(self.texts or ())

    def place_of(self, token: int) -> int:
        """Return the position of a token of A among the compared ones; raise LogError where it was not compared."""
        at = np.flatnonzero(self.places[0] == token)
        if not len(at):
            raise LogError(f"token {token} of A was not compared: B has none in its place, or another one before it")
        return int(at[0])

    def first(self) -> Int16[np.ndarray, " token"]:
        """Return for each token the position of the first layer at which it differs; -1 where it differs at none."""
        differs = ~self.same & self.there
        return np.where(differs.any(axis=1), differs.argmax(axis=1), -1).astype(np.int16)

    def agreement(self) -> Float32[np.ndarray, " token"]:
        """Return for each token the share of layers with the same experts; NaN where none is logged in both."""
        count = self.there.sum(axis=1)
        with np.errstate(invalid="ignore"):
            return ((self.same & self.there).sum(axis=1) / np.where(count, count, np.nan)).astype(np.float32)

    def by_layer(self) -> tuple[LayerAgreement, ...]:
        """Return the agreement of both, layer by layer."""
        first, groups = self.first(), self.groups
        agreements = []
        for layer, name in enumerate(self.layers):
            present = self.there[:, layer]
            same, overlap = self.same[present, layer], self.overlap[present, layer]
            members = None if groups is None else groups[present]
            risk = present & ((first == -1) | (first >= layer))
            began = first[risk] == layer
            mean, low, high = bootstrap_interval(overlap) if members is None else cluster_interval(overlap, members)
            agreements.append(
                LayerAgreement(
                    name, int(present.sum()), _mean(same), _interval(same, members), mean, (low, high), _mean(began),
                    _interval(began, None if groups is None else groups[risk]), len(began),
                )
            )  # fmt: skip
        return tuple(agreements)

    def by_margin(self, bins: int = BINS) -> tuple[MarginBin, ...]:
        """Return how many tokens differ by the margin of A, over all layers, in bins of as many tokens each.

        Margins that many tokens have in common make fewer bins. Empty where A has no margins.

        Raises:
            ValueError: fewer bins than one.
        """
        if bins < 1:
            raise ValueError(f"there is at least one bin, not {bins}")
        if self.margin is None:
            return ()
        usable = self.there & np.isfinite(self.margin)
        margin, differs = self.margin[usable], ~self.same[usable]
        if not len(margin):
            return ()
        groups = None if self.groups is None else np.broadcast_to(self.groups[:, None], usable.shape)[usable]
        edges = np.unique(np.quantile(margin, np.linspace(0, 1, bins + 1)))
        of = np.clip(np.searchsorted(edges, margin, side="right") - 1, 0, max(len(edges) - 2, 0))
        margin_bins = []
        for number in range(max(len(edges) - 1, 1)):
            rows = of == number
            part = differs[rows]
            margin_bins.append(
                MarginBin(
                    float(edges[number]), float(edges[min(number + 1, len(edges) - 1)]), int(rows.sum()), _mean(part),
                    _interval(part, None if groups is None else groups[rows]),
                )
            )  # fmt: skip
        return tuple(margin_bins)

    def bits(self) -> dict[str, Any] | None:
        """Return bits a token in A and B, and their change where all experts agree and where some differ; None without
        ``nats``."""
        if self.nats is None:
            return None
        a, b = (nats[places] / np.log(2) for nats, places in zip(self.nats, self.places, strict=True))
        differs = self.first() >= 0
        changes = {
            name: {"tokens": int(rows.sum()), "mean_absolute_change": round(float(np.abs(b - a)[rows].mean()), 6)}
            for name, rows in (("same", ~differs), ("differ", differs))
            if rows.any()
        }
        return {"a": round(float(a.mean()), 6), "b": round(float(b.mean()), 6), **changes}

    def as_json(self) -> dict[str, Any]:
        """Return the figures by layer and by margin, and where tokens began to differ, as JSON has them."""
        first = self.first()
        present = self.there.any(axis=1)
        return {
            "a": self.names[0],
            "b": self.names[1],
            "tokens": len(self),
            "sequences": len(np.unique(self.sequence)),
            "interval_over": "tokens" if self.groups is None else "sequences",
            "same_at_every_layer": _number(_mean(first[present] == -1)),
            "layers": [
                {
                    "layer": agreement.layer,
                    "count": agreement.count,
                    "same": _number(agreement.same),
                    "same_interval": _numbers(agreement.same_interval),
                    "overlap": _number(agreement.overlap),
                    "overlap_interval": _numbers(agreement.overlap_interval),
                    "first_differs": int((first == layer).sum()),
                    "began": _number(agreement.began),
                    "began_interval": _numbers(agreement.began_interval),
                    "agreed_before": agreement.agreed,
                }
                for layer, agreement in enumerate(self.by_layer())
            ],
            "margin_of": self.margin_of if self.margin is not None else None,
            "margins": [
                {
                    "low": _number(margin_bin.low),
                    "high": _number(margin_bin.high),
                    "count": margin_bin.count,
                    "differ": _number(margin_bin.differ),
                    "interval": _numbers(margin_bin.interval),
                }
                for margin_bin in self.by_margin()
            ],
            "notes": list(self.notes),
        }


def _mean(values: Bool[np.ndarray, " token"]) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(value, 6)


def _numbers(values: Interval) -> list[float | None]:
    return [_number(value) for value in values]


def _interval(values: Bool[np.ndarray, " token"], groups: Int64[np.ndarray, " token"] | None) -> Interval:
    """Return Wilson's interval of a share, or that over sequences; (NaN, NaN) of nothing."""
    return share_interval(values, groups) if len(values) else (float("nan"), float("nan"))


def align(a: RoutingLog, b: RoutingLog) -> tuple[Tokens, Layers, list[str]]:
    """Pair layers by name and tokens by sequence and position.

    Sequences are paired by name where names are unique and shared, else in their order where there are as many. The
    tokens of a sequence are compared up to the first that differs: later tokens have another context. Where a log has
    neither ids nor texts of its tokens, they are taken to be the same.

    Raises:
        LogError: logs without a layer, a sequence or a token in common, of counts alone, or of models with different
            numbers of experts.
    """
    for name, log in (("A", a), ("B", b)):
        if log.counts is not None:
            raise LogError(
                f"{name}, {log.source.file}, has counts of tokens by layer and expert and no tokens; two routings are "
                "compared token by token. Give logs with tokens"
            )
    if a.num_experts != b.num_experts and not (a.counted or b.counted):
        raise LogError(
            f"A has {a.num_experts} experts a layer and B {b.num_experts}; two routings are compared of layers that "
            "have the same experts"
        )
    notes = list[str]()
    layers = _layers(a, b, notes)
    pairs = _sequences(a, b, notes)
    left, right, left_out = [], [], 0
    starts = [_starts(log) for log in (a, b)]
    for in_a, in_b in pairs:
        first, second = (slice(*at[sequence : sequence + 2]) for at, sequence in zip(starts, (in_a, in_b), strict=True))
        count = _shared(a, b, first, second)
        left.append(np.arange(first.start, first.start + count))
        right.append(np.arange(second.start, second.start + count))
        left_out += max(first.stop - first.start, second.stop - second.start) - count
    tokens = np.concatenate(left), np.concatenate(right)
    if not len(tokens[0]):
        raise LogError("A and B have no token in common: their sequences begin with different tokens")
    if left_out:
        notes.append(
            f"{left_out:,} tokens have different prefixes in the two logs, or are in one log only, and are skipped."
        )
    if not _known(a, b):
        notes.append("A log has neither ids nor texts of its tokens: they are taken to be the same in both.")
    if a.slots != b.slots:
        notes.append(f"A token takes {a.slots} experts in A and {b.slots} in B: no set can be the same.")
    return tokens, layers, notes


def _layers(a: RoutingLog, b: RoutingLog, notes: list[str]) -> Layers:
    shared = [name for name in a.layers if name in b.layers]
    if len(a.layers) == len(b.layers) and len(shared) < len(a.layers):
        notes.append(f"Layers are paired in their order: {a.layers[0]} is {b.layers[0]} in B.")
        return tuple(range(len(a.layers))), tuple(range(len(b.layers)))
    if not shared:
        raise LogError(f"A and B have no layer in common: {', '.join(a.layers[:5])} and {', '.join(b.layers[:5])}")
    if left_out := len(a.layers) + len(b.layers) - 2 * len(shared):
        notes.append(f"{left_out} layers are of one log alone and are left out.")
    return tuple(a.layers.index(name) for name in shared), tuple(b.layers.index(name) for name in shared)


def _sequences(a: RoutingLog, b: RoutingLog, notes: list[str]) -> list[tuple[int, int]]:
    places = {name: at for at, name in enumerate(b.sequences)}
    unique = len(places) == len(b.sequences) and len(set(a.sequences)) == len(a.sequences)
    pairs = [(at, places[name]) for at, name in enumerate(a.sequences) if name in places] if unique else []
    if pairs:
        if left_out := len(a.sequences) + len(b.sequences) - 2 * len(pairs):
            notes.append(f"{left_out:,} sequences are of one log alone and are left out.")
        return pairs
    if len(a.sequences) != len(b.sequences):
        raise LogError(
            f"A has {len(a.sequences)} sequences and B {len(b.sequences)}, and none of the same name: two routings are "
            "compared of the same sequences"
        )
    notes.append("Sequences are paired in their order, as their names differ.")
    return [(at, at) for at in range(len(a.sequences))]


def _starts(log: RoutingLog) -> list[int]:
    """Return the position of the first token of every sequence, and the number of tokens."""
    numbers = np.arange(len(log.sequences) + 1, dtype=log.sequence.dtype)  # of another type all tokens would be copied
    starts: list[int] = np.searchsorted(log.sequence, numbers).tolist()
    return starts


def _known(a: RoutingLog, b: RoutingLog) -> bool:
    ids = a.token_ids is not None and b.token_ids is not None
    return ids or (a.token_texts is not None and b.token_texts is not None)


def _shared(a: RoutingLog, b: RoutingLog, first: slice, second: slice) -> int:
    """Return how many tokens are the same from the start of two sequences."""
    count = min(first.stop - first.start, second.stop - second.start)
    if a.token_ids is not None and b.token_ids is not None:
        differ = np.flatnonzero(a.token_ids[first][:count] != b.token_ids[second][:count])
        return int(differ[0]) if len(differ) else count
    if a.token_texts is not None and b.token_texts is not None:
        pairs = zip(a.token_texts[first], b.token_texts[second], strict=False)
        return next((at for at, (text, other) in enumerate(pairs) if text != other), count)
    return count


def compare(
    a: RoutingLog,
    b: RoutingLog,
    names: tuple[str, str] = ("A", "B"),
    nats: tuple[Float32[np.ndarray, " token_a"], Float32[np.ndarray, " token_b"]] | None = None,
) -> Comparison:
    """Compare the experts of two routings for the same tokens; raises LogError as ``align``, or without experts.

    Args:
        nats: of every token of A and of B; None: not known of both.
    """
    (rows, others), layer_places, notes = align(a, b)
    layers, other_layers = layer_places
    parts = [
        _agreement(
            a.experts[rows[at : at + _BLOCK]][:, list(layers)],
            b.experts[others[at : at + _BLOCK]][:, list(other_layers)],
        )
        for at in range(0, len(rows), _BLOCK)
    ]
    same, overlap, present = (np.concatenate([part[part_index] for part in parts]) for part_index in range(3))
    if not present.any():
        raise LogError("no token has experts in both logs")
    if len(np.unique(a.sequence[rows])) == 1:
        notes.append("There is one sequence: intervals take its tokens to be independent, which they are not.")
    for line in dict.fromkeys((*a.assumed, *b.assumed)):
        sides = [side for side, log in (("A", a), ("B", b)) if line in log.assumed]
        notes.append(f"Assumed of {' and '.join(sides)}: {line}")
    return Comparison(
        names=names,
        layers=tuple(a.layers[layer] for layer in layers),
        same=same,
        overlap=overlap,
        there=present,
        sequence=a.sequence[rows].astype(np.int64),
        sequences=a.sequences,
        places=(rows, others),
        layer_places=layer_places,
        margin=None if a.margin is None else a.margin[rows][:, list(layers)],
        margin_of=a.margin_of,
        texts=None if a.text(0) is None else tuple(a.text(int(row)) or "" for row in rows),
        notes=tuple(notes),
        nats=nats,
    )


def _agreement(
    a: Int16[np.ndarray, "token layer slot"], b: Int16[np.ndarray, "token layer slot"]
) -> tuple[Bool[np.ndarray, "token layer"], Float32[np.ndarray, "token layer"], Bool[np.ndarray, "token layer"]]:
    """Return whether sets are the same, their overlap, and whether there are two; no expert is twice in a set."""
    sizes = (a != NO_EXPERT).sum(axis=2), (b != NO_EXPERT).sum(axis=2)
    present = (sizes[0] > 0) & (sizes[1] > 0)
    common = ((a[..., :, None] == b[..., None, :]).any(axis=3) & (a != NO_EXPERT)).sum(axis=2)
    largest = np.maximum(*sizes)
    overlap = np.where(present, common / np.maximum(largest, 1), 0).astype(np.float32)
    return present & (common == largest), overlap, present
