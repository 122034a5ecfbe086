"""Networks that the papers compare with."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from routescope.nn.circuit.conditional import StatementCircuit
from routescope.nn.circuit.network import NeuralAttentiveCircuit
from routescope.nn.circuit_config import (
    ConditionalCircuitConfig,
    InitialState,
    Links,
    Modulation,
    NeuralAttentiveCircuitConfig,
)
from routescope.nn.encoders.choice import text_encoder
from routescope.nn.inputs.statements import Statements
from routescope.nn.registry import register


def check_perceiver(config: NeuralAttentiveCircuitConfig) -> None:
    """Raise ValueError for a config whose latents are not modules of a complete graph without programs."""
    if (config.initial_state, config.modulation, config.links) != ("code", "none", "complete"):
        raise ValueError("a Perceiver IO has initial_state 'code', modulation 'none' and links 'complete'")


@dataclass(frozen=True)
class PerceiverIOConfig(NeuralAttentiveCircuitConfig):
    """A Perceiver IO's sizes: latents are modules whose code is their initial state and programs nothing."""

    initial_state: InitialState = "code"
    modulation: Modulation = "none"
    links: Links = "complete"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_perceiver(self)


@register("perceiver_io", family="Perceiver IO", config=PerceiverIOConfig)
class PerceiverIO(NeuralAttentiveCircuit):
    """*Perceiver IO* (Jaegle et al., 2021) as the special case of a Neural Attentive Circuit: alpha 0, complete graph.

    ``modules`` are its latents and ``readouts`` its output queries; their confidences stay, as an output adapter.
    """

    Config = PerceiverIOConfig


@dataclass(frozen=True)
class StatementPerceiverIOConfig(ConditionalCircuitConfig):
    """Sizes of a Perceiver IO that reads pictures and the pieces of a sentence as one set."""

    initial_state: InitialState = "code"
    modulation: Modulation = "none"
    links: Links = "complete"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_perceiver(self)


@register("statement_perceiver_io", family="Perceiver IO", config=StatementPerceiverIOConfig)
class StatementPerceiverIO(StatementCircuit):
    """Perceiver IO on the tokens of pictures and of the text together (Appendix G of Neural Attentive Circuits)."""

    Config = StatementPerceiverIOConfig
    config: StatementPerceiverIOConfig

    def _make_inputs(self) -> int:
        features = super()._make_inputs()
        self.text = text_encoder(self.config)
        self.words = nn.Linear(self.text.features, features)
        return features

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: places in the pictures, picture by picture, then "word:i"."""
        return super().tokens + tuple(f"word:{i}" for i in range(self.config.most_pieces))

    def judge(self, inputs: Statements, iterations: int | None) -> Float[Tensor, "B classes"]:
        """Logits from the pictures' tokens, then as many places for pieces of text as are read at most."""
        seen, distinct = self.pictures(inputs.images, inputs.features), tuple(dict.fromkeys(inputs.sentences))
        row_of = {sentence: row for row, sentence in enumerate(distinct)}
        rows = torch.tensor([row_of[sentence] for sentence in inputs.sentences], dtype=torch.long, device=seen.device)
        text, is_piece = self.text(distinct)
        padding = self.config.most_pieces - text.shape[1]
        text = nn.functional.pad(self.words(text), (0, 0, 0, padding))[rows].to(seen.dtype)
        is_piece = nn.functional.pad(is_piece, (0, padding))[rows]
        is_seen = is_piece.new_ones(len(seen), seen.shape[1])
        tokens = torch.cat((seen, text), dim=1), torch.cat((is_seen, is_piece), dim=1)
        return self.execute(*tokens, iterations)
