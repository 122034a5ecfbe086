"""Sums over compatibilities, from which all observed measures follow; batches may have any sizes."""

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Bool, Float, Int

from routescope.routing.observed.measures import entropy, js_distance, shares


@dataclass(frozen=True)
class TallyShape:
    """Sizes of a run: steps, units (of a script), tokens, labels, groups of input features, scripts."""

    steps: int
    units: int
    tokens: int
    labels: int
    groups: int
    scripts: int = 1

    @property
    def script(self) -> Int[np.ndarray, " step"]:
        """The script of each step."""
        return np.arange(self.steps) * self.scripts // max(1, self.steps)


@dataclass(eq=False)
class Tally:
    """Sums over (sample, token), for each step.

    A token that matches no unit has no routing: it counts in ``elements`` and for co-activation, in nothing else.
    Padding counts nowhere. Shares are gate-weighted: a token counts by its weight, which is 1 unless units are muted.

    Attributes:
        elements, matched: tokens, and those of them with any weight.
        by_position: weight by (step, unit, token).
        by_group: weight by (step, unit, group of input features), of tokens that have a group.
        entropy, effective: sums over matched tokens of H and exp(H) of their shares.
        together: tokens on which both units have weight, (step, unit, other).
        transitions: tokens by their dominant unit one step before and now, (step, before, now); within a script.
        step_distances, step_pairs: sums of Jensen-Shannon distances between two steps' shares of a token, and the
            tokens on which both have weight.
        per_sample: weight by (sample, step, unit), an array for each batch: 4 bytes x steps x units for each sample.
        labels: of the samples, an array for each batch; none where heads have no labels.
    """

    shape: TallyShape
    elements: np.ndarray = field(init=False)
    matched: np.ndarray = field(init=False)
    by_position: np.ndarray = field(init=False)
    by_group: np.ndarray = field(init=False)
    entropy: np.ndarray = field(init=False)
    effective: np.ndarray = field(init=False)
    together: np.ndarray = field(init=False)
    transitions: np.ndarray = field(init=False)
    step_distances: np.ndarray = field(init=False)
    step_pairs: np.ndarray = field(init=False)
    per_sample: list[np.ndarray] = field(default_factory=list)
    labels: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        S, M, V = self.shape.steps, self.shape.units, self.shape.tokens
        for name in ("elements", "matched", "entropy", "effective"):
            setattr(self, name, np.zeros(S))
        self.by_position, self.by_group = np.zeros((S, M, V)), np.zeros((S, M, self.shape.groups))
        self.together, self.transitions = np.zeros((S, M, M)), np.zeros((S, M, M))
        self.step_distances, self.step_pairs = np.zeros((S, S)), np.zeros((S, S))

    def add(
        self,
        C: Float[np.ndarray, "sample step unit token"],
        labels: Int[np.ndarray, " sample"] | None,
        groups: Int[np.ndarray, "sample token"] | None = None,
        present: Bool[np.ndarray, "sample token"] | None = None,
    ) -> None:
        """Count some samples.

        Args:
            labels: None where the shape has none.
            groups: -1 for tokens without input features.
            present: tokens that are no padding, where compatibilities are 0; None: all.
        """
        C = C.astype(np.float64)
        some = C.sum(axis=2) > 0  # (sample, step, token)
        p = shares(np.moveaxis(C, 2, -1))  # (sample, step, token, unit)
        H = entropy(p)
        self.elements += C.shape[0] * C.shape[3] if present is None else int(present.sum())
        self.matched += some.sum(axis=(0, 2))
        self.entropy += H.sum(axis=(0, 2))
        self.effective += np.where(some, np.exp(H), 0).sum(axis=(0, 2))
        self.by_position += C.sum(axis=0)
        self.per_sample.append(C.sum(axis=3).astype(np.float32))
        if labels is not None:
            self.labels.append(np.asarray(labels))
        active = (C > 0).astype(np.float64)
        self.together += np.einsum("bsiv,bsjv->sij", active, active, optimize=True)
        if groups is not None and self.shape.groups:
            self.add_groups(C, groups)
        self._add_steps(C.argmax(axis=2), some, p)

    def add_groups(
        self, C: Float[np.ndarray, "sample step unit token"], groups: Int[np.ndarray, "sample token"]
    ) -> None:
        """Count the groups of some samples, of which everything else is counted by ``add``."""
        given = np.eye(self.shape.groups + 1)[groups][..., :-1]  # -1 is in the last column, which is left out
        self.by_group += np.einsum("bsuv,bvg->sug", C.astype(np.float64), given, optimize=True)

    def _add_steps(
        self,
        dominant: Int[np.ndarray, "sample step token"],
        some: Bool[np.ndarray, "sample step token"],
        p: Float[np.ndarray, "sample step token unit"],
    ) -> None:
        script = self.shape.script
        for s in range(self.shape.steps):
            if s and script[s - 1] == script[s]:
                both = some[:, s - 1] & some[:, s]
                np.add.at(self.transitions[s], (dominant[:, s - 1][both], dominant[:, s][both]), 1)
            for t in range(s, self.shape.steps):
                if script[s] == script[t]:
                    distance = js_distance(p[:, s], p[:, t])
                    for i, j in {(s, t), (t, s)}:
                        self.step_distances[i, j] += np.nansum(distance)
                        self.step_pairs[i, j] += np.isfinite(distance).sum()

    @property
    def weights(self) -> Float[np.ndarray, "sample step unit"]:
        """Weight of every sample."""
        empty = np.zeros((0, self.shape.steps, self.shape.units), np.float32)
        return np.concatenate([empty, *self.per_sample])

    @property
    def joint(self) -> Float[np.ndarray, "step unit label"]:
        """p(m, k): sums to 1 at every step where anything has weight."""
        if not self.shape.labels:
            return np.zeros((self.shape.steps, self.shape.units, 0))
        labels = np.concatenate([np.zeros(0, np.int64), *self.labels])
        given = np.eye(self.shape.labels)[labels]
        sums = np.einsum("nsu,nk->suk", self.weights.astype(np.float64), given, optimize=True)
        return shares(sums, axes=2)


