"""A routing log: the experts that each token took at each layer, without the model that routed it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float16, Float32, Int16, Int32, Int64

from routescope.files import DataError
from routescope.nn.experts import NO_EXPERT
from routescope.nn.shown import short_html, short_repr

#: Unit of ``margin``, the lead of the last chosen expert over the next: logits, or probabilities where those were
#: logged.
MARGINS = ("logits", "probabilities")
#: Rows that are checked at once.
_BLOCK = 65_536


class LogError(DataError):
    """A log that cannot be read or compared; the message says where, and what would be accepted."""


@dataclass(frozen=True)
class Source:
    """Origin of a log.

    Attributes:
        format: the program that wrote it, such as "vLLM".
        version: the recognised version of its layout, in words.
        file: its name, without the folder.
    """

    format: str
    version: str
    file: str

    def __str__(self) -> str:
        return f"{self.format} ({self.version})"


@dataclass(frozen=True, eq=False)
class RoutingLog:
    """Routing of some sequences, sparse: the experts that every token took.

    Attributes:
        source: its origin.
        layers: names of the layers that route, "l3" for the third; a log without numbers of layers counts those that
            route.
        indices: the same layers as the log numbers them, from 0.
        num_experts: experts of the largest layer.
        experts: (token, layer, slot), numbered from 0; ``NO_EXPERT`` where none was logged. Slots are in the log's
            order.
        sequence: (token,), position in ``sequences``; the tokens of a sequence follow each other.
        sequences: names.
        weights: (token, layer, slot), of the experts; 0 where there is none.
        margin: (token, layer), the last chosen expert's lead over the first that was not chosen; NaN: unknown.
        margin_of: one of ``MARGINS``.
        token_ids: (token,), as the tokenizer numbers them.
        token_texts: text of each token.
        counted: whether ``num_experts`` is only the largest number plus one.
        notes: sentences that a reader of the figures needs; those of ``assumed`` first.
        assumed: assumptions of the file's reader, in sentences that name the option to say otherwise.
        counts: (layer, expert), number of tokens, of a log with counts and no tokens; ``experts`` then has no token and
            no slot.

    Raises:
        LogError: arrays whose shapes do not fit, experts out of range or named twice by a token, weights that are not
            finite.
    """

    source: Source
    layers: tuple[str, ...]
    indices: tuple[int, ...]
    num_experts: int
    experts: Int16[np.ndarray, "token layer slot"]
    sequence: Int32[np.ndarray, " token"]
    sequences: tuple[str, ...]
    weights: Float16[np.ndarray, "token layer slot"] | None = None
    margin: Float32[np.ndarray, "token layer"] | None = None
    margin_of: str = MARGINS[0]
    token_ids: Int64[np.ndarray, " token"] | None = None
    token_texts: tuple[str, ...] | None = None
    counted: bool = False
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    counts: Int64[np.ndarray, "layer expert"] | None = None

    __repr__ = short_repr
    _repr_html_ = short_html

    def __post_init__(self) -> None:
        if self.counts is not None:
            self._check_counts(self.counts)
            return
        tokens, layers, slots = self.experts.shape
        if not tokens or not layers or not slots:
            raise LogError(f"a log has tokens, layers and experts; this one has {tokens} x {layers} x {slots}")
        fits = {
            "names of layers": len(self.layers) == len(self.indices) == layers,
            "sequence": self.sequence.shape == (tokens,),
            "weights": self.weights is None or self.weights.shape == self.experts.shape,
            "margin": self.margin is None or self.margin.shape == (tokens, layers),
            "token_ids": self.token_ids is None or self.token_ids.shape == (tokens,),
            "token_texts": self.token_texts is None or len(self.token_texts) == tokens,
        }
        if wrong := [name for name, fit in fits.items() if not fit]:
            raise LogError(f"{', '.join(wrong)} do not fit {tokens} tokens and {layers} layers")
        if not 0 <= int(self.sequence.min()) <= int(self.sequence.max()) < len(self.sequences):
            raise LogError(f"tokens are of sequences 0 to {len(self.sequences) - 1}")
        if (np.diff(self.sequence) < 0).any():
            raise LogError("the tokens of a sequence follow each other, sequence by sequence")
        if len(set(self.layers)) != layers:
            raise LogError(f"layers have names of their own, not {', '.join(self.layers)}")
        check_experts(self.experts, self.num_experts, "the log")
        if self.weights is not None:
            check_finite(self.weights, "the log")

    def _check_counts(self, counts: Int64[np.ndarray, "layer expert"]) -> None:
        layers = len(self.layers)
        if counts.shape != (layers, self.num_experts) or len(self.indices) != layers or not counts.size:
            raise LogError(f"counts are of {layers} layers x {self.num_experts} experts, not {counts.shape}")
        if self.experts.shape != (0, layers, 0) or len(self.sequence) or self.sequences:
            raise LogError("a load has counts, and neither tokens nor sequences")
        if int(counts.min()) < 0 or not counts.any():
            raise LogError("counts are 0 or more, and at least one is more")

    def __len__(self) -> int:
        return len(self.experts)

    @property
    def slots(self) -> int:
        """Most experts that a token takes; 0 in a log of counts."""
        return self.experts.shape[2]

    def unit(self, layer: int, expert: int) -> str:
        """Return the name of an expert: ``l3.e5``, numbered from 1."""
        return f"{self.layers[layer]}.e{expert + 1}"

    def usage(self) -> Int64[np.ndarray, "layer expert"]:
        """Return how many tokens took each expert, layer by layer."""
        if self.counts is not None:
            return self.counts
        counts = [
            np.bincount(taken[taken != NO_EXPERT], minlength=self.num_experts)
            for taken in (self.experts[:, layer] for layer in range(len(self.layers)))
        ]
        return np.stack(counts).astype(np.int64)

    def shares(self, rows: slice | Int64[np.ndarray, " row"]) -> Float32[np.ndarray, "row layer slot"]:
        """Return the share of each expert in a token's routing: its weight over the sum of the token's weights.

        Without weights, or with weights of 0 alone, the experts of a token have equal shares; an empty slot has 0.
        """
        taken = self.experts[rows] != NO_EXPERT
        alike = taken.astype(np.float32)
        weights = alike if self.weights is None else np.where(taken, self.weights[rows], 0).astype(np.float32)
        weights = np.where(weights.sum(axis=2, keepdims=True) > 0, weights, alike)
        total = weights.sum(axis=2, keepdims=True)
        return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)

    def rows_of(self, sequence: int) -> range:
        """Return the positions of the tokens of a sequence."""
        ends = np.array((sequence, sequence + 1), dtype=self.sequence.dtype)  # of another type all tokens are copied
        start, stop = np.searchsorted(self.sequence, ends)
        return range(int(start), int(stop))

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays, and about as many as its texts take."""
        arrays = (self.experts, self.sequence, self.weights, self.margin, self.token_ids)
        return sum(array.nbytes for array in arrays if array is not None) + 64 * len(self.token_texts or ())

    def missing(self) -> float:
        """Return the share of tokens and layers without any expert."""
        return float((self.experts == NO_EXPERT).all(axis=2).mean()) if len(self) else 0.0

    def text(self, token: int) -> str | None:
        """Return the text of a token, else its number; None where the log has neither."""
        if self.token_texts is not None:
            return self.token_texts[token]
        return None if self.token_ids is None else str(self.token_ids[token])


