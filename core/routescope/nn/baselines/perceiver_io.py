"""Networks that the papers compare with."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from routescope.nn.circuit.network import NeuralAttentiveCircuit
from routescope.nn.circuit_config import (
    ConditionalCircuitConfig,
    InitialState,
    Links,
    Modulation,
    NeuralAttentiveCircuitConfig,
)
from routescope.nn.encoders.choice import text_encoder
from routescope.nn.encoders.frozen_weights import with_fingerprint
from routescope.nn.encoders.statement_reader import TRUTH, PictureTokens, blanked, checked, example, token_names
from routescope.nn.encoders.text import TextEncoder
from routescope.nn.inputs.statements import Statements
from routescope.nn.network import Head
from routescope.nn.registry import register


@dataclass(frozen=True)
class PerceiverIOConfig(NeuralAttentiveCircuitConfig):
    """A Perceiver IO's sizes: latents are modules whose code is their initial state and programs nothing."""

    initial_state: InitialState = "code"
    modulation: Modulation = "none"
    links: Links = "complete"

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.initial_state, self.modulation, self.links) != ("code", "none", "complete"):
            raise ValueError("a Perceiver IO has initial_state 'code', modulation 'none' and links 'complete'")


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
        if (self.initial_state, self.modulation, self.links) != ("code", "none", "complete"):
            raise ValueError("a Perceiver IO has initial_state 'code', modulation 'none' and links 'complete'")


@register("statement_perceiver_io", family="Perceiver IO", config=StatementPerceiverIOConfig)
class StatementPerceiverIO(NeuralAttentiveCircuit):
    """Perceiver IO on the tokens of pictures and of the text together (Appendix G of Neural Attentive Circuits)."""

    Config = StatementPerceiverIOConfig
    config: StatementPerceiverIOConfig
    kinds = (Statements,)

    def _make_inputs(self) -> int:
        self.config = with_fingerprint(self.config)
        self.pictures = PictureTokens(self.config)
        self.text = text_encoder(self.config)
        self.words = nn.Linear(self.text.features, self.pictures.features)
        return self.pictures.features

    @property
    def inputs(self) -> type[Statements]:
        """Statements about pictures."""
        return Statements

    @property
    def adaptable(self) -> None:
        """None: a statement is true or false, in whatever domain."""
        return

    @property
    def text_encoder(self) -> TextEncoder:
        """What reads the sentence of a statement."""
        return self.text

    def _tokens_of(self, inputs: Statements) -> tuple[Float[Tensor, "B V C_in"], Bool[Tensor, "B V"]]:
        """The pictures' tokens, then as many places for pieces of text as are read at most."""
        seen, distinct = self.pictures(inputs.images, inputs.features), tuple(dict.fromkeys(inputs.sentences))
        place = {sentence: at for at, sentence in enumerate(distinct)}
        rows = torch.tensor([place[sentence] for sentence in inputs.sentences], dtype=torch.long, device=seen.device)
        text, there = self.text(distinct)
        most = self.config.most_pieces - text.shape[1]
        text = nn.functional.pad(self.words(text), (0, 0, 0, most))[rows].to(seen.dtype)
        there = nn.functional.pad(there, (0, most))[rows]
        everywhere = there.new_ones(len(seen), seen.shape[1])
        return torch.cat((seen, text), dim=1), torch.cat((everywhere, there), dim=1)

    def forward(  # type: ignore[override]  # other inputs, by design
        self, inputs: Statements, iterations: int | None = None
    ) -> Float[Tensor, "B D classes"]:
        """Logits of false and true, the same for every domain."""
        inputs = blanked(checked(inputs, self.config), self.config)
        chunk = len(inputs) if self.training else self.rows_at_once()
        parts = inputs.split(max(1, chunk))
        logits = torch.cat([self.execute(*self._tokens_of(part), iterations) for part in parts])
        return logits[:, None].expand(-1, len(self.config.domains), -1)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Names of the tokens: places in the pictures, picture by picture, then "word:i"."""
        pieces = tuple(f"word:{i}" for i in range(self.config.most_pieces))
        return token_names(self.config, self.pictures.grid) + pieces

    @property
    def all_heads(self) -> tuple[Head, ...]:
        """Whether a statement is false or true."""
        return tuple(Head(domain, TRUTH) for domain in self.config.domains)

    def example(self, batch: int) -> Statements:
        return example(self.config, batch, self.device)
