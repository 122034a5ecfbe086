"""Base classes of networks of matrices: the eight answers, and the set of tokens in which each answer is scored.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), section 4.3 and Appendix D. Symbols: B matrices, D domains,
V elements of the set of one answer, C features.
"""

from abc import abstractmethod

import torch
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.encoders.panels import (
    ANSWER_NAMES,
    PanelEncoder,
    answer_scores,
    answer_sets,
    brought_to,
    checked_matrices,
    element_names,
    token_names,
)
from routescope.nn.inputs.matrices import ANSWERS, PANELS, Matrices
from routescope.nn.network import Network
from routescope.nn.probe import Probe, SetProbe


class AnswerChoice:
    """A part of a config: of a network that chooses among the answers of a matrix."""

    classes: int
    image_size: int

    def check_matrices(self) -> None:
        """Raises ValueError where there are other answers than a matrix has, or too few pixels."""
        checked_matrices(self.classes, self.image_size)

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the answers."""
        return ANSWER_NAMES

    @property
    def grid(self) -> tuple[int, int]:
        """No patches."""
        return 0, 0


class AnswerScorer(Network):
    """A network that scores the answers of matrices. A subclass gives ``score``."""

    kinds = (Matrices,)

    @property
    def inputs(self) -> type[Matrices]:
        """Matrices of panels."""
        return Matrices

    @property
    def side(self) -> int:
        """Side of a panel, in pixels."""
        side = self.config.picture_side
        assert side is not None, "a network of matrices has panels of one size"
        return side

    @abstractmethod
    def score(self, values: Float[Tensor, "B 16 side side"], iterations: int | None) -> Float[Tensor, "B D 8"]:
        """The score of every answer by every domain's head, of as many matrices as a pass holds."""

    def forward(
        self, inputs: Float[Tensor, "B panels side side"] | Matrices, iterations: int | None = None
    ) -> Float[Tensor, "B D 8"]:
        """The score of every answer by every domain's head: logits of the prediction. Greys are in [0, 1].

        Panels of another side are brought to the network's by the mean of their pixels.

        Raises:
            ValueError: another number of panels than a matrix has.
        """
        values = inputs.values if isinstance(inputs, Matrices) else inputs
        values = brought_to(values, self.side)
        chunk = len(values) if self.training else self.rows_at_once()
        return torch.cat([self.score(part, iterations) for part in values.split(max(1, chunk))])

    def example(self, batch: int) -> Matrices:
        """White panels: to count operations with."""
        return Matrices(torch.ones(batch, PANELS, self.side, self.side, device=self.device))


class AnswerSetScorer(AnswerScorer):
    """A network that scores the set of every answer by its CLS tokens; a trace has the tokens of all sets of a matrix.

    Attributes:
        cls: a token per domain (D, C).
        tokenizer: of panels.
        heads: of every domain, or one that they share; see ``answer_heads``.
    """

    cls: nn.Parameter
    tokenizer: PanelEncoder
    heads: nn.ModuleList

    @property
    def elements(self) -> tuple[str, ...]:
        """Names of the elements of one answer's set: CLS tokens, the panels of the context, the answer."""
        return element_names(self.config.domains)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: an element of the sets of answer 1, 2, ... 8, then the next element."""
        return token_names(self.elements)

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes of a trace; an element attends to those of its own set."""
        return super().coordinates() | {"key": self.elements, "label": ANSWER_NAMES}

    def tokenize(self, values: Float[Tensor, "B 16 side side"]) -> Float[Tensor, "sets V C"]:
        """The sets of every answer of every matrix, one after the other (B * 8, V, C): CLS tokens, context, answer."""
        return answer_sets(self.tokenizer(values), self.cls)

    @abstractmethod
    def encode(self, x: Float[Tensor, "sets V C"], iterations: int | None = None) -> Float[Tensor, "sets Q C"]:
        """The sets after the last iteration: of their elements the CLS tokens at least."""

    def score(self, values: Float[Tensor, "B 16 side side"], iterations: int | None) -> Float[Tensor, "B D 8"]:
        """Scores of the heads for the CLS tokens of every set."""
        x, count = self.encode(self.tokenize(values), iterations), len(self.cls)
        heads = list(self.heads) * (count // len(self.heads))
        return answer_scores(torch.cat([head(x[:, d]) for d, head in enumerate(heads)], dim=1))


def answer_heads(features: int, count: int) -> nn.ModuleList:
    """Heads that score an answer from a CLS token of its set (C)."""
    return nn.ModuleList(nn.Sequential(nn.LayerNorm(features), nn.Linear(features, 1)) for _ in range(count))


def heard_together(probes: nn.Module) -> None:
    """Let listeners hear the tokens of all answers' sets of a matrix at once; ``probes`` are a network's own."""
    for name, probe in list(probes.named_children()):
        assert isinstance(probe, Probe)
        setattr(probes, name, SetProbe(probe, ANSWERS, "query" if name == "attention" else "token"))
