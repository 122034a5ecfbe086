"""The encoders that a config names: of text, and of pictures with frozen weights."""

from routescope.nn.circuit_config import ConditionalCircuitConfig
from routescope.nn.encoders.frozen import frozen_text_encoder
from routescope.nn.encoders.text import TextEncoder, WordEncoder


def text_encoder(config: ConditionalCircuitConfig) -> TextEncoder:
    """Return the text encoder of a config, trained or frozen; raises FrozenWeightsError without frozen weights."""
    return WordEncoder(config) if config.text == "words" else frozen_text_encoder(config)
