"""Sizes of the networks that read blocks: SMFR, feed-forward network and Transformer."""

from dataclasses import dataclass
from typing import get_args

from routescope.nn.blocks.operations import Attention
from routescope.nn.config import Config


@dataclass(frozen=True)
class BlockTaskConfig(Config):
    """Inputs and answers of a network of blocks.

    Attributes:
        task: name of the task, which is the network's only domain.
        values: names of the blocks that the task is about; a block that names the subtask comes after them.
        outputs: names of the blocks that it answers with. Where more than one iteration can run they are the next
            iteration's values.
        block_size: numbers in a block; the first ``classes`` of an output block are its answer.
        iterations: how many it is trained to run.
        repeats: whether other numbers of iterations can be run.
        logit_scale: what an answer's numbers are multiplied with to be logits: networks that learn to give one-hot
            blocks give numbers from 0 to 1.
        shuffle_seed: of the fixed permutation of all numbers of the values before each iteration (the noisy variant);
            None: as they are.
    """

    task: str = "algo"
    values: tuple[str, ...] = ("A", "B", "C", "D", "E")
    outputs: tuple[str, ...] = ("A", "B", "C", "D", "E")
    block_size: int = 10
    classes: int = 10
    iterations: int = 2
    repeats: bool = True
    logit_scale: float = 10.0
    shuffle_seed: int | None = None

    def __post_init__(self) -> None:
        if not self.values or not self.outputs:
            raise ValueError("a network of blocks has values and outputs")
        if self.repeats and len(self.values) != len(self.outputs):
            raise ValueError("only as many outputs as values can be run again")
        if not self.repeats and self.iterations != 1:
            raise ValueError("a network that cannot be run again has one iteration")
        if not 1 <= self.classes <= self.block_size:
            raise ValueError(f"an answer of {self.classes} classes does not fit into a block of {self.block_size}")

    @property
    def domains(self) -> tuple[str, ...]:
        """The task alone."""
        return (self.task,)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the blocks that an iteration reads."""
        return (*self.values, "task")

    @property
    def class_names(self) -> tuple[str, ...]:
        """The digits."""
        return tuple(str(label) for label in range(self.classes))


@dataclass(frozen=True)
class SMFRConfig(BlockTaskConfig):
    """Sizes of an SMFR; see ``routescope.nn.blocks.operations.SMFR``."""

    depth: int = 2
    width: int = 8
    hidden: int = 100
    layers: int = 1
    attention: Attention = "softmax"
    context: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.attention not in get_args(Attention):
            raise ValueError(f"attention must be one of {get_args(Attention)}, not {self.attention!r}")
        if self.depth < 0 or self.width < 1 or self.layers < 0:
            raise ValueError("an SMFR has a depth of 0 or more, a width of 1 or more, and 0 or more hidden layers")


@dataclass(frozen=True)
class BlockFNNConfig(BlockTaskConfig):
    """Sizes of a feed-forward network on all blocks at once: ``layers`` hidden layers of ``hidden`` units."""

    hidden: int = 200
    layers: int = 3


@dataclass(frozen=True)
class BlockTransformerConfig(BlockTaskConfig):
    """Sizes of a Transformer whose tokens are blocks.

    Attributes:
        features: of a token; the paper does not print it.
        internal: units of the feed-forward layers, the paper's internal dimension.
        heads, layers: of the encoder and of the decoder, each.
    """

    features: int = 16
    heads: int = 4
    internal: int = 400
    layers: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.features % self.heads:
            raise ValueError(f"{self.heads} heads do not divide {self.features} features")
