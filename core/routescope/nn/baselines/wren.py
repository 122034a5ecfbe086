"""WReN, the Wild Relation Network: relations between the panels of a matrix, summed, say how well an answer goes.

*Measuring abstract reasoning in neural networks* (Barrett, Hill, Santoro et al., ICML 2018), which Neural Interpreters
are compared with (section 4.3): a convolutional network embeds each panel, to which its place is told; of the eight
panels of the context and one answer every ordered pair goes through an MLP g, a panel with itself included; what g
gives is summed, and an MLP f scores the sum:

    score_k = f(sum over i, j of g(x_i, x_j)),    x = the context and answer k

A softmax over the scores of the eight answers is the prediction. Its units are the panels that relations start from:
unit i is the sum over j of g(x_i, x_j), a step of its own, added to what the units before it gave; one that is dropped
takes its pairs away. Dropped and muted units differ in their names alone, as nobody has a share that others could take.

Not printed in the papers that are at hand: sizes of g and f, for which the usual ones are the defaults (four layers of
512, the last of 256; three layers with dropout before the last). That panels are tagged with their places is WReN's;
here a learned embedding of the place is added, as for the networks beside it. The meta-targets of Barrett et al., which
Neural Interpreters are not trained on either, are left out. Not verified here: the paper's accuracies.

Symbols: B matrices, D domains, C features of a panel, R features of a relation.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.answers import AnswerChoice, AnswerScorer
from routescope.nn.config import Config
from routescope.nn.encoders.panels import PanelEncoder
from routescope.nn.inputs.matrices import ANSWERS, CONTEXT
from routescope.nn.probe import Probe
from routescope.nn.registry import register

#: Panels that relations start from: those of the context, row by row, and the answer.
UNITS = (*(f"p{panel}" for panel in range(1, CONTEXT + 1)), "answer")


@dataclass(frozen=True)
class WReNConfig(AnswerChoice, Config):
    """Every size. ``image_size`` is the side of a panel, ``panel_width`` the channels of its convolutions.

    Attributes:
        features: of a panel (C).
        hidden: of the layers of g but the last.
        relation_features: of the last layer of g, and of the layers of f (R).
        depth: layers of g, two at least.
        dropout: before the last layer of f, in training.
    """

    features: int = 256
    hidden: int = 512
    relation_features: int = 256
    depth: int = 4
    dropout: float = 0.5
    image_size: int = 80
    image_channels: int = 1
    panel_width: int = 32
    domains: tuple[str, ...] = ("pgm-neutral",)
    classes: int = ANSWERS

    def __post_init__(self) -> None:
        self.check_matrices()
        if self.depth < 2:
            raise ValueError(f"g has two layers at least, not {self.depth}")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is a share from 0 to below 1, not {self.dropout}")

    @property
    def iterations(self) -> int:
        """Panels that relations start from, one after the other."""
        return len(UNITS)

    @property
    def picture_side(self) -> int:
        """Side of a panel, in pixels."""
        return self.image_size


class Relation(nn.Module):
    """g: an MLP of a pair of panels with ReLU after every layer.

    The matrix of its first layer, which the pair shares, is written as two: each panel meets either of them once,
    however many pairs it is in.
    """

    def __init__(self, config: WReNConfig) -> None:
        super().__init__()
        widths = [*[config.hidden] * (config.depth - 1), config.relation_features]
        self.first = nn.Linear(config.features, widths[0])
        self.second = nn.Linear(config.features, widths[0], bias=False)
        layers: list[nn.Module] = [nn.ReLU()]
        for width, wider in zip(widths[:-1], widths[1:], strict=True):
            layers += [nn.Linear(width, wider), nn.ReLU()]
        self.rest = nn.Sequential(*layers)

    def forward(self, first: Float[Tensor, "*ones hidden"], second: Float[Tensor, "*others hidden"]) -> Tensor:
        """g of pairs (*pairs, R), of what ``first`` and ``second`` made of their panels, as they broadcast."""
        related: Tensor = self.rest(first + second)
        return related


class WReNProbes(nn.Module):
    """The places to which hooks can listen. A token is the sum of one answer."""

    def __init__(self) -> None:
        super().__init__()
        self.token_states = Probe("token_states", ("sample", "token", "feature"))
        self.contributions = Probe("contributions", ("unit", "sample", "token", "feature"))


@register("wren", family="WReN", config=WReNConfig)
class WReN(AnswerScorer):
    """Scores eight answers by the relations of their panels.

    Args:
        config: every size; see ``WReNConfig``.
    """

    Config = WReNConfig
    config: WReNConfig
    probes: WReNProbes

    def __init__(self, config: WReNConfig) -> None:
        super().__init__()
        self.config = config
        R = config.relation_features
        self.encoder = PanelEncoder(config.image_size, config.panel_width, config.features)
        self.g = Relation(config)
        self.f = nn.Sequential(nn.Linear(R, R), nn.ReLU(), nn.Linear(R, R), nn.ReLU(), nn.Dropout(config.dropout))
        self.heads = nn.ModuleList(nn.Linear(R, 1) for _ in config.domains)
        self.probes = WReNProbes()
        self.keep_all()

    # -- names ---------------------------------------------------------------------------------------------

    @property
    def all_units(self) -> tuple[str, ...]:
        """Names of the panels that relations start from."""
        return UNITS

    @property
    def most_iterations(self) -> int:
        """As many as there are units: of fewer, the first ones run."""
        return len(UNITS)

    def step_names(self, iterations: int) -> tuple[str, ...]:
        """Names of the first units: each is a step."""
        return UNITS[:iterations]

    def computing(self, step: int, steps: int) -> tuple[int, ...]:
        """The place of the step's own unit, where it takes part and is not muted."""
        return (step,) if step in self.kept and step not in self.silent else ()

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: the sum of relations of each answer."""
        return tuple(f"answer:{k}" for k in range(1, ANSWERS + 1))

    # -- computing -----------------------------------------------------------------------------------------

    def relations(self, read: Float[Tensor, "B 16 C"], iterations: int | None = None) -> Float[Tensor, "B 8 R"]:
        """Sum the relations of every answer over the first ``iterations`` units; raises ValueError for too many."""
        steps = len(UNITS) if iterations is None else iterations
        if not 0 <= steps <= len(UNITS):
            raise ValueError(f"iterations must be from 0 to {len(UNITS)} panels, not {iterations}")
        first, second, probes = self.g.first(read), self.g.second(read), self.probes
        total = read.new_zeros(len(read), ANSWERS, self.config.relation_features)
        for step in range(steps):
            if self.computing(step, steps):
                added = self._started_from(step, first, second)
                total = total + probes.contributions(added[None], step=step)[0]
            else:
                probes.contributions(total.new_zeros(0, *total.shape), step=step)
            total = probes.token_states(total, step=step)
        return total

    def _started_from(
        self, unit: int, first: Float[Tensor, "B 16 hidden"], second: Float[Tensor, "B 16 hidden"]
    ) -> Float[Tensor, "B 8 R"]:
        """The sum over j of g(x_i, x_j) for every answer; what is between panels of the context is computed once."""
        if unit < CONTEXT:
            pairs = self.g(first[:, unit, None], second)  # with the context, and with every answer
            return pairs[:, :CONTEXT].sum(dim=1, keepdim=True) + pairs[:, CONTEXT:]
        answers = first[:, CONTEXT:]
        context: Tensor = self.g(answers[:, :, None], second[:, None, :CONTEXT]).sum(dim=2)
        return context + self.g(answers, second[:, CONTEXT:])

    def rows_at_once(self) -> int:
        """Matrices that one pass holds at once in evaluation: each has nine tokens an answer."""
        return max(1, self.tokens_at_once // (len(UNITS) * ANSWERS))

    def score(self, values: Float[Tensor, "B 16 side side"], iterations: int | None) -> Float[Tensor, "B D 8"]:
        """Scores of every domain's head from f of the summed relations of every answer."""
        summed = self.f(self.relations(self.encoder(values), iterations))
        return torch.stack([head(summed)[..., 0] for head in self.heads], dim=1)
