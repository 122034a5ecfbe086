"""Similarity of two experts' outputs: their cosine, over tokens that take both.

It is observed: no expert runs on a token that it does not get, so pairs that no token takes have no number. An expert's
weight for a token does not change a cosine; muted experts have no output, and no number.

Symbols: L layers, E experts of the largest layer, N texts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Float32, Int32, Int64
from torch import Tensor

from routescope.data.dataset import LabelledSamples
from routescope.nn.inputs.text import Text
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network
from routescope.nn.shown import short_repr
from routescope.routing.ablation import Ablation
from routescope.routing.intervention import Intervention
from routescope.routing.observed.experts import quantiles
from routescope.routing.running import inputs_of, pieces, run

FIELD = "contributions"
#: Texts of all data sets together, bytes of outputs that one pass may hold, and draws of texts for the intervals.
TEXTS, MOST_BYTES, DRAWS = 32, 2**28, 500
#: Figures of draws that are held at once.
MOST_DRAWN = 2**23


@dataclass(frozen=True, eq=False)
class OutputSimilarity:
    """Similarity of the outputs of every two experts.

    Attributes:
        texts: number of texts.
        tokens: tokens that take both.
        cosine: mean over these tokens, -1 to 1; NaN without any.
        low, high: 95 % interval, the bootstrap's over texts; NaN where a single text has such tokens.
    """

    texts: int
    tokens: Int64[np.ndarray, "L E E"]
    cosine: Float[np.ndarray, "L E E"]
    low: Float[np.ndarray, "L E E"]
    high: Float[np.ndarray, "L E E"]

    __repr__ = short_repr


class WrittenObserver:
    """Adds up cosines of outputs; an iteration is one batch of texts.

    Args:
        texts: of all data sets together; the first ones of each.
        pairs: whether every two experts are compared; otherwise nothing is.

    Attributes:
        lacking: the reason why outputs cannot be compared, as far as it is known before the first batch; None: they
            can.
    """

    def __init__(
        self,
        model: Network,
        datasets: Sequence[LabelledSamples],
        intervention: Intervention,
        *,
        texts: int = TEXTS,
        seed: int = 0,
        pairs: bool = True,
    ) -> None:
        assert isinstance(model, RoutedNetwork)
        self.model, self.datasets, self.intervention, self.seed = model, datasets, intervention, seed
        self.layers = model.routed_layers
        share = max(1, texts // len(datasets))
        self.counts = [min(len(dataset), share) for dataset in datasets]
        self.total, self.done, self.rows = sum(self.counts), 0, 0
        E = max(layer.experts for layer in self.layers)
        self.lacking: str | None = None
        if FIELD not in model.fields:
            self.lacking = "this model does not tell apart what its experts write"
        elif not pairs:
            self.lacking = "there are too many pairs of experts"
        self._sums: list[Float32[np.ndarray, "L E E"]] = []
        self._tokens: list[Int32[np.ndarray, "L E E"]] = []
        self._shape = len(self.layers), E, E

    def _bytes(self) -> int:
        """Return the bytes of the outputs of all experts for one text, 4 for each number."""
        view = self.intervention.structural.apply(self.model)
        with torch.no_grad(), view.capture((FIELD,)) as captured:
            view(Text(("ab",)))
        features = captured[FIELD][0][1].shape[-1]
        return 4 * features * len(view.tokens) * sum(layer.experts for layer in self.layers)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """(texts done, texts in all); nothing where it is ``lacking``."""
        if self.lacking is None:
            self.rows = MOST_BYTES // self._bytes()
            self.lacking = None if self.rows else "what all experts write is too much to hold at once"
        if self.lacking is not None:
            return
        for dataset, count in zip(self.datasets, self.counts, strict=True):
            ablation = Ablation(self.model, self.intervention, dataset, self.seed)
            size = min(self.rows, ablation.view.rows_at_once())
            for batch in run(ablation, inputs_of(self.model, dataset), pieces(count, size, size), (FIELD,), size):
                if batch is not None:
                    self._add([part.float().cpu() for part in batch.fields[FIELD]])
                yield self.done, self.total

    def _add(self, outputs: list[Float32[Tensor, "E n t C"]]) -> None:
        texts = outputs[0].shape[1]
        sums, tokens = (np.zeros((texts, *self._shape), kind) for kind in (np.float32, np.int32))
        for step, every in enumerate(outputs):
            E = len(every)
            norms = every.norm(dim=-1, keepdim=True)
            wrote = norms > 0  # not NaN, which stands at padding
            unit = torch.where(wrote, every / norms, 0).transpose(0, 1).flatten(2)
            present = wrote[..., 0].transpose(0, 1).float()
            sums[:, step, :E, :E] = unit @ unit.mT
            tokens[:, step, :E, :E] = present @ present.mT
        self._sums += list(sums)
        self._tokens += list(tokens)
        self.done += texts

    def result(self) -> OutputSimilarity | None:
        """Return the similarity, after the last batch; None where it is ``lacking``."""
        if self.lacking is not None:
            return None
        sums, tokens = np.stack(self._sums), np.stack(self._tokens)
        rng = np.random.default_rng(self.seed)
        draws = [np.bincount(rng.integers(0, self.done, self.done), minlength=self.done) for _ in range(DRAWS)]
        times = torch.from_numpy(np.stack(draws)).double()
        low, high = np.full(self._shape, np.nan), np.full(self._shape, np.nan)
        for step, several in enumerate((tokens > 0).sum(axis=0) > 1):
            pairs = np.stack(np.nonzero(np.triu(several)))  # a cosine is the same both ways
            for e, f in np.array_split(pairs, 1 + pairs.shape[1] * DRAWS // MOST_DRAWN, axis=1):
                drawn = (
                    times @ torch.from_numpy(sums_of_text[:, step, e, f]).double() for sums_of_text in (sums, tokens)
                )
                means = _means(*(values.numpy() for values in drawn))
                for bound, end in zip((low, high), quantiles(means), strict=True):
                    bound[step, e, f] = bound[step, f, e] = end
        total = tokens.sum(axis=0, dtype=np.int64)
        return OutputSimilarity(self.done, total, _means(sums.sum(axis=0, dtype=np.float64), total), low, high)


def _means(
    sums: Float[np.ndarray, "*some"], tokens: Float[np.ndarray, "*some"] | Int64[np.ndarray, "*some"]
) -> Float[np.ndarray, "*some"]:
    return np.divide(sums, tokens, out=np.full(sums.shape, np.nan), where=tokens > 0)
