"""A Neural Interpreter that completes matrices: it scores every answer with the panels before the gap.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), section 4.3 and Appendix D: a set has ten elements, a CLS
token, the eight panels of the context and one answer; a head reads the CLS token and scores how well the answer goes
with the context; a softmax over the scores of all answers is the prediction. The eight sets of a matrix are computed
as eight samples, and told as one: a trace has the tokens of all of them.

Not printed, and chosen here: the panel encoder (``core.nn.encoders.panels``). Not verified here: the paper's
accuracies.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.nn.encoders.panels import (
    ANSWER_NAMES,
    PanelEncoder,
    answer_scores,
    answer_sets,
    brought_to,
    checked_matrices,
    element_names,
    token_names,
)
from core.nn.inputs.matrices import Matrices
from core.nn.inputs.matrix_files import ANSWERS, PANELS
from core.nn.interpreter.config import NeuralInterpreterConfig
from core.nn.interpreter.network import NeuralInterpreter
from core.nn.interpreter.script import Probes
from core.nn.probe import Probe, SetProbe
from core.nn.registry import register


@dataclass(frozen=True)
class MatrixInterpreterConfig(NeuralInterpreterConfig):
    """Every size; the defaults are those of Tables 7 and 9, neutral.

    ``image_size`` is the side of a panel in pixels, ``panel_width`` the channels of the panel encoder's convolutions.
    """

    scripts: int = 2
    key_features: int = 32
    type_features: int = 20
    tau: float = 1.62
    relative_position: None = None
    frozen_signatures: bool = False
    tokenizer: None = None
    image_size: int = 80
    image_channels: int = 1
    domains: tuple[str, ...] = ("pgm-neutral",)
    classes: int = ANSWERS
    panel_width: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_matrices(self.classes, self.image_size)
        if self.target_means or self.frozen_patch_embeddings:
            raise ValueError(
                "a network of matrices chooses among answers and embeds panels: no target_means, and "
                "frozen_patch_embeddings=False"
            )

    @property
    def class_names(self) -> tuple[str, ...]:
        """Names of the answers."""
        return ANSWER_NAMES

    @property
    def grid(self) -> tuple[int, int]:
        """No patches."""
        return 0, 0


class MatrixProbes(Probes):
    """The places to which hooks can listen; they hear the tokens of all answers' sets of a matrix at once."""

    def __init__(self) -> None:
        super().__init__()
        for name, probe in list(self.named_children()):
            assert isinstance(probe, Probe)
            setattr(self, name, SetProbe(probe, ANSWERS, "query" if name == "attention" else "token"))


@register("matrix_interpreter", family="Neural Interpreter", config=MatrixInterpreterConfig)
class MatrixInterpreter(NeuralInterpreter):
    """Scores eight answers, each with the eight panels of the context.

    Args:
        config: every size; see ``MatrixInterpreterConfig``.
    """

    kinds = (Matrices,)  # type: ignore[assignment]  # other kinds than the network whose scripts it has
    config: MatrixInterpreterConfig

    def __init__(self, config: MatrixInterpreterConfig) -> None:
        super().__init__(config)
        C = config.features
        self.tokenizer = PanelEncoder(config.image_size, config.panel_width, C)
        count = len(self.heads)
        self.heads = nn.ModuleList(nn.Sequential(nn.LayerNorm(C), nn.Linear(C, 1)) for _ in range(count))
        self.probes = MatrixProbes()

    @property
    def inputs(self) -> type[Matrices]:  # type: ignore[override]
        """Matrices of panels."""
        return Matrices

    @property
    def adaptable(self) -> None:  # type: ignore[override]
        """Its heads choose among eight answers and no other classes."""
        return

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
        return {**super().coordinates(), "key": self.elements, "label": ANSWER_NAMES}

    def tokenize(self, values: Float[Tensor, "B panels side side"]) -> Float[Tensor, "sets V C"]:
        """The sets of every answer of every matrix, one after the other (B * 8, V, C): CLS tokens, context, answer.

        Panels of another side are brought to the network's by the mean of their pixels.

        Raises:
            ValueError: another number of panels than a matrix has.
        """
        assert self.tokenizer is not None
        return answer_sets(self.tokenizer(brought_to(values, self.config.image_size)), self.cls)

    def forward(  # type: ignore[override]
        self, inputs: Float[Tensor, "B panels side side"] | Matrices, iterations: int | None = None
    ) -> Float[Tensor, "B D 8"]:
        """The score of every answer by every domain's head: logits of the prediction. Greys are in [0, 1]."""
        values = inputs.values if isinstance(inputs, Matrices) else inputs
        chunk = len(values) if self.training else self.rows_at_once()
        return torch.cat([self._answer(part, iterations) for part in values.split(max(1, chunk))])

    def _answer(self, values: Float[Tensor, "B panels side side"], iterations: int | None) -> Float[Tensor, "B D 8"]:
        x = self.interpret(self.tokenize(values), iterations, outputs=len(self.config.domains))
        heads = [self.heads[0]] * x.shape[1] if self.config.shared_head else list(self.heads)
        return answer_scores(torch.cat([head(x[:, d]) for d, head in enumerate(heads)], dim=1))

    def example(self, batch: int) -> Matrices:  # type: ignore[override]
        """White panels: to count operations with."""
        side = self.config.image_size
        return Matrices(torch.ones(batch, PANELS, side, side, device=self.device))
