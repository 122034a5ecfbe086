"""Load of the experts of every layer over texts: dead experts, domains and tokens that use each, and their likeness.

All of it is observed; dropping an expert measures how much it matters (:mod:`routescope.routing.caused`). A token
counts once for each expert that it takes, whatever the weight; padding counts nowhere.

Symbols: L layers, E experts of the largest layer (0 where a layer has fewer), D domains, N texts, K experts of a token.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int64

from routescope.data.samples import Samples
from routescope.nn.experts import RoutedLayer
from routescope.nn.mixture.routed import RoutedNetwork
from routescope.nn.network import Network
from routescope.nn.shown import html, short_repr
from routescope.routing.interactive import Interactive, InteractiveFigure
from routescope.routing.intervention import Intervention
from routescope.routing.observed.expert_outputs import OutputSimilarity, WrittenObserver
from routescope.routing.observed.experts import are_few
from routescope.routing.observed.measures import entropy, shares, specialisation, specialisation_null
from routescope.routing.observed.token_kinds import KindCounter, TokenKinds
from routescope.routing.progress import PieceRunner, Progress, at_once, in_turns
from routescope.routing.running import Routed, inputs_of, left_out_of, routed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIELDS = ("top_experts", "top_weights")
LEVEL = 0.95
COUNTING, SHUFFLING = "Counting who takes which expert", "Computing the shuffled baseline"
#: Seconds of counting before the first counts are told.
FIRST_COUNTS = 0.5


@dataclass(frozen=True)
class Exemplar:
    """A token that an expert has much weight for.

    Attributes:
        unit: the expert.
        set, sample, token: position of its data set among those observed, of the text in it, of the token in the text.
        weight: the expert's share of the token's routing.
    """

    unit: str
    set: int
    sample: int
    token: int
    weight: float


@dataclass(frozen=True, eq=False)
class Load(Interactive):
    """Observed load of experts.

    Attributes:
        layers, domains: names along L and D.
        texts, tokens: numbers of counted texts and tokens.
        tokens_left_out, bytes_left_out: cut from the end of texts that are longer than the context.
        chosen: tokens that took an expert, by domain.
        weight: sums of the experts' shares of tokens' routing.
        together: tokens that took both of two experts; None where pairs were not compared.
        token_entropy: mean entropy of a token's shares, in nats: 0 where one expert has all its weight.
        specialised: mutual information of expert and domain over the smaller entropy, 0 to 1; NaN for a single domain.
        null, null_high: mean and 95 % quantile of the same with the domains of texts shuffled; NaN as above.
        low, high: ends of 95 % of the shuffles of p(expert | domain); NaN, as the nulls, before there are any.
        exemplars: by expert, the best first, one from each text.
        by_token: experts that kinds of tokens take; None where they were not counted.
        written: similarity of the experts' outputs; None where that is ``unwritten``, or was not computed.
        unwritten: the reason why outputs could not be compared.
    """

    layers: tuple[RoutedLayer, ...]
    domains: tuple[str, ...]
    texts: int
    tokens: int
    chosen: Float[np.ndarray, "L E D"]
    weight: Float[np.ndarray, "L E"]
    together: Float[np.ndarray, "L E E"] | None
    token_entropy: Float[np.ndarray, " L"]
    specialised: Float[np.ndarray, " L"]
    null: Float[np.ndarray, " L"]
    null_high: Float[np.ndarray, " L"]
    low: Float[np.ndarray, "L E D"]
    high: Float[np.ndarray, "L E D"]
    exemplars: tuple[Exemplar, ...]
    by_token: TokenKinds | None = None
    written: OutputSimilarity | None = None
    unwritten: str | None = None
    tokens_left_out: int = 0
    bytes_left_out: int = 0

    __repr__ = short_repr

    def _repr_html_(self) -> str:
        """Return the balance of every layer."""
        facts = {"texts": self.texts, "tokens": self.tokens, "domains": ", ".join(self.domains)}
        rows = (
            (
                layer.name,
                layer.experts,
                self.effective[at],
                self.load[at].max() * layer.experts,
                ", ".join(self.dead[at]),
            )
            for at, layer in enumerate(self.layers)
        )
        return html("Load", facts, ("layer", "experts", "used alike", "most over mean", "never taken"), rows)

    def plot(self, name: str = "load", layer: str | None = None, axes: "Axes | None" = None) -> "Axes":
        """Draw one table: experts by layer ("load", "balance"), or a matrix of one layer, the first one by default.

        Raises:
            ValueError: no such layer, or a table without a picture; the message lists the names.
        """
        from routescope.plots.experts import draw

        return draw(self, name, layer, axes)

    def interactive_figure(self) -> InteractiveFigure:
        """Return the load of every layer, and of a chosen layer by data set."""
        from routescope.plots.widgets.data import load_figure

        return load_figure(self)

    @cached_property
    def load(self) -> Float[np.ndarray, "L E"]:
        """Share of a layer's choices that each expert has."""
        return shares(self.chosen.sum(axis=2))

    @cached_property
    def of_domain(self) -> Float[np.ndarray, "L E D"]:
        """p(expert | domain): share of the choices of a domain's tokens; 0 for a domain without any."""
        return np.moveaxis(shares(np.moveaxis(self.chosen, 2, 1)), 1, 2)

    @cached_property
    def effective(self) -> Float[np.ndarray, " L"]:
        """exp(H) of the load: the number of experts that, used alike, would have the same entropy."""
        return np.exp(entropy(self.load))

    @cached_property
    def dead(self) -> tuple[tuple[str, ...], ...]:
        """Names, layer by layer, of the experts that no token took."""
        never = self.chosen.sum(axis=2) == 0
        return tuple(
            tuple(unit for unit, none in zip(layer.units, row, strict=False) if none)
            for layer, row in zip(self.layers, never, strict=True)
        )

    @cached_property
    def lift(self) -> Float[np.ndarray, "L E E"] | None:
        """Joint use of two experts over that expected by chance; NaN without use of both, None without pairs."""
        if self.together is None:
            return None
        alone = np.einsum("lee->le", self.together)
        expected = alone[:, :, None] * alone[:, None, :] / max(1, self.tokens)
        undefined = np.full_like(self.together, np.nan)
        return np.divide(self.together, expected, out=undefined, where=expected > 0)


