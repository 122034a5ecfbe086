"""The config of a network that others made."""

from dataclasses import dataclass

from routescope.nn.config import Config
from routescope.nn.mixture.config import DOMAINS

#: A model of transformers that is small enough to be made anew in a moment: what the default config describes.
SMALLEST = (
    '{"model_type": "olmoe", "vocab_size": 257, "hidden_size": 16, "intermediate_size": 12, "num_hidden_layers": 2, '
    '"num_attention_heads": 2, "num_key_value_heads": 2, "num_experts": 5, "num_experts_per_tok": 2, '
    '"max_position_embeddings": 64, "pad_token_id": null, "bos_token_id": 256, "eos_token_id": null}'
)


@dataclass(frozen=True)
class AdaptedConfig(Config):
    """Sizes of a network that others made.

    Attributes:
        domains: text data sets that it is scored on; it has one answer for all.
        context: tokens of a text that are read at most, besides the one that starts it.
        layers: how many of its layers route.
        model: its own config as JSON, as transformers writes it to ``config.json``; empty for other modules.

    Raises:
        ValueError: a text of no token, or no layer that routes.
    """

    domains: tuple[str, ...] = DOMAINS
    context: int = 48
    layers: int = 2
    model: str = SMALLEST

    def __post_init__(self) -> None:
        if self.context < 1 or self.layers < 1:
            raise ValueError("a text has one token or more, and one layer or more routes")

    @property
    def iterations(self) -> int:
        """Every layer that routes runs once."""
        return self.layers
