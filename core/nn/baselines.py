"""Networks that the papers compare with."""

from dataclasses import dataclass

from core.nn.neural_attentive_circuit import NeuralAttentiveCircuit
from core.nn.neural_attentive_circuit_config import InitialState, Links, Modulation, NeuralAttentiveCircuitConfig


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


class PerceiverIO(NeuralAttentiveCircuit):
    """*Perceiver IO* (Jaegle et al., 2021) as the special case of a Neural Attentive Circuit: alpha 0, complete graph.

    ``modules`` are its latents and ``readouts`` its output queries; their confidences stay, as an output adapter.
    """

    Config = PerceiverIOConfig