class LoadObserver:
    """Counts the choices of tokens; an iteration is one batch, in as many texts as the network computes at once.

    Two more iterations may follow, each over everything: ``kinds`` shuffles tokens, ``written`` runs some of the texts
    again. ``result`` completes them.

    Args:
        datasets: of texts, each of a domain of the network.
        exemplars: number for each expert at most.
        shuffles: of the domains of texts, and of tokens, for the nulls.
        pairs: whether every two experts are compared, which takes much memory for many experts; None: where
            ``are_few``.

    Attributes:
        kinds: of tokens; an iteration is one shuffle.
        written: similarity of outputs; an iteration is one batch.

    Raises:
        ValueError: a network without routed experts, or no data set.
    """

    def __init__(
        self,
        model: Network,
        datasets: Sequence[Samples],
        *,
        intervention: Intervention | None = None,
        exemplars: int = 6,
        shuffles: int = 200,
        seed: int = 0,
        pairs: bool | None = None,
    ) -> None:
        if not isinstance(model, RoutedNetwork):
            raise ValueError("load of experts is observed of networks whose tokens take the best of many experts")
        if not datasets or exemplars < 1 or shuffles < 1:
            raise ValueError("observe at least one data set, with at least one exemplar and one shuffle")
        self.model, self.datasets, self.shuffles, self.seed = model, list(datasets), shuffles, seed
        self.intervention = intervention or Intervention()
        self.layers: tuple[RoutedLayer, ...] = model.routed_layers
        self.domains = tuple(dict.fromkeys(dataset.domain for dataset in datasets))
        self.total, self.done, self.tokens = sum(map(len, datasets)), 0, 0
        L, E = len(self.layers), max(layer.experts for layer in self.layers)
        self._counts: list[np.ndarray] = []  # (text, L, E) each
        self._domains: list[int] = []
        pairs = are_few(L, E) if pairs is None else pairs
        self._weight, self._together = np.zeros((L, E)), np.zeros((L, E, E)) if pairs else None
        self._entropy, self._most = np.zeros(L), exemplars
        self._best = np.zeros((L, E, exemplars))
        self._place = np.full((L, E, exemplars, 3), -1, np.int64)
        self.kinds = KindCounter(L, E, shuffles, seed, pairs)
        self.written = WrittenObserver(model, self.datasets, self.intervention, seed=seed, pairs=pairs)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """(texts done, texts in all)."""
        for at, dataset in enumerate(self.datasets):
            for batch in routed(self.model, dataset, len(dataset), self.intervention, FIELDS, self.seed):
                if batch is not None:
                    self._add(at, self.domains.index(dataset.domain), batch)
                    self._add_kinds(dataset, batch)
                yield self.done, self.total

    def _add(self, at: int, domain: int, batch: Routed) -> None:
        E = self._weight.shape[1]
        counts = np.zeros((len(batch.rows), len(self.layers), E))
        for step, (experts, weights) in enumerate(zip(*(batch.fields[name] for name in FIELDS), strict=True)):
            taken = dense(experts, np.ones_like(weights), E)  # (text, token, E)
            share = shares(dense(experts, weights, E))
            counts[:, step] = taken.sum(axis=1)
            self._weight[step] += share.sum(axis=(0, 1))
            if self._together is not None:
                every = torch.from_numpy(taken).flatten(0, 1)
                self._together[step] += (every.T @ every).numpy()
            self._entropy[step] += entropy(share).sum()
            self._keep(step, at, batch.rows, share)
        self.tokens += int((batch.fields[FIELDS[0]][0] >= 0).any(axis=-1).sum())
        self._counts.append(counts)
        self._domains += [domain] * len(batch.rows)
        self.done += len(batch.rows)

    def _add_kinds(self, dataset: Samples, batch: Routed) -> None:
        reads = self.model.token_texts(inputs_of(self.model, dataset)(batch.rows))
        if reads is not None:
            self.kinds.add(reads, batch.fields[FIELDS[0]])

    def _keep(self, step: int, at: int, rows: range, share: Float[np.ndarray, "n t E"]) -> None:
        """Keep the token of each text with most weight for an expert, without the first token of a text."""
        later = share[:, 1:]
        if not later.shape[1]:
            return
        token, best = later.argmax(axis=1) + 1, later.max(axis=1)  # (text, E)
        places = np.stack([np.full_like(token, at), np.broadcast_to(np.array(rows)[:, None], token.shape), token], -1)
        weight = np.concatenate([self._best[step], best.T], axis=1)
        origin = np.concatenate([self._place[step], places.transpose(1, 0, 2)], axis=1)
        order = np.argsort(-weight, axis=1, kind="stable")[:, : self._most]
        self._best[step] = np.take_along_axis(weight, order, axis=1)
        self._place[step] = np.take_along_axis(origin, order[..., None], axis=1)

    def counted(self) -> Load:
        """Return what is counted so far, after any batch: without baselines, kinds of tokens and outputs."""
        there = self.domains[: max(self._domains) + 1]
        nothing = np.full((self._weight.shape[0], self._weight.shape[1], len(there)), np.nan)
        no_null = np.full(len(self.layers), np.nan)
        return self._load(there, (no_null, no_null), (nothing, nothing), None, None)

    def result(self) -> Load:
        """Return the load, after the last batch."""
        counts, domains = np.concatenate(self._counts), np.array(self._domains)
        rng = np.random.default_rng(self.seed)
        null = np.full((1, len(self.layers)), np.nan)
        if len(self.domains) > 1:
            null = specialisation_null(counts, domains, len(self.domains), self.shuffles, rng)
        bounds = self._between(counts, domains, rng)
        if not self.written.done:
            list(self.written)
        nulls = null.mean(axis=0), np.quantile(null, LEVEL, axis=0)
        return self._load(self.domains, nulls, bounds, self.kinds.result(), self.written.result())

    def _load(
        self,
        domains: tuple[str, ...],
        nulls: tuple[np.ndarray, np.ndarray],
        bounds: tuple[np.ndarray, np.ndarray],
        kinds: TokenKinds | None,
        written: OutputSimilarity | None,
    ) -> Load:
        chosen = by_domain(np.concatenate(self._counts), np.array(self._domains), len(domains))
        several = len(domains) > 1
        specialised = specialisation(shares(chosen, axes=2)) if several else np.full(len(self.layers), np.nan)
        return Load(
            self.layers, domains, self.done, self.tokens, chosen, self._weight, self._together,
            self._entropy / max(1, self.tokens), specialised, *nulls, *bounds,
            self._exemplars(), kinds, written, self.written.lacking, *left_out_of(self.model, self.datasets),
        )  # fmt: skip

    def _between(
        self, counts: Float[np.ndarray, "N L E"], domains: Int64[np.ndarray, " N"], rng: np.random.Generator
    ) -> tuple[Float[np.ndarray, "L E D"], Float[np.ndarray, "L E D"]]:
        """Return the ends of 95 % of p(expert | domain) with shuffled domains of texts."""
        drawn = []
        for _ in range(self.shuffles):
            sums = by_domain(counts, rng.permutation(domains), len(self.domains))
            drawn.append(np.moveaxis(shares(np.moveaxis(sums, 2, 1)), 1, 2))
        low, high = np.quantile(np.stack(drawn), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
        return low, high

    def _exemplars(self) -> tuple[Exemplar, ...]:
        exemplars = []
        for step, layer in enumerate(self.layers):
            for e, unit in enumerate(layer.units):
                for weight, origin in zip(self._best[step, e], self._place[step, e], strict=True):
                    if weight > 0:
                        at, sample, token = map(int, origin)
                        exemplars.append(Exemplar(unit, at, sample, token, float(weight)))
        return tuple(exemplars)


def observe_load(
    model: Network,
    datasets: Sequence[Samples],
    *,
    progress: Progress | None = None,
    turn: PieceRunner = at_once,
    counted: Callable[[Load], None] | None = None,
    **options: Any,
) -> Load:
    """Return the load of experts on texts.

    Args:
        options: as of :class:`LoadObserver`.
        counted: called with what is counted so far (:meth:`LoadObserver.counted`), within the first second, then more
            and more rarely, and after the last text; baselines and similarities come later.
        progress: called with (texts or shuffles done, in all, what is done); an exception it raises cancels.
        turn: runs each batch, and each shuffle of tokens.
    """
    report = progress or (lambda done, total, what: None)
    observer = LoadObserver(model, datasets, **options)
    report(0, observer.total, COUNTING)
    begun, pause = monotonic(), FIRST_COUNTS
    for done, total in in_turns(observer, turn):
        if counted and done and (done == total or monotonic() - begun >= pause):
            counted(observer.counted())
            pause *= 2
        report(done, total, COUNTING)
    stages: tuple[tuple[str, Iterable[tuple[int, int]]], ...] = (
        ("Comparing what experts write", observer.written),
        (SHUFFLING, observer.kinds),
    )
    for words, batches in stages:
        for done, total in in_turns(batches, turn):
            report(done, total, words)
    report(observer.total, observer.total, SHUFFLING)
    return observer.result()


def dense(
    experts: Float[np.ndarray, "n t K"], weights: Float[np.ndarray, "n t K"], count: int
) -> Float[np.ndarray, "n t E"]:
    """Return weights by expert, 0 for those that a token did not take.

    Args:
        experts: numbers of those that were taken; negative or NaN where there is none.
    """
    taken: Bool[np.ndarray, "n t K"] = experts >= 0
    spread = np.zeros((*experts.shape[:2], count))
    n, t, _ = np.nonzero(taken)
    np.add.at(spread, (n, t, experts[taken].astype(np.int64)), weights[taken])
    return spread


def by_domain(
    counts: Float[np.ndarray, "N L E"], domains: Int64[np.ndarray, " N"], count: int
) -> Float[np.ndarray, "L E D"]:
    """Return the sums over the texts of each domain."""
    return np.einsum("nle,nd->led", counts, np.eye(count)[domains], optimize=True)