@dataclass(eq=False)
class Exemplars:
    """Samples whose tokens route most to each unit, with the best token and step of each sample.

    Ties go to the sample that comes first, and in it to the earliest step and token.
    """

    units: int
    most: int

    def __post_init__(self) -> None:
        #: (unit, rank) each: the weight, 0 where there is no further exemplar, and where it is, -1 there.
        self.weight = np.zeros((self.units, self.most))
        self.place = {name: np.full((self.units, self.most), -1, np.int64) for name in ("sample", "step", "token")}

    def add(
        self, C: Float[np.ndarray, "sample step unit token"], first: int, tokens: Int[np.ndarray, " of_input"]
    ) -> None:
        """Add some samples; ``first`` is the position of the first one among all, ``tokens`` those that may count."""
        B, S, M, _ = C.shape
        if not B or not S or not len(tokens):
            return
        flat = C[..., tokens].transpose(2, 0, 1, 3).reshape(M, B, -1)
        best, weight = flat.argmax(axis=-1), flat.max(axis=-1)
        step, token = np.divmod(best, len(tokens))
        new = {"sample": np.broadcast_to(first + np.arange(B), (M, B)), "step": step, "token": tokens[token]}
        weights = np.concatenate([self.weight, np.where(weight > 0, weight, 0)], axis=1)
        order = np.argsort(-weights, axis=1, kind="stable")[:, : self.most]
        self.weight = np.take_along_axis(weights, order, axis=1)
        for name, held in self.place.items():
            merged = np.take_along_axis(np.concatenate([held, new[name]], axis=1), order, axis=1)
            self.place[name] = np.where(self.weight > 0, merged, -1)
