"""The Vision Transformer of matrices: what Neural Interpreters are compared with on them.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), section 4.3: "with the same architectural scaffolding": the
set of an answer has a CLS token, the eight panels of the context and the answer, and a head scores its CLS token. The
paper prints no sizes of it; the defaults are as many layers as its Neural Interpreter has steps, of the same width.

Places of panels are told by the panel encoder alone: scores of attention have no bias.
"""

from dataclasses import dataclass
from typing import cast

import torch
from jaxtyping import Float
from torch import Tensor, nn

from core.nn.baselines.vit import Probes, VisionTransformer, VisionTransformerConfig
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
from core.nn.network import Named, Network
from core.nn.probe import Probe, SetProbe
from core.nn.registry import register


@dataclass(frozen=True)
class MatrixTransformerConfig(VisionTransformerConfig):
    """Every size. ``image_size`` is the side of a panel, ``panel_width`` the channels of its convolutions."""

    layers: int = 16
    heads: int = 4
    head_features: int = 32
    image_size: int = 80
    image_channels: int = 1
    patch_size: int = 1
    domains: tuple[str, ...] = ("pgm-neutral",)
    classes: int = ANSWERS
    panel_width: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_matrices(self.classes, self.image_size)

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


@register("matrix_transformer", family="Vision Transformer", config=MatrixTransformerConfig)
class MatrixTransformer(VisionTransformer):
    """Layers that score eight answers, each with the eight panels of the context; each layer is a unit.

    Args:
        config: every size; see ``MatrixTransformerConfig``.
    """

    Config = MatrixTransformerConfig
    kinds = (Matrices,)  # type: ignore[assignment]  # other kinds than the network whose layers it has
    probes_class = MatrixProbes
    config: MatrixTransformerConfig

    def __init__(self, config: MatrixTransformerConfig) -> None:
        super().__init__(config)
        C = config.features
        self.tokenizer = PanelEncoder(config.image_size, config.panel_width, C)
        self.heads = nn.ModuleList(nn.Sequential(nn.LayerNorm(C), nn.Linear(C, 1)) for _ in config.domains)

    @property
    def adaptable(self) -> None:  # type: ignore[override]
        """Its heads choose among eight answers and no other classes."""
        return

    @property
    def elements(self) -> tuple[str, ...]:
        """Names of the elements of one answer's set."""
        return element_names(self.config.domains)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: an element of the sets of answer 1, 2, ... 8, then the next element."""
        return token_names(self.elements)

    def coordinates(self) -> dict[str, tuple[str, ...]]:
        """Names along the axes of a trace; an element attends to those of its own set."""
        return super().coordinates() | {"key": self.elements}

    def constants(self) -> Named:
        """Which layers take part and are muted."""
        return Network.constants(self)

    def forward(  # type: ignore[override]
        self, inputs: Float[Tensor, "B panels side side"] | Matrices, iterations: int | None = None
    ) -> Float[Tensor, "B D 8"]:
        """The score of every answer by every domain's head: logits of the prediction. Greys are in [0, 1]."""
        values = inputs.values if isinstance(inputs, Matrices) else inputs
        chunk = len(values) if self.training else self.rows_at_once()
        return torch.cat([self._classify(part, iterations) for part in values.split(max(1, chunk))])

    def tokenize(self, images: Float[Tensor, "B panels side side"]) -> Float[Tensor, "sets V C"]:
        """The sets of every answer of every matrix (B * 8, V, C).

        Raises:
            ValueError: another number of panels than a matrix has.
        """
        read = cast(PanelEncoder, self.tokenizer)(brought_to(images, self.config.image_size))
        return answer_sets(read, self.cls)

    def _classify(self, images: Float[Tensor, "B panels side side"], iterations: int | None) -> Float[Tensor, "B D 8"]:
        x = self.encode(self.tokenize(images), iterations)
        return answer_scores(torch.cat([head(x[:, d]) for d, head in enumerate(self.heads)], dim=1))

    def example(self, batch: int) -> Matrices:  # type: ignore[override]
        """White panels: to count operations with."""
        side = self.config.image_size
        return Matrices(torch.ones(batch, PANELS, side, side, device=self.device))
