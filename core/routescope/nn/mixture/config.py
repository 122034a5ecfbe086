"""Sizes of a mixture of experts on bytes."""

from dataclasses import dataclass

from routescope.nn.config import Config

#: Sets of texts that networks of text are scored on.
DOMAINS = ("python", "manual", "sums", "listops")


@dataclass(frozen=True)
class MixtureConfig(Config):
    """Sizes as in *OLMoE: Open Mixture-of-Experts Language Models* (Muennighoff et al., 2024), small.

    Attributes:
        domains: text data sets that it is scored on; it has one answer for all.
        context: bytes of a text that are read at most.
        layers, features, heads: of the Transformer.
        experts, top_k: of every layer, and how many of them a token takes.
        hidden: hidden units of an expert.
        normalise: whether the weights of the chosen experts are divided by their sum.
        theta: of the rotary positions.
        experts_left: experts of each layer, where some were cut out; empty: every layer has ``experts``.

    Raises:
        ValueError: features that do not divide into heads of an even size, fewer experts than a token takes, or
            ``experts_left`` that is not of every layer.
    """

    domains: tuple[str, ...] = DOMAINS
    context: int = 256
    layers: int = 4
    features: int = 128
    heads: int = 4
    experts: int = 8
    top_k: int = 2
    hidden: int = 64
    normalise: bool = True
    theta: float = 10_000.0
    experts_left: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.features % (2 * self.heads):
            raise ValueError(f"{self.features} features do not divide into {self.heads} heads of an even size")
        if not 1 <= self.top_k <= self.experts:
            raise ValueError(f"a token takes 1 to {self.experts} experts, not {self.top_k}")
        if self.experts_left and len(self.experts_left) != self.layers:
            raise ValueError(f"experts are left in each of {self.layers} layers, not in {len(self.experts_left)}")
        for layer, left in enumerate(self.experts_left, start=1):
            if not self.top_k <= left <= self.experts:
                raise ValueError(f"layer {layer} keeps {self.top_k} to {self.experts} experts, not {left}")

    @property
    def experts_by_layer(self) -> tuple[int, ...]:
        """Number of experts of each layer."""
        return self.experts_left or (self.experts,) * self.layers

    @property
    def iterations(self) -> int:
        """Every layer runs once."""
        return self.layers
