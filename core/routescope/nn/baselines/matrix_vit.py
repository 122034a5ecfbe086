"""The Vision Transformer of matrices, to which Neural Interpreters are compared.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), section 4.3: "with the same architectural scaffolding": the
set of an answer has a CLS token, the eight panels of the context and the answer, and a head scores its CLS token. The
paper prints no sizes of it; the defaults are as many layers as its Neural Interpreter has steps, of the same width.

Places of panels are told by the panel encoder alone: scores of attention have no bias.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from routescope.nn.answers import AnswerChoice, AnswerSetScorer, answer_heads, heard_together
from routescope.nn.baselines.vit import TransformerStack, VisionTransformerConfig, VisionTransformerProbes
from routescope.nn.encoders.panels import PanelEncoder
from routescope.nn.inputs.matrices import ANSWERS
from routescope.nn.registry import register


@dataclass(frozen=True)
class MatrixTransformerConfig(AnswerChoice, VisionTransformerConfig):
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
        self.check_matrices()


class MatrixTransformerProbes(VisionTransformerProbes):
    """The places to which hooks can listen; they hear the tokens of all answers' sets of a matrix at once."""

    def __init__(self) -> None:
        super().__init__()
        heard_together(self)


@register("matrix_transformer", family="Vision Transformer", config=MatrixTransformerConfig)
class MatrixTransformer(AnswerSetScorer, TransformerStack):
    """Layers that score eight answers, each with the eight panels of the context; each layer is a unit.

    Args:
        config: every size; see ``MatrixTransformerConfig``.
    """

    Config = MatrixTransformerConfig
    probes_class = MatrixTransformerProbes
    config: MatrixTransformerConfig

    def __init__(self, config: MatrixTransformerConfig) -> None:
        super().__init__(config)
        self.tokenizer = PanelEncoder(config.image_size, config.panel_width, config.features)
        self.heads = answer_heads(config.features, len(config.domains))

    def encode(self, x: Float[Tensor, "sets V C"], iterations: int | None = None) -> Float[Tensor, "sets V C"]:
        return TransformerStack.encode(self, x, iterations)