def check_experts(experts: Int16[np.ndarray, "token layer slot"], count: int | None, where: str) -> None:
    """Check that ids are in range, and no token takes an expert twice at a layer; raises LogError otherwise.

    Args:
        count: number of experts; None: unknown.
        where: position in the log, for the message.
    """
    for start in range(0, len(experts), _BLOCK):
        block = experts[start : start + _BLOCK]
        if count is not None and int(block.max(initial=NO_EXPERT)) >= count:
            token, layer, _ = np.argwhere(block >= count)[0]
            raise LogError(
                f"{where}: token {start + token} takes expert {int(block[token, layer].max())} at layer {layer}; there "
                f"are {count}, numbered from 0"
            )
        if int(block.min(initial=0)) < NO_EXPERT:
            raise LogError(f"{where}: expert {int(block.min())}; they are numbered from 0, and {NO_EXPERT} is none")
        ordered = np.sort(block, axis=2)
        twice = (ordered[:, :, 1:] == ordered[:, :, :-1]) & (ordered[:, :, 1:] != NO_EXPERT)
        if twice.any():
            token, layer, slot = np.argwhere(twice)[0]
            raise LogError(
                f"{where}: token {start + token} takes expert {ordered[token, layer, slot]} twice at layer {layer}; a "
                "token takes an expert once"
            )


def check_finite(values: Float16[np.ndarray, "token layer slot"], where: str) -> None:
    """Raise LogError where a weight, (token, layer, slot), is NaN or infinite."""
    wrong = ~np.isfinite(values)
    if wrong.any():
        token = np.argwhere(wrong)[0][0]
        raise LogError(f"{where}: a weight of token {token} is NaN or infinite; weights are finite numbers")


def load_log(
    source: Source,
    counts: Int64[np.ndarray, "layer expert"],
    indices: Sequence[int],
    layers: Sequence[str],
    *,
    counted: bool,
    assumed: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> RoutingLog:
    """Return the log of counts (layer, expert), without tokens; raises LogError for counts below 0, or all 0.

    Args:
        indices, layers: numbers of the layers, from 0, and their names.
        counted: whether the number of experts is only the largest number plus one.
    """
    return RoutingLog(
        source=source,
        layers=tuple(layers),
        indices=tuple(indices),
        num_experts=counts.shape[1],
        experts=np.zeros((0, len(layers), 0), dtype=np.int16),
        sequence=np.zeros(0, dtype=np.int32),
        sequences=(),
        counted=counted,
        notes=(*assumed, *notes),
        assumed=tuple(assumed),
        counts=counts.astype(np.int64),
    )
