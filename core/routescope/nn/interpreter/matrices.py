"""A Neural Interpreter that completes matrices: it scores every answer with the panels before the gap.

*Dynamic Inference with Neural Interpreters* (NeurIPS 2021), section 4.3 and Appendix D: a set has ten elements, a CLS
token, the eight panels of the context and one answer; a head reads the CLS token and scores how well the answer goes
with the context; a softmax over the scores of all answers is the prediction. The eight sets of a matrix are computed
as eight samples, and told as one: a trace has the tokens of all of them.

Not printed, and chosen here: the panel encoder (``routescope.nn.encoders.panels``). Not verified here: the paper's
accuracies.
"""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from routescope.nn.answers import AnswerChoice, AnswerSetScorer, answer_heads, heard_together
from routescope.nn.encoders.panels import PanelEncoder
from routescope.nn.inputs.matrices import ANSWERS
from routescope.nn.interpreter.config import NeuralInterpreterConfig
from routescope.nn.interpreter.network import InterpreterStack
from routescope.nn.interpreter.script import InterpreterProbes
from routescope.nn.registry import register


@dataclass(frozen=True)
class MatrixInterpreterConfig(AnswerChoice, NeuralInterpreterConfig):
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
        self.check_matrices()
        if self.target_means or self.frozen_patch_embeddings:
            raise ValueError(
                "a network of matrices chooses among answers and embeds panels: no target_means, and "
                "frozen_patch_embeddings=False"
            )


class MatrixInterpreterProbes(InterpreterProbes):
    """The places to which hooks can listen; they hear the tokens of all answers' sets of a matrix at once."""

    def __init__(self) -> None:
        super().__init__()
        heard_together(self)


@register("matrix_interpreter", family="Neural Interpreter", config=MatrixInterpreterConfig)
class MatrixInterpreter(AnswerSetScorer, InterpreterStack):
    """Scores eight answers, each with the eight panels of the context.

    Args:
        config: every size; see ``MatrixInterpreterConfig``.
    """

    config: MatrixInterpreterConfig

    def __init__(self, config: MatrixInterpreterConfig) -> None:
        super().__init__(config)
        self.tokenizer = PanelEncoder(config.image_size, config.panel_width, config.features)
        self.heads = answer_heads(config.features, len(self.heads))
        self.probes = MatrixInterpreterProbes()

    def encode(self, x: Float[Tensor, "sets V C"], iterations: int | None = None) -> Float[Tensor, "sets D C"]:
        """Equations 1 and 14 on the set of every answer; the CLS tokens of the last step."""
        return self.interpret(x, iterations, outputs=len(self.config.domains))
