"""Every architecture by name: what a checkpoint's metadata refers to and what tests walk through."""

from typing import Any

from core.nn.baselines.on_blocks import BlockFNN, BlockTransformer
from core.nn.baselines.perceiver_io import (
    PerceiverIO,
    PerceiverIOConfig,
    StatementPerceiverIO,
    StatementPerceiverIOConfig,
)
from core.nn.blocks.config import BlockFNNConfig, BlockTransformerConfig, SMFRConfig
from core.nn.blocks.network import BlockNetwork
from core.nn.circuit.conditional import ConditionalNeuralAttentiveCircuit
from core.nn.circuit.conditional_config import ConditionalCircuitConfig
from core.nn.circuit.network import NeuralAttentiveCircuit, NeuralAttentiveCircuitConfig
from core.nn.interpreter.network import NeuralInterpreter, NeuralInterpreterConfig

ARCHITECTURES: dict[str, tuple[type[Any], type[Any]]] = {
    "neural_interpreter": (NeuralInterpreterConfig, NeuralInterpreter),
    "neural_attentive_circuit": (NeuralAttentiveCircuitConfig, NeuralAttentiveCircuit),
    "perceiver_io": (PerceiverIOConfig, PerceiverIO),
    "conditional_nac": (ConditionalCircuitConfig, ConditionalNeuralAttentiveCircuit),
    "statement_perceiver_io": (StatementPerceiverIOConfig, StatementPerceiverIO),
    "smfr": (SMFRConfig, BlockNetwork),
    "block_fnn": (BlockFNNConfig, BlockFNN),
    "block_transformer": (BlockTransformerConfig, BlockTransformer),
}


def architecture_of(model: object) -> str:
    """The registered name of a model's class; raises KeyError with the names there are."""
    for name, (_, cls) in ARCHITECTURES.items():
        if type(model) is cls:
            return name
    raise KeyError(f"{type(model).__name__} is not registered; there are {', '.join(ARCHITECTURES)}")
